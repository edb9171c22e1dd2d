"""Where each person's checklist of an instance stands: all its decks together are one unit of a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.store.answer_counts import UnitKey, UnitState, last_verbs, unit_states
from studio.store.care import FileHistory
from studio.store.project import Project

Units = dict[tuple[AnnotatorId, UnitKey], UnitState]
_DONE = frozenset({AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE})


def checklist_units(
    project: Project,
    study: str,
    drawn: Mapping[InstanceId, tuple[DeckId, ...]],
    annotator_id: AnnotatorId | None = None,
) -> Units:
    """Return where checklists stand, by person and instance.

    An instance is submitted when each of its decks is submitted or beyond judging and at least one is submitted; it
    cannot be judged when none of them can. Decisions about an earlier file of a deck do not count.

    Args:
        project: an open project.
        study: as events name it.
        drawn: the decks of each instance that take part and have pictures.
        annotator_id: the person of whom also drafts and skipped instances are told.
    """
    files = FileHistory(project)
    decided: dict[tuple[AnnotatorId, InstanceId, int], dict[str, UnitState]] = {}
    for state in unit_states(project, AnswerKind.CHECKLIST, study, item_key=""):
        unit = state.unit
        if unit.deck_id and files.is_current(unit.deck_id, state.last):
            decided.setdefault((state.annotator_id, unit.instance_id, unit.repeat), {})[unit.deck_id] = state
    begun = dict(_begun(project, study, annotator_id)) if annotator_id is not None else {}
    found: Units = {}
    for person, instance, repeat in {**decided, **begun}:
        by_deck = decided.get((person, instance, repeat), {})
        decks = drawn.get(instance, ())
        status = _whole([by_deck[deck].status if deck in by_deck else None for deck in decks])
        if status is None:
            verb = begun.get((person, instance, repeat))
            status = AnswerStatus.SKIPPED if verb == "skip" else AnswerStatus.DRAFT if verb else None
        settled = _whole([by_deck[deck].settled if deck in by_deck else None for deck in decks])
        key = UnitKey(instance, "", "", repeat)
        found[person, key] = UnitState(person, key, status, settled)
    return found


def _whole(statuses: list[AnswerStatus | None]) -> AnswerStatus | None:
    if not statuses or any(status not in _DONE for status in statuses):
        return None
    return AnswerStatus.SUBMITTED if AnswerStatus.SUBMITTED in statuses else AnswerStatus.CANNOT_JUDGE


def _begun(
    project: Project, study: str, annotator_id: AnnotatorId
) -> Iterator[tuple[tuple[AnnotatorId, InstanceId, int], str]]:
    for instance, repeat, verb in last_verbs(project, AnswerKind.CHECKLIST, study, annotator_id):
        yield (annotator_id, instance, repeat), verb
