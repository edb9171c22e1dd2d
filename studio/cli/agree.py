"""studio agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from studio.actions import agreement, annotator_report, consensus
from studio.actions.checklist_answers import left_out_in_words, read_replies
from studio.actions.figures import figure, interval_in_words
from studio.actions.human_answers import read_human_side
from studio.actions.method_rows import REASONS
from studio.actions.quality import people_rows
from studio.actions.studies import event_study_named
from studio.cli.human_side import NAMES, human_side_options, side_of
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, print_table, say


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--all", "is_all", is_flag=True, help="Every kind of answers that there is, whatever --human says.")
@click.option("--annotators", "show_people", is_flag=True, help="Print a row for each annotator instead.")
@click.option("--consensus", "show_consensus", is_flag=True, help="Print the consensus rankings instead.")
@human_side_options
@json_option
def agree(
    project: Path, is_all: bool, show_people: bool, show_consensus: bool, as_json: bool, **options: Any
) -> None:  # fmt: skip
    """Print how far people agree with each other: the rows of agreement.csv.

    Without a choice of the human side the rows are of every kind of answers that there is.

    Example: studio agree my-study --human rankings --group expert
    """
    with opened(project) as source:
        context = click.get_current_context()
        is_chosen = any(context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT for name in NAMES)
        side = side_of(options, event_study_named(source, options["human_study"])) if is_chosen and not is_all else None
        if show_people:
            reports = annotator_report.annotator_reports(source, read_human_side(source, side, with_times=True))
            _print_people(reports, as_json=as_json)
            return
        if show_consensus:
            orders = consensus.all_consensus(source, read_human_side(source, side))
            _print_consensus(orders, as_json=as_json)
            return
        rows = agreement.agreement_rows(source, side=side)
        names = {row["annotator_id"]: row["name"] for row in people_rows(source)}
        waiting = left_out_in_words(read_replies(source).not_submitted)
    if as_json:
        print_json(agreement.as_json(rows))
        return
    if waiting:
        note(f"Checklists: {waiting}.")
    if not rows:
        note("Nobody has submitted an answer yet." if waiting else "Nobody has answered yet.")
    print_table(
        ("answers", "about", "metric", "level", "who", "with", "value", "95 % interval", "n", "undefined"),
        [
            (
                row.answers, row.about, row.metric, row.level.value, names.get(row.who_a, row.who_a),
                names.get(row.who_b, row.who_b), figure(row.value, 3), interval_in_words(row.ci_low, row.ci_high),
                row.n, REASONS.get(row.undefined_reason or "", row.undefined_reason or ""),
            )
            for row in rows
        ],
        numbers=(6, 8),
    )  # fmt: skip


def _print_people(reports: list[annotator_report.AnnotatorReport], *, as_json: bool) -> None:
    if as_json:
        print_json(annotator_report.report_json(reports))
        return
    print_table(
        ("annotator", "group", "instances", "ρ with others", "distance", "triads %", "median s", "gold", "attention",
         "self-agreement"),
        [
            (
                each.name, each.group, each.n_instances, figure(each.rho), figure(each.distance),
                figure(None if each.consistency is None else 100 * each.consistency, 0), figure(each.seconds, 1),
                f"{each.gold_right}/{each.gold}", f"{each.attention_right}/{each.attention}",
                figure(each.self_agreement),
            )
            for each in reports
        ],
        numbers=(2, 3, 4, 5, 6, 7, 8, 9),
    )  # fmt: skip
    if any(each.is_sample for each in reports):
        say("Some annotators are invented sample people.")


def _print_consensus(found: list[consensus.InstanceConsensus], *, as_json: bool) -> None:
    if as_json:
        print_json(consensus.as_json(found))
        return
    print_table(
        ("instance", "system", "mean rank", "people", "Kemeny", "strength"),
        [
            (each.instance, deck.system, figure(deck.mean_rank), deck.n, figure(deck.kemeny_rank, 1),
             figure(deck.strength))
            for each in found
            for deck in each.decks
        ],
        numbers=(2, 3, 4, 5),
    )  # fmt: skip
