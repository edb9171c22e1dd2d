"""Turns a project into the conversations of a protocol: what is asked of which decks, in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from studio.jobs.judge_checklists import plan_checklist
from studio.jobs.judge_comparisons import plan_arena, plan_listwise
from studio.jobs.judge_material import Material
from studio.jobs.judge_scorings import plan_fewshot, plan_geval, plan_ppteval, plan_rating
from studio.jobs.judge_sensitivity import plan_sensitivity
from studio.jobs.judge_wanted import Group, Wanted
from studio.model.decks import Deck
from studio.model.ids import InstanceId
from studio.model.judging import JudgingProtocol, PlannedConversation
from studio.store import decks as deck_store
from studio.store.project import Project


def plan_conversations(project: Project, wanted: Wanted, material: Material) -> list[PlannedConversation]:
    """Return every conversation of a protocol over the decks wanted, also those that were held before.

    Where sensitivity is asked for, these are about the decks and about versions of them made worse on purpose.
    """
    decks = [
        deck for deck in deck_store.list_decks(project) if wanted.deck_ids is None or deck.id in set(wanted.deck_ids)
    ]
    by_instance: dict[InstanceId, list[Deck]] = {}
    for deck in decks:
        by_instance.setdefault(deck.instance_id, []).append(deck)
    order = [item for item in deck_store.list_instances(project) if item.id in by_instance]
    plan = _PLANS[wanted.protocol]
    seed = project.seed
    groups = [Group(item, tuple(by_instance[item.id]), wanted, material, seed) for item in order]
    if not wanted.options.sensitivity:
        return [conversation for group in groups for conversation in plan(group)]
    return [
        conversation
        for group in groups
        for conversation in plan_sensitivity(group, plan, partial(material.document, group.instance.id))
    ]


_PLANS: Mapping[JudgingProtocol, Callable[[Group], Iterator[PlannedConversation]]] = {
    JudgingProtocol.CHECKLIST: plan_checklist,
    JudgingProtocol.RATING: plan_rating,
    JudgingProtocol.PPTEVAL: plan_ppteval,
    JudgingProtocol.GEVAL: plan_geval,
    JudgingProtocol.FEWSHOT: plan_fewshot,
    JudgingProtocol.ARENA: plan_arena,
    JudgingProtocol.LISTWISE: plan_listwise,
}
