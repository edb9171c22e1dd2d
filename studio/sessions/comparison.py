"""A ranking out of answers to "which of these two is better?": a merge sort whose oracle is a person."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from studio.model.answers import Comparison, Preference
from studio.model.ids import DeckId

_TURNED = {Preference.A: Preference.B, Preference.B: Preference.A}


class Question(NamedTuple):
    """Two decks of which one may be better; the first is shown at the left."""

    first: DeckId
    second: DeckId


class Link(NamedTuple):
    """One step of a contradiction: `better` was said to be better than, or as good as, `worse`."""

    better: DeckId
    worse: DeckId
    is_tie: bool


@dataclass(frozen=True, kw_only=True)
class Sorted:
    """How far a sort is."""

    question: Question | None
    """What to ask next; None once everything is in order."""
    ranks: dict[DeckId, int]
    """Competition ranks of all decks; empty while a question is open or answers contradict each other."""
    cycle: tuple[Link, ...]
    """A shortest contradiction among the answers, such as A > B > C > A; empty if there is none."""
    n_asked: int
    """Answered questions that the sort uses."""
    n_most: int
    """How many more questions there may be at most."""


def sort_by(decks: Sequence[DeckId], answers: Iterable[Comparison]) -> Sorted:
    """Return how far the decks are sorted by these answers, and what to ask next.

    Nothing is kept between calls: the sort begins anew, takes the answers that there are, and stops at the first
    question without one. So it goes on after a restart, and after an answer was changed.

    Args:
        decks: in the order shown; ties of the sort are broken by nothing, they are asked.
        answers: oldest first; of several about the same two decks the last holds. Others are left alone.
    """
    known = latest(decks, answers)
    used: set[frozenset[DeckId]] = set()
    cycle = shortest_cycle(decks, known)
    try:
        tiers = _merged([[deck] for deck in decks], known, used)
    except _Open as open_question:
        left = _most(len(decks)) - len(used)
        return Sorted(question=open_question.question, ranks={}, cycle=cycle, n_asked=len(used), n_most=max(left, 1))
    ranks: dict[DeckId, int] = {}
    for tier in tiers:
        place = len(ranks) + 1
        ranks |= dict.fromkeys(tier, place)
    return Sorted(question=None, ranks={} if cycle else ranks, cycle=cycle, n_asked=len(used), n_most=0)


def check_question(decks: Sequence[DeckId], answers: Iterable[Comparison]) -> Question | None:
    """Return a further question about two decks that were never compared, nearest in the ranking first.

    None if the decks are not in order yet or every pair was asked. A sort asks only what it needs, so its answers
    cannot contradict each other; these can.
    """
    answers = list(answers)
    found = sort_by(decks, answers)
    if not found.ranks:
        return None
    known = latest(decks, answers)
    order = sorted(decks, key=lambda deck: found.ranks[deck])
    for distance in range(1, len(order)):
        for place in range(len(order) - distance):
            first, second = order[place], order[place + distance]
            if (first, second) not in known:
                return Question(*sorted((first, second), key=list(decks).index))
    return None


def most_questions(n_decks: int) -> int:
    """Return how many questions sorting so many decks takes at most: n⌈log2 n⌉ − 2^⌈log2 n⌉ + 1."""
    return _most(n_decks)


def latest(decks: Sequence[DeckId], answers: Iterable[Comparison]) -> dict[tuple[DeckId, DeckId], Preference]:
    """Return what holds of each pair of the decks, in both directions."""
    members = set(decks)
    known: dict[tuple[DeckId, DeckId], Preference] = {}
    for answer in answers:
        if answer.first in members and answer.second in members:
            known[answer.first, answer.second] = answer.said
            known[answer.second, answer.first] = _TURNED.get(answer.said, answer.said)
    return known


def shortest_cycle(
    decks: Sequence[DeckId], known: Mapping[tuple[DeckId, DeckId], Preference]
) -> tuple[Link, ...]:  # fmt: skip
    """Return a shortest contradiction: a way from the worse of two decks back to the better one; empty if none.

    Ties are ways in both directions, so "A as good as B, B better than C, C as good as A" contradicts itself too.
    """
    onward: dict[DeckId, list[DeckId]] = {deck: [] for deck in decks}
    for (one, other), said in known.items():
        if said in {Preference.A, Preference.TIE} and one in onward and other in onward:
            onward[one].append(other)
    best: list[DeckId] = []
    for (better, worse), said in known.items():
        if said is Preference.A:
            back = _way(worse, better, onward)
            if back and (not best or len(back) < len(best)):
                best = back
    if not best:
        return ()
    loop = [best[-1], *best]
    return tuple(Link(one, other, known[one, other] is Preference.TIE) for one, other in pairwise(loop))


class _Open(Exception):
    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question


def _merged(
    tiers: list[list[DeckId]], known: Mapping[tuple[DeckId, DeckId], Preference], used: set[frozenset[DeckId]]
) -> list[list[DeckId]]:
    if len(tiers) <= 1:
        return tiers
    half = (len(tiers) + 1) // 2
    left = _merged(tiers[:half], known, used)
    right = _merged(tiers[half:], known, used)
    found: list[list[DeckId]] = []
    while left and right:
        said = _said(left[0], right[0], known, used)
        if said is Preference.TIE:
            found.append(left.pop(0) + right.pop(0))
        else:
            found.append((left if said is Preference.A else right).pop(0))
    return found + left + right


def _said(
    one: list[DeckId],
    other: list[DeckId],
    known: Mapping[tuple[DeckId, DeckId], Preference],
    used: set[frozenset[DeckId]],
) -> Preference:
    """Return what was said of two tiers: any answer about a deck of each counts for all of them."""
    for first in one:
        for second in other:
            said = known.get((first, second))
            if said is not None:
                used.add(frozenset((first, second)))
                return said
    raise _Open(Question(one[0], other[0]))


def _way(start: DeckId, end: DeckId, onward: Mapping[DeckId, Sequence[DeckId]]) -> list[DeckId]:
    """Return the decks of a shortest way, both ends included; empty if there is none."""
    before: dict[DeckId, DeckId] = {}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here == end:
            way = [end]
            while way[-1] != start:
                way.append(before[way[-1]])
            return way[::-1]
        for there in onward[here]:
            if there != start and there not in before:
                before[there] = here
                waiting.append(there)
    return []


def _most(n_decks: int) -> int:
    if n_decks < 2:
        return 0
    levels = (n_decks - 1).bit_length()
    return n_decks * levels - (1 << levels) + 1
