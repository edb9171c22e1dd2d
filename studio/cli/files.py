"""studio inspect, render: work on one file, without a project."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from studio.actions import facts, pictures
from studio.cli.main import EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import tools
from studio.cli.output import note, print_json, say
from studio.cli.progress import cancel_on_interrupt


def password_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --password-stdin to a command; there is no other way, since arguments show in lists of processes."""
    return click.option(
        "--password-stdin", is_flag=True, help="Read the file's password from the first line of standard input."
    )(command)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@password_option
@json_option
def inspect(file: Path, password_stdin: bool, as_json: bool) -> int:
    """Print the facts of one file as JSON, without rendering it.

    Exit code 1, with "failure" filled, when the file cannot be read.

    Example: studio inspect deck.pptx
    """
    found = facts.inspect(file, password=_password(password_stdin))
    print_json(facts.facts_json(found))
    return EXIT_SOME_FAILED if found.failure else EXIT_OK


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the pictures.")
@click.option("--size", default="1280x720", show_default=True, help="Box that each slide is fitted into, in pixels.")
@click.option("--hidden", "with_hidden", is_flag=True, help="Draw hidden slides too.")
@password_option
@json_option
def render(file: Path, out: Path, size: str, with_hidden: bool, password_stdin: bool, as_json: bool) -> int:
    """Write one PNG for each slide: slide_0001.png and so on.

    Example: studio render deck.pptx --out pages --size 1920x1080
    """
    box, password = _size(size), _password(password_stdin)
    with cancel_on_interrupt() as cancel:
        rendered = pictures.render_file(
            file, out, box_px=box, tools=tools(), cancel=cancel, password=password, with_hidden=with_hidden
        )
    values = pictures.rendered_json(rendered, out)
    for item in values["warnings"]:
        note(f"  slide {item['slide']}: {item['message']}" if item["slide"] else f"  {item['message']}")
    if as_json:
        print_json(values)
    else:
        pages = sum(page["file"] is not None for page in values["pages"])
        size = "×".join(map(str, values["size_px"])) if values["size_px"] else "no size"
        say(f"{pages} pages of {size} in {out} ({values['renderer']}, {values['seconds']} s)")
    return EXIT_OK


def _password(is_given: bool) -> str | None:
    return sys.stdin.readline().rstrip("\r\n") if is_given else None


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (
        cross and width.isdigit() and height.isdigit() and 16 <= int(width) <= 16384 and 16 <= int(height) <= 16384
    ):
        raise click.UsageError(f"--size is {text}, not WIDTHxHEIGHT with 16 to 16384 pixels, such as 1280x720.")
    return int(width), int(height)
