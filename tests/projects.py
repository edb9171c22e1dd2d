"""Small projects for tests: instances, systems and decks without real files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from studio.model.answers import AnswerKind
from studio.model.decks import Deck, DeckFormat, DeckStatus, Instance, RenderState, Slide
from studio.model.ids import AnnotatorId, DeckId, InstanceId, Sha256
from studio.sessions.clock import Spent
from studio.sessions.order import display_order
from studio.sessions.ranking import RankingRules, RankingSession
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project

SYSTEMS = ("Aster", "Birch", "Cedar", "Dahlia")
SPENT = Spent(active_s=2.0, wall_s=3.0)
"""What every act of a session made here takes, unless a test says otherwise."""


def make_project(
    folder: Path,
    *,
    instances: int | Iterable[str] = 2,
    systems: Iterable[str] = SYSTEMS,
    slides: int = 2,
    is_rendered: bool = True,
) -> Project:
    """Return a new project, open for writing, in which every system has a deck for every instance.

    Instances are named ``topic-1``, ``topic-2`` … unless names are given. Decks count as rendered, so that they
    can be ranked, but there are neither originals nor pictures.
    """
    names = [f"topic-{number}" for number in range(1, instances + 1)] if isinstance(instances, int) else list(instances)
    project = Project.create(folder, title="Test study")
    for name in names:
        instance_id = add_instance(project, name)
        for system in systems:
            add_deck(project, instance_id, system, slides=slides, is_rendered=is_rendered)
    return project


def add_instance(project: Project, name: str, *, scenario: str = "teaching") -> InstanceId:
    """Store an instance and return its id."""
    instance_id = InstanceId(_id("instance", name))
    deck_store.add_instance(project, Instance(id=instance_id, name=name, title=name.title(), scenario=scenario))
    return instance_id


def add_deck(
    project: Project,
    instance_id: InstanceId,
    system: str,
    *,
    slides: int = 2,
    is_rendered: bool = True,
    status: DeckStatus = DeckStatus.PRESENT,
) -> DeckId:
    """Store a deck of a system, made if it is new, and return the deck's id."""
    deck_id = DeckId(_id("deck", instance_id, system))
    asset = Sha256(hashlib.sha256(deck_id.encode()).hexdigest())
    made_by = deck_store.system_named(project, system)
    deck_store.add_deck(
        project,
        Deck(
            id=deck_id, instance_id=instance_id, system_id=made_by.id, system=system, status=status,
            format=DeckFormat.PPTX, asset=asset, extension="pptx", original_name="deck.pptx", slides=slides,
        ),
    )  # fmt: skip
    if is_rendered and status is DeckStatus.PRESENT:
        pages = tuple(
            Slide(deck_id=deck_id, number=number, page=number, text=f"{system} {number}", width_px=1280, height_px=720)
            for number in range(1, slides + 1)
        )
        deck_store.record_rendering(
            project,
            deck_store.Rendering(
                deck_id=deck_id, asset=asset, state=RenderState.RENDERED, renderer="none 1", pages=slides,
                raster_px=(1280, 720), folder=f"pages-{deck_id}", slides=pages,
            ),
        )  # fmt: skip
    return deck_id


def instance_named(project: Project, name: str) -> InstanceId:
    """Return the id of the instance with this folder name."""
    return next(item.id for item in deck_store.list_instances(project) if item.name == name)


def decks_of(project: Project, instance: str) -> dict[str, DeckId]:
    """Return the decks of an instance by system."""
    return {deck.system: deck.id for deck in deck_store.list_decks(project, instance_named(project, instance))}


def person(project: Project, name: str) -> AnnotatorId:
    """Return the id of an annotator, made if new."""
    return people_store.annotator_named(project, name).id


def open_session(
    project: Project,
    instance: str,
    annotator: str,
    *,
    rules: RankingRules | None = None,
    now: Callable[[], str] | None = None,
    spent: Callable[[], Spent] = lambda: SPENT,
) -> RankingSession:
    """Return a person's ranking of an instance as it stands in the project; every act on it is stored."""
    instance_id, annotator_id = instance_named(project, instance), person(project, annotator)
    events = answer_store.events_of(project, AnswerKind.RANKING, instance_id=instance_id, annotator_id=annotator_id)
    decks = decks_of(project, instance).values()
    return RankingSession(
        instance_id=instance_id,
        annotator_id=annotator_id,
        display=display_order(decks, seed=project.seed, annotator_id=annotator_id, instance_id=instance_id),
        events=events,
        record=lambda event: answer_store.append(project, event),
        now=now or ticking_clock(start=len(events)),
        spent=spent,
        rules=rules or RankingRules(app_version="0.0.test"),
    )


def rank(project: Project, instance: str, annotator: str, order: Iterable[str], *, submit: bool = True) -> None:
    """Let a person rank systems from best to worst, and submit."""
    session = open_session(project, instance, annotator)
    decks = decks_of(project, instance)
    for place, system in enumerate(order, start=1):
        session.rank(decks[system], place)
    if submit:
        session.submit()


def ticking_clock(*, start: int = 0) -> Callable[[], str]:
    """Return a clock that goes on by one second each time it is read."""
    ticks = count(start)
    return lambda: f"2026-05-04T10:{(tick := next(ticks)) // 60 % 60:02d}:{tick % 60:02d}.000Z"


def _id(kind: str, *parts: str) -> str:
    return f"{kind}_{hashlib.sha256('/'.join(parts).encode()).hexdigest()[:16]}"
