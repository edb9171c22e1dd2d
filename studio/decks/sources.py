"""Sources as text with a tree of headings, whatever they are written in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import charset_normalizer
import docx
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree, html
from markdown_it import MarkdownIt

from studio.decks.archive import opened_zip
from studio.decks.limits import Limits
from studio.decks.mupdf import heading_lines, outline, pdf_facts
from studio.decks.mupdf_words import placed_pages
from studio.decks.render import render_page
from studio.decks.scanned import placed_lines, read_page, with_scanned_text
from studio.decks.sniff import sniff
from studio.decks.structure.html import read_html_text
from studio.decks.text_regions import why_no_detector
from studio.decks.workers import in_worker
from studio.errors import BadInput, DeckUnreadable
from studio.model.decks import FailureKind, Heading, SourceFormat, SourcePage, SourceText
from studio.model.protocols import CancelToken

_TIMEOUT_S = 180.0
_MAX_TEXT_BYTES = 64 << 20
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# fmt: off
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "title", "tr", "ul",
})
# fmt: on
_SILENT = frozenset({"script", "style", "noscript", "template", "head"})
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


class _Line(NamedTuple):
    """One line of a source without pages; `level` is 0 for text, 1 to 6 for a heading."""

    text: str
    level: int
    heading: str


def read_source(
    path: Path,
    format: SourceFormat,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    limits: Limits | None = None,
) -> SourceText:
    """Return a source as text.

    A PDF has its own pages; other formats have one page for each block under a heading of the topmost
    level. Pages count from 1. Words of a PDF and of a picture have their places. A picture, and a page of
    a PDF that is one, is read by a model; where that is not installed its page has no text.

    Raises:
        DeckUnreadable: kind ``not_found``, ``empty``, ``needs_password``, ``truncated``, ``unreadable``,
            ``too_large`` or ``timed_out``.
        Cancelled: the token was set.
    """
    limits = limits or Limits()
    sniff(path, limits=limits)
    match format:
        case SourceFormat.PDF:
            return _read_pdf(path, password, cancel, limits)
        case SourceFormat.DOCX:
            return _paged(_docx_lines(path, limits))
        case SourceFormat.HTML:
            return _paged(_html_lines(read_html_text(path)))
        case SourceFormat.MARKDOWN:
            return _paged(_markdown_lines(read_text(path)))
        case SourceFormat.TEXT:
            pages = read_text(path).split("\f")
            return SourceText(
                pages=tuple(SourcePage(number=n, text=text.strip("\n")) for n, text in enumerate(pages, start=1))
            )
        case SourceFormat.IMAGE:
            return _read_image(path, cancel)


def source_markdown(path: Path, format: SourceFormat, *, limits: Limits | None = None) -> str:
    """Return a source that has text and no pages as Markdown: headings marked, one block for each line.

    Markdown and plain text come back as they are, with line feeds only; rows of tables are cells parted by tabs.

    Raises:
        DeckUnreadable: if it cannot be read.
        ValueError: for a PDF or a picture.
    """
    if format not in {SourceFormat.MARKDOWN, SourceFormat.TEXT, SourceFormat.DOCX, SourceFormat.HTML}:
        raise ValueError(f"a {format.value} is no text")
    limits = limits or Limits()
    sniff(path, limits=limits)
    if format in {SourceFormat.MARKDOWN, SourceFormat.TEXT}:
        return read_text(path)
    lines = _docx_lines(path, limits) if format is SourceFormat.DOCX else _html_lines(read_html_text(path))
    blocks = [f"{'#' * line.level} {line.heading}" if line.level else line.text.strip("\n") for line in lines]
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"


def source_page_picture(
    path: Path,
    page: int,
    box_px: tuple[int, int],
    out: Path,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
) -> tuple[int, int]:
    """Render one page of a PDF source to a PNG fitted into a box, and return its size in pixels.

    Raises:
        DeckUnreadable: if the page cannot be rendered.
        Cancelled: the token was set.
    """
    return render_page(path, page, box_px, out, password=password, cancel=cancel)


def read_text(path: Path) -> str:
    """Return a text file as text with line feeds only: by byte order mark, as UTF-8, else as detected.

    Raises:
        DeckUnreadable: kind ``too_large``, or ``unreadable`` if it is no text in any known encoding.
    """
    if path.stat().st_size > _MAX_TEXT_BYTES:
        raise DeckUnreadable(
            FailureKind.TOO_LARGE,
            f"{path.name} is larger than {_MAX_TEXT_BYTES >> 20} MB, the limit for a text.",
            next_step="Split the file.",
        )
    data = path.read_bytes()
    return _decoded(data, path.name).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, name: str) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    # Short texts give a detector little to go by; of its equal guesses the common one is taken.
    best = charset_normalizer.from_bytes(data).best()
    if len(data) < 512:
        try:
            western = data.decode("windows-1252")
        except UnicodeDecodeError:
            western = ""
        if western and sum(byte >= 0x80 for byte in data) <= len(data) // 8:
            return western
    if best is None:
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{name} is not text in any known encoding.",
            next_step="Save it as UTF-8.",
        )
    return str(best)


def _read_pdf(path: Path, password: str | None, cancel: CancelToken | None, limits: Limits) -> SourceText:
    limits.check_file_bytes(path.stat().st_size, path.name)
    name = str(path)
    in_worker(pdf_facts, name, password, limits.max_pages, timeout_s=_TIMEOUT_S, cancel=cancel)
    placed = in_worker(placed_pages, name, password, timeout_s=_TIMEOUT_S, cancel=cancel)
    pages = with_scanned_text(path, placed, password=password, cancel=cancel)
    entries = in_worker(outline, name, password, timeout_s=_TIMEOUT_S, cancel=cancel) or in_worker(
        heading_lines, name, password, timeout_s=_TIMEOUT_S, cancel=cancel
    )
    return SourceText(
        pages=pages,
        headings=tuple(Heading(level=entry.level, text=entry.title, page=entry.page) for entry in entries),
    )


def _read_image(path: Path, cancel: CancelToken | None) -> SourceText:
    if why_no_detector():
        return SourceText(pages=(SourcePage(number=1, text=""),))
    try:
        found = in_worker(read_page, str(path), timeout_s=_TIMEOUT_S, cancel=cancel)
    except BadInput as error:
        raise DeckUnreadable(FailureKind.UNREADABLE, f"{path.name} cannot be read as a picture.") from error
    return SourceText(pages=(placed_lines(found),))


def _paged(lines: Sequence[_Line]) -> SourceText:
    """Cut lines into pages at headings of the topmost level that occurs more than once, or at all."""
    levels = [line.level for line in lines if line.level]
    repeated = [level for level in levels if levels.count(level) > 1]
    # A single title above all chapters is not what the text is divided by.
    top = min(repeated, default=min(levels, default=0))
    pages: list[list[str]] = [[]]
    headings: list[Heading] = []
    for line in lines:
        if line.level and line.level <= top and any(text.strip() for text in pages[-1]):
            pages.append([])
        if line.level:
            headings.append(Heading(level=line.level, text=line.heading, page=len(pages)))
        pages[-1].append(line.text)
    return SourceText(
        pages=tuple(
            SourcePage(number=number, text="\n".join(page).strip("\n")) for number, page in enumerate(pages, start=1)
        ),
        headings=tuple(headings),
    )


def _markdown_lines(text: str) -> list[_Line]:
    starts: dict[int, tuple[int, str]] = {}
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.map is not None and token.level == 0:
            plain = "".join(
                child.content for child in tokens[at + 1].children or () if child.type in {"text", "code_inline"}
            )
            starts[token.map[0]] = (int(token.tag[1:]), plain.strip())
    lines: list[_Line] = []
    for number, line in enumerate(text.split("\n")):
        level, heading = starts.get(number, (0, ""))
        lines.append(_Line(line, level, heading))
    return lines


def _docx_lines(path: Path, limits: Limits) -> list[_Line]:
    # Checked before python-docx reads every part.
    with opened_zip(path, limits):
        pass
    try:
        document = docx.Document(str(path))
        lines: list[_Line] = []
        for block in document.iter_inner_content():
            if isinstance(block, Table):
                lines += [_Line(row, 0, "") for row in _rows(block)]
            else:
                lines.append(_paragraph(block))
        return lines
    except DeckUnreadable:
        raise
    except Exception as error:  # python-docx raises many types for damaged parts
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{path.name} is a damaged Word document: {error}.",
            next_step="Open it in Word, let it be repaired, and save it anew.",
        ) from error


def _paragraph(block: Paragraph) -> _Line:
    text = _words(block._p)
    name = (block.style.name or "") if block.style is not None else ""
    match = re.fullmatch(r"heading (\d)", name.casefold())
    level = int(match.group(1)) if match else (1 if name.casefold() == "title" else 0)
    if not text.strip():
        level = 0
    return _Line(text, level, " ".join(text.split()) if level else "")


def _words(element: etree._Element) -> str:
    """Return the text of a paragraph with its links, formulas and breaks; deleted text is left out."""
    pieces: list[str] = []
    for node in element.iter(f"{_W}t", f"{_M}t", f"{_W}tab", f"{_W}br", f"{_W}cr"):
        if node.tag in {f"{_W}t", f"{_M}t"}:
            pieces.append(node.text or "")
        elif (run := node.getparent()) is not None and run.tag == f"{_W}r":
            pieces.append("\t" if node.tag == f"{_W}tab" else "\n")
    return "".join(pieces)


def _rows(table: Table, depth: int = 0) -> Iterable[str]:
    """Return each row as cells parted by tabs; merged cells once; tables inside cells follow their row."""
    for row in table.rows:
        cells: list[str] = []
        inner: list[Table] = []
        seen: set[int] = set()
        for cell in row.cells:
            if id(cell._tc) in seen:
                continue
            seen.add(id(cell._tc))
            cells.append(" ".join(" ".join(_words(p._p).split()) for p in cell.paragraphs).strip())
            inner += cell.tables
        yield "\t".join(cells)
        if depth < 5:
            for table_inside in inner:
                yield from _rows(table_inside, depth + 1)


def _html_lines(text: str) -> list[_Line]:
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True)
    try:
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return []
    lines: list[_Line] = []
    pieces: list[str] = []

    def flush(level: int = 0) -> None:
        line = " ".join("".join(pieces).split())
        pieces.clear()
        if line:
            lines.append(_Line(line, level, line if level else ""))

    # Iterative: generated pages nest deeper than Python recurses.
    for event, node in etree.iterwalk(tree, events=("start", "end")):
        if not isinstance(node.tag, str):
            continue
        is_block = node.tag in _BLOCKS
        is_silent = node.tag in _SILENT or any(parent.tag in _SILENT for parent in node.iterancestors())
        if event == "start":
            if is_block:
                flush()
            if not is_silent and node.text:
                pieces.append(node.text)
        else:
            if is_block:
                is_heading = len(node.tag) == 2 and node.tag[0] == "h" and node.tag[1] in "123456"
                flush(int(node.tag[1]) if is_heading else 0)
            parent = node.getparent()
            if node.tail and parent is not None and parent.tag not in _SILENT:
                pieces.append(node.tail)
    flush()
    return lines
