"""studio import-table, export."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import tables
from studio.cli.main import EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, say
from studio.errors import BadInput


@click.command("import-table")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def import_table(project: Path, file: Path, as_json: bool) -> int:
    """Read back a table (rankings, pairs, checklist, verdicts, scores), recognised by its header.

    Merging the same file twice changes nothing; what contradicts the project is counted and left out.

    Example: studio import-table my-study rankings.csv
    """
    with opened(project, must_write=True) as target:
        report, _ = tables.import_table(target, file)
    if as_json:
        print_json(
            {
                "table": report.table, "new": report.new, "same": report.same, "conflicting": report.conflicting,
                "refused": report.refused, "notes": report.notes,
            }
        )  # fmt: skip
    else:
        say(f"{report.table}: {report.new} new, {report.same} the same, {report.conflicting} conflicting")
        for text in report.notes:
            note(f"  {text}")
        for item in report.refused:
            note(f"  line {item['line']}: {item['reason']}")
    return EXIT_SOME_FAILED if report.refused else EXIT_OK


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--table", required=True, help=f"One of {', '.join((*tables.TABLES, *tables.ONLY_OUT, *tables.DOCUMENTS))}."
)
@click.option("--format", "format_", type=click.Choice((*tables.FORMATS, "json")), default="csv", show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; standard output if left out."
)
@json_option
def export(project: Path, table: str, format_: str, out: Path | None, as_json: bool) -> None:
    """Write a table as CSV (UTF-8 with byte order mark), JSONL, Markdown, LaTeX or Parquet.

    slides-align and label-studio are JSON, inspect is JSONL: files of other tools, no tables.

    Example: studio export my-study --table rankings --format csv --out rankings.csv
    """
    with opened(project) as source:
        if out is not None or as_json:
            path = tables.export_table(source, table, format=format_, out=out)
        else:
            text = tables.table_text(source, table, format=format_)
            if isinstance(text, bytes):
                raise BadInput("Parquet is no text for a terminal.", next_step="Name a file with --out.")
            say(text, end="")
            return
    words, needed = tables.NEEDS.get(table, ("", ""))
    if as_json:
        print_json({"table": table, "format": format_, "path": str(path)} | ({"needs": needed} if needed else {}))
        return
    note(f"Wrote {path}")
    if needed:
        note(f"{words}:\n{needed.rstrip()}")
