"""How many of n things a degree takes, and orders in which none of them stays."""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence

from studio.errors import BadInput

DEGREES = (1, 2, 3, 4)
SHARE = 0.2
"""Of the things that each degree takes (REFLEX, section 3.3)."""
_TRIES = 200


def amount(n: int, degree: int, *, least: int = 1) -> int:
    """Return how many of `n` things a degree takes: floor(0.2 · degree · n + 0.5), at least `least`, at most n.

    Raises:
        BadInput: for a degree outside 1 to 4.
    """
    if degree not in DEGREES:
        raise BadInput(f"There is no degree {degree}.", next_step="Choose 1, 2, 3 or 4.")
    # 2 · degree · n is exact, 0.2 · degree · n is not.
    return min(n, max(least, math.floor((2 * degree * n + 5) / 10)))


def derangement(
    things: Sequence[int], rng: random.Random, *, kind: Sequence[Hashable] | None = None
) -> list[int] | None:
    """Return the things in an order in which each place holds another one than before.

    Args:
        things: distinct.
        rng: where chance comes from.
        kind: of each thing; a place must not hold one of the same kind as before either (equal images).

    Returns:
        None if there is no such order, or none was found.
    """
    kinds = dict(zip(things, kind or things, strict=True))
    for _ in range(_TRIES):
        mixed = list(things)
        rng.shuffle(mixed)
        if all(kinds[new] != kinds[old] for new, old in zip(mixed, things, strict=True)):
            return mixed
    # A cycle by kind, largest kind first, works whenever no kind has more than half of the things.
    ordered = sorted(things, key=lambda each: (-list(kinds.values()).count(kinds[each]), str(kinds[each])))
    most = list(kinds.values()).count(kinds[ordered[0]]) if ordered else 0
    moved = dict(zip(ordered, ordered[most:] + ordered[:most], strict=True))
    return [moved[each] for each in things] if all(kinds[a] != kinds[b] for a, b in moved.items()) else None
