"""How many pictures a source holds."""

from __future__ import annotations

from pathlib import Path

from lxml import etree, html
from markdown_it import MarkdownIt

from studio.decks.archive import opened_zip
from studio.decks.limits import Limits
from studio.decks.mupdf import opened_pdf
from studio.decks.sources import read_text
from studio.decks.structure.html import read_html_text
from studio.decks.workers import in_worker
from studio.model.decks import SourceFormat

_TIMEOUT_S = 120.0
_RASTERS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".emf", ".wmf", ".svg", ".webp")


def count_images(path: Path, format: SourceFormat, *, password: str | None = None) -> int:
    """Return the number of pictures that a source shows; one that is used twice counts once in PDF and Word.

    Raises:
        DeckUnreadable: if it cannot be read.
    """
    match format:
        case SourceFormat.IMAGE:
            return 1
        case SourceFormat.PDF:
            return in_worker(pdf_images, str(path), password, timeout_s=_TIMEOUT_S)
        case SourceFormat.DOCX:
            with opened_zip(path, Limits()) as archive:
                return sum(
                    name.startswith("word/media/") and name.lower().endswith(_RASTERS) for name in archive.namelist()
                )
        case SourceFormat.HTML:
            return _html_images(read_html_text(path))
        case SourceFormat.MARKDOWN:
            tokens = MarkdownIt("commonmark").enable("table").parse(read_text(path))
            return sum(child.type == "image" for token in tokens for child in token.children or ())
        case SourceFormat.TEXT:
            return 0


def pdf_images(path: str, password: str | None) -> int:
    """Return the number of distinct pictures in a PDF; for worker processes."""
    with opened_pdf(path, password) as document:
        found = set()
        for number in range(document.page_count):
            found |= {image[0] for image in document.get_page_images(number)}
        return len(found)


def _html_images(text: str) -> int:
    try:
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, etree.XMLSyntaxError):
        return 0
    return sum(1 for _ in tree.iter("img", "svg"))
