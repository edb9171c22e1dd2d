"""Which units are compared with which, and who stands left: drawn by a seed, balanced, the same every time."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from itertools import combinations

GROUP = 4
"""How many units a best-worst question shows."""

_ROUNDS = 2
"""In how many best-worst questions each unit of a large instance stands at least."""


def seeded(*parts: object) -> random.Random:
    """Return a source of random numbers that depends on nothing but `parts`."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


def item_key(units: Iterable[str]) -> str:
    """Return how events name a question about several units, whatever order they were shown in."""
    return "|".join(sorted(units))


def slide_unit(deck_id: str, slide: int) -> str:
    """Return how a question names one slide of a deck."""
    return f"{deck_id}#{slide}"


def parsed_unit(unit: str) -> tuple[str, int | None]:
    """Return a unit's deck, and its slide if it is one."""
    deck, _, slide = unit.partition("#")
    return deck, int(slide) if slide.isdigit() else None


def sided_pairs(units: Sequence[str], *, seed: int, scope: str, is_flipped: bool = False) -> list[tuple[str, str]]:
    """Return all pairs of the units as (left, right), in the order in which they are asked.

    Over an instance each unit stands left as often as right, give or take one. Who stands where depends on
    the seed and the scope (an instance) only; `is_flipped` turns every pair round, so that of two people each sees
    the other's right side left.
    """
    order = sorted(units)
    rng = seeded(seed, scope, "sides")
    rng.shuffle(order)
    # With the units in a ring, each beats the next, loses to the one after that, and so on.
    pairs = [
        (order[i], order[j]) if (j - i) % 2 else (order[j], order[i]) for i, j in combinations(range(len(order)), 2)
    ]
    rng.shuffle(pairs)
    return [(right, left) for left, right in pairs] if is_flipped else pairs


def groups_of_four(units: Sequence[str], *, seed: int, scope: str) -> list[tuple[str, ...]]:
    """Return the questions of a best-worst study over the units of one instance; none for fewer than four units.

    Up to five units give every group of four; more give groups in which all units stand equally often, give or
    take one, and at least twice.
    """
    order = sorted(units)
    if len(order) < GROUP:
        return []
    rng = seeded(seed, scope, "groups")
    if len(order) <= GROUP + 1:
        found = [list(group) for group in combinations(order, GROUP)]
    else:
        found, seen = [], set()
        uses = dict.fromkeys(order, 0)
        while min(uses.values()) < _ROUNDS:
            least = sorted(order, key=lambda unit: (uses[unit], rng.random()))
            group = least[:GROUP]
            if frozenset(group) in seen:
                group = [*least[: GROUP - 1], least[GROUP]]
            seen.add(frozenset(group))
            found.append(group)
            for unit in group:
                uses[unit] += 1
    for group in found:
        rng.shuffle(group)
    rng.shuffle(found)
    return [tuple(group) for group in found]


def is_second_side(*, seed: int, annotator_id: str) -> bool:
    """Return whether a person whom nobody planned for sees pairs turned round."""
    return seeded(seed, annotator_id, "turn").random() < 0.5
