"""studio align."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import align as alignment
from studio.actions.care import left_out_in_words
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--metric", "metrics", multiple=True, help="A method to show; may be repeated. All if left out.")
@click.option(
    "--level",
    type=click.Choice(("instance", "scenario", "system", "pooled")),
    default="instance",
    show_default=True,
    help="What one correlation is computed over.",
)
@json_option
def align(project: Path, metrics: tuple[str, ...], level: str, as_json: bool) -> None:
    """Print how well each method agrees with the people: the methods table.

    Example: studio align my-study --level instance
    """
    with opened(project) as source:
        table = alignment.methods_table(source, metrics=metrics, level=level)
    if as_json:
        print_json(alignment.as_json(table))
    else:
        print_methods(table)


def print_methods(table: alignment.AlignmentTable) -> None:
    """Print the methods table for a person."""
    rows = []
    for name, method in table.methods.items():
        interval = "–" if method.ci_low is None else f"{method.ci_low:.2f} … {figure(method.ci_high)}"
        undefined = ", ".join(f"{number} {reason}" for reason, number in method.undefined.items() if number)
        identical = None if method.identical is None else f"{100 * method.identical:.1f}"
        rows.append(
            (
                name, figure(method.mean_rho), figure(method.std_rho), identical, interval,
                f"{method.n_defined}/{method.n_total}", undefined or method.undefined_reason or "",
            )
        )  # fmt: skip
    if not rows:
        note("No scores yet. Run: studio metrics PROJECT")
    print_table(
        ("method", "mean ρ", "std", "identical %", "95 % interval", "defined", "undefined"), rows, numbers=(1, 2, 3, 5)
    )
    ceilings = table.ceilings
    people = len(table.evidence.annotators)
    say(
        f"People: {people} annotators, leave-one-out ρ {figure(ceilings.leave_one_out)}, "
        f"pairwise ρ {figure(ceilings.pairwise_mean)}. Level: {table.level.value}; "
        f"intervals: bootstrap over instances."
    )
    missed = left_out_in_words(table.evidence.left_out)
    if missed:
        say(missed)
    if table.evidence.has_sample_people:
        say("The rankings include invented sample data.")
