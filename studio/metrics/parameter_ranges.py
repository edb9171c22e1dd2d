"""Where a search looks for the aesthetics parameters unless a person says otherwise."""

from __future__ import annotations

from typing import NamedTuple

from studio.errors import BadInput
from studio.metrics.parameters import REFERENCE_KEYS, reference_name


class ParameterRange(NamedTuple):
    """The values that are tried for one parameter."""

    low: float
    high: float
    is_log: bool = False
    """Whether the values are spread evenly by their logarithm, as widths are."""


RANGES: dict[str, ParameterRange] = {
    "usability_scale": ParameterRange(0.0, 20.0),
    "engagement_scale": ParameterRange(0.0, 20.0),
    "level_share": ParameterRange(0.0, 1.0),
    "level_centre": ParameterRange(0.0, 80.0),
    "level_width": ParameterRange(5.0, 100.0, True),
    "pacing_share": ParameterRange(0.0, 1.0),
    "pacing_centre": ParameterRange(0.0, 40.0),
    "pacing_width": ParameterRange(1.0, 30.0, True),
    "harmony_scale": ParameterRange(0.0, 4.0),
    "harmony_mean_weight": ParameterRange(0.0, 20.0),
    "harmony_spread_weight": ParameterRange(0.0, 60.0),
    "harmony_sigma_deg": ParameterRange(1e-4, 20.0, True),
    "rhythm_scale": ParameterRange(0.0, 0.4),
    "rhythm_points": ParameterRange(10.0, 200.0),
    "entropy_centre": ParameterRange(1.0, 8.0),
    "entropy_width": ParameterRange(0.2, 5.0, True),
    "rmssd_target": ParameterRange(0.0, 0.4),
    "rmssd_half_width": ParameterRange(0.02, 0.6, True),
    "sigmoid_slope": ParameterRange(0.2, 6.0, True),
    "sigmoid_centre": ParameterRange(0.0, 6.0),
}
"""Field of `AestheticsParameters` → range. Each holds what the formulas can use of what slides can have: subband
entropy in bits, colourfulness as measured on slides, hue distance in degrees."""

WEIGHTS = ("usability_scale", "engagement_scale", "harmony_scale", "rhythm_scale")
"""What is searched unless a person says otherwise: one weight for each component."""


def range_named(text: str) -> tuple[str, ParameterRange]:
    """Return the parameter and range that a person wrote, such as ``harmony_sigma=0.001:10:log``.

    The name is the reference's key or our field's; without a range the usual one is taken.

    Raises:
        BadInput: for an unknown name or a range that cannot be read.
    """
    name, _, written = text.strip().partition("=")
    by_key = {key: field for field, key in REFERENCE_KEYS.items()}
    field = by_key.get(name.strip(), name.strip())
    if field not in RANGES:
        known = ", ".join(reference_name(each) for each in RANGES)
        raise BadInput(f"There is no parameter {name}.", next_step=f"Known: {known}.")
    if not written:
        return field, RANGES[field]
    low, high, *kind = written.split(":") if ":" in written else (written, "")
    try:
        found = ParameterRange(float(low), float(high), kind == ["log"])
    except ValueError as error:
        raise BadInput(f"{text} is no range.", next_step="Write NAME=LOW:HIGH, or NAME=LOW:HIGH:log.") from error
    if kind not in ([], ["log"]):
        raise BadInput(f"{text} is no range.", next_step="Write NAME=LOW:HIGH, or NAME=LOW:HIGH:log.")
    return field, found
