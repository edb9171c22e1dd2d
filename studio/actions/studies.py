"""Studies: which there are, what of them is whose, in which order, and how far it is.

What a page needs: `list_studies`, `read_queue` for a person's queue with its counters, `shown_decks` for what an
assignment shows, and `recorder` for storing the events of its session under the study. Decision 25 says how the units
of each kind of study are named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckStatus, RenderState
from studio.model.ids import AnnotatorId, DeckId, InstanceId, new_id
from studio.model.studies import (
    ALL_CHECKLISTS,
    ALL_ON_ALL,
    IMPLICIT,
    Assignment,
    RankingRule,
    Study,
    StudyId,
    StudyKind,
)
from studio.sessions.order import display_order
from studio.sessions.pairing import parsed_unit
from studio.store import answers as answer_store
from studio.store import care as care_store
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store import studies as study_store
from studio.store.care import ProjectAct
from studio.store.project import Project, utc_now

ANSWER_KINDS = {
    StudyKind.RANK: AnswerKind.RANKING,
    StudyKind.PAIRWISE: AnswerKind.PAIR,
    StudyKind.BEST_WORST: AnswerKind.BEST_WORST,
    StudyKind.CHECKLIST: AnswerKind.CHECKLIST,
    StudyKind.RATE: AnswerKind.RATING,
}
"""What the events of each kind of study are."""


def implicit_study(project: Project) -> Study:
    """Return the study of a project without studies: everybody ranks all decks of all instances."""
    return Study(
        id=ALL_ON_ALL,
        name="All on all",
        kind=StudyKind.RANK,
        order_seed=project.seed,
        rule=RankingRule(project.meta("ranking_require", RankingRule.FULL.value)),
        ties_allowed=project.meta("ties_allowed", "1") == "1",
        guidelines_version=project.meta("guidelines_version", ""),
    )


def all_checklists(project: Project) -> Study:
    """Return the study of checklists of a project without studies: everybody answers all of them about all decks."""
    return Study(
        id=ALL_CHECKLISTS,
        name="All checklists",
        kind=StudyKind.CHECKLIST,
        order_seed=project.seed,
        guidelines_version=project.meta("guidelines_version", ""),
    )


def list_studies(project: Project, kind: StudyKind | None = None, *, for_: AnnotatorId | None = None) -> list[Study]:
    """Return the project's studies, oldest first; the implicit one is first, and there in any case.

    Args:
        project: the project.
        kind: only studies that ask for this.
        for_: only studies in which this person may answer.
    """
    studies = [implicit_study(project), *study_store.list_studies(project)]
    return [
        study
        for study in studies
        if (kind is None or study.kind is kind)
        and (for_ is None or study.annotator_ids is None or for_ in study.annotator_ids)
    ]


def study_named(project: Project, name: str) -> Study:
    """Return the study with this id or name; an empty name is the implicit one.

    Raises:
        BadInput: if there is none; the message names those that there are.
    """
    if not name:
        return implicit_study(project)
    studies = [*list_studies(project), all_checklists(project)]
    found = next((study for study in studies if name in (study.id, study.name)), None)
    if found is None:
        raise BadInput(f"There is no study {name}.", next_step=f"Known: {', '.join(study.name for study in studies)}.")
    return found


def rounds(project: Project) -> list[tuple[str, str]]:
    """Return the name of every study, and how events name it."""
    return [(study.name, study_store.event_study(study.id)) for study in list_studies(project)]


def event_study_named(project: Project, name: str | None) -> str | None:
    """Return how events name the study with this id or name; None for None, which means all studies.

    Raises:
        BadInput: if there is none of that name.
    """
    return None if name is None else study_store.event_study(study_named(project, name).id)


def create_study(project: Project, name: str, kind: StudyKind, **rules: Any) -> tuple[Study, Changes]:
    """Make a study and return it; `rules` are further fields of `Study`.

    Raises:
        BadInput: if the name is blank or taken, or a rule makes no sense.
    """
    study = Study(id=StudyId(new_id("study")), name=name.strip(), kind=kind, at=utc_now(), **rules)
    if "order_seed" not in rules:
        study = replace(study, order_seed=project.seed)
    return save_study(project, study)


def save_study(project: Project, study: Study) -> tuple[Study, Changes]:
    """Store a study's rules and return it.

    Raises:
        BadInput: if its name is blank or taken, a rule makes no sense, it is the implicit study, whose rules are
            the project's own, or what it asks would become something else than what was answered.
    """
    if study.id in IMPLICIT:
        raise BadInput(f"The study {study.name} has the project's own rules.", next_step="Make a study of your own.")
    _check(project, study)
    _check_unchanged(project, study)
    study_store.save_study(project, study)
    return study, changed(Topic.PEOPLE)


def undo_study(project: Project, *, is_redo: bool = False) -> tuple[ProjectAct, Changes]:
    """Take the last change of a study's rules or training back, or bring back what was taken back last.

    What was planned and answered stays.

    Raises:
        BadInput: if there is nothing, the same was changed otherwise since, or the earlier rules cannot hold any
            more: people have answered since, or something that they name is gone.
    """
    with project.writing(is_durable=True):
        before = {study.id: study for study in study_store.list_studies(project)}
        step = care_store.redo if is_redo else care_store.undo
        done = step(project, care_store.STUDIES)
        study = next(each for each in study_store.list_studies(project) if each.id == done.target_id)
        _check(project, study)
        _check_asks_the_same(project, before[study.id], study)
    return done, changed(Topic.PEOPLE)


def study_acts(project: Project) -> tuple[ProjectAct | None, ProjectAct | None]:
    """Return the change of a study that undo would take back, and the one that redo would bring back."""
    return care_store.last_acts(project, care_store.STUDIES)


def close_study(project: Project, study: Study, *, is_closed: bool = True) -> tuple[Study, Changes]:
    """Close a study, so that nothing more can be answered in it, or open it again; its answers stay."""
    return save_study(project, replace(study, is_closed=is_closed))


def _check(project: Project, study: Study) -> None:
    if not study.name:
        raise BadInput("A study needs a name.", next_step="Type one.")
    if study.name in {implicit_study(project).name, all_checklists(project).name}:
        raise BadInput(f"The name {study.name} is taken.", next_step="Choose another name.")
    if study.overlap is not None and study.overlap < 1:
        raise BadInput(
            f"An overlap of {study.overlap} gives nobody anything to do.",
            next_step="Use 1 or more, or none for everybody.",
        )
    if not 0 <= study.training_pass_mark <= 1:
        raise BadInput("The pass mark is a share from 0 to 1.", next_step="0.75 asks for three of four.")
    if study.top_k < 1 or study.training_tries < 1:
        raise BadInput("The top k and the tries of the training are 1 or more.")
    known = {system.name for system in deck_store.list_systems(project)}
    unknown = [name for name in study.systems or () if name not in known]
    if unknown:
        raise BadInput(f"There is no system {unknown[0]}.", next_step=f"Known: {', '.join(sorted(known))}.")
    instances = {instance.id for instance in deck_store.list_instances(project)}
    if not instances.issuperset(study.instance_ids or ()):
        raise BadInput("The study names an instance that is not in the project.")


def _check_unchanged(project: Project, study: Study) -> None:
    """Refuse to change what a study asks once it was planned or answered."""
    before = next((each for each in study_store.list_studies(project) if each.id == study.id), None)
    if before is not None:
        _check_asks_the_same(project, before, study)


def _check_asks_the_same(project: Project, before: Study, study: Study) -> None:
    if (before.kind, before.unit, before.scale_set) == (study.kind, study.unit, study.scale_set):
        return
    named = study_store.event_study(before.id)
    if study_store.has_assignments(project, before.id) or answer_store.has_events(project, study_id=named):
        raise BadInput(
            f"{before.name} was planned or answered already, so what it asks cannot be changed.",
            next_step="Make another study.",
        )


def n_instances(project: Project) -> int:
    """Return how many instances the project has."""
    return len(deck_store.list_instances(project))


def study_decks(project: Project, study: Study, instance_id: InstanceId) -> list[Deck]:
    """Return the decks of an instance that take part: delivered, with pages to look at, of the study's systems."""
    return [
        deck
        for deck in deck_store.list_decks(project, instance_id)
        if deck.status is DeckStatus.PRESENT
        and deck.render_state is RenderState.RENDERED
        and (study.systems is None or deck.system in study.systems)
    ]


