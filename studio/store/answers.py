"""People's answers: an append-only journal, and the current state as a query over it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.store.project import Project
from studio.store.values import from_json, to_json


def append(project: Project, event: AnswerEvent) -> AnswerEvent:
    """Store one event durably and return it with its sequence number.

    When this returns, the answer survives a kill and a power cut.
    """
    return append_all(project, [event])[0]


def append_all(project: Project, events: Iterable[AnswerEvent]) -> list[AnswerEvent]:
    """Store several events in one durable transaction; all of them or none."""
    stored = []
    with project.writing(is_durable=True) as db:
        for event in events:
            cursor = db.execute(
                "INSERT INTO answer_events (uid, kind, instance_id, annotator_id, deck_id, item_key, verb, state, at, "
                "active_s, wall_s, target, display, revision, guidelines_version, app_version, study_id, repeat) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    event.uid, event.kind.value, event.instance_id, event.annotator_id, event.deck_id, event.item_key,
                    event.verb, to_json(event.state), event.at, event.active_s, event.wall_s, event.target,
                    to_json(event.display), event.revision, event.guidelines_version, event.app_version,
                    event.study_id, event.repeat,
                ],
            )  # fmt: skip
            stored.append(replace(event, seq=int(cursor.lastrowid or 0)))
    return stored


def events_of(
    project: Project,
    kind: AnswerKind,
    *,
    instance_id: InstanceId | None = None,
    annotator_id: AnnotatorId | None = None,
    study_id: str | None = None,
    deck_id: DeckId | None = None,
    item_key: str | None = None,
    repeat: int | None = None,
) -> list[AnswerEvent]:
    """Return events of one kind in the order in which they happened, narrowed as asked.

    Args:
        project: the project.
        kind: what was asked.
        instance_id: of one instance only.
        annotator_id: of one person only.
        study_id: of one study only; an empty text for the study of a project without studies.
        deck_id: about one deck only.
        item_key: of one item, pair or group only; an empty text for answers that have none.
        repeat: 0 for what was asked first, 1 and more for what was asked again.
    """
    wanted = {
        "kind": kind.value, "study_id": study_id, "annotator_id": annotator_id, "instance_id": instance_id,
        "deck_id": deck_id, "item_key": item_key, "repeat": repeat,
    }  # fmt: skip
    # Only what is asked for stands in the condition, so that SQLite finds it by the index.
    given = {column: value for column, value in wanted.items() if value is not None}
    condition = " AND ".join(f"{column} = :{column}" for column in given)
    rows = project.reading().query(f"SELECT * FROM answer_events WHERE {condition} ORDER BY seq", given)
    return [_event(row) for row in rows]


def has_events(project: Project, *, study_id: str) -> bool:
    """Return whether anything was answered in a study, as events name it."""
    return bool(
        project.reading().execute("SELECT 1 FROM answer_events WHERE study_id = ? LIMIT 1", [study_id]).fetchone()
    )


def known_uids(project: Project) -> set[str]:
    """Return the unique ids of all stored events."""
    return {row["uid"] for row in project.reading().query("SELECT uid FROM answer_events")}


def known_among(project: Project, uids: Iterable[str]) -> set[str]:
    """Return those of these ids that are stored."""
    db = project.reading()
    return {uid for uid in uids if db.execute("SELECT 1 FROM answer_events WHERE uid = ?", [uid]).fetchone()}


def _event(row: dict[str, Any]) -> AnswerEvent:
    return AnswerEvent(
        seq=row["seq"], uid=row["uid"], kind=AnswerKind(row["kind"]), instance_id=InstanceId(row["instance_id"]),
        annotator_id=AnnotatorId(row["annotator_id"]),
        deck_id=DeckId(row["deck_id"]) if row["deck_id"] else None, item_key=row["item_key"], verb=row["verb"],
        state=from_json(row["state"]), at=row["at"], active_s=row["active_s"], wall_s=row["wall_s"],
        target=row["target"], display=tuple(DeckId(deck) for deck in from_json(row["display"])),
        revision=row["revision"], guidelines_version=row["guidelines_version"], app_version=row["app_version"],
        study_id=row["study_id"], repeat=row["repeat"],
    )  # fmt: skip
