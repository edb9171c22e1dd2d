"""People's answers beside code's and judges', item by item and deck by deck, as a window shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from studio.actions import checklist_answers, checklist_stats
from studio.actions.checklist_stats import ItemComparison, base_id
from studio.actions.judge_scores import write_code_scores
from studio.actions.review_items import words_of
from studio.jobs.code_judge_job import CodeJudgeJob
from studio.jobs.engine import run_job
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import Item, ItemAnswer
from studio.model.ids import DeckId, InstanceId
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store.project import Project

SPLIT = "split"
"""As many people say one thing as another."""


@dataclass(frozen=True, kw_only=True)
class ComparedCase:
    """One item about one deck, and what everybody says."""

    item_id: str
    text: str
    instance_id: InstanceId
    instance: str
    deck_id: DeckId
    system: str
    people: str
    """What a reviewer decided, else what most people say, `split`, or empty if nobody answered."""
    n_people: int
    machine: dict[str, str]
    """What each judge says, or the status of its unit."""
    slide: int | None
    """The first slide that people marked."""


@dataclass(frozen=True, kw_only=True)
class ComparedItem:
    """One item beside one judge; the one without an id is all items together."""

    text: str
    comparison: ItemComparison
    n_yes: int
    """Decks where most people say yes."""
    n_no: int


@dataclass(frozen=True, kw_only=True)
class AnswerView:
    """Everything the window shows."""

    items: tuple[ComparedItem, ...]
    cases: tuple[ComparedCase, ...]
    judges: tuple[str, ...]
    n_answered: int
    """Cases that any person answered."""
    left_out: str
    """Whose answers do not count, and why; empty if there are none."""
    n_code_items: int
    """Questions that code can answer, over all instances."""
    cases_of: dict[tuple[str, str], tuple[ComparedCase, ...]] = field(default_factory=dict)
    """By judge and item (without page; empty for all), those where people and the judge differ first."""


def answer_view(project: Project) -> AnswerView:
    """Return people's answers beside every judge's; without a judge there are cases only."""
    replies, not_submitted = checklist_answers.read_replies(project)
    settled = checklist_answers.settled(project, replies)
    judges = checklist_stats.judges(project)
    machine = {judge: checklist_stats.machine_answers(project, judge) for judge in judges}
    lists = list_store.checklists(project)
    known: dict[str, Item] = {base_id(item.id): item for asked in lists.values() for item in asked.items}
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    instances = {item.id: item for item in deck_store.list_instances(project)}
    cases = []
    for case, said in replies.items():
        deck, found = decks.get(case[0]), settled[case]
        if deck is None:
            continue
        slides = [box.slide for reply in said.values() for box in reply.boxes]
        cases.append(
            ComparedCase(
                item_id=case[1], text=words_of(known.get(base_id(case[1])), case[1]), instance_id=deck.instance_id,
                instance=instances[deck.instance_id].title, deck_id=deck.id, system=deck.system,
                people=found.value if found is not None else SPLIT, n_people=len(said),
                machine={judge: answers[case] for judge, answers in machine.items() if case in answers},
                slide=min(slides, default=None),
            )
        )  # fmt: skip
    counts: dict[str, list[str]] = {}
    for each in cases:
        counts.setdefault(base_id(each.item_id), []).append(each.people)
        counts.setdefault("", []).append(each.people)
    items = tuple(
        ComparedItem(
            text=words_of(known.get(base_id(each.item_id)), each.item_id) if each.item_id else "All items",
            comparison=each,
            n_yes=counts.get(each.item_id, []).count(ItemAnswer.YES.value),
            n_no=counts.get(each.item_id, []).count(ItemAnswer.NO.value),
        )
        for each in checklist_stats.compare(project)
    )  # fmt: skip
    return AnswerView(
        items=items, cases=tuple(cases), judges=tuple(judges), n_answered=len(cases),
        left_out=checklist_answers.left_out_in_words(not_submitted),
        n_code_items=sum(item.rule is not None for asked in lists.values() for item in asked.items),
        cases_of=_by_item(cases, judges),
    )  # fmt: skip


def _by_item(cases: Sequence[ComparedCase], judges: Sequence[str]) -> dict[tuple[str, str], tuple[ComparedCase, ...]]:
    found: dict[tuple[str, str], list[ComparedCase]] = {}
    for each in cases:
        for judge in each.machine:
            found.setdefault((judge, base_id(each.item_id)), []).append(each)
            found.setdefault((judge, ""), []).append(each)
    return {
        key: tuple(sorted(group, key=lambda each, judge=key[0]: each.people == each.machine[judge]))  # type: ignore[misc]
        for key, group in found.items()
        if key[0] in judges
    }


def judge_by_code(project: Project, *, emit: Emit, cancel: CancelToken) -> Changes:
    """Let the code rules answer every code item about every deck; what was judged before is not judged again."""
    items = {instance: checklist.items for instance, checklist in list_store.checklists(project).items()}
    ended = run_job(project, CodeJudgeJob(RunSpec(kind=RunKind.JUDGE), items), emit=emit, cancel=cancel)
    write_code_scores(project, run_id=ended.run_id)
    return changed(Topic.SCORES, Topic.RUNS)
