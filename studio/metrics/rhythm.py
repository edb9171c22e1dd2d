"""How the visual complexity of a deck changes from slide to slide."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from enum import StrEnum

OVERLOAD_WINDOW = 3
"""Consecutive slides whose mean is looked at."""
OVERLOAD_ABOVE = 0.75
"""Mean normalised entropy above which a window counts as overload."""


class Interpretation(StrEnum):
    """Labels of the reference's code for the root mean square of successive differences."""

    INSUFFICIENT_DATA = "insufficient_data"
    FLATLINE = "flatline"
    TRANSITIONAL = "transitional"
    HEALTHY_PULSE = "healthy_pulse"
    STROBE_LIGHT = "strobe_light"


class RhythmBand(StrEnum):
    """Bands of the paper's table 12, which fit the target that is in use; the words are the studio's."""

    UNDEFINED = "undefined"
    CONSTANT = "constant"
    STEADY = "steady"
    VARIED = "varied"
    RESTLESS = "restless"


def normalised_entropy(entropy_bits: float, slope: float, centre: float) -> float:
    """Return a subband entropy brought to 0–1 by a sigmoid.

    Source:
        SlidesGen-Bench F.5: 1 / (1 + exp(-k (SE - μ))).
    """
    exponent = -slope * (entropy_bits - centre)
    if exponent > 700.0:  # exp would overflow; the sigmoid is below 1e-300 there.
        return 0.0
    return 1.0 / (1.0 + math.exp(exponent))


def rmssd(values: Sequence[float]) -> float | None:
    """Return the root mean square of successive differences; None for fewer than two values.

    Source:
        SlidesGen-Bench F.5; n - 1 differences.
    """
    if len(values) < 2:
        return None
    squares = [(after - before) ** 2 for before, after in itertools.pairwise(values)]
    return math.sqrt(math.fsum(squares) / len(squares))


def overload_windows(
    values: Sequence[float], window: int = OVERLOAD_WINDOW, above: float = OVERLOAD_ABOVE
) -> tuple[int, ...]:
    """Return where windows of too dense slides start, counted from 0; overlapping windows each count.

    Args:
        values: normalised entropies 0–1 in slide order.
        window: slides per window.
        above: mean of a window that counts as too dense.
    """
    starts = range(len(values) - window + 1)
    return tuple(start for start in starts if math.fsum(values[start : start + window]) / window > above)


def interpretation(root_mean_square: float | None) -> Interpretation:
    """Return the label that the reference's code gives."""
    if root_mean_square is None:
        return Interpretation.INSUFFICIENT_DATA
    if root_mean_square < 0.10:
        return Interpretation.FLATLINE
    if root_mean_square > 0.50:
        return Interpretation.STROBE_LIGHT
    if 0.15 <= root_mean_square <= 0.35:
        return Interpretation.HEALTHY_PULSE
    return Interpretation.TRANSITIONAL


def rhythm_band(root_mean_square: float | None) -> RhythmBand:
    """Return the band of the paper's table 12 in which a deck lies."""
    if root_mean_square is None:
        return RhythmBand.UNDEFINED
    if root_mean_square < 0.01:
        return RhythmBand.CONSTANT
    if root_mean_square <= 0.1:
        return RhythmBand.STEADY
    if root_mean_square <= 0.30:
        return RhythmBand.VARIED
    return RhythmBand.RESTLESS


def rhythm_share(root_mean_square: float, target: float, half_width: float) -> float:
    """Return the share 0–1 of the pacing half that a deck earns: a triangle around the target.

    Source:
        SlidesGen-Bench F.5.
    """
    return max(0.0, 1.0 - abs(root_mean_square - target) / half_width)
