"""Everything that the aesthetics scores need to know about one slide picture."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from studio.metrics.colour import Picture, checked_picture, lab_planes
from studio.metrics.colourfulness import Colourfulness, colourfulness
from studio.metrics.contrast import GRID, RegionContrast, grid_contrast, region_contrast
from studio.metrics.cues import SlideCues, slide_cues
from studio.metrics.entropy import SubbandEntropy, is_large_enough, subband_entropy
from studio.metrics.harmony import Harmony, harmony
from studio.metrics.parameters import AestheticsParameters

TEXT_LABELS = frozenset(
    {
        "text",
        "doc_title",
        "paragraph_title",
        "abstract",
        "content",
        "aside_text",
        "header",
        "footer",
        "number",
        "footnote",
        "reference",
        "figure_title",
    }
)
"""Labels of PP-DocLayout_plus-L that name text whose contrast a reader depends on."""
OTHER_LABELS = frozenset(
    {
        "table",
        "chart",
        "image",
        "formula",
        "formula_number",
        "seal",
        "algorithm",
        "header_image",
        "footer_image",
        "reference_content",
    }
)
"""Labels of the same family of models that do not count: no running text, or text that a `reference` box
holds already."""

NO_REGIONS = "no_regions"
"""Flag: nobody said where the slide's text is."""
NO_TEXT = "no_text"
"""Flag: the slide has no text region."""
ACHROMATIC = "achromatic"
"""Flag: no pixel is saturated enough to have a hue; harmony is perfect by definition."""
BOX_CLIPPED = "box_clipped"
"""Flag: a text region reaches over the edge of the picture; what lies inside was measured."""
BOX_OUTSIDE = "box_outside"
"""Flag: a text region lies outside the picture and was left out."""
BOX_EMPTY = "box_empty"
"""Flag: a text region has no area and was left out."""
UNKNOWN_LABEL = "unknown_label"
"""Flag: a region's label is neither a known text label nor a known other one; it was left out."""
TOO_SMALL = "too_small"
"""Flag: the picture is too small for subband entropy."""
GRID_FALLBACK = "grid_fallback"
"""Flag: contrast comes from a 4×4 grid, as asked for, and not from text."""

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class PixelBox:
    """A region of a slide picture, in pixels; x1 and y1 lie just outside."""

    label: str
    x0: int
    y0: int
    x1: int
    y1: int
    score: float = 1.0
    """How sure a detector was, 0–1; 1 for geometry that is known."""


@dataclass(frozen=True, kw_only=True)
class SlideMeasures:
    """What was measured on one slide picture."""

    width_px: int
    height_px: int
    colour: Colourfulness
    harmony: Harmony
    regions: tuple[RegionContrast, ...]
    """Text regions in the order of the boxes."""
    contrast_mean: float | None
    """Mean of the regions' scores, 0–1; None without text regions."""
    contrast_min: float | None
    contrast_max: float | None
    entropy: SubbandEntropy | None
    """None for a picture that is too small."""
    cues: SlideCues
    flags: tuple[str, ...] = ()
    """Rules that applied to this slide."""
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    """Wall time of lab (the shared colour conversion), harmony, colourfulness, contrast, entropy and cues."""

    @property
    def colourfulness(self) -> float:
        """Colourfulness; 0 for grey."""
        return self.colour.value

    @property
    def distance_deg(self) -> float:
        """Hue distance to the best harmonic template, in degrees."""
        return self.harmony.distance_deg

    @property
    def best_template(self) -> str | None:
        """Name of the best harmonic template; None for an achromatic slide."""
        return self.harmony.best_template

    @property
    def best_rotation_deg(self) -> int | None:
        """Rotation of the best harmonic template, 0–359."""
        return self.harmony.best_rotation_deg

    @property
    def template_distances(self) -> dict[str, float]:
        """Distance in degrees to each template at its best rotation."""
        return self.harmony.template_distances_deg

    @property
    def is_achromatic(self) -> bool:
        """True if no pixel is saturated enough to have a hue."""
        return self.harmony.is_achromatic

    @property
    def subband_entropy(self) -> float | None:
        """Subband entropy in bits; None for a picture that is too small."""
        return None if self.entropy is None else self.entropy.value

    @property
    def channel_entropies(self) -> tuple[float, float, float] | None:
        """Mean band entropy of L, a and b."""
        return None if self.entropy is None else self.entropy.channels

    @property
    def channel_totals(self) -> tuple[float, float, float] | None:
        """Sum of the band entropies of L, a and b."""
        return None if self.entropy is None else self.entropy.channel_totals


