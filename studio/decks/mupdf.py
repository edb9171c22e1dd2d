"""What MuPDF does, as functions for worker processes; nothing else in the studio imports pymupdf."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from studio.decks.limits import Limits, safe_xml_parser
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind


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
class PdfOutlineEntry:
    """One bookmark."""

    level: int
    title: str
    page: int


def mupdf() -> Any:
    """Return the module pymupdf."""
    # Imported late: it costs half a second and belongs into workers only.
    return importlib.import_module("pymupdf")


@contextlib.contextmanager
def opened_pdf(path: str, password: str | None) -> Iterator[Any]:
    """Open a PDF, or raise `DeckUnreadable` with the reason."""
    pymupdf = mupdf()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    name = Path(path).name
    try:
        if _is_utf_8(path):
            document = pymupdf.open(path, filetype="pdf")
        else:
            # MuPDF takes names as UTF-8 and finds no file whose name is other bytes.
            document = pymupdf.open(stream=Path(path).read_bytes(), filetype="pdf")
    except MemoryError:
        raise
    except Exception as error:  # MuPDF raises many types
        raise _does_not_open(path, error) from None
    with document:
        if document.needs_pass and not _opens(document, password or ""):
            what = "the password given is wrong" if password else "it is protected with a password"
            raise DeckUnreadable(
                FailureKind.NEEDS_PASSWORD,
                f"{name} cannot be opened: {what}.",
                next_step="Give its password, or save a copy without one.",
            )
        try:
            yield document
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
            # A damaged page tree shows only when it is walked.
            raise _does_not_open(path, error) from None


def _is_utf_8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


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
    with opened_pdf(path, password) as document:
        n_pages = document.page_count
        if n_pages < 1:
            raise _damaged(path, f"{Path(path).name} is a PDF without pages.")
        Limits(max_pages=max_pages).check_pages(n_pages, Path(path).name)
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
    with mupdf().open(path, filetype="pdf") as document:
        return bool(document.needs_pass)


def save_without_password(path: str, password: str, out: str) -> None:
    """Write a copy of a protected PDF that opens without its password.

    Raises:
        DeckUnreadable: kind ``needs_password`` if the password is wrong.
    """
    with opened_pdf(path, password) as document:
        document.save(out, encryption=mupdf().PDF_ENCRYPT_NONE)


def pdf_metadata(path: str, password: str | None) -> list[tuple[str, str]]:
    """Return what a PDF says about its making: its information, XMP and annotations, as names and texts."""
    with opened_pdf(path, password) as document:
        skipped = {"format", "encryption", "creationDate", "modDate", "trapped"}
        told = [(key, str(text)) for key, text in (document.metadata or {}).items() if text and key not in skipped]
        told += _xmp(document)
        for number in range(document.page_count):
            try:
                for note in document[number].annots(types=[mupdf().PDF_ANNOT_TEXT]):
                    told += [(f"comment on page {number + 1}", str(note.info.get(key))) for key in ("title", "content")
                             if note.info.get(key)]  # fmt: skip
            except MemoryError:
                raise
            except Exception:  # one damaged page costs its own comments only
                continue
        return told


def _xmp(document: Any) -> list[tuple[str, str]]:
    try:
        root = etree.fromstring(str(document.get_xml_metadata()).encode(), safe_xml_parser(recover=True))
    except Exception:  # damaged XMP is no reason to refuse a PDF
        return []
    told = []
    for node in root.iter() if root is not None else ():
        if not isinstance(node.tag, str):
            continue
        name = str(etree.QName(node).localname)
        attributes = [(str(etree.QName(key).localname), str(text)) for key, text in node.attrib.items()]
        if (node.text or "").strip():
            parent = node.getparent()
            holder = parent.getparent() if name == "li" and parent is not None else None
            attributes.append((str(etree.QName(holder).localname) if holder is not None else name, str(node.text)))
        told += [(f"XMP {key}", text.strip()) for key, text in attributes if key in _XMP_TELLING]
    return told


_XMP_TELLING = frozenset({"creator", "CreatorTool", "Producer", "publisher", "softwareAgent", "rights", "title",
                          "description", "Author", "AuthorsPosition", "HistorySoftwareAgent", "credit"})  # fmt: skip


def save_without_metadata(path: str, password: str | None, out: str) -> None:
    """Write a copy of a PDF without information, XMP, comments, attached files, scripts and thumbnails."""
    with opened_pdf(path, password) as document:
        pymupdf = mupdf()
        document.scrub(
            attached_files=True, clean_pages=False, embedded_files=True, hidden_text=False, javascript=True,
            metadata=True, redactions=False, remove_links=False, reset_fields=False, reset_responses=False,
            thumbnails=True, xml_metadata=True,
        )  # fmt: skip
        for page in document:
            for note in list(page.annots(types=[pymupdf.PDF_ANNOT_TEXT])):
                page.delete_annot(note)
        document.save(out, garbage=3, deflate=True, encryption=pymupdf.PDF_ENCRYPT_NONE, no_new_id=True)


def page_sizes(path: str, password: str | None) -> tuple[tuple[float, float], ...]:
    """Return width and height of every page in points, rotation applied; (0, 0) for a damaged page."""
    with opened_pdf(path, password) as document:
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
    with opened_pdf(path, password) as document:
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
    with opened_pdf(path, password) as document:
        try:
            entries = document.get_toc(simple=True)
        except Exception:
            return ()
        return tuple(
            PdfOutlineEntry(level=int(level), title=str(title).strip(), page=max(1, int(page)))
            for level, title, page, *_ in entries
            if str(title).strip()
        )


def heading_lines(path: str, password: str | None) -> tuple[PdfOutlineEntry, ...]:
    """Return the lines of a PDF that look like headings: short, and in letters clearly above the body's.

    For PDFs without bookmarks. At most three levels, by size; several lines of one heading are one entry.
    """
    lines: list[tuple[int, float, str]] = []
    weights: dict[float, int] = {}
    with opened_pdf(path, password) as document:
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


def _opens(document: Any, password: str) -> bool:
    try:
        password.encode()
    except UnicodeEncodeError:
        # A terminal hands over bytes that are no text as lone surrogates, which MuPDF refuses to look at.
        return False
    return bool(document.authenticate(password))
