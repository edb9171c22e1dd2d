"""Answers of every kind for small projects, without a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.decks import Deck, DeckFormat, DeckStatus, Instance
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.quality import SlideView
from studio.model.scores import Score
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store import scores as score_store
from studio.store.project import Project

AT = "2026-05-04T10:00:00.000Z"


def deck_id(instance: str, system: str) -> DeckId:
    return DeckId(f"d_{instance}_{system}")


def add_decks(project: Project, instances: Sequence[str], systems: Sequence[str], *, scenario: str = "") -> None:
    """Store instances, and a deck of ten slides of every system for each."""
    for name in instances:
        deck_store.add_instance(
            project, Instance(id=InstanceId(f"i_{name}"), name=name, title=name.title(), scenario=scenario)
        )
        for system in systems:
            deck_store.add_deck(
                project,
                Deck(
                    id=deck_id(name, system), instance_id=InstanceId(f"i_{name}"),
                    system_id=deck_store.system_named(project, system).id, system=system, status=DeckStatus.PRESENT,
                    format=DeckFormat.PPTX, slides=10,
                ),
            )  # fmt: skip


def person(project: Project, name: str, *, group: str = "") -> AnnotatorId:
    return people_store.annotator_named(project, name, identifier=f"a_{name}", group=group).id


def _add(
    project: Project, kind: AnswerKind, name: str, instance: str, state: dict[str, object], *,
    deck: DeckId | None = None, item_key: str = "", seconds: float = 60.0,
    verb: str = "submit", study: str = "", repeat: int = 0,
) -> None:  # fmt: skip
    number = len(answer_store.known_uids(project))
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=f"{kind}-{number}", kind=kind, instance_id=InstanceId(f"i_{instance}"),
            annotator_id=person(project, name), deck_id=deck, item_key=item_key, verb=verb, state=state, at=AT,
            active_s=seconds, wall_s=seconds, study_id=study, repeat=repeat, app_version="test",
        ),
    )  # fmt: skip


def add_ranking(
    project: Project, name: str, instance: str, ranks: Mapping[str, int], *, seconds: float = 60.0,
    verb: str = "submit", study: str = "", repeat: int = 0,
) -> None:  # fmt: skip
    """Store a submitted ranking: system → rank."""
    state: dict[str, object] = {
        "ranks": {deck_id(instance, system): rank for system, rank in ranks.items()}, "status": "submitted",
        "rank_method": "ranking",
    }  # fmt: skip
    _add(project, AnswerKind.RANKING, name, instance, state, seconds=seconds, verb=verb, study=study, repeat=repeat)


def add_pair(project: Project, name: str, instance: str, first: str, second: str, preference: str) -> None:
    """Store one comparison of two systems' decks."""
    key = f"{deck_id(instance, first)}|{deck_id(instance, second)}"
    _add(project, AnswerKind.PAIR, name, instance, {"preference": preference, "status": "submitted"}, item_key=key)


def add_rating(
    project: Project, name: str, instance: str, system: str, *, scale_set: str = "pptev", **values: int
) -> None:  # fmt: skip
    """Store one person's ratings of one deck."""
    state: dict[str, object] = {"values": values, "scale_set": scale_set, "status": "submitted"}
    _add(project, AnswerKind.RATING, name, instance, state, deck=deck_id(instance, system))


def add_explanation_rating(
    project: Project, name: str, instance: str, system: str, explanation: str, *, study: str = "", **values: int
) -> None:  # fmt: skip
    """Store one person's ratings of one explanation of a deck."""
    state: dict[str, object] = {
        "values": values, "scale_set": "usefulness", "status": "submitted", "target": "explanation",
        "target_id": explanation,
    }  # fmt: skip
    _add(
        project, AnswerKind.RATING, name, instance, state, deck=deck_id(instance, system),
        item_key=f"text:{explanation}", study=study,
    )  # fmt: skip


def add_check(project: Project, name: str, instance: str, system: str, item: str, answer: str) -> None:
    """Store one person's answer to one item of one deck."""
    state: dict[str, object] = {"answer": answer, "status": "submitted"}
    _add(project, AnswerKind.CHECKLIST, name, instance, state, deck=deck_id(instance, system), item_key=item)


def add_view(project: Project, name: str, instance: str, system: str, slides: Sequence[int]) -> None:
    """Store that somebody looked at these slides for two seconds each."""
    quality_store.add_views(
        project,
        [
            SlideView(
                uid=f"v-{name}-{instance}-{system}-{slide}", study_id="", instance_id=InstanceId(f"i_{instance}"),
                annotator_id=person(project, name), deck_id=deck_id(instance, system), slide=slide, seen_s=2.0, at=AT,
            )
            for slide in slides
        ],
    )  # fmt: skip


def add_scores(project: Project, metric: str, instance: str, values: Mapping[str, float | None]) -> None:
    """Store a method's value of each system's deck."""
    score_store.append_scores(
        project,
        [
            Score(
                run_id=None, metric=metric, metric_version=1, preset="benchmark", deck_id=deck_id(instance, system),
                instance_id=InstanceId(f"i_{instance}"), slide=None, value=value,
                undefined_reason="no_text" if value is None else None,
            )
            for system, value in values.items()
        ],
    )  # fmt: skip
