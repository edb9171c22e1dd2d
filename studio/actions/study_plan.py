"""Planning a study: a preview first, then the assignments; and planning again after somebody dropped out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.actions.checklist_units import checklist_units
from studio.actions.studies import ANSWER_KINDS, listed_instances, save_study
from studio.actions.study_queue import FEWEST_DECKS, attention_elsewhere, unit_of, unit_shapes
from studio.errors import BadInput
from studio.exchange.settled import attention_instances
from studio.model.answers import AnswerStatus, Role
from studio.model.changes import Changes, Topic, changed
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import IMPLICIT, Study, StudyKind
from studio.sessions import planner
from studio.sessions.planner import Plan, PlanRequest, Standing
from studio.sessions.sampling import chosen_systems, stratified_sample
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.answer_counts import UnitKey, drawn_decks, unit_states
from studio.store.checklists import as_curated
from studio.store.project import Project

COMPLETION = 0.9
"""Share of the work that gets done where nobody says otherwise."""


@dataclass(frozen=True, kw_only=True)
class PlanPreview:
    """What a plan would do, before it is done."""

    study: Study
    plan: Plan
    names: dict[AnnotatorId, str]
    n_instances: int
    completion: float
    expected_shortfall: float
    """Answers that will probably be missing, over all instances."""

    def json(self) -> dict[str, Any]:
        """Return the preview as the command prints it."""
        new: dict[str, dict[str, int]] = {name: {} for name in self.names.values()}
        for item in self.plan.new:
            counts = new[self.names[item.annotator_id]]
            counts[item.purpose.value] = counts.get(item.purpose.value, 0) + 1
        reached = list(self.plan.reached.values())
        return {
            "study_id": self.study.id,
            "study": self.study.name,
            "instances": self.n_instances,
            "wanted": self.plan.wanted,
            "reached": {"least": min(reached, default=0), "most": max(reached, default=0)},
            "annotators": [
                {"annotator_id": person, "name": name, "instances": self.plan.load.get(person, 0), "new": new[name]}
                for person, name in self.names.items()
            ],
            "new": len(self.plan.new),
            "withdrawn": len(self.plan.withdrawn),
            "shortfall": self.plan.promised_shortfall,
            "completion": self.completion,
            "expected_shortfall": round(self.expected_shortfall, 3),
        }


def sample_study(
    project: Project,
    study: Study,
    n: int,
    *,
    by: Sequence[str] = (),
    n_systems: int | None = None,
    seed: int | None = None,
) -> Study:
    """Return the study over a seeded, stratified sample of the instances and, if asked, a part of the systems.

    Instances are drawn from those that have enough drawn decks of the systems that take part.

    Raises:
        BadInput: if there are fewer.
    """
    drawn_by = study.order_seed if seed is None else seed
    systems = study.systems
    if n_systems is not None:
        names = systems or tuple(system.name for system in deck_store.list_systems(project))
        systems = chosen_systems(names, n_systems, seed=drawn_by)
    ready = drawn_decks(project, systems)
    left_out = attention_instances(project)
    instances = [
        item
        for item in as_curated(project, deck_store.list_instances(project))
        if len(ready.get(item.id, ())) >= FEWEST_DECKS[study.kind] and item.id not in left_out
    ]
    return replace(study, systems=systems, instance_ids=stratified_sample(instances, n, by=by, seed=drawn_by))


def preview_plan(
    project: Project,
    study: Study,
    *,
    repeats: int = 0,
    capacity: int | None = None,
    completion: float = COMPLETION,
) -> PlanPreview:
    """Return what planning the study, or planning it again, would do; nothing is stored.

    People are those whom the study names, or all annotators, without those who dropped out. Instances with a known
    answer (see `quality.save_probe`) go to everybody.

    Raises:
        BadInput: if there is nobody or nothing to plan for, or the study is that of all on all, which needs no plan.
    """
    if study.id in IMPLICIT:
        raise BadInput(
            f"{study.name} needs no plan: everybody has everything.", next_step="Make a study with: study new"
        )
    people = people_asked(project, study)
    decks = drawn_decks(project, study.systems)
    cache: dict[tuple[InstanceId, bool], list[tuple[tuple[DeckId, ...], str]]] = {}

    def shapes(instance_id: InstanceId, is_turned: bool) -> Sequence[tuple[tuple[DeckId, ...], str]]:
        key = (instance_id, is_turned)
        if key not in cache:
            cache[key] = list(unit_shapes(project, study, instance_id, decks.get(instance_id, ()), is_turned=is_turned))
        return cache[key]

    chosen = set(study.instance_ids) if study.instance_ids is not None else None
    elsewhere = attention_elsewhere(project, study)
    ready = [
        item.id
        for item in deck_store.list_instances(project)
        if len(decks.get(item.id, ())) >= FEWEST_DECKS[study.kind] and item.id not in elsewhere
    ]
    if study.kind is StudyKind.CHECKLIST:
        listed = listed_instances(project)
        ready = [item for item in ready if item in listed]
    probes = {
        probe.instance_id: probe.purpose
        for probe in quality_store.list_probes(project, study.id)
        if probe.instance_id in ready
    }
    standing = _standing(project, study)
    request = PlanRequest(
        study=study,
        instance_ids=tuple(item for item in ready if chosen is None or item in chosen),
        annotator_ids=tuple(people),
        gold=probes,
        repeats=repeats,
        capacity=capacity,
    )
    made = planner.plan(request, shapes, standing)
    n_submitted = {instance: len(who) for instance, who in standing.submitted.items()}
    return PlanPreview(
        study=study, plan=made, names=people, n_instances=len(made.reached), completion=completion,
        expected_shortfall=made.expected_shortfall(completion, n_submitted),
    )  # fmt: skip


def apply_plan(project: Project, preview: PlanPreview) -> tuple[int, Changes]:
    """Store a plan and the study's rules; return how many assignments are new. Doing it twice changes nothing."""
    with project.writing(is_durable=True):
        save_study(project, preview.study)
        study_store.withdraw(project, preview.plan.withdrawn)
        fresh = study_store.add_assignments(project, preview.plan.new)
    return fresh, changed(Topic.PEOPLE)


