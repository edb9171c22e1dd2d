"""Measuring a deck in a worker process: paths and boxes in, measures out, both picklable."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from studio.errors import BadInput
from studio.metrics.colour import Picture
from studio.metrics.ink import outward_box, tightened
from studio.metrics.parameters import AestheticsParameters
from studio.metrics.pictures import load_picture
from studio.metrics.slides import TEXT_LABELS, PixelBox, SlideMeasures, measure_slide

BOX_WITHOUT_INK = "box_without_ink"
"""Flag: nothing is to be seen in a text region; it counts, with contrast 0."""

DETECTED_REGIONS = "detected_regions"
"""Flag: the slide's text regions were found on its picture by a detector."""
IMPORTED_REGIONS = "imported_regions"
"""Flag: the slide's text regions were brought in by a person."""

PageBox = tuple[str, float, float, float, float]
"""label, x0, y0, x1, y1 as shares 0–1 of the page."""


@dataclass(frozen=True, kw_only=True)
class SlideInput:
    """One slide picture and what is known of its text."""

    number: int
    """Slide number from 1."""
    image_path: str
    boxes: tuple[PageBox, ...] | None = None
    """Regions from the deck's own geometry; None if they are not known, empty if there is no text."""
    boxes_px: tuple[PixelBox, ...] | None = None
    """Regions that came in by a file or were found on the picture, used as they are, never tightened. Not
    together with `boxes`."""
    flags: tuple[str, ...] = ()
    """Rules that applied before the slide was measured; its measures carry them on."""

    def __post_init__(self) -> None:
        if self.boxes is not None and self.boxes_px is not None:
            raise ValueError("regions come from the deck's geometry or from a file, not from both")


@dataclass(frozen=True, kw_only=True)
class MeasureTask:
    """The slides of one deck to measure."""

    slides: tuple[SlideInput, ...]
    parameters: AestheticsParameters
    tighten: bool = True
    """Draw `SlideInput.boxes` tight around their ink first."""


@dataclass(frozen=True, kw_only=True)
class DeckMeasures:
    """What was measured on the slides of one deck."""

    slides: tuple[SlideMeasures, ...]
    numbers: tuple[int, ...]
    """Number of each slide, from 1."""


def one_thread() -> None:
    """Keep this process to one thread of computation; for use as a pool's initializer.

    A pool has one process per core already. Nothing in the metrics calls BLAS, and the FFTs are asked for
    one worker each, so OpenCV is what is left; the variables are for libraries that load later.
    """
    cv2.setNumThreads(1)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"


def measure_deck(task: MeasureTask) -> DeckMeasures:
    """Return the measures of a deck's slides, in the order of the task.

    Raises:
        BadInput: if there is no slide or a picture cannot be used; it names the slide.
    """
    if not task.slides:
        raise BadInput("The deck has no slides to measure.", next_step="Check that its pictures were made.")
    one_thread()
    return DeckMeasures(
        slides=tuple(_measured(slide, task) for slide in task.slides),
        numbers=tuple(slide.number for slide in task.slides),
    )


def _measured(slide: SlideInput, task: MeasureTask) -> SlideMeasures:
    try:
        rgb = load_picture(Path(slide.image_path))
    except BadInput as error:
        raise BadInput(f"Slide {slide.number}: {error.message}", next_step=error.next_step) from error
    boxes, without_ink = _pixel_boxes(slide, rgb, tighten=task.tighten)
    measures = measure_slide(rgb, boxes, task.parameters)
    flags = (*measures.flags, *slide.flags, *((BOX_WITHOUT_INK,) if without_ink else ()))
    return replace(measures, flags=flags) if flags != measures.flags else measures


def _pixel_boxes(slide: SlideInput, rgb: Picture, *, tighten: bool) -> tuple[tuple[PixelBox, ...] | None, bool]:
    """Return the slide's boxes in pixels, and whether one of them was looked through for ink in vain."""
    if slide.boxes is None:
        return slide.boxes_px, False
    height, width = rgb.shape[:2]
    boxes: list[PixelBox] = []
    without_ink = False
    for label, *shares in slide.boxes:
        box = outward_box(label, (shares[0], shares[1], shares[2], shares[3]), width, height)
        if tighten and label in TEXT_LABELS:
            box, has_ink = tightened(rgb, box)
            without_ink = without_ink or not has_ink
        boxes.append(box)
    return tuple(boxes), without_ink
