"""Text over text, and objects over objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from studio.checklists.rules.findings import evidence_box, no, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import DeckEvidence, DrawnLine, Fact, SeenShape, SlideEvidence
from studio.model.structure import Box, ShapeKind

_CORE_TOP, _CORE_BOTTOM = 0.3, 0.25
"""Shares of a line's box above its small letters and below their base line: lines set closely overlap there."""
_BACKGROUND = 0.5
"""An object that covers so much of the slide is what others stand on."""
_ENCLOSED = 0.9
"""So much of an object on another one is a label on it, not an accident."""


@dataclass(frozen=True, kw_only=True)
class TextOverlapParameters:
    """How much text may lie on text."""

    min_share: float = parameter(
        0.15, "Share of the smaller line's letters that must be covered for an overlap.", 0.01, 1.0
    )
    min_letters: int = parameter(3, "Lines with fewer letters do not count: marks, exponents, symbols.", 1, 1000)


def text_overlap(evidence: DeckEvidence, parameters: TextOverlapParameters) -> Finding:
    """Yes if on no visible slide two lines of text lie over each other.

    Two upright lines with at least `min_letters` letters and digits each overlap if the space of their small letters
    (the line's box without its upper 30% and lower 25%) shares at least `min_share` of the smaller one. The same
    words in nearly the same place are a shadow or false bold, and no overlap; so are lines of less than half the
    other's size, and lines in the colour of what is behind them.
    """
    found: dict[int, list[tuple[DrawnLine, DrawnLine]]] = {}
    for slide in evidence.visible:
        for one, other in _overlapping(slide, parameters):
            found.setdefault(slide.number, []).append((one, other))
    if not found:
        return yes("No text lies over other text.")
    boxes = [
        evidence_box(number, _union(one.box, other.box)) for number, pairs in found.items() for one, other in pairs
    ]
    one, other = found[min(found)][0]
    where = slides_named(found)
    return no(f"Text lies over text on {where}, such as {quoted(one.text)} and {quoted(other.text)}.", boxes)


def _overlapping(slide: SlideEvidence, parameters: TextOverlapParameters) -> Iterator[tuple[DrawnLine, DrawnLine]]:
    lines = [
        line for line in slide.lines or ()
        if line.is_seen and line.is_upright and line.rgb != line.background_rgb
        and sum(letter.isalnum() for letter in line.text) >= parameters.min_letters
    ]  # fmt: skip
    for one, other in _near_pairs(lines):
        if min(one.size_pt, other.size_pt) < 0.5 * max(one.size_pt, other.size_pt):
            continue
        a, b = _core(one.box), _core(other.box)
        smaller = min(_area(a), _area(b))
        shared = _shared(a, b)
        if shared <= 0 or shared < parameters.min_share * smaller:
            continue
        is_twice = _words(one) in _words(other) or _words(other) in _words(one)
        if not (is_twice and shared >= 0.5 * smaller):
            yield one, other


def _near_pairs(lines: Sequence[DrawnLine]) -> Iterator[tuple[DrawnLine, DrawnLine]]:
    """Yield the pairs of lines that share some height, the upper one first: pages can have thousands of lines."""
    ordered = sorted(lines, key=lambda line: (line.box.y0, line.box.x0))
    for index, one in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if other.box.y0 >= one.box.y1:
                break
            yield one, other


def _words(line: DrawnLine) -> str:
    return "".join(line.text.split()).casefold()


def _core(box: Box) -> Box:
    return Box(x0=box.x0, y0=box.y0 + _CORE_TOP * box.height, x1=box.x1, y1=box.y1 - _CORE_BOTTOM * box.height)


