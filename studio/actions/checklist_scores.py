"""Scores of checklists: of result files, and of the answers and verdicts that a project holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from studio.actions import checklist_answers, checklist_stats
from studio.checklists.merge import for_deck, merge, weights_of
from studio.checklists.pages import Mode
from studio.checklists.reference_score import NullPolicy, ResultScore, score_result
from studio.checklists.scoring import (
    DIMENSION_ORDER,
    Answers,
    DeckState,
    Form,
    Said,
    ScoredDeck,
    Scores,
    said_of,
    score_decks,
    table,
)
from studio.errors import BadInput
from studio.exchange.presentbench_results import read_result, read_weights
from studio.model.checklists import Dimension, Item, ItemAnswer, ItemKind
from studio.model.decks import DeckStatus
from studio.model.ids import DeckId
from studio.store import checklist_replies as reply_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.checklist_lists import all_lists, cuts, hidden_slides, lists_of
from studio.store.project import Project


def score_file(
    results: Path, weights: Path, *, nulls: NullPolicy = NullPolicy.FAIL, mode: Mode = Mode.DEFAULT
) -> ResultScore:
    """Return the score of a PresentBench result file.

    Raises:
        BadInput: if a file cannot be used; in compatible mode also where the reference stops.
    """
    return score_result(read_result(results, mode=mode), read_weights(weights, mode=mode), nulls=nulls, mode=mode)


def score_json(score: ResultScore) -> dict[str, Any]:
    """Return a score as `studio score --json` prints it."""
    return {
        "total": score.total,
        **score.sections,
        "classes": {
            each.place.name: {
                "percent": each.percent, "yes": each.yes, "items": each.items, "weight": each.weight,
                "counted": each.counted, "answered": each.answered,
            }
            for each in score.classes
        },
        "leave_one_out": score.leave_one_out,
        "yes": score.yes,
        "answered": score.answered,
        "items": score.items,
        "counted": score.counted,
        "coverage": score.answered / score.items if score.items else None,
        "complete": score.is_complete,
        "force_zero": score.is_forced_zero,
        "notes": list(score.notes),
    }  # fmt: skip


PEOPLE = "people"
CODE_JUDGE = "code"


def score_sources(project: Project) -> list[str]:
    """Return whose answers can be scored: ``people`` if anybody answered, then each judge."""
    return ([PEOPLE] if checklist_answers.human_replies(project) else []) + checklist_stats.judges(project)


def project_scores(
    project: Project,
    who: str | None = None,
    *,
    form: Form = Form.EQUAL,
    nulls: NullPolicy = NullPolicy.FAIL,
    dimensions: Sequence[Dimension] | None = None,
) -> Scores:
    """Return the checklist scores of all decks by one judge, or by what most people say or a reviewer decided.

    Code items that a judge has no verdict on take the code rules'. Tool errors and items that do not apply are in
    no denominator. A deck that no system delivered is missing; one whose generation failed is zero, and says so.

    Args:
        project: an open project.
        who: one of `score_sources`; None if there is only one.
        form: the paper's equal average, or weighted as the lists say.
        nulls: what items without an answer count as.
        dimensions: those that make the total; None: all that any deck has items in.

    Raises:
        BadInput: if `who` is left out and there are several, or has no answers; judges are never mixed.
    """
    said = _said(project, _one_source(project, who))
    known = all_lists(project)
    instances = {item.id: item for item in checklist_store.as_curated(project, deck_store.list_instances(project))}
    merged = {key: merge(key, lists_of(item, known)) for key, item in instances.items()}
    failed = reply_store.failed_generations(project)
    is_cut = cuts(project)
    decks: list[ScoredDeck] = []
    rows: list[tuple[int, Dimension, Said, float]] = []
    for deck in deck_store.list_decks(project):
        instance, state = instances[deck.instance_id], DeckState.MISSING
        points, whole = weights_of(lists_of(instance, known))
        if deck.status is DeckStatus.PRESENT:
            checklist, _ = for_deck(
                merged[instance.id], slides=deck.slides, hidden=hidden_slides(project, deck.id), cuts=is_cut
            )
            found = [(item, said.get((deck.id, item.id))) for item in checklist.items]
            if any(answer is not None for _, answer in found):
                state = DeckState.SCORED
                rows += [(len(decks), item.dimension, _counts(item, answer), item.weight) for item, answer in found]
        elif deck.status is DeckStatus.FAILED or deck.id in failed:
            state = DeckState.FAILED
        decks.append(
            ScoredDeck(
                deck_id=deck.id, instance_id=instance.id, system=deck.system, domain=instance.domain,
                source=instance.scenario, language=instance.language, state=state,
                difficulty=instance.difficulty,
                points=points, points_total=whole,
            )
        )  # fmt: skip
    return score_decks(decks, Answers.of(rows), form=form, nulls=nulls, dimensions=dimensions)


def scores_json(scores: Scores, *, by: str | None = None) -> dict[str, Any]:
    """Return scores of decks and the table of systems as JSON values."""
    return {
        "decks": [
            {
                "deck_id": deck.deck_id, "instance_id": deck.instance_id, "system": deck.system,
                "state": deck.state.value, "total": scores.total(index).value,
                "undefined_reason": scores.total(index).undefined_reason,
                "dimensions": {
                    name.value: _number(scores.dimensions[index, place]) for place, name in enumerate(DIMENSION_ORDER)
                },
                "items": int(scores.items[index].sum()), "answered": int(scores.answered[index].sum()),
            }
            for index, deck in enumerate(scores.decks)
        ],
        "systems": [
            {
                "system": row.system, "group": row.group, "total": row.total, "n": row.n, "n_failed": row.n_failed,
                "dimensions": {name.value: value for name, value in row.dimensions.items()},
                "missing": list(row.missing),
            }
            for row in table(scores, by=by)
        ],
    }  # fmt: skip


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _one_source(project: Project, who: str | None) -> str:
    known = score_sources(project)
    if who is None and len(known) == 1:
        return known[0]
    if who is None or who not in known:
        what = "Judges are never mixed in one score." if who is None else f"{who} has no checklist answers here."
        raise BadInput(what, next_step=f"Choose one of: {', '.join(known) or 'nobody has answered yet'}.")
    return who


def _said(project: Project, who: str) -> dict[tuple[DeckId, str], str]:
    if who == PEOPLE:
        replies = checklist_answers.human_replies(project)
        answered = {deck for deck, _ in replies}
        # A decision about a deck that nobody answered is no sheet: its other items would all count as not met.
        return {
            case: found.value if found is not None else "split"
            for case, found in checklist_answers.settled(project, replies).items()
            if case[0] in answered
        }
    return checklist_stats.machine_answers(project, CODE_JUDGE) | checklist_stats.machine_answers(project, who)


def _counts(item: Item, answer: str | None) -> Said:
    if item.kind is ItemKind.TOOL_ERROR or answer == "tool_error":
        return Said.LEFT_OUT
    try:
        return said_of(ItemAnswer(answer)) if answer else Said.UNANSWERED
    except ValueError:
        return Said.UNANSWERED
