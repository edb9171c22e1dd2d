"""The numbers that turn measured slides into aesthetics scores, and the sets of them that have names.

Measuring a slide needs almost none of these, so a deck that was measured once can be scored again
with other parameters at no cost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from studio.errors import BadInput


def _from_key(key: str, default: float) -> float:
    """Return a dataclass field that is called `key` in the reference's configuration file."""
    default_field: float = field(default=default, metadata={"reference_key": key})
    return default_field


@dataclass(frozen=True, kw_only=True)
class AestheticsParameters:
    """Weights, centres and widths of the aesthetics scores; the defaults are the preset "benchmark".

    Source:
        SlidesGen-Bench (arXiv 2601.09487) section 2.3 and appendix F; the values are the ones that the
        published result files print.
    """

    usability_scale: float = _from_key("weight_contrast", 7.0)
    """Points for a deck whose mean region contrast is 1, that is 21:1."""
    engagement_scale: float = _from_key("weight_colorfulness", 10.0)
    """Points per unit of level share plus pacing share."""
    level_share: float = _from_key("weight_colorfulness_score", 0.55)
    """Share of engagement that the mean colourfulness earns."""
    level_centre: float = _from_key("w_colorfulness_mean", 26.0)
    """Mean colourfulness that earns the whole level share."""
    level_width: float = _from_key("w_colorfulness_std", 40.0)
    """Standard deviation of the Gaussian around `level_centre`, in units of colourfulness."""
    pacing_share: float = _from_key("weight_colorfulness_pacing", 0.5)
    """Share of engagement that the spread of colourfulness over the slides earns."""
    pacing_centre: float = _from_key("w_colorfulness_target", 15.0)
    """Standard deviation of colourfulness over the slides that earns the whole pacing share."""
    pacing_width: float = _from_key("w_colorfulness_target_std", 6.0)
    """Standard deviation of the Gaussian around `pacing_centre`."""
    harmony_scale: float = _from_key("weight_harmony", 0.4)
    """Points per unit of weighted mean minus weighted spread."""
    harmony_mean_weight: float = _from_key("weight_harmony_mean", 5.0)
    """Weight of the mean harmony of the slides (0–1)."""
    harmony_spread_weight: float = _from_key("weight_harmony_deck", 20.0)
    """Weight, taken off, of the standard deviation of the slides' harmony."""
    harmony_sigma_deg: float = _from_key("harmony_sigma", 0.0005)
    """Width in degrees of the Gaussian that turns a hue distance into harmony."""
    rhythm_scale: float = _from_key("weight_subband_entropy", 0.08)
    """Scale of both halves of rhythm; times `rhythm_points` it is the most that one half can earn."""
    rhythm_points: float = _from_key("weight_subband_entropy_score", 100.0)
    """Points of a perfect half before `rhythm_scale`."""
    entropy_centre: float = _from_key("w_subband_entropy_mean", 5.4)
    """Mean subband entropy, in bits, that earns the whole entropy half."""
    entropy_width: float = _from_key("w_subband_entropy_std", 1.6)
    """Standard deviation of the Gaussian around `entropy_centre`, in bits."""
    rmssd_target: float = _from_key("weight_target_rmssd", 0.03)
    """Root mean square of successive differences that earns the whole pacing half (0–1)."""
    rmssd_half_width: float = _from_key("weight_target_halfwidth", 0.21)
    """Distance from `rmssd_target` at which nothing is earned any more."""
    sigmoid_slope: float = _from_key("se_k", 1.5)
    """Slope, per bit, of the sigmoid that brings an entropy to 0–1 before differences are taken."""
    sigmoid_centre: float = _from_key("se_mu", 2.1)
    """Entropy in bits that the sigmoid maps to 0.5."""

    min_saturation: float = 0.1
    """HSV saturation (0–1) from which a pixel has a say in harmony (paper, table 10). Not a reference key."""
    grid_fallback: bool = False
    """Give slides without known text regions the contrast of a 4×4 grid, as the reference seems to do.
    Off, they are left out of the mean and flagged. Not a reference key."""
    single_slide_reference: bool = False
    """Score the rhythm of a one-slide deck as if its differences were 0, as the reference does.
    Off, that half earns 0 and is flagged. Not a reference key."""

    def __post_init__(self) -> None:
        for each in fields(self):
            number = getattr(self, each.name)
            if isinstance(number, bool):
                continue
            if not math.isfinite(number):
                raise BadInput(f"Parameter {reference_name(each.name)} is {number}.", next_step="Give a finite number.")
        for name in _POSITIVE:
            if getattr(self, name) <= 0:
                raise BadInput(
                    f"Parameter {reference_name(name)} is {getattr(self, name)}, but it is a width.",
                    next_step="Give a number above 0.",
                )

    def to_reference(self) -> dict[str, float]:
        """Return the parameters under the keys of the reference's configuration file, in its order."""
        return {key: float(getattr(self, name)) for name, key in REFERENCE_KEYS.items()}

    def to_json(self) -> dict[str, object]:
        """Return all parameters as JSON values: the reference's keys, and under ``studio`` what it does not know.

        What is as the defaults have it is left out of ``studio``, and ``studio`` if nothing is left, so that
        a file for the reference's own program holds its keys only.
        """
        own = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in REFERENCE_KEYS and getattr(self, each.name) != each.default
        }
        return {**self.to_reference(), **({"studio": own} if own else {})}

    @classmethod
    def from_json(
        cls, content: Mapping[str, object], *, base: AestheticsParameters | None = None
    ) -> AestheticsParameters:
        """Return the parameters that `to_json` wrote, or a configuration file in the reference's layout holds.

        Args:
            content: reference key → number; ``studio`` → our own parameters.
            base: where parameters that `content` does not name come from; None to insist on all of them.

        Raises:
            BadInput: if a key is unknown, a value is of the wrong kind, or one is missing and there is no `base`.
        """
        own = content.get("studio", {})
        if not isinstance(own, Mapping):
            raise BadInput("The parameters under studio are no object.", next_step="Give names and values.")
        numbers = cls.from_reference({key: value for key, value in content.items() if key != "studio"}, base=base)
        is_switch = {each.name: isinstance(each.default, bool) for each in fields(cls)}
        given: dict[str, Any] = {}
        for name, value in own.items():
            if name not in is_switch or name in REFERENCE_KEYS:
                known = ", ".join(name for name in is_switch if name not in REFERENCE_KEYS)
                raise BadInput(f"Unknown studio parameter: {name}.", next_step=f"Known are {known}.")
            if is_switch[name] != isinstance(value, bool) or not isinstance(value, bool | int | float):
                raise BadInput(
                    f"Parameter {name} is {value!r}.",
                    next_step="Give true or false." if is_switch[name] else "Give a number.",
                )
            given[name] = value if is_switch[name] else float(value)
        return replace(numbers, **given)

    @classmethod
    def from_reference(
        cls, config: Mapping[str, object], *, base: AestheticsParameters | None = None
    ) -> AestheticsParameters:
        """Return the parameters that a configuration in the reference's layout holds.

        Args:
            config: reference key → number.
            base: where parameters that `config` does not name come from; None to insist on all of them.

        Raises:
            BadInput: if a key is unknown, a value is no number, or one is missing and there is no `base`.
        """
        by_key = {key: name for name, key in REFERENCE_KEYS.items()}
        unknown = sorted(str(key) for key in config if key not in by_key)
        if unknown:
            raise BadInput(
                f"Unknown aesthetics parameters: {', '.join(unknown)}.",
                next_step=f"Known are {', '.join(by_key)}.",
            )
        missing = [key for key in by_key if key not in config]
        if missing and base is None:
            raise BadInput(
                f"Aesthetics parameters are missing: {', '.join(missing)}.",
                next_step="Add them, or start from a preset.",
            )
        numbers: dict[str, float] = {}
        for key, given in config.items():
            if isinstance(given, bool) or not isinstance(given, int | float):
                raise BadInput(f"Parameter {key} is {given!r}, not a number.", next_step="Give a number.")
            numbers[by_key[key]] = float(given)
        return replace(base or cls(), **numbers)  # type: ignore[arg-type]