TEXT_OVERLAP = Rule(
    name="text_overlap", title="No text lies over other text", judge=text_overlap, parameters=TextOverlapParameters,
    needs=frozenset({Fact.SLIDES, Fact.PAGES}), is_verdict=True,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ElementOverlapParameters:
    """How much an object may lie on another."""

    min_share: float = parameter(0.1, "Share of the smaller object that must be covered for an overlap.", 0.01, 1.0)


def element_overlap(evidence: DeckEvidence, parameters: ElementOverlapParameters) -> Finding:
    """Yes if on no visible slide a picture, chart, table, diagram or medium partly covers another object.

    Pairs count of which one is a picture, chart, table, diagram, medium or embedded object and the other one of these
    or a shape with text, if the overlap is at least `min_share` and less than 90% of the smaller: what lies wholly on
    another was put there. Members of one group, objects over half of the slide, and pictures under 1% of it are left
    out. Of a shape with text only the lines as drawn count where the pages were drawn. Layouts overlap on purpose
    too, so this only suggests a fault.
    """
    found: dict[int, list[tuple[str, str, Box]]] = {}
    for slide in evidence.visible:
        solid = [shape for shape in slide.shapes if _is_solid(shape)]
        written = [shape for shape in slide.shapes if shape.text.strip() and shape.kind not in _SOLID]
        pairs = list(combinations(solid, 2)) + [(one, other) for one in solid for other in written]
        for one, other in pairs:
            if one.group and one.group == other.group:
                continue
            a, b = _clipped(one.box), _place(other, slide.lines or ())
            if b is None or _area(b) <= 0 or _area(a) <= 0:
                continue
            share = _shared(a, b) / min(_area(a), _area(b))
            if parameters.min_share <= share < _ENCLOSED:
                found.setdefault(slide.number, []).append((_name(one), _name(other), _union(a, b)))
    if not found:
        return yes("No object partly covers another.")
    boxes: list[EvidenceBox] = [
        evidence_box(number, box) for number, marks in found.items() for _, _, box in marks
    ]  # fmt: skip
    one_name, other_name, _ = found[min(found)][0]
    return no(f"Objects overlap on {slides_named(found)}, such as {one_name} and {other_name}.", boxes)


_SOLID = frozenset(
    {ShapeKind.PICTURE, ShapeKind.CHART, ShapeKind.TABLE, ShapeKind.SMARTART, ShapeKind.MEDIA, ShapeKind.OLE}
)


def _is_solid(shape: SeenShape) -> bool:
    return shape.kind in _SOLID and 0.01 <= _area(_clipped(shape.box)) < _BACKGROUND


def _place(shape: SeenShape, lines: Sequence[DrawnLine]) -> Box | None:
    """Return where a shape is; of a shape that is only text, where its lines are."""
    if shape.is_drawn or shape.kind in _SOLID:
        box = _clipped(shape.box)
        return box if _area(box) < _BACKGROUND else None
    words = "".join(shape.text.split()).casefold()
    own = [
        _core(line.box) for line in lines
        if line.is_seen and len(_words(line)) >= 2 and _words(line) in words and _shared(line.box, shape.box) > 0
    ]  # fmt: skip
    if not own:
        return None
    place = own[0]
    for box in own[1:]:
        place = _union(place, box)
    return place


def _name(shape: SeenShape) -> str:
    return quoted(shape.text) if shape.text.strip() and shape.kind not in _SOLID else quoted(shape.name or shape.kind)


def _clipped(box: Box) -> Box:
    return Box(x0=max(0.0, box.x0), y0=max(0.0, box.y0), x1=min(1.0, box.x1), y1=min(1.0, box.y1))


def _area(box: Box) -> float:
    return box.width * box.height if box.width > 0 and box.height > 0 else 0.0


def _shared(a: Box, b: Box) -> float:
    width, height = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    return width * height if width > 0 and height > 0 else 0.0


def _union(a: Box, b: Box) -> Box:
    return Box(x0=min(a.x0, b.x0), y0=min(a.y0, b.y0), x1=max(a.x1, b.x1), y1=max(a.y1, b.y1))


ELEMENT_OVERLAP = Rule(
    name="element_overlap", title="No picture, chart or table covers part of something else", judge=element_overlap,
    parameters=ElementOverlapParameters, needs=frozenset({Fact.SLIDES, Fact.SHAPES}), is_verdict=False,
)  # fmt: skip
