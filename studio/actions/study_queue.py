"""One person's queue in a study: what is theirs, what is done, and why the rest cannot be answered now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from studio.actions.checklist_units import checklist_units
from studio.actions.figures import counted
from studio.actions.studies import ANSWER_KINDS, listed_instances
from studio.actions.training import training_result
from studio.model.answers import AnswerStatus
from studio.model.decks import Instance
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import AnswerUnit, Assignment, AssignmentPurpose, Study, StudyKind
from studio.sessions.pairing import groups_of_four, is_second_side, item_key, sided_pairs
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.answer_counts import UnitKey, UnitState, drawn_decks, unit_states
from studio.store.project import Project

WANTED_ANSWERS = 3
"""How many answers a unit should have where the study says nothing; the papers use three annotators."""

_DONE = frozenset({AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE})
FEWEST_DECKS = {
    StudyKind.RANK: 2, StudyKind.PAIRWISE: 2, StudyKind.BEST_WORST: 4, StudyKind.CHECKLIST: 1, StudyKind.RATE: 1,
}  # fmt: skip
"""How many drawn decks an instance needs."""


class Lock(StrEnum):
    """Why a unit cannot be answered now."""

    CLOSED = "closed"
    TRAINING = "training"
    UNDRAWN = "undrawn"
    """Too few of its decks have pictures."""
    NO_CHECKLIST = "no_checklist"
    """Nobody has written a checklist for it."""
    QUOTA = "quota"
    """Enough others have answered it."""


_LOCK_WORDS = {
    Lock.CLOSED: "the study is closed",
    Lock.TRAINING: "the training comes first",
    Lock.UNDRAWN: "slides not drawn yet",
    Lock.NO_CHECKLIST: "no checklist yet",
    Lock.QUOTA: "answered by enough others",
}


@dataclass(frozen=True, kw_only=True)
class QueueItem:
    """One unit in one person's queue."""

    instance: Instance
    assignment: Assignment
    status: AnswerStatus | None
    """Of the answer as it is; None: not begun."""
    is_done: bool
    """Submitted or judged impossible, and neither changed nor skipped since."""
    lock: Lock | None = None


@dataclass(frozen=True, kw_only=True)
class StudyQueue:
    """One person's work in a study as it stands; the counters are over all units, the items only over those shown."""

    study: Study
    annotator_id: AnnotatorId
    items: tuple[QueueItem, ...]
    """Those that the filter lets through and nothing locks; skipped ones last."""
    mine_total: int
    mine_done: int
    project_total: int
    """Units of the study, whoever they are for."""
    project_done: int
    """Units with as many submitted answers as the study asks for."""
    wanted: int
    """Submitted answers that each unit should have."""
    n_skipped: int
    n_filtered: int
    """Units that can be answered and that the filter hides."""
    locked: dict[Lock, int]
    is_invited: bool = True

    @property
    def n_locked(self) -> int:
        """Units that cannot be answered now."""
        return sum(self.locked.values())

    def place_of(self, assignment: Assignment) -> int | None:
        """Return an assignment's place among the items, from 0."""
        key = unit_of(assignment)
        return next((place for place, item in enumerate(self.items) if unit_of(item.assignment) == key), None)

    def next_to_do(self, after: Assignment | None = None) -> QueueItem | None:
        """Return the next item that is neither done nor skipped, from `after` on and round; then skipped ones."""
        here = self.place_of(after) if after is not None else None
        start = 0 if here is None else here + 1
        ordered = [*self.items[start:], *self.items[:start]]
        todo = [
            item
            for item in ordered
            if not item.is_done and (after is None or unit_of(item.assignment) != unit_of(after))
        ]
        fresh = [item for item in todo if item.status is not AnswerStatus.SKIPPED]
        return next(iter(fresh or todo), None)

    def empty_words(self) -> tuple[str, str]:
        """Return a title and a line that say why there is nothing left to answer, or nothing yet."""
        if not self.is_invited:
            return "Nothing for you here", f"The study {self.study.name} is for other people."
        if not self.mine_total:
            return "Nothing to answer yet", f"Nothing of {self.study.name} is yours, or no slides are drawn yet."
        counts = [f"{self.mine_done} done", f"{self.n_skipped} skipped", f"{self.n_filtered} hidden by the filter"]
        counts.append(f"{self.n_locked} locked")
        why = [f"{counted(number, 'unit')}: {_LOCK_WORDS[lock]}" for lock, number in self.locked.items() if number]
        is_done = self.mine_done == self.mine_total
        title = f"All {self.mine_total} are done" if is_done else "Nothing to answer here"
        return title, f"{', '.join(counts)}." + (f" Locked – {'; '.join(why)}." if why else "")

    def words(self) -> tuple[str, str]:
        """Return the two labelled counters, such as ``mine 12/40`` and ``project 31/40 with ≥3``."""
        return (
            f"mine {self.mine_done}/{self.mine_total}",
            f"project {self.project_done}/{self.project_total} with ≥{self.wanted}",
        )


