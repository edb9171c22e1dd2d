"""Kendall's W: how far many raters agree on one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, Numbers, Reason, as_floats


@dataclass(frozen=True, kw_only=True)
class Concordance:
    """Kendall's W and what follows from it."""

    w: float | None
    """0 (no agreement) to 1 (the same order)."""
    chi2: float | None
    """Friedman's statistic, m(n − 1)W."""
    df: int
    p: float | None
    """From the chi-square approximation."""
    mean_spearman: float | None
    """(mW − 1)/(m − 1): the mean over pairs of raters, exactly so without ties."""
    n_raters: int
    n_items: int
    undefined_reason: str | None = None


def kendall_w(ratings: Sequence[Numbers] | FloatArray) -> Concordance:
    """Return Kendall's coefficient of concordance, corrected for ties.

    Undefined: ``one_rater``; ``too_few`` below two items; ``incomplete`` if a rater left an item out (use
    Krippendorff's alpha or Plackett–Luce then); ``constant`` if every rater ties everything.

    Args:
        ratings: One row for each rater, one value for each item; only the order within a row counts.

    Source:
        Kendall & Gibbons (1990), Rank Correlation Methods, chapter 6.
    """
    from scipy import stats

    rows = [as_floats(row) for row in ratings]
    m, n = len(rows), len(rows[0]) if rows else 0
    if m < 2:
        return _without(Reason.ONE_RATER, m, n)
    values = np.stack(rows)
    if n < 2:
        return _without(Reason.TOO_FEW, m, n)
    if np.isnan(values).any():
        return _without(Reason.INCOMPLETE, m, n)
    ranks = mid_rank_rows(values)
    spread = float(((ranks.sum(axis=0) - m * (n + 1) / 2) ** 2).sum())
    ties = sum(_tie_term(row) for row in ranks)
    below = m * m * (n**3 - n) - m * ties
    if below <= 0:
        return _without(Reason.CONSTANT, m, n)
    w = 12 * spread / below
    chi2 = m * (n - 1) * w
    return Concordance(
        w=w,
        chi2=chi2,
        df=n - 1,
        p=float(stats.chi2.sf(chi2, n - 1)),
        mean_spearman=(m * w - 1) / (m - 1),
        n_raters=m,
        n_items=n,
    )


def _tie_term(ranks: FloatArray) -> float:
    _, sizes = np.unique(ranks, return_counts=True)
    return float((sizes.astype(np.float64) ** 3 - sizes).sum())


def _without(reason: Reason, m: int, n: int) -> Concordance:
    return Concordance(
        w=None, chi2=None, df=max(0, n - 1), p=None, mean_spearman=None,
        n_raters=m, n_items=n, undefined_reason=reason,
    )  # fmt: skip
