"""The slides of a deck file as Markdown: exact words, tables as tables, the data of native charts; no notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from studio.decks.limits import Limits
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.sniff import sniff
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.structure.shape_tree import read_structure
from studio.model.quiz import SlideText
from studio.model.structure import Chart, Shape, ShapeKind, SlideStructure

_TITLES = frozenset({"title", "ctrTitle"})
_SKIPPED = frozenset({"sldNum", "dt", "ftr", "hdr"})


def office_markdown(path: Path, *, password: str | None = None, limits: Limits | None = None) -> tuple[SlideText, ...]:
    """Return the visible slides of a PowerPoint file as Markdown.

    Slide numbers, dates and footers are left out, as are alternative texts, which nobody sees.

    Raises:
        DeckUnreadable: if the file cannot be read, or is none of PowerPoint's.
        ValueError: for a file of another format.
    """
    limits = limits or Limits()
    if is_encrypted_office(path):
        with decrypted(path, password) as plain:
            return office_markdown(plain, limits=limits)
    format = sniff(path, limits=limits).deck_format
    if format is None or format not in OFFICE_FORMATS:
        raise ValueError(f"{path.name} is no PowerPoint file")
    deck = read_structure(path, format, limits)
    return tuple(
        SlideText(number=slide.number, markdown="\n".join(_slide(slide)))
        for slide in deck.slides
        if not slide.is_hidden and slide.is_readable
    )


def text_markdown(number: int, text: str) -> SlideText:
    """Return a slide of which only lines are known; the first one is taken for its title."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if not lines:
        return SlideText(number=number, markdown="")
    return SlideText(number=number, markdown="\n".join([f"# {lines[0]}", *(_as_row(line) for line in lines[1:])]))


def chart_table(chart: Chart) -> list[str]:
    """Return a native chart's data as a table: one row for each category, one column for each series."""
    series = [each for each in chart.series if any(value is not None for value in each.values)]
    if not series:
        return []
    is_percent = any("%" in axis.number_format for axis in chart.axes if axis.kind == "value")
    categories = max((each.categories for each in series), key=len)
    length = max(len(categories), *(len(each.values) for each in series))
    title = " ".join(chart.title.split())
    lines = [f"**{title}**"] if title else []
    lines += table([["", *(each.name or title for each in series)]] + [
        [
            categories[place] if place < len(categories) else str(place + 1),
            *(_number(each.values[place], is_percent) if place < len(each.values) else "" for each in series),
        ]
        for place in range(length)
    ])  # fmt: skip
    return lines


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as a Markdown table, the first one its head."""
    width = max((len(row) for row in rows), default=0)
    if not width:
        return []
    head, *body = [[*(_cell(cell) for cell in row), *[""] * (width - len(row))] for row in rows]
    return [_row(head), "|" + "---|" * width, *map(_row, body)]


def _slide(slide: SlideStructure) -> Iterator[str]:
    if slide.title:
        yield f"# {slide.title}"
    for shape in slide.walk():
        if shape.is_hidden or shape.placeholder in _SKIPPED:
            continue
        if shape.placeholder in _TITLES and " ".join(shape.text.split()) == slide.title:
            continue
        yield from _shape(shape)


def _shape(shape: Shape) -> Iterator[str]:
    if shape.kind is ShapeKind.TABLE and shape.table_cells:
        yield ""
        yield from table(shape.table_cells)
        yield ""
    elif shape.chart is not None:
        yield ""
        yield from chart_table(shape.chart)
        yield ""
    elif shape.smartart is not None:
        yield from (f"- {_line(text)}" for text in shape.smartart.texts if text.strip())
    else:
        for paragraph in shape.paragraphs:
            words = _line("".join(run.text for run in paragraph.runs if not run.is_field))
            if words:
                yield f"{'  ' * paragraph.level}- {words}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _as_row(line: str) -> str:
    return f"- {line.lstrip('-*•· ')}" if line.lstrip("-*•· ") else line


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")


def _number(value: float | None, is_percent: bool) -> str:
    if value is None:
        return ""
    return f"{value * 100:.8g} %" if is_percent else f"{value:.10g}"
