"""Ranks from values, with every common rule for ties. Rank 1 is the best."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.stats.statistic import FloatArray, Numbers, as_floats

Key = TypeVar("Key")

_CELLS_AT_ONCE = 4_000_000
"""Comparisons held in memory at once by `mid_rank_rows` (bytes, as they are booleans)."""


class TieMethod(StrEnum):
    """What equal values get: their mean rank, their lowest rank, or a rank that leaves no gap after it."""

    AVERAGE = "average"
    COMPETITION = "competition"
    DENSE = "dense"


def mid_ranks(values: Numbers, *, higher_is_better: bool = False) -> FloatArray:
    """Return mid-ranks such as 1, 2.5, 2.5, 4: tied values share the mean of their places.

    Args:
        values: (n,) finite numbers.
        higher_is_better: give rank 1 to the highest value (scores) and not to the lowest (ranks).

    Raises:
        ValueError: if a value is missing; drop it first, since a missing value has no place.
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(_oriented(values, higher_is_better), method="average"), dtype=np.float64)


def competition_ranks(values: Numbers, *, higher_is_better: bool = False) -> NDArray[np.int64]:
    """Return competition ranks such as 1, 2, 2, 4; arguments and errors as for `mid_ranks`."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(_oriented(values, higher_is_better), method="min"), dtype=np.int64)


def dense_ranks(values: Numbers, *, higher_is_better: bool = False) -> NDArray[np.int64]:
    """Return dense ranks such as 1, 2, 2, 3; arguments and errors as for `mid_ranks`."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(_oriented(values, higher_is_better), method="dense"), dtype=np.int64)


def ranks_from_scores(
    scores: Mapping[Key, float | None],
    *,
    higher_is_better: bool = True,
    ties: TieMethod = TieMethod.AVERAGE,
) -> dict[Key, float]:
    """Return the rank of each key that has a score; keys without a finite score are left out."""
    present = {key: score for key, score in scores.items() if score is not None and math.isfinite(score)}
    values = list(present.values())
    ranks: NDArray[np.floating] | NDArray[np.int64]
    match ties:
        case TieMethod.AVERAGE:
            ranks = mid_ranks(values, higher_is_better=higher_is_better)
        case TieMethod.COMPETITION:
            ranks = competition_ranks(values, higher_is_better=higher_is_better)
        case TieMethod.DENSE:
            ranks = dense_ranks(values, higher_is_better=higher_is_better)
    return {key: float(rank) for key, rank in zip(present, ranks, strict=True)}


def reranked(
    ranks: Mapping[Key, float], keep: Collection[Key], *, ties: TieMethod = TieMethod.AVERAGE
) -> dict[Key, float]:
    """Return the ranks of the kept keys among themselves, as if the others had never been there."""
    kept = {key: rank for key, rank in ranks.items() if key in keep}
    return ranks_from_scores(kept, higher_is_better=False, ties=ties)


def mid_rank_rows(values: FloatArray) -> FloatArray:
    """Return the mid-ranks within each row; NaN is a gap that takes no place and stays NaN.

    A rank is counted by comparing each cell with every other of its row. For the handful of decks of an
    instance that is far quicker than sorting row by row, and it takes gaps of any pattern.

    Args:
        values: (rows, columns); the lowest value of a row gets rank 1.
    """
    rows, columns = values.shape
    ranks = np.full((rows, columns), np.nan)
    step = max(1, _CELLS_AT_ONCE // max(1, columns * columns))
    for start in range(0, rows, step):
        block = values[start : start + step]
        here, other = block[:, :, None], block[:, None, :]
        below = np.count_nonzero(other < here, axis=2)
        equal = np.count_nonzero(other == here, axis=2)
        ranks[start : start + step] = np.where(np.isnan(block), np.nan, below + (equal + 1) / 2)
    return ranks


def _oriented(values: Numbers, higher_is_better: bool) -> FloatArray:
    array = as_floats(values)
    if np.isnan(array).any():
        raise ValueError("a missing value has no rank; drop it first")
    return -array if higher_is_better else array
