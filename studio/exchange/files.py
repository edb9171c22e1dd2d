"""CSV and workbooks for spreadsheets and JSONL for programs, written whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from studio import whole_files
from studio.errors import BadInput
from studio.exchange.workbook import read_workbook

WORKBOOKS = frozenset({".xlsx", ".xlsm"})
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""What a spreadsheet may work out on opening the file. Names and words come from other people's files, so they must
not run; apostrophes that stand there already are counted in, or reading could not tell them from ours."""

Row = Mapping[str, object]


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as RFC 4180 CSV (CRLF, quotes doubled) with a byte order mark; None is an empty field.

    Words that a spreadsheet would take for a formula have an apostrophe before them, which `read_table` takes off.

    Raises:
        ValueError: for NaN or infinity.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_csv_cell(row.get(column)) for column in columns])
    return "\ufeff" + out.getvalue()


def jsonl_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as one JSON object a line, without a byte order mark; None is null.

    Raises:
        ValueError: for NaN or infinity.
    """
    return "".join(
        json.dumps({column: row.get(column) for column in columns}, ensure_ascii=False, allow_nan=False) + "\n"
        for row in rows
    )


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, with an error that a user can act on.

    Raises:
        BadInput: if it cannot be written.
    """
    try:
        whole_files.write_whole(path, content)
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written ({error.strerror or error}).", next_step="Choose another place."
        ) from error


class TableFile(NamedTuple):
    """A table as it stands in a file."""

    header: tuple[str, ...]
    rows: list[tuple[int, dict[str, str]]]
    """Line number (of the row's first line, from 1) and cells as they stand; an empty cell is an empty string."""
    refused: list[tuple[int, str]]
    """Lines that are no row of this table, with the reason."""


def read_table(path: Path) -> TableFile:
    """Return the header and rows of a CSV or JSONL file, or of a workbook's first sheet.

    Raises:
        BadInput: if it is not there, cannot be read, or has no header.
    """
    if path.suffix.lower() in WORKBOOKS:
        return _read_workbook(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name} is not UTF-8.", next_step="Save it as CSV UTF-8 and try again.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}).", next_step="Check the path.") from error
    if path.suffix.lower() in {".jsonl", ".ndjson"} or text.lstrip().startswith("{"):
        return _read_jsonl(text)
    return _read_csv(path, text)


def _read_workbook(path: Path) -> TableFile:
    rows: list[tuple[int, dict[str, str]]] = []
    refused: list[tuple[int, str]] = []
    header: tuple[str, ...] = ()
    for row in read_workbook(path):
        if not header:
            header = tuple(cell.strip().lower() for cell in row.cells)
            while header and not header[-1]:
                header = header[:-1]
            continue
        cells = (*row.cells, *[""] * len(header))
        if row.problem:
            refused.append((row.number, row.problem))
        elif any(cells[len(header) :]):
            refused.append((row.number, "a cell stands where the header has no name"))
        else:
            rows.append((row.number, dict(zip(header, cells, strict=False))))
    return TableFile(_checked(path, header), rows, refused)


def _checked(path: Path, header: tuple[str, ...]) -> tuple[str, ...]:
    if not header:
        raise BadInput(f"{path.name} is empty.", next_step="Export a table to see what one looks like.")
    if len(set(header)) != len(header):
        raise BadInput(f"{path.name} names a column twice.", next_step="Remove one of them.")
    return header


def _read_csv(path: Path, text: str) -> TableFile:
    csv.field_size_limit(16 << 20)
    lines = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_separator(text))
    rows: list[tuple[int, dict[str, str]]] = []
    refused: list[tuple[int, str]] = []
    header: tuple[str, ...] = ()
    begins = 1
    try:
        for cells in lines:
            line, begins = begins, lines.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = tuple(cell.strip().lower() for cell in cells)
            elif len(cells) != len(header):
                refused.append((line, f"{len(cells)} fields where the header has {len(header)}"))
            else:
                rows.append((line, dict(zip(header, map(_without_mark, cells), strict=True))))
    except csv.Error as error:
        raise BadInput(f"{path.name}, line {lines.line_num}: {error}.", next_step="Mend that line.") from error
    return TableFile(_checked(path, header), rows, refused)


def _separator(text: str) -> str:
    """Return what stands between the fields: a comma, or what spreadsheets write in its place.

    Where the comma is the decimal sign they write semicolons, and some save with tabs. Our column names hold
    none of the three, so the header tells.
    """
    header = next(iter(text.lstrip().splitlines()), "")
    return max(",;\t", key=header.count)


def _read_jsonl(text: str) -> TableFile:
    rows: list[tuple[int, dict[str, str]]] = []
    refused: list[tuple[int, str]] = []
    header: dict[str, None] = {}
    # Not splitlines(): a JSON string may hold U+2028, U+0085 and others that it takes for the end of a line.
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            refused.append((line, "not a whole JSON object"))
            continue
        if not isinstance(value, dict):
            refused.append((line, "not a JSON object"))
            continue
        header |= dict.fromkeys(value)
        rows.append((line, {name: _text(cell) for name, cell in value.items()}))
    return TableFile(
        tuple(header), [(line, {name: row.get(name, "") for name in header}) for line, row in rows], refused
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _csv_cell(value: object) -> str:
    written = _cell(value)
    return f"'{written}" if isinstance(value, str) and _FORMULA.match(written) else written


def _without_mark(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} in a table; a missing value is None with a reason")
        return repr(float(value))
    return str(value)
