"""studio leaderboard, snapshot."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from studio.actions import board_views, snapshots
from studio.actions import leaderboard as actions
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--view", type=click.Choice(list(board_views.VIEWS)), default="systems", show_default=True,
              help="Which table; those of papers are called by their number.")  # fmt: skip
@click.option("--measure", default="", help="A method, or whose checklist answers; the first there is if left out.")
@click.option(
    "--by", type=click.Choice((*actions.GROUPS, actions.DIMENSION)), help="Columns beside the one of all instances."
)
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


_PROJECT = click.argument("project", type=click.Path(path_type=Path))


@click.group()
def snapshot() -> None:
    """Freeze the state of a benchmark under a name, and compare two states.

    Example: studio snapshot take my-study --name 2026-12
    """


@snapshot.command()
@_PROJECT
@click.option("--name", required=True, help="What to call it; each name is used once.")
@click.option("--author", default="", help="Who takes it.")
@click.option("--note", default="", help="Why.")
@json_option
def take(project: Path, name: str, author: str, note: str, as_json: bool) -> None:
    """Freeze instances, decks, checklists and every value as they are now.

    Example: studio snapshot take my-study --name 2026-12
    """
    with opened(project, must_write=True) as target:
        made = snapshots.take_snapshot(target, name, author=author, note=note)
    if as_json:
        print_json(asdict(made))
    else:
        say(f"Snapshot {made.number}: {made.name}, {made.at[:16].replace('T', ' ')} UTC")


@snapshot.command("list")
@_PROJECT
@json_option
def list_(project: Path, as_json: bool) -> None:
    """List the snapshots of a project.

    Example: studio snapshot list my-study
    """
    with opened(project) as source:
        found = snapshots.list_snapshots(source)
    if as_json:
        print_json({"snapshots": [asdict(each) for each in found]})
        return
    rows = [(each.number, each.name, each.at[:16], each.author, each.content_hash[:12], each.note) for each in found]
    print_table(("number", "name", "at", "author", "hash", "note"), rows, numbers=(0,))


@snapshot.command()
@_PROJECT
@click.argument("name")
@json_option
def show(project: Path, name: str, as_json: bool) -> None:
    """Print how systems stood in a snapshot, or how they stand now.

    Example: studio snapshot show my-study 2026-12
    """
    with opened(project) as source:
        found = snapshots.standing_of(source, name)
    if as_json:
        rows = [
            {"system": each.system, "method": each.method, "mean": each.before, "n": each.n_before}
            for each in found
        ]  # fmt: skip
        print_json({"snapshot": name, "values": rows})
        return
    print_table(
        ("system", "method", "mean", "decks"),
        [(each.system, each.method, figure(each.before), each.n_before) for each in found],
        numbers=(2, 3),
    )  # fmt: skip


@snapshot.command()
@_PROJECT
@click.argument("before")
@click.argument("after", default=snapshots.NOW)
@json_option
def compare(project: Path, before: str, after: str, as_json: bool) -> None:
    """Print what differs between two snapshots; without a second one, from the project as it is.

    Example: studio snapshot compare my-study 2026-11 2026-12
    """
    with opened(project) as source:
        found = snapshots.compare(source, before, after)
    if as_json:
        print_json(snapshots.comparison_json(found))
        return
    if found.is_same:
        say("Nothing differs.")
        return
    for name, part in [*found.parts.items(), ("methods", found.methods)]:
        for word in ("added", "removed", "changed"):
            names = getattr(part, word)
            if names:
                say(f"{name} {word}: {', '.join(names)}")
    if found.people_in_words:
        say(f"people: {', '.join(found.people_in_words)}")
    print_table(
        ("system", "method", "before", "after", "decks", "on both", "decks in both", "decks changed"),
        [
            (each.system, each.method, figure(each.before), figure(each.after),
             f"{each.n_before} → {each.n_after}", figure(each.on_both), each.n_both, each.n_changed)
            for each in found.differences
            if each.n_changed
        ],
        numbers=(2, 3, 4, 5, 6, 7),
    )  # fmt: skip