REFERENCE_KEYS: dict[str, str] = {
    each.name: str(each.metadata["reference_key"])
    for each in fields(AestheticsParameters)
    if "reference_key" in each.metadata
}
"""Our field name → key in the reference's configuration file."""

_POSITIVE = (
    "level_width",
    "pacing_width",
    "harmony_sigma_deg",
    "entropy_width",
    "rmssd_half_width",
)


def reference_name(name: str) -> str:
    """Return the key under which the reference knows our field `name` (`name` itself if it does not)."""
    return REFERENCE_KEYS.get(name, name)


PRESETS: dict[str, AestheticsParameters] = {
    "benchmark": AestheticsParameters(),
    # What the paper's text prints where it differs from what was run: sigma (table 13, F.7), harmony
    # 5·mean − 30·std without a scale (F.4), half-width 0.2. Its overload penalty (F.5) is no parameter and
    # would make the published totals of dense decks impossible, so it is reported only.
    "paper-text": AestheticsParameters(
        harmony_sigma_deg=0.01,
        harmony_scale=1.0,
        harmony_mean_weight=5.0,
        harmony_spread_weight=30.0,
        rmssd_half_width=0.2,
    ),
    # Defaults reported for the reference's code when it runs without its configuration file. What is not
    # known of them is as in "benchmark".
    "code-defaults": AestheticsParameters(
        usability_scale=20.0,
        pacing_centre=8.0,
        pacing_width=5.0,
        harmony_scale=0.5,
        harmony_mean_weight=100.0,
        harmony_spread_weight=100.0,
        harmony_sigma_deg=0.05,
        rmssd_target=0.25,
        rmssd_half_width=0.25,
        sigmoid_centre=5.5,
    ),
}
"""Name of a preset → its parameters."""


def preset(name: str) -> AestheticsParameters:
    """Return the parameters of a preset.

    Raises:
        BadInput: if there is no preset of that name.
    """
    if name not in PRESETS:
        raise BadInput(f"There is no preset called {name!r}.", next_step=f"Choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]
