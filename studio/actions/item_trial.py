"""Trying one item on a few decks: what its author, annotators, code and judges say, side by side (decision 32)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from studio.actions import checklist_answers
from studio.actions.checklist_comparison import SPLIT
from studio.actions.checklist_stats import base_id
from studio.actions.judge_keys import key_for
from studio.actions.judge_wish import CODE, JudgeWish, read_wish
from studio.actions.judging import JudgePreview, preview, start_judging
from studio.checklists.prompts import item_hash
from studio.decks.tools import RenderTools
from studio.errors import BadInput
from studio.judges.connect import needs_key
from studio.judges.keys import KEY_NAMES
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import EvidenceBox, Item, ItemAnswer, ItemId, ItemKind, SourceQuote
from studio.model.decks import Deck, DeckStatus, Instance
from studio.model.events import RunEnded
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import UnitStatus
from studio.store import checklist_lists as list_store
from studio.store import checklist_records as record_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store.checklist_records import Record, RecordKind
from studio.store.project import Project

FEW = 3
"""Decks that are chosen unless a person chooses."""


@dataclass(frozen=True, kw_only=True)
class TrialReply:
    """What code or a judge says to the item's present version about one deck."""

    answer: ItemAnswer | None
    """None: there is no answer, and the reason says why."""
    status: str
    """``ok``, or how the unit failed."""
    reason: str
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    is_suggestion: bool = False


@dataclass(frozen=True, kw_only=True)
class TrialRow:
    """The item about one deck; an item for each page has a row for each."""

    item_id: ItemId
    deck_id: DeckId
    deck: str
    """The system's name."""
    instance: str
    slide: int | None
    """For an item about one page."""
    mine: ItemAnswer | None
    people: str
    """What most annotators say, `SPLIT`, or empty where nobody answered."""
    n_people: int
    replies: Mapping[str, TrialReply] = field(default_factory=dict)
    """By judge; ``code`` is one."""


@dataclass(frozen=True, kw_only=True)
class TrialView:
    """One item and what everybody says to it."""

    item: Item
    rows: tuple[TrialRow, ...]
    judges: tuple[str, ...]
    """Those that have replied to the present version about one of these decks, in the order of their names."""
    known_judges: tuple[str, ...]
    """Judges that have a name in the project or were asked before, to be offered."""


@dataclass(frozen=True, kw_only=True)
class TrialDeck:
    """A deck that an item can be tried on."""

    deck: Deck
    instance: Instance


def trial_decks(project: Project, item_id: ItemId) -> list[TrialDeck]:
    """Return the decks that are asked an item, by instance and system; those that are missing are left out.

    Raises:
        BadInput: if there is no such item.
    """
    item = _item(project, item_id)
    scope = checklist_store.scope_of(item)
    instances = {
        each.id: each for each in deck_store.list_instances(project) if scope in list_store.scopes_of(each)
    }  # fmt: skip
    return [
        TrialDeck(deck=deck, instance=instances[deck.instance_id])
        for deck in deck_store.list_decks(project)
        if deck.status is DeckStatus.PRESENT and deck.instance_id in instances
    ]


def trial_view(project: Project, item_id: ItemId, deck_ids: Sequence[DeckId], *, person: str) -> TrialView:
    """Return what everybody says to an item about some decks; only what was said to its present version counts.

    Raises:
        BadInput: if there is no such item.
    """
    item = _item(project, item_id)
    wanted = set(deck_ids)
    chosen = [each for each in trial_decks(project, item_id) if each.deck.id in wanted]
    mine = _own_answers(project, item, person)
    people = checklist_answers.human_replies(project)
    machine = _replies(project, item, wanted)
    rows = []
    for each in chosen:
        for page in _asked(project, item, each.deck):
            case = (each.deck.id, page.id)
            said = people.get((each.deck.id, str(page.id)), {})
            most = checklist_answers.consensus(said)
            rows.append(
                TrialRow(
                    item_id=page.id, deck_id=each.deck.id, deck=each.deck.system,
                    instance=each.instance.title or each.instance.name, slide=page.slide, mine=mine.get(case),
                    people=most.value if most is not None else SPLIT if said else "", n_people=len(said),
                    replies=machine.get(case, {}),
                )
            )  # fmt: skip
    asked_before = judging_store.checklist_judges(project) - {CODE}
    named = {each.name for each in judging_store.list_judges(project)}
    return TrialView(
        item=item, rows=tuple(rows), judges=tuple(sorted({judge for row in rows for judge in row.replies})),
        known_judges=(CODE,) if item.kind is ItemKind.CODE else tuple(sorted(named | asked_before)),
    )  # fmt: skip


