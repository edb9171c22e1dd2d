"""studio regions."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import regions as regions_action
from studio.actions import runs
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import note, print_json
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.model.runs import RunKind, RunSpec

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_DECK = click.option("--deck", required=True, help="The deck's id, or the name of its system.")
_INSTANCE = click.option("--instance", default="", help="The instance, where the system has decks for several.")


@click.group()
def regions() -> None:
    """Where the text is on slides: find it on pictures, write it to a file, read it from one.

    Example: studio regions export my-study --deck "System A" --out regions.json
    """


@regions.command()
@_PROJECT
@click.option("--force", is_flag=True, help="Look again at pictures that were looked through before.")
@click.option("--workers", type=click.IntRange(1, 64), help="Worker processes; one for each core if left out.")
@json_option
def detect(project: Path, force: bool, workers: int | None, as_json: bool) -> int:
    """Find and read the text of slides that are pictures. Metrics do this by themselves.

    Example: studio regions detect my-study
    """
    spec = RunSpec(kind=RunKind.REGIONS, force=force, workers=workers)
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel, shown_progress() as progress:
        ended, _ = runs.start_run(target, spec, tools=tools(), emit=progress, cancel=cancel)
    if as_json:
        print_json(
            {
                "run_id": ended.run_id, "state": ended.state.value, "units": ended.counts, "cached": ended.cached,
                "seconds": round(ended.seconds, 2),
            }
        )  # fmt: skip
    if cancel.is_set():
        return EXIT_CANCELLED
    if ended.state.value == "failed":
        note(f"studio: the run failed: {ended.reason}")
        return EXIT_SOME_FAILED
    return EXIT_SOME_FAILED if set(ended.counts) - {"ok"} else EXIT_OK


@regions.command()
@_PROJECT
@_DECK
@_INSTANCE
@click.option("--out", type=click.Path(path_type=Path), help="The file to write; left out: among the exports.")
@json_option
def export(project: Path, deck: str, instance: str, out: Path | None, as_json: bool) -> None:
    """Write a deck's text regions in the layout of PaddleOCR's detectors.

    Example: studio regions export my-study --deck "System A" --out regions.json
    """
    with opened(project) as source:
        deck_id = regions_action.deck_named(source, deck, instance=instance).id
        if as_json and out is None:
            print_json(regions_action.regions_json(source, deck_id))
            return
        path = regions_action.export_regions(source, deck_id, out)
    if as_json:
        print_json({"deck_id": deck_id, "path": str(path)})
    else:
        click.echo(str(path))


@regions.command("import")
@_PROJECT
@click.argument("file", type=click.Path(path_type=Path))
@_DECK
@_INSTANCE
@json_option
def import_(project: Path, file: Path, deck: str, instance: str, as_json: bool) -> None:
    """Use the text regions of a file for a deck, in place of what was detected or is in the deck.

    Example: studio regions import my-study regions.json --deck "System A"
    """
    with opened(project, must_write=True) as target:
        deck_id = regions_action.deck_named(target, deck, instance=instance).id
        report, _ = regions_action.import_regions(target, deck_id, file)
    if as_json:
        print_json(
            {
                "deck_id": report.deck_id, "slides": report.slides, "regions": report.regions,
                "outside": report.outside, "unknown": list(report.unknown),
            }
        )  # fmt: skip
    else:
        click.echo(f"{report.regions} regions of {report.slides} slides")
    if report.outside:
        note(f"{report.outside} regions reach beyond their picture; were they made on pictures of another size?")
    if report.unknown:
        note(f"No slide is called {', '.join(report.unknown[:5])}{' …' if len(report.unknown) > 5 else ''}.")


@regions.command()
@_PROJECT
@_DECK
@_INSTANCE
@json_option
def clear(project: Path, deck: str, instance: str, as_json: bool) -> None:
    """Forget the text regions that were imported for a deck.

    Example: studio regions clear my-study --deck "System A"
    """
    with opened(project, must_write=True) as target:
        deck_id = regions_action.deck_named(target, deck, instance=instance).id
        slides, _ = regions_action.remove_imported(target, deck_id)
    if as_json:
        print_json({"deck_id": deck_id, "slides": slides})
    else:
        click.echo(f"regions of {slides} slides forgotten")
