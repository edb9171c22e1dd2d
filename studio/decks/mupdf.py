"""What MuPDF does, as functions for worker processes; nothing else in the studio imports pymupdf."""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind, TextBox

_IMAGE_SHARE = 0.25
"""From this share of the page on, a picture on a page without text may itself hold text."""
_MAX_BLOCKS = 2000


@dataclass(frozen=True, kw_only=True)
class PdfFacts:
    """What a PDF says about itself."""

    pages: int
    size_pt: tuple[float, float] | None
    """Width and height of the first page as shown, rotation applied; 72 points are an inch."""
    distinct_sizes: int
    """Among the pages looked at."""
    fonts: tuple[str, ...]
    """Names as in the file, with their subset prefix."""
    fonts_not_embedded: tuple[str, ...]
    was_repaired: bool
    needed_password: bool


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


@dataclass(frozen=True, kw_only=True)
class PdfOutlineEntry:
    """One bookmark."""

    level: int
    title: str
    page: int


def _mupdf() -> Any:
    # Imported late: it costs half a second and belongs into workers only.
    return importlib.import_module("pymupdf")


@contextlib.contextmanager
def _opened(path: str, password: str | None) -> Iterator[Any]:
    pymupdf = _mupdf()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    name = Path(path).name
    try:
        document = pymupdf.open(path, filetype="pdf")
    except MemoryError:
        raise
    except Exception as error:  # MuPDF raises many types
        raise _does_not_open(path, error) from None
    with document:
        if document.needs_pass and not document.authenticate(password or ""):
            what = "the password given is wrong" if password else "it is protected with a password"
            raise DeckUnreadable(
                FailureKind.NEEDS_PASSWORD,
                f"{name} cannot be opened: {what}.",
                next_step="Give its password, or save a copy without one.",
            )
        yield document


def _does_not_open(path: str, error: Exception) -> DeckUnreadable:
    name = Path(path).name
    detail = str(error).replace(path, name).splitlines()[0] if str(error) else type(error).__name__
    return _damaged(path, f"{name} is a damaged PDF that cannot be repaired ({detail.rstrip('.')}).")


def _damaged(path: str, message: str) -> DeckUnreadable:
    """Return the error for a PDF that shows nothing: truncated if its end is missing."""
    with Path(path).open("rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - 2048))
        tail = file.read()
    if b"%%EOF" not in tail and b"startxref" not in tail:
        return DeckUnreadable(
            FailureKind.TRUNCATED,
            f"{Path(path).name} ends too early: the end of the PDF is missing.",
            next_step="Download or copy the file again.",
        )
    return DeckUnreadable(
        FailureKind.UNREADABLE,
        message,
        next_step="Print or export it anew in the program that made it.",
    )


def pdf_facts(path: str, password: str | None, max_pages: int) -> PdfFacts:
    """Return the facts of a PDF.

    Raises:
        DeckUnreadable: kind ``truncated``, ``unreadable``, ``needs_password`` or ``too_large``.
    """
    with _opened(path, password) as document:
        n_pages = document.page_count
        if n_pages < 1:
            raise _damaged(path, f"{Path(path).name} is a PDF without pages.")
        if n_pages > max_pages:
            raise DeckUnreadable(
                FailureKind.TOO_LARGE,
                f"{Path(path).name} has {n_pages:,} pages; the limit is {max_pages:,} pages.",
            )
        sizes: list[tuple[float, float]] = []
        fonts: set[str] = set()
        not_embedded: set[str] = set()
        for number in range(n_pages):
            try:
                page = document[number]
                sizes.append((round(page.rect.width, 1), round(page.rect.height, 1)))
                for _xref, extension, _kind, name, *_rest in page.get_fonts(full=True):
                    fonts.add(name)
                    if extension == "n/a":
                        not_embedded.add(name)
            except MemoryError:
                raise
            except Exception:  # one damaged page costs its own facts only
                continue
        if not sizes:
            raise _damaged(path, f"{Path(path).name}: none of its {n_pages} pages can be read.")
        return PdfFacts(
            pages=n_pages,
            size_pt=sizes[0],
            distinct_sizes=len(set(sizes)),
            fonts=tuple(sorted(fonts)),
            fonts_not_embedded=tuple(sorted(not_embedded)),
            was_repaired=bool(document.is_repaired),
            # needs_pass turns false once the password was given.
            needed_password=bool(password) and needs_password(path),
        )


def needs_password(path: str) -> bool:
    """Say whether a PDF cannot be read without a password."""
    with _mupdf().open(path, filetype="pdf") as document:
        return bool(document.needs_pass)


def save_without_password(path: str, password: str, out: str) -> None:
    """Write a copy of a protected PDF that opens without its password.

    Raises:
        DeckUnreadable: kind ``needs_password`` if the password is wrong.
    """
    with _opened(path, password) as document:
        document.save(out, encryption=_mupdf().PDF_ENCRYPT_NONE)


def page_sizes(path: str, password: str | None) -> tuple[tuple[float, float], ...]:
    """Return width and height of every page in points, rotation applied; (0, 0) for a damaged page."""
    with _opened(path, password) as document:
        sizes: list[tuple[float, float]] = []
        for number in range(document.page_count):
            try:
                rect = document[number].rect
                sizes.append((float(rect.width), float(rect.height)))
            except Exception:
                sizes.append((0.0, 0.0))
        return tuple(sizes)


def page_texts(path: str, password: str | None) -> tuple[str, ...]:
    """Return the plain text of every page; empty for a page that cannot be read."""
    with _opened(path, password) as document:
        texts: list[str] = []
        for number in range(document.page_count):
            try:
                texts.append(document[number].get_text("text", sort=True))
            except MemoryError:
                raise
            except Exception:
                texts.append("")
        return tuple(texts)


def outline(path: str, password: str | None) -> tuple[PdfOutlineEntry, ...]:
    """Return the bookmarks of a PDF in order; empty if it has none or they are damaged."""
    with _opened(path, password) as document:
        try:
            entries = document.get_toc(simple=True)
        except Exception:
            return ()
        return tuple(
            PdfOutlineEntry(level=int(level), title=str(title).strip(), page=max(1, int(page)))
            for level, title, page, *_ in entries
            if str(title).strip()
        )


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
    with _opened(path, password) as document:
        for number, image, thumb in pages:
            try:
                page = document[number - 1]
                picture = _page_picture(page, box_px)
                text = _page_text(page)
            except MemoryError:
                raise
            except Exception as error:  # MuPDF raises many types
                raise DeckUnreadable(
                    FailureKind.RENDER_FAILED, f"Page {number} cannot be rendered: {error}."
                ) from None
            picture.save(image, compress_level=1)
            if thumb is not None:
                save_thumb(picture, thumb_px, thumb)
            done.append(PagePicture(page=number, width_px=picture.width, height_px=picture.height, text=text))
    return tuple(done)


def save_thumb(picture: Image.Image, thumb_px: tuple[int, int], out: str) -> None:
    """Write a picture fitted into the thumbnail box."""
    size = fitted_px(picture.width, picture.height, thumb_px)
    picture.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0).save(out, compress_level=1)


