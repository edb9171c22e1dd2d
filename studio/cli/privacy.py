"""studio privacy: what in the decks names who made them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from studio.actions import privacy as privacy_actions
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import print_json, print_table
from studio.cli.progress import cancel_on_interrupt
from studio.errors import DeckUnreadable
from studio.store.project import DATABASE


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--system", "systems", multiple=True, help="A system's name to look for in a file; may be repeated.")
@click.option("--password-stdin", is_flag=True, help="Read the file's password from standard input.")
@json_option
def privacy(path: Path, systems: tuple[str, ...], password_stdin: bool, as_json: bool) -> None:
    """List what in a project's decks, or in one file, names the system that made it.

    Looked at are metadata, notes, file names and the words on slides, for the names of the project's systems
    and of known products. Packs for blind work leave out what is marked as stripped.

    Example: studio privacy my-study --json
    """
    if (path / DATABASE).is_file():
        with opened(path) as project, cancel_on_interrupt() as cancel:
            rows = privacy_actions.project_findings(project, cancel=cancel)
    else:
        if not path.exists():
            raise DeckUnreadable("not_found", f"{path} was not found.", next_step="Give a project folder or a file.")
        password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
        rows = [privacy_actions.file_findings(path, systems=systems, password=password)]
    if as_json:
        print_json(rows)
        return
    print_table(
        ("deck", "where", "slide", "names", "stripped", "text"),
        [line for row in rows for line in _lines(row)],
        numbers=(2,),
    )


def _lines(row: dict[str, Any]) -> list[tuple[Any, ...]]:
    deck = " / ".join(str(row[key]) for key in ("instance", "system") if key in row) or row["file"]
    if row["failure"]:
        return [(deck, "cannot be read", None, None, None, row["failure"]["message"])]
    return [
        (
            deck, item["what"], item["slide"], item["name"], "yes" if item["stripped_in_packs"] else "no",
            item["text"][:80],
        )
        for item in row["findings"]
    ]  # fmt: skip
