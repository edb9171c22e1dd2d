"""Reads tables back in: every row is new, the same, in conflict, or refused with its line."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from studio import __version__
from studio.errors import BadInput
from studio.exchange.columns import (
    ANSWER_STATUSES,
    ANSWERS,
    COLUMNS,
    DIMENSIONS,
    PREFERENCES,
    RANK_METHODS,
    REQUIRED,
    UNIT_STATUSES,
    table_of,
)
from studio.exchange.files import read_table
from studio.exchange.names import Names, RowRefused, filled, number, one_of, whole
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId, RunId
from studio.model.runs import Run, RunKind, RunState
from studio.model.scores import Score, Verdict
from studio.sessions.placement import competition
from studio.sessions.ranking import History, state_of
from studio.store import answers as answer_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project, utc_now

Line = tuple[int, dict[str, str]]


@dataclass
class TableReport:
    """What reading a table in did, in rows."""

    table: str
    new: int = 0
    same: int = 0
    conflicting: int = 0
    refused: list[dict[str, object]] = field(default_factory=list)
    """`line` (from 1) and `reason` of each row that was not taken in."""
    notes: list[str] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        """Note a row that was not taken in."""
        self.refused.append({"line": line, "reason": reason})


def import_table(project: Project, path: Path) -> TableReport:
    """Read a table of `COLUMNS` into the project, in one transaction, and say what became of each row.

    The table is recognised by its header. Rows already there change nothing; rows that contradict what is
    there are counted as conflicting and left out, so that nothing a person did is overwritten.

    Raises:
        BadInput: if the file is no such table.
    """
    found = read_table(path)
    table = table_of(found.header)
    if table is None or (table != "pairs" and not {"deck_id", "system"} & set(found.header)):
        needs = "; ".join(f"{name}: {', '.join(columns)}" for name, columns in REQUIRED.items())
        raise BadInput(
            f"{path.name} is none of the tables that can be read back.",
            next_step=f"Each needs these columns, and deck_id or system ({needs}).",
        )
    report = TableReport(table)
    unknown = [name for name in found.header if name not in COLUMNS[table] and name != "system"]
    if unknown:
        report.notes.append(f"columns left out: {', '.join(unknown)}")
    for line, reason in found.refused:
        report.refuse(line, reason)
    with project.writing(is_durable=True):
        _READERS[table](project, Names(project), found.rows, report)
    report.refused.sort(key=lambda item: int(str(item["line"])))
    return report


class _Place(NamedTuple):
    rank: int | None
    position: int | None
    line: int


class _RankingKey(NamedTuple):
    instance_id: InstanceId
    annotator_id: AnnotatorId
    revision: int


def _read_rankings(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    answers: dict[_RankingKey, dict[DeckId, _Place]] = {}
    heads: dict[_RankingKey, dict[str, str]] = {}
    for line, row in lines:
        try:
            instance_id = names.instance(row)
            deck_id = names.deck(row, instance_id)
            status = one_of(row, "status", ANSWER_STATUSES, "submitted")
            one_of(row, "rank_method", RANK_METHODS, "imported")
            if not row.get("rank") and status == "submitted" and not row.get("display_position"):
                raise RowRefused("rank is empty")
            rank = whole(row, "rank", 0) if row.get("rank") else None
            position = whole(row, "display_position", 0) if row.get("display_position") else None
            for column in ("duration_s", "active_s"):
                number(row, column)
            key = _RankingKey(instance_id, names.person(row), whole(row, "revision", 1))
            places = answers.setdefault(key, {})
            if deck_id in places:
                if places[deck_id].rank == rank:
                    report.same += 1
                else:
                    report.conflicting += 1
                continue
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        places[deck_id] = _Place(rank, position, line)
        heads.setdefault(key, row | {"status": status})
    for key in sorted(answers, key=lambda key: key.revision):
        _take_ranking(project, key, answers[key], heads[key], report)


def _take_ranking(
    project: Project, key: _RankingKey, places: dict[DeckId, _Place], head: dict[str, str], report: TableReport
) -> None:
    ranks = competition({deck: place.rank for deck, place in places.items() if place.rank is not None})
    status = head["status"]
    before = answer_store.events_of(
        project, AnswerKind.RANKING, instance_id=key.instance_id, annotator_id=key.annotator_id
    )
    history = History(before)
    kept = history.last_submit or (history.done[-1] if history.done else None)
    if kept is not None:
        was = state_of(kept)
        if competition(was.ranks) == ranks and was.status.value == status:
            report.same += len(places)
            return
        if key.revision <= kept.revision:
            report.conflicting += len(places)
            return
    shown = sorted((place.position, deck) for deck, place in places.items() if place.position is not None)
    state: dict[str, object] = {
        "ranks": ranks, "status": status, "note": "", "is_flagged": False, "reason": "", "recognised_system": False,
        "rank_method": head.get("rank_method") or "imported",
    }  # fmt: skip
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=uuid.uuid4().hex, kind=AnswerKind.RANKING, instance_id=key.instance_id,
            annotator_id=key.annotator_id, deck_id=None, item_key="",
            verb="import" if status == AnswerStatus.SUBMITTED.value else status, state=state,
            at=head.get("submitted_at") or head.get("started_at") or utc_now(),
            active_s=number(head, "active_s") or 0.0, wall_s=number(head, "duration_s") or 0.0,
            display=tuple(deck for _, deck in shown), revision=key.revision,
            guidelines_version=head.get("guidelines_version", ""), app_version=head.get("app_version") or __version__,
        ),
    )  # fmt: skip
    report.new += len(places)


def _read_pairs(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    def take(row: dict[str, str]) -> tuple[AnswerEvent, object]:
        if row.get("source") == "derived_from_ranking":
            raise RowRefused("derived from a ranking; import the rankings instead")
        instance_id = names.instance(row)
        deck_a, deck_b = names.deck(row, instance_id, "deck_a"), names.deck(row, instance_id, "deck_b")
        if deck_a == deck_b:
            raise RowRefused("deck_a and deck_b are the same deck")
        preference = one_of(row, "preference", PREFERENCES)
        if deck_a > deck_b:
            deck_a, deck_b = deck_b, deck_a
            preference = {"a": "b", "b": "a"}.get(preference, preference)
        left = names.deck(row, instance_id, "shown_left") if row.get("shown_left") else None
        state: dict[str, object] = {
            "preference": preference, "strength": number(row, "strength"), "shown_left": left,
        }  # fmt: skip
        event = _event(AnswerKind.PAIR, instance_id, names.person(row), None, f"{deck_a}|{deck_b}", state)
        return event, preference

    _read_answers(project, AnswerKind.PAIR, "preference", lines, report, take)


def _read_checklist(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    def take(row: dict[str, str]) -> tuple[AnswerEvent, object]:
        instance_id = names.instance(row)
        deck_id = names.deck(row, instance_id)
        answer = one_of(row, "answer", ANSWERS)
        if row.get("dimension"):
            one_of(row, "dimension", DIMENSIONS)
        state: dict[str, object] = {
            "answer": answer, "item_version": whole(row, "item_version", 1), "dimension": row.get("dimension", ""),
            "evidence": _evidence(row.get("evidence", "")), "comment": row.get("comment", ""),
        }  # fmt: skip
        item = filled(row, "item_id")
        return _event(AnswerKind.CHECKLIST, instance_id, names.person(row), deck_id, item, state), answer

    _read_answers(project, AnswerKind.CHECKLIST, "answer", lines, report, take)


def _read_answers(
    project: Project,
    kind: AnswerKind,
    said: str,
    lines: list[Line],
    report: TableReport,
    take: Callable[[dict[str, str]], tuple[AnswerEvent, object]],
) -> None:
    known = {_unit_of(event): event.state.get(said) for event in answer_store.events_of(project, kind)}
    fresh = []
    for line, row in lines:
        try:
            event, answer = take(row)
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        unit = _unit_of(event)
        if unit not in known:
            known[unit] = answer
            fresh.append(event)
            report.new += 1
        elif known[unit] == answer:
            report.same += 1
        else:
            report.conflicting += 1
    answer_store.append_all(project, fresh)


def _read_scores(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    known = {
        (score.metric, score.preset, score.deck_id, score.slide): (score.value, score.undefined_reason)
        for score in score_store.current_scores(project, with_slides=True)
    }
    runs = _Runs(project)
    fresh = []
    for line, row in lines:
        try:
            instance_id = names.instance(row)
            deck_id = names.deck(row, instance_id)
            metric, preset = filled(row, "metric"), row.get("preset") or "benchmark"
            slide = whole(row, "slide", 0) or None
            value, reason = number(row, "value"), row.get("undefined_reason") or None
            if (value is None) == (reason is None):
                raise RowRefused("a score needs either a value or an undefined_reason, not both or neither")
            version = whole(row, "metric_version", 1)
            run_id = runs.named(row.get("run_id", ""))
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        unit = (metric, preset, deck_id, slide)
        if unit not in known:
            known[unit] = (value, reason)
            fresh.append(
                Score(
                    run_id=run_id, metric=metric, metric_version=version, preset=preset, deck_id=deck_id,
                    instance_id=instance_id, slide=slide, value=value, undefined_reason=reason,
                )
            )  # fmt: skip
            report.new += 1
        elif known[unit] == (value, reason):
            report.same += 1
        else:
            report.conflicting += 1
    score_store.append_scores(project, fresh)


def _read_verdicts(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    known = {_verdict_unit(item): (item.verdict, item.status) for item in score_store.list_verdicts(project)}
    runs = _Runs(project)
    fresh = []
    for line, row in lines:
        try:
            instance_id = names.instance(row)
            status = one_of(row, "status", UNIT_STATUSES, "ok")
            verdict = Verdict(
                run_id=runs.named(row.get("run_id", "")), judge_id=filled(row, "judge_id"),
                model=row.get("model", ""), prompt_version=row.get("prompt_version", ""), instance_id=instance_id,
                deck_id=names.deck(row, instance_id), item_id=filled(row, "item_id"),
                verdict=row["verdict"] if status != "ok" else filled(row, "verdict"), score=number(row, "score"),
                status=status, order_index=whole(row, "order_index", 0), repeat=whole(row, "repeat", 0),
                input_tokens=whole(row, "input_tokens", 0), output_tokens=whole(row, "output_tokens", 0),
                cost=number(row, "cost") or 0.0, cached=row.get("cached", "").lower() in {"1", "true", "yes"},
                latency_s=number(row, "latency_s") or 0.0,
            )  # fmt: skip
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        unit = _verdict_unit(verdict)
        said = (verdict.verdict, verdict.status)
        if unit not in known:
            known[unit] = said
            fresh.append(verdict)
            report.new += 1
        elif known[unit] == said:
            report.same += 1
        else:
            report.conflicting += 1
    score_store.append_verdicts(project, fresh)


class _Runs:
    """Runs that rows name; one that is not known becomes an imported run."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known = {run.id for run in run_store.list_runs(project)}

    def named(self, name: str) -> RunId | None:
        if not name:
            return None
        run_id = RunId(name)
        if run_id not in self._known:
            now = utc_now()
            run_store.add_run(
                self._project,
                Run(
                    id=run_id, kind=RunKind.IMPORTED, title=f"Imported {name}", spec={}, state=RunState.DONE,
                    started_at=now, ended_at=now,
                ),
            )  # fmt: skip
            self._known.add(run_id)
        return run_id


