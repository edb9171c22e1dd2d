"""studio people."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import quality
from studio.cli.main import EXIT_OK, json_option
from studio.cli.opened import opened
from studio.cli.output import print_json, print_table, say
from studio.model.answers import Role


@click.group()
def people() -> None:
    """List annotators, and change their profiles.

    Example: studio people list my-study
    """


@people.command("list")
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def list_(project: Path, as_json: bool) -> int:
    """Print everyone who may answer.

    Example: studio people list my-study
    """
    with opened(project) as source:
        rows = quality.people_rows(source)
    if as_json:
        print_json(rows)
    else:
        names = ("name", "group", "role", "qualification", "is_active", "is_sample")
        print_table(names, [[row[column] for column in names] for row in rows])
    return EXIT_OK


@people.command("set")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--group", help="Such as expert, design student, end user.")
@click.option("--role", type=click.Choice([role.value for role in Role]))
@click.option("--qualification")
@click.option("--active/--dropped-out", "is_active", default=None, help="Whether they still answer.")
@json_option
def set_(
    project: Path,
    name: str,
    group: str | None,
    role: str | None,
    qualification: str | None,
    is_active: bool | None,
    as_json: bool,
) -> int:
    """Make a profile, or change one.

    Example: studio people set my-study Ada --group expert --qualification "5 years of design"
    """
    with opened(project, must_write=True) as target:
        row, _ = quality.set_profile(
            target, name, group=group, role=Role(role) if role else None, qualification=qualification,
            is_active=is_active,
        )  # fmt: skip
    if as_json:
        print_json(row)
    else:
        say(f"{row['name']}: {row['role']}{', ' + row['group'] if row['group'] else ''}")
    return EXIT_OK
