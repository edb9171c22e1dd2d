"""Whether pictures have enough pixels for the size at which they are shown."""

from __future__ import annotations

from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import SLIDE_HEIGHT_PT, DeckEvidence, Fact, SeenPicture

_SLIDE_HEIGHT_IN = SLIDE_HEIGHT_PT / 72


@dataclass(frozen=True, kw_only=True)
class ResolutionParameters:
    """How many pixels pictures need."""

    min_dpi: float = parameter(72.0, "Fewest pixels to the inch on a slide 7.5 inches high.", 1.0, 2400.0)
    min_share: float = parameter(0.03, "Pictures that cover less of the slide do not count: icons, logos.", 0.0, 1.0)


def image_resolution(evidence: DeckEvidence, parameters: ResolutionParameters) -> Finding:
    """Yes if every raster picture that counts is shown with at least `min_dpi` pixels to the inch.

    Pixels are those of the picture in the file without what is cropped away; the inch is that of a slide 7.5 inches
    high, of which a full-HD screen shows 144 pixels. The worse of the two directions counts. Vectors, linked pictures,
    pictures that cover less than `min_share` of the slide and pictures of one colour's size (under 5 pixels) do not.
    """
    found: dict[int, float] = {}
    boxes: list[EvidenceBox] = []
    n_pictures = 0
    for slide in evidence.visible:
        for picture in slide.pictures:
            dpi = _dpi(picture, evidence.aspect)
            if dpi is None or picture.box.width * picture.box.height < parameters.min_share:
                continue
            n_pictures += 1
            # Half a pixel of rounding in the file is no lack of pixels.
            if dpi < 0.995 * parameters.min_dpi:
                found[slide.number] = min(dpi, found.get(slide.number, dpi))
                boxes.append(evidence_box(slide.number, picture.box))
    if not n_pictures:
        return not_applicable("The deck has no raster picture of a size that counts.")
    if found:
        least = min(found.values())
        reason = f"Pictures on {slides_named(found)} have as few as {least:.0f} pixels to the inch"
        return no(f"{reason}, below {parameters.min_dpi:g}.", boxes)
    return yes(f"All {n_pictures} pictures have at least {parameters.min_dpi:g} pixels to the inch.")


def _dpi(picture: SeenPicture, aspect: float) -> float | None:
    if picture.is_vector or picture.size_px is None or min(picture.size_px) < 5:
        return None
    width_in = picture.box.width * aspect * _SLIDE_HEIGHT_IN
    height_in = picture.box.height * _SLIDE_HEIGHT_IN
    if width_in <= 0 or height_in <= 0:
        return None
    return min(picture.size_px[0] / width_in, picture.size_px[1] / height_in)


RESOLUTION = Rule(
    name="image_resolution", title="Pictures have enough pixels for their size", judge=image_resolution,
    parameters=ResolutionParameters, needs=frozenset({Fact.SLIDES, Fact.PICTURES}), is_verdict=True,
)  # fmt: skip
