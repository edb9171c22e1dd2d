"""Plans the protocols that compare decks of one instance: arena and listwise."""

from __future__ import annotations

import math
import random
import string
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from studio.jobs.judge_wanted import Group, joined, repeat_words
from studio.judges import listwise
from studio.judges.arena import ITEM, PairConversation
from studio.judges.listwise import ListConversation, ListedDeck
from studio.judges.shown import ShownDeck
from studio.judges.swiss import next_round, usual_rounds
from studio.model.decks import Deck
from studio.model.ids import DeckId
from studio.model.judging import JudgingProtocol, PlannedConversation, VerdictRecord
from studio.model.judging_options import Pairs


def plan_arena(group: Group) -> Iterator[PlannedConversation]:
    """Yield each chosen pair of an instance in both orders, one after the other."""
    able, unable = _able(group)
    if group.wanted.options.pairs is Pairs.SWISS:
        yield from _swiss(group, able)
    else:
        for first, second in _pairs(group, able):
            yield from _both_orders(group, first, second)
    for deck, reason in unable:
        about = group.about(deck, ITEM, 0)
        nothing = ShownDeck(deck_id=deck.id, parts=(), slides=())
        yield group.planned(deck, "", PairConversation(about=about, first=nothing, second=nothing), reason)


def _both_orders(group: Group, first: Deck, second: Deck) -> Iterator[PlannedConversation]:
    for repeat in group.repeats:
        for order, (one, two) in enumerate(((first, second), (second, first))):
            about = group.about(one, ITEM, repeat, against=(two.id,), order_index=order)
            conversation = PairConversation(
                about=about, first=_with_note(group, one, "deck A"), second=group.shown(two, "deck B")[0],
                attempts=group.attempts,
            )  # fmt: skip
            what = joined(f"against {two.system}", repeat_words(repeat))
            yield group.planned(one, what, conversation)


def _swiss(group: Group, decks: Sequence[Deck]) -> Iterator[PlannedConversation]:
    """Yield the rounds up to the first that has something left to ask; who meets in the next one depends on it.

    Equal strengths are ordered by chance, drawn from the project's seed, so that planning again finds the same pairs.
    A pair whose verdict failed counts as half a win each until it is asked again.
    """
    by_id = {deck.id: deck for deck in decks}
    rounds = min(group.wanted.options.rounds or usual_rounds(len(decks)), len(decks))
    points: dict[DeckId, float] = dict.fromkeys(by_id, 0.0)
    met: set[frozenset[DeckId]] = set()
    rested: set[DeckId] = set()
    for number in range(rounds):
        rng = random.Random(f"swiss|{group.seed}|{group.instance.id}|{number}")
        pairs = next_round(list(by_id), points, met, rested, rng)
        if pairs is None:
            return
        rested |= set(by_id) - {deck for pair in pairs for deck in pair}
        is_open = False
        for one, other in pairs:
            planned = list(_both_orders(group, by_id[one], by_id[other]))
            yield from planned
            found = [group.wanted.verdict_of(each) for each in planned]
            is_open = is_open or any(record is None for record in found)
            won = _points_of_first(planned, found)
            points[one] += won
            points[other] += 1 - won
            met.add(frozenset((one, other)))
        if is_open:
            return


def _points_of_first(planned: Sequence[PlannedConversation], found: Sequence[VerdictRecord | None]) -> float:
    """Return the mean points, 0 to 1, of the deck that is shown first in the first of these conversations."""
    first = planned[0].deck_id
    shares = [
        0.5 if record is None or record.score is None else record.score if each.deck_id == first else 1 - record.score
        for each, record in zip(planned, found, strict=True)
    ]
    return sum(shares) / len(shares)


def _pairs(group: Group, decks: Sequence[Deck]) -> list[tuple[Deck, Deck]]:
    """Return the pairs to compare: all, or a random share that leaves the decks connected."""
    pairs = list(combinations(decks, 2))
    options = group.wanted.options
    if options.pairs is Pairs.ALL or len(decks) < 3:
        return pairs
    rng = random.Random(f"pairs|{group.seed}|{group.instance.id}")
    shuffled = rng.sample(range(len(decks)), len(decks))
    chain = {frozenset(pair) for pair in pairwise(shuffled)}
    places = [frozenset(pair) for pair in combinations(range(len(decks)), 2)]
    others = [pair for pair in places if pair not in chain]
    count = max(len(chain), math.ceil(options.share * len(pairs)))
    chosen = chain | set(rng.sample(others, count - len(chain)))
    return [pair for place, pair in zip(places, pairs, strict=True) if place in chosen]


def _with_note(group: Group, deck: Deck, name: str) -> ShownDeck:
    shown = group.shown(deck, name)[0]
    return ShownDeck(
        deck_id=shown.deck_id, parts=(*group.material.note, *shown.parts), slides=shown.slides, texts=shown.texts,
        pages=shown.pages,
    )  # fmt: skip


def plan_listwise(group: Group) -> Iterator[PlannedConversation]:
    """Yield the list of an instance's decks under shuffled letters and in shuffled order, as often as asked."""
    able, unable = _able(group)
    if len(able) >= 2:
        for repeat in group.repeats:
            rng = random.Random(f"list|{group.seed}|{group.instance.id}|{repeat}")
            letters = rng.sample(_labels(len(able)), len(able))
            order = rng.sample(list(able), len(able))
            listed = tuple(
                ListedDeck(label, (_with_note if not place else _plain)(group, deck, f"deck {label}"))
                for place, (label, deck) in enumerate(zip(letters, order, strict=True))
            )
            conversation = ListConversation(
                instance_id=group.instance.id, listed=listed, permutation=repeat,
                attempts=group.wanted.options.asks or listwise.ATTEMPTS,
            )  # fmt: skip
            yield PlannedConversation(
                conversation=conversation, protocol=JudgingProtocol.LISTWISE, instance_id=group.instance.id,
                deck_id=able[0].id, label=f"{group.instance.name} · order {repeat + 1}",
            )  # fmt: skip
    for deck, reason in unable:
        nothing = ListedDeck("A", ShownDeck(deck_id=deck.id, parts=(), slides=()))
        conversation = ListConversation(instance_id=group.instance.id, listed=(nothing,), permutation=0)
        yield group.planned(deck, "", conversation, reason)


def _plain(group: Group, deck: Deck, name: str) -> ShownDeck:
    return group.shown(deck, name)[0]


def _labels(count: int) -> list[str]:
    """Return A, B, C … for this many decks; from the 27th on with a number."""
    letters = string.ascii_uppercase
    return [letters[place % 26] + (str(place // 26) if place >= 26 else "") for place in range(count)]


def _able(group: Group) -> tuple[list[Deck], list[tuple[Deck, str]]]:
    """Return the decks that can be shown beside others, and the rest with their reasons."""
    able, unable = [], []
    for deck in group.decks:
        reason = group.shown(deck, "deck A")[1]
        if reason:
            unable.append((deck, reason))
        else:
            able.append(deck)
    if len(able) == 1:
        unable.append((able.pop(), "too_few: there is no other deck to compare with"))
    return able, unable
