"""Who answers what: overlap, even loads, known answers and repeats woven in, refill after somebody dropped out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from studio.errors import BadInput
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import Assignment, AssignmentPurpose, Study, StudyKind
from studio.sessions.pairing import seeded

REPEAT_GAP = 3
"""How many other instances stand at least between an instance and its repeat, where a queue is long enough."""

Shapes = Callable[[InstanceId, bool], Sequence[tuple[tuple[DeckId, ...], str]]]
"""Gives what is asked about an instance: decks in the order shown and the item key of each unit; with True every pair
is turned round."""


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """What is to be planned."""

    study: Study
    instance_ids: tuple[InstanceId, ...]
    annotator_ids: tuple[AnnotatorId, ...]
    """Those who are there to answer."""
    gold: Mapping[InstanceId, AssignmentPurpose] = field(default_factory=dict)
    """Instances with a known answer: everybody gets them, on top of their share."""
    repeats: int = 0
    """How many of a person's instances come again, at most."""
    capacity: int | None = None
    """The most instances that one person takes; gold and repeats not counted."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What is there already when a study is planned again."""

    assignments: tuple[Assignment, ...] = ()
    submitted: Mapping[InstanceId, frozenset[AnnotatorId]] = field(default_factory=dict)
    """Who has submitted all that was asked about an instance."""
    discarded: Mapping[InstanceId, frozenset[AnnotatorId]] = field(default_factory=dict)
    """Who could not judge something about it."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan, with what it reaches."""

    new: tuple[Assignment, ...]
    withdrawn: tuple[Assignment, ...]
    load: dict[AnnotatorId, int]
    """Instances that each person has in all, without gold and repeats."""
    reached: dict[InstanceId, int]
    """People who have submitted an instance or will, if all do their part."""
    wanted: int
    """The overlap that was asked for."""
    promised_shortfall: int
    """Answers that nobody is there to give, over all instances."""

    def expected_shortfall(self, completion: float, submitted: Mapping[InstanceId, int] | None = None) -> float:
        """Return how many answers will be missing if each open instance gets done with this probability.

        The number of answers to an instance is binomial; the expectation of what it lacks is summed over instances.

        Args:
            completion: probability from 0 to 1 that a person does an instance that is theirs.
            submitted: how many answers of each instance are in already.
        """
        if not 0 <= completion <= 1:
            raise BadInput("The share of work that gets done is from 0 to 1.")
        total = 0.0
        for instance_id, reached in self.reached.items():
            done = min((submitted or {}).get(instance_id, 0), reached)
            total += _expected_lack(self.wanted - done, reached - done, completion)
        return total


def plan(request: PlanRequest, shapes: Shapes, standing: Standing | None = None) -> Plan:
    """Return who is to answer what, deterministic by the study's seed.

    Each instance goes to as many people as the study's overlap asks for (all of them where it has none), those
    with the least to do first, so that loads differ by one at most where nothing stands yet. What is submitted
    counts, whoever did it; what somebody could not judge counts as missing and goes to another. Of people who are no
    longer among those asked, open assignments are withdrawn.

    Raises:
        BadInput: if there is nobody or nothing to plan for.
    """
    standing = standing or Standing()
    people = tuple(sorted(set(request.annotator_ids)))
    if not people:
        raise BadInput("Nobody is there to answer.", next_step="Add people, or take them back into the study.")
    regular = [instance for instance in request.instance_ids if instance not in request.gold]
    if not regular and not request.gold:
        raise BadInput("The study has no instances that can be answered.", next_step="Draw their slides first.")
    seed = request.study.order_seed
    held, withdrawn = _still_held(standing, people)
    wanted = request.study.overlap or len(people)
    load = {person: sum(person in held.get(instance, ()) for instance in regular) for person in people}
    fresh: dict[AnnotatorId, list[InstanceId]] = {person: [] for person in people}
    reached: dict[InstanceId, int] = {}
    order = sorted(regular)
    seeded(seed, "instances").shuffle(order)
    for instance in order:
        counting = held.get(instance, set()) | standing.submitted.get(instance, frozenset())
        counting -= standing.discarded.get(instance, frozenset())
        touched = counting | held.get(instance, set()) | standing.discarded.get(instance, frozenset())
        rng = seeded(seed, "people", instance)
        free = [
            person
            for person in people
            if person not in touched and (request.capacity is None or load[person] < request.capacity)
        ]
        free.sort(key=lambda person: (load[person], rng.random()))
        for person in free[: max(0, wanted - len(counting))]:
            fresh[person].append(instance)
            load[person] += 1
            counting = counting | {person}
        reached[instance] = len(counting)
    sides: Counter[InstanceId] = Counter({instance: len(held.get(instance, ())) for instance in regular})
    new: list[Assignment] = []
    last = {person: 0 for person in people}
    for item in standing.assignments:
        if item.annotator_id in last:
            last[item.annotator_id] = max(last[item.annotator_id], item.position)
    has_gold = {(item.annotator_id, item.instance_id) for item in standing.assignments}
    for person in people:
        gold = [instance for instance in sorted(request.gold) if (person, instance) not in has_gold]
        queue = _woven(fresh[person], gold, request.repeats, seed=seed, person=person)
        position = last[person]
        for instance, repeat in queue:
            is_turned = bool((sides[instance] + repeat) % 2)
            if not repeat:
                sides[instance] += 1
            purpose = request.gold.get(instance, AssignmentPurpose.REGULAR)
            for decks, key in shapes(instance, is_turned):
                position += 1
                new.append(
                    Assignment(
                        study_id=request.study.id, annotator_id=person, instance_id=instance, deck_ids=decks,
                        item_key=key, repeat=repeat, position=position,
                        purpose=AssignmentPurpose.REPEAT if repeat else purpose,
                        is_about_deck=request.study.kind is StudyKind.RATE,
                    )
                )  # fmt: skip
    return Plan(
        new=tuple(new), withdrawn=tuple(withdrawn), load=load, reached=reached, wanted=wanted,
        promised_shortfall=sum(max(0, wanted - number) for number in reached.values()),
    )  # fmt: skip


