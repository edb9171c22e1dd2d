"""Text of a shape: paragraphs and runs with the formats that the file itself states."""

from __future__ import annotations

from collections.abc import Iterator

from studio.decks.structure.package import A, Element
from studio.model.structure import Paragraph, TextRun


def paragraphs_of(body: Element | None) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a text body, empty ones among them; none without a body."""
    if body is None:
        return ()
    default = _list_size(body)
    return tuple(_paragraph(node, default) for node in body.iterfind(f"{A}p"))


def table_paragraphs(table: Element) -> tuple[Paragraph, ...]:
    """Return the paragraphs of all cells, row by row."""
    return tuple(paragraph for body in table.iterfind(f"{A}tr/{A}tc/{A}txBody") for paragraph in paragraphs_of(body))


def wraps(body: Element | None) -> bool:
    """Say whether text wraps at the edge of its box, which it does unless the file says otherwise."""
    properties = body.find(f"{A}bodyPr") if body is not None else None
    return properties is None or properties.get("wrap") != "none"


def _list_size(body: Element) -> float | None:
    return _size(body.find(f"{A}lstStyle/{A}lvl1pPr/{A}defRPr"))


def _paragraph(node: Element, default: float | None) -> Paragraph:
    properties = node.find(f"{A}pPr")
    level = properties.get("lvl", "0") if properties is not None else "0"
    own = _size(properties.find(f"{A}defRPr")) if properties is not None else None
    return Paragraph(runs=tuple(_runs(node, own or default)), level=int(level) if level.isdecimal() else 0)


def _runs(node: Element, default: float | None) -> Iterator[TextRun]:
    for child in node:
        if child.tag == f"{A}br":
            yield TextRun(text="\n")
        elif child.tag in {f"{A}r", f"{A}fld"}:
            text = "".join(piece.text or "" for piece in child.iterfind(f"{A}t"))
            size = _size(child.find(f"{A}rPr")) or default
            yield TextRun(text=text, size_pt=size, is_field=child.tag == f"{A}fld")
        elif isinstance(child.tag, str) and child.tag.rpartition("}")[2] in {"m", "AlternateContent"}:
            # Formulas stand in a namespace of their own inside the paragraph.
            text = "".join(piece.text or "" for piece in child.iter("{*}t") if not _is_fallback(piece))
            yield TextRun(text=text, size_pt=default)


def _is_fallback(node: Element) -> bool:
    return any(str(parent.tag).endswith("}Fallback") for parent in node.iterancestors())


def _size(properties: Element | None) -> float | None:
    text = properties.get("sz") if properties is not None else None
    return int(text) / 100 if text is not None and text.isdecimal() and int(text) > 0 else None
