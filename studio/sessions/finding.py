"""Finding a phrase or a number in a text that was written, wrapped or typeset differently."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_QUOTES = {ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"', ord("„"): '"'}
_SAME = _DASHES | _QUOTES
_DROPPED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_GROUP = re.compile(r"(?<=\d)[,\u2009\u202f\u00a0 '](?=\d{3}(?!\d))")
_HYPHEN = re.compile(r"-[ \t]*\r?\n[ \t]*(?=[a-zà-ÿ])")
"""A word that goes on in the next line."""
SNIPPET_CHARS = 48
"""Characters shown on either side of a hit."""


class Span(NamedTuple):
    """A part of a text: offsets in its own characters, the end not included."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """A hit with what stands around it, on one line."""

    before: str
    match: str
    after: str


class _Folded(NamedTuple):
    text: str
    origin: list[int]
    """Where each folded character came from."""


def find_all(text: str, phrase: str) -> list[Span]:
    """Return every place in which a phrase stands in a text, in order, without overlaps.

    Case, line breaks, hyphenation at a line's end, kinds of dashes, quotes and spaces, full-width forms and
    separators of thousands make no difference. A phrase that begins or ends with a digit does not match inside
    a longer number: "6.1" is not found in "16.1" or "6.12".
    """
    wanted = _fold(phrase).text.strip()
    if not wanted:
        return []
    folded = _fold(text)
    found: list[Span] = []
    at = folded.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not _cuts_number(folded.text, at, end):
            found.append(Span(folded.origin[at], folded.origin[end - 1] + 1))
            at = folded.text.find(wanted, end)
        else:
            at = folded.text.find(wanted, at + 1)
    return found


def snippet(text: str, span: Span) -> Snippet:
    """Return a hit with some words around it."""
    before = " ".join(text[max(0, span.start - SNIPPET_CHARS) : span.start].split("\n")).lstrip()
    after = " ".join(text[span.end : span.end + SNIPPET_CHARS].split("\n")).rstrip()
    return Snippet(
        before=("…" if span.start > SNIPPET_CHARS else "") + before,
        match=" ".join(text[span.start : span.end].split()),
        after=after + ("…" if span.end + SNIPPET_CHARS < len(text) else ""),
    )


def _cuts_number(text: str, start: int, end: int) -> bool:
    if text[start].isdigit() and start > 0:
        before = text[start - 1]
        if before.isdigit() or (before in ".," and start > 1 and text[start - 2].isdigit()):
            return True
    if text[end - 1].isdigit() and end < len(text):
        after = text[end]
        return after.isdigit() or (after in ".," and end + 1 < len(text) and text[end + 1].isdigit())
    return False


def _fold(text: str) -> _Folded:
    letters: list[str] = []
    origin: list[int] = []
    for char, at in _characters(text):
        letters.append(char)
        origin.append(at)
    joined = "".join(letters)
    drop = {match.start() for match in _GROUP.finditer(joined)}
    kept = [index for index in range(len(joined)) if index not in drop]
    return _Folded("".join(joined[index] for index in kept), [origin[index] for index in kept])


def _characters(text: str) -> Iterator[tuple[str, int]]:
    """Yield the characters that count, each with its place in `text`."""
    index, last = 0, ""
    while index < len(text):
        char = text[index]
        if char == "-" and last.isalpha() and (line := _HYPHEN.match(text, index)):
            index = line.end()
            continue
        if char.isspace():
            end = index
            while end < len(text) and text[end].isspace():
                end += 1
            following = text[end] if end < len(text) else ""
            # Chinese and Japanese have no spaces between words, so a line break inside a phrase is none either.
            if last and not (_WIDE.match(last) and _WIDE.match(following)):
                yield " ", index
                last = " "
            index = end
            continue
        if char not in _DROPPED:
            for folded in unicodedata.normalize("NFKC", char.translate(_SAME)).casefold():
                yield folded, index
                last = folded
        index += 1
