"""What a person who ranks has before them: their queue, how far they are, and one instance at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from studio.actions.figures import counted
from studio.actions.sessions import (
    Progress,
    QueueEntry,
    be_annotator,
    candidates,
    list_people,
    open_ranking,
    progress,
    ranking_queue,
)
from studio.actions.viewing import DeckOnView, decks_on_view
from studio.errors import BadInput
from studio.model.answers import Annotator, AnswerStatus, Role
from studio.model.decks import DeckStatus, Instance, RenderState
from studio.model.ids import AnnotatorId, InstanceId
from studio.sessions.clock import ActiveClock
from studio.sessions.ranking import RankingSession
from studio.store import decks as deck_store
from studio.store.project import Project

DECIDED = frozenset({AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE})


@dataclass(frozen=True, kw_only=True)
class Desk:
    """One person's work as it stands."""

    person: Annotator
    queue: tuple[QueueEntry, ...]
    progress: Progress
    n_instances: int
    """Instances of the project, whether they can be ranked or not."""
    n_undrawn: int
    """Delivered decks that have no pictures yet, or could not be drawn."""

    def place_of(self, instance_id: InstanceId) -> int | None:
        """Return the place of an instance in the queue, from 0."""
        ids = [entry.instance.id for entry in self.queue]
        return ids.index(instance_id) if instance_id in ids else None

    def neighbour(self, instance_id: InstanceId, by: int) -> InstanceId | None:
        """Return the instance before (−1) or after (+1) another, or None at the ends."""
        here = self.place_of(instance_id)
        if here is None:
            return None
        there = here + by
        return self.queue[there].instance.id if 0 <= there < len(self.queue) else None

    def next_to_do(self, after: InstanceId | None = None) -> InstanceId | None:
        """Return the next instance that is neither decided nor skipped, from `after` on and round; then skipped ones.

        None if everything is decided. `after` itself is not returned.
        """
        here = self.place_of(after) if after is not None else None
        start = 0 if here is None else here + 1
        ordered: Sequence[QueueEntry] = [*self.queue[start:], *self.queue[:start]]
        todo = [entry for entry in ordered if entry.status not in DECIDED and entry.instance.id != after]
        fresh = [entry for entry in todo if entry.status is not AnswerStatus.SKIPPED]
        chosen = (fresh or todo)[:1]
        return chosen[0].instance.id if chosen else None

    def count(self, status: AnswerStatus) -> int:
        """Return how many instances of the queue have this status."""
        return sum(entry.status is status for entry in self.queue)


class OpenInstance(NamedTuple):
    """An instance with its ranking, ready to be worked on."""

    instance: Instance
    session: RankingSession
    clock: ActiveClock
    decks: tuple[DeckOnView, ...]
    """Under their letters, in the order in which this person sees them."""


def read_desk(project: Project, name: str, *, group: str = "", role: Role = Role.ANNOTATOR) -> Desk:
    """Return the work of the person with this name, who is made if new.

    In a project that is open read-only nobody is made; a person who is not known there sees the decks in an
    order of their own and cannot answer.
    """
    if project.is_read_only:
        known = next((person for person in list_people(project) if name in (person.name, person.id)), None)
        person = known or Annotator(id=AnnotatorId(name), name=name, group=group, role=role)
    else:
        person = be_annotator(project, name, group=group, role=role)
    decks = deck_store.list_decks(project)
    return Desk(
        person=person,
        queue=tuple(ranking_queue(project, person.id)),
        progress=progress(project, person.id),
        n_instances=len(deck_store.list_instances(project)),
        n_undrawn=sum(
            deck.status is DeckStatus.PRESENT and deck.render_state is not RenderState.RENDERED for deck in decks
        ),
    )


def open_instance(project: Project, person: Annotator, instance_id: InstanceId) -> OpenInstance:
    """Return an instance and this person's ranking of it as stored.

    Raises:
        BadInput: if it is not in the project any more, or has fewer than two decks to rank.
    """
    instance = next((item for item in deck_store.list_instances(project) if item.id == instance_id), None)
    if instance is None:
        raise BadInput("This instance is not in the project any more.")
    if len(candidates(project, instance_id)) < 2:
        raise BadInput(
            f"{instance.title} has fewer than two decks with pictures.", next_step="Draw its slides in Library."
        )
    session, clock = open_ranking(project, instance_id, person.id)
    names = {deck: session.letter_of(deck) for deck in session.display}
    return OpenInstance(instance, session, clock, decks_on_view(project, instance_id, names))


def nothing_left_words(desk: Desk) -> tuple[str, str]:
    """Return a title and a line that say why there is nothing left to rank, or nothing yet."""
    if not desk.n_instances:
        return "Nothing to rank yet", "The project has no instances yet."
    undrawn = f" Not drawn yet: {counted(desk.n_undrawn, 'deck')}." if desk.n_undrawn else ""
    if not desk.queue:
        words = f"An instance needs two decks with drawn slides; {counted(desk.n_instances, 'instance')} with fewer."
        return "Nothing to rank yet", words + undrawn
    counts = (
        f"{desk.count(AnswerStatus.SUBMITTED)} submitted, {desk.count(AnswerStatus.CANNOT_JUDGE)} cannot judge, "
        f"{desk.count(AnswerStatus.SKIPPED)} skipped."
    )
    return f"All {len(desk.queue)} instances are done", counts + undrawn


def unranked_words(session: RankingSession) -> str:
    """Return what keeps a ranking from being submitted, always with the decks' letters; empty if nothing does.

    An untouched ranking is "5 decks unranked: A, B, C, D, E", since that says what to do.
    """
    if not session.missing:
        return ""
    letters = sorted(session.letter_of(deck) for deck in session.unranked)
    return f"{counted(len(letters), 'deck')} unranked: {', '.join(letters)}"
