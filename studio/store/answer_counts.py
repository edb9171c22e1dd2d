"""How far answers are, counted in the database: no answer is read unless something in it was taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.store.answers import events_of
from studio.store.project import Project

_SETTLED = (AnswerStatus.SUBMITTED, AnswerStatus.RETURNED, AnswerStatus.CANNOT_JUDGE)


class UnitKey(NamedTuple):
    """What one answer is about, within a study."""

    instance_id: InstanceId
    deck_id: str
    """Empty for answers about several decks."""
    item_key: str
    repeat: int


class UnitState(NamedTuple):
    """Where one person's answer stands."""

    annotator_id: AnnotatorId
    unit: UnitKey
    status: AnswerStatus | None
    """Of the draft as it is; None if every act was taken back."""
    settled: AnswerStatus | None
    """Of the decision that holds, which a later draft or skip does not change; None if there is none."""
    last: int = 0
    """The number of its newest event."""


def unit_states(
    project: Project,
    kind: AnswerKind,
    study: str,
    annotator_id: AnnotatorId | None = None,
    *,
    item_key: str | None = None,
) -> Iterator[UnitState]:
    """Yield where the answers of a study stand, of one person or of everybody.

    Args:
        project: the project.
        kind: the kind of answer that the study asks for.
        study: as events name it; empty for the study of a project without studies.
        annotator_id: of this person only.
        item_key: of this item, pair or group only; an empty text for answers that have none.
    """
    settled = ", ".join(f"'{status.value}'" for status in _SETTLED)
    only = "" if annotator_id is None else "AND annotator_id = :person"
    only += "" if item_key is None else " AND item_key = :item"
    rows = project.reading().query(
        f"""SELECT u.*, e.status AS status, s.status AS settled FROM (
            SELECT annotator_id, instance_id, coalesce(deck_id, '') AS deck, item_key, repeat, max(seq) AS last,
                sum(CASE verb WHEN 'undo' THEN -1 ELSE 1 END) AS held, max(verb = 'undo') AS has_undo,
                max(CASE WHEN status IN ({settled}) THEN seq END) AS decided
            FROM answer_events INDEXED BY answer_events_progress WHERE kind = :kind AND study_id = :study {only}
            GROUP BY annotator_id, instance_id, deck_id, item_key, repeat) u
        JOIN answer_events e ON e.seq = u.last LEFT JOIN answer_events s ON s.seq = u.decided""",
        {"kind": kind.value, "study": study, "person": annotator_id, "item": item_key},
    )
    for row in rows:
        unit = UnitKey(InstanceId(row["instance_id"]), row["deck"], row["item_key"], row["repeat"])
        person_id = AnnotatorId(row["annotator_id"])
        decided = AnswerStatus(row["settled"]) if row["settled"] else None
        if row["has_undo"] and decided is not None:
            decided = _decision_that_holds(project, kind, study, person_id, unit)
        status = AnswerStatus(row["status"] or AnswerStatus.DRAFT) if row["held"] > 0 else None
        yield UnitState(person_id, unit, status, decided, row["last"])


def last_verbs(
    project: Project, kind: AnswerKind, study: str, annotator_id: AnnotatorId
) -> Iterator[tuple[InstanceId, int, str]]:
    """Yield each instance and repeat of a study that a person did anything in, with what they did last."""
    rows = project.reading().query(
        """SELECT u.instance_id AS instance_id, u.repeat AS repeat, e.verb AS verb FROM (
            SELECT instance_id, repeat, max(seq) AS last FROM answer_events INDEXED BY answer_events_progress
            WHERE kind = :kind AND study_id = :study AND annotator_id = :person GROUP BY instance_id, repeat) u
        JOIN answer_events e ON e.seq = u.last""",
        {"kind": kind.value, "study": study, "person": annotator_id},
    )
    for row in rows:
        yield InstanceId(row["instance_id"]), row["repeat"], row["verb"]


def _decision_that_holds(
    project: Project, kind: AnswerKind, study: str, annotator_id: AnnotatorId, unit: UnitKey
) -> AnswerStatus | None:
    done: list[str] = []
    undone: list[str] = []
    for event in events_of(
        project, kind, study_id=study, annotator_id=annotator_id, instance_id=unit.instance_id,
        deck_id=DeckId(unit.deck_id) if unit.deck_id else None, item_key=unit.item_key, repeat=unit.repeat,
    ):  # fmt: skip
        if event.verb == "undo":
            undone.append(done.pop())
        elif event.verb == "redo":
            done.append(undone.pop())
        else:
            done.append(str(event.state.get("status", "")))
            undone.clear()
    return next((AnswerStatus(status) for status in reversed(done) if status in _SETTLED), None)


def drawn_decks(project: Project, systems: tuple[str, ...] | None = None) -> dict[InstanceId, tuple[DeckId, ...]]:
    """Return for each instance its decks that were delivered and have pictures; instances with none are not in.

    Args:
        project: the project.
        systems: only decks of these.
    """
    found: dict[InstanceId, list[DeckId]] = {}
    for row in project.reading().query(
        "SELECT d.instance_id AS instance_id, d.id AS id, s.name AS system FROM visible_decks d "
        "JOIN systems s ON s.id = d.system_id JOIN renders r ON r.deck_id = d.id AND r.asset = d.asset "
        "WHERE d.status = 'present' AND r.state = 'rendered' ORDER BY d.id"
    ):
        if systems is None or row["system"] in systems:
            found.setdefault(InstanceId(row["instance_id"]), []).append(DeckId(row["id"]))
    return {instance: tuple(decks) for instance, decks in found.items()}
