"""Intervals and tests by resampling whole instances, and the exact tests beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.stats.statistic import FloatArray, Interval, Numbers, Reason, as_floats, complete_pairs

OPTIMISTIC_BELOW = 10
"""Instances below which a percentile interval is too narrow to be trusted."""
EXACT_FLIPS_UP_TO = 16
"""Instances up to which all 2ⁿ sign flips are listed (65,536)."""
_FLIPS_AT_ONCE = 500


def bootstrap_weights(n: int, *, resamples: int, seed: int) -> FloatArray:
    """Return how often each of n instances occurs in each resample.

    The draws are ``default_rng(seed).integers(0, n, (resamples, n))``. Counts and not indices come back
    because they serve every method with as many instances, and because a resample of ranks needs
    multiplicities.

    Returns:
        (resamples, n), each row summing to n.
    """
    draws = np.random.default_rng(seed).integers(0, n, (resamples, n))
    cells = (draws + np.arange(resamples)[:, None] * n).ravel()
    return np.bincount(cells, minlength=resamples * n).reshape(resamples, n).astype(np.float64)


def resampled_means(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the mean of the values for each row of weights from `bootstrap_weights`.

    Not by BLAS: it wakes a thread on each core for products as short as these, which on a busy machine takes
    several times as long as the product.
    """
    return np.asarray(np.einsum("bn,n->b", weights, values) / len(values), dtype=np.float64)


def percentile_interval(draws: FloatArray, *, confidence: float = 0.95) -> Interval:
    """Return the percentile interval (linear quantiles) of the draws that are numbers.

    Draws that are NaN are degenerate resamples: they are left out, never averaged in. Undefined
    (``degenerate``) if no draw is a number.
    """
    kept = draws[np.isfinite(draws)]
    if not len(kept):
        return Interval(low=None, high=None, undefined_reason=Reason.DEGENERATE)
    tail = (1 - confidence) / 2
    low, high = np.quantile(kept, [tail, 1 - tail])
    return Interval(low=float(low), high=float(high))


