"""studio plots, cases, release: what goes into papers and data sets."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import case_cards as cards_action
from studio.actions import plots as plots_action
from studio.actions import release as release_action
from studio.actions.figures import counted
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder; the exports folder if left out.")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(tuple(plots_action.FORMATS)), default=("svg",),
    show_default=True, help="May be given several times.",
)  # fmt: skip
@click.option("--metric", "metrics", multiple=True, help="Only this method; may be given several times.")
@json_option
def plots(project: Path, out: Path | None, formats: tuple[str, ...], metrics: tuple[str, ...], as_json: bool) -> None:
    """Write the plots of the alignment: intervals, heat map, bump chart, one scatter plot a method.

    Example: studio plots my-study --format pdf --out figures
    """
    with opened(project) as source:
        paths = plots_action.write_plots(
            source, out or source.exports_folder / "plots", formats=formats, metrics=metrics
        )
    if as_json:
        print_json({"paths": [str(path) for path in paths]})
    else:
        note(f"Wrote {counted(len(paths), 'plot')} into {paths[0].parent}")


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File; in the exports folder if left out.")
@click.option("--judge", "judges", multiple=True, help="Only this judge; may be given several times.")
@click.option("--all", "everything", is_flag=True, help="Also where people and the judge say the same.")
@click.option("--most", type=click.IntRange(1), default=cards_action.MOST, show_default=True, help="Cards at most.")
@json_option
def cases(project: Path, out: Path | None, judges: tuple[str, ...], everything: bool, most: int, as_json: bool) -> None:
    """Write case cards: slide, item, what people and a judge say, and the evidence of both.

    Example: studio cases my-study --judge code --out cases.html
    """
    with opened(project) as source:
        written = cards_action.write_case_cards(
            source,
            out or source.exports_folder / "cases.html",
            judge_ids=judges,
            only_disputed=not everything,
            most=most,
        )
    if as_json:
        print_json({"path": str(written.path), "cards": written.cards, "cases": written.cases})
    else:
        note(f"Wrote {counted(written.cards, 'card')} of {counted(written.cases, 'case')} to {written.path}")


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder that is not there yet."
)
@click.option("--licence", default="", help="Of the data, such as cc-by-4.0; stated in the card.")
@click.option("--with-comments", is_flag=True, help="Also people's free words, in which names may stand.")
@json_option
def release(project: Path, out: Path, licence: str, with_comments: bool, as_json: bool) -> None:
    """Write an alignment set for others: tables, pairs, guidelines, dataset card, checksums.

    Annotators stand under numbers that are drawn anew for each release.

    Example: studio release my-study --out my-alignment-set --licence cc-by-4.0
    """
    with opened(project) as source:
        made = release_action.release(source, out, licence=licence, with_comments=with_comments)
    if as_json:
        print_json(
            {
                "path": str(made.folder), "rows": dict(made.rows), "annotators": made.annotators,
                "left_out": dict(made.left_out),
            }
        )  # fmt: skip
        return
    note(f"Wrote {made.folder}: {counted(made.annotators, 'annotator')}, under numbers")
    for name, rows in made.rows.items():
        note(f"  {name}: {counted(rows, 'row')}")
    for name, number in made.left_out.items():
        note(f"  left out: {number:,} {name}")