def unit_of(assignment: Assignment) -> UnitKey:
    """Return what an assignment's answer is about."""
    deck = assignment.deck_ids[0] if assignment.is_about_deck else ""
    return UnitKey(assignment.instance_id, deck, assignment.item_key, assignment.repeat)


def assignments_of(project: Project, study: Study, annotator_id: AnnotatorId) -> list[Assignment]:
    """Return what a study asks of a person, in the order of their queue.

    Planned assignments where the study was planned; else every unit of every instance that has enough drawn decks
    (for ranking and checklists the decks shown are asked for with `studies.shown_decks`).
    """
    if study_store.has_assignments(project, study.id):
        return study_store.list_assignments(project, study.id, annotator_id=annotator_id)
    if not _is_invited(study, annotator_id):
        return []
    decks = drawn_decks(project, study.systems)
    return list(_unplanned(project, study, annotator_id, decks, deck_store.list_instances(project)))


def read_queue(
    project: Project,
    study: Study,
    annotator_id: AnnotatorId,
    *,
    text: str = "",
    scenario: str = "",
    statuses: Collection[AnswerStatus | None] | None = None,
) -> StudyQueue:
    """Return a person's queue in a study with both counters.

    Args:
        project: the project.
        study: one of `studies.list_studies`.
        annotator_id: whose queue.
        text: show only instances with this in title or name, whatever its case.
        scenario: show only instances of this scenario.
        statuses: show only units with one of these statuses; None among them is "not begun".
    """
    instances = {item.id: item for item in deck_store.list_instances(project)}
    decks = drawn_decks(project, study.systems)
    kind, named = ANSWER_KINDS[study.kind], study_store.event_study(study.id)
    mine: dict[UnitKey, UnitState] = {}
    submitted: Counter[UnitKey] = Counter()
    states: Iterable[UnitState] = (
        checklist_units(project, named, decks, annotator_id).values()
        if study.kind is StudyKind.CHECKLIST
        else unit_states(project, kind, named)
    )
    for one in states:
        if one.annotator_id == annotator_id:
            mine[one.unit] = one
        if one.settled is AnswerStatus.SUBMITTED:
            submitted[one.unit] += 1
    is_planned = study_store.has_assignments(project, study.id)
    if is_planned:
        assigned = study_store.list_assignments(project, study.id, annotator_id=annotator_id)
        units = {UnitKey(*key, 0) for key in study_store.planned_counts(project, study.id)}
    else:
        every = list(_unplanned(project, study, annotator_id, decks, instances.values()))
        units = {unit_of(item) for item in every}
        assigned = every if _is_invited(study, annotator_id) else []
    wanted = study.overlap or WANTED_ANSWERS
    closed = Lock.CLOSED if study.is_closed else None
    if closed is None and study.needs_training and not training_result(project, study, annotator_id).is_passed:
        closed = Lock.TRAINING
    listed = listed_instances(project) if study.kind is StudyKind.CHECKLIST else None
    needle = text.strip().casefold()
    shown: list[QueueItem] = []
    skipped: list[QueueItem] = []
    locked: Counter[Lock] = Counter()
    n_done = n_filtered = n_skipped = n_total = 0
    for item in assigned:
        instance = instances.get(item.instance_id)
        if instance is None:
            continue
        n_total += 1
        unit = unit_of(item)
        state = mine.get(unit)
        status = state.status if state else None
        is_done = status in _DONE
        n_done += is_done
        n_skipped += status is AnswerStatus.SKIPPED
        lock = Lock.NO_CHECKLIST if listed is not None and item.instance_id not in listed else closed
        lock = lock or _lock_of(study, item, decks, is_planned, state, submitted[unit])
        if lock is not None and not is_done:
            locked[lock] += 1
            continue
        if not _is_shown(instance, status, needle, scenario, statuses):
            n_filtered += not is_done
            continue
        entry = QueueItem(instance=instance, assignment=item, status=status, is_done=is_done, lock=lock)
        (skipped if status is AnswerStatus.SKIPPED else shown).append(entry)
    return StudyQueue(
        study=study, annotator_id=annotator_id, items=(*shown, *skipped), mine_total=n_total, mine_done=n_done,
        project_total=len(units), project_done=sum(submitted[unit] >= wanted for unit in units), wanted=wanted,
        n_skipped=n_skipped, n_filtered=n_filtered, locked=dict(locked),
        is_invited=bool(assigned) or _is_invited(study, annotator_id),
    )  # fmt: skip


