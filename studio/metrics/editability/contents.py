"""What counts as text, as a vector and as a covering picture when a deck's editability is judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.metrics.editability.rules import EditabilityRules
from studio.model.structure import Chart, DeckStructure, Shape, ShapeKind, SlideStructure, SmartArt

_FILLED_IN = frozenset({"sldNum", "dt", "ftr", "hdr"})
"""Placeholders whose text the program writes."""


@dataclass(frozen=True, kw_only=True)
class Located:
    """A shape and the slide it is on."""

    slide: SlideStructure
    shape: Shape


def slides_judged(deck: DeckStructure, rules: EditabilityRules) -> tuple[SlideStructure, ...]:
    """Return the slides to look at: readable, and visible unless the rules count hidden ones."""
    return tuple(
        slide for slide in deck.slides if slide.is_readable and (rules.count_hidden_slides or not slide.is_hidden)
    )


def text_chars(shape: Shape) -> int:
    """Return how many characters other than spaces a shape has that somebody wrote; 0 for a hidden one."""
    if shape.is_hidden or shape.placeholder in _FILLED_IN:
        return 0
    if shape.smartart is not None:
        return sum(_solid(text) for text in shape.smartart.texts)
    return sum(_solid(run.text) for paragraph in shape.paragraphs for run in paragraph.runs if not run.is_field)


def _solid(text: str) -> int:
    return sum(not letter.isspace() for letter in text)


def slide_chars(slide: SlideStructure) -> int:
    """Return the written characters of a slide at every depth of grouping."""
    return sum(text_chars(shape) for shape in slide.walk())


def covering_picture(slide: SlideStructure, rules: EditabilityRules) -> Shape | str | None:
    """Return the picture that covers a slide: its shape, or the part of a background picture; None without one."""
    for shape in slide.walk():
        picture = shape.picture
        if picture is None or shape.is_hidden or picture.svg_part or shape.kind is ShapeKind.MEDIA:
            continue
        if picture.coverage >= rules.picture_coverage:
            return shape
    background = slide.background_picture
    if background is not None and not background.svg_part and background.coverage >= rules.picture_coverage:
        return background.part
    return None


def is_picture_only(slide: SlideStructure, rules: EditabilityRules) -> bool:
    """Say whether a slide is a covering picture without a written character."""
    return covering_picture(slide, rules) is not None and slide_chars(slide) == 0


def is_loose_kind(shape: Shape) -> bool:
    """Say whether a shape is a drawn vector that may need a group: an autoshape, freeform, connector or SVG."""
    if shape.is_hidden or shape.placeholder is not None:
        return False
    match shape.kind:
        case ShapeKind.AUTOSHAPE | ShapeKind.FREEFORM:
            return shape.is_drawn
        case ShapeKind.CONNECTOR:
            return True
        case ShapeKind.PICTURE:
            return shape.picture is not None and bool(shape.picture.svg_part)
        case _:
            return False


def is_vector(shape: Shape) -> bool:
    """Say whether a shape stays sharp at any zoom and is more than text; objects in placeholders count."""
    if shape.is_hidden:
        return False
    if shape.kind in {ShapeKind.CHART, ShapeKind.TABLE, ShapeKind.SMARTART}:
        return True
    if shape.kind is ShapeKind.PICTURE and shape.picture is not None and shape.picture.svg_part:
        return True
    return is_loose_kind(shape)


def vectors(slide: SlideStructure) -> tuple[Shape, ...]:
    """Return the vector objects of a slide at every depth of grouping."""
    return tuple(shape for shape in slide.walk() if is_vector(shape))


def groups(slide: SlideStructure) -> tuple[Shape, ...]:
    """Return the groups of a slide that hold at least two shapes."""
    return tuple(shape for shape in slide.walk() if shape.kind is ShapeKind.GROUP and len(shape.children) > 1)


def loose_vectors(slide: SlideStructure) -> tuple[Shape, ...]:
    """Return the drawn vectors of a slide that stand in no group."""
    return tuple(shape for shape in slide.shapes if is_loose_kind(shape))


def charts(slides: tuple[SlideStructure, ...]) -> Iterator[tuple[Located, Chart]]:
    """Yield every native chart and where it is."""
    for slide in slides:
        for shape in slide.walk():
            if shape.chart is not None and not shape.is_hidden:
                yield Located(slide=slide, shape=shape), shape.chart


def smartarts(slides: tuple[SlideStructure, ...]) -> Iterator[tuple[Located, SmartArt]]:
    """Yield every SmartArt whose data can be read and where it is."""
    for slide in slides:
        for shape in slide.walk():
            if shape.smartart is not None and shape.smartart.part and not shape.is_hidden:
                yield Located(slide=slide, shape=shape), shape.smartart


def inherits(deck: DeckStructure, slide: SlideStructure, rules: EditabilityRules) -> str:
    """Return what a slide takes from its layout or master: ``title``, ``background``, ``shapes``, or nothing."""
    layout = deck.layout_of(slide)
    master = deck.master_of(layout) if layout is not None else None
    if layout is None or master is None or not (layout.is_readable and master.is_readable):
        return ""
    if rules.layouts_must_be_mapped and layout.part not in master.maps_layouts:
        return ""
    if slide.title:
        return "title"
    if not slide.has_own_background and (layout.has_background or master.has_background):
        return "background"
    own = layout.own_shapes + (master.own_shapes if layout.shows_master_shapes else 0)
    return "shapes" if slide.shows_master_shapes and own else ""


def inherited_vectors(deck: DeckStructure, slide: SlideStructure) -> int:
    """Return how many vectors a slide shows that stand on its layout and master."""
    layout = deck.layout_of(slide)
    if layout is None or not slide.shows_master_shapes:
        return 0
    master = deck.master_of(layout)
    below = master.vector_shapes if master is not None and layout.shows_master_shapes else 0
    return layout.vector_shapes + below
