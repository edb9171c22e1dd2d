"""Facts of a deck file, read without rendering it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from studio.decks.capture import screenshots
from studio.decks.content import unpacked
from studio.decks.fonts import missing_fonts, missing_pdf_fonts
from studio.decks.images import page_images
from studio.decks.limits import Limits
from studio.decks.mupdf import pdf_facts
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.sniff import Sniffed, sniff
from studio.decks.structure.html import read_html_deck
from studio.decks.structure.odp import odp_facts
from studio.decks.structure.pptx import SlideText, pptx_facts, slide_texts
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFacts, DeckFormat, DeckWarning, Failure, FailureKind, FontFacts

__all__ = ["OFFICE_FORMATS", "SlideText", "inspect_file", "slide_texts"]

OFFICE_FORMATS = frozenset(
    {
        DeckFormat.PPTX,
        DeckFormat.POTX,
        DeckFormat.PPSX,
        DeckFormat.PPTM,
        DeckFormat.POTM,
        DeckFormat.PPSM,
    }
)
"""The PowerPoint formats whose structure is read."""

_EMU_PER_PT = 12_700
_PDF_TIMEOUT_S = 120.0
_MAX_ADDRESSES = 20


def inspect_file(path: Path, *, password: str | None = None, limits: Limits | None = None) -> DeckFacts:
    """Return the facts of a file; bad input fills `failure` instead of raising.

    Args:
        path: a file, an HTML folder, a folder of page pictures, or one of these folders packed as a zip.
        password: for a protected file.
        limits: bounds on what is read.
    """
    limits = limits or Limits()
    sniffed: Sniffed | None = None
    try:
        if path.is_file() and is_encrypted_office(path):
            with decrypted(path, password) as plain:
                facts = inspect_file(plain, limits=limits)
                return replace(facts, container="ole") if facts.format is not None else facts
        sniffed = sniff(path, limits=limits)
        return _facts(path, sniffed, password, limits)
    except DeckUnreadable as error:
        return _failed(path, sniffed, Failure(kind=error.kind, message=str(error)))
    except (OSError, RecursionError, MemoryError) as error:
        message = f"{path.name} cannot be read: {error or type(error).__name__}."
        return _failed(path, sniffed, Failure(kind=FailureKind.UNREADABLE, message=message))


def _failed(path: Path, sniffed: Sniffed | None, failure: Failure) -> DeckFacts:
    return DeckFacts(
        format=sniffed.deck_format if sniffed is not None else None,
        container=sniffed.container if sniffed is not None else _container(path),
        failure=failure,
    )


def _container(path: Path) -> str:
    try:
        if path.is_dir():
            return "folder"
        # Opening a pipe would wait for whoever writes into it.
        if not path.is_file():
            return "unknown"
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError:
        return "unknown"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return "ole"
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    return "pdf" if b"%PDF-" in head else "unknown"


def _facts(path: Path, sniffed: Sniffed, password: str | None, limits: Limits) -> DeckFacts:
    match sniffed.deck_format:
        case DeckFormat.PDF:
            return _pdf(path, password, limits)
        case DeckFormat.HTML:
            return _html(path, sniffed, limits)
        case DeckFormat.IMAGES:
            return _images(path, sniffed, limits)
        case DeckFormat.ODP:
            return odp_facts(path, limits)
        case DeckFormat.PPT:
            return DeckFacts(
                format=DeckFormat.PPT,
                container="ole",
                warnings=(
                    DeckWarning(
                        slide=None,
                        message="A PowerPoint 97–2003 file is rendered, but its structure is not read.",
                    ),
                ),
            )
        case None:
            raise DeckUnreadable(
                FailureKind.NOT_A_DECK,
                f"{path.name} is no deck but a {sniffed.what}.",
                next_step="Choose a PowerPoint, OpenDocument, PDF or HTML file, or a folder of pictures.",
            )
        case office:
            return pptx_facts(path, office, limits)


def _pdf(path: Path, password: str | None, limits: Limits) -> DeckFacts:
    limits.check_file_bytes(path.stat().st_size, path.name)
    found = in_worker(pdf_facts, str(path), password, limits.max_pages, timeout_s=_PDF_TIMEOUT_S)
    warnings: list[str] = []
    if found.was_repaired:
        warnings.append("The PDF is damaged and was repaired while reading.")
    if found.distinct_sizes > 1:
        warnings.append(f"Its pages have {found.distinct_sizes} different sizes.")
    size = found.size_pt
    return DeckFacts(
        format=DeckFormat.PDF,
        container="pdf",
        slides=found.pages,
        hidden_slides=0,
        slide_size_emu=(round(size[0] * _EMU_PER_PT), round(size[1] * _EMU_PER_PT)) if size else None,
        fonts=FontFacts(asked=found.fonts, missing=missing_pdf_fonts(found.fonts_not_embedded)),
        warnings=tuple(DeckWarning(slide=None, message=message) for message in warnings),
    )


def _html(path: Path, sniffed: Sniffed, limits: Limits) -> DeckFacts:
    deck = read_html_deck(path, limits)
    if sniffed.container != "html":
        with unpacked(path, limits=limits) as folder:
            shots = len(screenshots(folder))
        if shots:
            limits.check_pages(shots, path.name)
            message = f"A saved web page with {shots} screenshots: these are shown."
            return DeckFacts(
                format=DeckFormat.HTML,
                container=sniffed.container,
                slides=shots,
                hidden_slides=0,
                warnings=(DeckWarning(slide=None, message=message),),
            )
    warnings = external_warnings(deck.external, deck.lacking)
    if deck.slides is None:
        warnings.append("No slides were recognised in the page; its print layout decides.")
    return DeckFacts(
        format=DeckFormat.HTML,
        container=sniffed.container,
        slides=deck.slides,
        hidden_slides=len(deck.hidden) if deck.slides is not None else None,
        hidden=deck.hidden,
        fonts=FontFacts(asked=deck.fonts, missing=missing_fonts(deck.fonts)),
        warnings=tuple(DeckWarning(slide=None, message=message) for message in warnings),
    )


def external_warnings(external: tuple[str, ...], lacking: tuple[str, ...]) -> list[str]:
    """Return one line for each address that a page does not get, the first twenty of each kind."""
    lines = [f"refers to {address}, which is not loaded" for address in external[:_MAX_ADDRESSES]]
    if len(external) > _MAX_ADDRESSES:
        lines.append(f"refers to {len(external) - _MAX_ADDRESSES} more addresses that are not loaded")
    lines += [f"refers to {address}, which is not beside the page" for address in lacking[:_MAX_ADDRESSES]]
    if len(lacking) > _MAX_ADDRESSES:
        lines.append(f"refers to {len(lacking) - _MAX_ADDRESSES} more files that are not beside the page")
    return lines


def _images(path: Path, sniffed: Sniffed, limits: Limits) -> DeckFacts:
    if sniffed.is_one_page:
        return DeckFacts(format=DeckFormat.IMAGES, container=sniffed.container, slides=1, hidden_slides=0)
    with unpacked(path, limits=limits) as folder:
        pages = page_images(folder)
    limits.check_pages(len(pages), path.name)
    return DeckFacts(format=DeckFormat.IMAGES, container=sniffed.container, slides=len(pages), hidden_slides=0)
