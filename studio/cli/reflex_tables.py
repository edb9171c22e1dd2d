"""studio reflex tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from studio.actions.leaderboard import board_json
from studio.actions.reflex_paper import PaperPage, paper_pages, write_pages
from studio.actions.reflex_tables import CardTables, card_tables, write_tables
from studio.cli.leaderboard import print_board
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say


@click.command("tables")
@click.argument("project", required=False, type=click.Path(path_type=Path))
@click.option("--model", type=click.Path(path_type=Path), help="A model file; the shipped one if left out.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False),
              help="Folder for CSV, Markdown and LaTeX tables and SVG figures.")  # fmt: skip
@json_option
def reflex_tables(project: Path | None, model: Path | None, out: Path | None, as_json: bool) -> None:
    """Print a model's tables, or the paper's Tables 1 to 5 and Figures 3 and 4 of a project.

    With a project: what its sensitivity lab, its judges and the people who rated decks and explanations come to,
    beside the shipped model's card. Without one: the card of a model, with every seed.

    Example: studio reflex tables my-study --out tables
    """
    if project is not None and model is not None:
        raise click.UsageError("--model shows a model's own tables; leave PROJECT out.")
    if project is None:
        _of_model(card_tables(model), out, as_json)
        return
    with opened(project) as source:
        pages = paper_pages(source)
    if out is not None:
        for path in write_pages(pages, out):
            say(str(path))
        for page in pages:
            if page.board is None:
                note(f"{page.view.number}: {page.reason}")
    elif as_json:
        print_json([
            {"number": page.view.number, "title": page.view.title, "undefined_reason": page.reason or None,
             **(board_json(page.board) if page.board is not None else {"view": page.view.name, "rows": []})}
            for page in pages
        ])  # fmt: skip
    else:
        _print(pages)


def _print(pages: Sequence[PaperPage]) -> None:
    for page in pages:
        say(f"{page.view.number}: {page.view.title}")
        if page.board is None:
            say(f"{page.reason}\n")
        else:
            print_board(page.board)
            say("")


def _of_model(found: CardTables, out: Path | None, as_json: bool) -> None:
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
