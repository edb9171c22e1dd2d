"""Sending answers back to the people who gave them, and taking that back."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.reviews import Case, CaseKind, Returned
from studio.store import answers as answer_store
from studio.store import people as people_store
from studio.store.project import Project, utc_now

VERB = "return"


@dataclass(frozen=True, kw_only=True)
class _Unit:
    """One answer of one person."""

    annotator_id: AnnotatorId
    kind: AnswerKind
    instance_id: InstanceId
    deck_id: DeckId | None
    item_key: str
    study_id: str

    def events(self, project: Project) -> list[AnswerEvent]:
        """Return its journal."""
        found = answer_store.events_of(
            project, self.kind, instance_id=self.instance_id, annotator_id=self.annotator_id,
            study_id=self.study_id, item_key=self.item_key, repeat=0,
        )  # fmt: skip
        return [event for event in found if event.deck_id == self.deck_id]


def send_back(project: Project, case: Case, comment: str) -> tuple[Returned, ...]:
    """Return the answers that were sent back: everybody's to this case that are not returned already.

    Raises:
        BadInput: if nobody answered, or everything was returned before.
    """
    units = list(_units_of(project, case))
    returned: list[Returned] = []
    with project.writing(is_durable=True):
        for unit in units:
            events = unit.events(project)
            last = events[-1] if events else None
            if not _can_return(unit, last):
                continue
            state: dict[str, Any] = dict(last.state) if last is not None else {}
            state |= {"status": AnswerStatus.RETURNED.value, "reason": comment}
            event = answer_store.append(project, _event(unit, VERB, state, last))
            returned.append(Returned(annotator_id=unit.annotator_id, event_uid=event.uid))
    if not returned:
        why = "It was returned already." if units else "No person answered this, so nothing can be returned."
        raise BadInput(why, next_step="Decide it.")
    return tuple(returned)


def take_back(project: Project, case: Case, returned: Iterable[Returned]) -> None:
    """Make answers hold again that were sent back.

    Raises:
        BadInput: if somebody has gone on with theirs since; then nothing is changed.
    """
    names = {person.id: person.name for person in people_store.list_annotators(project)}
    uids = {each.event_uid: each.annotator_id for each in returned}
    with project.writing(is_durable=True):
        for unit in _units_of(project, case):
            events = unit.events(project)
            if not any(event.uid in uids for event in events):
                continue
            last = events[-1]
            if last.uid not in uids:
                who = names.get(unit.annotator_id, unit.annotator_id)
                raise BadInput(
                    f"{who} has changed the returned answer since.", next_step="Return it anew, or decide it."
                )
            before = _before(events)
            # An undo names what it takes back, as it does on the page of the person who answers.
            answer_store.append(project, _event(unit, "undo", before, last, target=last.seq))


def _units_of(project: Project, case: Case) -> Iterable[_Unit]:
    """Return the answers behind a case: of an item the item's, then the deck's sheet; of a pair rankings and pairs."""
    seen: dict[_Unit, None] = {}
    if case.kind is CaseKind.ITEM:
        for event in answer_store.events_of(
            project, AnswerKind.CHECKLIST, instance_id=case.instance_id, deck_id=case.deck_id, item_key=case.item_id
        ):
            seen[_unit(event)] = None
            seen[_Unit(
                annotator_id=event.annotator_id, kind=event.kind, instance_id=event.instance_id,
                deck_id=event.deck_id, item_key="", study_id=event.study_id,
            )] = None  # fmt: skip
    elif case.kind is CaseKind.PAIR and case.against is not None:
        pair = {case.deck_id, case.against}
        for event in answer_store.events_of(project, AnswerKind.RANKING, instance_id=case.instance_id, repeat=0):
            ranks = event.state.get("ranks")
            if isinstance(ranks, dict) and pair <= set(ranks):
                seen[_unit(event)] = None
        for event in answer_store.events_of(project, AnswerKind.PAIR, instance_id=case.instance_id, repeat=0):
            if set(event.item_key.split("|")) == pair:
                seen[_unit(event)] = None
    return seen


def _can_return(unit: _Unit, last: AnswerEvent | None) -> bool:
    """Return whether an answer stands: an item's is submitted with its deck, others by themselves."""
    # An answer that came by table may say nothing of its status.
    status = str(last.state.get("status", AnswerStatus.SUBMITTED.value)) if last is not None else ""
    if unit.kind is AnswerKind.CHECKLIST:
        return status != AnswerStatus.RETURNED.value
    return status == AnswerStatus.SUBMITTED.value


def _unit(event: AnswerEvent) -> _Unit:
    return _Unit(
        annotator_id=event.annotator_id, kind=event.kind, instance_id=event.instance_id, deck_id=event.deck_id,
        item_key=event.item_key, study_id=event.study_id,
    )  # fmt: skip


def _before(events: list[AnswerEvent]) -> Mapping[str, Any]:
    done: list[AnswerEvent] = []
    undone: list[AnswerEvent] = []
    for event in events:
        if event.verb == "undo":
            undone.append(done.pop())
        elif event.verb == "redo":
            done.append(undone.pop())
        else:
            done.append(event)
            undone.clear()
    return done[-2].state if len(done) > 1 else {"status": AnswerStatus.DRAFT.value, "reason": ""}


def _event(
    unit: _Unit, verb: str, state: Mapping[str, Any], last: AnswerEvent | None, *, target: int | None = None
) -> AnswerEvent:
    return AnswerEvent(
        seq=0, uid=uuid.uuid4().hex, kind=unit.kind, instance_id=unit.instance_id, annotator_id=unit.annotator_id,
        deck_id=unit.deck_id, item_key=unit.item_key, verb=verb, state=dict(state), at=utc_now(), target=target,
        display=last.display if last is not None else (), revision=last.revision if last is not None else 1,
        guidelines_version=last.guidelines_version if last is not None else "",
        app_version=last.app_version if last is not None else "", study_id=unit.study_id,
    )  # fmt: skip
