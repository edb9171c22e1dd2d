"""Pages of a PDF that are pictures of text: rendered and read by a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from studio.decks.mupdf_pages import render_pages
from studio.decks.ocr import read_picture
from studio.decks.scratch import scratch
from studio.decks.text_regions import Detail, why_no_detector
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.decks import PlacedWord, SourcePage
from studio.model.protocols import CancelToken
from studio.model.regions import PictureText

PAGE_PX = (2000, 2000)
"""The box that a page is rendered into: letters of a printed page are then some 25 pixels high."""
MAX_PAGES = 40
"""Pages of one PDF that are read; each takes some seconds."""
_TIMEOUT_S = 120.0


def with_scanned_text(
    path: Path, pages: Sequence[SourcePage], *, password: str | None = None, cancel: CancelToken | None = None
) -> tuple[SourcePage, ...]:
    """Return the pages of a PDF, those that have no words but a picture with what could be read on it.

    Where the reader is not installed, pages stay as they are; one that cannot be rendered or read does too.

    Raises:
        Cancelled: the token was set.
    """
    wanted = [page.number for page in pages if not page.words][:MAX_PAGES]
    if not wanted or why_no_detector():
        return tuple(pages)
    read: dict[int, SourcePage] = {}
    with scratch("scan") as folder:
        for number in wanted:
            picture = folder / f"page_{number:04d}.png"
            try:
                (rendered,) = in_worker(
                    render_pages, str(path), password, ((number, str(picture), None),), PAGE_PX, PAGE_PX,
                    timeout_s=_TIMEOUT_S, cancel=cancel,
                )  # fmt: skip
                if rendered.text.boxes is None:
                    found = in_worker(read_page, str(picture), timeout_s=_TIMEOUT_S, cancel=cancel)
                    read[number] = replace(placed_lines(found), number=number)
            except DeckUnreadable:
                continue
            finally:
                picture.unlink(missing_ok=True)
    return tuple(read.get(page.number, page) for page in pages)


def read_page(path: str) -> PictureText:
    """Return what is on the picture of a page; for worker processes."""
    return read_picture(Path(path), detail=Detail.PAGE)


def placed_lines(found: PictureText) -> SourcePage:
    """Return the lines that were read on a picture as a page of text with places."""
    lines: list[str] = []
    words: list[PlacedWord] = []
    at = 0
    for region in found.regions:
        if not region.text:
            continue
        words.append(
            PlacedWord(
                at, at + len(region.text), round(region.x0 / found.width_px, 4), round(region.y0 / found.height_px, 4),
                round(region.x1 / found.width_px, 4), round(region.y1 / found.height_px, 4), len(lines),
            )
        )  # fmt: skip
        lines.append(region.text)
        at += len(region.text) + 1
    return SourcePage(number=1, text="\n".join(lines), words=tuple(words))
