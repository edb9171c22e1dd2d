"""Studies and planned assignments in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from studio.errors import BadInput
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import (
    IMPLICIT,
    AnswerUnit,
    Assignment,
    AssignmentPurpose,
    RankingRule,
    Study,
    StudyId,
    StudyKind,
)
from studio.store import care
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

_COLUMNS = (
    "study_id, annotator_id, instance_id, deck_id, item_key, repeat, deck_ids, position, purpose, is_withdrawn, at"
)


def list_studies(project: Project) -> list[Study]:
    """Return the studies that were made, oldest first; without the implicit one."""
    return [_study(row) for row in project.reading().query("SELECT * FROM studies ORDER BY at, id")]


def save_study(project: Project, study: Study) -> None:
    """Store a new study, or changed rules as an act that can be undone.

    Raises:
        BadInput: if another study has its name.
    """
    with project.writing(is_durable=True) as db:
        taken = db.query("SELECT 1 FROM studies WHERE name = ? AND id <> ?", [study.name, study.id])
        if any(True for _ in taken):
            raise BadInput(f"There is a study named {study.name} already.", next_step="Choose another name.")
        known = next(iter(db.query("SELECT * FROM studies WHERE id = ?", [study.id])), None)
        at = known["at"] if known is not None else study.at or utc_now()
        told = {
            "name": study.name, "kind": study.kind.value, "rules": to_json(replace(study, at=at)),
            "is_closed": int(study.is_closed),
        }  # fmt: skip
        if known is None:
            db.execute(
                "INSERT INTO studies VALUES (:id, :name, :kind, :rules, :is_closed, :at)",
                {"id": study.id, "at": at, **told},
            )
            return
        words = f"Changed the rules of {known['name']}"
        if bool(known["is_closed"]) is not study.is_closed:
            words = f"{'Closed' if study.is_closed else 'Reopened'} {study.name}"
        care.act(project, "edit", care.Kind.STUDY, study.id, words, told)


def add_assignments(project: Project, assignments: Iterable[Assignment]) -> int:
    """Store planned assignments and return how many are new; those that are there already stay as they are.

    One that was withdrawn is given back.
    """
    at = utc_now()
    fresh = 0
    with project.writing(is_durable=True) as db:
        for item in assignments:
            key = [item.study_id, item.annotator_id, item.instance_id, _deck_of(item) or "", item.item_key, item.repeat]
            cursor = db.execute(
                f"INSERT INTO assignments ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) "
                "ON CONFLICT DO UPDATE SET is_withdrawn = 0, position = excluded.position WHERE is_withdrawn = 1",
                [*key, to_json(item.deck_ids), item.position, item.purpose.value, at],
            )
            fresh += cursor.rowcount
    return fresh


def withdraw(project: Project, assignments: Iterable[Assignment]) -> None:
    """Take assignments back; the rows stay, since what was promised to whom is part of the study."""
    with project.writing(is_durable=True) as db:
        for item in assignments:
            db.execute(
                "UPDATE assignments SET is_withdrawn = 1 WHERE study_id = ? AND annotator_id = ? AND instance_id = ? "
                "AND deck_id = ? AND item_key = ? AND repeat = ?",
                [item.study_id, item.annotator_id, item.instance_id, _deck_of(item) or "", item.item_key, item.repeat],
            )


def list_assignments(
    project: Project,
    study_id: StudyId,
    *,
    annotator_id: AnnotatorId | None = None,
    instance_id: InstanceId | None = None,
    with_withdrawn: bool = False,
) -> list[Assignment]:
    """Return a study's planned assignments in the order of the queues, narrowed as asked."""
    wanted = {"study_id": study_id, "annotator_id": annotator_id, "instance_id": instance_id}
    given = {column: value for column, value in wanted.items() if value is not None}
    condition = " AND ".join(f"{column} = :{column}" for column in given)
    if not with_withdrawn:
        condition += " AND is_withdrawn = 0"
    rows = project.reading().query(
        f"SELECT {_COLUMNS} FROM assignments WHERE {condition} ORDER BY annotator_id, position, instance_id, repeat",
        given,
    )
    return [_assignment(row) for row in rows]


def has_assignments(project: Project, study_id: StudyId) -> bool:
    """Return whether anything was planned in a study."""
    row = project.reading().execute("SELECT 1 FROM assignments WHERE study_id = ? LIMIT 1", [study_id]).fetchone()
    return row is not None


def planned_counts(project: Project, study_id: StudyId) -> dict[tuple[InstanceId, str, str], int]:
    """Return for each unit (instance, deck, item key) how many people it is assigned to, repeats not counted."""
    rows = project.reading().query(
        "SELECT instance_id, deck_id, item_key, count(*) AS number FROM assignments "
        "WHERE study_id = ? AND repeat = 0 AND is_withdrawn = 0 GROUP BY instance_id, deck_id, item_key",
        [study_id],
    )
    return {(InstanceId(row["instance_id"]), row["deck_id"], row["item_key"]): int(row["number"]) for row in rows}


def event_study(study_id: StudyId) -> str:
    """Return how events name a study: an implicit one has an empty id, which all earlier events have."""
    return "" if study_id in IMPLICIT else study_id


def _deck_of(item: Assignment) -> DeckId | None:
    """Return the deck that the answer will be about, or None for answers about several decks."""
    return item.deck_ids[0] if item.is_about_deck else None


def _study(row: dict[str, Any]) -> Study:
    raw = from_json(row["rules"])
    known = {name: raw[name] for name in Study.__dataclass_fields__ if name in raw}
    for name in ("instance_ids", "systems", "annotator_ids"):
        if known.get(name) is not None:
            known[name] = tuple(known[name])
    return Study(
        **known
        | {
            "id": StudyId(row["id"]), "name": row["name"], "kind": StudyKind(row["kind"]),
            "rule": RankingRule(raw.get("rule", "full")), "unit": AnswerUnit(raw.get("unit", "deck")),
            "is_closed": bool(row["is_closed"]), "at": row["at"],
        }
    )  # fmt: skip


def _assignment(row: dict[str, Any]) -> Assignment:
    return Assignment(
        study_id=StudyId(row["study_id"]), annotator_id=AnnotatorId(row["annotator_id"]),
        instance_id=InstanceId(row["instance_id"]), deck_ids=tuple(DeckId(deck) for deck in from_json(row["deck_ids"])),
        item_key=row["item_key"], repeat=row["repeat"], position=row["position"],
        purpose=AssignmentPurpose(row["purpose"]), is_withdrawn=bool(row["is_withdrawn"]),
        is_about_deck=bool(row["deck_id"]),
    )  # fmt: skip
