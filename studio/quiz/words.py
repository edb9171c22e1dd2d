"""The words that count when a passage is compared with a question."""

from __future__ import annotations

import re
from collections.abc import Iterable

from studio.texts.folded_text import WIDE, fold

_TOKEN = re.compile(rf"[{WIDE}]+|[^\W\d_{WIDE}]{{2,}}|\d+(?:[.,]\d+)*")
_IS_WIDE = re.compile(rf"[{WIDE}]")
# fmt: off
_FEW_SAY = (
    "a an and any are as at according be been both but by can could did do does each for from given had has have how "
    "if in into is it its many more most much no not of on or other our out over per so some source sources such than "
    "that the their them then there these they this those to up used was were what when where which who whom why will "
    "with would you your completes complete sentence value following statement about between during while "
    "very"
)
_STOP = frozenset(_FEW_SAY.split())
_WIDE_STOP = frozenset("的了和是在与及其为有哪个多少什么以下原文空格处应数值该这那将被由于对从到一种之")
_ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly")
# fmt: on


def stem(word: str) -> str:
    """Return an English word without its commonest endings; at least four letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def content_words(text: str) -> list[str]:
    """Return the words that say something, in order: stems, pairs of Chinese or Japanese letters, no bare numbers."""
    found: list[str] = []
    for match in _TOKEN.finditer(fold(text).text):
        token = match.group()
        if token[0].isdigit():
            continue
        if _IS_WIDE.match(token):
            letters = [letter if letter not in _WIDE_STOP else " " for letter in token]
            for part in "".join(letters).split():
                found += [part[at : at + 2] for at in range(len(part) - 1)] if len(part) > 1 else [part]
        elif token not in _STOP:
            found.append(stem(token))
    return found


def is_mostly_wide(text: str) -> bool:
    """Return whether more letters are Chinese or Japanese than others."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(bool(_IS_WIDE.match(letter)) for letter in letters) * 2 > len(letters)


def share_of(wanted: Iterable[str], there: set[str]) -> float:
    """Return the share of distinct words that are there; 0 without any."""
    distinct = set(wanted)
    return len(distinct & there) / len(distinct) if distinct else 0.0
