"""Time the methods table against a loop over scipy: ``python -m tests.bench.bench_stats``.

1,500 rankings of nine decks, ten methods, 1,000 resamples. The loop is run on a part and scaled up, since the
whole of it would take minutes: its correlations on 150 instances of one method, its resamples on 100 draws.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from studio.stats.alignment import align, align_methods
from studio.stats.rankings import HumanRankings

INSTANCES, DECKS, METHODS, RESAMPLES = 1500, 9, 10, 1000
PART_INSTANCES, PART_RESAMPLES = 150, 100
REPEATS = 5

ScoresOfMethod = dict[str, dict[str, float]]


def synthetic() -> tuple[HumanRankings, dict[str, ScoresOfMethod]]:
    """Return rankings and scores drawn from a fixed seed."""
    rng = np.random.default_rng(0)
    names = [[f"i{i}.d{k}" for k in range(DECKS)] for i in range(INSTANCES)]
    truth = rng.normal(size=(INSTANCES, DECKS))
    ranks = stats.rankdata(-truth, axis=1)
    human = HumanRankings(
        ranks={f"i{i}": {"a": dict(zip(names[i], ranks[i].tolist(), strict=True))} for i in range(INSTANCES)},
        systems={deck: f"s{k}" for row in names for k, deck in enumerate(row)},
    )
    methods = {
        f"m{m}": {
            f"i{i}": dict(zip(names[i], row, strict=True))
            for i, row in enumerate((truth + rng.normal(size=truth.shape)).round(2).tolist())
        }
        for m in range(METHODS)
    }
    return human, methods


def median_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median wall time of the repeats after one warm-up."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def loop_seconds(human: HumanRankings, scores: ScoresOfMethod) -> float:
    """Return the time that a loop over scipy would take for all instances, methods and resamples."""
    part = list(human.ranks)[:PART_INSTANCES]

    def correlations() -> list[float]:
        found = []
        for instance in part:
            (ranks,) = human.ranks[instance].values()
            x = list(ranks.values())
            y = [-scores[instance][deck] for deck in ranks]
            found.append(stats.spearmanr(x, y).statistic)
            stats.kendalltau(x, y)
        return found

    values = np.resize(correlations(), INSTANCES)
    rng = np.random.default_rng(0)

    def resamples() -> list[float]:
        return [
            float(np.mean([values[i] for i in rng.integers(0, INSTANCES, INSTANCES)])) for _ in range(PART_RESAMPLES)
        ]

    per_method = (
        median_seconds(correlations, 3) * INSTANCES / PART_INSTANCES
        + median_seconds(resamples, 3) * RESAMPLES / PART_RESAMPLES
    )
    return per_method * METHODS


def main() -> None:
    """Print the median of both and their ratio."""
    human, methods = synthetic()
    ours = median_seconds(lambda: align_methods(human, methods, resamples=RESAMPLES))
    loop = loop_seconds(human, methods["m0"])
    print(f"{INSTANCES} rankings x {DECKS} decks x {METHODS} methods, {RESAMPLES} resamples")
    print(f"studio.stats, median of {REPEATS}: {ours:.3f} s")
    print(f"loop over scipy, scaled up from {PART_INSTANCES} instances, {PART_RESAMPLES} resamples: {loop:.1f} s")
    print(f"ratio: {loop / ours:.0f}")
    for level in ("system", "pooled"):
        one = median_seconds(lambda level=level: align(human, methods["m0"], level=level, resamples=RESAMPLES), 3)  # type: ignore[misc]
        print(f"one method at level {level}, median of 3: {one:.3f} s")


if __name__ == "__main__":
    main()
