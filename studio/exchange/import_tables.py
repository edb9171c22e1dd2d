"""Reads tables back in: every row is new, the same, in conflict, or refused with its line."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from studio import __version__
from studio.errors import BadInput
from studio.exchange.columns import (
    ANSWER_STATUSES,
    ANSWERS,
    COLUMNS,
    DIMENSIONS,
    PREFERENCES,
    REQUIRED,
    SOURCES,
    table_of,
)
from studio.exchange.export_tables import preference
from studio.exchange.files import read_table
from studio.exchange.import_rankings import read_rankings
from studio.exchange.import_scores import read_scores, read_verdicts
from studio.exchange.names import Names, RowRefused, filled, number, one_of, text, whole
from studio.exchange.rankings import current_rankings
from studio.exchange.table_report import Line
from studio.exchange.table_report import TableReport as TableReport
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.store import answers as answer_store
from studio.store.project import Project, utc_now


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


def _read_pairs(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    derived = [line for line in lines if text(line[1], "source") == "derived_from_ranking"]
    direct = [line for line in lines if text(line[1], "source") != "derived_from_ranking"]

    def take(row: dict[str, str]) -> AnswerEvent:
        one_of(row, "source", SOURCES, "direct")
        instance_id, deck_a, deck_b, said = _pair(names, row)
        left = names.deck(row, instance_id, "shown_left") if text(row, "shown_left") else None
        if left not in (None, deck_a, deck_b):
            raise RowRefused("shown_left is neither deck_a nor deck_b")
        state: dict[str, object] = {"preference": said, "strength": number(row, "strength"), "shown_left": left}
        return _event(AnswerKind.PAIR, instance_id, names.person(row), None, f"{deck_a}|{deck_b}", state)

    _read_answers(project, AnswerKind.PAIR, ("preference", "strength", "shown_left"), direct, report, take)
    if derived:
        _check_derived(project, names, derived, report)


def _pair(names: Names, row: dict[str, str]) -> tuple[InstanceId, DeckId, DeckId, str]:
    """Return a row's instance, its decks in the order of their ids, and the preference turned to fit."""
    instance_id = names.instance(row)
    deck_a, deck_b = names.deck(row, instance_id, "deck_a"), names.deck(row, instance_id, "deck_b")
    if deck_a == deck_b:
        raise RowRefused("deck_a and deck_b are the same deck")
    said = one_of(row, "preference", PREFERENCES)
    if deck_a > deck_b:
        return instance_id, deck_b, deck_a, {"a": "b", "b": "a"}.get(said, said)
    return instance_id, deck_a, deck_b, said


def _check_derived(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    """Compare pairs that were derived from a ranking with the rankings that are here; they are never stored."""
    follows: dict[tuple[object, ...], str] = {}
    for ranking in current_rankings(project):
        if ranking.status is AnswerStatus.SUBMITTED:
            for deck_a, deck_b in combinations(sorted(ranking.ranks), 2):
                unit = (ranking.instance_id, ranking.annotator_id, deck_a, deck_b)
                follows[unit] = preference(ranking.ranks[deck_a], ranking.ranks[deck_b])
    for line, row in lines:
        try:
            instance_id, deck_a, deck_b, said = _pair(names, row)
            annotator_id = names.known_person(row)
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        before = follows.get((instance_id, annotator_id, deck_a, deck_b))
        if before is None:
            report.refuse(line, "derived from a ranking that is not here; import the rankings first")
        elif before == said:
            report.same += 1
        else:
            report.conflicting += 1


def _read_checklist(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    def take(row: dict[str, str]) -> AnswerEvent:
        instance_id = names.instance(row)
        deck_id = names.deck(row, instance_id)
        state: dict[str, object] = {
            "answer": one_of(row, "answer", ANSWERS), "item_version": whole(row, "item_version", 1),
            "dimension": one_of(row, "dimension", ("", *DIMENSIONS)), "evidence": _evidence(text(row, "evidence")),
            "comment": row.get("comment", ""), "quotes": _quotes(text(row, "quotes")),
        }  # fmt: skip
        item = filled(row, "item_id").strip()
        status = one_of(row, "status", ANSWER_STATUSES, AnswerStatus.SUBMITTED.value)
        event = _event(AnswerKind.CHECKLIST, instance_id, names.person(row), deck_id, item, state)
        return replace(event, state=event.state | {"status": status})

    said = ("answer", "item_version", "dimension", "evidence", "comment", "quotes")
    _read_answers(project, AnswerKind.CHECKLIST, said, lines, report, take)


def _read_answers(
    project: Project,
    kind: AnswerKind,
    said: tuple[str, ...],
    lines: list[Line],
    report: TableReport,
    take: Callable[[dict[str, str]], AnswerEvent],
) -> None:
    """Take answers in; a row is the same if it agrees in `said`, as far as the table has those columns."""
    known = {_unit_of(event): event.state for event in answer_store.events_of(project, kind)}
    fresh = []
    for line, row in lines:
        try:
            event = take(row)
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        before = known.get(_unit_of(event))
        # An answer that its person took back is none.
        if before is None or (kind is AnswerKind.CHECKLIST and not before.get("answer")):
            known[_unit_of(event)] = event.state
            fresh.append(event)
            report.new += 1
        elif all(_plainly(before.get(name)) == _plainly(event.state[name]) for name in said if name in row):
            report.same += 1
        else:
            report.conflicting += 1
    answer_store.append_all(project, fresh)


def _plainly(value: object) -> object:
    """Return a value so that what is empty is the same however it is written."""
    return value or None


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


def _evidence(said: str) -> list[object]:
    if not said:
        return []
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        raise RowRefused("evidence is not JSON") from None
    if not isinstance(value, list):
        raise RowRefused("evidence is not a JSON list")
    for place in value:
        if not isinstance(place, dict) or not _is_slide(place.get("slide")):
            raise RowRefused("evidence names no slide (a whole number from 1 up)")
        if not all(_is_share(place[edge]) for edge in ("x0", "y0", "x1", "y1") if edge in place):
            raise RowRefused("evidence has an edge that is not between 0 and 1")
    return value


def _quotes(said: str) -> list[object]:
    if not said:
        return []
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        raise RowRefused("quotes is not JSON") from None
    if not isinstance(value, list) or not all(isinstance(each, dict) and each.get("source") for each in value):
        raise RowRefused("quotes is not a JSON list of places in sources")
    return value


def _is_slide(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


_READERS: dict[str, Callable[[Project, Names, list[Line], TableReport], None]] = {
    "rankings": read_rankings,
    "pairs": _read_pairs,
    "checklist": _read_checklist,
    "scores": read_scores,
    "verdicts": read_verdicts,
}
