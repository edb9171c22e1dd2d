"""Which page of a PDF shows which slide: hidden slides have none, and the words of both must agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from studio.model.decks import DeckWarning

_WORD = re.compile(r"[^\W_]+")
_ENOUGH_LETTERS = 12
"""With fewer letters a slide proves nothing."""
_AGREES = 0.5
_DISAGREES = 0.2


class PageMap(NamedTuple):
    """Pages by slide."""

    pages: tuple[int | None, ...]
    """Page number from 1 for each slide; None for a slide without a page."""
    warnings: tuple[DeckWarning, ...]


def slide_pages(hidden: Sequence[bool], slide_texts: Sequence[str], page_texts: Sequence[str]) -> PageMap:
    """Return the page of every slide.

    With as many pages as visible slides the order decides, and the text is the proof; with another
    number of pages the text decides.

    Args:
        hidden: for each slide whether it is hidden.
        slide_texts: for each slide its words in the file.
        page_texts: for each page its words in the PDF.
    """
    visible = [number for number, is_hidden in enumerate(hidden, start=1) if not is_hidden]
    similar = [[_similarity(slide_texts[number - 1], page) for page in page_texts] for number in visible]
    if len(visible) == len(page_texts):
        pages: list[int | None] = list(range(1, len(page_texts) + 1))
        warnings = _doubts(visible, similar)
    else:
        pages = _aligned(similar, len(page_texts))
        warnings = [
            DeckWarning(
                slide=None,
                message=f"The deck has {len(visible)} visible slides but {len(page_texts)} pages were made; "
                "slides were matched to pages by their text.",
            )
        ]
        warnings += [
            DeckWarning(slide=number, message="no picture was made of this slide")
            for number, page in zip(visible, pages, strict=True)
            if page is None
        ]
    by_slide = dict(zip(visible, pages, strict=True))
    return PageMap(tuple(by_slide.get(number) for number in range(1, len(hidden) + 1)), tuple(warnings))


def _doubts(visible: Sequence[int], similar: Sequence[Sequence[float | None]]) -> list[DeckWarning]:
    doubts: list[DeckWarning] = []
    for index, row in enumerate(similar):
        own = row[index]
        if own is None or own >= _DISAGREES:
            continue
        better = [page for page, value in enumerate(row, start=1) if value is not None and value >= _AGREES]
        if better:
            doubts.append(
                DeckWarning(
                    slide=visible[index],
                    message=f"the text of its picture (page {index + 1}) is not the slide's; "
                    f"page {better[0]} has that text",
                )
            )
    return doubts


def _aligned(similar: Sequence[Sequence[float | None]], n_pages: int) -> list[int | None]:
    """Match slides to pages in order so that the sum of their similarities is largest."""
    n_slides = len(similar)
    # A slide without text to compare may take any page, but never one that another slide proves to be its.
    gain = [[0.1 if value is None else value for value in row] for row in similar]
    best = [[0.0] * (n_pages + 1) for _ in range(n_slides + 1)]
    for i in range(1, n_slides + 1):
        for j in range(1, n_pages + 1):
            best[i][j] = max(best[i - 1][j], best[i][j - 1], best[i - 1][j - 1] + gain[i - 1][j - 1])
    pages: list[int | None] = [None] * n_slides
    i, j = n_slides, n_pages
    while i > 0 and j > 0:
        matched = best[i - 1][j - 1] + gain[i - 1][j - 1]
        if best[i][j] == matched and gain[i - 1][j - 1] > 0:
            pages[i - 1] = j
            i, j = i - 1, j - 1
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            j -= 1
    return pages


def _similarity(slide: str, page: str) -> float | None:
    """Return the share of the slide's words that are on the page, 0 to 1; None for too few letters."""
    wanted = _pieces(slide)
    if sum(len(piece) * count for piece, count in wanted.items()) < _ENOUGH_LETTERS:
        return None
    # Without spaces: a PDF breaks words where it likes, and Chinese and Japanese have none.
    text = "".join(_WORD.findall(page.casefold()))
    if not text:
        # Scanned or outlined letters: the page has no words to compare.
        return None
    found = sum(count * len(piece) for piece, count in wanted.items() if piece in text)
    return found / sum(count * len(piece) for piece, count in wanted.items())


def _pieces(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text.casefold()) if len(word) > 1)
