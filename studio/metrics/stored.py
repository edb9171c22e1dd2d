"""What was measured on a slide, brought back from the JSON that stands beside its score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.errors import BadInput
from studio.metrics.colourfulness import Colourfulness
from studio.metrics.contrast import RegionContrast
from studio.metrics.cues import SlideCues
from studio.metrics.entropy import SubbandEntropy
from studio.metrics.harmony import Harmony
from studio.metrics.slides import SlideMeasures


def slide_measures(detail: Mapping[str, Any]) -> SlideMeasures:
    """Return the measures of a slide from the detail of its stored score.

    Raises:
        BadInput: if the detail is of an older version that lacks something, or was not made by the studio.
    """
    try:
        return SlideMeasures(
            width_px=detail["width_px"],
            height_px=detail["height_px"],
            colour=Colourfulness(**detail["colour"]),
            harmony=Harmony(**{**detail["harmony"], "hue_weights": tuple(detail["harmony"]["hue_weights"])}),
            regions=tuple(RegionContrast(**{**each, "box_px": tuple(each["box_px"])}) for each in detail["regions"]),
            contrast_mean=detail["contrast_mean"],
            contrast_min=detail["contrast_min"],
            contrast_max=detail["contrast_max"],
            entropy=None if detail["entropy"] is None else _entropy(detail["entropy"]),
            cues=SlideCues(**detail["cues"]),
            flags=tuple(detail["flags"]),
            seconds=dict(detail["seconds"]),
        )
    except (KeyError, TypeError) as error:
        raise BadInput(
            "The stored measures are of an older version of the metrics.", next_step="Run the metrics again."
        ) from error


def _entropy(stored: Mapping[str, Any]) -> SubbandEntropy:
    lightness, green_red, blue_yellow = (tuple(bands) for bands in stored["bands"])
    return SubbandEntropy(
        value=stored["value"],
        channels=tuple(stored["channels"]),
        channel_totals=tuple(stored["channel_totals"]),
        bands=(lightness, green_red, blue_yellow),
    )
