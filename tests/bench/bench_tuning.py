"""Time the recompute behind the weight sliders and a trial of a search: ``python -m tests.bench.bench_tuning``.

200 instances of nine decks with 15 slides each. A slider moves one weight: mean ρ, deviation and identical ratio
of the new sum. A trial scores every deck from its raw figures and correlates every instance.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from studio.metrics.parameters import AestheticsParameters
from studio.metrics.raw_decks import RawSlides, components_of, raw_decks
from studio.stats.components import ablation, component_table, weighted
from studio.stats.rankings import HumanRankings
from studio.stats.targets import RankingTarget
from tests.bench.bench_stats import median_seconds

INSTANCES, DECKS, SLIDES, REPEATS = 200, 9, 15, 21
NAMES = ("harmony", "engagement", "usability", "rhythm")


def main() -> None:
    """Print the medians; fail where a slider takes 100 ms or more."""
    rng = np.random.default_rng(0)
    names = [[f"i{i}.d{k}" for k in range(DECKS)] for i in range(INSTANCES)]
    ranks = stats.rankdata(rng.normal(size=(INSTANCES, DECKS)), axis=1)
    human = HumanRankings(
        ranks={f"i{i}": {"a": dict(zip(row, ranks[i].tolist(), strict=True))} for i, row in enumerate(names)}
    )
    components = {
        name: {f"i{i}": dict(zip(row, rng.normal(size=DECKS).tolist(), strict=True)) for i, row in enumerate(names)}
        for name in NAMES
    }
    read = median_seconds(lambda: component_table(human, components), 5)
    table = component_table(human, components)
    weights = iter(np.linspace(0.1, 3, 1000).tolist())
    slider = median_seconds(lambda: weighted(table, {**dict.fromkeys(NAMES, 1.0), "harmony": next(weights)}), REPEATS)
    subsets = median_seconds(lambda: ablation(table), REPEATS)
    decks = [
        RawSlides(
            contrast_means=tuple(rng.uniform(size=SLIDES)), distances_deg=tuple(rng.uniform(0, 9, SLIDES)),
            colourfulness=tuple(rng.uniform(0, 60, SLIDES)), entropies=tuple(rng.uniform(1, 6, SLIDES)),
        )
        for _ in range(INSTANCES * DECKS)
    ]  # fmt: skip
    raw = raw_decks(decks)
    target = RankingTarget(human, [deck for row in names for deck in row])
    trial = median_seconds(lambda: target.values(components_of(raw, AestheticsParameters()).total), REPEATS)
    print(f"{INSTANCES} instances x {DECKS} decks x {SLIDES} slides, medians")
    print(f"cells of all components, once: {1e3 * read:.1f} ms")
    print(f"one weight moved (mean rho, std, identical): {1e3 * slider:.1f} ms")
    print(f"all 15 subsets: {1e3 * subsets:.1f} ms")
    print(f"one trial of a search, from raw figures to rho: {1e3 * trial:.1f} ms")
    if slider >= 0.1:
        raise AssertionError(f"a slider takes {slider:.3f} s; 0.1 s is the limit")


if __name__ == "__main__":
    main()
