"""Current rankings, from the journal of answers."""

from __future__ import annotations

from studio.exchange.settled import attention_instances
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus, Ranking, RankMethod
from studio.model.decks import DeckStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.ranking import History, state_of
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.care import FileHistory
from studio.store.project import Project


def current_rankings(project: Project) -> list[Ranking]:
    """Return one ranking for each person, instance and study: the one that was settled last, else the draft.

    What was asked again, to see whether people agree with themselves, and attention items are left out.

    A ranking that came by table says of its times and candidates what the table said; of one that was made here
    they are counted: `duration_s` and `active_s` are sums over all acts up to it, each counted once.

    Decks that were removed are left out. So are ranks given on another file of a deck than it has now; they are
    named in `stale_decks`, and the order of the other decks stays as it was.
    """
    files = FileHistory(project)
    instances = {item.id for item in deck_store.list_instances(project)} - attention_instances(project)
    people = {person.id: person for person in people_store.list_annotators(project)}
    n_decks: dict[InstanceId, int] = {}
    for deck in deck_store.list_decks(project):
        n_decks[deck.instance_id] = n_decks.get(deck.instance_id, 0) + (deck.status is DeckStatus.PRESENT)
    events: dict[tuple[InstanceId, AnnotatorId, str], list[AnswerEvent]] = {}
    for event in answer_store.events_of(project, AnswerKind.RANKING, repeat=0):
        events.setdefault((event.instance_id, event.annotator_id, event.study_id), []).append(event)
    found = []
    for (instance_id, annotator_id, study_id), acts in events.items():
        history = History(acts)
        if not history.done or instance_id not in instances:
            continue
        event = history.last_decision or history.done[-1]
        state = state_of(event)
        display = tuple(deck for deck in event.display if deck not in files.hidden)
        stale = tuple(deck for deck in state.ranks if deck not in files.hidden and files.is_stale(deck, event.seq))
        until = [act for act in acts if act.seq <= event.seq]
        person = people[annotator_id]
        found.append(
            Ranking(
                instance_id=instance_id, annotator_id=annotator_id, annotator=person.name, status=state.status,
                rank_method=RankMethod(str(event.state.get("rank_method", RankMethod.RANKING.value))),
                ranks={deck: rank for deck, rank in state.ranks.items() if files.is_current(deck, event.seq)},
                display=display, stale_decks=stale,
                n_candidates=_said(event, "n_candidates") or len(display) or n_decks.get(instance_id, 0),
                duration_s=_seconds(event, "duration_s", sum(act.wall_s for act in until)),
                active_s=_seconds(event, "active_s", sum(act.active_s for act in until)),
                revision=event.revision, started_at=_started_at(event if event.verb == "import" else until[0]),
                submitted_at=_submitted_at(event, state.status),
                note=state.note, is_flagged=state.is_flagged, guidelines_version=event.guidelines_version,
                app_version=event.app_version, is_sample=person.is_sample, study_id=study_id,
            )
        )  # fmt: skip
    return found


def decks_asked(project: Project) -> dict[tuple[InstanceId, AnnotatorId], tuple[DeckId, ...]]:
    """Return the decks of each ranking that came by table, also those without a rank or a display position."""
    found = {}
    hidden = FileHistory(project).hidden
    for event in answer_store.events_of(project, AnswerKind.RANKING):
        decks = event.state.get("decks")
        if isinstance(decks, list):
            found[event.instance_id, event.annotator_id] = tuple(
                DeckId(str(deck)) for deck in decks if deck not in hidden
            )
    return found


def _said(event: AnswerEvent, name: str) -> int:
    value = event.state.get(name)
    return value if event.verb == "import" and isinstance(value, int) else 0


def _seconds(event: AnswerEvent, name: str, counted: float) -> float | None:
    if event.verb != "import":
        return round(counted, 3)
    value = event.state.get(name)
    return float(value) if isinstance(value, int | float) else None


def _started_at(event: AnswerEvent) -> str:
    return str(event.state.get("started_at", "")) if event.verb == "import" else event.at


def _submitted_at(event: AnswerEvent, status: AnswerStatus) -> str:
    if event.verb == "import":
        return str(event.state.get("submitted_at", ""))
    return event.at if status is AnswerStatus.SUBMITTED else ""
