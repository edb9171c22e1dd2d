"""What rendering gives back, and what every step of it needs to know."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from studio.decks.fonts import fonts_fingerprint, missing_fonts
from studio.decks.limits import Limits
from studio.decks.structure.pptx import SlideText
from studio.decks.tools import RenderTools, program_version
from studio.model.decks import DeckFormat, DeckWarning, Failure, TextBox
from studio.model.protocols import CancelToken

THUMB_PX = (480, 270)
"""The box that thumbnails are fitted into."""
PAGE_TIMEOUT_S = 60.0
"""For rendering one page."""
READ_TIMEOUT_S = 120.0
"""For reading a whole PDF without rendering it."""


@dataclass(frozen=True, kw_only=True)
class RenderedPage:
    """One slide as it looks."""

    number: int
    """Slide number from 1, hidden slides counted."""
    page: int | None
    """Page of the PDF or number of the picture, from 1; None without a picture."""
    is_hidden: bool
    image: Path | None
    thumb: Path | None
    width_px: int
    height_px: int
    text: str
    notes: str
    boxes: tuple[TextBox, ...] | None
    """None: nothing is known of text regions; empty: a slide without text."""
    fonts: tuple[str, ...] = ()
    """Fonts that the slide asks for, as far as its format tells."""
    missing_fonts: tuple[str, ...] = ()
    """Those of them that were not there when it was drawn."""


@dataclass(frozen=True, kw_only=True)
class RenderedDeck:
    """All pictures of a deck, or why there are none."""

    pages: tuple[RenderedPage, ...] = ()
    raster_px: tuple[int, int] | None = None
    """Size of the first picture."""
    renderer: str = ""
    """Names and versions, such as ``LibreOffice 7.4.7.2 + MuPDF 2.0``."""
    pdf: Path | None = None
    warnings: tuple[DeckWarning, ...] = ()
    missing_fonts: tuple[str, ...] = ()
    seconds: float = 0.0
    failure: Failure | None = None


@dataclass(frozen=True, kw_only=True)
class RenderJob:
    """What every step of one rendering needs."""

    path: Path
    out_dir: Path
    format: DeckFormat
    tools: RenderTools
    box_px: tuple[int, int]
    timeout_s: float | None
    cancel: CancelToken | None
    password: str | None
    limits: Limits
    with_hidden: bool = False


def picture_files(out_dir: Path, number: int) -> tuple[str, str]:
    """Return the names of a slide's picture and thumbnail."""
    return str(out_dir / f"slide_{number:04d}.png"), str(out_dir / f"thumb_{number:04d}.png")


def without_picture(slide: SlideText) -> RenderedPage:
    """Return a slide that has no picture."""
    return RenderedPage(
        number=slide.number, page=None, is_hidden=slide.is_hidden, image=None, thumb=None, width_px=0,
        height_px=0, text=slide.text, notes=slide.notes, boxes=None, fonts=slide.fonts,
        missing_fonts=missing_fonts(slide.fonts),
    )  # fmt: skip


def renderer_name(name: str, program: Path | None) -> str:
    """Return a program's name with its version."""
    known = program_version(program) if program is not None else ""
    return f"{name} {known}".strip()


def renderer_fingerprint(format: DeckFormat, tools: RenderTools) -> str:
    """Return eight letters that change with whatever changes how a deck of this format looks.

    That are the versions of the programs that draw it and, for all but pictures and PDF, the fonts here.
    """
    match format:
        case DeckFormat.IMAGES:
            parts = [package_version("pillow")]
        case DeckFormat.PDF:
            parts = [mupdf_name()]
        case DeckFormat.HTML:
            parts = [renderer_name("Chromium", tools.chromium), mupdf_name(), fonts_fingerprint()]
        case _:
            parts = [renderer_name("LibreOffice", tools.libreoffice), mupdf_name(), fonts_fingerprint()]
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:8]


def mupdf_name() -> str:
    """Return MuPDF's name with its version."""
    return f"MuPDF {package_version('pymupdf')}"


def package_version(package: str) -> str:
    """Return the version of an installed package, empty if it is not known."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
