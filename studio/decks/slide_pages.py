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
    wanted = [_pieces(slide_texts[number - 1]) for number in visible]
    texts = ["".join(_WORD.findall(page.casefold())) for page in page_texts]
    if len(visible) == len(page_texts):
        pages: list[int | None] = list(range(1, len(page_texts) + 1))
        warnings = _doubts(visible, wanted, texts)
    else:
        pages = _aligned(wanted, texts)
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


def _doubts(visible: Sequence[int], wanted: Sequence[Counter[str]], texts: Sequence[str]) -> list[DeckWarning]:
    """Return a warning for each slide whose own page lacks its words while another page has them."""
    doubts: list[DeckWarning] = []
    for index, words in enumerate(wanted):
        own = _similarity(words, texts[index])
        if own is None or own >= _DISAGREES:
            continue
        better = next(
            (page for page, text in enumerate(texts, start=1) if (_similarity(words, text) or 0.0) >= _AGREES),
            None,
        )
        if better is not None:
            doubts.append(
                DeckWarning(
                    slide=visible[index],
                    message=f"the text of its picture (page {index + 1}) is not the slide's; "
                    f"page {better} has that text",
                )
            )
    return doubts


def _aligned(wanted: Sequence[Counter[str]], texts: Sequence[str]) -> list[int | None]:
    """Match slides to pages in order so that the sum of their similarities is largest."""
    n_slides, n_pages = len(wanted), len(texts)
    # The order holds, so a slide lies as far from its page as there are slides or pages too many; the
    # margin is for both at once.
    reach = abs(n_slides - n_pages) + 20
    gain = [[0.0] * n_pages for _ in range(n_slides)]
    for i, words in enumerate(wanted):
        for j in range(max(0, i - reach), min(n_pages, i + reach + 1)):
            similarity = _similarity(words, texts[j])
            # A slide without words may take any page, but none that another slide proves to be its own.
            gain[i][j] = 0.1 if similarity is None else similarity
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


def _similarity(wanted: Counter[str], text: str) -> float | None:
    """Return the share of a slide's words that are on a page, 0 to 1; None for too few letters."""
    letters = sum(len(piece) * count for piece, count in wanted.items())
    # Scanned or outlined letters leave a page without words to compare.
    if letters < _ENOUGH_LETTERS or not text:
        return None
    return sum(count * len(piece) for piece, count in wanted.items() if piece in text) / letters


def _pieces(text: str) -> Counter[str]:
    # Words of the slide are looked for in the page's letters without spaces: a PDF breaks words where
    # it likes, and Chinese and Japanese have no spaces.
    return Counter(word for word in _WORD.findall(text.casefold()) if len(word) > 1)