def _still_held(
    standing: Standing, people: Sequence[AnnotatorId]
) -> tuple[dict[InstanceId, set[AnnotatorId]], list[Assignment]]:
    """Return who holds which instance, and what is taken back from those who are gone."""
    held: dict[InstanceId, set[AnnotatorId]] = {}
    withdrawn = []
    for item in standing.assignments:
        is_open = item.annotator_id not in standing.submitted.get(item.instance_id, frozenset())
        if item.annotator_id in people or not is_open:
            if not item.repeat and not item.is_withdrawn:
                held.setdefault(item.instance_id, set()).add(item.annotator_id)
        elif not item.is_withdrawn:
            withdrawn.append(replace(item, is_withdrawn=True))
    return held, withdrawn


def _woven(
    instances: Iterable[InstanceId], gold: Sequence[InstanceId], n_repeats: int, *, seed: int, person: AnnotatorId
) -> list[tuple[InstanceId, int]]:
    """Return a person's instances in their own order, with known answers among them and repeats behind their originals.

    Known answers are spread over the whole queue, one at a place drawn from each stretch of it, so that neither
    place nor form tells them from the others. A repeat stands `REPEAT_GAP` or more behind its original; where the
    queue is too short for that there are fewer repeats.
    """
    order = sorted(instances)
    rng = seeded(seed, "queue", person)
    rng.shuffle(order)
    queue = [(instance, 0) for instance in order]
    extra = list(gold)
    rng.shuffle(extra)
    stretch = (len(queue) + 1) / max(1, len(extra))
    for number, instance in reversed(list(enumerate(extra))):
        place = int(number * stretch + rng.random() * stretch)
        queue.insert(min(place, len(queue)), (instance, 0))
    candidates = [instance for instance in order if _place(queue, instance) + REPEAT_GAP < len(queue)]
    rng.shuffle(candidates)
    for instance in candidates[: max(0, n_repeats)]:
        earliest = _place(queue, instance) + REPEAT_GAP + 1
        queue.insert(rng.randint(earliest, len(queue)), (instance, 1))
    return queue


def _place(queue: Sequence[tuple[InstanceId, int]], instance: InstanceId) -> int:
    return queue.index((instance, 0))


def _expected_lack(wanted: int, open_people: int, completion: float) -> float:
    """Return the expectation of max(0, wanted − X) where X is binomial."""
    if wanted <= 0:
        return 0.0
    chances = [1.0]
    for _ in range(open_people):
        moved = [0.0, *(chance * completion for chance in chances)]
        chances = [stay * (1 - completion) + gain for stay, gain in zip([*chances, 0.0], moved, strict=True)]
    return sum(chance * max(0, wanted - number) for number, chance in enumerate(chances))
