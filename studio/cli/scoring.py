"""studio score."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import checklist_scores
from studio.checklists.pages import Mode
from studio.checklists.reference_score import NullPolicy
from studio.cli.main import json_option
from studio.cli.output import figure, note, print_json, print_table, say


@click.command()
@click.option("--results", type=click.Path(path_type=Path), required=True, help="Result file of PresentBench.")
@click.option("--weights", type=click.Path(path_type=Path), required=True, help="Points of each class.")
@click.option(
    "--nulls",
    type=click.Choice([each.value for each in NullPolicy]),
    default=NullPolicy.FAIL.value,
    show_default=True,
    help="Items without an answer: in the denominator, or left out.",
)
@click.option("--compat", is_flag=True, help="Score as the reference code does, and stop where it stops.")
@json_option
def score(results: Path, weights: Path, nulls: str, compat: bool, as_json: bool) -> None:
    """Print the PresentBench score of a result file.

    Example: studio score --results model_2026-01-02_03-04-05.yaml --weights judge_weights.yaml
    """
    mode = Mode.COMPAT if compat else Mode.DEFAULT
    found = checklist_scores.score_file(results, weights, nulls=NullPolicy(nulls), mode=mode)
    if as_json:
        print_json(checklist_scores.score_json(found))
        return
    print_table(
        ("class", "percent", "yes", "items", "weight", "total without it"),
        [
            (
                each.place.name, figure(each.percent), each.yes, each.items, f"{each.weight:g}",
                figure(found.leave_one_out[each.place.name]),
            )
            for each in found.classes
        ],
        numbers=(1, 2, 3, 4, 5),
    )  # fmt: skip
    for section, percent in found.sections.items():
        say(f"{section}: {figure(percent)}")
    say(f"total: {figure(found.total)} ({found.yes} of {found.counted} items met; {found.answered} answered)")
    for text in found.notes:
        note(f"  {text}")
