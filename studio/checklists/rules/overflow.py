"""Text that leaves its box or its slide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import DeckEvidence, DrawnLine, Fact, SeenShape, SlideEvidence, TextRole
from studio.model.structure import Box, ShapeKind

_EMPTY_TOP, _EMPTY_BOTTOM = 0.15, 0.2
"""Shares of a line's box above its letters and below their base line."""
_ENOUGH_LETTERS = 4
"""Shorter lines are found in too many places."""
_BOXED = frozenset({ShapeKind.TEXT_BOX, ShapeKind.AUTOSHAPE, ShapeKind.FREEFORM})


@dataclass(frozen=True, kw_only=True)
class OverflowParameters:
    """How far text may reach over."""

    slide_tolerance: float = parameter(0.01, "Share of the slide by which text may reach over its edge.", 0.0, 0.5)
    box_tolerance: float = parameter(
        0.5, "Heights of a line by which text may reach over a box that is filled or outlined.", 0.0, 10.0
    )
    undrawn_tolerance: float = parameter(
        2.0, "Heights of a line by which text may reach over a box that cannot be seen; such findings are suggestions.",
        0.0, 50.0,
    )  # fmt: skip


def text_overflow(evidence: DeckEvidence, parameters: OverflowParameters) -> Finding:
    """Yes if on no visible slide text reaches over the slide's edge or over the edge of its own box.

    Looked at are the lines as drawn. Over the slide: the letters of an upright line reach further than
    `slide_tolerance` over an edge, and at least part of their block is on the slide. Over its box (PowerPoint files):
    the lines with a shape's words, of four letters or more, that follow on each other from its box on, reach below or
    above it by more than `box_tolerance` heights of a line; by more than `undrawn_tolerance` where the shape has
    neither fill nor outline, which only suggests a fault since nobody sees that box. Turned shapes and boxes that grow
    with their text are left out. Fonts that the deck asks for but are not there may change the result.
    """
    off: dict[int, list[tuple[str, EvidenceBox]]] = {}
    over: dict[int, list[tuple[str, EvidenceBox]]] = {}
    unseen: dict[int, list[tuple[str, EvidenceBox]]] = {}
    for slide in evidence.visible:
        for line in _off_slide(slide, parameters.slide_tolerance):
            off.setdefault(slide.number, []).append((line.text, evidence_box(slide.number, line.box)))
        for shape, place in _over_boxes(slide, parameters):
            found = over if shape.is_drawn else unseen
            found.setdefault(slide.number, []).append((shape.text, evidence_box(slide.number, place)))
    for found, what in ((off, "runs off the slide"), (over, "does not fit its box"), (unseen, "may not fit its box")):
        if found:
            first = max((text for text, _ in found[min(found)]), key=len)
            boxes = [box for marks in found.values() for _, box in marks]
            text = f"Text {what} on {slides_named(found)}, such as {quoted(first)}."
            return no(text, boxes, is_suggestion=found is unseen)
    return yes("All text stays on its slide and in its box.")


def _off_slide(slide: SlideEvidence, tolerance: float) -> Iterator[DrawnLine]:
    lines = [line for line in slide.lines or () if line.is_seen and line.is_upright]
    for line in lines:
        top, bottom = _letters(line)
        box = line.box
        is_out = box.x0 < -tolerance or box.x1 > 1 + tolerance or top < -tolerance or bottom > 1 + tolerance
        # What lies off the slide altogether was parked there and is never shown.
        if is_out and any(other.block == line.block and _is_on(other.box) for other in lines):
            yield line


def _is_on(box: Box) -> bool:
    return box.x0 < 1 and box.x1 > 0 and box.y0 < 1 and box.y1 > 0


def _letters(line: DrawnLine) -> tuple[float, float]:
    return line.box.y0 + _EMPTY_TOP * line.box.height, line.box.y1 - _EMPTY_BOTTOM * line.box.height


def _over_boxes(slide: SlideEvidence, parameters: OverflowParameters) -> Iterator[tuple[SeenShape, Box]]:
    lines = [line for line in slide.lines or () if line.is_seen and line.is_upright]
    for shape in slide.shapes:
        if (
            shape.kind not in _BOXED or shape.rotation_deg % 360 or shape.fit == "grow" or not shape.text.strip()
            or shape.role is TextRole.FOOTER
        ):  # fmt: skip
            continue
        own = _lines_of(shape, lines, slide)
        if not own:
            continue
        height = sorted(line.box.height for line in own)[len(own) // 2]
        top, bottom = min(_letters(line)[0] for line in own), max(_letters(line)[1] for line in own)
        allowed = (parameters.box_tolerance if shape.is_drawn else parameters.undrawn_tolerance) * height
        if bottom > shape.box.y1 + allowed or top < shape.box.y0 - allowed:
            yield shape, Box(x0=shape.box.x0, y0=min(top, shape.box.y0), x1=shape.box.x1, y1=max(bottom, shape.box.y1))


def _lines_of(shape: SeenShape, lines: list[DrawnLine], slide: SlideEvidence) -> list[DrawnLine]:
    """Return the lines that are a shape's: its words, in its columns, one below the other from its box on."""
    words = _squeezed(shape.text)
    rivals = [(other.box, _squeezed(other.text)) for other in slide.shapes if other is not shape and other.text.strip()]
    found = []
    for line in lines:
        text = _squeezed(line.text)
        middle = (line.box.x0 + line.box.x1) / 2
        is_own = text in words and (len(text) >= _ENOUGH_LETTERS or text == words)
        if not is_own or not shape.box.x0 <= middle <= shape.box.x1:
            continue
        # The same words in another shape of these columns: whose line it is, nobody can tell.
        if not any(text in other and box.x0 <= middle <= box.x1 for box, other in rivals):
            found.append(line)
    return _connected(shape.box, found)


def _connected(box: Box, lines: list[DrawnLine]) -> list[DrawnLine]:
    """Return the lines that touch a box, and those that follow on them without a gap, upwards and downwards."""
    near = [line for line in lines if line.box.y1 > box.y0 and line.box.y0 < box.y1]
    rest = [line for line in lines if line not in near]
    while near:
        top, bottom = min(line.box.y0 for line in near), max(line.box.y1 for line in near)
        more = [
            line
            for line in rest
            if bottom - line.box.height < line.box.y0 < bottom + line.box.height
            or top - line.box.height < line.box.y1 < top + line.box.height
        ]
        if not more:
            break
        near += more
        rest = [line for line in rest if line not in more]
    return near


def _squeezed(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


OVERFLOW = Rule(
    name="text_overflow", title="No text leaves its box or its slide", judge=text_overflow,
    parameters=OverflowParameters, needs=frozenset({Fact.SLIDES, Fact.PAGES}), is_verdict=True,
)  # fmt: skip
