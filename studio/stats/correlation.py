"""Rank correlation of two lists: Spearman, Kendall, their p-values and intervals, and Williams' test."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from studio.stats.ranks import mid_rank_rows, mid_ranks
from studio.stats.statistic import (
    FloatArray,
    Interval,
    Numbers,
    Reason,
    Statistic,
    as_floats,
    complete_pairs,
    undefined,
)

MINIMUM_PAIRS = 3
"""Two pairs correlate with +1 or −1 whatever they are, so they say nothing."""
EXACT_UP_TO = 7
"""Pairs up to which all n! orders are listed for a p-value (7! = 5,040)."""


def spearman(x: Numbers, y: Numbers) -> Statistic:
    """Return Spearman's rho in −1 to 1: Pearson's correlation of the mid-ranks.

    The shortcut by squared rank differences is never used, since it is wrong with ties. Pairs with a missing
    side are dropped first and the rest ranked among themselves. Undefined (``too_few``) below three pairs and
    (``constant``) when one side has a single value.
    """
    left, right = complete_pairs(x, y)
    n = len(left)
    if n < MINIMUM_PAIRS:
        return undefined(Reason.TOO_FEW, n)
    a, b = mid_ranks(left) - (n + 1) / 2, mid_ranks(right) - (n + 1) / 2
    spread = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    if spread == 0:
        return undefined(Reason.CONSTANT, n)
    return Statistic(value=_clamped(float((a * b).sum()) / spread), n=n)


def spearman_p(x: Numbers, y: Numbers, *, exact: bool | None = None) -> Statistic:
    """Return Spearman's rho with its two-sided p-value.

    Args:
        x: One side; missing values as for `spearman`.
        y: The other side.
        exact: list every order of one side (n ≤ 7 only); False takes the t approximation with n − 2
            degrees of freedom; None is exact where that is possible.

    Raises:
        ValueError: if an exact value is asked for with more than seven pairs.
    """
    rho = spearman(x, y)
    if rho.value is None:
        return rho
    if exact is None:
        exact = rho.n <= EXACT_UP_TO
    if exact and rho.n > EXACT_UP_TO:
        raise ValueError(f"an exact p-value lists all orders and takes at most {EXACT_UP_TO} pairs")
    p = _exact_p(*complete_pairs(x, y)) if exact else _t_approximation_p(rho.value, rho.n)
    return Statistic(value=rho.value, n=rho.n, p=p)


def kendall_tau_b(x: Numbers, y: Numbers) -> Statistic:
    """Return Kendall's tau-b in −1 to 1 with its p-value (exact for short lists without ties).

    Missing values and undefined cases as for `spearman`.
    """
    from scipy import stats

    left, right = complete_pairs(x, y)
    n = len(left)
    if n < MINIMUM_PAIRS:
        return undefined(Reason.TOO_FEW, n)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return undefined(Reason.CONSTANT, n)
    result = stats.kendalltau(left, right, variant="b")
    return Statistic(value=_clamped(float(result.statistic)), n=n, p=float(result.pvalue))


def partial_spearman(x: Numbers, y: Numbers, control: Numbers) -> Statistic:
    """Return the Spearman rho of two sides with a third one held fixed, such as length bias of a judge.

    Cases with any missing value are dropped. Undefined: ``too_few`` below four cases, ``constant`` if one of
    the three is, ``degenerate`` if the control determines the order of a side.
    """
    values = np.stack([as_floats(side) for side in (x, y, control)])
    values = values[:, ~np.isnan(values).any(axis=0)]
    n = values.shape[1]
    if n <= MINIMUM_PAIRS:
        return undefined(Reason.TOO_FEW, n)
    xy, xz, yz = (spearman(values[i], values[j]).value for i, j in ((0, 1), (0, 2), (1, 2)))
    if xy is None or xz is None or yz is None:
        return undefined(Reason.CONSTANT, n)
    left_x, left_y = 1 - xz * xz, 1 - yz * yz
    if min(left_x, left_y) < 1e-12:
        return undefined(Reason.DEGENERATE, n)
    return Statistic(value=_clamped((xy - xz * yz) / math.sqrt(left_x * left_y)), n=n)


class RowCorrelations(NamedTuple):
    """Per row: rho and tau-b (NaN where undefined), the share of equal mid-ranks, and the pairs used."""

    rho: FloatArray
    tau: FloatArray
    identical: FloatArray
    n: FloatArray
    is_constant: FloatArray
    """1 where a side has one value only."""


def correlate_rows(x: FloatArray, y: FloatArray) -> RowCorrelations:
    """Return the rank correlations of each row of `x` with the same row of `y`, all rows at once.

    Each row gives what `spearman` and `kendall_tau_b` give for it. NaN on either side drops the pair.

    Args:
        x: (rows, columns), lowest is best.
        y: The same shape, lowest is best.
    """
    gap = np.isnan(x) | np.isnan(y)
    x, y = np.where(gap, np.nan, x), np.where(gap, np.nan, y)
    n = np.count_nonzero(~gap, axis=1).astype(np.float64)
    ranks_x, ranks_y = mid_rank_rows(x), mid_rank_rows(y)
    middle = ((n + 1) / 2)[:, None]
    a, b = np.where(gap, 0.0, ranks_x - middle), np.where(gap, 0.0, ranks_y - middle)
    # Mid-ranks are multiples of ½, so these sums are exact and a constant side gives exactly 0.
    spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    is_constant = (spread == 0).astype(np.float64)
    is_defined = (n >= MINIMUM_PAIRS) & (spread > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = np.where(is_defined, np.clip((a * b).sum(axis=1) / spread, -1, 1), np.nan)
        identical = np.where(n > 0, (ranks_x == ranks_y).sum(axis=1) / n, np.nan)
    tau = np.where(is_defined, _tau_b_rows(ranks_x, ranks_y), np.nan)
    return RowCorrelations(rho=rho, tau=tau, identical=identical, n=n, is_constant=is_constant)


def fisher_interval(r: float, n: int, *, confidence: float = 0.95) -> Interval:
    """Return Fisher's interval of one Pearson correlation; never for a mean of correlations.

    Undefined below four pairs and for r = ±1, where the transform is infinite.
    """
    return _z_interval(r, n, variance_factor=1.0, confidence=confidence)


def spearman_interval(rho: float, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the interval of one Spearman correlation, with the standard error √((1 + rho²/2)/(n − 3)).

    Undefined as `fisher_interval` is.

    Source:
        Bonett & Wright (2000), Psychometrika 65.
    """
    return _z_interval(rho, n, variance_factor=1 + rho * rho / 2, confidence=confidence)


