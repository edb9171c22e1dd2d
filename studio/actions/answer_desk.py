"""What a person who answers has before them: their studies, their queue, and one unit at a time with its session."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio import __version__
from studio.actions.explanation_units import ExplanationShown, explanation_shown
from studio.actions.figures import counted
from studio.actions.sessions import be_annotator, list_people
from studio.actions.studies import (
    all_checklists,
    decks_in_order,
    events_of,
    list_studies,
    listed_instances,
    n_instances,
    recorder,
    shown_units,
)
from studio.actions.study_queue import QueueItem, StudyQueue, read_queue
from studio.actions.training import GuidelinesShown, example_pictures, guidelines_for, training_result
from studio.actions.viewing import DeckOnView, decks_on_view
from studio.errors import BadInput
from studio.model.answers import Annotator, AnswerStatus, Role
from studio.model.decks import DeckStatus, Instance, RenderState
from studio.model.ids import AnnotatorId, DeckId
from studio.model.quality import ExampleDeck, SlideView, TrainingItem, TrainingResult
from studio.model.studies import REASONS_META, SCALE_SETS_META, Assignment, Study, StudyKind
from studio.sessions.answering import Answering, AnsweringRules
from studio.sessions.checklist import ChecklistSheet
from studio.sessions.clock import ActiveClock
from studio.sessions.looking import Looked, Looking
from studio.sessions.order import letter
from studio.sessions.outbox import Outbox
from studio.sessions.pairs import BestWorstSession, PairSession
from studio.sessions.ranking import RankingRules, RankingSession
from studio.sessions.rating import RatingSession
from studio.sessions.scales import READY_SETS, ScaleSet, scale_set_from
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.project import Project, utc_now

DECIDED = frozenset({AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE})
REASONS = (
    "The slides are not shown properly",
    "I know too little about the subject",
    "I recognised a system",
    "The source is missing or unreadable",
)
"""Why something cannot be judged, unless the project has its own reasons."""


@dataclass(frozen=True, kw_only=True)
class AnswerDesk:
    """One person's work of some kinds as it stands."""

    person: Annotator
    studies: tuple[Study, ...]
    """Those that this person may answer in, of the kinds asked for."""
    study: Study
    queue: StudyQueue
    guidelines: GuidelinesShown
    training: TrainingResult
    training_items: tuple[TrainingItem, ...]
    training_pictures: Mapping[ExampleDeck, Path]
    """As `training.example_pictures`."""
    reasons: tuple[str, ...]
    """Why something cannot be judged, in the order of their keys."""
    n_undrawn: int
    """Delivered decks without pictures; counted only where nothing is left to do."""
    nothing_yet: tuple[str, str] | None = None
    """A title and a line that say why nothing can be answered at all, where the study's kind needs more than decks."""

    @property
    def needs_training(self) -> bool:
        """Whether the training stands before the study."""
        return self.study.needs_training and not self.training.is_passed

    def neighbour(self, assignment: Assignment, by: int) -> QueueItem | None:
        """Return the item before (−1) or after (+1) another, or None at the ends."""
        here = self.queue.place_of(assignment)
        if here is None:
            return None
        there = here + by
        return self.queue.items[there] if 0 <= there < len(self.queue.items) else None

    def item_of(self, instance_id: str) -> QueueItem | None:
        """Return the first item of an instance that is not done, else its first."""
        items = [item for item in self.queue.items if item.instance.id == instance_id]
        return next((item for item in items if not item.is_done), items[0] if items else None)

    def count(self, status: AnswerStatus) -> int:
        """Return how many items have this status."""
        return sum(item.status is status for item in self.queue.items)


@dataclass(frozen=True, kw_only=True)
class OpenUnit:
    """One unit with its session, ready to be worked on."""

    instance: Instance
    assignment: Assignment
    study: Study
    session: Answering[Any] | ChecklistSheet
    clock: ActiveClock
    looking: Looking
    outbox: Outbox
    decks: tuple[DeckOnView, ...]
    """Under their letters, in the order in which this person sees them."""
    slides: dict[DeckId, int]
    """Which slide of a deck the question is about, where it is about single slides."""
    explanation: ExplanationShown | None = None