def listed_instances(project: Project) -> frozenset[InstanceId]:
    """Return the instances that have a checklist with anything to ask."""
    return frozenset(instance for instance, asked in list_store.checklists(project).items() if asked.items)


def shown_decks(project: Project, study: Study, assignment: Assignment) -> tuple[DeckId, ...]:
    """Return the decks of an assignment in the order in which its person sees them.

    A planned order holds, and decks that came later stand behind it; without one the order is drawn from the study's
    seed, the person, the instance and the repeat. In pairs the first is left. A slide's deck stands for the slide:
    `assignment.item_key` names the slides.
    """
    present = [deck.id for deck in study_decks(project, study, assignment.instance_id)]
    known = set(present)
    planned = tuple(deck for deck in assignment.deck_ids if deck in known)
    if assignment.item_key or assignment.is_about_deck:
        return planned
    seed = study.order_seed if not assignment.repeat else study.order_seed + (assignment.repeat << 32)
    drawn = display_order(present, seed=seed, annotator_id=assignment.annotator_id, instance_id=assignment.instance_id)
    return planned + tuple(deck for deck in drawn if deck not in set(planned))


def decks_in_order(
    project: Project, study: Study, assignment: Assignment, events: Sequence[AnswerEvent]
) -> tuple[DeckId, ...]:
    """Return an assignment's decks as its person sees them now: those of a ranking stay where they were seen.

    Decks that came later stand behind them.
    """
    shown = shown_decks(project, study, assignment)
    if study.kind is not StudyKind.RANK or not events:
        return shown
    before = tuple(deck for deck in events[-1].display if deck in set(shown))
    return before + tuple(deck for deck in shown if deck not in set(before))


