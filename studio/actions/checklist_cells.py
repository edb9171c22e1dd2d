"""Checklist answers of one person or judge in columns, to be scored again without some items or dimensions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from studio.actions.checklist_stats import base_id
from studio.checklists.scoring import DIMENSION_ORDER, Answers, Said, ScoredDeck, said_of, score_decks
from studio.model.checklists import Dimension, ItemAnswer, ItemKind
from studio.model.decks import Deck, DeckStatus
from studio.model.ids import DeckId, InstanceId
from studio.store import checklist_lists
from studio.store import decks as deck_store
from studio.store.project import Project

NO_LIST = DIMENSION_ORDER[0]
"""Where items stand that no list of the project knows: all in one, so that the score is the share that is met."""


class AskedItem(NamedTuple):
    """One item that a deck is asked."""

    item_id: str
    dimension: Dimension
    weight: float
    is_code: bool


Asked = Mapping[DeckId, tuple[AskedItem, ...]]
"""What each deck that is there is asked; empty for a deck without a checklist."""


@dataclass(frozen=True, kw_only=True)
class ChecklistCells:
    """The answers behind checklist scores, ready to be added up again."""

    decks: tuple[ScoredDeck, ...]
    answers: Answers
    item_ids: tuple[str, ...]
    """Of each row of `answers`: the item, without the page of a page item."""
    incomplete: Mapping[DeckId, str] = field(default_factory=dict)
    """Decks without a score, and why."""

    def values(
        self, *, without_items: Collection[str] = (), without_dimensions: Collection[str] = ()
    ) -> dict[InstanceId, dict[DeckId, float | None]]:
        """Return the totals of 0 to 100, each the mean of its dimensions' shares of items met, without some of them.

        Items without an answer count as not met. A deck that lacks an answer, or all items of a dimension that
        others have, has no total.
        """
        if not self.decks:
            return {}
        kept = np.array([item not in without_items for item in self.item_ids], dtype=np.bool_)
        dimensions = [each for each in DIMENSION_ORDER if each.value not in without_dimensions]
        answers = Answers(
            deck=self.answers.deck[kept], dimension=self.answers.dimension[kept], said=self.answers.said[kept],
            weight=self.answers.weight[kept],
        )  # fmt: skip
        in_use = {DIMENSION_ORDER[place] for place in np.unique(answers.dimension).tolist()}
        totals = score_decks(self.decks, answers, dimensions=[each for each in dimensions if each in in_use]).totals
        if not in_use & set(dimensions):
            totals = np.full(len(self.decks), np.nan)
        found: dict[InstanceId, dict[DeckId, float | None]] = {}
        for deck, total in zip(self.decks, totals.tolist(), strict=True):
            is_defined = np.isfinite(total) and deck.deck_id not in self.incomplete
            found.setdefault(deck.instance_id, {})[deck.deck_id] = total if is_defined else None
        return found


def asked_items(project: Project) -> tuple[dict[DeckId, Deck], dict[DeckId, tuple[AskedItem, ...]]]:
    """Return the decks that are there, and what each is asked."""
    merged = checklist_lists.checklists(project)
    decks = {deck.id: deck for deck in deck_store.list_decks(project) if deck.status is DeckStatus.PRESENT}
    asked = {}
    for deck in decks.values():
        known = merged.get(deck.instance_id)
        items = checklist_lists.checklist_of_deck(project, deck, known=known)[0].items if known else ()
        asked[deck.id] = tuple(
            AskedItem(item.id, item.dimension, item.weight, item.kind is ItemKind.CODE)
            for item in items
            if not item.is_retired and item.kind is not ItemKind.TOOL_ERROR
        )
    return decks, asked


def cells_of(
    decks: Mapping[DeckId, Deck], asked: Asked, said: Mapping[DeckId, Mapping[str, str]], *, with_code: bool
) -> ChecklistCells:
    """Return the answers of one person or judge as columns.

    Args:
        decks: the decks that are there.
        asked: what each is asked.
        said: deck → item → answer; anything but the four answers counts as unanswered.
        with_code: whether code items are among what was asked (of judges they are, of people not).
    """
    scored: list[ScoredDeck] = []
    rows: list[tuple[int, Dimension, Said, float]] = []
    item_ids: list[str] = []
    incomplete: dict[DeckId, str] = {}
    for deck_id, answers in said.items():
        deck = decks.get(deck_id)
        if deck is None or not answers:
            continue
        items = [item for item in asked.get(deck_id, ()) if with_code or not item.is_code]
        listed = items or [AskedItem(item, NO_LIST, 1.0, False) for item in sorted(answers)]
        open_ = sum(item.item_id not in answers for item in listed)
        if open_:
            incomplete[deck_id] = f"incomplete: {open_} of {len(listed)} items"
        for item in listed:
            rows.append((len(scored), item.dimension, _said(answers.get(item.item_id)), item.weight))
            item_ids.append(base_id(item.item_id))
        scored.append(ScoredDeck(deck_id=deck_id, instance_id=deck.instance_id, system=deck.system))
    return ChecklistCells(
        decks=tuple(scored), answers=Answers.of(rows), item_ids=tuple(item_ids), incomplete=incomplete
    )  # fmt: skip


def most_said(repeats: Iterable[Sequence[str]]) -> list[str]:
    """Return what most repeats say of each case; as often yes as no is a no, since partly met counts as no."""
    return [
        "" if not said else ItemAnswer.YES.value if said.count("yes") > len(said) / 2 else ItemAnswer.NO.value
        for said in repeats
    ]


def _said(answer: str | None) -> Said:
    try:
        return said_of(ItemAnswer(answer)) if answer else Said.UNANSWERED
    except ValueError:
        return Said.UNANSWERED
