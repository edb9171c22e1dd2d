"""studio leaderboard, snapshot."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import board_views
from studio.actions import leaderboard as actions
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, print_table, say


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--view", type=click.Choice(list(board_views.VIEWS)), default="systems", show_default=True,
              help="Which table; those of papers are called by their number.")  # fmt: skip
@click.option("--measure", default="", help="A method, or whose checklist answers; the first there is if left out.")
@click.option("--by", type=click.Choice(actions.GROUPS), help="Columns beside the one of all instances.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write: .csv, .md or .tex.")
@json_option
def leaderboard(project: Path, view: str, measure: str, by: str | None, out: Path | None, as_json: bool) -> None:
    """Print how systems stand, with intervals, ranges of ranks, and what is failed, missing or not supported.

    Example: studio leaderboard my-study --view systems --by scenario
    """
    with opened(project) as source:
        board = board_views.board(source, view, measure=measure, by=by or "")
    if out is not None:
        actions.export_board(board, out)
    if as_json:
        print_json(actions.board_json(board))
        return
    print_board(board)


def print_board(board: actions.Board) -> None:
    """Print a board for a person: values, the rank of the first column, and what is absent."""
    say(board.title + (f" ({board.measure})" if board.measure else ""))
    has_ranks = any(row.cells and row.cells[0].rank is not None for row in board.rows)
    columns = [board.row_word, *(["rank"] if has_ranks else []), *(column.title for column in board.columns), "absent"]
    rows = []
    for row in board.rows:
        cells = [
            actions.cell_text(cell, column)
            for cell, column in zip(row.cells, board.columns, strict=True)
        ]  # fmt: skip
        first = row.cells[0] if row.cells else None
        ranks = [first.rank_in_words if first else ""] if has_ranks else []
        rows.append((row.title, *ranks, *cells, first.absent.in_words if first else ""))
    print_table(columns, rows, numbers=range(1, len(columns) - 1))
    for words in board.notes:
        note(words)
    if board.sample_data:
        say("The numbers include invented sample data.")
