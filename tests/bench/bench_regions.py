"""Measure the text detector: seconds for each slide, and how much of the text whose places are known it finds.

``python -m tests.bench regions``. Decks with real text are rendered to pictures; the places of their words in the PDF
are the truth. A line (or a block) counts as found if regions cover at least half of it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from studio.decks.mupdf_words import placed_pages
from studio.decks.ocr import read_picture
from studio.decks.render import find_tools, render_deck
from studio.decks.sniff import sniff
from studio.decks.text_regions import Detail
from studio.decks.workers import in_worker
from studio.model.decks import DeckFormat, SourcePage
from studio.model.regions import PictureRegion
from tests.shared_files import shared_root

DECKS = (
    "pptagent__build_effective_agents.pptx",
    "pptx-glimpse__real-financial-report.pptx",
    "office2pdf__04_training_deck_ko.pptx",
    "markitdown__test.pptx",
    "shapecrawler__087 issue-587-source.pptx",
)
MAX_SLIDES = 8
"""Of each deck."""
ENOUGH = 0.5

Box = tuple[float, float, float, float]


def lines_of(page: SourcePage, width: int, height: int) -> list[Box]:
    """Return the boxes of a page's lines, in pixels."""
    lines: dict[int, list[Box]] = {}
    for word in page.words:
        box = (word.x0 * width, word.y0 * height, word.x1 * width, word.y1 * height)
        lines.setdefault(word.line, []).append(box)
    return [_around(boxes) for boxes in lines.values()]


def coverage(box: Box, others: Sequence[Box]) -> float:
    """Return which share of a box others cover together, counted in pixels."""
    x0, y0, x1, y1 = (round(edge) for edge in box)
    mask = np.zeros((max(1, y1 - y0), max(1, x1 - x0)), bool)
    for other in others:
        left, top, right, bottom = (round(edge) for edge in other)
        mask[max(0, top - y0) : max(0, bottom - y0), max(0, left - x0) : max(0, right - x0)] = True
    return float(mask.mean())


def slides(deck: Path, out: Path) -> Iterator[tuple[Path, SourcePage, tuple[int, int], list[Box]]]:
    """Yield picture, text with places, size and blocks of each slide that has both."""
    kind = sniff(deck).format
    assert isinstance(kind, DeckFormat)
    rendered = render_deck(deck, out, format=kind, tools=find_tools())
    if rendered.failure is not None or rendered.pdf is None:
        print(f"   {deck.name}: not rendered ({rendered.failure})")
        return
    pages = in_worker(placed_pages, str(rendered.pdf), None, timeout_s=60.0)
    for slide in [slide for slide in rendered.pages if slide.image and slide.page and slide.boxes][:MAX_SLIDES]:
        size = (slide.width_px, slide.height_px)
        blocks = [(b.x0 * size[0], b.y0 * size[1], b.x1 * size[0], b.y1 * size[1]) for b in slide.boxes or ()]
        assert slide.image is not None
        assert slide.page is not None
        yield slide.image, pages[slide.page - 1], size, blocks


def main() -> None:
    """Print the figures."""
    root = shared_root()
    if root is None:
        print("   needs the shared folder beside the checkout (or its path in PODIUM_SHARED)")
        return
    with tempfile.TemporaryDirectory(prefix="podium-bench-") as folder:
        known = [
            slide
            for number, name in enumerate(DECKS)
            for slide in slides(root / "corpus" / "pptx" / name, Path(folder) / str(number))
        ]
        for detail in Detail:
            read_picture(known[0][0], detail=detail)  # the model is loaded once for each process
            _measure(known, detail)


def _measure(known: Sequence[tuple[Path, SourcePage, tuple[int, int], list[Box]]], detail: Detail) -> None:
    found_lines, found_blocks, real, seconds, reading = [], [], [], [], []
    for picture, page, size, blocks in known:
        started = time.perf_counter()
        text = read_picture(picture, is_read=False, detail=detail)
        seconds.append(time.perf_counter() - started)
        started = time.perf_counter()
        read_picture(picture, is_read=True, detail=detail)
        reading.append(time.perf_counter() - started)
        regions = [_box(region) for region in text.regions]
        lines = lines_of(page, *size)
        found_lines += [coverage(line, regions) >= ENOUGH for line in lines]
        found_blocks += [coverage(block, regions) >= ENOUGH for block in blocks]
        real += [any(coverage(region, [line]) > 0.1 for line in lines) for region in regions]
    print(f"   {detail.value} ({len(known)} slides): {np.median(seconds):.2f} s a slide to find, "
          f"{np.median(reading):.2f} s to find and read")  # fmt: skip
    print(f"      lines covered to half: {sum(found_lines)}/{len(found_lines)} = {np.mean(found_lines):.3f}")
    print(f"      blocks covered to half: {sum(found_blocks)}/{len(found_blocks)} = {np.mean(found_blocks):.3f}")
    print(f"      regions with known text in them: {sum(real)}/{len(real)} = {np.mean(real):.3f}")


def _around(boxes: Sequence[Box]) -> Box:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _box(region: PictureRegion) -> Box:
    return (region.x0, region.y0, region.x1, region.y1)


if __name__ == "__main__":
    main()
