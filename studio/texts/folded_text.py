"""Text without the accidents of typesetting, each character with its place in the original."""

from __future__ import annotations

import re
import unicodedata
from array import array
from typing import NamedTuple

_DASHES = frozenset("-‐‑‒–—―−﹣－")
_HYPHENS = frozenset("-‐‑﹣－")
_QUOTES = {"‘": "'", "’": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "′": "'", "″": '"'}
_DROPPED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
WIDE = "\u3040-\u3098\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Letters of languages that put no spaces between words, as a range for regular expressions."""
_PLAIN = re.compile(rf"[!-,./0-~{WIDE}\uac00-\ud7a3\u3001\u3002]+")
"""Characters that stand for themselves; what is left out is folded one by one."""
_IS_WIDE = re.compile(rf"[{WIDE}\u3001\u3002\uff0c]")


class Folded(NamedTuple):
    """A text in which only what a reader would call a difference makes one."""

    text: str
    """In small letters."""
    cased: str
    """The same with its capitals, for units; as long as `text`."""
    origin: array[int]
    """Where each character came from in the original."""


def fold(original: str) -> Folded:
    """Return a text without typesetting.

    Compatibility forms (ligatures, full-width letters and digits), kinds of dashes, quotes and spaces, soft
    hyphens and line breaks are made one. A hyphen between letters is dropped, with a line break behind it too,
    so that a word broken at the end of a line, the whole word and a compound with its hyphen are the same. Beside
    Chinese and Japanese letters spaces are dropped. Raised digits become ``^`` and the digits.
    """
    pieces: list[str] = []
    origin = array("l")
    at, last, length = 0, "", len(original)

    def put(text: str, place: int) -> None:
        nonlocal last
        pieces.append(text)
        origin.extend([place] * len(text))
        last = text[-1]

    while at < length:
        plain = _PLAIN.match(original, at)
        if plain is not None:
            run = plain.group()
            if last == " " and _IS_WIDE.match(run[0]):
                pieces.pop()
                origin.pop()
            pieces.append(run)
            origin.extend(range(at, plain.end()))
            last = run[-1]
            at = plain.end()
            continue
        char = original[at]
        if char.isspace():
            end = at + 1
            while end < length and original[end].isspace():
                end += 1
            # A space alone is always a piece of its own, so that a wide letter behind it can take it back.
            if last and last != " " and not _IS_WIDE.match(last):
                put(" ", at)
            at = end
        elif char in _DROPPED:
            at += 1
        elif char in _DASHES:
            behind = _behind_hyphen(original, at, last) if char in _HYPHENS else None
            if behind is None:
                put("-", at)
            at = behind or at + 1
        elif last and last != " " and len(composed := unicodedata.normalize("NFC", last + char)) == 1:
            # Some PDFs write é as e and an accent, and Korean syllables letter by letter.
            pieces[-1] = pieces[-1][:-1] + composed
            last = composed
            at += 1
        elif char in _SUPERSCRIPTS:
            put(("" if _is_raised(original, at - 1) else "^") + _SUPERSCRIPTS[char], at)
            at += 1
        else:
            folded = _QUOTES.get(char) or unicodedata.normalize("NFKC", char)
            if last == " " and folded and _IS_WIDE.match(folded[0]):
                pieces.pop()
                origin.pop()
            if folded.isspace():
                folded = " "
            if folded:
                put(folded, at)
            at += 1
    cased = "".join(pieces)
    lower = cased.lower()
    if len(lower) != len(cased):
        # A few capitals have longer small letters; places matter more than they do.
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in cased)
    return Folded(lower, cased, origin)


def _behind_hyphen(original: str, at: int, last: str) -> int | None:
    """Return where the word goes on if this hyphen stands inside one; None if it is something else."""
    if not last.isalpha():
        return None
    end = at + 1
    if end < len(original) and original[end].isalpha():
        return end
    while end < len(original) and original[end] in " \t\r":
        end += 1
    if end >= len(original) or original[end] != "\n":
        return None
    while end < len(original) and original[end].isspace():
        end += 1
    return end if end < len(original) and original[end].islower() else None


def _is_raised(original: str, at: int) -> bool:
    return at >= 0 and original[at] in _SUPERSCRIPTS
