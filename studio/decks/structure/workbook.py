"""The cells of the Excel workbook behind a chart, and whether a chart's references lead to filled ones."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Sequence
from typing import NamedTuple

import olefile  # type: ignore[import-untyped]
from lxml import etree

from studio.decks.archive import ZIP_ERRORS, read_member
from studio.decks.limits import Limits, safe_xml_parser
from studio.decks.structure.package import Element, PartFault
from studio.errors import DeckUnreadable
from studio.model.structure import Sheet

MAX_CELLS = 20_000
"""Filled cells read of one worksheet; a chart's own table has far fewer."""

_REFERENCE = re.compile(r"(?:'((?:[^']|'')+)'|([^'!(),]+))!\$?([A-Za-z]{0,3})\$?(\d*)(?::\$?([A-Za-z]{0,3})\$?(\d*))?$")
_BOOK_PREFIX = re.compile(r"^\[[^\]]*\]")
_CELL = re.compile(r"([A-Z]{1,3})(\d+)$")
_NEVER = 1 << 24


class Cells(NamedTuple):
    """What is in a workbook."""

    sheets: tuple[Sheet, ...]
    names: dict[str, str]
    """Defined name in lower case → reference."""
    is_readable: bool
    """False for the binary formats, whose worksheets are there but not read."""


def read_workbook(data: bytes, limits: Limits) -> Cells:
    """Return the cells of a workbook.

    Raises:
        PartFault: if it is no workbook, damaged, or has no worksheet.
    """
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return _binary_workbook(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _cells(archive, limits)
    except DeckUnreadable as error:
        raise PartFault(error.message) from error
    except (*ZIP_ERRORS, KeyError, etree.XMLSyntaxError) as error:
        raise PartFault(f"it is damaged: {error}") from error


def _binary_workbook(data: bytes) -> Cells:
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            if not any(ole.exists(name) for name in ("Workbook", "Book", "Package", "EncryptedPackage")):
                raise PartFault("it holds no workbook")
            if ole.exists("EncryptedPackage"):
                raise PartFault("it is protected with a password")
    except OSError as error:
        raise PartFault(f"it is damaged: {error}") from error
    return Cells((), {}, is_readable=False)


def _cells(archive: zipfile.ZipFile, limits: Limits) -> Cells:
    names = set(archive.namelist())
    book = next((name for name in names if re.fullmatch(r"xl/workbook\d*\.(xml|bin)", name)), None)
    if book is None:
        raise PartFault("it has no workbook part")
    if book.endswith(".bin"):
        if not any(re.fullmatch(r"xl/worksheets/.+\.bin", name) for name in names):
            raise PartFault("it has no worksheet")
        return Cells((), {}, is_readable=False)
    root = _xml(archive, book, limits)
    rels_name = posixpath.join("xl/_rels", f"{posixpath.basename(book)}.rels")
    targets = {
        str(node.get("Id")): posixpath.normpath(posixpath.join("/xl", str(node.get("Target")))).lstrip("/")
        for node in _xml(archive, rels_name, limits).iter("{*}Relationship")
    }
    shared = _shared_strings(archive, names, limits)
    sheets = []
    for node in root.iter("{*}sheet"):
        relation = next((value for key, value in node.attrib.items() if str(key).endswith("}id")), "")
        part = targets.get(str(relation), "")
        if part in names and "/chartsheets/" not in part:
            sheets.append(_sheet(str(node.get("name")), _xml(archive, part, limits), shared))
    if not sheets:
        raise PartFault("it has no worksheet")
    defined = {str(node.get("name")).lower(): (node.text or "").strip() for node in root.iter("{*}definedName")}
    return Cells(tuple(sheets), defined, is_readable=True)


def _xml(archive: zipfile.ZipFile, name: str, limits: Limits) -> Element:
    return etree.fromstring(read_member(archive, name, limits.max_xml_bytes), safe_xml_parser())


def _shared_strings(archive: zipfile.ZipFile, names: set[str], limits: Limits) -> list[str]:
    if "xl/sharedStrings.xml" not in names:
        return []
    root = _xml(archive, "xl/sharedStrings.xml", limits)
    return ["".join(text.text or "" for text in item.iter("{*}t")) for item in root.iterfind("{*}si")]


def _sheet(name: str, root: Element, shared: Sequence[str]) -> Sheet:
    cells: dict[str, str | float] = {}
    is_cut = False
    for node in root.iter("{*}c"):
        value = _value(node, shared)
        if value is None:
            continue
        if len(cells) >= MAX_CELLS:
            is_cut = True
            break
        cells[str(node.get("r", ""))] = value
    return Sheet(name=name, cells=cells, is_cut=is_cut)


def _value(node: Element, shared: Sequence[str]) -> str | float | None:
    kind = node.get("t", "n")
    if kind == "inlineStr":
        return "".join(text.text or "" for text in node.iter("{*}t")) or None
    text = node.findtext("{*}v")
    if text is None or text == "":
        return None
    try:
        if kind == "s":
            return shared[int(text)] or None
        return float(text) if kind == "n" else text
    except (ValueError, IndexError):
        return None


def is_filled(reference: str, cells: Cells) -> bool:
    """Say whether a chart's reference, such as ``Sheet1!$B$2:$B$5``, leads to at least one filled cell."""
    return any(_piece_is_filled(piece, cells, depth=0) for piece in _pieces(reference))


def _pieces(reference: str) -> list[str]:
    text = reference.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    # Commas part the areas of a union; those inside a quoted sheet name do not.
    return [piece.strip() for piece in re.split(r",(?=(?:[^']*'[^']*')*[^']*$)", text) if piece.strip()]


def _piece_is_filled(piece: str, cells: Cells, *, depth: int) -> bool:
    match = _REFERENCE.match(piece)
    if match is None or not any(match.group(index) for index in (3, 4)):
        name = piece.rpartition("!")[2].lower()
        named = cells.names.get(name)
        return named is not None and depth < 4 and _piece_is_filled(named, cells, depth=depth + 1)
    title = (match.group(1) or match.group(2) or "").replace("''", "'").strip()
    title = _BOOK_PREFIX.sub("", title).lower()
    sheet = next((sheet for sheet in cells.sheets if sheet.name.lower() == title), None)
    if sheet is None:
        named = cells.names.get(piece.rpartition("!")[2].lower())
        return named is not None and depth < 4 and _piece_is_filled(named, cells, depth=depth + 1)
    columns = sorted((_column(match.group(3), 1), _column(match.group(5) or match.group(3), _NEVER)))
    rows = sorted((_row(match.group(4), 1), _row(match.group(6) or match.group(4), _NEVER)))
    # Cells beyond what was read may be filled.
    return sheet.is_cut or _has_cell(sheet, columns, rows)


def _has_cell(sheet: Sheet, columns: Sequence[int], rows: Sequence[int]) -> bool:
    """Say whether a sheet has a filled cell in a range; both ends of columns and rows count."""
    if (columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1) <= len(sheet.cells):
        return any(
            f"{_letters(column)}{row}" in sheet.cells
            for column in range(columns[0], columns[1] + 1)
            for row in range(rows[0], rows[1] + 1)
        )
    for address in sheet.cells:
        found = _CELL.match(address)
        if found is None:
            continue
        column, row = _column(found.group(1), 0), int(found.group(2))
        if columns[0] <= column <= columns[1] and rows[0] <= row <= rows[1]:
            return True
    return False


def _letters(column: int) -> str:
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _column(letters: str | None, otherwise: int) -> int:
    if not letters:
        return otherwise
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _row(digits: str | None, otherwise: int) -> int:
    return int(digits) if digits else otherwise
