"""Profiles, guidelines, training, known answers and what was looked at, in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from studio.errors import BadInput
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.quality import (
    ExampleDeck,
    Guidelines,
    Probe,
    Profile,
    SlideView,
    TrainingItem,
    TrainingTry,
)
from studio.model.studies import AssignmentPurpose, StudyId
from studio.store import care
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


def save_profile(project: Project, profile: Profile) -> None:
    """Store what is known of an annotator, in place of what was."""
    with project.writing(is_durable=True) as db:
        db.execute(
            "INSERT OR REPLACE INTO profiles VALUES (?, ?, ?, ?, ?)",
            [profile.annotator_id, profile.qualification, profile.note, profile.is_active, utc_now()],
        )


def list_profiles(project: Project) -> dict[AnnotatorId, Profile]:
    """Return the profiles that there are; whoever has none is active and without a qualification."""
    return {
        AnnotatorId(row["annotator_id"]): Profile(
            annotator_id=AnnotatorId(row["annotator_id"]), qualification=row["qualification"], note=row["note"],
            is_active=bool(row["is_active"]),
        )
        for row in project.reading().query("SELECT * FROM profiles")
    }  # fmt: skip


def add_guidelines(project: Project, guidelines: Guidelines) -> Guidelines:
    """Store a new version and return it with its time.

    Raises:
        BadInput: if the version is there already with other words; versions are never changed.
    """
    before = guidelines_named(project, guidelines.version)
    if before is not None:
        if (before.text, before.examples) != (guidelines.text, guidelines.examples):
            raise BadInput(
                f"Version {guidelines.version} of the guidelines is there already.", next_step="Give it another name."
            )
        return before
    stored = replace(guidelines, at=guidelines.at or utc_now())
    with project.writing(is_durable=True) as db:
        db.execute(
            "INSERT INTO guidelines VALUES (?, ?, ?, ?)",
            [stored.version, stored.text, to_json(stored.examples), stored.at],
        )
    return stored


def list_guidelines(project: Project) -> list[Guidelines]:
    """Return all versions, oldest first."""
    return [_guidelines(row) for row in project.reading().query("SELECT * FROM guidelines ORDER BY rowid")]


def guidelines_named(project: Project, version: str) -> Guidelines | None:
    """Return one version, or None if there is none of that name."""
    rows = project.reading().query("SELECT * FROM guidelines WHERE version = ?", [version])
    return next((_guidelines(row) for row in rows), None)


def note_read(project: Project, annotator_id: AnnotatorId, version: str) -> None:
    """Store that somebody has read a version."""
    with project.writing(is_durable=True) as db:
        db.execute("INSERT INTO guideline_reads VALUES (?, ?, ?)", [annotator_id, version, utc_now()])


def last_read(project: Project, annotator_id: AnnotatorId) -> str:
    """Return the version that somebody read last; empty if they have read none."""
    row = (
        project.reading()
        .execute(
            "SELECT version FROM guideline_reads WHERE annotator_id = ? ORDER BY rowid DESC LIMIT 1", [annotator_id]
        )
        .fetchone()
    )
    return str(row[0]) if row else ""


def save_training_items(project: Project, study_id: StudyId, items: Iterable[TrainingItem]) -> None:
    """Store a study's training in place of what it had, as an act that can be undone; tries that were made stay.

    Raises:
        BadInput: if there is no such study.
    """
    rows = [
        {
            "id": item.id, "study_id": study_id, "position": position, "question": item.question,
            "options": to_json(item.options), "answer": item.answer, "explanation": item.explanation,
            "examples": to_json(item.examples),
        }
        for position, item in enumerate(items, start=1)
    ]  # fmt: skip
    name = care.record(project, care.Kind.STUDY, study_id)["name"]
    care.act(project, "edit", care.Kind.STUDY, study_id, f"Changed the training of {name}", {care.TRAINING: rows})


def training_items(project: Project, study_id: StudyId) -> list[TrainingItem]:
    """Return a study's training in its order."""
    return [
        TrainingItem(
            id=row["id"], study_id=study_id, question=row["question"], options=tuple(from_json(row["options"])),
            answer=row["answer"], explanation=row["explanation"], examples=_examples(row["examples"]),
        )
        for row in project.reading().query(
            "SELECT * FROM training_items WHERE study_id = ? ORDER BY position", [study_id]
        )
    ]  # fmt: skip


