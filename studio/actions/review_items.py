"""Disagreements about checklist items: between people, with judges, between judges, and of a judge with itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from studio.actions.checklist_answers import Case as DeckItem
from studio.actions.checklist_answers import human_replies
from studio.actions.checklist_stats import ANSWERED, base_id
from studio.checklists.pages import PAGE
from studio.model.checklists import Item, ItemKind
from studio.model.ids import DeckId
from studio.model.reviews import Case, CaseId, CaseKind, Dispute, DisputeKind
from studio.model.scores import Verdict
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

PEOPLE = "people"
Repeats = Mapping[str, list[str]]
"""What each judge says to one item of one deck, its repeats in order."""


def item_case_id(deck_id: DeckId, item_id: str) -> CaseId:
    """Return the id of the case about an item of a deck."""
    return CaseId(f"item:{deck_id}:{item_id}")


def item_cases(project: Project) -> list[Case]:
    """Return every item of every deck that somebody disagrees about."""
    replies, machine = human_replies(project), verdicts_of_items(project)
    items = {
        base_id(item.id): item for checklist in list_store.checklists(project).values() for item in checklist.items
    }
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    found = []
    for deck_id, item_id in dict.fromkeys([*replies, *machine]):
        deck, item = decks.get(deck_id), items.get(base_id(item_id))
        if deck is None or (item is not None and item.kind is ItemKind.TOOL_ERROR):
            continue
        said = [
            reply.answer.value
            for reply in replies.get((deck_id, item_id), {}).values()
            if reply.answer is not None
        ]  # fmt: skip
        disputes = (*_between_people(said), *_with_machines(said, machine.get((deck_id, item_id), {})))
        if disputes:
            found.append(
                Case(
                    id=item_case_id(deck_id, item_id), kind=CaseKind.ITEM, instance_id=deck.instance_id,
                    deck_id=deck_id, item_id=item_id, text=words_of(item, item_id),
                    group=item.dimension.value if item is not None else "", disputes=disputes, people=Counter(said),
                )
            )  # fmt: skip
    return found


def verdicts_of_items(project: Project) -> dict[DeckItem, dict[str, list[str]]]:
    """Return what each judge says to each item of each deck: its newest verdict, then the repeats of the same run."""
    newest: dict[tuple[DeckItem, str], dict[int, Verdict]] = {}
    for each in score_store.list_verdicts(project):
        if each.verdict in ANSWERED and each.status == "ok":
            newest.setdefault(((each.deck_id, each.item_id), each.judge_id), {})[each.repeat] = each
    found: dict[DeckItem, dict[str, list[str]]] = {}
    for (case, judge), repeats in newest.items():
        first = repeats.get(0)
        if first is None:
            continue
        same = [each for _, each in sorted(repeats.items()) if asked_alike(each, first)]
        found.setdefault(case, {})[judge] = [each.verdict for each in same]
    return found


def words_of(item: Item | None, item_id: str) -> str:
    """Return an item's question on one line, or its id where the list does not have it any more.

    The question of a page item names its page.
    """
    if item is None:
        return item_id
    page = item_id.partition("@")[2]
    text = item.text.replace(PAGE, page) if page else item.text
    return " ".join(text.replace("**", "").split())


def minority(said: Iterable[str]) -> float:
    """Return how split answers are: 0 where all are the same, 1 where the two most frequent are even."""
    counts = sorted(Counter(said).values(), reverse=True)
    if len(counts) < 2:
        return 0.0
    return 1.0 - (counts[0] - counts[1]) / sum(counts)


def _between_people(said: list[str]) -> Iterator[Dispute]:
    size = minority(said)
    if size:
        yield Dispute(kind=DisputeKind.PEOPLE, who_a=PEOPLE, who_b=PEOPLE, size=size)


def _with_machines(said: list[str], machine: Repeats) -> Iterator[Dispute]:
    counts = Counter(said)
    most = counts.most_common(2)
    is_even = len(most) > 1 and most[0][1] == most[1][1]
    for judge, repeats in machine.items():
        if most and not is_even and most[0][0] in ANSWERED and most[0][0] != repeats[0]:
            share = 1.0 - counts[repeats[0]] / len(said)
            yield Dispute(kind=DisputeKind.PEOPLE_MACHINE, who_a=PEOPLE, who_b=judge, size=share)
        if minority(repeats):
            yield Dispute(kind=DisputeKind.FLIP, who_a=judge, who_b=judge, size=minority(repeats))
    for (one, says), (other, contradicts) in combinations(machine.items(), 2):
        if says[0] != contradicts[0]:
            yield Dispute(kind=DisputeKind.MACHINES, who_a=one, who_b=other, size=1.0)


def asked_alike(one: Verdict, other: Verdict) -> bool:
    """Return whether two verdicts are repeats of one another: of the same run, model and prompt."""
    return (one.run_id, one.model, one.prompt_version) == (other.run_id, other.model, other.prompt_version)