def read_desk(
    project: Project,
    name: str,
    *,
    kinds: Collection[StudyKind] = (StudyKind.RANK,),
    study_id: str = "",
    text: str = "",
    statuses: Collection[AnswerStatus | None] | None = None,
    group: str = "",
    role: Role = Role.ANNOTATOR,
) -> AnswerDesk | None:
    """Return the work of the person with this name, who is made if new; None if there is no study of these kinds.

    In a project that is open read-only nobody is made; a person who is not known there sees the decks in an order of
    their own and cannot answer.

    Args:
        project: the project.
        name: the name on the profile.
        kinds: what the page can ask.
        study_id: the study that was chosen; else the first that was made, or the implicit one.
        text: show only instances with this in their title or name.
        statuses: show only units with one of these statuses; None among them is "not begun".
        group: of the profile, for a person who is new.
        role: of the profile, for a person who is new.
    """
    if project.is_read_only:
        known = next((person for person in list_people(project) if name in (person.name, person.id)), None)
        person = known or Annotator(id=AnnotatorId(name), name=name, group=group, role=role)
    else:
        person = be_annotator(project, name, group=group, role=role)
    studies = _studies_of(project, person.id, kinds)
    if not studies:
        return None
    study = next((each for each in studies if each.id == study_id), studies[0])
    queue = read_queue(project, study, person.id, text=text, statuses=statuses)
    asked = tuple(quality_store.training_items(project, study.id))
    return AnswerDesk(
        person=person,
        studies=studies,
        study=study,
        queue=queue,
        guidelines=guidelines_for(project, study, person.id),
        training=training_result(project, study, person.id),
        training_items=asked,
        training_pictures=example_pictures(project, [example for item in asked for example in item.examples]),
        reasons=cannot_judge_reasons(project),
        n_undrawn=0 if queue.next_to_do() else _undrawn(project),
        nothing_yet=_no_checklists(project) if study.kind is StudyKind.CHECKLIST and not queue.mine_total else None,
    )


def _no_checklists(project: Project) -> tuple[str, str] | None:
    if not n_instances(project):
        return "Nothing to answer yet", "The project has no instances yet."
    n_listed = len(listed_instances(project))
    if not n_listed:
        return "No checklist yet", "Nobody has written a checklist for the instances of this project."
    return None


def _undrawn(project: Project) -> int:
    return sum(
        deck.status is DeckStatus.PRESENT and deck.render_state is not RenderState.RENDERED
        for deck in deck_store.list_decks(project)
    )


def _studies_of(project: Project, annotator_id: AnnotatorId, kinds: Collection[StudyKind]) -> tuple[Study, ...]:
    """Return a person's studies of these kinds; where studies were made, the implicit one comes after them."""
    known = list_studies(project, for_=annotator_id)
    if StudyKind.CHECKLIST in kinds:
        known.append(all_checklists(project))
    found = [study for study in known if study.kind in kinds]
    made = {study.id for study in study_store.list_studies(project)}
    return tuple(sorted(found, key=lambda study: (study.id not in made, study.is_closed)))