def add_training_tries(project: Project, tries: Iterable[TrainingTry]) -> int:
    """Store answers to training items and return how many are new."""
    fresh = 0
    with project.writing(is_durable=True) as db:
        for item in tries:
            cursor = db.execute(
                "INSERT INTO training_tries VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [item.uid, item.study_id, item.annotator_id, item.item_id, item.answer, item.is_correct, item.at],
            )
            fresh += cursor.rowcount
    return fresh


def training_tries(
    project: Project, study_id: StudyId | None = None, annotator_id: AnnotatorId | None = None
) -> list[TrainingTry]:
    """Return answers to training items in the order in which they came."""
    rows = project.reading().query(
        "SELECT * FROM training_tries WHERE (:study IS NULL OR study_id = :study) "
        "AND (:person IS NULL OR annotator_id = :person) ORDER BY rowid",
        {"study": study_id, "person": annotator_id},
    )
    return [
        TrainingTry(
            uid=row["uid"], study_id=StudyId(row["study_id"]), annotator_id=AnnotatorId(row["annotator_id"]),
            item_id=row["item_id"], answer=row["answer"], is_correct=bool(row["is_correct"]), at=row["at"],
        )
        for row in rows
    ]  # fmt: skip


def save_probe(project: Project, probe: Probe) -> None:
    """Store a known answer, in place of what was known of the item."""
    with project.writing(is_durable=True) as db:
        db.execute(
            "INSERT OR REPLACE INTO probes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                probe.study_id, probe.instance_id, probe.deck_id or "", probe.item_key, probe.purpose.value,
                to_json(probe.expected), probe.note, utc_now(),
            ],
        )  # fmt: skip


def list_probes(project: Project, study_id: StudyId | None = None) -> list[Probe]:
    """Return the known answers of one study, or of all."""
    rows = project.reading().query(
        "SELECT * FROM probes WHERE (:study IS NULL OR study_id = :study) ORDER BY at, instance_id", {"study": study_id}
    )
    return [
        Probe(
            study_id=StudyId(row["study_id"]), instance_id=InstanceId(row["instance_id"]),
            deck_id=DeckId(row["deck_id"]) if row["deck_id"] else None, item_key=row["item_key"],
            purpose=AssignmentPurpose(row["purpose"]), expected=from_json(row["expected"]), note=row["note"],
        )
        for row in rows
    ]  # fmt: skip


def add_views(project: Project, views: Iterable[SlideView]) -> int:
    """Store what was looked at and return how much of it is new."""
    fresh = 0
    with project.writing(is_durable=True) as db:
        for item in views:
            cursor = db.execute(
                "INSERT INTO views VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    item.uid, item.study_id, item.instance_id, item.annotator_id, item.deck_id or "", item.slide,
                    item.seen_s, item.source_opened_s, item.at or utc_now(),
                ],
            )  # fmt: skip
            fresh += cursor.rowcount
    return fresh


def list_views(
    project: Project,
    *,
    instance_id: InstanceId | None = None,
    annotator_id: AnnotatorId | None = None,
    study: str | None = None,
) -> list[SlideView]:
    """Return what was looked at, in the order in which it was, narrowed as asked."""
    wanted = {"instance_id": instance_id, "annotator_id": annotator_id, "study_id": study}
    given = {column: value for column, value in wanted.items() if value is not None}
    condition = " AND ".join(f"{column} = :{column}" for column in given) or "1"
    rows = project.reading().query(f"SELECT * FROM views WHERE {condition} ORDER BY rowid", given)
    return [
        SlideView(
            uid=row["uid"], study_id=row["study_id"], instance_id=InstanceId(row["instance_id"]),
            annotator_id=AnnotatorId(row["annotator_id"]), deck_id=DeckId(row["deck_id"]) if row["deck_id"] else None,
            slide=row["slide"], seen_s=row["seen_s"], source_opened_s=row["source_opened_s"], at=row["at"],
        )
        for row in rows
    ]  # fmt: skip


def _guidelines(row: dict[str, Any]) -> Guidelines:
    return Guidelines(version=row["version"], text=row["text"], examples=_examples(row["examples"]), at=row["at"])


def _examples(text: str) -> tuple[ExampleDeck, ...]:
    return tuple(ExampleDeck(**item) for item in from_json(text))