def _page_picture(page: Any, box_px: tuple[int, int]) -> Image.Image:
    pymupdf = _mupdf()
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
    return PageText(
        text="\n".join(box.text for box in boxes), boxes=tuple(boxes), largest=_largest(boxes, sizes)
    )


def _turned(page: Any, bbox: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    pymupdf = _mupdf()
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
    pymupdf = _mupdf()
    area = abs(page.rect.width * page.rect.height)
    total = 0.0
    for image in page.get_image_info():
        shown = pymupdf.Rect(image["bbox"]) * page.rotation_matrix
        shown.normalize()
        shown = shown & page.rect
        if not shown.is_empty:
            total += shown.width * shown.height
    return min(1.0, total / area) if area else 0.0


def heading_lines(path: str, password: str | None) -> tuple[PdfOutlineEntry, ...]:
    """Return the lines of a PDF that look like headings: short, and in letters clearly above the body's.

    For PDFs without bookmarks. At most three levels, by size; several lines of one heading are one entry.
    """
    lines: list[tuple[int, float, str]] = []
    weights: dict[float, int] = {}
    with _opened(path, password) as document:
        for number in range(document.page_count):
            try:
                blocks = document[number].get_text("dict")["blocks"]
            except MemoryError:
                raise
            except Exception:  # one damaged page costs its own headings only
                continue
            for block in blocks:
                if block["type"] != 0:
                    continue
                for line in block["lines"]:
                    text = "".join(span["text"] for span in line["spans"]).strip()
                    if not text:
                        continue
                    size = round(max(span["size"] for span in line["spans"]) * 2) / 2
                    weights[size] = weights.get(size, 0) + len(text)
                    lines.append((number + 1, size, text))
    if not weights:
        return ()
    body = max(weights, key=lambda size: weights[size])
    sizes = sorted({size for size in weights if size >= 1.15 * body}, reverse=True)[:3]
    found: list[PdfOutlineEntry] = []
    previous: tuple[int, float] | None = None
    for page, size, text in lines:
        is_heading = size in sizes and any(letter.isalpha() for letter in text)
        if is_heading and previous == (page, size) and len(found[-1].title) + len(text) < 160:
            found[-1] = PdfOutlineEntry(level=found[-1].level, title=f"{found[-1].title} {text}", page=page)
        elif is_heading and len(text) <= 120:
            found.append(PdfOutlineEntry(level=sizes.index(size) + 1, title=text, page=page))
        else:
            previous = None
            continue
        previous = (page, size)
    return tuple(found)
