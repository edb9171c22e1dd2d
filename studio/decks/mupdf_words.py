"""The words of a PDF with their places, page by page; for worker processes."""

from __future__ import annotations

from typing import Any

from studio.decks.mupdf import mupdf, opened_pdf
from studio.model.decks import PlacedWord, SourcePage

_MAX_WORDS = 20_000
"""Words of one page; a page with more is a crafted one."""


def placed_pages(path: str, password: str | None) -> tuple[SourcePage, ...]:
    """Return text and places of every page of a PDF; a page that cannot be read is empty.

    Words of one line are parted by a space, lines by a line feed, blocks by an empty line, in the order of the
    file: of two columns first one and then the other, so that phrases stay whole.

    Raises:
        DeckUnreadable: if the PDF cannot be opened.
    """
    with opened_pdf(path, password) as document:
        pages: list[SourcePage] = []
        for number in range(1, document.page_count + 1):
            try:
                page = document[number - 1]
                words = page.get_text("words", sort=False)[:_MAX_WORDS]
                pages.append(_placed(number, page, words))
            except MemoryError:
                raise
            except Exception:  # one damaged page costs its own text only
                pages.append(SourcePage(number=number, text=""))
        return tuple(pages)


def _placed(number: int, page: Any, words: list[tuple[Any, ...]]) -> SourcePage:
    pymupdf = mupdf()
    width, height = page.rect.width, page.rect.height
    pieces: list[str] = []
    placed: list[PlacedWord] = []
    at, line, before = 0, -1, None
    for x0, y0, x1, y1, word, block_number, line_number, _word_number in words:
        place = (block_number, line_number)
        if place != before:
            line += 1
        gap = "" if before is None else " " if place == before else "\n" if place[0] == before[0] else "\n\n"
        before = place
        # Words carry coordinates of the unrotated page.
        turned = pymupdf.Rect(x0, y0, x1, y1) * page.rotation_matrix
        turned.normalize()
        at += len(gap)
        pieces += (gap, word)
        placed.append(
            PlacedWord(
                at, at + len(word), _share(turned.x0, width), _share(turned.y0, height), _share(turned.x1, width),
                _share(turned.y1, height), line,
            )
        )  # fmt: skip
        at += len(word)
    return SourcePage(number=number, text="".join(pieces), words=tuple(placed))


def _share(length: float, whole: float) -> float:
    return round(min(1.0, max(0.0, length / whole)), 4) if whole > 0 else 0.0
