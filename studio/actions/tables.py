"""Tables out of a project and back into one."""

from __future__ import annotations

from pathlib import Path

from studio.errors import BadInput
from studio.exchange import import_tables, slides_align
from studio.exchange.columns import COLUMNS, REQUIRED
from studio.exchange.export_tables import rows_of
from studio.exchange.files import csv_text, jsonl_text, write_whole
from studio.exchange.table_report import TableReport as TableReport
from studio.model.changes import Changes, Topic, changed
from studio.store.project import Project

FORMATS = {"csv": csv_text, "jsonl": jsonl_text}
TABLES = tuple(REQUIRED)
"""The tables that can be written and read back."""
SLIDES_ALIGN = "slides-align"
"""What is no table but the JSON of that data set."""
ONLY_OUT = ("ratings", "views", "training", "dpo", "quiz")
"""Tables that are written only."""


def table_text(project: Project, table: str, *, format: str = "csv") -> str:
    """Return a table as CSV (with byte order mark) or JSONL.

    Raises:
        BadInput: for a table or format that is not known.
    """
    if (table == SLIDES_ALIGN) != (format == "json"):
        raise BadInput("slides-align is written as JSON, tables are not.", next_step="Use --format json for it only.")
    if table == SLIDES_ALIGN:
        return slides_align.slides_align_json(project)
    if format not in FORMATS:
        raise BadInput(f"There is no format {format}.", next_step=f"Known: {', '.join(FORMATS)}.")
    rows = rows_of(project, table)
    return FORMATS[format](COLUMNS[table], rows)


def export_table(project: Project, table: str, *, format: str = "csv", out: Path | None = None) -> Path:
    """Write a table into `out`, or into the project's exports folder, and return the file."""
    text = table_text(project, table, format=format)
    path = out or project.exports_folder / f"{table}.{format}"
    write_whole(path, text)
    return path


def import_table(project: Project, path: Path) -> tuple[TableReport, Changes]:
    """Read a table in; see `studio.exchange.import_tables.import_table`."""
    if slides_align.is_slides_align_file(path):
        return slides_align.read_slides_align(project, path), changed(Topic.ANSWERS, Topic.PEOPLE)
    report = import_tables.import_table(project, path)
    topics = {
        "rankings": (Topic.ANSWERS, Topic.PEOPLE),
        "pairs": (Topic.ANSWERS, Topic.PEOPLE),
        "checklist": (Topic.ANSWERS, Topic.PEOPLE),
        "scores": (Topic.SCORES, Topic.RUNS),
        "verdicts": (Topic.SCORES, Topic.RUNS),
    }
    return report, changed(*topics[report.table])
