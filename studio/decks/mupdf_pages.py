"""Pages rendered by MuPDF, with the places of their text; for worker processes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PIL import Image

from studio.decks.mupdf import mupdf, opened_pdf
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind, TextBox

_IMAGE_SHARE = 0.25
"""From this share of the page on, a picture on a page without text may itself hold text."""
_MAX_BLOCKS = 2000


@dataclass(frozen=True, kw_only=True)
class PageText:
    """The text layer of one page."""

    text: str
    boxes: tuple[TextBox, ...] | None
    """One per block; None if the page is a picture whose text nobody knows."""
    largest: int | None
    """Index of the box with clearly the largest letters in the upper half, if there is one."""


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """One rendered page."""

    page: int
    width_px: int
    height_px: int
    text: PageText
    fonts: tuple[str, ...] = ()
    """Fonts of the page as the file names them, without their subset prefix."""
    fonts_not_embedded: tuple[str, ...] = ()


def fitted_px(width: float, height: float, box_px: tuple[int, int]) -> tuple[int, int]:
    """Return the pixel size of a page fitted into a box without padding; 4:3 in 1280×720 gives 960×720.

    Raises:
        ValueError: if the page has no finite, positive size.
    """
    if not (math.isfinite(width) and math.isfinite(height)) or width <= 0 or height <= 0:
        raise ValueError(f"a page of {width} × {height} points has no size to render")
    scale = min(box_px[0] / width, box_px[1] / height)
    return (
        min(box_px[0], max(1, round(width * scale))),
        min(box_px[1], max(1, round(height * scale))),
    )


def render_pages(
    path: str,
    password: str | None,
    pages: tuple[tuple[int, str, str | None], ...],
    box_px: tuple[int, int],
    thumb_px: tuple[int, int],
) -> tuple[PagePicture, ...]:
    """Render pages to PNG files and return their sizes and texts.

    Args:
        path: the PDF.
        password: for a protected one.
        pages: page number from 1, file for the picture, file for the thumbnail or None.
        box_px: the box that pictures are fitted into.
        thumb_px: the box for thumbnails.

    Raises:
        DeckUnreadable: kind ``render_failed`` for the first page that cannot be rendered.
    """
    done: list[PagePicture] = []
    with opened_pdf(path, password) as document:
        for number, image, thumb in pages:
            try:
                page = document[number - 1]
                picture = _page_picture(page, box_px)
                text = _page_text(page)
                fonts, loose = _page_fonts(page)
            except MemoryError:
                raise
            except Exception as error:  # MuPDF raises many types
                raise DeckUnreadable(FailureKind.RENDER_FAILED, f"Page {number} cannot be rendered: {error}.") from None
            picture.save(image, compress_level=1)
            if thumb is not None:
                save_thumb(picture, thumb_px, thumb)
            done.append(
                PagePicture(
                    page=number,
                    width_px=picture.width,
                    height_px=picture.height,
                    text=text,
                    fonts=fonts,
                    fonts_not_embedded=loose,
                )
            )
    return tuple(done)


def _page_fonts(page: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    listed = [(str(name).partition("+")[2] or str(name), extension) for _, extension, _, name, *_ in page.get_fonts()]
    return (
        tuple(sorted({name for name, _ in listed})),
        tuple(sorted({name for name, extension in listed if extension == "n/a"})),
    )


def save_thumb(picture: Image.Image, thumb_px: tuple[int, int], out: str) -> None:
    """Write a picture fitted into the thumbnail box."""
    size = fitted_px(picture.width, picture.height, thumb_px)
    picture.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0).save(out, compress_level=1)


def _page_picture(page: Any, box_px: tuple[int, int]) -> Image.Image:
    pymupdf = mupdf()
    rect = page.rect
    width, height = fitted_px(rect.width, rect.height, box_px)
    matrix = pymupdf.Matrix(width / rect.width, height / rect.height)
    pixmap = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False)
    picture = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    # Page boxes that do not start at whole pixels come out one pixel larger.
    return picture if picture.size == (width, height) else picture.crop((0, 0, width, height))


def _page_text(page: Any) -> PageText:
    rect = page.rect
    boxes: list[TextBox] = []
    sizes: list[float] = []
    for block in page.get_text("dict", sort=False)["blocks"][:_MAX_BLOCKS]:
        if block["type"] != 0:
            continue
        lines = [line for line in block["lines"] if any(span["text"].strip() for span in line["spans"])]
        if not lines:
            continue
        # Blocks carry coordinates of the unrotated page.
        corners = [_turned(page, line["bbox"]) for line in lines]
        box = _box(
            min(c[0] for c in corners),
            min(c[1] for c in corners),
            max(c[2] for c in corners),
            max(c[3] for c in corners),
            (rect.width, rect.height),
            "\n".join("".join(span["text"] for span in line["spans"]).strip() for line in lines),
        )
        if box is not None:
            boxes.append(box)
            sizes.append(max(span["size"] for line in lines for span in line["spans"]))
    if not boxes and _image_share(page) >= _IMAGE_SHARE:
        return PageText(text="", boxes=None, largest=None)
    return PageText(text="\n".join(box.text for box in boxes), boxes=tuple(boxes), largest=_largest(boxes, sizes))


def _turned(page: Any, bbox: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    pymupdf = mupdf()
    turned = pymupdf.Rect(bbox) * page.rotation_matrix
    turned.normalize()
    return (turned.x0, turned.y0, turned.x1, turned.y1)


def _box(x0: float, y0: float, x1: float, y1: float, size: tuple[float, float], text: str) -> TextBox | None:
    left, right = (min(1.0, max(0.0, x / size[0])) for x in (x0, x1))
    top, bottom = (min(1.0, max(0.0, y / size[1])) for y in (y0, y1))
    if right <= left or bottom <= top:
        return None
    return TextBox(x0=left, y0=top, x1=right, y1=bottom, text=text)


def _largest(boxes: list[TextBox], sizes: list[float]) -> int | None:
    if len(boxes) < 2:
        return None
    order = sorted(range(len(boxes)), key=lambda index: -sizes[index])
    first, second = order[0], order[1]
    is_clear = sizes[first] > 1.15 * sizes[second]
    return first if is_clear and boxes[first].y0 < 0.5 else None


def _image_share(page: Any) -> float:
    """Return how much of the page its pictures cover, 0 to 1; overlaps count twice, up to 1."""
    pymupdf = mupdf()
    area = abs(page.rect.width * page.rect.height)
    total = 0.0
    for image in page.get_image_info():
        shown = pymupdf.Rect(image["bbox"]) * page.rotation_matrix
        shown.normalize()
        shown = shown & page.rect
        if not shown.is_empty:
            total += shown.width * shown.height
    return min(1.0, total / area) if area else 0.0