def plan_study(
    project: Project,
    study: Study,
    *,
    repeats: int = 0,
    capacity: int | None = None,
    completion: float = COMPLETION,
) -> tuple[int, Study, Changes]:
    """Store a study's rules and the plan that they give now, both or nothing; return how many assignments are new."""
    with project.writing(is_durable=True):
        preview = preview_plan(project, study, repeats=repeats, capacity=capacity, completion=completion)
        fresh, changes = apply_plan(project, preview)
    return fresh, preview.study, changes


def people_asked(project: Project, study: Study) -> dict[AnnotatorId, str]:
    """Return whom a study asks, by id with their names: those whom it names, or all annotators.

    Without those who dropped out and those who were invented for the demo.
    """
    profiles = quality_store.list_profiles(project)
    found = {}
    for person in people_store.list_annotators(project):
        profile = profiles.get(person.id)
        is_asked = (
            person.id in study.annotator_ids if study.annotator_ids is not None else person.role is Role.ANNOTATOR
        )
        if is_asked and not person.is_sample and (profile is None or profile.is_active):
            found[person.id] = person.name
    return found


def _standing(project: Project, study: Study) -> Standing:
    assignments = study_store.list_assignments(project, study.id)
    kind, named = ANSWER_KINDS[study.kind], study_store.event_study(study.id)
    settled: dict[tuple[AnnotatorId, UnitKey], AnswerStatus | None] = {
        (state.annotator_id, state.unit): state.settled for state in unit_states(project, kind, named)
    }
    by_person: dict[tuple[InstanceId, AnnotatorId], list[AnswerStatus | None]] = {}
    if study.kind is StudyKind.CHECKLIST:
        drawn = drawn_decks(project, study.systems)
        settled = {key: state.settled for key, state in checklist_units(project, named, drawn).items()}
    for item in assignments:
        if not item.repeat:
            by_person.setdefault((item.instance_id, item.annotator_id), []).append(
                settled.get((item.annotator_id, unit_of(item)))
            )
    submitted: dict[InstanceId, set[AnnotatorId]] = {}
    discarded: dict[InstanceId, set[AnnotatorId]] = {}
    for (instance_id, person), statuses in by_person.items():
        if all(status is AnswerStatus.SUBMITTED for status in statuses):
            submitted.setdefault(instance_id, set()).add(person)
        elif AnswerStatus.CANNOT_JUDGE in statuses:
            discarded.setdefault(instance_id, set()).add(person)
    return Standing(
        assignments=tuple(assignments),
        submitted={instance: frozenset(who) for instance, who in submitted.items()},
        discarded={instance: frozenset(who) for instance, who in discarded.items()},
    )