def open_unit(
    project: Project,
    study: Study,
    assignment: Assignment,
    *,
    now: Callable[[], str] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenUnit:
    """Return a unit of a study and its answer as stored; what is done to it is stored before it counts as saved.

    Raises:
        BadInput: if it is not in the project any more, or too few of its decks have pictures.
    """
    instance = next((item for item in deck_store.list_instances(project) if item.id == assignment.instance_id), None)
    if instance is None:
        raise BadInput("This instance is not in the project any more.")
    events = events_of(project, study, assignment)
    shown = decks_in_order(project, study, assignment, events)
    fewest = {StudyKind.RANK: 2, StudyKind.RATE: 1}.get(study.kind, len(assignment.deck_ids))
    if len(shown) < fewest:
        raise BadInput(
            f"{instance.title} has fewer than {counted(fewest, 'deck')} with pictures.",
            next_step="Draw its slides in Library.",
        )
    units = shown_units(assignment) if study.kind in {StudyKind.PAIRWISE, StudyKind.BEST_WORST} else ()
    slides = {deck: slide for deck, slide in units if slide is not None}
    if study.kind is StudyKind.RATE and assignment.item_key.startswith("#"):
        slides = {shown[0]: int(assignment.item_key[1:])}
    names = {deck: letter(place) for place, deck in enumerate(shown)}
    decks = decks_on_view(project, instance.id, names, is_blind=True)
    clock = ActiveClock(monotonic)
    looking = Looking(monotonic, seen_before(project, study, assignment))
    outbox = Outbox(recorder(project, study, assignment.repeat))
    wanted = (tuple(slides.items()) or decks_to_see(decks)) if study.needs_all_slides_seen else ()
    common: dict[str, Any] = {
        "instance_id": instance.id, "annotator_id": assignment.annotator_id, "display": shown, "events": events,
        "record": outbox, "now": now, "spent": clock.take,
        "unseen": lambda: [place for place in wanted if not looking.is_seen(*place)],
    }  # fmt: skip
    explanation = explanation_shown(project, study.id, assignment.item_key) if study.kind is StudyKind.RATE else None
    return OpenUnit(
        instance=instance, assignment=assignment, study=study, clock=clock, looking=looking, outbox=outbox,
        decks=decks, slides=slides, explanation=explanation,
        session=_session(project, study, assignment, common, units, explanation),
    )  # fmt: skip


def _session(
    project: Project,
    study: Study,
    assignment: Assignment,
    common: dict[str, Any],
    units: Sequence[tuple[DeckId, int | None]],
    explanation: ExplanationShown | None,
) -> Answering[Any]:
    stamp = {"guidelines_version": study.guidelines_version, "app_version": __version__}
    named = tuple(deck if slide is None else f"{deck}#{slide}" for deck, slide in units)
    match study.kind:
        case StudyKind.RANK:
            rules = RankingRules(
                rule=study.rule, top_k=study.top_k, ties_allowed=study.ties_allowed, graded_gaps=study.graded_gaps,
                **stamp,
            )  # fmt: skip
            return RankingSession(rules=rules, **common)
        case StudyKind.PAIRWISE:
            return PairSession(units=named, ties_allowed=study.ties_allowed, rules=AnsweringRules(**stamp), **common)
        case StudyKind.BEST_WORST:
            return BestWorstSession(units=named, rules=AnsweringRules(**stamp), **common)
        case StudyKind.RATE:
            return RatingSession(
                deck_id=assignment.deck_ids[0], item_key=assignment.item_key,
                scales=scale_set_named(project, study.scale_set), rules=AnsweringRules(**stamp),
                target=("explanation", explanation.id) if explanation else None, **common,
            )  # fmt: skip
        case StudyKind.CHECKLIST:
            raise BadInput("Checklists are answered on their own page.")


def decks_to_see(decks: Sequence[DeckOnView]) -> tuple[tuple[DeckId, int], ...]:
    """Return all slides of these decks that have a picture, by deck and number."""
    return tuple((deck.id, slide.number) for deck in decks for slide in deck.slides if slide.page is not None)


def seen_before(project: Project, study: Study, assignment: Assignment) -> list[tuple[DeckId, int]]:
    """Return the slides that a person looked at in earlier sittings of an assignment, by deck and number."""
    views = quality_store.list_views(
        project, instance_id=assignment.instance_id, annotator_id=assignment.annotator_id,
        study=study_store.event_study(study.id),
    )  # fmt: skip
    return [(view.deck_id, view.slide) for view in views if view.deck_id is not None and view.slide is not None]


def store_looked(project: Project, unit: OpenUnit, looked: Sequence[tuple[str, Looked]]) -> int:
    """Store what was looked at, each with an id, so that storing it again changes nothing; return how much is new."""
    named = study_store.event_study(unit.study.id)
    return quality_store.add_views(
        project,
        [
            SlideView(
                uid=uid, study_id=named, instance_id=unit.instance.id, annotator_id=unit.assignment.annotator_id,
                deck_id=one.deck, slide=one.slide, seen_s=0.0 if one.deck is None else one.seconds,
                source_opened_s=one.seconds if one.deck is None else 0.0,
            )
            for uid, one in looked
        ],
    )  # fmt: skip


def with_ids(looked: Sequence[Looked]) -> list[tuple[str, Looked]]:
    """Return what was looked at with a fresh id each."""
    return [(uuid.uuid4().hex, one) for one in looked]


def scale_set_named(project: Project, name: str) -> ScaleSet:
    """Return a set of scales: a ready one, or one of the project's own.

    Raises:
        BadInput: if there is none of that name; the message names those that there are.
    """
    known = {**READY_SETS, **{each.name: each for each in own_scale_sets(project)}}
    if name not in known:
        raise BadInput(
            f"There is no set of scales {name or 'without a name'}.", next_step=f"Known: {', '.join(known)}."
        )
    return known[name]


def own_scale_sets(project: Project) -> tuple[ScaleSet, ...]:
    """Return the sets of scales that the project's author made."""
    return tuple(scale_set_from(raw) for raw in json.loads(project.meta(SCALE_SETS_META, "[]")))


def save_scale_set(project: Project, raw: dict[str, Any]) -> ScaleSet:
    """Store a set of scales of the project's own, and return it; `raw` is as in `sessions.scales.scale_set_from`.

    Raises:
        BadInput: if it makes no sense, or has the name of one that is there: answers were given on its words.
    """
    made = scale_set_from(raw)
    kept = json.loads(project.meta(SCALE_SETS_META, "[]"))
    if made.name in READY_SETS or any(each["name"] == made.name and each != raw for each in kept):
        raise BadInput(f"There is a set of scales {made.name} already.", next_step="Choose another name.")
    if raw not in kept:
        project.set_meta(SCALE_SETS_META, json.dumps([*kept, raw], ensure_ascii=False))
    return made


def cannot_judge_reasons(project: Project) -> tuple[str, ...]:
    """Return why something cannot be judged, in the order of their keys: the project's reasons, or the usual ones."""
    own = json.loads(project.meta(REASONS_META, "[]"))
    return tuple(str(words) for words in own) or REASONS


def save_cannot_judge_reasons(project: Project, reasons: Sequence[str]) -> None:
    """Store the project's own reasons; none brings back the usual ones.

    Raises:
        BadInput: if there are more than eight: each has a digit as its key, and the last is for any other reason.
    """
    kept = [words.strip() for words in reasons if words.strip()]
    if len(kept) > 8:
        raise BadInput(f"{len(kept)} reasons are too many for one key each.", next_step="Keep eight at most.")
    project.set_meta(REASONS_META, json.dumps(kept, ensure_ascii=False))


def nothing_left_words(desk: AnswerDesk | None) -> tuple[str, str]:
    """Return a title and a line that say why there is nothing left to answer, or nothing yet."""
    if desk is None:
        return "Nothing to answer here", "No study asks for this yet."
    title, words = desk.nothing_yet or desk.queue.empty_words()
    return title, f"{words} Not drawn yet: {counted(desk.n_undrawn, 'deck')}." if desk.n_undrawn else words