def _is_invited(study: Study, annotator_id: AnnotatorId) -> bool:
    return study.annotator_ids is None or annotator_id in study.annotator_ids


def _lock_of(
    study: Study,
    item: Assignment,
    decks: dict[InstanceId, tuple[DeckId, ...]],
    is_planned: bool,
    state: UnitState | None,
    n_submitted: int,
) -> Lock | None:
    drawn = decks.get(item.instance_id, ())
    named = item.deck_ids if item.item_key or item.is_about_deck else ()
    if any(deck not in drawn for deck in named) or (not named and len(drawn) < FEWEST_DECKS[study.kind]):
        return Lock.UNDRAWN
    is_open_to_all = not is_planned and study.overlap is not None
    if is_open_to_all and state is None and n_submitted >= (study.overlap or 0):
        return Lock.QUOTA
    return None


def _is_shown(
    instance: Instance,
    status: AnswerStatus | None,
    needle: str,
    scenario: str,
    statuses: Collection[AnswerStatus | None] | None,
) -> bool:
    if scenario and instance.scenario != scenario:
        return False
    if statuses is not None and status not in statuses:
        return False
    return not needle or needle in f"{instance.title}\n{instance.name}".casefold()


def _unplanned(
    project: Project,
    study: Study,
    annotator_id: AnnotatorId,
    decks: dict[InstanceId, tuple[DeckId, ...]],
    instances: Iterable[Instance],
) -> Iterator[Assignment]:
    chosen = set(study.instance_ids) if study.instance_ids is not None else None
    elsewhere = attention_elsewhere(project, study)
    is_turned = is_second_side(seed=study.order_seed, annotator_id=annotator_id)
    if study.kind is StudyKind.CHECKLIST:
        listed = listed_instances(project)
        chosen = set(listed) if chosen is None else chosen & listed
    position = 0
    for instance in instances:
        drawn = decks.get(instance.id, ())
        if len(drawn) < FEWEST_DECKS[study.kind] or (chosen is not None and instance.id not in chosen):
            continue
        if instance.id in elsewhere:
            continue
        for unit_decks, key in unit_shapes(project, study, instance.id, drawn, is_turned=is_turned):
            position += 1
            yield Assignment(
                study_id=study.id, annotator_id=annotator_id, instance_id=instance.id, deck_ids=unit_decks,
                item_key=key, position=position, is_about_deck=study.kind is StudyKind.RATE,
            )  # fmt: skip


def attention_elsewhere(project: Project, study: Study) -> frozenset[InstanceId]:
    """Return the instances that were made to see whether people look, for other studies than this one."""
    probes = quality_store.list_probes(project)
    own = {probe.instance_id for probe in probes if probe.study_id == study.id}
    made = {probe.instance_id for probe in probes if probe.purpose is AssignmentPurpose.ATTENTION}
    return frozenset(made - own)


def unit_shapes(
    project: Project, study: Study, instance_id: InstanceId, drawn: tuple[DeckId, ...], *, is_turned: bool = False
) -> Iterator[tuple[tuple[DeckId, ...], str]]:
    """Yield what a study asks about one instance: the decks in the order shown, and the item key.

    Ranking and checklists ask one thing of all decks, whose order is each person's own: no decks, no key. A study of
    single slides asks about every slide with a picture in rate studies, and about equally numbered slides in
    pairwise and best-worst studies, since "slide 5 against slide 5" is what can be compared.
    """
    if study.kind in {StudyKind.RANK, StudyKind.CHECKLIST}:
        yield (), ""
        return
    for units in _units(project, study, drawn):
        scope = f"{instance_id}{units[0].partition('#')[2]}" if units else instance_id
        if study.kind is StudyKind.RATE:
            for unit in units:
                deck, mark, slide = unit.partition("#")
                yield (DeckId(deck),), f"{mark}{slide}"
            continue
        groups: list[tuple[str, ...]]
        if study.kind is StudyKind.PAIRWISE:
            groups = list(sided_pairs(units, seed=study.order_seed, scope=scope, is_flipped=is_turned))
        else:
            groups = groups_of_four(units, seed=study.order_seed, scope=scope)
        for group in groups:
            yield tuple(DeckId(unit.partition("#")[0]) for unit in group), item_key(group)


def _units(project: Project, study: Study, drawn: tuple[DeckId, ...]) -> Iterator[list[str]]:
    if study.unit is AnswerUnit.DECK:
        yield list(drawn)
        return
    numbers = {
        deck: [slide.number for slide in deck_store.list_slides(project, deck) if slide.page is not None]
        for deck in drawn
    }
    for number in sorted({number for found in numbers.values() for number in found}):
        yield [f"{deck}#{number}" for deck in drawn if number in numbers[deck]]
