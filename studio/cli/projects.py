"""studio new, status, gui."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from studio.actions import packs, projects
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import on_one_line, print_json, say


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--title", default="", help="Title of the project; its folder's name if left out.")
@json_option
def new(project: Path, title: str, as_json: bool) -> None:
    """Make a new project folder.

    Example: studio new my-study --title "Storage lectures"
    """
    made = projects.new_project(project, title=title)
    try:
        if as_json:
            print_json({"project_id": made.id, "path": str(made.folder), "title": made.title})
        else:
            say(f"Made {made.folder}. Next: studio import {shlex.quote(str(project))} PATH")
    finally:
        made.close()


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def status(project: Path, as_json: bool) -> None:
    """Print counts, missing files and open runs of a project.

    Example: studio status my-study
    """
    with opened(project) as opened_project:
        values = projects.status(opened_project)
    if as_json:
        print_json(values)
        return
    say(on_one_line(f"{values['title']} ({values['path']})"))
    for name in ("instances", "sources", "systems", "decks", "rendered", "annotators", "scores", "runs"):
        say(f"  {name:<12}{values[name]:>6}")
    for word, number in {**values["decks_by_status"], **values["rankings"]}.items():
        say(f"  {word:<12}{number:>6}")
    say(f"  {'pages':<12}{values['cache_bytes'] / 1e6:>6.0f} MB on disk")
    for missing in values["missing_files"]:
        say(f"  missing: {missing}")
    for failed in values["render_failed"]:
        say(f"  not rendered: {failed['system']}: {failed['reason']}")
    for run in values["open_runs"]:
        say(f"  run not finished: {run}")


@click.command()
@click.argument("project", type=click.Path(path_type=Path), required=False)
def gui(project: Path | None) -> int:
    """Open the window, on a project or a pack if one is named; a pack becomes a project beside it.

    Example: studio gui my-study
    """
    from studio.cli.window import open_window

    if project is not None and project.suffix == ".pack" and project.is_file():
        project = packs.open_pack(project)
    if project is not None:
        projects.check_is_project(project)
    return open_window(project)
