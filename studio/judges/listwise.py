"""The listwise protocol: one call shows all decks of an instance and returns their order (PresentBench, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from studio.judges.prompts import prompt
from studio.judges.re_asking import (
    Ending,
    Unreadable,
    ask_until_read,
    parts_key,
    request_of,
    result_of,
    without_verdict,
)
from studio.judges.reply_json import objects_in, text_in
from studio.judges.shown import ShownDeck
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, ParseStatus, Replies, VerdictRecord

PROMPT = "listwise"
ITEM = "rank"
ATTEMPTS = 2
"""A list that is no permutation is asked for once more, then there is none."""
REPEATS = 3
"""Each with its own letters and order; fewer do not tell the place from the deck."""


class ListedDeck(NamedTuple):
    """A deck in the place where it is shown, under its letter."""

    label: str
    deck: ShownDeck


class OrderRead(NamedTuple):
    """An order of labels."""

    ranks: dict[str, int]
    """Competition rank of each label: 1, 2, 2, 4."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class ListConversation:
    """All decks of an instance in one shuffled order."""

    instance_id: InstanceId
    listed: tuple[ListedDeck, ...]
    """In the order shown."""
    permutation: int
    """Number of the repeat, from 0: each has other letters and another order."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        shown = [[each.label, parts_key(each.deck.parts)] for each in self.listed]
        return ("listwise", prompt(PROMPT).id, shown, self.permutation)

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        words = prompt(PROMPT).filled(
            {"count": str(len(self.listed)), "labels": ", ".join(sorted(each.label for each in self.listed))}
        )
        parts = [part for each in self.listed for part in each.deck.parts]
        return (request_of(parts, words, [prompt(PROMPT).id], sample=self.permutation),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        ids = [each.deck.deck_id for each in self.listed]
        return tuple(
            VerdictRecord(
                instance_id=self.instance_id, deck_id=each.deck.deck_id, item_id=ITEM,
                against=tuple(other for other in ids if other != each.deck.deck_id), order_index=self.permutation,
                sample=self.permutation,
                detail={"slot": slot, "label": each.label, "of": len(self.listed), "pages": dict(each.deck.pages)},
            )
            for slot, each in enumerate(self.listed, start=1)
        )  # fmt: skip

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`. The score is the rank, 1 the best."""
        labels = [each.label for each in self.listed]
        found, reply = ask_until_read(ask, self.requests()[0], _Reader(labels), attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([without_verdict(about, found, reply) for about in self.subjects()])
        return result_of(
            [
                replace(
                    about, verdict=str(found.ranks[label]), score=float(found.ranks[label]),
                    scale=(1.0, float(len(labels))), reason=found.reason or reply.text.strip(), parse=ParseStatus.OK,
                )
                for label, about in zip(labels, self.subjects(), strict=True)
            ]
        )  # fmt: skip

    @property
    def deck_ids(self) -> tuple[DeckId, ...]:
        """The decks in the order shown."""
        return tuple(each.deck.deck_id for each in self.listed)


class _Reader:
    """Reads an order of known labels."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = labels

    def __call__(self, reply: JudgeReply) -> OrderRead | Unreadable:
        return read_order(reply.text, self._labels)


def read_order(text: str, labels: Sequence[str]) -> OrderRead | Unreadable:
    """Return the order that the last object with a ``ranking`` gives, if it holds each label exactly once.

    Entries of ``ties`` are lists of labels that stand side by side in the ranking and share the better rank.
    """
    known = {label.lower(): label for label in labels}
    value = next((each for each in objects_in(text) if isinstance(each.get("ranking"), list)), None)
    if value is None:
        return Unreadable('the reply holds no object with a "ranking"')
    order = [known.get(_label(each)) for each in value["ranking"]]
    named = [label for label in order if label is not None]
    if len(named) < len(order):
        return Unreadable("the ranking names a deck that was not shown")
    missing = [label for label in labels if label not in named]
    if missing:
        return Unreadable(f"the ranking leaves out {', '.join(missing)}")
    if len(set(named)) < len(named):
        return Unreadable("the ranking names a deck twice")
    ranks = {label: place for place, label in enumerate(named, start=1)}
    ties = value.get("ties")
    for group in ties if isinstance(ties, list) else ():
        members = group if isinstance(group, list) else [None]
        tied = sorted({known[_label(each)] for each in members if _label(each) in known}, key=named.index)
        if len(tied) != len(members):
            return Unreadable("a tie names a deck that was not shown, or one twice")
        places = [named.index(label) for label in tied]
        if places and places[-1] - places[0] != len(places) - 1:
            return Unreadable("decks of a tie do not stand side by side in the ranking")
        for label in tied:
            ranks[label] = min(ranks[each] for each in tied)
    return OrderRead(ranks, text_in(value.get("reason")))


def _label(value: Any) -> str:
    words = text_in(value).strip().lower().strip("[]*. ")
    return words.removeprefix("deck ").strip()
