"""What a person who answers checklists has before them: their queue, and one instance at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from studio.actions.checklist_answers import open_sheet
from studio.actions.figures import counted
from studio.actions.sessions import be_annotator, candidates, list_people
from studio.actions.viewing import DeckOnView, blind_order, decks_on_view
from studio.errors import BadInput
from studio.model.answers import Annotator, AnswerKind, AnswerStatus, Role
from studio.model.decks import Instance
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.checklist import ChecklistSheet
from studio.sessions.clock import ActiveClock
from studio.sessions.order import letter
from studio.store import answers as answer_store
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store.care import FileHistory
from studio.store.project import Project

EVIDENCE_META = "checklist_needs_evidence"
"""Setting of a project: ``1`` where every no must name a place."""
DECIDED = frozenset({AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE})


class AnswerEntry(NamedTuple):
    """One instance of a person's queue."""

    instance: Instance
    n_decks: int
    n_decided: int

    @property
    def is_done(self) -> bool:
        """Whether every deck is submitted or was said to be beyond judging."""
        return self.n_decided == self.n_decks


@dataclass(frozen=True, kw_only=True)
class AnswerDesk:
    """One person's work as it stands."""

    person: Annotator
    queue: tuple[AnswerEntry, ...]
    """Instances with a checklist and a drawn deck, in the project's order."""
    n_instances: int
    n_listed: int
    """Instances that have a checklist, whether their decks are drawn or not."""

    def place_of(self, instance_id: InstanceId) -> int | None:
        """Return the place of an instance in the queue, from 0."""
        ids = [entry.instance.id for entry in self.queue]
        return ids.index(instance_id) if instance_id in ids else None

    def neighbour(self, instance_id: InstanceId, by: int) -> InstanceId | None:
        """Return the instance before (−1) or after (+1) another, or None at the ends."""
        here = self.place_of(instance_id)
        there = -1 if here is None else here + by
        return self.queue[there].instance.id if 0 <= there < len(self.queue) else None

    def next_to_do(self, after: InstanceId | None = None) -> InstanceId | None:
        """Return the next instance with an undecided deck, from `after` on and round; None if there is none."""
        here = self.place_of(after) if after is not None else None
        start = 0 if here is None else here + 1
        ordered: Sequence[AnswerEntry] = [*self.queue[start:], *self.queue[:start]]
        return next((entry.instance.id for entry in ordered if not entry.is_done), None)


class OpenChecklist(NamedTuple):
    """An instance with its checklist, ready to be answered."""

    instance: Instance
    sheet: ChecklistSheet
    clock: ActiveClock
    decks: tuple[DeckOnView, ...]
    """Under their letters, in the order in which this person sees them on every page."""


def read_answer_desk(project: Project, name: str, *, group: str = "", role: Role = Role.ANNOTATOR) -> AnswerDesk:
    """Return the work of the person with this name, who is made if new unless the project is read-only."""
    if project.is_read_only:
        known = next((person for person in list_people(project) if name in (person.name, person.id)), None)
        person = known or Annotator(id=AnnotatorId(name), name=name, group=group, role=role)
    else:
        person = be_annotator(project, name, group=group, role=role)
    decided = _decided(project, person.id)
    lists = list_store.checklists(project)
    instances = deck_store.list_instances(project)
    queue = []
    for instance in instances:
        decks = candidates(project, instance.id) if lists[instance.id].items else []
        if decks:
            queue.append(AnswerEntry(instance, len(decks), sum(deck.id in decided for deck in decks)))
    return AnswerDesk(
        person=person, queue=tuple(queue), n_instances=len(instances),
        n_listed=sum(bool(lists[instance.id].items) for instance in instances),
    )  # fmt: skip


def open_checklist(project: Project, person: Annotator, instance_id: InstanceId) -> OpenChecklist:
    """Return an instance and this person's answers to its checklist as stored.

    Raises:
        BadInput: if it is not in the project any more, has no checklist, or no deck with pictures.
    """
    instance = next((item for item in deck_store.list_instances(project) if item.id == instance_id), None)
    if instance is None:
        raise BadInput("This instance is not in the project any more.")
    order = blind_order(project, instance_id, person.name)
    if not order:
        raise BadInput(f"{instance.title} has no deck with pictures.", next_step="Draw its slides in Library.")
    sheet, clock = open_sheet(
        project, instance_id, person.id, deck_ids=order, needs_evidence=project.meta(EVIDENCE_META, "0") == "1"
    )
    names = {deck: letter(place) for place, deck in enumerate(order)}
    return OpenChecklist(instance, sheet, clock, decks_on_view(project, instance_id, names))


def nothing_to_answer_words(desk: AnswerDesk) -> tuple[str, str]:
    """Return a title and a line that say why there is nothing to answer, or nothing any more."""
    if not desk.n_instances:
        return "Nothing to answer yet", "The project has no instances yet."
    if not desk.n_listed:
        return "No checklist yet", "Nobody has written a checklist for the instances of this project."
    if not desk.queue:
        words = f"{counted(desk.n_listed, 'instance')} with a checklist, but no deck has drawn slides."
        return "Nothing to answer yet", words
    decks = sum(entry.n_decks for entry in desk.queue)
    return f"All {len(desk.queue)} checklists are done", f"{counted(decks, 'deck')} submitted or marked cannot judge."


def _decided(project: Project, annotator_id: AnnotatorId) -> frozenset[DeckId]:
    """Return the decks whose checklists this person settled, on the files that are there now."""
    files, newest = FileHistory(project), {}
    for event in answer_store.events_of(project, AnswerKind.CHECKLIST, annotator_id=annotator_id):
        if event.deck_id is not None and not event.item_key and files.is_current(event.deck_id, event.seq):
            newest[event.deck_id] = str(event.state.get("status", ""))
    return frozenset(deck for deck, status in newest.items() if status in {each.value for each in DECIDED})
