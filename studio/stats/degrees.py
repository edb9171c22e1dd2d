"""How well scores follow the degree to which decks were made worse, pooled over decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from studio.stats.correlation import kendall_tau_b, spearman
from studio.stats.intervals import percentile_interval
from studio.stats.noticing import Rung
from studio.stats.statistic import Statistic

RESAMPLES = 500


@dataclass(frozen=True, kw_only=True)
class DegreeRank:
    """One evaluator on the ladders of one kind of defect."""

    rho: Statistic
    """Spearman of value and −degree over all rungs that have a value, −1 to 1; `n` counts rungs."""
    tau: Statistic
    low: float | None
    """Of rho: 95 % by bootstrap over decks, with all rungs of a deck kept together."""
    high: float | None
    n_decks: int
    """That have a value on at least one rung."""
    by_degree: dict[int, Statistic] = field(default_factory=dict)
    """Degree → Kendall's tau-b of the decks as they were and those of this degree."""


def degree_rank(rungs: Sequence[Rung], *, seed: int, resamples: int = RESAMPLES) -> DegreeRank:
    """Return how values and degrees go together.

    Args:
        rungs: their `origin` is the deck; a deck with several ladders has several rungs of one degree.
        seed: of the bootstrap.
        resamples: of decks; 0 leaves the interval out.

    Source:
        REFLEX, the evaluation by perturbation: score against 5 − degree, pooled. Differs: an interval; the paper
        leaves the sensitivity by degree undefined, and here it is of the originals and the decks of that degree.
    """
    there = [rung for rung in rungs if rung.value is not None]
    values = np.array([rung.value for rung in there], dtype=float)
    targets = np.array([-rung.degree for rung in there], dtype=float)
    origins = list(dict.fromkeys(rung.origin for rung in there))
    rho = spearman(values, targets)
    low = high = None
    if rho.value is not None and len(origins) > 1 and resamples:
        at = [np.array([place for place, rung in enumerate(there) if rung.origin == name]) for name in origins]
        rng = np.random.default_rng(seed)
        drawn = []
        for _ in range(resamples):
            rows = np.concatenate([at[each] for each in rng.integers(len(at), size=len(at))])
            again = spearman(values[rows], targets[rows]).value
            drawn.append(np.nan if again is None else again)
        interval = percentile_interval(np.array(drawn))
        low, high = interval.low, interval.high
    return DegreeRank(
        rho=rho, tau=kendall_tau_b(values, targets), low=low, high=high, n_decks=len(origins),
        by_degree={
            degree: kendall_tau_b(values[np.isin(targets, (0, -degree))], targets[np.isin(targets, (0, -degree))])
            for degree in sorted({rung.degree for rung in rungs if rung.degree})
        },
    )  # fmt: skip
