"""All that rules need to know of a deck, read once; for worker processes, since MuPDF may crash on a bad file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from studio.decks.capture import screenshots
from studio.decks.content import unpacked
from studio.decks.evidence.office import office_slides
from studio.decks.evidence.pages import page_slides, with_page_text, with_pages
from studio.decks.images import image_kind, page_images
from studio.decks.limits import Limits
from studio.decks.mupdf_lines import DrawnPage, drawn_pages
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.structure.html import read_html_deck
from studio.decks.structure.odp import odp_facts, odp_slide_texts
from studio.decks.structure.shape_tree import read_structure
from studio.model.deck_evidence import DeckEvidence, Fact, Gap, SeenPicture, SlideEvidence, TextPiece
from studio.model.decks import DeckFormat
from studio.model.structure import Box

__all__ = ["read_evidence"]

_WHOLE = Box(x0=0.0, y0=0.0, x1=1.0, y1=1.0)
_EMU_PER_PT = 12_700
_NOT_DRAWN = "the deck's pages were not drawn"
_NAMES = {
    DeckFormat.PDF: "a PDF", DeckFormat.HTML: "an HTML deck", DeckFormat.IMAGES: "a deck of pictures",
    DeckFormat.ODP: "an OpenDocument file", DeckFormat.PPT: "a PowerPoint 97–2003 file",
}  # fmt: skip


def read_evidence(
    path: Path, *, format: DeckFormat, pdf: Path | None = None, why_no_pages: str = "", password: str | None = None,
    limits: Limits | None = None,
) -> DeckEvidence:  # fmt: skip
    """Return what is known of a deck.

    Args:
        path: the deck as delivered: a file, a folder, or a packed folder.
        format: what sniffing said it is.
        pdf: its pages as drawn by LibreOffice or Chromium; not needed for a PDF, unused for pictures.
        why_no_pages: the reason where `pdf` is None, such as that LibreOffice is missing.
        password: for a protected file.
        limits: bounds on what is read.

    Raises:
        DeckUnreadable: if the deck cannot be read at all.
    """
    limits = limits or Limits()
    if path.is_file() and is_encrypted_office(path):
        with decrypted(path, password) as plain:
            return read_evidence(plain, format=format, pdf=pdf, why_no_pages=why_no_pages, limits=limits)
    if format is DeckFormat.IMAGES:
        return _pictures(path, limits)
    if format is DeckFormat.PDF:
        return _pdf(path, password)
    pages = drawn_pages(str(pdf), password) if pdf is not None else None
    missing = Gap(reason=why_no_pages or _NOT_DRAWN, is_for_good=False)
    if format in OFFICE_FORMATS:
        return _office(path, format, pages, missing, limits)
    if format is DeckFormat.PPT:
        return _ppt(pages, missing)
    if format is DeckFormat.HTML:
        return _html(path, pages, missing, limits)
    return _odp(path, pages, missing, limits)


def _office(
    path: Path, format: DeckFormat, pages: Sequence[DrawnPage] | None, missing: Gap, limits: Limits
) -> DeckEvidence:
    deck = read_structure(path, format, limits)
    slides = office_slides(deck)
    width, height = deck.slide_size_emu
    return DeckEvidence(
        format=format, slides=slides if pages is None else with_pages(slides, pages),
        size_pt=(width / _EMU_PER_PT, height / _EMU_PER_PT),
        sections=tuple(section.name for section in deck.sections if section.slides),
        gaps={} if pages is not None else {Fact.PAGES: missing},
    )  # fmt: skip


def _pdf(path: Path, password: str | None) -> DeckEvidence:
    pages = drawn_pages(str(path), password)
    return DeckEvidence(
        format=DeckFormat.PDF, slides=page_slides(pages), size_pt=_size(pages), gaps=_no_objects(DeckFormat.PDF)
    )


def _ppt(pages: Sequence[DrawnPage] | None, missing: Gap) -> DeckEvidence:
    gaps = _no_objects(DeckFormat.PPT)
    if pages is None:
        gaps |= dict.fromkeys((Fact.SLIDES, Fact.TEXT, Fact.PICTURES, Fact.PAGES), missing)
    return DeckEvidence(format=DeckFormat.PPT, slides=page_slides(pages or ()), size_pt=_size(pages or ()), gaps=gaps)


def _html(path: Path, pages: Sequence[DrawnPage] | None, missing: Gap, limits: Limits) -> DeckEvidence:
    shots = _screenshots(path, limits)
    if shots is not None:
        return shots
    deck = read_html_deck(path, limits)
    gaps = _no_objects(DeckFormat.HTML)
    if pages is None:
        gaps |= dict.fromkeys((Fact.PICTURES, Fact.PAGES), missing)
        if deck.slides is None:
            gaps |= dict.fromkeys((Fact.SLIDES, Fact.TEXT), missing)
    if deck.slides is None:
        slides = page_slides(pages or ())
    else:
        slides = tuple(
            SlideEvidence(number=number, is_hidden=number in deck.hidden, title=title, pieces=_paragraphs(text))
            for number, (title, text) in enumerate(zip(deck.titles, deck.texts, strict=True), start=1)
        )
        slides = slides if pages is None else with_page_text(slides, pages)
    return DeckEvidence(format=DeckFormat.HTML, slides=slides, size_pt=_size(pages or ()), gaps=gaps)


def _odp(path: Path, pages: Sequence[DrawnPage] | None, missing: Gap, limits: Limits) -> DeckEvidence:
    gaps = _no_objects(DeckFormat.ODP)
    if pages is None:
        gaps |= dict.fromkeys((Fact.PICTURES, Fact.PAGES), missing)
    size = odp_facts(path, limits).slide_size_emu
    slides = tuple(
        SlideEvidence(
            number=text.number, is_hidden=text.is_hidden, title=text.title, pieces=_paragraphs(text.text)
        )
        for text in odp_slide_texts(path, limits)
    )  # fmt: skip
    return DeckEvidence(
        format=DeckFormat.ODP, slides=slides if pages is None else with_page_text(slides, pages),
        size_pt=(size[0] / _EMU_PER_PT, size[1] / _EMU_PER_PT) if size else _size(pages or ()), gaps=gaps,
    )  # fmt: skip


def _screenshots(path: Path, limits: Limits) -> DeckEvidence | None:
    if path.is_file():
        with path.open("rb") as file:
            if file.read(2) != b"PK":
                return None
    with unpacked(path, limits=limits) as folder:
        shots = screenshots(folder)
        return _of_pictures(shots, DeckFormat.HTML, limits) if shots else None


def _pictures(path: Path, limits: Limits) -> DeckEvidence:
    if path.is_file():
        with path.open("rb") as file:
            is_one = image_kind(file.read(16)) is not None
        if is_one:
            return _of_pictures((path,), DeckFormat.IMAGES, limits)
    with unpacked(path, limits=limits) as folder:
        return _of_pictures(page_images(folder), DeckFormat.IMAGES, limits)


def _of_pictures(pictures: Sequence[Path], format: DeckFormat, limits: Limits) -> DeckEvidence:
    limits.check_pages(len(pictures), "the deck")
    sizes = [_pixels(picture) for picture in pictures]
    reason = "the slides are pictures, of which nobody knows what stands on them"
    gap = Gap(reason=reason, is_for_good=True)
    first = next((size for size in sizes if size is not None), None)
    return DeckEvidence(
        format=format, size_pt=(float(first[0]), float(first[1])) if first else None,
        slides=tuple(
            SlideEvidence(
                number=number, is_readable=size is not None, is_picture=True,
                pictures=(SeenPicture(box=_WHOLE, size_px=size),) if size else (),
            )
            for number, size in enumerate(sizes, start=1)
        ),
        gaps=dict.fromkeys((Fact.TEXT, Fact.SHAPES, Fact.CHARTS, Fact.PAGES), gap),
    )  # fmt: skip


def _pixels(picture: Path) -> tuple[int, int] | None:
    try:
        with Image.open(picture) as image:
            return (image.width, image.height)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _paragraphs(text: str) -> tuple[TextPiece, ...]:
    lines = (line.strip() for line in text.splitlines())
    return tuple(TextPiece(text=line, box=None, block=block) for block, line in enumerate(lines) if line)


def _no_objects(format: DeckFormat) -> dict[Fact, Gap]:
    reason = f"{_NAMES[format]} does not tell of its objects"
    charts = f"{_NAMES[format]} does not tell of native charts"
    return {Fact.SHAPES: Gap(reason=reason, is_for_good=True), Fact.CHARTS: Gap(reason=charts, is_for_good=True)}


def _size(pages: Sequence[DrawnPage]) -> tuple[float, float] | None:
    return next(((page.width_pt, page.height_pt) for page in pages if page.width_pt > 0 and page.height_pt > 0), None)
