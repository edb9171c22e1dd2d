"""What a file is, by its content; a name decides only between plain text and Markdown."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import charset_normalizer
import olefile  # type: ignore[import-untyped]
from lxml import etree

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.images import image_kind, image_suffix, is_noise, page_images
from studio.decks.limits import Limits, safe_xml_parser
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat, FailureKind, SourceFormat

_HEAD = 4096
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_P = "application/vnd.openxmlformats-officedocument.presentationml."
_MS = "application/vnd.ms-powerpoint."
_MAIN_TYPES: dict[str, DeckFormat] = {
    f"{_P}presentation.main+xml": DeckFormat.PPTX,
    f"{_P}template.main+xml": DeckFormat.POTX,
    f"{_P}slideshow.main+xml": DeckFormat.PPSX,
    f"{_MS}presentation.macroEnabled.main+xml": DeckFormat.PPTM,
    f"{_MS}template.macroEnabled.main+xml": DeckFormat.POTM,
    f"{_MS}slideshow.macroEnabled.main+xml": DeckFormat.PPSM,
}
_WORD = re.compile(r"application/vnd\.(openxmlformats-officedocument\.wordprocessingml|ms-word)\.")
_OTHER_OFFICE = {
    "spreadsheetml": "an Excel workbook",
    "ms-excel": "an Excel workbook",
    "visio": "a Visio drawing",
}
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd"})
_HTML_TAG = re.compile(rb"<(!doctype\s+html|html|head|body|section|div|meta|title|style)[\s>]", re.IGNORECASE)
_LFS = b"version https://git-lfs.github.com/spec/"

DECK_NAMES: dict[DeckFormat, str] = {
    DeckFormat.PPTX: "PowerPoint presentation",
    DeckFormat.POTX: "PowerPoint template",
    DeckFormat.PPSX: "PowerPoint slide show",
    DeckFormat.PPTM: "PowerPoint presentation with macros",
    DeckFormat.POTM: "PowerPoint template with macros",
    DeckFormat.PPSM: "PowerPoint slide show with macros",
    DeckFormat.PPT: "PowerPoint 97–2003 presentation",
    DeckFormat.ODP: "OpenDocument presentation",
    DeckFormat.PDF: "PDF document",
    DeckFormat.HTML: "HTML page",
    DeckFormat.IMAGES: "folder of page pictures",
}
"""What people call each format."""


@dataclass(frozen=True, kw_only=True)
class Sniffed:
    """What a file turned out to be."""

    format: DeckFormat | SourceFormat | None
    """None: neither a deck nor a source. PDF and HTML come as deck formats; they may be sources too."""
    container: str
    """``zip``, ``ole``, ``pdf``, ``html``, ``folder``, ``image`` or ``unknown``."""
    what: str
    """For people, such as ``PowerPoint presentation`` or ``PNG picture``."""
    is_one_page: bool = False
    """A picture that is called one. It may be a deck of one page; a picture named .pptx is a mistake, not a deck."""

    @property
    def deck_format(self) -> DeckFormat | None:
        """The format as a deck, or None for anything that is no deck."""
        if self.is_one_page:
            return DeckFormat.IMAGES
        return self.format if isinstance(self.format, DeckFormat) else None

    @property
    def source_format(self) -> SourceFormat | None:
        """The format as a source, or None for anything that is no source."""
        if isinstance(self.format, SourceFormat):
            return self.format
        return {DeckFormat.PDF: SourceFormat.PDF, DeckFormat.HTML: SourceFormat.HTML}.get(
            self.format  # type: ignore[arg-type]
        )


def sniff(path: Path, *, limits: Limits | None = None) -> Sniffed:
    """Return what `path` is.

    Raises:
        DeckUnreadable: kind ``not_found``, ``empty``, ``needs_password``, ``truncated``, ``unreadable``
            or ``too_large``.
    """
    limits = limits or Limits()
    try:
        if path.is_dir():
            return _folder(path)
        if not path.is_file() and path.exists():
            raise DeckUnreadable(
                FailureKind.UNREADABLE,
                f"{path.name} is a device or a pipe, not a file.",
                next_step="Choose a file.",
            )
        if not path.is_file():
            raise DeckUnreadable(
                FailureKind.NOT_FOUND,
                f"{path.name or path} was not found.",
                next_step="It may have been moved or renamed; choose it again.",
            )
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{path.name} cannot be read: {error.strerror or error}.",
            next_step="Check that you may read it.",
        ) from error
    if not head:
        raise DeckUnreadable(FailureKind.EMPTY, f"{path.name} is empty (0 bytes).", next_step="Get the file again.")
    return _file(path, head, limits)


def _file(path: Path, head: bytes, limits: Limits) -> Sniffed:
    if head.startswith(_OLE):
        return _ole(path)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip(path, limits)
    # Readers accept up to 1,024 bytes before the header: byte order marks, mail headers.
    if b"%PDF-" in head[:1024]:
        return Sniffed(format=DeckFormat.PDF, container="pdf", what=DECK_NAMES[DeckFormat.PDF])
    kind = image_kind(head[:16])
    if kind is not None:
        return Sniffed(
            format=SourceFormat.IMAGE, container="image", what=f"{kind} picture", is_one_page=image_suffix(path)
        )
    if not head.strip(b"\x00"):
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"{path.name} holds only zero bytes.", next_step="Get the file again."
        )
    return _text(path, head)


def _ole(path: Path) -> Sniffed:
    try:
        with olefile.OleFileIO(str(path)) as ole:
            streams = {"/".join(entry) for entry in ole.listdir()}
    except Exception as error:  # olefile raises many types for damaged files
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"{path.name} is a damaged Office 97–2003 file: {error}."
        ) from error
    if "EncryptedPackage" in streams or "EncryptionInfo" in streams:
        raise DeckUnreadable(
            FailureKind.NEEDS_PASSWORD,
            f"{path.name} is protected with a password.",
            next_step="Give its password, or save a copy without one.",
        )
    if "PowerPoint Document" in streams:
        return Sniffed(format=DeckFormat.PPT, container="ole", what=DECK_NAMES[DeckFormat.PPT])
    what = "Office 97–2003 file without slides"
    if "WordDocument" in streams:
        what = "Word 97–2003 document"
    elif streams & {"Workbook", "Book"}:
        what = "Excel 97–2003 workbook"
    return Sniffed(format=None, container="ole", what=what)


def _zip(path: Path, limits: Limits) -> Sniffed:
    with opened_zip(path, limits) as archive:
        names = archive.namelist()
        if "[Content_Types].xml" in names:
            return _office(archive, path, limits)
        if "mimetype" in names:
            kind = _member(archive, "mimetype", path, 1000).decode("ascii", "replace").strip()
            if kind.startswith("application/vnd.oasis.opendocument.presentation"):
                return Sniffed(format=DeckFormat.ODP, container="zip", what=DECK_NAMES[DeckFormat.ODP])
            return Sniffed(format=None, container="zip", what=f"file of the type {kind[:80]}")
        return _packed_folder(names)


def _office(archive: zipfile.ZipFile, path: Path, limits: Limits) -> Sniffed:
    data = _member(archive, "[Content_Types].xml", path, limits.max_xml_bytes)
    try:
        root = etree.fromstring(data, safe_xml_parser(recover=True))
    except etree.XMLSyntaxError as error:
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"{path.name}: its list of contents is damaged: {error}."
        ) from error
    types = [str(node.get("ContentType", "")) for node in root.iter("{*}Override")] if root is not None else []
    for content_type in types:
        if content_type in _MAIN_TYPES:
            found = _MAIN_TYPES[content_type]
            return Sniffed(format=found, container="zip", what=DECK_NAMES[found])
    if any(_WORD.match(content_type) and "main+xml" in content_type for content_type in types):
        return Sniffed(format=SourceFormat.DOCX, container="zip", what="Word document")
    for mark, what in _OTHER_OFFICE.items():
        if any(mark in content_type and "main+xml" in content_type for content_type in types):
            return Sniffed(format=None, container="zip", what=what)
    if "ppt/presentation.xml" in archive.namelist():
        return Sniffed(format=DeckFormat.PPTX, container="zip", what=DECK_NAMES[DeckFormat.PPTX])
    return Sniffed(format=None, container="zip", what="Office file of an unknown kind")


def _packed_folder(names: list[str]) -> Sniffed:
    files = [
        Path(name)
        for name in names
        if not name.endswith("/") and not any(is_noise(Path(part)) for part in Path(name).parts)
    ]
    roots = {file.parts[0] for file in files}
    if len(roots) == 1 and all(len(file.parts) > 1 for file in files):
        # A zip of a folder, as file managers make it.
        files = [Path(*file.parts[1:]) for file in files]
    top = [file for file in files if len(file.parts) == 1]
    if _main_html([file for file in top if file.suffix.lower() in {".html", ".htm"}]) is not None:
        return Sniffed(format=DeckFormat.HTML, container="zip", what="packed HTML folder")
    if top and all(image_suffix(file) for file in top):
        return Sniffed(format=DeckFormat.IMAGES, container="zip", what="packed folder of page pictures")
    return Sniffed(format=None, container="zip", what="zip archive")


def _member(archive: zipfile.ZipFile, member: str, path: Path, max_bytes: int) -> bytes:
    try:
        return read_member(archive, member, max_bytes)
    except ZIP_ERRORS as error:
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{path.name} is a damaged zip file: {member} cannot be read: {error}.",
            next_step="Get the file again or save it anew in the program that made it.",
        ) from error


def _folder(path: Path) -> Sniffed:
    if main_html(path) is not None:
        return Sniffed(format=DeckFormat.HTML, container="folder", what="HTML folder")
    if page_images(path):
        return Sniffed(format=DeckFormat.IMAGES, container="folder", what=DECK_NAMES[DeckFormat.IMAGES])
    if not any(not is_noise(entry) for entry in path.iterdir()):
        raise DeckUnreadable(FailureKind.EMPTY, f"The folder {path.name} is empty.", next_step="Choose another folder.")
    return Sniffed(format=None, container="folder", what="folder")


def main_html(folder: Path) -> Path | None:
    """Return the page of an HTML folder: ``index.html``, else its only HTML file, else None."""
    pages = [
        entry
        for entry in sorted(folder.iterdir())
        if entry.suffix.lower() in {".html", ".htm"} and not is_noise(entry) and entry.is_file()
    ]
    return _main_html(pages)


def _main_html(pages: list[Path]) -> Path | None:
    for page in pages:
        if page.stem.lower() == "index":
            return page
    return pages[0] if len(pages) == 1 else None


def _text(path: Path, head: bytes) -> Sniffed:
    if head.startswith(_LFS):
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{path.name} is a Git LFS pointer, not the file itself.",
            next_step="Fetch the real file with: git lfs pull.",
        )
    is_utf16 = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\x00" in head and not is_utf16:
        return Sniffed(format=None, container="unknown", what="binary file of an unknown kind")
    plain = head.replace(b"\x00", b"") if is_utf16 else head
    if _HTML_TAG.search(plain) and plain.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<"):
        return Sniffed(format=DeckFormat.HTML, container="html", what=DECK_NAMES[DeckFormat.HTML])
    if path.suffix.lower() in _MARKDOWN_SUFFIXES:
        return Sniffed(format=SourceFormat.MARKDOWN, container="unknown", what="Markdown text")
    if not is_utf16 and not _is_text(head):
        return Sniffed(format=None, container="unknown", what="file of an unknown kind")
    return Sniffed(format=SourceFormat.TEXT, container="unknown", what="plain text")


def _is_text(head: bytes) -> bool:
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    if controls > len(head) // 100:
        return False
    return charset_normalizer.from_bytes(head).best() is not None