def ranking_order(project: Project, annotator_id: AnnotatorId, instance_id: InstanceId) -> tuple[DeckId, ...] | None:
    """Return an instance's decks as this person sees them in the ranking study that they are in, or None without one.

    Of several it is the one in which they acted on the instance last, else the first open one that asks about it.
    """
    events = answer_store.events_of(
        project, AnswerKind.RANKING, annotator_id=annotator_id, instance_id=instance_id
    )  # fmt: skip
    made = {study.id: study for study in study_store.list_studies(project) if study.kind is StudyKind.RANK}
    if events:
        last = events[-1]
        study, repeat = made.get(StudyId(last.study_id)), last.repeat
    else:
        asking = (
            each for each in made.values() if not each.is_closed and _asks(project, each, annotator_id, instance_id)
        )
        study, repeat = next(asking, None), 0
    if study is None:
        return None
    planned = study_store.list_assignments(
        project, study.id, annotator_id=annotator_id, instance_id=instance_id, with_withdrawn=True
    )
    bare = Assignment(study_id=study.id, annotator_id=annotator_id, instance_id=instance_id, repeat=repeat)
    assignment = next((item for item in planned if item.repeat == repeat), bare)
    named = study_store.event_study(study.id)
    own = [event for event in events if (event.study_id, event.repeat) == (named, repeat)]
    return decks_in_order(project, study, assignment, own)


def _asks(project: Project, study: Study, annotator_id: AnnotatorId, instance_id: InstanceId) -> bool:
    """Return whether a study asks a person about an instance."""
    if study_store.has_assignments(project, study.id):
        return bool(
            study_store.list_assignments(project, study.id, annotator_id=annotator_id, instance_id=instance_id)
        )  # fmt: skip
    is_invited = study.annotator_ids is None or annotator_id in study.annotator_ids
    return is_invited and (study.instance_ids is None or instance_id in study.instance_ids)


def shown_units(assignment: Assignment) -> tuple[tuple[DeckId, int | None], ...]:
    """Return the units of a pair or group as (deck, slide) in the order shown; the slide is None for whole decks."""
    by_deck: dict[str, list[int | None]] = {}
    for unit in assignment.item_key.split("|"):
        deck, slide = parsed_unit(unit)
        by_deck.setdefault(deck, []).append(slide)
    return tuple((deck, by_deck[deck].pop(0)) for deck in assignment.deck_ids)


def recorder(project: Project, study: Study, repeat: int = 0) -> Callable[[AnswerEvent], AnswerEvent]:
    """Return what stores a session's events under the study and the repeat, durably, as `sessions.journal.Record`."""
    named = study_store.event_study(study.id)
    return lambda event: answer_store.append(project, replace(event, study_id=named, repeat=repeat))


def events_of(project: Project, study: Study, assignment: Assignment) -> list[AnswerEvent]:
    """Return the stored events of one person's answer to one assignment, oldest first, for its session."""
    return answer_store.events_of(
        project,
        ANSWER_KINDS[study.kind],
        study_id=study_store.event_study(study.id),
        annotator_id=assignment.annotator_id,
        instance_id=assignment.instance_id,
        deck_id=assignment.deck_ids[0] if assignment.is_about_deck else None,
        item_key=assignment.item_key,
        repeat=assignment.repeat,
    )


def answers_changed(origin: str = "") -> Changes:
    """Return the change that a page tells after a session recorded an act."""
    return changed(Topic.ANSWERS, origin=origin)
