"""Guidelines that were read, and the training that opens a study."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from studio.errors import BadInput
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import slide_file_name
from studio.model.ids import AnnotatorId, Sha256
from studio.model.quality import ExampleDeck, Guidelines, TrainingItem, TrainingResult, TrainingTry
from studio.model.studies import Study
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store.project import Project, utc_now


class GuidelinesShown(NamedTuple):
    """What the guideline drawer shows."""

    guidelines: Guidelines | None
    """None: the study has none."""
    is_changed: bool
    """Whether the person read an earlier version last."""
    is_read: bool
    """Whether the person has read this version."""
    pictures: Mapping[ExampleDeck, Path] = MappingProxyType({})
    """As `example_pictures`."""


def guidelines_for(project: Project, study: Study, annotator_id: AnnotatorId) -> GuidelinesShown:
    """Return a study's guidelines, and whether they changed since this person read them."""
    version = study.guidelines_version
    if not version:
        return GuidelinesShown(None, False, True)
    found = quality_store.guidelines_named(project, version)
    read = quality_store.last_read(project, annotator_id)
    pictures = example_pictures(project, found.examples if found else ())
    return GuidelinesShown(found, bool(read) and read != version, read == version, pictures)


def example_pictures(project: Project, examples: Iterable[ExampleDeck]) -> dict[ExampleDeck, Path]:
    """Return the picture of each example of the project's own: the first slide of a deck that is drawn, or a file."""
    found = {}
    for example in examples:
        path = None
        if example.picture:
            path = project.asset_path(Sha256(example.picture), "png")
        elif example.deck_id and (folder := deck_store.page_folder(project, example.deck_id)) is not None:
            path = folder / slide_file_name(1)
        if path is not None and path.is_file():
            found[example] = path
    return found


def note_guidelines_read(project: Project, study: Study, annotator_id: AnnotatorId) -> Changes:
    """Store that this person has read the study's guidelines."""
    shown = guidelines_for(project, study, annotator_id)
    if shown.guidelines is not None and not shown.is_read:
        quality_store.note_read(project, annotator_id, shown.guidelines.version)
    return changed(Topic.PEOPLE)


def training_result(project: Project, study: Study, annotator_id: AnnotatorId) -> TrainingResult:
    """Return how far a person is with a study's training."""
    items = quality_store.training_items(project, study.id)
    tries = quality_store.training_tries(project, study.id, annotator_id)
    left: dict[str, int] = {}
    n_correct = 0
    for item in items:
        mine = [one for one in tries if one.item_id == item.id][: study.training_tries]
        is_right = any(one.is_correct for one in mine)
        n_correct += is_right
        left[item.id] = 0 if is_right else study.training_tries - len(mine)
    return TrainingResult(
        n_items=len(items),
        n_answered=sum(number == 0 for number in left.values()),
        n_correct=n_correct,
        pass_mark=study.training_pass_mark,
        tries_left=left,
    )


class TrainingReply(NamedTuple):
    """What a person is told after an answer to a training item."""

    is_correct: bool
    explanation: str
    """Empty while there are tries left, so that the next try is not told its answer."""
    result: TrainingResult


def answer_training(
    project: Project, study: Study, annotator_id: AnnotatorId, item: TrainingItem, answer: str
) -> tuple[TrainingReply, Changes]:
    """Store an answer to a training item, durably, and return whether it was right and why.

    Raises:
        BadInput: if the answer is not one of the options, or no try is left.
    """
    if answer not in item.options:
        raise BadInput(f"{answer} is none of the answers.", next_step=f"Choose one of: {', '.join(item.options)}.")
    if not training_result(project, study, annotator_id).tries_left.get(item.id, 0):
        raise BadInput("No try is left for this question.")
    is_correct = answer == item.answer
    quality_store.add_training_tries(
        project,
        [
            TrainingTry(
                uid=uuid.uuid4().hex, study_id=study.id, annotator_id=annotator_id, item_id=item.id, answer=answer,
                is_correct=is_correct, at=utc_now(),
            )
        ],
    )  # fmt: skip
    result = training_result(project, study, annotator_id)
    is_last = not result.tries_left.get(item.id, 0)
    return TrainingReply(is_correct, item.explanation if is_last else "", result), changed(Topic.PEOPLE)
