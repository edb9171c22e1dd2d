"""studio reference make, list, show, export, import."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import measured
from studio.actions import references as actions
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say
from studio.metrics import references
from studio.metrics.references import FIGURES, Reference

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_OUT = click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write.")


@click.group()
def reference() -> None:
    """Make a yardstick of a corpus: mean, variance and histogram of each raw figure, and decks' percentiles.

    Example: studio reference make my-study people --system Human
    """


@reference.command()
@_PROJECT
@click.argument("name")
@click.option("--preset", default="benchmark", show_default=True, help="Parameters for harmony and the scores.")
@click.option("--system", "systems", multiple=True, help="Only decks of this system; may be repeated.")
@click.option("--instance", "instances", multiple=True, help="Only decks of this instance; may be repeated.")
@click.option("--description", default="", help="What the corpus is.")
@click.option("--replace", is_flag=True, help="Put it in place of another one of that name.")
@json_option
def make(
    project: Path,
    name: str,
    preset: str,
    systems: tuple[str, ...],
    instances: tuple[str, ...],
    description: str,
    replace: bool,
    as_json: bool,
) -> None:
    """Make a reference of the project's measured decks.

    Example: studio reference make my-study people --system Human
    """
    with opened(project, must_write=True) as target:
        made, _ = actions.make(
            target, name, preset=preset, systems=systems, instances=instances, description=description, replace=replace
        )
    _print(made, as_json=as_json)


@reference.command("list")
@_PROJECT
@json_option
def list_(project: Path, as_json: bool) -> None:
    """List the project's references.

    Example: studio reference list my-study
    """
    with opened(project) as source:
        found = actions.list_references(source)
    if as_json:
        print_json([references.to_json(each) for each in found])
    else:
        rows = [(each.name, each.n_decks, each.n_slides, each.preset, each.description) for each in found]
        print_table(("name", "decks", "slides", "preset", "description"), rows, numbers=(1, 2))


@reference.command()
@_PROJECT
@click.argument("name")
@click.option("--deck", help="Print this deck's percentiles: id or INSTANCE/SYSTEM.")
@click.option("--decks", "all_decks", is_flag=True, help="Print the percentiles of every measured deck.")
@json_option
def show(project: Path, name: str, deck: str | None, all_decks: bool, as_json: bool) -> None:
    """Print a reference, or where decks lie in it.

    Example: studio reference show my-study people --deck topic-1/Aster
    """
    with opened(project) as source:
        if deck is None and not all_decks:
            found = actions.get(source, name)
            rows = None
        else:
            wanted = None if deck is None else [measured.find_deck(source, deck).id]
            rows = actions.percentile_rows(source, name, deck_ids=wanted)
    if rows is None:
        _print(found, as_json=as_json)
    elif as_json:
        print_json(rows)
    else:
        print_table(
            ("system", "figure", "value", "percentile", "mean of reference"),
            [
                (
                    row["system"], row["figure"], figure(row["value"], 3), figure(row["percentile"], 0),
                    figure(row["reference_mean"], 3),
                )
                for row in rows
            ],
            numbers=(2, 3, 4),
        )  # fmt: skip


@reference.command()
@_PROJECT
@click.argument("name")
@_OUT
@json_option
def export(project: Path, name: str, out: Path, as_json: bool) -> None:
    """Write a reference as JSON.

    Example: studio reference export my-study people --out people.json
    """
    with opened(project) as source:
        actions.export_reference(source, name, out)
    if as_json:
        print_json({"name": name, "path": str(out)})
    else:
        note(f"Wrote {out}")


@reference.command("import")
@_PROJECT
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default="", help="Another name than the one in the file.")
@click.option("--replace", is_flag=True, help="Put it in place of another one of that name.")
@json_option
def import_(project: Path, file: Path, name: str, replace: bool, as_json: bool) -> None:
    """Store a reference that was exported elsewhere.

    Example: studio reference import my-study people.json
    """
    with opened(project, must_write=True) as target:
        found, _ = actions.import_reference(target, file, name=name, replace=replace)
    _print(found, as_json=as_json)


def _print(item: Reference, *, as_json: bool) -> None:
    if as_json:
        print_json(references.to_json(item))
        return
    rows = [
        (
            name, FIGURES[name].unit, each.n, figure(each.mean, 4), figure(each.variance, 4), figure(each.minimum, 3),
            figure(each.maximum, 3), _bars(each.counts),
        )
        for name, each in item.figures.items()
    ]  # fmt: skip
    print_table(("figure", "unit", "n", "mean", "variance", "min", "max", "histogram"), rows, numbers=(2, 3, 4, 5, 6))
    say(f"{item.name}: {item.n_decks} decks, {item.n_slides} slides, preset {item.preset or '–'}")


def _bars(counts: tuple[int, ...]) -> str:
    most = max(counts)
    return "".join(" ▁▂▃▄▅▆▇█"[0 if not count else max(1, round(8 * count / most))] for count in counts)
