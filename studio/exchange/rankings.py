"""Current rankings, from the journal of answers."""

from __future__ import annotations

from studio.model.answers import AnswerKind, AnswerStatus, Ranking, RankMethod
from studio.model.ids import AnnotatorId, InstanceId
from studio.sessions.ranking import History, state_of
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project


def current_rankings(project: Project) -> list[Ranking]:
    """Return one ranking for each person and instance: the submitted one if there is one, else the draft."""
    people = {person.id: person for person in people_store.list_annotators(project)}
    n_decks: dict[InstanceId, int] = {}
    for deck in deck_store.list_decks(project):
        n_decks[deck.instance_id] = n_decks.get(deck.instance_id, 0) + (deck.asset is not None)
    histories: dict[tuple[InstanceId, AnnotatorId], tuple[History, list[tuple[int, float, float, str]]]] = {}
    for event in answer_store.events_of(project, AnswerKind.RANKING):
        key = (event.instance_id, event.annotator_id)
        history, spent = histories.setdefault(key, (History(()), []))
        history.add(event)
        spent.append((event.seq, event.active_s, event.wall_s, event.at))
    found = []
    for (instance_id, annotator_id), (history, spent) in histories.items():
        if not history.done:
            continue
        event = history.last_submit or history.done[-1]
        state = state_of(event)
        until = [item for item in spent if item[0] <= event.seq]
        person = people[annotator_id]
        is_import = event.verb == "import"
        found.append(
            Ranking(
                instance_id=instance_id, annotator_id=annotator_id, annotator=person.name, status=state.status,
                rank_method=RankMethod(str(event.state.get("rank_method", "imported" if is_import else "ranking"))),
                ranks=state.ranks, display=event.display,
                n_candidates=len(event.display) or n_decks.get(instance_id, 0),
                duration_s=round(sum(item[2] for item in until), 3), active_s=round(sum(item[1] for item in until), 3),
                revision=event.revision, started_at=until[0][3],
                submitted_at=event.at if state.status is AnswerStatus.SUBMITTED else "",
                note=state.note, is_flagged=state.is_flagged, guidelines_version=event.guidelines_version,
                app_version=event.app_version, is_sample=person.is_sample,
            )
        )  # fmt: skip
    return found
