"""Plans the checklist protocol: one conversation for each item of each deck, or one for a few of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from studio.checklists.boxed import read_boxed
from studio.checklists.pages import Mode
from studio.checklists.prompts import item_words, prompt_of, sees_sources
from studio.jobs.judge_wanted import Group, joined, repeat_words
from studio.judges.checklist import ItemConversation
from studio.judges.checklist_batch import BatchConversation, BatchItem
from studio.judges.prompts import prompt, words_id
from studio.model.checklists import Checklist, Item, ItemKind
from studio.model.decks import Deck
from studio.model.judging import Part, PlannedConversation, VerdictRecord


def plan_checklist(group: Group) -> Iterator[PlannedConversation]:
    """Yield what each deck is asked: independent items before dependent ones, in the order of the list."""
    for deck in group.decks:
        checklist, _ = group.material.checklist(deck)
        asked = [
            item for item in checklist.items
            if item.kind is ItemKind.QUESTION and not item.is_retired and _is_wanted(item, group.wanted.item_ids)
        ]  # fmt: skip
        yield from _asked_of(group, deck, checklist, asked)


def _is_wanted(item: Item, ids: Collection[str]) -> bool:
    return not ids or item.id in ids or item.id.partition("@")[0] in ids


def _asked_of(group: Group, deck: Deck, checklist: Checklist, items: Sequence[Item]) -> Iterator[PlannedConversation]:
    if not items:
        return
    shown, no_deck = group.shown(deck)
    checklist, prefixes = with_prefixes(checklist)
    for repeat in group.repeats:
        for needs_sources in (False, True):
            tier = [item for item in items if sees_sources(item) is needs_sources]
            if not tier:
                continue
            sources, no_sources = group.sources() if needs_sources and not no_deck else ((), "")
            parts, blocked = (*shown.parts, *sources), no_deck or no_sources
            about = [
                group.about(deck, item.id, repeat, dimension=item.dimension.value, slide=item.slide) for item in tier
            ]
            if group.wanted.options.batch > 1:
                yield from _batches(group, deck, tier, about, parts, shown.slides, prefixes[needs_sources],
                                    blocked, repeat)  # fmt: skip
                continue
            reading = Mode.COMPAT if group.wanted.options.compat else Mode.DEFAULT
            for item, record in zip(tier, about, strict=True):
                conversation = ItemConversation(
                    about=record, parts=parts, words=prompt_of(checklist, item),
                    prompt_id=prefixes[needs_sources].id, shown=shown.slides,
                    read_boxes=partial(read_boxed, mode=reading), reading=reading.value, attempts=group.attempts,
                )  # fmt: skip
                yield group.planned(deck, joined(f"item {item.id}", repeat_words(repeat)), conversation, blocked)


@dataclass(frozen=True)
class _Prefix:
    """What judges read before the items of a tier."""

    words: str
    id: str


def with_prefixes(checklist: Checklist) -> tuple[Checklist, Mapping[bool, _Prefix]]:
    """Return a checklist whose prefixes are its own or, where it has none, the studio's.

    The prefixes come by whether sources are seen.
    """
    found = {
        needs_sources: _Prefix(own, words_id(name, own)) if own else _Prefix(prompt(name).filled(), prompt(name).id)
        for needs_sources, own, name in (
            (False, checklist.independent_prefix, "checklist-independent"),
            (True, checklist.dependent_prefix, "checklist-dependent"),
        )
    }
    return Checklist(
        instance_id=checklist.instance_id, items=checklist.items, independent_prefix=found[False].words,
        dependent_prefix=found[True].words, slide_limits=checklist.slide_limits, notes=checklist.notes,
    ), found  # fmt: skip


def _batches(
    group: Group, deck: Deck, items: Sequence[Item], about: Sequence[VerdictRecord], parts: tuple[Part, ...],
    slides: tuple[int, ...], prefix: _Prefix, blocked: str, repeat: int,
) -> Iterator[PlannedConversation]:  # fmt: skip
    size = group.wanted.options.batch
    for start in range(0, len(items), size):
        batch = tuple(
            BatchItem(record, item_words(item))
            for item, record in zip(items[start : start + size], about[start : start + size], strict=True)
        )
        conversation = BatchConversation(
            deck_id=deck.id, items=batch, parts=parts, guidance=prefix.words, prompt_id=prefix.id, shown=slides,
            attempts=group.attempts, sample=repeat,
        )  # fmt: skip
        what = joined(f"{len(batch)} items from {batch[0].about.item_id}", repeat_words(repeat))
        yield group.planned(deck, what, conversation, blocked)
