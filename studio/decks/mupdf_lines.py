"""The lines of a PDF's pages as drawn: sizes, colours, what is behind them; for worker processes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.decks.mupdf import mupdf, opened_pdf
from studio.decks.mupdf_pages import fitted_px
from studio.model.deck_evidence import SLIDE_HEIGHT_PT, DrawnLine, SeenPicture
from studio.model.structure import Box

_RASTER_PX = (1280, 720)
_MAX_LINES = 4000
_BOLD, _MONO = 16, 8
"""Bits of a span's flags."""
_UNLIKE = 24
"""From this difference in one channel (0–255) on, a pixel is not the page's main colour."""
_INK = 110
"""Soft edges of the smallest letters come this near to their colour, in the channel that differs most."""
_HEAVY = 0.2
"""Share of a line's box that must be unlike its letters where these fill more than half of it."""
_INVISIBLE = 3
"""PDF's text rendering mode that draws nothing."""

Rect = tuple[float, float, float, float]


@dataclass(frozen=True, kw_only=True)
class DrawnPage:
    """One page."""

    number: int
    """From 1."""
    width_pt: float
    height_pt: float
    lines: tuple[DrawnLine, ...]
    pictures: tuple[SeenPicture, ...]
    drawn_share: float
    """Share of the page, text left out, that differs from its main colour, 0 to 1."""

    @property
    def text(self) -> str:
        """The lines that can be seen, one below the other."""
        return "\n".join(line.text for line in self.lines if line.is_seen)


def drawn_pages(path: str, password: str | None = None) -> tuple[DrawnPage, ...]:
    """Return every page of a PDF as drawn; a page that cannot be read is empty.

    Raises:
        DeckUnreadable: if the PDF cannot be opened.
    """
    with opened_pdf(path, password) as document:
        return tuple(_drawn(document, number) for number in range(1, document.page_count + 1))


def _drawn(document: Any, number: int) -> DrawnPage:
    try:
        page = document[number - 1]
        width, height = float(page.rect.width), float(page.rect.height)
        pixels = _pixels(page)
        lines = tuple(_lines(page, pixels))
        return DrawnPage(
            number=number, width_pt=width, height_pt=height, lines=lines, pictures=tuple(_pictures(page)),
            drawn_share=_drawn_share(pixels, lines),
        )  # fmt: skip
    except MemoryError:
        raise
    except Exception:  # MuPDF raises many types; one damaged page costs its own facts only
        return DrawnPage(number=number, width_pt=0.0, height_pt=0.0, lines=(), pictures=(), drawn_share=0.0)


def _pixels(page: Any) -> NDArray[np.uint8]:
    pymupdf = mupdf()
    width, height = fitted_px(page.rect.width, page.rect.height, _RASTER_PX)
    matrix = pymupdf.Matrix(width / page.rect.width, height / page.rect.height)
    pixmap = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)


def _lines(page: Any, pixels: NDArray[np.uint8]) -> Iterator[DrawnLine]:
    pymupdf = mupdf()
    # Ligatures come out as their letters, so that words are words.
    # MuPDF leaves out what lies off the page unless it is given another bound, and that flag is not set.
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE
    invisible, missing = _traced(page)
    n_lines = 0
    for index, block in enumerate(
        page.get_text("dict", flags=flags, clip=pymupdf.INFINITE_RECT(), sort=False)["blocks"]
    ):
        for line in block.get("lines", ()):
            spans = [span for span in line["spans"] if span["text"].strip()]
            if not spans or n_lines >= _MAX_LINES:
                continue
            n_lines += 1
            yield _line(page, index, line, spans, pixels, invisible, missing)


def _line(
    page: Any, block: int, line: Any, spans: list[Any], pixels: NDArray[np.uint8], invisible: list[Rect],
    missing: list[Rect],
) -> DrawnLine:  # fmt: skip
    letters: Counter[tuple[float, int, bool, bool, int]] = Counter()
    for span in spans:
        is_mono = bool(span["flags"] & _MONO) or "mono" in span["font"].lower() or "courier" in span["font"].lower()
        is_bold = bool(span["flags"] & _BOLD) or "bold" in span["font"].lower()
        look = (round(span["size"], 2), span["color"], is_bold, is_mono, span.get("alpha", 255))
        letters[look] += len("".join(span["text"].split()))
    # Equal numbers of letters: the look that comes first.
    size, colour, is_bold, is_mono, alpha = max(letters, key=lambda look: letters[look])
    raw = _union([span["bbox"] for span in spans])
    box = _share(_turned(page, raw), page)
    direction = _direction(page, line["dir"])
    return DrawnLine(
        text="".join(span["text"] for span in line["spans"]).strip(), box=box,
        size_pt=round(size * SLIDE_HEIGHT_PT / page.rect.height, 2),
        rgb=(colour >> 16 & 255, colour >> 8 & 255, colour & 255), background_rgb=_behind(pixels, box, colour),
        is_bold=is_bold, is_code=is_mono, is_upright=abs(direction[0] - 1.0) < 0.01,
        is_seen=alpha > 0 and _has_ink(pixels, box, colour) and not any(_holds_centre(rect, raw) for rect in invisible),
        missing_glyphs=sum(_holds_centre(raw, rect) for rect in missing), block=block,
    )  # fmt: skip


