"""studio study."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from studio.actions import known_answers, quality, studies
from studio.actions.sessions import list_people
from studio.actions.study_plan import COMPLETION, apply_plan, preview_plan, sample_study
from studio.actions.study_queue import read_queue
from studio.cli.main import EXIT_OK, json_option
from studio.cli.opened import opened
from studio.cli.output import figure, print_json, print_table, say
from studio.cli.study_quality import COMMANDS as QUALITY_COMMANDS
from studio.errors import BadInput
from studio.model.studies import AnswerUnit, RankingRule, Study, StudyKind
from studio.sessions.sampling import STRATA
from studio.store.values import plain


@click.group()
def study() -> None:
    """List, make, plan and close studies.

    Example: studio study new my-study "Pilot" --overlap 3
    """


@study.command("list")
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def list_(project: Path, as_json: bool) -> int:
    """Print the studies of a project with how far each is.

    Example: studio study list my-study
    """
    with opened(project) as source:
        people = list_people(source)
        rows: list[dict[str, Any]] = []
        for one in studies.list_studies(source):
            queues = [read_queue(source, one, person.id) for person in people]
            queue = queues[0] if queues else None
            rows.append(
                plain(one)
                | {
                    "units": queue.project_total if queue else 0, "units_done": queue.project_done if queue else 0,
                    "wanted": queue.wanted if queue else None,
                    "annotators": [
                        {
                            "annotator_id": person.id, "name": person.name, "total": mine.mine_total,
                            "done": mine.mine_done, "skipped": mine.n_skipped, "locked": mine.n_locked,
                        }
                        for person, mine in zip(people, queues, strict=True)
                    ],
                }
            )  # fmt: skip
    if as_json:
        print_json(rows)
    else:
        cells = [
            (row["name"], row["kind"], row["units"], row["units_done"], "closed" if row["is_closed"] else "open")
            for row in rows
        ]
        print_table(("study", "kind", "units", "done", "state"), cells, numbers=(2, 3))
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--kind", type=click.Choice([kind.value for kind in StudyKind]), default="rank", show_default=True)
@click.option("--overlap", type=click.IntRange(1), help="People for each instance; everybody if left out.")
@click.option("--seed", type=int, help="Seed of all orders and draws; the project's if left out.")
@click.option("--annotator", "annotators", multiple=True, help="Only these people, by name or id.")
@click.option("--system", "systems", multiple=True, help="Only decks of these systems.")
@click.option("--sample", type=click.IntRange(1), help="Draw so many instances.")
@click.option("--by", multiple=True, type=click.Choice(STRATA), help="What the sample is stratified by.")
@click.option("--systems", "n_systems", type=click.IntRange(1), help="Draw so many systems.")
@click.option("--rule", type=click.Choice([rule.value for rule in RankingRule]), default="full", show_default=True)
@click.option("--top-k", type=click.IntRange(1), default=3, show_default=True)
@click.option("--ties/--no-ties", default=True, show_default=True)
@click.option("--gaps", is_flag=True, help="A gap between ranks may be said to be large.")
@click.option("--unit", type=click.Choice([unit.value for unit in AnswerUnit]), default="deck", show_default=True)
@click.option("--scales", default="", help="Set of scales of a rate study.")
@click.option("--all-slides", is_flag=True, help="All slides must have been seen before an answer is submitted.")
@click.option("--training", is_flag=True, help="The study opens after its training is passed.")
@click.option("--guidelines", default="", help="Version of the guidelines.")
@json_option
def new(
    project: Path,
    name: str,
    kind: str,
    overlap: int | None,
    seed: int | None,
    annotators: tuple[str, ...],
    systems: tuple[str, ...],
    sample: int | None,
    by: tuple[str, ...],
    n_systems: int | None,
    rule: str,
    top_k: int,
    ties: bool,
    gaps: bool,
    unit: str,
    scales: str,
    all_slides: bool,
    training: bool,
    guidelines: str,
    as_json: bool,
) -> int:
    """Make a study; with --sample over a seeded, stratified part of the instances and systems.

    Example: studio study new my-study "Pilot" --kind rank --overlap 3 --sample 24 --by scenario --systems 5
    """
    with opened(project, must_write=True) as target:
        made, _ = studies.create_study(
            target, name, StudyKind(kind), overlap=overlap, systems=systems or None, rule=RankingRule(rule),
            top_k=top_k, ties_allowed=ties, graded_gaps=gaps, unit=AnswerUnit(unit), scale_set=scales,
            needs_all_slides_seen=all_slides, needs_training=training, guidelines_version=guidelines,
            annotator_ids=tuple(quality.person_named(target, who).id for who in annotators) or None,
            order_seed=target.seed if seed is None else seed,
        )  # fmt: skip
        if sample is not None or n_systems is not None:
            n = sample if sample is not None else studies.n_instances(target)
            made, _ = studies.save_study(target, sample_study(target, made, n, by=by, n_systems=n_systems))
    if as_json:
        print_json(plain(made))
    else:
        following = shlex.join(["studio", "study", "plan", str(project), made.name])
        say(f"Made the study {made.name} ({made.id}). Next: {following}")
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--redo", "again", is_flag=True, help="Bring back what was undone last.")
@json_option
def undo(project: Path, again: bool, as_json: bool) -> int:
    """Take back the last change of a study's rules or training; plans and answers stay.

    Example: studio study undo my-study
    """
    with opened(project, must_write=True) as target:
        done, _ = studies.undo_study(target, is_redo=again)
    if as_json:
        print_json({"words": done.words, "study_id": done.target_id, "verb": done.verb})
    else:
        say(f"{done.words}.")
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--overlap", type=click.IntRange(1), help="Change how many people each instance goes to.")
@click.option("--repeats", type=click.IntRange(0), default=0, help="Instances that each person gets again.")
@click.option("--capacity", type=click.IntRange(1), help="The most instances for one person.")
@click.option("--completion", type=click.FloatRange(0, 1), default=COMPLETION, show_default=True,
              help="Share of the work that will get done, for the expected shortfall.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only print what the plan would do.")
@json_option
def plan(
    project: Path,
    name: str,
    overlap: int | None,
    repeats: int,
    capacity: int | None,
    completion: float,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Give a study's instances to people; again after somebody dropped out, to give their open work to others.

    Example: studio study plan my-study Pilot --repeats 2
    """
    with opened(project, must_write=not dry_run) as target:
        chosen = studies.study_named(target, name)
        if overlap is not None:
            chosen = replace(chosen, overlap=overlap)
        preview = preview_plan(target, chosen, repeats=repeats, capacity=capacity, completion=completion)
        if not dry_run:
            apply_plan(target, preview)
    values = preview.json()
    if as_json:
        print_json(values | {"dry_run": dry_run})
        return EXIT_OK
    print_table(
        ("annotator", "instances", "new"),
        [(row["name"], row["instances"], sum(row["new"].values())) for row in values["annotators"]],
        numbers=(1, 2),
    )
    reached = values["reached"]
    say(
        f"{values['instances']} instances, {reached['least']} to {reached['most']} of {values['wanted']} answers each; "
        f"missing {values['shortfall']}, expected missing {figure(values['expected_shortfall'], 1)}"
    )
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--reopen", is_flag=True, help="Open it again.")
@json_option
def close(project: Path, name: str, reopen: bool, as_json: bool) -> int:
    """Close a study, so that nothing more is answered in it; its answers stay.

    Example: studio study close my-study Pilot
    """
    with opened(project, must_write=True) as target:
        done, _ = studies.close_study(target, studies.study_named(target, name), is_closed=not reopen)
    _told(done, as_json)
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@json_option
def results(project: Path, name: str, as_json: bool) -> int:
    """Print what known answers, repeats and training say of each annotator.

    Example: studio study results my-study Pilot
    """
    with opened(project) as source:
        rows = quality.quality_rows(source, studies.study_named(source, name))
    if as_json:
        print_json(rows)
    else:
        names = (
            "annotator", "done", "gold", "gold_right", "attention", "attention_right", "repeats", "self_agreement",
            "median_s", "hasty",
        )  # fmt: skip
        print_table(names, [[row[column] for column in names] for row in rows], numbers=tuple(range(1, 10)))
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.argument("instance")
@click.option("--order", default="", help="Systems or decks, best first, between commas; slides as system#3.")
@click.option("--system", default="", help="In a study of ratings: whose points are known; a slide as system#3.")
@click.option("--points", default="", help="Its points, such as flow=1-2,coverage=4.")
@click.option("--attention", is_flag=True, help="An attention item: it is left out of all tables and figures.")
@json_option
def gold(
    project: Path, name: str, instance: str, order: str, system: str, points: str, attention: bool, as_json: bool
) -> int:
    """Say which order, or which points, are known to be right; nobody who answers can see it.

    Example: studio study gold my-study Pilot topic-1 --order "Good system,Spoilt system"
    """
    if bool(order) == bool(points):
        raise BadInput(
            "Give an order of decks, or the points of one.", next_step="Use --order, or --system and --points."
        )
    with opened(project, must_write=True) as target:
        chosen = studies.study_named(target, name)
        if order:
            wanted = [part.strip() for part in order.split(",")]
            probe, _ = known_answers.set_known_order(target, chosen, instance, wanted, is_attention=attention)
        else:
            probe, _ = known_answers.set_known_points(
                target, chosen, instance, system, known_answers.points_from(points), is_attention=attention
            )
    if as_json:
        print_json(plain(probe))
    else:
        say(f"{instance} of {chosen.name} has a known answer now.")
    return EXIT_OK


@study.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("version")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
def guidelines(project: Path, version: str, file: Path | None, as_json: bool) -> int:
    """Store a Markdown file as a version of the guidelines, or print a version that is there.

    Example: studio study guidelines my-study v2 guidelines.md
    """
    with opened(project, must_write=file is not None) as target:
        found = quality.guidelines_from(target, version, file) if file else quality.guidelines_of(target, version)
    if as_json:
        print_json(plain(found))
    else:
        say(found.text if file is None else f"Stored version {version}.")
    return EXIT_OK


for _command in QUALITY_COMMANDS:
    study.add_command(_command)


def _told(done: Study, as_json: bool) -> None:
    if as_json:
        print_json(plain(done))
    else:
        say(f"The study {done.name} is {'closed' if done.is_closed else 'open'}.")