def williams_test(r12: float, r13: float, r23: float, n: int) -> Statistic:
    """Return Williams' t (n − 3 degrees of freedom) for r12 against r13, which share variable 1.

    Rows must be independent, so this suits one pooled list and not decks grouped by instance.

    Args:
        r12: Correlation of people with the first judge.
        r13: Correlation of people with the second judge.
        r23: Correlation of the two judges.
        n: Rows.

    Returns:
        t and its two-sided p-value; undefined (``degenerate``) if the three correlations cannot occur
        together or are perfectly dependent, ``too_few`` below four rows.

    Source:
        Williams (1959); Steiger (1980), Psychological Bulletin 87.
    """
    from scipy import stats

    if n <= 3:
        return undefined(Reason.TOO_FEW, n)
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if determinant <= 0:
        return undefined(Reason.DEGENERATE, n)
    mean_squared = ((r12 + r13) / 2) ** 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean_squared * (1 - r23) ** 3
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return Statistic(value=t, n=n, p=float(2 * stats.t.sf(abs(t), n - 3)))


def _exact_p(x: FloatArray, y: FloatArray) -> float:
    a, b = mid_ranks(x), mid_ranks(y)
    a, b = a - a.mean(), b - b.mean()
    orders = np.array(list(itertools.permutations(range(len(b)))))
    # The spread is the same in every order, so comparing the sums of products compares the correlations.
    return float(np.mean(np.abs(b[orders] @ a) >= abs(float(a @ b)) - 1e-9))


def _t_approximation_p(rho: float, n: int) -> float:
    from scipy import stats

    if abs(rho) == 1:
        return 0.0
    t = rho * math.sqrt((n - 2) / ((1 - rho) * (1 + rho)))
    return float(2 * stats.t.sf(abs(t), n - 2))


def _z_interval(r: float, n: int, *, variance_factor: float, confidence: float) -> Interval:
    from scipy import stats

    if n <= 3:
        return Interval(low=None, high=None, undefined_reason=Reason.TOO_FEW)
    if abs(r) >= 1:
        return Interval(low=None, high=None, undefined_reason=Reason.DEGENERATE)
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * math.sqrt(variance_factor / (n - 3))
    z = math.atanh(r)
    return Interval(low=math.tanh(z - reach), high=math.tanh(z + reach))


def _tau_b_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    rows, columns = x.shape
    first, second = np.triu_indices(columns, k=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        sign_x = np.nan_to_num(np.sign(x[:, first] - x[:, second]))
        sign_y = np.nan_to_num(np.sign(y[:, first] - y[:, second]))
        # A sign is 0 for a tie and for a gap; neither counts on its side, which is what tau-b asks for.
        untied = np.sqrt(np.abs(sign_x).sum(axis=1) * np.abs(sign_y).sum(axis=1))
        tau = (sign_x * sign_y).sum(axis=1) / untied
    return np.asarray(np.clip(tau, -1, 1).reshape(rows), dtype=np.float64)


def _clamped(value: float) -> float:
    return max(-1.0, min(1.0, value))