def _direction(page: Any, direction: tuple[float, float]) -> tuple[float, float]:
    """Return the writing direction on the page as shown, its rotation applied."""
    angle = math.radians(page.rotation)
    x, y = direction
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def _traced(page: Any) -> tuple[list[Rect], list[Rect]]:
    """Return where text is drawn without ink, and the letters that their font has no shape for."""
    invisible: list[Rect] = []
    missing: list[Rect] = []
    for span in page.get_texttrace():
        if span["type"] == _INVISIBLE:
            invisible.append(span["bbox"])
            continue
        # Fonts whose glyphs are drawings of their own number them from 0.
        if "type3" in span["font"].lower() or span["font"].lower().startswith("t3"):
            continue
        for code, glyph, _origin, bbox in span["chars"]:
            if glyph == 0 and code > 32 and not chr(code).isspace() and code not in _NO_SHAPE_NEEDED:
                missing.append(bbox)
    return invisible, missing


_NO_SHAPE_NEEDED = frozenset({0xA0, 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0xFEFF, 0xFE0E, 0xFE0F})
"""Spaces, joiners and marks of direction. Not the replacement character: that is what MuPDF says of glyph 0."""


def _pictures(page: Any) -> Iterator[SeenPicture]:
    for info in page.get_image_info():
        box = _share(_turned(page, info["bbox"]), page)
        if box.width <= 0 or box.height <= 0:
            continue
        a, b, c, d = info["transform"][:4]
        is_turned = abs(b) + abs(c) > abs(a) + abs(d)
        size = (int(info["height"]), int(info["width"])) if is_turned else (int(info["width"]), int(info["height"]))
        yield SeenPicture(box=box, size_px=size if page.rotation % 180 == 0 else size[::-1])


def _behind(pixels: NDArray[np.uint8], box: Box, colour: int) -> tuple[int, int, int] | None:
    """Return the median pixel of a box; of heavy letters, that of the pixels unlike them if there are enough."""
    inside = _inside(pixels, box)
    if inside is None:
        return None
    middle = np.median(inside, axis=0)
    letters = np.array([colour >> 16 & 255, colour >> 8 & 255, colour & 255])
    if np.abs(middle - letters).max() <= _UNLIKE:
        unlike = inside[(np.abs(inside.astype(np.int32) - letters) > 2 * _UNLIKE).any(axis=1)]
        if len(unlike) >= _HEAVY * len(inside):
            middle = np.median(unlike, axis=0)
    red, green, blue = middle
    return (int(red), int(green), int(blue))


def _has_ink(pixels: NDArray[np.uint8], box: Box, colour: int) -> bool:
    """Say whether anything in a box is near the colour of its letters; nothing is where they are covered or cut off."""
    inside = _inside(pixels, box)
    if inside is None:
        return True
    letters = np.array([colour >> 16 & 255, colour >> 8 & 255, colour & 255])
    return bool((np.abs(inside.astype(np.int32) - letters).max(axis=1) <= _INK).any())


def _inside(pixels: NDArray[np.uint8], box: Box) -> NDArray[np.uint8] | None:
    height, width = pixels.shape[:2]
    x0, x1 = max(0, math.floor(box.x0 * width)), min(width, math.ceil(box.x1 * width))
    y0, y1 = max(0, math.floor(box.y0 * height)), min(height, math.ceil(box.y1 * height))
    return pixels[y0:y1, x0:x1].reshape(-1, 3) if x1 > x0 and y1 > y0 else None


def _drawn_share(pixels: NDArray[np.uint8], lines: tuple[DrawnLine, ...]) -> float:
    coarse = pixels.astype(np.int32) >> 4
    codes = (coarse[..., 0] << 8) + (coarse[..., 1] << 4) + coarse[..., 2]
    common = int(np.bincount(codes.ravel(), minlength=4096).argmax())
    main = np.median(pixels[codes == common].reshape(-1, 3), axis=0)
    unlike = (np.abs(pixels.astype(np.int32) - main.astype(np.int32)) > _UNLIKE).any(axis=2)
    height, width = unlike.shape
    for line in lines:
        x0, y0 = max(0, int(line.box.x0 * width) - 2), max(0, int(line.box.y0 * height) - 2)
        unlike[y0 : max(y0, int(line.box.y1 * height) + 3), x0 : max(x0, int(line.box.x1 * width) + 3)] = False
    return round(float(unlike.mean()), 4)


def _union(boxes: list[Rect]) -> Rect:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _turned(page: Any, bbox: Rect) -> Rect:
    pymupdf = mupdf()
    # Blocks carry coordinates of the unrotated page.
    turned = pymupdf.Rect(bbox) * page.rotation_matrix
    turned.normalize()
    return (turned.x0, turned.y0, turned.x1, turned.y1)


def _share(bbox: Rect, page: Any) -> Box:
    width, height = page.rect.width, page.rect.height
    x0, y0, x1, y1 = (
        round(value, 5) for value in (bbox[0] / width, bbox[1] / height, bbox[2] / width, bbox[3] / height)
    )
    return Box(x0=x0, y0=y0, x1=x1, y1=y1)


def _holds_centre(outer: Rect, inner: Rect) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
