"""Reads rankings back in: the rows of one person, instance and revision are one answer."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import NamedTuple

from studio import __version__
from studio.exchange.columns import ANSWER_STATUSES, RANK_METHODS
from studio.exchange.names import Names, RowRefused, moment, number, one_of, text, whole
from studio.exchange.table_report import Line, TableReport
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus, RankMethod
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.placement import competition
from studio.sessions.ranking import History, state_of
from studio.store import answers as answer_store
from studio.store.project import Project, utc_now

Owner = tuple[InstanceId, AnnotatorId]
_OPEN = (AnswerStatus.DRAFT, AnswerStatus.SKIPPED)


class _Key(NamedTuple):
    instance_id: InstanceId
    annotator_id: AnnotatorId
    revision: int


@dataclass
class _Answer:
    """One ranking as its rows say it."""

    line: int
    status: AnswerStatus
    head: dict[str, object]
    """What the rows say of the whole answer, for the event's state."""
    row: dict[str, str]
    raw: dict[DeckId, float | None] = field(default_factory=dict)
    """The rank cell of each deck; None where it is empty."""
    positions: dict[DeckId, int] = field(default_factory=dict)

    @property
    def ranks(self) -> dict[DeckId, int]:
        return competition({deck: rank for deck, rank in self.raw.items() if rank is not None})


def read_rankings(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    """Take rankings in and count their rows in `report`.

    Numbers in `rank` express order only. A ranking that is here already under the same revision is compared
    deck by deck; decks that were refused before and are named rightly now are added to it.
    """
    answers: dict[_Key, _Answer] = {}
    for line, row in lines:
        try:
            _take_row(names, line, row, answers, report)
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
    by_study: dict[str, dict[Owner, list[AnswerEvent]]] = {}
    for event in answer_store.events_of(project, AnswerKind.RANKING, repeat=0):
        by_study.setdefault(event.study_id, {}).setdefault((event.instance_id, event.annotator_id), []).append(event)
    # A table names no study: it is compared with the answer that was given without one, else with a study's.
    events: dict[Owner, list[AnswerEvent]] = {}
    for study in sorted(by_study, reverse=True):
        events |= by_study[study]
    for key in sorted(answers, key=lambda key: key.revision):
        before = events.setdefault((key.instance_id, key.annotator_id), [])
        fresh = _compare(key, answers[key], before, report)
        if fresh is not None:
            before.append(answer_store.append(project, fresh))


def _take_row(names: Names, line: int, row: dict[str, str], answers: dict[_Key, _Answer], report: TableReport) -> None:
    instance_id = names.instance(row)
    deck_id = names.deck(row, instance_id)
    status = AnswerStatus(one_of(row, "status", ANSWER_STATUSES, "submitted"))
    head = _head(row)
    rank = number(row, "rank")
    position = whole(row, "display_position", 0, least=1)
    if rank is None and status is AnswerStatus.SUBMITTED and not position:
        raise RowRefused("rank is empty")
    revision = whole(row, "revision", 1, least=1)
    key = _Key(instance_id, names.person(row), revision)
    answer = answers.setdefault(key, _Answer(line=line, status=status, head=head, row=row))
    if (status, head["rank_method"]) != (answer.status, answer.head["rank_method"]):
        raise RowRefused(f"status or rank_method differs from line {answer.line}, which is of the same ranking")
    if deck_id in answer.raw:
        if answer.raw[deck_id] == rank:
            report.same += 1
        else:
            report.conflicting += 1
        return
    answer.raw[deck_id] = rank
    if position:
        answer.positions[deck_id] = position


def _head(row: dict[str, str]) -> dict[str, object]:
    return {
        "rank_method": one_of(row, "rank_method", RANK_METHODS, RankMethod.IMPORTED.value),
        "started_at": moment(row, "started_at"),
        "submitted_at": moment(row, "submitted_at"),
        "duration_s": number(row, "duration_s"),
        "active_s": number(row, "active_s"),
        "n_candidates": whole(row, "n_candidates", 0),
    }


def _compare(key: _Key, answer: _Answer, before: list[AnswerEvent], report: TableReport) -> AnswerEvent | None:
    """Return the event that the answer becomes, or None if it is here already or contradicts what is here."""
    ranks = answer.ranks
    kept = _kept(History(before), key.revision)
    if kept is None:
        report.new += len(answer.raw)
        return _event(key, answer, ranks, before)
    was = state_of(kept)
    was_ranks = competition(was.ranks)
    known = {*was_ranks, *kept.display, *_decks_of(kept)}
    extra = [deck for deck in answer.raw if deck not in known]
    mine = competition({deck: rank for deck, rank in ranks.items() if deck in known})
    theirs = competition({deck: rank for deck, rank in was_ranks.items() if deck in answer.raw})
    if mine == theirs and was.status in _OPEN and answer.status not in (*_OPEN, was.status):
        # The same order, and by now it is settled.
        report.new += len(answer.raw)
        return _event(key, answer, ranks, before)
    if mine == theirs and was.status is answer.status:
        if not extra:
            report.same += len(answer.raw)
            return None
        if kept.verb == "import" and was_ranks.keys() <= answer.raw.keys():
            report.new += len(extra)
            report.same += len(answer.raw) - len(extra)
            return _event(key, answer, ranks, before)
    differing = [
        deck
        for deck in answer.raw
        if was.status is not answer.status or deck not in known or mine.get(deck) != theirs.get(deck)
    ]
    report.conflicting += len(differing)
    report.same += len(answer.raw) - len(differing)
    return None


def _kept(history: History, revision: int) -> AnswerEvent | None:
    """Return what a table's answer of this revision is to be compared with, or None if it is news."""
    at_revision = [event for event in history.done if event.revision == revision]
    decision = history.last_decision
    if at_revision:
        return decision if decision in at_revision else at_revision[-1]
    is_older = any(event.revision > revision for event in history.done)
    return (decision or history.done[-1]) if is_older else None


def _decks_of(event: AnswerEvent) -> list[DeckId]:
    decks = event.state.get("decks")
    return [DeckId(str(deck)) for deck in decks] if isinstance(decks, list) else []


def _event(key: _Key, answer: _Answer, ranks: dict[DeckId, int], before: list[AnswerEvent]) -> AnswerEvent:
    head = answer.head
    state: dict[str, object] = {
        "ranks": ranks, "status": answer.status.value, "note": "", "is_flagged": False, "reason": "",
        "recognised_system": False, "decks": list(answer.raw), **head,
    }  # fmt: skip
    return AnswerEvent(
        seq=0, uid=uuid.uuid4().hex, kind=AnswerKind.RANKING, instance_id=key.instance_id,
        annotator_id=key.annotator_id, deck_id=None, item_key="", verb="import", state=state,
        at=str(head["submitted_at"] or head["started_at"] or utc_now()),
        # A table tells whole sums; what the journal has already is not counted again.
        active_s=_rest(head["active_s"], sum(event.active_s for event in before)),
        wall_s=_rest(head["duration_s"], sum(event.wall_s for event in before)),
        display=tuple(sorted(answer.positions, key=lambda deck: answer.positions[deck])), revision=key.revision,
        guidelines_version=text(answer.row, "guidelines_version"),
        app_version=text(answer.row, "app_version") or __version__,
    )  # fmt: skip


def _rest(whole_sum: object, counted: float) -> float:
    return max(round(whole_sum - counted, 3), 0.0) if isinstance(whole_sum, float) else 0.0
