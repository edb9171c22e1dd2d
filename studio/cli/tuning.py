"""studio tune, ablate, ve-matrix."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import ablation, ve_matrix
from studio.actions import tuning as actions
from studio.actions import tuning_result as results
from studio.actions.tuning_data import Answers
from studio.actions.tuning_preset import check_free, save_tuned
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.stats.intervals import BootstrapMean, PairedComparison
from studio.stats.search import Method

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_ANSWERS = click.Choice([each.value for each in Answers])


@click.command()
@_PROJECT
@click.option("--method", type=click.Choice([each.value for each in Method]), default="bayes", show_default=True)
@click.option(
    "--parameters",
    default="",
    help="NAME or NAME=LOW:HIGH[:log], separated by commas; all for every one. The four weights if left out.",
)
@click.option("--from", "start", default="benchmark", show_default=True, help="Preset that gives the initial values.")
@click.option("--trials", type=int, default=100, show_default=True, help="Points to try at most in each fit.")
@click.option("--levels", type=int, default=7, show_default=True, help="Values of each parameter on a grid.")
@click.option("--folds", type=int, default=5, show_default=True, help="Parts for cross-validation; 0 leaves one out.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--fit-on", type=_ANSWERS, default="rankings", show_default=True, help="Answers to fit to.")
@click.option("--test-on", type=_ANSWERS, help="Answers to test on; the same as fitted to if left out.")
@click.option("--test-scenario", "scenarios", multiple=True, help="Keep this scenario for the test; may be repeated.")
@click.option("--save", "name", default="", help="Store the optimum as a preset of this name.")
@json_option
def tune(
    project: Path, method: str, parameters: str, start: str, trials: int, levels: int, folds: int, seed: int,
    fit_on: str, test_on: str | None, scenarios: tuple[str, ...], name: str, as_json: bool,
) -> None:  # fmt: skip
    """Search for aesthetics parameters that agree best with people, and test them on instances held out.

    Slides are not measured again. A search that is stopped goes on when it is asked for again.

    Example: studio tune my-study --parameters weight_contrast,harmony_sigma --save mine
    """
    spec = actions.TuningSpec(
        start=start,
        parameters=actions.parameters_named(parameters.split(",")),
        method=Method(method),
        trials=trials,
        levels=levels,
        folds=folds,
        seed=seed,
        fit_on=Answers(fit_on),
        test_on=Answers(test_on or fit_on),
        test_scenarios=scenarios,
    )
    with opened(project, must_write=bool(name)) as target:
        if name:
            check_free(target, name)
        with shown_progress() as shown, cancel_on_interrupt() as cancel:
            result = actions.tune(target, spec, emit=shown, cancel=cancel)
        if name:
            save_tuned(target, name, result)
    if as_json:
        print_json(results.as_json(result) | {"preset": name or None})
        return
    print_result(result)
    if name:
        note(f"Stored the optimum as preset {name}. Run: studio metrics PROJECT --preset {name}")


def print_result(result: results.TuningResult) -> None:
    """Print what a search found for a person."""
    print_table(
        ("parameter", "initial", "optimum", "Δ alone", "p", "Δ put back", "p", "as good from", "to"),
        [
            (
                each.key, f"{each.initial:.4g}", f"{each.optimum:.4g}", signed(each.alone.difference),
                figure(each.p_alone, 3), signed(each.without.difference and -each.without.difference),
                figure(each.p_without, 3), f"{each.near_low:.4g}", f"{each.near_high:.4g}",
            )
            for each in result.parameters
        ],
        numbers=range(1, 9),
    )  # fmt: skip
    rows = [
        ("initial", *_mean_cells(result.fit.initial), ""),
        ("optimum, in-sample", *_mean_cells(result.fit.optimum), _change(result.fit.gain)),
    ]
    if result.out_of_sample is not None:
        rows.append(("optimum, out-of-sample", *_mean_cells(result.out_of_sample), _change(result.out_of_sample_gain)))
    if result.test is not None:
        on = result.test.answers.value
        rows.append((f"test set ({on}), initial", *_mean_cells(result.test.initial), ""))
        rows.append((f"test set ({on}), optimum", *_mean_cells(result.test.optimum), _change(result.test.gain)))
    print_table(
        ("", f"mean {result.value_words}", "95 % interval", "n", "against initial"), rows, numbers=(1, 3)
    )  # fmt: skip
    if result.gap is not None:
        say(f"Gap, in-sample minus out-of-sample: {_change(result.gap)}")
    folds = "leave one out" if result.leaves_one_out else f"{result.n_folds} folds"
    say(
        f"{result.method.value}, {result.n_trials} points, {folds}, seed {result.seed}; p by sign flips over "
        "instances, adjusted by Holm's rule."
    )
    for warning in result.warnings:
        say(f"! {warning}")


@click.command()
@_PROJECT
@click.option("--preset", default="benchmark", show_default=True, help="Of the aesthetics scores.")
@click.option("--component", "components", multiple=True, help="A method to combine; may be repeated.")
@click.option("--weight", "weights", multiple=True, help="METHOD=WEIGHT: one sum with these weights, beside the table.")
@json_option
def ablate(
    project: Path, preset: str, components: tuple[str, ...], weights: tuple[str, ...], as_json: bool
) -> None:  # fmt: skip
    """Print how well the sum of each subset of components agrees with the people.

    Example: studio ablate my-study --weight aesthetics.usability=2 --weight aesthetics.rhythm=1
    """
    given = dict(_weight(text) for text in weights)
    with opened(project) as source:
        table = ablation.ablate(source, preset=preset, components=components)
    unknown = [name for name in given if name not in table.components]
    if unknown:
        raise click.BadParameter(
            f"{', '.join(unknown)} is none of {', '.join(table.components)}", param_hint="--weight"
        )
    chosen = table.with_weights(given) if given else None
    if as_json:
        content = ablation.as_json(table)
        print_json(content | {"weighted": None if chosen is None else ablation.sum_json(chosen)})
        return
    rows: list[tuple[object, ...]] = []
    for row in table.rows:
        item = row.alignment
        rows.append(
            (
                " + ".join(ablation.short_name(name) for name in item.components), figure(item.mean_rho, 3),
                figure(item.std_rho, 3), None if item.identical is None else f"{100 * item.identical:.1f}",
                f"{item.n_defined}/{item.n_total}",
                signed(row.against_all.difference) if row.against_all else None, figure(row.p_holm, 3),
            )
        )  # fmt: skip
    if chosen is not None:
        words = " + ".join(f"{weight:g} {ablation.short_name(name)}" for name, weight in chosen.weights.items())
        identical = None if chosen.identical is None else f"{100 * chosen.identical:.1f}"
        rows.append(
            (
                words or "nothing", figure(chosen.mean_rho, 3), figure(chosen.std_rho, 3), identical,
                f"{chosen.n_defined}/{chosen.n_total}", None, None,
            )
        )  # fmt: skip
    print_table(
        ("components", "mean ρ", "std", "identical %", "defined", "Δ to all", "p (Holm)"), rows, numbers=range(1, 7)
    )


@click.command("ve-matrix")
@_PROJECT
@click.option("--preset", default="benchmark", show_default=True, help="Of the aesthetics total.")
@click.option("--looks-line", type=float, help="Aesthetics total that parts the quadrants; the median if left out.")
@click.option("--edits-line", type=float, help="Editability level that does; the median if left out.")
@json_option
def ve(project: Path, preset: str, looks_line: float | None, edits_line: float | None, as_json: bool) -> None:
    """Print how good decks look against how far they can be edited.

    Example: studio ve-matrix my-study --edits-line 3
    """
    with opened(project) as source:
        matrix = ve_matrix.ve_matrix(source, preset=preset, looks_line=looks_line, edits_line=edits_line)
    if as_json:
        print_json(ve_matrix.as_json(matrix))
        return
    print_table(
        ("system", "mean total", "level", "decks", "missing", "quadrant"),
        [
            (each.system, figure(each.total), f"L{each.level}", each.n_decks, each.n_missing,
             ve_matrix.QUADRANT_WORDS[each.quadrant])
            for each in matrix.systems
        ],
        numbers=(1, 3, 4),
    )  # fmt: skip
    for words, line in (("Aesthetics total", matrix.looks_line), ("Level", matrix.edits_line)):
        if line is not None:
            say(f"{words}: line at {line.at:g} ({line.rule}).")
    say(f"System: {ve_matrix.SYSTEM_RULE}; {ve_matrix.ON_LINE_RULE}.")
    for missing in matrix.missing:
        note(f"  {missing.instance} {missing.system}: {missing.reason}")


def signed(value: float | None) -> str:
    """Return a difference with its sign, or a dash where there is none."""
    return "–" if value is None else f"{value:+.3f}"


def _mean_cells(item: BootstrapMean) -> tuple[str, str, int]:
    interval = "–" if item.low is None else f"{item.low:.3f} … {figure(item.high, 3)}"
    return figure(item.mean, 3), interval, item.n


def _change(item: PairedComparison | None) -> str:
    if item is None or item.difference is None:
        return "–"
    interval = "" if item.low is None else f" ({item.low:+.3f} … {signed(item.high)}), p {figure(item.p, 3)}"
    return f"{item.difference:+.3f}{interval}"


def _weight(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        return name, float(number)
    except ValueError as error:
        raise click.BadParameter(f"{text} is no METHOD=WEIGHT", param_hint="--weight") from error
