"""The answers that hold, of any kind: the decision made last and not taken back, asked for the first time."""

from __future__ import annotations

from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.ids import InstanceId
from studio.model.studies import AssignmentPurpose
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store.care import FileHistory
from studio.store.project import Project

_DECISIONS = frozenset({AnswerStatus.SUBMITTED.value, AnswerStatus.CANNOT_JUDGE.value, AnswerStatus.RETURNED.value})


def settled_answers(project: Project, kind: AnswerKind, study: str | None = None) -> list[AnswerEvent]:
    """Return the event that holds for each unit of each person, in the order in which they were first answered.

    Left out are drafts, repeats, attention items, answers about decks or instances that were removed, and answers
    given on another file of a deck than it has now.

    Args:
        project: the project.
        kind: of these answers.
        study: of one study only, as events name it; None for all.
    """
    done: dict[tuple[object, ...], list[AnswerEvent]] = {}
    undone: dict[tuple[object, ...], list[AnswerEvent]] = {}
    for event in answer_store.events_of(project, kind, study_id=study, repeat=0):
        unit = (event.study_id, event.instance_id, event.annotator_id, event.deck_id, event.item_key)
        acts, back = done.setdefault(unit, []), undone.setdefault(unit, [])
        if event.verb == "undo":
            back.append(acts.pop())
        elif event.verb == "redo":
            acts.append(back.pop())
        else:
            acts.append(event)
            back.clear()
    files = FileHistory(project)
    instances = {item.id for item in deck_store.list_instances(project)} - attention_instances(project)
    found = []
    for acts in done.values():
        # An answer that came by table or from an earlier release may say nothing of its status.
        held = next((act for act in reversed(acts) if act.state.get("status", "submitted") in _DECISIONS), None)
        if held is None or held.instance_id not in instances:
            continue
        named = [held.deck_id] if held.deck_id else decks_of_key(held.item_key)
        if all(files.is_current(deck, held.seq) for deck in named):
            found.append(held)
    return found


def decks_of_key(item_key: str) -> list[str]:
    """Return the decks that the item key of a pair or group names, without their slides."""
    return [unit.partition("#")[0] for unit in item_key.split("|") if unit]


def attention_instances(project: Project) -> set[InstanceId]:
    """Return the instances that were made to see whether people look; their answers say nothing of systems."""
    return {
        probe.instance_id
        for probe in quality_store.list_probes(project)
        if probe.purpose is AssignmentPurpose.ATTENTION
    }
