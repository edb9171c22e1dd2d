"""Tables out of a project and back into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from studio.actions import align, imported_verdicts, method_rows
from studio.actions.agreement import agreement_rows, as_json
from studio.actions.figures import counted
from studio.errors import BadInput
from studio.exchange import import_tables, inspect_scores, label_studio, slides_align
from studio.exchange.columns import COLUMNS, REQUIRED
from studio.exchange.export_tables import rows_of
from studio.exchange.files import csv_text, jsonl_text, write_whole
from studio.exchange.table_formats import latex_text, markdown_text, parquet_bytes
from studio.exchange.table_report import TableReport as TableReport
from studio.model.changes import Changes, Topic, changed
from studio.store.project import Project

Rows = list[dict[str, Any]]

FORMATS: dict[str, Callable[[Sequence[str], Rows], str | bytes]] = {
    "csv": csv_text, "jsonl": jsonl_text, "md": markdown_text, "tex": latex_text, "parquet": parquet_bytes,
}  # fmt: skip
"""What writes a table, by the ending of its file."""
TABLES = tuple(REQUIRED)
"""The tables that can be written and read back."""
AGREEMENT = "agreement"
"""What is computed and not stored."""
ONLY_OUT = (
    "ratings",
    "views",
    "touches",
    "training",
    "reviews",
    "quiz",
    "dpo",
    "methods",
    "method_instances",
    AGREEMENT,
)
"""Tables that are written only."""
SLIDES_ALIGN = "slides-align"
LABEL_STUDIO = "label-studio"
INSPECT = "inspect"
_DOCUMENTS: dict[str, tuple[str, Callable[[Project], str]]] = {
    SLIDES_ALIGN: ("json", slides_align.slides_align_json),
    LABEL_STUDIO: ("json", label_studio.tasks_json),
    INSPECT: ("jsonl", inspect_scores.scores_jsonl),
}
DOCUMENTS = {name: format for name, (format, _) in _DOCUMENTS.items()}
"""What is no table but another tool's own file, with its one format."""
NEEDS = {LABEL_STUDIO: ("Label Studio shows these tasks with this labelling configuration", label_studio.LABELLING)}
"""What a document needs in the other tool, in words and as it is pasted there."""


def table_rows(project: Project, table: str) -> tuple[tuple[str, ...], Rows]:
    """Return a table's columns and rows.

    Raises:
        BadInput: for a table that is not known; the message names those that are.
    """
    if table in {"methods", "method_instances"}:
        evidence = align.gather(project)
        view = method_rows.view_of(evidence, level="instance")
        return method_rows.method_cells(view) if table == "methods" else method_rows.instance_cells(view)
    if table == AGREEMENT:
        return COLUMNS[table], as_json(agreement_rows(project))
    if table not in COLUMNS or table not in (*TABLES, *ONLY_OUT):
        known = ", ".join((*TABLES, *ONLY_OUT, *DOCUMENTS))
        raise BadInput(f"There is no table {table}.", next_step=f"Known: {known}.")
    return COLUMNS[table], rows_of(project, table)


def table_text(project: Project, table: str, *, format: str = "csv") -> str | bytes:
    """Return a table in a format of `FORMATS`, or a document; Parquet is bytes, all others are text.

    Raises:
        BadInput: for a table or format that is not known.
    """
    if table in _DOCUMENTS:
        own, make = _DOCUMENTS[table]
        if format != own:
            raise BadInput(f"{table} is written as {own.upper()} only.", next_step=f"Use --format {own}.")
        return make(project)
    if format not in FORMATS:
        only = " It is for documents, such as slides-align." if format == "json" else ""
        raise BadInput(f"No table is written as {format}.{only}", next_step=f"Known: {', '.join(FORMATS)}.")
    return FORMATS[format](*table_rows(project, table))


def export_table(project: Project, table: str, *, format: str = "csv", out: Path | None = None) -> Path:
    """Write a table into `out`, or into the project's exports folder, and return the file."""
    content = table_text(project, table, format=format)
    path = out or project.exports_folder / f"{table}.{format}"
    write_whole(path, content)
    return path


def import_table(project: Project, path: Path) -> tuple[TableReport, Changes]:
    """Read a table in; see `studio.exchange.import_tables.import_table`. Verdicts become methods of Align."""
    if slides_align.is_slides_align_file(path):
        return slides_align.read_slides_align(project, path), changed(Topic.ANSWERS, Topic.PEOPLE)
    report = import_tables.import_table(project, path)
    if report.table == "verdicts":
        for each in imported_verdicts.score_imported(project):
            report.notes.append(f"{each.method}: {counted(each.values, 'value')} for the methods table")
    topics = {
        "rankings": (Topic.ANSWERS, Topic.PEOPLE),
        "pairs": (Topic.ANSWERS, Topic.PEOPLE),
        "checklist": (Topic.ANSWERS, Topic.PEOPLE),
        "scores": (Topic.SCORES, Topic.RUNS),
        "verdicts": (Topic.SCORES, Topic.RUNS),
    }
    return report, changed(*topics[report.table])
