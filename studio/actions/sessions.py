"""Human work: who answers, what is theirs to do, and their ranking sessions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from studio import __version__
from studio.actions.packs import pack_person
from studio.model.answers import Annotator, AnswerEvent, AnswerKind, AnswerStatus, Role
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckStatus, Instance, RenderState
from studio.model.ids import AnnotatorId, InstanceId
from studio.model.studies import RankingRule
from studio.sessions.clock import ActiveClock
from studio.sessions.order import display_order
from studio.sessions.ranking import History, RankingRules, RankingSession
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project, utc_now

WANTED_ANSWERS = 3
"""How many submitted rankings an instance should have; the papers use three annotators."""


@dataclass(frozen=True, kw_only=True)
class QueueEntry:
    """One instance in one person's queue."""

    instance: Instance
    status: AnswerStatus | None
    """None: not begun."""
    n_decks: int
    n_ranked: int


class Progress(NamedTuple):
    """How far one person and the whole project are, in instances."""

    mine_done: int
    project_done: int
    total: int


def be_annotator(project: Project, name: str, *, group: str = "", role: Role = Role.ANNOTATOR) -> Annotator:
    """Return the annotator of this name, made if new; in a project that came from a pack, whom it was made for."""
    for_whom = pack_person(project)
    if for_whom is not None:
        return for_whom
    return people_store.annotator_named(project, name, group=group, role=role)


def list_people(project: Project) -> list[Annotator]:
    """Return everyone who may answer."""
    return people_store.list_annotators(project)


def candidates(project: Project, instance_id: InstanceId) -> list[Deck]:
    """Return the decks of an instance that can be ranked: delivered, and with pages to look at."""
    return [
        deck
        for deck in deck_store.list_decks(project, instance_id)
        if deck.status is DeckStatus.PRESENT and deck.render_state is RenderState.RENDERED
    ]


def ranking_queue(project: Project, annotator_id: AnnotatorId) -> list[QueueEntry]:
    """Return all instances with at least two decks to rank; skipped ones come last, else in project order."""
    histories = _histories(project, annotator_id)
    entries = []
    for instance in deck_store.list_instances(project):
        decks = candidates(project, instance.id)
        if len(decks) < 2:
            continue
        history = histories.get((instance.id, annotator_id))
        entries.append(
            QueueEntry(
                instance=instance,
                status=history.state.status if history and history.done else None,
                n_decks=len(decks),
                n_ranked=len(history.state.ranks) if history else 0,
            )
        )
    return sorted(entries, key=lambda entry: entry.status is AnswerStatus.SKIPPED)


def progress(project: Project, annotator_id: AnnotatorId) -> Progress:
    """Return how many instances this person has decided, and how many have enough submitted rankings."""
    histories = _histories(project, None)
    queue = ranking_queue(project, annotator_id)
    decided = {AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE}
    submitted: dict[InstanceId, int] = {}
    for (instance_id, _), history in histories.items():
        if history.last_submit is not None:
            submitted[instance_id] = submitted.get(instance_id, 0) + 1
    return Progress(
        mine_done=sum(entry.status in decided for entry in queue),
        project_done=sum(submitted.get(entry.instance.id, 0) >= WANTED_ANSWERS for entry in queue),
        total=len(queue),
    )


class OpenRanking(NamedTuple):
    """A ranking session and the clock that the page keeps going."""

    session: RankingSession
    clock: ActiveClock


def open_ranking(
    project: Project,
    instance_id: InstanceId,
    annotator_id: AnnotatorId,
    *,
    now: Callable[[], str] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenRanking:
    """Return this person's ranking of an instance as it stands; every act on it is stored before it shows.

    Decks keep the positions in which this person has seen them; decks that came later are added at the end.
    """
    events = answer_store.events_of(
        project, AnswerKind.RANKING, instance_id=instance_id, annotator_id=annotator_id, study_id="", repeat=0
    )
    present = [deck.id for deck in candidates(project, instance_id)]
    order = display_order(present, seed=project.seed, annotator_id=annotator_id, instance_id=instance_id)
    seen = tuple(deck for deck in events[-1].display if deck in set(present)) if events else ()
    display = seen + tuple(deck for deck in order if deck not in set(seen))
    clock = ActiveClock(monotonic)
    session = RankingSession(
        instance_id=instance_id,
        annotator_id=annotator_id,
        display=display,
        events=events,
        record=lambda event: answer_store.append(project, event),
        now=now,
        spent=clock.take,
        rules=RankingRules(
            rule=RankingRule(project.meta("ranking_require", RankingRule.FULL.value)),
            ties_allowed=project.meta("ties_allowed", "1") == "1",
            guidelines_version=project.meta("guidelines_version", ""),
            app_version=__version__,
        ),
    )
    return OpenRanking(session, clock)


def answers_changed(origin: str) -> Changes:
    """Return the change that a page tells after a session recorded an act."""
    return changed(Topic.ANSWERS, origin=origin)


def _histories(project: Project, annotator_id: AnnotatorId | None) -> dict[tuple[InstanceId, AnnotatorId], History]:
    found: dict[tuple[InstanceId, AnnotatorId], History] = {}
    events: list[AnswerEvent] = answer_store.events_of(
        project, AnswerKind.RANKING, annotator_id=annotator_id, study_id="", repeat=0
    )
    for event in events:
        found.setdefault((event.instance_id, event.annotator_id), History(())).add(event)
    return found
