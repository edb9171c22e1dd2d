"""What goes to stdout and what to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table


def print_json(value: object) -> None:
    """Print one JSON document on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def note(text: str) -> None:
    """Print a message for a person on stderr."""
    click.echo(text, err=True)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: Sequence[int] = ()) -> None:
    """Print rows as a table on stdout; columns named in `numbers` by index are right-aligned."""
    is_terminal = sys.stdout.isatty()
    console = Console(width=None if is_terminal else 160, highlight=False, no_color=not is_terminal)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*("–" if cell is None else str(cell) for cell in row))
    console.print(table)


def figure(value: float | None, digits: int = 2) -> str:
    """Return a number to so many digits, or a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"
