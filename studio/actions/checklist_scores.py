"""Scores of checklists: of result files, and of the answers and verdicts that a project holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from studio.store import scores as score_store
from studio.store.checklist_lists import all_hidden_slides, all_lists, cuts, lists_of
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
    lists = {key: lists_of(item, known) for key, item in instances.items()}
    merged = {key: merge(key, of_instance) for key, of_instance in lists.items()}
    weights = {key: weights_of(of_instance) for key, of_instance in lists.items()}
    failed = reply_store.failed_generations(project)
    is_cut, hidden = cuts(project), all_hidden_slides(project)
    sheets: dict[tuple[object, ...], _Sheet] = {}
    decks: list[ScoredDeck] = []
    parts: list[Answers] = []
    for deck in deck_store.list_decks(project):
        instance, state = instances[deck.instance_id], DeckState.MISSING
        points, whole = weights[instance.id]
        if deck.status is DeckStatus.PRESENT:
            # Decks of one instance with as many slides are asked the same.
            kind = (instance.id, deck.slides, hidden.get(deck.id, ()))
            if kind not in sheets:
                sheets[kind] = _Sheet.of(
                    for_deck(merged[instance.id], slides=deck.slides, hidden=kind[2], cuts=is_cut)[0].items
                )
            answers = sheets[kind].answers(len(decks), said.get(deck.id, {}))
            if answers is not None:
                state = DeckState.SCORED
                parts.append(answers)
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
    return score_decks(decks, Answers.joined(parts), form=form, nulls=nulls, dimensions=dimensions)


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
        if not known:
            waiting = checklist_answers.left_out_in_words(checklist_answers.read_replies(project).not_submitted)
            nobody = (
                f"Nobody's checklist answers count yet: {waiting}." if waiting else "Nobody answered a checklist yet."
            )
            raise BadInput(nobody, next_step="Answer one and submit it, or ask a judge with: studio judge PROJECT.")
        what = "Judges are never mixed in one score." if who is None else f"{who} has no checklist answers here."
        raise BadInput(what, next_step=f"Choose one of: {', '.join(known)}.")
    return who


def _said(project: Project, who: str) -> dict[DeckId, dict[str, str]]:
    """Return what counts as said to each item, deck by deck."""
    found: dict[DeckId, dict[str, str]] = {}
    if who == PEOPLE:
        replies = checklist_answers.human_replies(project)
        answered = {deck for deck, _ in replies}
        for (deck, item), most in checklist_answers.settled(project, replies).items():
            # A decision about a deck that nobody answered is no sheet: its other items would all count as not met.
            if deck in answered:
                found.setdefault(deck, {})[item] = most.value if most is not None else "split"
        return found
    found = score_store.newest_words(project, CODE_JUDGE)
    for deck, words in score_store.newest_words(project, who).items():
        found[deck] = found.get(deck, {}) | words
    return found


_WORDS = {answer.value: said_of(answer).value for answer in ItemAnswer} | {"tool_error": Said.LEFT_OUT.value}
"""How what was said enters a score; anything else is no answer."""


@dataclass(frozen=True, kw_only=True)
class _Sheet:
    """The items that a deck is asked, as columns."""

    ids: tuple[str, ...]
    dimension: NDArray[np.int64]
    weight: NDArray[np.float64]
    is_broken: NDArray[np.bool_]
    """(items): those whose rule cannot be used; they are in no denominator, whatever was said."""

    @classmethod
    def of(cls, items: Sequence[Item]) -> _Sheet:
        return cls(
            ids=tuple(item.id for item in items),
            dimension=np.array([DIMENSION_ORDER.index(item.dimension) for item in items], dtype=np.int64),
            weight=np.array([item.weight for item in items], dtype=np.float64),
            is_broken=np.array([item.kind is ItemKind.TOOL_ERROR for item in items], dtype=np.bool_),
        )

    def answers(self, deck: int, said: Mapping[str, str]) -> Answers | None:
        """Return the answers of the deck at this place; None if nobody said anything to any item."""
        words = [said.get(item) for item in self.ids]
        if all(word is None for word in words):
            return None
        codes = np.array([_WORDS.get(word, _NOT_SAID) for word in words], dtype=np.int64)  # type: ignore[arg-type]
        codes[self.is_broken] = Said.LEFT_OUT
        return Answers(
            deck=np.full(len(codes), deck, dtype=np.int64), dimension=self.dimension, said=codes, weight=self.weight
        )


_NOT_SAID = Said.UNANSWERED.value