def measure_slide(rgb: Picture, boxes: Sequence[PixelBox] | None, parameters: AestheticsParameters) -> SlideMeasures:
    """Return what the aesthetics scores need to know about one slide.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255.
        boxes: where the slide's parts are, used as they are; those with a text label count. None if nobody
            knows (flag ``no_regions``), empty if there is no text (flag ``no_text``).
        parameters: only its options matter here; the weights come in with the deck.

    Raises:
        BadInput: if `rgb` is no 8-bit RGB picture.
    """
    rgb = checked_picture(rgb)
    height, width = rgb.shape[:2]
    seconds: dict[str, float] = {}
    flags: list[str] = []

    hues = _timed(seconds, "harmony", lambda: harmony(rgb, parameters.min_saturation))
    if hues.is_achromatic:
        flags.append(ACHROMATIC)
    colour = _timed(seconds, "colourfulness", lambda: colourfulness(rgb))
    lab = _timed(seconds, "lab", lambda: lab_planes(rgb))
    entropy = None
    if is_large_enough(height, width):
        entropy = _timed(seconds, "entropy", lambda: subband_entropy(rgb, lab))
    else:
        flags.append(TOO_SMALL)

    text, box_flags = _text_boxes(boxes, width, height)
    flags += box_flags
    regions = _timed(seconds, "contrast", lambda: tuple(region_contrast(rgb, box, label) for label, box in text))
    mean, smallest, largest = _summary([region.score for region in regions])
    if not regions and parameters.grid_fallback and min(height, width) >= GRID:
        mean, smallest, largest = grid_contrast(rgb)
        flags.append(GRID_FALLBACK)
    known = None if boxes is None else [box for _, box in text]
    cues = _timed(seconds, "cues", lambda: slide_cues(rgb, lab, known))
    return SlideMeasures(
        width_px=width,
        height_px=height,
        colour=colour,
        harmony=hues,
        regions=regions,
        contrast_mean=mean,
        contrast_min=smallest,
        contrast_max=largest,
        entropy=entropy,
        cues=cues,
        flags=tuple(flags),
        seconds=seconds,
    )


def _text_boxes(
    boxes: Sequence[PixelBox] | None, width: int, height: int
) -> tuple[list[tuple[str, tuple[int, int, int, int]]], list[str]]:
    """Return the text regions inside the picture, and the flags that say what became of the others."""
    if boxes is None:
        return [], [NO_REGIONS]
    kept: list[tuple[str, tuple[int, int, int, int]]] = []
    flags: dict[str, None] = {}
    for box in boxes:
        if box.label not in TEXT_LABELS:
            if box.label not in OTHER_LABELS:
                flags[UNKNOWN_LABEL] = None
            continue
        if box.x1 <= box.x0 or box.y1 <= box.y0:
            flags[BOX_EMPTY] = None
            continue
        x0, y0, x1, y1 = max(box.x0, 0), max(box.y0, 0), min(box.x1, width), min(box.y1, height)
        if x1 <= x0 or y1 <= y0:
            flags[BOX_OUTSIDE] = None
            continue
        if (x0, y0, x1, y1) != (box.x0, box.y0, box.x1, box.y1):
            flags[BOX_CLIPPED] = None
        kept.append((box.label, (x0, y0, x1, y1)))
    if not kept:
        flags[NO_TEXT] = None
    return kept, list(flags)


def _summary(scores: list[float]) -> tuple[float | None, float | None, float | None]:
    """Return mean, minimum and maximum, or three times None if there is nothing."""
    if not scores:
        return None, None, None
    return math.fsum(scores) / len(scores), min(scores), max(scores)


def _timed(seconds: dict[str, float], name: str, work: Callable[[], _T]) -> _T:
    """Return what `work` returns and note how long it took."""
    start = time.perf_counter()
    result = work()
    seconds[name] = time.perf_counter() - start
    return result
