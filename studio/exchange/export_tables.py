"""The rows of every table that a project can give out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from studio.errors import BadInput
from studio.exchange.columns import COLUMNS
from studio.exchange.rankings import current_rankings, decks_asked
from studio.exchange.review_tables import review_rows
from studio.exchange.settled import settled_answers
from studio.exchange.slides_align import dpo_rows
from studio.exchange.study_tables import rating_rows, touch_rows, training_rows, view_rows
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.ids import DeckId
from studio.sessions.placement import competition
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import quiz_answers as quiz_answer_store
from studio.store import scores as score_store
from studio.store.care import FileHistory
from studio.store.project import Project

Rows = Iterator[dict[str, Any]]


def rows_of(project: Project, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table under the columns of `COLUMNS`.

    Raises:
        BadInput: for a table that is not known; the message names those that are.
    """
    if table not in _TABLES:
        raise BadInput(f"There is no table {table}.", next_step=f"Known: {', '.join(_TABLES)}.")
    return [{column: row.get(column) for column in COLUMNS[table]} for row in _TABLES[table](project)]


def _rankings(project: Project) -> Rows:
    scenarios = {item.id: item.scenario for item in deck_store.list_instances(project)}
    systems = {deck.id: deck.system for deck in deck_store.list_decks(project)}
    asked = decks_asked(project)
    for ranking in current_rankings(project):
        ranks = competition(ranking.ranks)
        shown = {deck: position for position, deck in enumerate(ranking.display, start=1)}
        in_table = asked.get((ranking.instance_id, ranking.annotator_id), ())
        decks = {*ranks, *shown, *in_table}
        for deck in sorted(decks, key=lambda deck: (ranks.get(deck, 1 << 30), shown.get(deck, 0), deck)):
            rank = ranks.get(deck)
            yield {
                "project_id": project.id, "instance_id": ranking.instance_id,
                "scenario": scenarios.get(ranking.instance_id, ""), "annotator_id": ranking.annotator_id,
                "deck_id": deck, "system": systems.get(deck), "rank": rank,
                "rank_method": ranking.rank_method.value, "n_ranked": len(ranks),
                "n_candidates": ranking.n_candidates,
                "is_tied": None if rank is None else list(ranks.values()).count(rank) > 1,
                "display_position": shown.get(deck), "status": ranking.status.value,
                "duration_s": ranking.duration_s, "active_s": ranking.active_s, "revision": ranking.revision,
                "started_at": ranking.started_at or None, "submitted_at": ranking.submitted_at or None,
                "guidelines_version": ranking.guidelines_version, "app_version": ranking.app_version,
            }  # fmt: skip


def _pairs(project: Project) -> Rows:
    for event in settled_answers(project, AnswerKind.PAIR):
        unit_a, _, unit_b = event.item_key.partition("|")
        if "#" in event.item_key:  # between single slides: the table's pairs are decks
            continue
        yield {
            "instance_id": event.instance_id, "annotator_id": event.annotator_id, "deck_a": unit_a,
            "deck_b": unit_b, "preference": event.state.get("preference") or event.state.get("status"),
            "strength": event.state.get("strength"), "shown_left": event.state.get("shown_left"), "source": "direct",
        }  # fmt: skip
    for ranking in current_rankings(project):
        if ranking.status is not AnswerStatus.SUBMITTED:
            continue
        shown = {deck: position for position, deck in enumerate(ranking.display)}
        for deck_a, deck_b in combinations(sorted(ranking.ranks), 2):
            yield {
                "instance_id": ranking.instance_id, "annotator_id": ranking.annotator_id, "deck_a": deck_a,
                "deck_b": deck_b, "preference": preference(ranking.ranks[deck_a], ranking.ranks[deck_b]),
                "strength": None, "shown_left": _first_shown(shown, deck_a, deck_b), "source": "derived_from_ranking",
            }  # fmt: skip


