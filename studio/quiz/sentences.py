"""The sentences of a page, as parts of its text, so that a quote is always verbatim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WIDE_END = re.compile(r"[。！？；]+[」』”’）)]*")
_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)")
_BLOCK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*•·▪◦+]|\d{1,2}[.)])[ \t])|\n(?=[ \t]*[#|>])|(?<=\|)[ \t]*\n")
_SHORT = frozenset({
    "e.g", "i.e", "etc", "vs", "cf", "al", "fig", "figs", "eq", "no", "nos", "approx", "ca", "dr", "mr", "mrs", "ms",
    "prof", "st", "inc", "ltd", "co", "corp", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct",
    "nov", "dec", "p", "pp", "vol", "u.s", "u.k", "min", "max", "sec", "ch",
})  # fmt: skip
_LAST_WORD = re.compile(r"([\w.]+)$")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_SHORT_LINE = 0.6
"""Of the length that most lines of a page reach."""
_LONG_LINE = 0.8
_MARK = re.compile(r"[ \t]*(?:[-*•·▪◦+]|\d{1,2}[.)]|#{1,6}|>)[ \t]+")


class Sentence(NamedTuple):
    """A part of a page's text."""

    start: int
    end: int
    text: str
    """As it stands there, line breaks included."""


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a page; a heading, a bullet or a table row is one by itself, without its mark.

    A line that is much shorter than the page's long ones and ends without a full stop ends there: a heading or a cell.
    """
    at = 0
    usual = _usual_length(text)
    blocks = {(cut.start(), cut.end()) for cut in _BLOCK.finditer(text) if not _goes_on(text, cut, usual)}
    cuts = sorted(blocks | set(_short_lines(text, usual)))
    for start, end in [*cuts, (len(text), len(text))]:
        if start >= at:
            yield from _of_block(text, at, start)
            at = end


def _usual_length(text: str) -> int:
    """Return the length that one line in five reaches."""
    lengths = sorted(len(line.strip()) for line in text.split("\n") if line.strip())
    return lengths[int(0.8 * (len(lengths) - 1))] if lengths else 0


def _goes_on(text: str, cut: re.Match[str], usual: int) -> bool:
    """Return whether an empty line parts a sentence: some PDFs have one behind every line."""
    if cut.group().strip() or cut.group().count("\n") < 2:
        return False
    line = text[text.rfind("\n", 0, cut.start()) + 1 : cut.start()].strip()
    behind = text[cut.end() : cut.end() + 1]
    is_open = bool(line) and line[-1] not in ".。!！?？:：;；|" and len(line) >= _LONG_LINE * usual
    return is_open and (behind.islower() or "\u3040" <= behind <= "\u9fff")


def _short_lines(text: str, usual: int) -> Iterator[tuple[int, int]]:
    """Yield the line breaks at which no sentence goes on."""
    for match in _LINE_END.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        line = text[begin : match.start()].strip()
        behind = text[match.end() : match.end() + 1]
        if line and len(line) < _SHORT_LINE * usual and line[-1] not in ",;:，；：、-–—(（" and not behind.islower():
            yield match.start(), match.end()


def _of_block(text: str, start: int, end: int) -> Iterator[Sentence]:
    mark = _MARK.match(text, start, end)
    at = mark.end() if mark is not None else start
    stops = sorted(
        {match.end() for match in _WIDE_END.finditer(text, at, end)}
        | {match.end() for match in _END.finditer(text, at, end) if not _is_short(text, at, match.start())}
        | {end}
    )
    for stop in stops:
        piece = text[at:stop]
        left = len(piece) - len(piece.lstrip())
        words = piece.strip()
        if words:
            yield Sentence(at + left, at + left + len(words), words)
        at = stop


def _is_short(text: str, start: int, at: int) -> bool:
    """Return whether the point behind which a sentence might end belongs to an abbreviation or an initial."""
    if text[at] != ".":
        return False
    word = _LAST_WORD.search(text, start, at)
    if word is None:
        return False
    last = word.group().lower()
    if last in _SHORT:
        return True
    # "J. Smith", but not "draws 4.5 W."
    return len(last) == 1 and last.isalpha() and not re.search(r"\d\s*$", text[start : word.start()])


def on_one_line(text: str) -> str:
    """Return a part of a page with its line breaks folded into spaces; a word parted by a hyphen is joined."""
    joined = re.sub(r"(?<=[a-zà-ÿ])-\s*\n\s*(?=[a-zà-ÿ])", "", text)
    joined = re.sub(r"(?<=[\u3040-\u9fff])\s*\n\s*(?=[\u3040-\u9fff])", "", joined)
    return " ".join(joined.split())
