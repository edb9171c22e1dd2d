"""studio reflex lab."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import judging, lab
from studio.actions.judge_wish import read_wish
from studio.actions.lab_table import LabTable, confusions, in_words, lab_csv, lab_rows, lab_svg, lab_table
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.model.judging import JudgingProtocol
from studio.model.reflex import ContentMetric
from studio.stats.noticing import Noticing
from studio.whole_files import write_whole

_DEFECTS = [each.value for each in ContentMetric]


@click.command("lab")
@click.argument("data", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The lab; left out if DATA is one.")
@click.option("--source", "sources", multiple=True, type=click.Path(path_type=Path, exists=True),
              help="What deck files were made from; coverage needs it.")  # fmt: skip
@click.option("--defect", "defects", multiple=True, type=click.Choice(_DEFECTS), help="Only this; may be repeated.")
@click.option("--metrics", "names", default="", help="Separated by commas; all that ask nobody if left out; or none.")
@click.option("--judge", "judges", multiple=True, help="Also ask this judge, as for studio judge; may be repeated.")
@click.option("--protocol", "protocols", multiple=True, type=click.Choice([each.value for each in JudgingProtocol]),
              help="How judges are asked; may be repeated.")  # fmt: skip
@click.option("--base-url", default="", help="Another endpoint of the judges.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting, as for studio judge.")
@click.option("--seed", default=0, show_default=True, help="Of what is made worse.")
@click.option("--repeats", default=1, show_default=True, type=click.IntRange(1, 50), help="Ladders of each deck.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the table.")
@click.option("--svg", "svg_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the plot.")
@json_option
def reflex_lab(
    data: tuple[Path, ...],
    out: Path | None,
    sources: tuple[Path, ...],
    defects: tuple[str, ...],
    names: str,
    judges: tuple[str, ...],
    protocols: tuple[str, ...],
    base_url: str,
    settings: tuple[str, ...],
    seed: int,
    repeats: int,
    csv_file: Path | None,
    svg_file: Path | None,
    as_json: bool,
) -> int:
    """Make decks worse on purpose, and show which metric or judge notices what, and at which degree.

    DATA are deck files, a project, or a lab that is there. What was made or scored before is not done again.

    Example: studio reflex lab deck.pptx --source paper.pdf --out lab --svg plot.svg
    """
    wishes = [read_wish(judge, protocol=protocol, base_url=base_url, settings=settings)
              for judge in judges for protocol in protocols or (JudgingProtocol.GEVAL.value,)]  # fmt: skip
    with cancel_on_interrupt() as cancel, shown_progress() as progress:
        folder = _lab_folder(data, out)
        if out is not None:
            chosen = [ContentMetric(each) for each in defects] or list(ContentMetric)
            made = lab.make_lab(
                folder, _decks(data, sources), seed=seed, defects=chosen, repeats=repeats, emit=progress, cancel=cancel
            )
            for each in made.left_out:
                note(f"{each.name}: {each.defect.value} left out: {each.reason}")
        with opened(folder, must_write=True) as project:
            failed = False
            evaluators = [] if names == "none" else [each.strip() for each in names.split(",") if each.strip()]
            if names != "none":
                ended = lab.run_lab(
                    project, evaluators or lab.FREE_EVALUATORS, tools=tools(), emit=progress, cancel=cancel
                )
                failed = ended.state.value == "failed"
            for wish in wishes:
                told, _ = judging.start_judging(project, wish, tools=tools(), emit=progress, cancel=cancel)
                failed = failed or told.state.value == "failed"
            table = lab_table(project)
    if csv_file is not None:
        write_whole(csv_file, lab_csv(table))
    if svg_file is not None:
        write_whole(svg_file, lab_svg(table))
    if as_json:
        print_json(
            {
                "lab": str(folder),
                "seed": table.lab.seed,
                "decks": table.n_decks,
                "rows": lab_rows(table),
                "confusions": _confusions(table),
            }
        )
    else:
        _print(table)
        say(f"lab: {folder}")
    if cancel.is_set():
        return EXIT_CANCELLED
    return EXIT_SOME_FAILED if failed else EXIT_OK


def _lab_folder(data: tuple[Path, ...], out: Path | None) -> Path:
    if out is not None:
        return out
    if len(data) == 1 and (data[0] / "project.db").is_file():
        return data[0]
    raise click.UsageError("Name the folder of the lab with --out.")


def _decks(data: tuple[Path, ...], sources: tuple[Path, ...]) -> list[lab.LabDeck]:
    found: list[lab.LabDeck] = []
    for path in data:
        if (path / "project.db").is_file():
            with opened(path) as project:
                found += lab.decks_of_project(project)
        else:
            found.append(lab.LabDeck(name=path.stem, path=path, sources=sources))
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"Two decks are called {twice}; rename one of the files.")
    return found


def _print(table: LabTable) -> None:
    lines = []
    for row in table.rows:
        cells = []
        for defect in table.defects:
            found = row.by_defect.get(defect)
            cells.append("–" if found is None else _cell(found))
        lines.append([row.title, *cells])
    print_table(["Evaluator", *(each.value for each in table.defects)], lines, numbers=())
    say(
        f"{in_words(table)}. Kendall's tau of value and −degree within a ladder, mean; 1 sees every step. yes, no: "
        "whether values fall more than chance explains, on these decks (exact test by signs, Holm over the table, "
        '5 %); "?": too few ladders to tell. "from 2": from degree 2 on more than half of the ladders fall. '
        '"sees nothing": the same value on every rung.'
    )
    for each in confusions(table):
        others = ", ".join(f"{defect.value} {_cell(found)}" for defect, found in each.others.items())
        say(f"reflex.{each.metric.value} on other defects than its own: {others or 'none in this lab'}")


def _cell(found: Noticing) -> str:
    if found.tau is None:
        return {"constant": "sees nothing", "too_few": "no value"}[found.undefined_reason or "too_few"]
    is_noticed = {True: "yes", False: "no", None: "?"}[found.is_noticed]
    return f"{figure(found.tau)} {is_noticed}" + (f" from {found.from_degree}" if found.from_degree else "")


def _confusions(table: LabTable) -> list[dict[str, object]]:
    return [
        {"metric": f"reflex.{each.metric.value}", "defect": defect.value, "is_own": defect is each.metric,
         "tau": found.tau, "tau_low": found.low, "tau_high": found.high, "p_holm": found.p_holm,
         "is_noticed": found.is_noticed}
        for each in confusions(table)
        for defect, found in {**({each.metric: each.own} if each.own else {}), **each.others}.items()
    ]  # fmt: skip
