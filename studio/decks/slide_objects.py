"""A deck file as slide objects: title, words and images of each slide that is shown (REFLEX, section 3.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from studio.decks.archive import opened_zip, read_member
from studio.decks.limits import Limits
from studio.decks.mupdf import page_texts
from studio.decks.sniff import sniff
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.structure.odp import odp_slide_texts
from studio.decks.structure.pptx import SlideText, slide_texts
from studio.decks.structure.shape_tree import read_structure
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat, FailureKind
from studio.model.reflex import SlideImage, SlideObject
from studio.model.structure import Box, Shape, ShapeKind, SlideStructure

_READ_S = 120.0
_LEAST_AREA = 0.02
"""Smaller pictures are marks, not what a slide shows."""
_EVERYWHERE = 0.5
"""An image on more than this share of the slides is a logo."""


def read_slide_objects(path: Path, *, limits: Limits | None = None) -> tuple[SlideObject, ...]:
    """Return the visible slides of a deck as objects, without rendering anything.

    Title: the title placeholder, otherwise the first line. Caption of an image: its alternative text, otherwise the
    nearest text box; of a chart its title. Image descriptions are empty: they need a model.

    Raises:
        DeckUnreadable: as `sniff`; kind ``unreadable`` for formats whose words need rendering (HTML, images, .ppt).
    """
    limits = limits or Limits()
    format = sniff(path, limits=limits).deck_format
    if format in OFFICE_FORMATS:
        assert format is not None
        images = _office_images(path, format, limits)
        return _objects(slide_texts(path, limits), "pptx", images)
    if format is DeckFormat.ODP:
        return _objects(odp_slide_texts(path, limits), "odp", {})
    if format is DeckFormat.PDF:
        texts = in_worker(page_texts, str(path), None, timeout_s=_READ_S)
        return tuple(from_text(number, text, source="pdf") for number, text in enumerate(texts, start=1))
    raise DeckUnreadable(
        FailureKind.UNREADABLE,
        f"{path.name} holds no words that can be read without rendering it.",
        next_step="Import it into a project, or save it as .pptx or .pdf.",
    )


def from_text(number: int, text: str, *, notes: str = "", source: str = "") -> SlideObject:
    """Return a slide of which only the words are known: the first line is the title."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    title = lines[0] if lines else ""
    return SlideObject(number=number, title=title, body="\n".join(lines[1:]), notes=notes, source=source)


def _objects(
    texts: Sequence[SlideText], source: str, images: dict[int, tuple[SlideImage, ...]]
) -> tuple[SlideObject, ...]:
    made = []
    for each in texts:
        if each.is_hidden:
            continue
        bare = from_text(each.number, each.text, notes=each.notes, source=source)
        title, body = bare.title, bare.body
        if each.title.strip():
            title = " ".join(each.title.split())
            lines = [line.strip() for line in each.text.splitlines() if line.strip()]
            named = {line.strip() for line in each.title.splitlines()} | {title}
            body = "\n".join(line for line in lines if line not in named)
        made.append(SlideObject(number=each.number, title=title, body=body, notes=each.notes, source=source,
                                images=images.get(each.number, ())))  # fmt: skip
    return tuple(made)


def _office_images(path: Path, format: DeckFormat, limits: Limits) -> dict[int, tuple[SlideImage, ...]]:
    structure = read_structure(path, format, limits)
    with opened_zip(path, limits) as archive:
        names = set(archive.namelist())
        digests: dict[str, str] = {}

        def digest(part: str) -> str:
            if part not in digests:
                data = read_member(archive, part, limits.max_part_bytes) if part in names else part.encode()
                digests[part] = hashlib.sha256(data).hexdigest()[:16]
            return digests[part]

        found = {slide.number: list(_slide_images(slide, digest)) for slide in structure.slides if not slide.is_hidden}
    spread: dict[str, int] = {}
    for images in found.values():
        for each in {image.id for image in images}:
            spread[each] = spread.get(each, 0) + 1
    most = max(2.0, _EVERYWHERE * len(found))
    return {number: tuple(each for each in images if spread[each.id] <= most) for number, images in found.items()}


def _slide_images(slide: SlideStructure, digest: Callable[[str], str]) -> Iterable[SlideImage]:
    shapes = [shape for top in slide.shapes for shape in top.walk() if not shape.is_hidden]
    texts = [shape for shape in shapes if shape.kind in {ShapeKind.TEXT_BOX, ShapeKind.AUTOSHAPE}
             and shape.box and shape.text.strip() and shape.placeholder not in {"title", "ctrTitle"}]  # fmt: skip
    for shape in shapes:
        if shape.kind is ShapeKind.PICTURE and shape.picture and shape.picture.part and not shape.picture.is_broken:
            if shape.box is not None and shape.box.width * shape.box.height < _LEAST_AREA:
                continue
            caption = shape.description.strip() or _nearest(shape, texts)
            yield SlideImage(id=digest(shape.picture.part), caption=caption)
        elif shape.kind is ShapeKind.CHART and shape.chart is not None and shape.chart.part:
            words = " ".join([shape.chart.title, *(series.name for series in shape.chart.series)]).strip()
            yield SlideImage(id=digest(shape.chart.part), caption=words or shape.description)


def _nearest(shape: Shape, texts: Sequence[Shape]) -> str:
    if shape.box is None:
        return ""
    near = [(_gap(shape.box, text.box), text.text) for text in texts if text.box]
    gap, words = min(near, default=(1.0, ""), key=lambda each: each[0])
    return " ".join(words.split()) if gap < 0.08 else ""


def _gap(one: Box, other: Box) -> float:
    across = max(one.x0 - other.x1, other.x0 - one.x1, 0.0)
    down = max(one.y0 - other.y1, other.y0 - one.y1, 0.0)
    return float((across**2 + down**2) ** 0.5)
