"""studio decks."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import facts
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import print_json, print_table


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def decks(project: Path, as_json: bool) -> None:
    """List the decks of a project with their state and the facts of their files.

    Example: studio decks my-study
    """
    with opened(project) as source:
        rows = facts.deck_rows(source)
    if as_json:
        print_json(rows)
        return
    print_table(
        ("instance", "system", "format", "slides", "pages", "state", "reason"),
        [
            (
                row["instance"], row["system"], row.get("format"), row.get("slides"), row["pages_rendered"],
                row["status"] if row["status"] != "present" else row["render_state"],
                row["reason"] or row["render_reason"] or "",
            )
            for row in rows
        ],
        numbers=(3, 4),
    )  # fmt: skip
