"""Where a part of a page's text stands on the page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from studio.model.decks import PlacedWord, SourcePage


class Box(NamedTuple):
    """A rectangle on a page, its edges as shares of the page's width and height, 0 to 1."""

    x0: float
    y0: float
    x1: float
    y1: float


def boxes_of(page: SourcePage, start: int, end: int) -> tuple[Box, ...]:
    """Return one rectangle for each line on which a part of the text stands; empty for pages without places.

    Of a word that only partly belongs to it, the part is taken by its share of letters; that is exact for Chinese
    and Japanese, whose letters are equally wide.

    Args:
        page: a page of a source.
        start: in characters of its text.
        end: the first character behind the part.
    """
    # Words follow each other in the text, so both their starts and their ends are sorted.
    first = bisect_right(page.words, start, key=lambda word: word.end)
    last = bisect_left(page.words, end, key=lambda word: word.start)
    lines: dict[int, list[Box]] = {}
    for word in page.words[first:last]:
        lines.setdefault(word.line, []).append(_part(word, start, end))
    return tuple(
        Box(
            min(box.x0 for box in boxes), min(box.y0 for box in boxes),
            max(box.x1 for box in boxes), max(box.y1 for box in boxes),
        )
        for boxes in lines.values()
    )  # fmt: skip


def _part(word: PlacedWord, start: int, end: int) -> Box:
    length = word.end - word.start
    width = word.x1 - word.x0
    left = word.x0 + width * max(0, start - word.start) / length
    right = word.x1 - width * max(0, word.end - end) / length
    return Box(round(left, 4), word.y0, round(right, 4), word.y1)
