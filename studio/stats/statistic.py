"""A number or the reason why there is none, which every statistic of this package returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Numbers = Sequence[float | None] | NDArray[np.floating] | NDArray[np.integer]
"""Numbers where None, NaN and the infinities mean that there is no number."""

_SIGNIFICANT_DIGITS = 12
"""Kept of a mean: 0.1 + 0.2 and 0.3 + 0.0 must stay a tie, in whatever order they are added."""


class Reason(StrEnum):
    """Why a statistic is undefined; the closed set that tables and exports show."""

    CONSTANT = "constant"
    """One side has the same value everywhere, so no order can be compared."""
    TOO_FEW = "too_few"
    """Fewer cases than the statistic needs (three decks for a rank correlation)."""
    TOO_MANY = "too_many"
    """More cases than can be gone through."""
    ONE_RATER = "one_rater"
    INCOMPLETE = "incomplete"
    """The statistic needs every rater to rate every case."""
    NONE_PREDICTED = "none_predicted"
    """The judge never gave the class that is asked about: precision is 0/0."""
    NO_SUPPORT = "no_support"
    """People never gave the class that is asked about: recall is 0/0."""
    NO_LABELS = "no_labels"
    """Nothing says which system, or which class, a case belongs to."""
    DEGENERATE = "degenerate"
    """The formula divides by zero or takes the root of a negative number here."""
    NOT_CONNECTED = "not_connected"
    """Groups of items were never compared with each other."""
    SEPARATED = "separated"
    """An item or group never loses, so its strength has no finite estimate."""


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """One number with the count behind it, or the reason why it is undefined (exactly one of the two)."""

    value: float | None
    n: int
    """Cases that the value rests on, after dropping those with a missing side."""
    undefined_reason: str | None = None
    p: float | None = None
    """Two-sided p-value where the statistic has one."""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined_reason is None):
            raise ValueError("a statistic is either a number or has a reason, never both or neither")


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Two ends of an interval, or the reason why there is none."""

    low: float | None
    high: float | None
    undefined_reason: str | None = None


def undefined(reason: Reason, n: int) -> Statistic:
    """Return a statistic without a value."""
    return Statistic(value=None, n=n, undefined_reason=reason)


def as_floats(values: Numbers) -> FloatArray:
    """Return the values as floats, with NaN for each None and each infinity."""
    if isinstance(values, np.ndarray):
        array = values.astype(np.float64)
    else:
        array = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    return np.where(np.isfinite(array), array, np.nan)


def complete_pairs(x: Numbers, y: Numbers) -> tuple[FloatArray, FloatArray]:
    """Return both sides without the pairs that miss one.

    Raises:
        ValueError: if the sides differ in length; then nobody knows what belongs together.
    """
    left, right = as_floats(x), as_floats(y)
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"two sides of one length are needed, not {left.shape} and {right.shape}")
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def rounded(values: FloatArray) -> FloatArray:
    """Return the values rounded to twelve significant digits, so that means that are equal on paper are equal here."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(values == 0, 0, np.floor(np.log10(np.abs(values))))
        scale = 10.0 ** (_SIGNIFICANT_DIGITS - power)
        return np.asarray(np.round(values * scale) / scale, dtype=np.float64)
