"""Paragraphs that were cut into one box for each line, as converters from pictures and PDF leave them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.metrics.editability.rules import EditabilityRules
from studio.model.structure import Shape, ShapeKind, SlideStructure

_EMU_PER_PT = 12_700
_INSETS_PT = 14.4
"""Left and right inset of a text box together, unless the file says otherwise."""
_MIN_PITCH = 0.5
"""Smallest distance of two lines, in letter sizes; closer boxes lie on top of each other."""
_ROOM = 1.3
"""How much longer than its box an estimated line may be before it is taken to wrap; letters differ in width."""


@dataclass(frozen=True, kw_only=True)
class _Line:
    shape: Shape
    left: float
    """Share of the slide's width."""
    top_pt: float
    size_pt: float


def fragment_runs(
    slide: SlideStructure, slide_size_emu: tuple[int, int], rules: EditabilityRules
) -> list[tuple[Shape, ...]]:
    """Return the cut paragraphs of a slide, each as its boxes from top to bottom.

    Boxes belong together that hold one line each, start at the same left edge, have letters of one size, and
    follow each other at one distance that is no larger than lines of a paragraph have.

    Args:
        slide: its shapes; titles and other placeholders are left out.
        slide_size_emu: width and height.
        rules: tolerances.
    """
    lines = sorted(_lines(slide, slide_size_emu, rules), key=lambda line: line.top_pt)
    runs: list[tuple[Shape, ...]] = []
    used: set[int] = set()
    for index in range(len(lines)):
        if index in used:
            continue
        chain = _chain(index, lines, used, rules)
        if len(chain) >= rules.min_fragment_lines:
            used.update(chain)
            runs.append(tuple(lines[each].shape for each in chain))
    return runs


def _chain(start: int, lines: Sequence[_Line], used: set[int], rules: EditabilityRules) -> list[int]:
    chain = [start]
    pitch: float | None = None
    for index in range(start + 1, len(lines)):
        if index in used:
            continue
        last, line = lines[chain[-1]], lines[index]
        step = line.top_pt - last.top_pt
        limit = rules.max_fragment_pitch * last.size_pt
        if step > limit:
            break
        if step < _MIN_PITCH * last.size_pt or not _is_alike(lines[start], line, rules):
            continue
        if pitch is not None and abs(step - pitch) > rules.fragment_pitch_tolerance * pitch:
            continue
        pitch = pitch or step
        chain.append(index)
    return chain


def _is_alike(a: _Line, b: _Line, rules: EditabilityRules) -> bool:
    return (
        abs(a.left - b.left) <= rules.fragment_left_tolerance
        and abs(a.size_pt - b.size_pt) <= rules.fragment_size_tolerance_pt
    )


def _lines(slide: SlideStructure, size_emu: tuple[int, int], rules: EditabilityRules) -> Iterator[_Line]:
    for shape in slide.walk():
        if shape.box is None or shape.is_hidden or not is_loose_text(shape) or shape.rotation_deg:
            continue
        paragraphs = [paragraph for paragraph in shape.paragraphs if paragraph.text.strip()]
        if len(paragraphs) != 1 or "\n" in paragraphs[0].text.strip():
            continue
        sizes = [run.size_pt for run in paragraphs[0].runs if run.text.strip() and run.size_pt is not None]
        size = max(sizes, default=rules.assumed_size_pt)
        inner_pt = shape.box.width * size_emu[0] / _EMU_PER_PT - _INSETS_PT
        if shape.wraps and _width_em(paragraphs[0].text.strip()) * size > _ROOM * max(inner_pt, size):
            continue
        yield _Line(shape=shape, left=shape.box.x0, top_pt=shape.box.y0 * size_emu[1] / _EMU_PER_PT, size_pt=size)


def is_loose_text(shape: Shape) -> bool:
    """Say whether a shape is nothing but text that lies on the slide: a text box, or a plain undrawn rectangle."""
    if shape.placeholder is not None:
        return False
    is_plain = shape.kind is ShapeKind.AUTOSHAPE and shape.geometry in {"rect", ""} and not shape.is_drawn
    return shape.kind is ShapeKind.TEXT_BOX or is_plain


def _width_em(text: str) -> float:
    """Return about how wide a line is, in letter sizes: half for Latin letters, one for East Asian ones."""
    return sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.5 for letter in text)
