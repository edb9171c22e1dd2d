"""Rounds of a Swiss tournament: in each, decks of about equal strength meet, and no two meet twice."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import TypeVar

Player = TypeVar("Player", bound=str)


def usual_rounds(number: int) -> int:
    """Return how many rounds find the best of so many, and one more: ⌈log2 n⌉ + 1; at most each meets each once."""
    if number < 2:
        return 0
    each_meets_each = number - 1 if number % 2 == 0 else number
    return min(each_meets_each, math.ceil(math.log2(number)) + 1)


def next_round(
    players: Sequence[Player], points: Mapping[Player, float], met: Collection[frozenset[Player]],
    rested: Collection[Player], rng: Random,
) -> list[tuple[Player, Player]] | None:  # fmt: skip
    """Return the pairs of the next round, or None if there is none in which nobody meets an opponent again.

    Args:
        players: all of them.
        points: of each so far; players who are not named have none.
        met: pairs that met before.
        rested: who had no opponent in an earlier round, where the number of players is odd.
        rng: who comes first among equals.
    """
    order = rng.sample(list(players), len(players))
    order.sort(key=lambda player: -points.get(player, 0.0))
    if len(order) % 2 == 0:
        return _paired(order, set(met))
    # The weakest rests; nobody rests twice while somebody has not.
    for resting in sorted(reversed(order), key=lambda player: player in rested):
        pairs = _paired([player for player in order if player != resting], set(met))
        if pairs is not None:
            return pairs
    return None


def _paired(order: list[Player], met: set[frozenset[Player]]) -> list[tuple[Player, Player]] | None:
    """Return a pairing of neighbours as near as can be, found by going back where the rest cannot be paired."""
    if not order:
        return []
    first, *others = order
    for place, second in enumerate(others):
        if frozenset((first, second)) in met:
            continue
        rest = _paired(others[:place] + others[place + 1 :], met)
        if rest is not None:
            return [(first, second), *rest]
    return None