def answer_trial(
    project: Project, item_id: ItemId, deck_id: DeckId, answer: ItemAnswer | None, *, person: str
) -> Changes:
    """Store what an author says to an item about a deck; None takes the answer away. It is no annotator's answer.

    Raises:
        BadInput: if there is no such item, or nobody is named.
    """
    if not person.strip():
        raise BadInput("A trial needs a person.", next_step="Choose a profile.")
    item = replace(_item(project, item_id), id=item_id)
    state = {"answer": answer.value if answer else None, "item_version": item.version, "asked": item_hash(item)}
    record = Record(
        kind=RecordKind.TRIAL, key="/".join((item_id, deck_id, person)), scope=checklist_store.scope_of(item).key,
        state=state,
    )  # fmt: skip
    record_store.write(project, [record], verb="try", words="Answered an item in a trial", author=person)
    return changed(Topic.CHECKLISTS)


def trial_wish(project: Project, item: Item, deck_ids: Sequence[DeckId], judge: str) -> JudgeWish:
    """Return the run that asks a judge, by its name in the project or as ``provider:model``, one item about decks.

    Raises:
        BadInput: for a judge that there is not, or that does not answer items of this kind; without decks.
    """
    if not deck_ids:
        raise BadInput("An item is tried on decks.", next_step="Choose at least one.")
    saved = next((each for each in judging_store.list_judges(project) if each.name == judge.strip()), None)
    wish = JudgeWish(setup=saved.setup) if saved is not None else read_wish(judge.strip() or CODE)
    if wish.is_code and item.kind is not ItemKind.CODE:
        raise BadInput("Code answers code items only.", next_step="Name a judge, such as openai:MODEL.")
    if not wish.is_code and item.kind is not ItemKind.QUESTION:
        raise BadInput("Code answers this item; no judge is asked.", next_step="Try it with code.")
    return replace(wish, deck_ids=tuple(deck_ids), item_ids=(item.id,))


def costs_money(wish: JudgeWish) -> bool:
    """Return whether a judge is behind a key, so that a person should see the price first."""
    return needs_key(wish.setup)


def trial_price(
    project: Project, wish: JudgeWish, *, tools: RenderTools, emit: Emit, cancel: CancelToken
) -> JudgePreview:
    """Return what a trial would ask and cost.

    Raises:
        BadInput: if a key is needed and missing, before anything is worked out.
    """
    if costs_money(wish) and not key_for(wish.setup).key:
        raise BadInput(
            f"{wish.setup.id} needs a key, and there is none.",
            next_step=f"Set {KEY_NAMES[wish.setup.provider]} in the environment, or keep it in the system's keyring.",
        )
    return preview(project, wish, tools=tools, emit=emit, cancel=cancel)


def run_trial(
    project: Project,
    wish: JudgeWish,
    *,
    tools: RenderTools,
    emit: Emit,
    cancel: CancelToken,
    passwords: PasswordVault | None = None,
) -> tuple[RunEnded, Changes]:
    """Ask and store, as in any run; what was said before to the same words about the same file is not asked again."""
    return start_judging(project, wish, tools=tools, emit=emit, cancel=cancel, passwords=passwords)


def _item(project: Project, item_id: ItemId) -> Item:
    states = checklist_store.item_versions(project, ItemId(base_id(item_id)))
    if not states:
        raise BadInput(f"There is no item {item_id}.", next_step="Save it first, or choose one of this project.")
    return states[-1]


def _asked(project: Project, item: Item, deck: Deck) -> list[Item]:
    checklist, _ = list_store.checklist_of_deck(project, deck)
    return [each for each in checklist.items if base_id(each.id) == item.id]


def _own_answers(project: Project, item: Item, person: str) -> dict[tuple[DeckId, ItemId], ItemAnswer]:
    found = {}
    asked = item_hash(item)
    for record in record_store.current(project, RecordKind.TRIAL, scopes=[checklist_store.scope_of(item).key]):
        item_id, deck_id, who = record.key.split("/", 2)
        state = record.state or {}
        is_present = base_id(item_id) == item.id and who == person and state["asked"] == asked
        if is_present and state["answer"]:
            found[DeckId(deck_id), ItemId(item_id)] = ItemAnswer(state["answer"])
    return found


def _replies(
    project: Project, item: Item, decks: set[DeckId]
) -> dict[tuple[DeckId, ItemId], dict[str, TrialReply]]:  # fmt: skip
    # A weight makes a version too, but asks nothing else: what was said to the same words still holds.
    words = [
        (each.at, item_hash(checklist_store.item_of_state(item.id, dict(each.state))))
        for each in record_store.history(project, RecordKind.ITEM, item.id)
        if each.state
    ]
    found: dict[tuple[DeckId, ItemId], dict[str, TrialReply]] = {}
    for stored in judging_store.verdicts_with_evidence(project, item_id=item.id):
        record = stored.record
        asked = [each for at, each in words if at <= stored.at]
        if record.deck_id not in decks or record.sample or not asked or asked[-1] != item_hash(item):
            continue
        is_ok = record.status is UnitStatus.OK and record.verdict in list(ItemAnswer)
        found.setdefault((record.deck_id, ItemId(record.item_id)), {})[stored.judge_id] = TrialReply(
            answer=ItemAnswer(record.verdict) if is_ok else None, status=record.status.value, reason=record.reason,
            boxes=record.boxes, quotes=record.quotes, is_suggestion=bool(record.detail.get("is_suggestion")),
        )  # fmt: skip
    return found