@dataclass(frozen=True, kw_only=True)
class BootstrapMean:
    """A mean with its percentile interval."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    """Instances with a value."""
    is_optimistic: bool
    """Fewer than ten instances: the interval is too narrow."""
    has_no_width: bool
    """All values are equal, so that the interval says nothing."""
    undefined_reason: str | None = None


def bootstrap_mean(values: Numbers, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95) -> BootstrapMean:
    """Return the mean of one value for each instance and its percentile interval over instances."""
    present = as_floats(values)
    present = present[~np.isnan(present)]
    n = len(present)
    if not n:
        return BootstrapMean(
            mean=None, low=None, high=None, n=0, is_optimistic=True, has_no_width=False,
            undefined_reason=Reason.TOO_FEW,
        )  # fmt: skip
    return _mean_of(present, bootstrap_weights(n, resamples=resamples, seed=seed), confidence)


def _mean_of(present: FloatArray, weights: FloatArray, confidence: float) -> BootstrapMean:
    """Return the mean of one or more values, with the interval of the resamples of these multiplicities."""
    if np.ptp(present) == 0:
        mean = low = high = float(present[0])
    else:
        mean = float(np.mean(present))
        interval = percentile_interval(resampled_means(present, weights), confidence=confidence)
        assert interval.low is not None
        assert interval.high is not None
        low, high = interval.low, interval.high
    n = len(present)
    return BootstrapMean(
        mean=mean, low=low, high=high, n=n, is_optimistic=n < OPTIMISTIC_BELOW, has_no_width=low == high
    )


@dataclass(frozen=True, kw_only=True)
class PairedComparison:
    """Two methods on the instances where both have a value."""

    difference: float | None
    """Mean of first minus second."""
    low: float | None
    """Lower end of the bootstrap interval of the difference."""
    high: float | None
    p: float | None
    """Two-sided, from sign flips; trust it over the interval when n is small."""
    is_exact: bool
    """All flips were listed."""
    n: int
    n_dropped: int
    """Instances where one or both have no value."""
    undefined_reason: str | None = None


def compare_paired(
    first: Numbers,
    second: Numbers,
    *,
    resamples: int = 1000,
    flips: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> PairedComparison:
    """Return how two methods differ, given one value of each for every instance in the same order."""
    return compare_each(
        first, [second], resamples=resamples, flips=flips, seed=seed, confidence=confidence
    )[0]  # fmt: skip


def compare_each(
    first: Numbers,
    others: Sequence[Numbers],
    *,
    resamples: int = 1000,
    flips: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> list[PairedComparison]:
    """Return `compare_paired` of one method with each of the others.

    Comparisons over as many instances share their draws, which are made once: drawing costs more than testing.
    """
    pairs = [complete_pairs(first, second) for second in others]
    n_all = len(as_floats(first))
    differences = [left - right for left, right in pairs]
    found: list[PairedComparison | None] = [None] * len(others)
    for n in {len(each) for each in differences}:
        places = [place for place, each in enumerate(differences) if len(each) == n]
        if not n:
            for place in places:
                found[place] = PairedComparison(
                    difference=None, low=None, high=None, p=None, is_exact=False, n=0, n_dropped=n_all,
                    undefined_reason=Reason.TOO_FEW,
                )  # fmt: skip
            continue
        weights = bootstrap_weights(n, resamples=resamples, seed=seed)
        p_values = _sign_flip_ps(np.stack([differences[place] for place in places]), draws=flips, seed=seed)
        for place, p in zip(places, p_values, strict=True):
            mean = _mean_of(differences[place], weights, confidence)
            found[place] = PairedComparison(
                difference=mean.mean, low=mean.low, high=mean.high, p=p, is_exact=n <= EXACT_FLIPS_UP_TO, n=n,
                n_dropped=n_all - n,
            )  # fmt: skip
    return [each for each in found if each is not None]


def sign_flip_p(differences: Numbers, *, draws: int = 10_000, seed: int = 0) -> float | None:
    """Return the two-sided p-value of the mean difference when each sign could have been the other.

    Up to 16 differences all flips are listed; above that `draws` flips are drawn and p = (b + 1)/(B + 1),
    which is never 0. None if there is no difference to test.
    """
    values = as_floats(differences)
    values = values[~np.isnan(values)]
    n = len(values)
    if not n:
        return None
    return _sign_flip_ps(values[None, :], draws=draws, seed=seed)[0]


def _sign_flip_ps(values: FloatArray, *, draws: int, seed: int) -> list[float]:
    """Return the p-value of each row of (tests, n) differences, all from the same flips."""
    n = values.shape[1]
    # Equal sums in another order of addition may differ in the last bit; they still count as equal.
    reached = np.array([abs(math.fsum(row)) for row in values]) - 1e-12 * np.abs(values).sum(axis=1)
    columns = np.ascontiguousarray(values.T)
    if n <= EXACT_FLIPS_UP_TO:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        return [float(share) for share in np.mean(np.abs(signs @ columns) >= reached, axis=0)]
    rng = np.random.default_rng(seed)
    hits = np.zeros(len(values), dtype=np.int64)
    at_once = min(_FLIPS_AT_ONCE, draws)
    turned = np.empty((at_once, n))
    total = columns.sum(axis=0)
    for start in range(0, draws, at_once):
        count = min(at_once, draws - start)
        # Turning some signs takes twice their values from the sum; ones and zeros are drawn, never floats made of them.
        np.copyto(turned[:count], rng.integers(0, 2, (count, n)))
        hits += np.count_nonzero(np.abs(total - 2 * (turned[:count] @ columns)) >= reached, axis=0)
    return [float(p) for p in (hits + 1) / (draws + 1)]


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval of a share; undefined (``too_few``) for n = 0.

    Raises:
        ValueError: unless 0 ≤ successes ≤ n.
    """
    from scipy import stats

    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} cannot be")
    if n == 0:
        return Interval(low=None, high=None, undefined_reason=Reason.TOO_FEW)
    interval = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return Interval(low=float(interval.low), high=float(interval.high))


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return the two-sided exact p-value that two judges are right equally often.

    Args:
        only_first: Cases that only the first judge got right.
        only_second: Cases that only the second judge got right.
    """
    from scipy import stats

    total = only_first + only_second
    return float(stats.binomtest(only_first, total).pvalue) if total else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted by Holm's step-down rule, in the order given."""
    m = len(p_values)
    adjusted = [0.0] * m
    highest = 0.0
    for place, index in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (m - place) * p_values[index]))
        adjusted[index] = highest
    return adjusted
