"""What the metrics are told about the text regions of a slide, and what their values say about it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from studio.metrics.slides import PixelBox
from studio.metrics.work import DETECTED_REGIONS, IMPORTED_REGIONS, SlideInput
from studio.model.decks import Slide
from studio.model.regions import PictureRegion, RegionsOrigin, SlideRegions

_FLAGS = {RegionsOrigin.DETECTED: DETECTED_REGIONS, RegionsOrigin.IMPORTED: IMPORTED_REGIONS}


def input_of(slide: Slide, picture: Path, regions: SlideRegions | None) -> SlideInput:
    """Return a slide as the metrics take it: with these regions, else with those of its own file."""
    if regions is not None:
        boxes_px = tuple(pixel_box(region) for region in regions.regions)
        return SlideInput(
            number=slide.number, image_path=str(picture), boxes_px=boxes_px, flags=(_FLAGS[regions.origin],)
        )
    boxes = None
    if slide.boxes is not None:
        boxes = tuple((box.label, box.x0, box.y0, box.x1, box.y1) for box in slide.boxes)
    return SlideInput(number=slide.number, image_path=str(picture), boxes=boxes)


def pixel_box(region: PictureRegion) -> PixelBox:
    """Return a region as the metrics take it; a border inside a pixel takes the whole pixel."""
    return PixelBox(
        label=region.label, x0=math.floor(region.x0), y0=math.floor(region.y0), x1=math.ceil(region.x1),
        y1=math.ceil(region.y1), score=region.score,
    )  # fmt: skip


def shown(regions: Iterable[SlideRegions]) -> list[dict[str, Any]]:
    """Return where the regions came from and for which slides, as JSON values that stand with a value."""
    slides: dict[tuple[str, str], list[int]] = {}
    for each in regions:
        slides.setdefault((each.origin.value, each.source), []).append(each.number)
    return [
        {"origin": origin, "source": source, "slides": sorted(numbers)}
        for (origin, source), numbers in sorted(slides.items())
    ]