def preference(rank_a: int, rank_b: int) -> str:
    """Return which of two ranked decks comes first: `a`, `b` or `tie`."""
    return "tie" if rank_a == rank_b else "a" if rank_a < rank_b else "b"


def _first_shown(shown: dict[DeckId, int], deck_a: DeckId, deck_b: DeckId) -> str | None:
    if deck_a not in shown or deck_b not in shown:
        return None
    return deck_a if shown[deck_a] < shown[deck_b] else deck_b


def _checklist(project: Project) -> Rows:
    latest = _latest(project, AnswerKind.CHECKLIST)
    # A deck as a whole is submitted by an event without an item; its answers are then no drafts any more.
    decks = {(event.annotator_id, event.deck_id): event.state.get("status") for event in latest if not event.item_key}
    for event in latest:
        if not event.item_key or not event.state.get("answer"):
            continue
        status = decks.get((event.annotator_id, event.deck_id)) or event.state.get("status")
        yield {
            "instance_id": event.instance_id, "deck_id": event.deck_id, "item_id": event.item_key,
            "item_version": event.state.get("item_version"), "dimension": event.state.get("dimension"),
            "annotator_id": event.annotator_id, "answer": event.state.get("answer"),
            "evidence": event.state.get("evidence") or [], "comment": event.state.get("comment"),
            "quotes": event.state.get("quotes") or [], "status": status,
        }  # fmt: skip


def _verdicts(project: Project) -> Rows:
    # A unit that was asked again in the same run has one current verdict, the newest.
    current = {
        (item.run_id, item.judge_id, item.instance_id, item.deck_id, item.item_id, item.order_index, item.repeat): item
        for item in score_store.list_verdicts(project)
    }
    for verdict in current.values():
        yield {column: getattr(verdict, column) for column in COLUMNS["verdicts"]}


def _scores(project: Project) -> Rows:
    for score in score_store.current_scores(project, with_slides=True):
        yield {column: getattr(score, column) for column in COLUMNS["scores"]} | {"flags": list(score.flags)}


def _quiz(project: Project) -> Rows:
    audited = {
        (each.deck_id, each.bank_id, each.question_id, each.reader): each for each in quiz_answer_store.audits(project)
    }
    for each in quiz_answer_store.current_answers(project):
        decided = audited.get((each.deck_id, each.bank_id, each.question_id, each.reader))
        error = None if each.is_correct else decided.error_type if decided else each.presort
        yield {
            "bank_id": each.bank_id, "question_id": each.question_id, "type": each.type.value,
            "instance_id": each.instance_id, "deck_id": each.deck_id or None, "reader": each.reader,
            "answer": each.answer or None, "key": each.key, "correct": each.is_correct,
            "cited_slides": list(each.cited_slides), "error_type": error.value if error else None,
            "audited_by": decided.audited_by if decided and not each.is_correct else None,
            "condition": each.condition.value, "text_from": each.text_from or None,
        }  # fmt: skip


def _latest(project: Project, kind: AnswerKind) -> list[Any]:
    newest = {}
    files = FileHistory(project)
    instances = {item.id for item in deck_store.list_instances(project)}
    for event in answer_store.events_of(project, kind):
        decks = event.item_key.split("|") if kind is AnswerKind.PAIR else [event.deck_id]
        if event.instance_id not in instances or not all(files.is_current(deck, event.seq) for deck in decks):
            continue
        newest[event.instance_id, event.annotator_id, event.deck_id, event.item_key] = event
    return list(newest.values())


_TABLES: dict[str, Callable[[Project], Rows]] = {
    "rankings": _rankings,
    "pairs": _pairs,
    "checklist": _checklist,
    "ratings": rating_rows,
    "views": view_rows,
    "touches": touch_rows,
    "training": training_rows,
    "reviews": review_rows,
    "dpo": dpo_rows,
    "verdicts": _verdicts,
    "scores": _scores,
    "quiz": _quiz,
}
