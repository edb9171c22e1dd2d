"""Which slides to move, one after the other: each move is looked for in the deck as the moves before it left it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from studio.reflex import flow, redundancy
from studio.reflex.embedded import Embedded
from studio.reflex.flow import FlowParts

LEAST_GAIN = 1.0
"""Of a move, in log odds. On held-out folds of the training part this named 2.8 slides in decks with one moved slide,
among them the moved one in 63 % (item F1 0.33); every slide above the threshold is 8.2 (0.20). Twice the gain names
1.3 but finds 46 %."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """One slide that should stand elsewhere; numbers are those of the deck as it was read."""

    slide: int
    after: int
    """0: first of all."""
    gain: float
    """In log odds of the chain of slides, more than `LEAST_GAIN`."""
    chance: float
    """How sure the scorer is that it is out of place, 0 to 1."""


def moves(
    it: Embedded, parts: FlowParts, chances: Callable[[np.ndarray], np.ndarray], threshold: float
) -> tuple[Move, ...]:
    """Return the moves that leave nothing more to move, in the order in which they are made; repeats are left out.

    Args:
        it: the deck.
        parts: learned of order.
        chances: takes the rows of `flow.slide_features`, returns how likely each slide is out of place, 0 to 1.
        threshold: of the likelihood; only slides above it move, each once.
    """
    repeated = {later for later, _, _ in redundancy.repeats(it)}
    now = it.taken([place for place in range(it.n) if place not in repeated])
    made: list[Move] = []
    while now.n >= 3:
        rows = flow.slide_features(now, parts)
        chance = chances(rows)
        numbers = [slide.number for slide in now.deck.slides]
        done = {move.slide for move in made}
        open_ = [place for place in range(now.n) if chance[place] > threshold and rows[place, flow.GAIN] > LEAST_GAIN
                 and numbers[place] not in done]  # fmt: skip
        if not open_:
            break
        place = max(open_, key=lambda each: chance[each] + 0.1 * rows[each, flow.GAIN])
        after = flow.better_place(now, parts, place)
        made.append(
            Move(
                slide=numbers[place], after=numbers[after] if after >= 0 else 0,
                gain=float(rows[place, flow.GAIN]), chance=float(chance[place]),
            )
        )  # fmt: skip
        order = [each for each in range(now.n) if each != place]
        order.insert(0 if after < 0 else order.index(after) + 1, place)
        now = now.taken(order)
    return tuple(made)
