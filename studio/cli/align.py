"""studio align."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from studio.actions import align as alignment
from studio.actions import bucket_align
from studio.actions.care import left_out_in_words
from studio.actions.figures import interval_in_words, percent
from studio.actions.studies import event_study_named
from studio.actions.what_if_names import KINDS, table_without
from studio.cli.human_side import human_side_options, side_of
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say
from studio.errors import BadInput
from studio.metrics.buckets import RULES


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
@click.option("--by", type=click.Choice(("bucket",)), help="Split by style of deck, and leave each style out.")
@click.option(
    "--without", "dropped", multiple=True, metavar="KIND=NAME",
    help=f"What if: leave this out; may be repeated. Kinds: {', '.join(KINDS)}.",
)  # fmt: skip
@human_side_options
@json_option
def align(
    project: Path, metrics: tuple[str, ...], level: str, by: str | None, dropped: tuple[str, ...], as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Print how well each method agrees with the people: the methods table.

    Example: studio align my-study --level instance --human ratings --dimension coverage
    """
    if by is not None:
        if dropped:
            raise BadInput("--by and --without do not go together.", next_step="Leave one of them out.")
        with opened(project) as source:
            side = side_of(options, event_study_named(source, options["human_study"]))
            split = bucket_align.bucket_table(source, metrics=metrics, level=level, side=side)
        if as_json:
            print_json(bucket_align.as_json(split))
        else:
            print_buckets(split)
        return
    with opened(project) as source:
        side = side_of(options, event_study_named(source, options["human_study"]))
        if dropped:
            table = table_without(source, dropped, metrics=metrics, level=level, side=side)
        else:
            table = alignment.methods_table(source, metrics=metrics, level=level, side=side)
    if as_json:
        print_json(alignment.as_json(table))
    else:
        print_methods(table)


def print_methods(table: alignment.AlignmentTable) -> None:
    """Print the methods table for a person."""
    rows = []
    for name, method in table.methods.items():
        rows.append(
            (
                name, figure(method.mean_rho), figure(method.std_rho), percent(method.identical),
                interval_in_words(method.ci_low, method.ci_high), figure(method.mean_tau),
                f"{method.n_defined}/{method.n_total}",
                alignment.left_out(method),
            )
        )  # fmt: skip
    if not rows:
        note("No scores yet. Run: studio metrics PROJECT")
    print_table(
        ("method", "mean ρ", "std", "identical %", "95 % interval", "mean τ", "defined", "undefined"),
        rows,
        numbers=(1, 2, 3, 5, 6),
    )
    ceilings = table.ceilings
    people = len(table.evidence.annotators)
    say(
        f"People: {people} annotators, leave-one-out ρ {figure(ceilings.leave_one_out)}, "
        f"pairwise ρ {figure(ceilings.pairwise_mean)}. Level: {table.level.value}; "
        f"intervals: bootstrap over instances."
    )
    answers = table.evidence.people
    if answers.side.words != "rankings" or answers.side.is_filtered:
        say(f"Human side: {'; '.join(filter(None, [answers.side.words, answers.side.filter_words]))}.")
    if answers.filtered_in_words:
        say(f"Left out: {answers.filtered_in_words}.")
    if table.what_if:
        say(f"What if: without {', '.join(table.what_if)}.")
    missed = left_out_in_words(table.evidence.left_out)
    if missed:
        say(missed)
    if table.evidence.n_adjudicated:
        say(f"Pairs of decks that a reviewer decided: {table.evidence.n_adjudicated}.")
    if table.evidence.has_sample_people:
        say("The rankings include invented sample data.")


def print_buckets(table: bucket_align.BucketTable) -> None:
    """Print alignment by style of deck for a person."""
    rows = []
    for row in table.buckets:
        for name, within in row.within.items():
            without, overall = row.without[name], table.overall[name]
            rows.append(
                (
                    row.bucket.value.replace("_", "-"), row.n_decks, f"{100 * row.share:.1f}",
                    figure(row.mean_human_rank), name, figure(within.mean_rho),
                    f"{within.n_defined}/{within.n_total}", figure(without.mean_rho), figure(overall.mean_rho),
                )
            )  # fmt: skip
    columns = (
        "bucket", "decks", "share %", "human rank", "method", "ρ within", "defined", "ρ left out", "ρ all",
    )  # fmt: skip
    print_table(columns, rows, numbers=(1, 2, 3, 5, 6, 7, 8))
    say("Decks are ranked anew among those of the bucket; fewer than 3 of an instance leave it undefined.")
    for bucket, rule in RULES.items():
        say(f"{bucket.value.replace('_', '-')}: {rule}")
    if table.unknown:
        say(f"{len(table.unknown)} ranked decks are not measured, so their style is not known.")
