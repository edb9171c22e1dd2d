"""studio presets list, show, import, export."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import presets as actions
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, print_table, say

_PROJECT = click.argument("project", type=click.Path(path_type=Path))


@click.group()
def presets() -> None:
    """List, show, import and export parameters of the aesthetics metrics that have a name.

    Example: studio presets export my-study benchmark --out aesthetics_config.json
    """


@presets.command("list")
@_PROJECT
@json_option
def list_(project: Path, as_json: bool) -> None:
    """List the presets of the studio and of the project.

    Example: studio presets list my-study
    """
    with opened(project) as source:
        found = actions.list_presets(source)
    if as_json:
        print_json([actions.as_json(each) for each in found])
        return
    print_table(
        ("name", "from", "at", "parameters that differ from benchmark"),
        [
            (each.name, each.provenance.get("kind", ""), each.at or None, ", ".join(each.differences) or "none")
            for each in found
        ],
    )


@presets.command()
@_PROJECT
@click.argument("name")
@json_option
def show(project: Path, name: str, as_json: bool) -> None:
    """Print the parameters of a preset under the reference's key names.

    Example: studio presets show my-study paper-text
    """
    with opened(project) as source:
        found = actions.preset(source, name)
    if as_json:
        print_json(actions.as_json(found))
        return
    values = found.parameters.to_json()
    values.update(values.pop("studio", {}))  # type: ignore[call-overload]
    print_table(
        ("parameter", "value", "benchmark"),
        [
            (key, value, found.differences[key][0] if key in found.differences else "same")
            for key, value in values.items()
        ],
        numbers=(1, 2),
    )
    for key, value in found.provenance.items():
        say(f"{key}: {value}")


@presets.command("import")
@_PROJECT
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default="", help="Name of the preset; the file's name without its ending if left out.")
@click.option("--base", default="", help="Preset that gives the parameters that the file leaves out.")
@json_option
def import_(project: Path, file: Path, name: str, base: str, as_json: bool) -> None:
    """Store the parameters of a configuration or result file in the reference's layout.

    Example: studio presets import my-study aesthetics_config.json --name shipped
    """
    with opened(project, must_write=True) as target:
        found, _ = actions.import_preset(target, file, name=name, base=base)
    if as_json:
        print_json(actions.as_json(found))
    else:
        note(f"Stored {found.name}: {len(found.differences)} parameters differ from benchmark.")


@presets.command()
@_PROJECT
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write.")
@json_option
def export(project: Path, name: str, out: Path, as_json: bool) -> None:
    """Write a preset as a configuration file in the reference's layout.

    Example: studio presets export my-study benchmark --out aesthetics_config.json
    """
    with opened(project) as source:
        actions.export_preset(source, name, out)
    if as_json:
        print_json({"name": name, "path": str(out)})
    else:
        note(f"Wrote {out}")