def _event(
    kind: AnswerKind,
    instance_id: InstanceId,
    annotator_id: AnnotatorId,
    deck_id: DeckId | None,
    item_key: str,
    state: dict[str, object],
) -> AnswerEvent:
    return AnswerEvent(
        seq=0, uid=uuid.uuid4().hex, kind=kind, instance_id=instance_id, annotator_id=annotator_id, deck_id=deck_id,
        item_key=item_key, verb="import", state=state | {"status": AnswerStatus.SUBMITTED.value}, at=utc_now(),
        app_version=__version__,
    )  # fmt: skip


def _unit_of(event: AnswerEvent) -> tuple[object, ...]:
    return event.instance_id, event.annotator_id, event.deck_id, event.item_key


def _verdict_unit(verdict: Verdict) -> tuple[object, ...]:
    return (
        verdict.judge_id, verdict.instance_id, verdict.deck_id, verdict.item_id, verdict.order_index, verdict.repeat,
    )  # fmt: skip


def _evidence(text: str) -> list[object]:
    if not text:
        return []
    try:
        value = json.loads(text)
    except ValueError:
        raise RowRefused("evidence is not JSON") from None
    if not isinstance(value, list):
        raise RowRefused("evidence is not a JSON list")
    return value


_READERS: dict[str, Callable[[Project, Names, list[Line], TableReport], None]] = {
    "rankings": _read_rankings,
    "pairs": _read_pairs,
    "checklist": _read_checklist,
    "scores": _read_scores,
    "verdicts": _read_verdicts,
}
