"""Text of a shape: paragraphs and runs with the formats that the file itself states."""

from __future__ import annotations

from collections.abc import Iterator

from studio.decks.structure.package import A, Element
from studio.decks.structure.text_styles import (
    NO_STYLE,
    LevelStyle,
    ListStyle,
    font_scale,
    list_style,
    paragraph_style,
    points,
)
from studio.model.structure import Paragraph, TextRun


def paragraphs_of(body: Element | None, inherited: ListStyle = NO_STYLE) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a text body, empty ones among them; none without a body.

    Args:
        body: the element.
        inherited: what the shape's placeholder, or the file's defaults, say of each indent level.
    """
    if body is None:
        return ()
    styles = list_style(body.find(f"{A}lstStyle"))
    # What a run has "of its own" is what its shape names; what lies further below counts in what is shown only.
    default = styles.level(0).size_pt
    shown = styles.over(inherited)
    scale = font_scale(body)
    return tuple(_paragraph(node, default, shown, scale) for node in body.iterfind(f"{A}p"))


def table_paragraphs(table: Element, inherited: ListStyle = NO_STYLE) -> tuple[Paragraph, ...]:
    """Return the paragraphs of all cells, row by row."""
    cells = table.iterfind(f"{A}tr/{A}tc/{A}txBody")
    return tuple(paragraph for body in cells for paragraph in paragraphs_of(body, inherited))


def table_cells(table: Element) -> tuple[tuple[str, ...], ...]:
    """Return the text of each cell, row by row, paragraphs of a cell joined by spaces."""
    return tuple(
        tuple(
            " ".join(paragraph.text for paragraph in paragraphs_of(cell.find(f"{A}txBody"))).strip()
            for cell in row.iterfind(f"{A}tc")
        )
        for row in table.iterfind(f"{A}tr")
    )


def wraps(body: Element | None) -> bool:
    """Say whether text wraps at the edge of its box, which it does unless the file says otherwise."""
    properties = body.find(f"{A}bodyPr") if body is not None else None
    return properties is None or properties.get("wrap") != "none"


def _paragraph(node: Element, default: float | None, styles: ListStyle, scale: float) -> Paragraph:
    properties = node.find(f"{A}pPr")
    text = properties.get("lvl", "0") if properties is not None else "0"
    level = int(text) if text.isdecimal() else 0
    own = paragraph_style(properties)
    shown: LevelStyle = own.over(styles.level(level))
    size = own.size_pt or styles.size_pt(level)
    return Paragraph(
        runs=tuple(_runs(node, own.size_pt or default, size, scale)), level=level, has_bullet=bool(shown.bullet)
    )


def _runs(node: Element, default: float | None, inherited: float, scale: float) -> Iterator[TextRun]:
    for child in node:
        if child.tag == f"{A}br":
            yield TextRun(text="\n")
        elif child.tag in {f"{A}r", f"{A}fld"}:
            text = "".join(piece.text or "" for piece in child.iterfind(f"{A}t"))
            look = child.find(f"{A}rPr")
            named = points(look)
            latin = look.find(f"{A}latin") if look is not None else None
            yield TextRun(
                text=text, size_pt=named or default, is_field=child.tag == f"{A}fld",
                shown_pt=round((named or inherited) * scale, 2),
                font=str(latin.get("typeface", "")) if latin is not None else "",
            )  # fmt: skip
        elif isinstance(child.tag, str) and child.tag.rpartition("}")[2] in {"m", "AlternateContent"}:
            # Formulas stand in a namespace of their own inside the paragraph.
            text = "".join(piece.text or "" for piece in child.iter("{*}t") if not _is_fallback(piece))
            yield TextRun(text=text, size_pt=default)


def _is_fallback(node: Element) -> bool:
    return any(str(parent.tag).endswith("}Fallback") for parent in node.iterancestors())
