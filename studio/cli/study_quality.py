"""studio study: training, scales, reasons, explanations, spoilt decks."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from studio.actions import studies
from studio.actions.answer_desk import (
    cannot_judge_reasons,
    own_scale_sets,
    save_cannot_judge_reasons,
    save_scale_set,
)
from studio.actions.explanation_agreement import ALL, ExplanationAgreement, explanation_agreement
from studio.actions.explanation_units import explanation_rows, plan_explanations, read_explanations
from studio.actions.shipped_guidelines import LANGUAGES, use_shipped
from studio.actions.spoilt_decks import make_attention_item
from studio.actions.study_desk import read_detail, save_training, training_item
from studio.actions.study_plan import people_asked
from studio.cli.main import EXIT_OK, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.errors import BadInput
from studio.model.reflex import ContentMetric
from studio.model.studies import Study
from studio.sessions.scales import READY_SETS
from studio.store.values import plain


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--shipped", type=click.Choice(LANGUAGES), help="Take the shipped guidelines and training instead.")
@click.option("--pass-mark", type=click.FloatRange(0, 1), help="Share of the questions that must be right.")
@click.option("--tries", type=click.IntRange(1, 20), help="How often each question may be answered.")
@click.option("--needed/--not-needed", default=None, help="Whether the study opens after its training is passed.")
@json_option
def training(
    project: Path,
    name: str,
    file: Path | None,
    shipped: str | None,
    pass_mark: float | None,
    tries: int | None,
    needed: bool | None,
    as_json: bool,
) -> int:
    """Set a study's training; FILE has a JSON object a line: question, options, answer, explanation.

    Example: studio study training my-study Pilot questions.jsonl --pass-mark 0.75 --tries 2
    """
    if file is not None and shipped is not None:
        raise BadInput("Questions come from a file or are the shipped ones, not both.", next_step="Leave one out.")
    with opened(project, must_write=True) as target:
        study = studies.study_named(target, name)
        if shipped is not None:
            study, _ = use_shipped(target, study, language=shipped, with_training=True)
        items = read_detail(target, study).training if file is None else tuple(_items(study, file))
        is_needed = (bool(items) if file is not None else study.needs_training) if needed is None else needed
        done, _ = save_training(
            target, study, items, is_needed=is_needed,
            pass_mark=study.training_pass_mark if pass_mark is None else pass_mark,
            tries=study.training_tries if tries is None else tries,
        )  # fmt: skip
    if as_json:
        print_json(plain(done) | {"questions": len(items)})
    else:
        say(
            f"{done.name}: {len(items)} questions, {done.training_pass_mark:.0%} right opens it, "
            f"{done.training_tries} tries each{'' if done.needs_training else '; not asked for now'}"
        )
    return EXIT_OK


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
def scales(project: Path, file: Path | None, as_json: bool) -> int:
    """Store a set of scales from a JSON file, or list the sets that there are.

    Example: studio study scales my-study clarity.json
    """
    with opened(project, must_write=file is not None) as target:
        if file is not None:
            save_scale_set(target, dict(_object(_text(file), file.name)))
        found = (*READY_SETS.values(), *own_scale_sets(target))
    if as_json:
        print_json([plain(each) for each in found])
    else:
        cells = [(each.name, each.title, ", ".join(scale.dimension for scale in each.scales)) for each in found]
        print_table(("name", "title", "dimensions"), cells)
    return EXIT_OK


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--reason", "given", multiple=True, help="In the order of their keys; eight at most.")
@click.option("--usual", is_flag=True, help="Bring the usual reasons back.")
@json_option
def reasons(project: Path, given: tuple[str, ...], usual: bool, as_json: bool) -> int:
    """Say why something cannot be judged, for one key each, or list the reasons.

    Example: studio study reasons my-study --reason "Slides cut off" --reason "No source"
    """
    with opened(project, must_write=bool(given) or usual) as target:
        if given or usual:
            save_cannot_judge_reasons(target, given)
        found = cannot_judge_reasons(target)
    if as_json:
        print_json(list(found))
    else:
        for number, words in enumerate(found, start=1):
            say(f"{number}  {words}")
    return EXIT_OK


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
def explanations(project: Path, name: str, file: Path | None, as_json: bool) -> int:
    """Let people rate explanations from a JSONL file, or list them with who wrote them, their ratings and agreement.

    Agreement is Spearman's rho of each two raters on what both rated: the mean over couples, and the best couple.

    Example: studio study explanations my-study Useful explanations.jsonl
    """
    with opened(project, must_write=file is not None) as target:
        study = studies.study_named(target, name)
        fresh = 0
        if file is not None:
            fresh, _ = plan_explanations(target, study, read_explanations(target, file), people_asked(target, study))
        rows = explanation_rows(target, study)
    if as_json:
        print_json(
            {
                "new": fresh,
                "explanations": [plain(row) for row in rows],
                "agreement": [plain(row) for row in explanation_agreement(rows)],
            }
        )
    elif file is not None:
        say(f"{len(rows)} explanations, {fresh} new assignments")
    else:
        cells = [(row.id, row.metric, row.written_by, row.known_defect, len(row.ratings)) for row in rows]
        print_table(("id", "metric", "written by", "known defect", "ratings"), cells, numbers=(4,))
        _print_agreement(explanation_agreement(rows))
    return EXIT_OK


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@click.argument("instance")
@click.argument("system")
@click.option("--metric", type=click.Choice([each.value for each in ContentMetric]), default="flow", show_default=True,
              help="What is made worse.")  # fmt: skip
@click.option("--degree", type=click.IntRange(1, 4), default=4, show_default=True, help="20 % of the slides each.")
@click.option("--seed", type=int, help="Of chance; the study's if left out.")
@json_option
def spoil(
    project: Path, name: str, instance: str, system: str, metric: str, degree: int, seed: int | None, as_json: bool
) -> int:
    """Make an attention item: the instance again, with one of its decks also made worse on purpose.

    Example: studio study spoil my-study Pilot topic-1 "Good system" --metric flow
    """
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel, shown_progress() as progress:
        made, _ = make_attention_item(
            target, studies.study_named(target, name), instance, system, tools=tools(), metric=ContentMetric(metric),
            degree=degree, seed=seed, emit=progress, cancel=cancel,
        )  # fmt: skip
    if as_json:
        print_json(
            {
                "instance_id": made.instance_id, "better": made.better, "spoilt": made.spoilt,
                "metric": metric, "degree": degree, "picked": list(made.recipe.picked),
            }
        )  # fmt: skip
    else:
        following = shlex.join(["studio", "study", "plan", str(project), made.study.name])
        say(f"Made an attention item for {made.study.name}. Next: {following}")
    return EXIT_OK


COMMANDS = (training, scales, reasons, explanations, spoil)


def _print_agreement(rows: Sequence[ExplanationAgreement]) -> None:
    if not rows:
        return
    say("")
    print_table(
        ("dimension", "about", "rated", "by two or more", "mean", "pairwise mean", "pairwise max", "couples", "α",
         "why"),
        [(row.dimension, f"{row.about} {row.name or ('not noted' if row.about != ALL else '')}".strip(), row.n,
          row.n_shared, figure(row.mean, 2), figure(row.pairwise_mean, 3), figure(row.pairwise_max, 3), row.n_couples,
          figure(row.alpha, 3), row.undefined_reason or "") for row in rows],
        numbers=range(2, 9),
    )  # fmt: skip


def _items(study: Study, file: Path) -> Any:
    for number, line in enumerate(_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        raw = _object(line, f"{file.name}, line {number}")
        options = raw.get("options")
        if not isinstance(options, list):
            raise BadInput(f"{file.name}, line {number} has no list of options.")
        yield training_item(
            study.id, str(raw.get("question") or ""), [str(words) for words in options], str(raw.get("answer") or ""),
            str(raw.get("explanation") or ""), item_id=str(raw.get("id") or ""),
        )  # fmt: skip


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as UTF-8.", next_step="Check the path and the encoding.") from error


def _object(text: str, where: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where} is no JSON.") from error
    if not isinstance(found, dict):
        raise BadInput(f"{where} is no JSON object.")
    return found
