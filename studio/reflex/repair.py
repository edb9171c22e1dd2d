"""Which slides to move, one after the other: each move is looked at in the deck as the moves before it left it."""

from __future__ import annotations

from dataclasses import dataclass

from studio.reflex.embedded import Embedded
from studio.reflex.flow import FlowParts
from studio.reflex.order import LEAST_SLIDES, LikelyMoves, OrderWeights, likely_moves
from studio.reflex.order_fit import without_repeats

FIRM = 0.1
"""Likelihood above which a slide is moved. Out of fold on the training part, in 260 decks with one slide moved by three
places or more, a repeat, two images swapped and a section left out, this names the moved slide in 67 % and 0.8 others;
in decks nobody touched 0.9. At 0.08 without a second look it is 76 %, 1.3 and 1.4; at 0.12 64 %, 0.7 and 0.6."""
STILL = 0.05
"""Likelihood that a slide must keep once others have moved."""
UNSURE = 0.05
"""Likelihood above which a slide is named as less sure; with these the moved slide is among the named in 85 %."""
MOST_UNSURE = 3


@dataclass(frozen=True, kw_only=True)
class Move:
    """One slide that should stand elsewhere; numbers are those of the deck as it was read."""

    slide: int
    after: int
    """0: first of all."""
    gain: float
    """In log odds, of the order with the slide there against the order as the moves before left it."""
    chance: float
    """How likely it was moved, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Repair:
    """What to do about an order."""

    moves: tuple[Move, ...] = ()
    """In the order in which they are made."""
    unsure: tuple[tuple[int, float], ...] = ()
    """Number and likelihood of slides that may be out of place too, the likeliest first."""


def repair(it: Embedded, parts: FlowParts, weights: OrderWeights) -> Repair:
    """Return what to move; repeats are left out, and nothing is said of fewer than four other slides.

    Args:
        it: the deck.
        parts: learned of order.
        weights: of the moves.
    """
    now = without_repeats(it)
    if now.n < LEAST_SLIDES:
        return Repair()
    found = likely_moves(now, parts, weights)
    first = dict(zip(_numbers(now), found.chance.tolist(), strict=True))
    open_ = {number for number, chance in first.items() if chance > FIRM}
    made: list[Move] = []
    while open_:
        numbers = _numbers(now)
        place = max((numbers.index(number) for number in open_), key=lambda each: found.chance[each])
        if found.chance[place] <= (STILL if made else FIRM):
            break
        open_.remove(numbers[place])
        move, order = _move(numbers, place, found)
        made.append(move)
        now = now.taken(order)
        found = likely_moves(now, parts, weights)
    moved = {move.slide for move in made}
    left = [(number, chance) for number, chance in first.items() if chance > UNSURE and number not in moved]
    return Repair(moves=tuple(made), unsure=tuple(sorted(left, key=lambda each: -each[1])[:MOST_UNSURE]))


def _numbers(it: Embedded) -> list[int]:
    return [slide.number for slide in it.deck.slides]


def _move(numbers: list[int], place: int, found: LikelyMoves) -> tuple[Move, list[int]]:
    """Return a move and the places in the order that it leaves."""
    to = int(found.place[place])
    order = [each for each in range(len(numbers)) if each != place]
    order.insert(to, place)
    move = Move(
        slide=numbers[place], after=numbers[order[to - 1]] if to else 0, gain=float(found.gain[place]),
        chance=float(found.chance[place]),
    )  # fmt: skip
    return move, order
