"""One table as an Excel workbook, and back; cells are values, never formulas."""

from __future__ import annotations

import datetime
import io
import json
import math
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from studio.errors import BadInput

MOST_CELL_SIGNS = 32_767
"""What a cell can hold; the format's own limit."""
MOST_BYTES = 256 << 20
"""Unpacked; a table of items is far smaller, and a file made to fill the memory is far larger."""
MOST_ROWS = 1_048_576
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_WIDE = {"text": 72, "note": 40, "no_when": 32, "parameters": 32}
_NEXT = "Save it as an Excel workbook (.xlsx) or as CSV UTF-8 and try again."


class SheetRow(NamedTuple):
    """One row of a sheet that holds anything."""

    number: int
    """As the spreadsheet counts, from 1."""
    cells: tuple[str, ...]
    problem: str
    """Why the row cannot be used; empty where it can."""


def workbook_bytes(
    columns: Sequence[str],
    rows: Iterable[Mapping[str, object]],
    *,
    title: str = "items",
    choices: Mapping[str, Sequence[str]] | None = None,
) -> bytes:
    """Return rows as a workbook with one sheet: head in bold and kept in view, words wrapped, None an empty cell.

    Args:
        columns: from left to right.
        rows: values by column; lists and objects are written as JSON.
        title: of the sheet.
        choices: columns that offer a list of values.

    Raises:
        BadInput: for words that are longer than a cell can hold.
        ValueError: for NaN or infinity.
    """
    # Imported here: it takes a third of a second, and most commands write none.
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    sheet.title = title
    for place, column in enumerate(columns, start=1):
        head = sheet.cell(row=1, column=place, value=column)
        head.font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(place)].width = _WIDE.get(column, 16)
    last = 1
    for last, row in enumerate(rows, start=2):
        for place, column in enumerate(columns, start=1):
            value = _cell(row.get(column), column)
            if value is None:
                continue
            cell = sheet.cell(row=last, column=place)
            if isinstance(value, str):
                # By its type: words that begin with "=" would become a formula.
                cell.value, cell.data_type = value, "s"
            else:
                cell.value = value
            cell.alignment = Alignment(vertical="top", wrap_text=column in _WIDE)
    sheet.freeze_panes = "A2"
    for column, values in (choices or {}).items():
        if column in columns:
            offered = DataValidation(type="list", formula1=f'"{",".join(values)}"', allow_blank=True)
            letter = get_column_letter(list(columns).index(column) + 1)
            offered.add(f"{letter}2:{letter}{max(last, 2) + 500}")
            sheet.add_data_validation(offered)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read_workbook(path: Path) -> list[SheetRow]:
    """Return the rows of a workbook's first sheet as text, as a CSV file of it would hold them.

    Numbers without a fraction have none in the text, dates are ISO 8601, true and false are words. A formula counts
    as what it came to when the file was saved; a row with one that was never worked out has a problem.

    Raises:
        BadInput: if it cannot be read, is no workbook or is larger than any table.
    """
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
                raise BadInput(f"{path.name} is too large for a table.", next_step="Take the other sheets out.")
        # Twice: the values of formulas and whether there are formulas stand in different readings.
        values = load_workbook(path, read_only=True, data_only=True)
        formulas = load_workbook(path, read_only=True)
        try:
            return list(_rows(values.worksheets[0], formulas.worksheets[0]))
        finally:
            values.close()
            formulas.close()
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}).", next_step="Check the path.") from error
    except BadInput:
        raise
    # What a damaged workbook makes the library raise is anything between KeyError and an XML error.
    except Exception as error:
        raise BadInput(f"{path.name} is no workbook that can be read.", next_step=_NEXT) from error


def _rows(values: Any, formulas: Any) -> Iterable[SheetRow]:
    pairs = zip(values.iter_rows(values_only=True), formulas.iter_rows(values_only=True), strict=True)
    for number, (cells, written) in enumerate(pairs, start=1):
        if all(value is None for value in written):
            continue
        unknown = [
            place for place, (value, source) in enumerate(zip(cells, written, strict=True), start=1)
            if value is None and isinstance(source, str) and source.startswith("=")
        ]  # fmt: skip
        problem = f"the formula in column {unknown[0]} was never worked out" if unknown else ""
        yield SheetRow(number, tuple(_text(value) for value in cells), problem)


def _cell(value: object, column: str) -> str | int | float | bool | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} in a table; a missing value is None with a reason")
        return float(value)
    words = json.dumps(value, ensure_ascii=False) if isinstance(value, list | tuple | dict) else str(value)
    words = _UNWRITABLE.sub(lambda match: f"_x{ord(match[0]):04X}_", words)
    if len(words) > MOST_CELL_SIGNS:
        raise BadInput(
            f"The {column} that begins with {words[:40]!r} is longer than a cell can hold.", next_step="Use CSV."
        )
    return words


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), str(value))
