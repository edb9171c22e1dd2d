"""What a PowerPoint file says of its slides, as evidence for rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from studio.model.deck_evidence import (
    SLIDE_HEIGHT_PT,
    SeenChart,
    SeenPicture,
    SeenShape,
    SlideEvidence,
    TextPiece,
    TextRole,
)
from studio.model.structure import Box, DeckStructure, Paragraph, Picture, Shape, ShapeKind, SlideStructure

_EMU_PER_PT = 12_700
_TITLES = frozenset({"title", "ctrTitle"})
_FOOTERS = frozenset({"ftr", "dt", "sldNum", "hdr"})
_WHOLE_SLIDE = 0.85
"""From this share on, a picture is the slide itself where nothing else stands on it."""
CODE_FONTS = ("mono", "courier", "consolas", "menlo", "monaco", "fira code", "source code", "cascadia", "inconsolata")


def office_slides(deck: DeckStructure) -> tuple[SlideEvidence, ...]:
    """Return the slides of a PowerPoint file, not yet drawn."""
    height_pt = deck.slide_size_emu[1] / _EMU_PER_PT
    scale = SLIDE_HEIGHT_PT / height_pt
    names = {layout.part: layout.name for layout in deck.layouts}
    return tuple(_slide(slide, scale, names.get(slide.layout, "")) for slide in deck.slides)


def _slide(slide: SlideStructure, scale: float, layout: str) -> SlideEvidence:
    seen = list(_seen(slide.shapes))
    shapes: list[SeenShape] = []
    pieces: list[TextPiece] = []
    pictures: list[SeenPicture] = []
    charts: list[SeenChart] = []
    for block, (shape, group) in enumerate(seen):
        role = _role(shape)
        pieces += _pieces(shape, role, block, scale)
        if shape.chart is not None:
            charts.append(SeenChart(chart=shape.chart, box=shape.box))
        if shape.picture is not None and shape.box is not None and shape.media is None:
            pictures.append(_picture(shape.picture, shape.box, shape.name, shape.rotation_deg))
        if shape.box is not None:
            shapes.append(
                SeenShape(
                    name=shape.name, kind=shape.kind, box=shape.box, text=shape.text, is_drawn=shape.is_drawn,
                    group=group, rotation_deg=shape.rotation_deg, wraps=shape.wraps, fit=shape.fit, role=role,
                    block=block,
                )
            )  # fmt: skip
    whole = [shape.picture for shape, _ in seen if shape.picture is not None] + [slide.background_picture]
    has_words = any(piece.role is not TextRole.FOOTER for piece in pieces)
    others = [shape for shape, _ in seen if shape.kind in {ShapeKind.CHART, ShapeKind.TABLE, ShapeKind.SMARTART}]
    return SlideEvidence(
        number=slide.number, is_hidden=slide.is_hidden, is_readable=slide.is_readable, title=slide.title,
        pieces=tuple(pieces), shapes=tuple(shapes), pictures=tuple(pictures), charts=tuple(charts), layout=layout,
        is_picture=not has_words and not others
        and any(picture is not None and picture.coverage >= _WHOLE_SLIDE for picture in whole),
    )  # fmt: skip


def _seen(shapes: tuple[Shape, ...], group: str = "") -> Iterator[tuple[Shape, str]]:
    """Yield the shapes that can be seen, groups resolved, each with the outermost group around it."""
    for shape in shapes:
        if shape.is_hidden:
            continue
        if shape.kind is ShapeKind.GROUP:
            yield from _seen(shape.children, group or shape.id or shape.name or "group")
        elif shape.placeholder is None or not _is_empty_holder(shape):
            yield shape, group


def _is_empty_holder(shape: Shape) -> bool:
    """Say whether a shape is a placeholder that nobody filled: it shows on no slide."""
    is_filled = shape.picture or shape.chart or shape.smartart or shape.media or shape.table_size
    return not is_filled and shape.kind not in {ShapeKind.OLE, ShapeKind.OTHER} and not shape.text.strip()


def _role(shape: Shape) -> TextRole:
    if shape.placeholder in _TITLES:
        return TextRole.TITLE
    if shape.placeholder in _FOOTERS:
        return TextRole.FOOTER
    return TextRole.TABLE if shape.kind is ShapeKind.TABLE else TextRole.BODY


def _pieces(shape: Shape, role: TextRole, block: int, scale: float) -> Iterator[TextPiece]:
    if shape.smartart is not None:
        for text in shape.smartart.texts:
            yield TextPiece(text=text, box=shape.box, role=role, block=block)
    for paragraph in shape.paragraphs:
        if not paragraph.text.strip():
            continue
        # A text box that holds the slide's number alone is a footer, whatever it was made from.
        is_field = all(run.is_field or not run.text.strip() for run in paragraph.runs)
        size = _size(paragraph)
        yield TextPiece(
            text=paragraph.text, box=shape.box, role=TextRole.FOOTER if is_field else role,
            size_pt=round(size * scale, 2) if size is not None else None,
            is_bullet=paragraph.has_bullet, level=paragraph.level, is_code=_is_code(paragraph), block=block,
        )  # fmt: skip


def _size(paragraph: Paragraph) -> float | None:
    letters: Counter[float] = Counter()
    for run in paragraph.runs:
        if run.shown_pt is not None:
            letters[run.shown_pt] += len("".join(run.text.split()))
    return max(letters, key=lambda size: letters[size]) if letters else None


def _is_code(paragraph: Paragraph) -> bool:
    runs = [run for run in paragraph.runs if run.text.strip()]
    return bool(runs) and all(any(name in run.font.lower() for name in CODE_FONTS) for run in runs)


def _picture(picture: Picture, box: Box, name: str, rotation_deg: float) -> SeenPicture:
    size = picture.size_px
    if size is not None:
        left, top, right, bottom = picture.crop
        size = (max(1, round(size[0] * (1 - left - right))), max(1, round(size[1] * (1 - top - bottom))))
        if 45 <= rotation_deg % 180 < 135:
            size = size[::-1]
    return SeenPicture(box=box, size_px=size, is_vector=bool(picture.svg_part) or size is None, name=name)
