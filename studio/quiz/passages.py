"""The passages of a deck's Markdown: what stands together on a slide, with what it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.model.quiz import SlideText
from studio.quiz.sentences import sentences
from studio.quiz.values import quantities_in
from studio.quiz.words import content_words
from studio.texts.folded_text import Folded
from studio.texts.quantities import Quantity
from studio.texts.units import meanings

_SLIDE = re.compile(r"^#{1,3}\s*(?:slide|page|第)\s*(\d+)\s*(?:页|張|张)?\s*[:：.\-–—]?\s*(.*)$", re.IGNORECASE)
_RULE = re.compile(r"^\|?[\s:|-]+\|?$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_MARKS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_UNIT_IN_HEAD = re.compile(r"[(（\[]\s*(?:in\s+)?([^()（）\[\]]{1,16}?)\s*[)）\]]\s*$|,\s*(%|[^\W\d]{1,4})\s*$")


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A line, a sentence, a row of a table or a point of a chart."""

    slide: int
    text: str
    """As shown to people."""
    words: frozenset[str]
    context: frozenset[str]
    """Words of its slide's title, and of the lines before and behind it."""
    folded: Folded
    quantities: tuple[Quantity, ...]
    near: tuple[Quantity, ...] = ()
    """Quantities of its context: the title, the lines around it, the heads of its row and column."""


def split_slides(markdown: str) -> list[SlideText]:
    """Return the slides of a deck's Markdown, which begin with headings such as ``# Slide 3: Title``.

    What stands before the first such heading belongs to slide 1.
    """
    slides: list[tuple[int, list[str]]] = []
    for line in markdown.splitlines():
        head = _SLIDE.match(line.strip())
        if head is not None:
            slides.append((int(head[1]), [f"# {head[2].strip()}"] if head[2].strip() else []))
        elif slides:
            slides[-1][1].append(line)
        elif line.strip():
            slides.append((1, [line]))
    return [SlideText(number=number, markdown="\n".join(lines).rstrip()) for number, lines in slides]


def joined(slides: Sequence[SlideText]) -> str:
    """Return the Markdown of a deck; `split_slides` takes it apart again."""
    parts = []
    for slide in slides:
        first, _, rest = slide.markdown.partition("\n")
        if first.startswith("# "):
            parts.append(f"# Slide {slide.number}: {first[2:].strip()}\n{rest}".rstrip())
        else:
            parts.append(f"# Slide {slide.number}\n{slide.markdown}".rstrip())
    return "\n\n".join(parts)


def passages_of(slides: Sequence[SlideText]) -> list[Passage]:
    """Return the passages of all slides in order."""
    return [passage for slide in slides for passage in _of_slide(slide)]


@dataclass(frozen=True, kw_only=True)
class _Piece:
    text: str
    heads: str = ""
    """What it stands under in a table."""
    is_title: bool = False


def _of_slide(slide: SlideText) -> Iterator[Passage]:
    pieces = list(_pieces(slide.markdown))
    title = " ".join(piece.text for piece in pieces if piece.is_title)
    for place, piece in enumerate(pieces):
        before = pieces[place - 1].text if place and not piece.heads else ""
        behind = pieces[place + 1].text if place + 1 < len(pieces) and not piece.heads else ""
        around = "" if piece.is_title else title
        context = "\n".join([around, piece.heads, before, behind])
        folded, found = quantities_in(piece.text)
        yield Passage(
            slide=slide.number, text=piece.text, words=frozenset(content_words(f"{piece.heads}\n{piece.text}")),
            context=frozenset(content_words(context)), folded=folded, quantities=tuple(found),
            near=tuple(quantities_in(f"{around}\n{piece.heads}\n{before}\n{behind}")[1]),
        )  # fmt: skip


def _pieces(markdown: str) -> Iterator[_Piece]:
    lines = markdown.splitlines()
    at = 0
    prose: list[str] = []
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith("|"):
            yield from _prose(prose)
            prose.clear()
            end = at
            while end < len(lines) and lines[end].strip().startswith("|"):
                end += 1
            caption = lines[at - 1].strip() if at and lines[at - 1].strip().startswith(("**", "##")) else ""
            yield from _table([_cells(row) for row in lines[at:end] if not _RULE.match(row.strip())], caption)
            at = end
            continue
        if line.startswith("#"):
            yield from _prose(prose)
            prose.clear()
            yield _Piece(text=_plain(line.lstrip("#")), is_title=line.startswith("# "))
        elif not line or _BULLET.match(line):
            yield from _prose(prose)
            prose.clear()
            if line:
                prose.append(_BULLET.sub("", line, count=1))
        else:
            yield from _prose(prose)
            prose[:] = [line]
        at += 1
    yield from _prose(prose)


def _prose(lines: Sequence[str]) -> Iterator[_Piece]:
    text = _plain(" ".join(lines))
    for sentence in sentences(text):
        yield _Piece(text=sentence.text)


def _plain(text: str) -> str:
    return _MARKS.sub("", text).strip()


def _cells(row: str) -> list[str]:
    return [_plain(cell.replace("\\|", "|")) for cell in _unescaped(row.strip().strip("|"))]


def _unescaped(row: str) -> list[str]:
    return re.split(r"(?<!\\)\|", row)


def _table(rows: Sequence[Sequence[str]], caption: str) -> Iterator[_Piece]:
    """Yield each cell of a table's body under its row's and its column's head; of one column, each row."""
    if not rows:
        return
    head, body = rows[0], rows[1:]
    words = _plain(caption.lstrip("#"))
    if not body:
        yield _Piece(text=" · ".join(cell for cell in head if cell), heads=words)
        return
    for row in body:
        if len(row) < 2:
            yield _Piece(text=row[0] if row else "", heads=" ".join([words, *head]))
            continue
        for place, cell in enumerate(row[1:], start=1):
            column = head[place] if place < len(head) else ""
            if cell:
                unit = _unit_of(column) or _unit_of(head[0] if len(head) == 2 else "") or _unit_of(words)
                shown = with_unit(cell, unit)
                yield _Piece(text=f"{row[0]} · {column}: {shown}" if column else f"{row[0]}: {shown}", heads=words)
        if all(not cell for cell in row[1:]):
            yield _Piece(text=row[0], heads=words)


def _unit_of(head: str) -> str:
    found = _UNIT_IN_HEAD.search(head)
    words = (found[1] or found[2] or "").strip() if found is not None else ""
    _, read = quantities_in(f"1 {words}") if words else (None, [])
    return words if words and (meanings(words) or any(each.measured or each.is_scaled for each in read)) else ""


def with_unit(cell: str, unit: str) -> str:
    """Return a cell that is a bare number with the unit of its head; anything else as it is."""
    if not unit:
        return cell
    folded, found = quantities_in(cell)
    if len(found) != 1 or found[0].measured or folded.text[: found[0].start].strip(" ~≈<>±+-"):
        return cell
    if folded.text[found[0].end :].strip():
        return cell
    is_before = unit in {"$", "€", "£", "¥", "₹", "US$", "HK$"}
    return f"{unit}{cell}" if is_before else f"{cell} {unit}"
