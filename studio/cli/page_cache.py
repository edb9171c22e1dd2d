"""studio cache: the rendered pages of a project."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import page_cache
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import print_json, say


@click.group()
def cache() -> None:
    """Show or remove the rendered pages of a project; what is removed is rendered again when wanted.

    Example: studio cache show my-study
    """


@cache.command()
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def show(project: Path, as_json: bool) -> None:
    """Print how much room the rendered pages take.

    Example: studio cache show my-study
    """
    with opened(project) as source:
        facts = page_cache.cache_facts(source)
    if as_json:
        print_json(facts)
    else:
        megabytes, limit = facts["bytes"] / 1e6, facts["limit_bytes"] / 1e6
        say(f"{facts['decks']} decks, {megabytes:.1f} MB of at most {limit:.0f} MB, in {facts['folder']}")


@cache.command()
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def clear(project: Path, as_json: bool) -> None:
    """Remove all rendered pages.

    Example: studio cache clear my-study
    """
    with opened(project, must_write=True) as target:
        freed, _ = page_cache.clear_cache(target)
    if as_json:
        print_json({"freed_bytes": freed})
    else:
        say(f"{freed / 1e6:.1f} MB became free.")
