"""studio reflex tables."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions.reflex_tables import card_tables, write_tables
from studio.cli.main import json_option
from studio.cli.output import figure, print_json, print_table, say


@click.command("tables")
@click.option("--model", type=click.Path(path_type=Path), help="A model file; the shipped one if left out.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for CSV tables and SVG figures.")
@json_option
def reflex_tables(model: Path | None, out: Path | None, as_json: bool) -> None:
    """Print a model's tables: data, correlations, sensitivity, explanations, defects, searched settings.

    Example: studio reflex tables --out tables
    """
    found = card_tables(model)
    if out is not None:
        for path in write_tables(found, out):
            say(str(path))
        return
    if as_json:
        print_json(
            [{"name": each.name, "title": each.title, "note": each.note, "columns": list(each.columns),
              "rows": [list(row) for row in each.rows]} for each in found.tables]
        )  # fmt: skip
        return
    for each in found.tables:
        say(each.title)
        print_table(
            list(each.columns),
            [[figure(cell, 3) if isinstance(cell, float) or cell is None else str(cell) for cell in row]
             for row in each.rows], numbers=range(2, len(each.columns)),
        )  # fmt: skip
        say(f"{each.note}\n")
