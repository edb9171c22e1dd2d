"""How systems stand: mean, interval and range of ranks, by resampling whole instances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.stats.intervals import OPTIMISTIC_BELOW, bootstrap_weights, percentile_interval
from studio.stats.statistic import FloatArray


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One system over the instances that it has a value for."""

    mean: float | None
    low: float | None
    high: float | None
    """The 95 % percentile interval over instances."""
    n: int
    """Instances with a value."""
    rank: int | None
    """1 for the highest mean; systems with equal means share a rank."""
    rank_low: int | None
    """The best and the worst rank of the middle 95 % of resamples that the system is in."""
    rank_high: int | None

    @property
    def is_optimistic(self) -> bool:
        """Whether there are so few instances that the interval is too narrow."""
        return self.n < OPTIMISTIC_BELOW


def standings(values: FloatArray, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95) -> list[Standing]:
    """Return how each system stands. The same resamples of instances serve all systems.

    Args:
        values: (instances, systems), higher is better; NaN where a system has no value.
        resamples: how often instances are drawn with replacement.
        seed: of the draws.
        confidence: of the intervals and of the ranges of ranks.
    """
    n_instances, n_systems = values.shape
    known = np.isfinite(values)
    counts = known.sum(axis=0)
    filled = np.where(known, values, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(counts > 0, filled.sum(axis=0) / counts, np.nan)
    ranks = _ranks(means[None])[0]
    if not n_instances:
        return [_none()] * n_systems
    weights = bootstrap_weights(n_instances, resamples=resamples, seed=seed)
    sums = np.einsum("bi,is->bs", weights, filled)
    drawn = np.einsum("bi,is->bs", weights, known.astype(np.float64))
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = np.where(drawn > 0, sums / drawn, np.nan)
    drawn_ranks = _ranks(draws)
    tail = (1 - confidence) / 2
    found = []
    for place in range(n_systems):
        if not counts[place]:
            found.append(_none())
            continue
        column = values[known[:, place], place]
        mean = float(means[place])
        if np.ptp(column) == 0:
            # Sums of equal values differ in the last digit from one resample to the next.
            mean = low = high = float(column[0])
        else:
            interval = percentile_interval(draws[:, place], confidence=confidence)
            low, high = interval.low, interval.high  # type: ignore[assignment]  # some resample has a value
        held = drawn_ranks[np.isfinite(drawn_ranks[:, place]), place]
        ends = np.quantile(held, [tail, 1 - tail], method="inverted_cdf") if len(held) else (None, None)
        found.append(
            Standing(
                mean=mean, low=low, high=high, n=int(counts[place]), rank=int(ranks[place]),
                rank_low=None if ends[0] is None else int(ends[0]), rank_high=None if ends[1] is None else int(ends[1]),
            )
        )  # fmt: skip
    return found


def _ranks(means: FloatArray) -> FloatArray:
    """Return 1 + the number of higher means in each row; NaN where there is no mean."""
    # Rounded, so that means of the same values in another order are equal.
    rounded = np.round(means, 12)
    with np.errstate(invalid="ignore"):
        higher = (rounded[:, None, :] > rounded[:, :, None]).sum(axis=2)
    return np.where(np.isfinite(means), higher + 1.0, np.nan)


def _none() -> Standing:
    return Standing(mean=None, low=None, high=None, n=0, rank=None, rank_low=None, rank_high=None)
