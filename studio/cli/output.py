"""What goes to stdout and what to stderr."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Sequence

import click

# Named again for the commands, which take all that they print with from here.
from studio.actions.figures import figure as figure


class ReaderGone(Exception):
    """Whoever read our output has enough of it."""


def prepare_streams() -> None:
    """Make the three streams fit for whatever is printed.

    Where one is closed (`2>&-`, or a program without a console) Python has None in its place, and whoever
    prints would fail. A name that the stream's encoding lacks, or that is no text at all, is printed with a
    mark in its place; it must not end a command whose work is done.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def on_one_line(name: str) -> str:
    """Return a name of somebody's file or table so that it neither breaks a line nor commands the terminal."""
    return _CONTROL.sub(" ", name)


def say(text: str, *, end: str = "\n") -> None:
    """Print a result on stdout.

    Raises:
        ReaderGone: if nobody reads it any more.
    """
    try:
        click.echo(text + end, nl=False)
    except BrokenPipeError as error:
        # Translated here: click would end the program with code 1, as if something had failed.
        raise ReaderGone from error


def print_json(value: object) -> None:
    """Print one JSON document on stdout; escaped where stdout cannot take every character, so that none is lost."""
    is_utf_8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    say(json.dumps(value, ensure_ascii=not is_utf_8, indent=2, allow_nan=False))


def one_line(text: str) -> str:
    """Return a message without line breaks."""
    return " ".join(text.split())


def note(text: str) -> None:
    """Print a message for a person on stderr."""
    click.echo(text, err=True)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: Sequence[int] = ()) -> None:
    """Print rows as a table on stdout; columns named in `numbers` by index are right-aligned."""
    # Imported here: rich takes longer to import than most commands take to run.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = sys.stdout.isatty()
    console = Console(width=None if is_terminal else 160, highlight=False, no_color=not is_terminal)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index in numbers else "left", overflow="fold")
    for row in rows:
        # As text, not as markup: "[draft] a" is a name, and its bracket no style.
        table.add_row(*(Text("–" if cell is None else on_one_line(str(cell))) for cell in row))
    with console.capture() as printed:
        console.print(table)
    say(printed.get(), end="")
