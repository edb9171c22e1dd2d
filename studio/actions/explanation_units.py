"""Explanations whose usefulness people rate: what they are about, what they say, and nothing of who wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from studio.errors import BadInput
from studio.exchange.pack_names import keyed_token
from studio.exchange.settled import settled_answers
from studio.model.answers import AnswerKind
from studio.model.changes import Changes, Topic, changed
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import Assignment, Study, StudyId, StudyKind, explanations_meta
from studio.sessions.pairing import seeded
from studio.store import decks as deck_store
from studio.store import studies as study_store
from studio.store.project import Project

_FIELDS = ("deck", "metric", "text", "written_by", "known_defect")


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """One explanation of how a deck did by a metric, and who wrote it, which raters are never told."""

    deck_id: DeckId
    metric: str
    text: str
    written_by: str
    """A person or a judge; for the author's tables only."""
    known_defect: str = ""
    """What is known to be wrong with the deck; for the author's tables only."""


def explanation_id(project: Project, item: Explanation) -> str:
    """Return the id of an explanation: the same each time, and no help to whoever guesses at its writer."""
    return keyed_token(project, "explanation", item.deck_id, item.metric, item.text, item.written_by)[:12]


class ExplanationShown(NamedTuple):
    """What a rater sees of an explanation."""

    id: str
    metric: str
    text: str


def plan_explanations(
    project: Project, study: Study, explanations: Sequence[Explanation], annotator_ids: Iterable[AnnotatorId]
) -> tuple[int, Changes]:
    """Let people rate explanations in a study, each person in an order of their own; return how many are new.

    Raises:
        BadInput: if the study is not one of ratings, or a deck is not in the project.
    """
    if study.kind is not StudyKind.RATE:
        raise BadInput(f"{study.name} asks for no ratings.", next_step="Make a study of the kind rate.")
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    unknown = next((item.deck_id for item in explanations if item.deck_id not in decks), None)
    if unknown is not None:
        raise BadInput(f"There is no deck {unknown} in the project.")
    named = {explanation_id(project, item): item for item in explanations}
    kept = _stored(project, study.id) | {
        name: _as_json(item, decks[item.deck_id].instance_id) for name, item in named.items()
    }
    project.set_meta(explanations_meta(study.id), json.dumps(kept, ensure_ascii=False))
    assignments = []
    for person in annotator_ids:
        order = sorted(named)
        seeded(study.order_seed, person, "explanations").shuffle(order)
        assignments += [
            Assignment(
                study_id=study.id, annotator_id=person, instance_id=decks[named[name].deck_id].instance_id,
                deck_ids=(named[name].deck_id,), item_key=f"text:{name}", is_about_deck=True, position=position,
            )
            for position, name in enumerate(order, start=1)
        ]  # fmt: skip
    return study_store.add_assignments(project, assignments), changed(Topic.PEOPLE)


def explanation_shown(project: Project, study_id: StudyId, item_key: str) -> ExplanationShown | None:
    """Return the explanation that an item key names, without its writer; None if it names none.

    Raises:
        BadInput: if it names one that is not in the project.
    """
    kind, _, name = item_key.partition(":")
    if kind != "text":
        return None
    found = _stored(project, study_id).get(name)
    if found is None:
        raise BadInput("The explanation to rate is not in the project.", next_step="Ask the author of the study.")
    return ExplanationShown(id=name, metric=str(found["metric"]), text=str(found["text"]))


def explanation_writers(project: Project, study_id: StudyId) -> dict[str, tuple[str, str]]:
    """Return who wrote each explanation and its deck's known defect, by id, for the author's tables."""
    return {
        name: (str(item["written_by"]), str(item["known_defect"])) for name, item in _stored(project, study_id).items()
    }


@dataclass(frozen=True, kw_only=True)
class ExplanationRow:
    """One explanation for the author: what raters never see, and how useful they found it."""

    id: str
    deck_id: DeckId
    metric: str
    text: str
    written_by: str
    known_defect: str
    ratings: tuple[int, ...]
    """Of everybody who submitted one, in the order in which they came."""
    points: Mapping[AnnotatorId, Mapping[str, int]] = field(default_factory=dict)
    """Rater → dimension → point."""


def explanation_rows(project: Project, study: Study) -> tuple[ExplanationRow, ...]:
    """Return the explanations of a study with the ratings of their usefulness, for its author."""
    kept = _stored(project, study.id)
    given: dict[str, list[int]] = {}
    points: dict[str, dict[AnnotatorId, dict[str, int]]] = {}
    if kept:
        for event in settled_answers(project, AnswerKind.RATING, study_store.event_study(study.id)):
            values = event.state.get("values")
            named = event.item_key.removeprefix("text:")
            if named in kept and isinstance(values, dict) and event.state.get("status") == "submitted":
                given.setdefault(named, []).extend(int(value) for value in values.values())
                points.setdefault(named, {})[event.annotator_id] = {
                    dimension: int(value) for dimension, value in values.items()
                }
    return tuple(
        ExplanationRow(
            id=name, deck_id=DeckId(str(item["deck_id"])), metric=str(item["metric"]), text=str(item["text"]),
            written_by=str(item["written_by"]), known_defect=str(item["known_defect"]),
            ratings=tuple(given.get(name, ())), points=points.get(name, {}),
        )
        for name, item in kept.items()
    )  # fmt: skip


def read_explanations(project: Project, file: Path) -> list[Explanation]:
    """Return the explanations in a JSONL file.

    Each line has ``deck`` (id, or instance/system), ``metric``, ``text``, ``written_by`` and perhaps ``known_defect``.

    Raises:
        BadInput: with the number of the first line that is not one.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file.name} cannot be read as UTF-8.", next_step="Check the path and the encoding.") from error
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    decks = {deck.id: deck.id for deck in deck_store.list_decks(project)} | {
        f"{names.get(deck.instance_id, '')}/{deck.system}": deck.id for deck in deck_store.list_decks(project)
    }
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            values = {name: str(raw.get(name) or "").strip() for name in _FIELDS}
        except (ValueError, AttributeError, RecursionError) as error:
            raise BadInput(f"{file.name}, line {number} is no JSON object.") from error
        if values["deck"] not in decks or not values["text"] or not values["metric"]:
            raise BadInput(
                f"{file.name}, line {number} names no deck of the project, no metric or no text.",
                next_step="Give deck (id, or instance/system), metric, text and written_by.",
            )
        found.append(
            Explanation(
                deck_id=decks[values["deck"]], metric=values["metric"], text=values["text"],
                written_by=values["written_by"], known_defect=values["known_defect"],
            )
        )  # fmt: skip
    return found


def _stored(project: Project, study_id: StudyId) -> dict[str, dict[str, object]]:
    return dict(json.loads(project.meta(explanations_meta(study_id), "{}")))


def _as_json(item: Explanation, instance_id: InstanceId) -> dict[str, object]:
    return {
        "instance_id": instance_id, "deck_id": item.deck_id, "metric": item.metric, "text": item.text,
        "written_by": item.written_by, "known_defect": item.known_defect,
    }  # fmt: skip
