"""How often two rankings give a deck the very same rank (the "identical ratio")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from studio.stats.ranks import competition_ranks, dense_ranks, mid_ranks
from studio.stats.statistic import FloatArray, Numbers, Reason, Statistic, complete_pairs, undefined


class IdenticalTies(StrEnum):
    """What tied decks count as.

    ``average`` compares mid-ranks, so that 2.5 equals neither 2 nor 3; ``dense`` compares dense ranks;
    ``random`` breaks the ties of both sides by lot and gives the mean over all such draws.
    """

    AVERAGE = "average"
    DENSE = "dense"
    RANDOM = "random"


def identical_ratio(x: Numbers, y: Numbers, *, ties: IdenticalTies = IdenticalTies.AVERAGE) -> Statistic:
    """Return the share (0 to 1) of decks whose rank is the same on both sides.

    Decks with a missing side are dropped and the others ranked anew. Without ties, rankings by lot reach
    1/n (`identical_by_chance`). Undefined (``too_few``) if no deck is left.

    Args:
        x: (n,), lowest is best.
        y: (n,), lowest is best; turn the sign of scores first.
        ties: How tied decks are compared.
    """
    left, right = complete_pairs(x, y)
    if not len(left):
        return undefined(Reason.TOO_FEW, 0)
    return Statistic(value=float(np.mean(_matches(left, right, ties))), n=len(left))


def top_match(x: Numbers, y: Numbers) -> Statistic:
    """Return how far both sides agree on the best deck: 1, 0, or the chance of it when the top is tied."""
    left, right = complete_pairs(x, y)
    if not len(left):
        return undefined(Reason.TOO_FEW, 0)
    best_left, best_right = left == left.min(), right == right.min()
    both = np.count_nonzero(best_left & best_right)
    return Statistic(value=float(both / (best_left.sum() * best_right.sum())), n=len(left))


def identical_by_chance(n: int) -> float:
    """Return the identical ratio that rankings of n decks without ties reach by lot.

    Raises:
        ValueError: for fewer than one deck.
    """
    if n < 1:
        raise ValueError("chance needs at least one deck")
    return 1 / n


@dataclass(frozen=True, kw_only=True)
class IdenticalSummary:
    """The identical ratio over many instances, with its companions; all shares are 0 to 1."""

    ratio: float | None
    """Mean over instances."""
    pooled: float | None
    """Share of all decks, so that an instance with more decks counts more."""
    exact_order: float | None
    """Share of instances whose whole order agrees, ties included."""
    top: float | None
    """Mean agreement on the best deck."""
    chance: float | None
    """Mean of 1/n: the line to read the ratio against."""
    n_instances: int
    n_decks: int
    n_empty: int
    """Instances without a shared deck; left out above."""


def identical_summary(
    pairs: Iterable[tuple[Numbers, Numbers]], *, ties: IdenticalTies = IdenticalTies.AVERAGE
) -> IdenticalSummary:
    """Return the identical ratios of many instances, each given as two sides with the lowest value best."""
    shares: list[float] = []
    weights: list[int] = []
    exact: list[bool] = []
    tops: list[float] = []
    n_empty = 0
    for x, y in pairs:
        share, top = identical_ratio(x, y, ties=ties), top_match(x, y)
        if share.value is None or top.value is None:
            n_empty += 1
            continue
        left, right = complete_pairs(x, y)
        shares.append(share.value)
        weights.append(share.n)
        exact.append(bool((mid_ranks(left) == mid_ranks(right)).all()))
        tops.append(top.value)
    if not shares:
        return IdenticalSummary(
            ratio=None, pooled=None, exact_order=None, top=None, chance=None,
            n_instances=0, n_decks=0, n_empty=n_empty,
        )  # fmt: skip
    return IdenticalSummary(
        ratio=float(np.mean(shares)),
        pooled=float(np.average(shares, weights=weights)),
        exact_order=float(np.mean(exact)),
        top=float(np.mean(tops)),
        chance=float(np.mean([identical_by_chance(n) for n in weights])),
        n_instances=len(shares),
        n_decks=sum(weights),
        n_empty=n_empty,
    )


def _matches(x: FloatArray, y: FloatArray, ties: IdenticalTies) -> FloatArray:
    match ties:
        case IdenticalTies.AVERAGE:
            return np.asarray(mid_ranks(x) == mid_ranks(y), dtype=np.float64)
        case IdenticalTies.DENSE:
            return np.asarray(dense_ranks(x) == dense_ranks(y), dtype=np.float64)
        case IdenticalTies.RANDOM:
            return _chance_of_equal_places(x, y)


def _chance_of_equal_places(x: FloatArray, y: FloatArray) -> FloatArray:
    # A tied deck takes each place of its tie with the same chance, independently on both sides. The chance
    # of the same place is therefore (places in common) / (product of the tie sizes): the value that many
    # seeded draws only estimate, without a seed and without depending on the order of the decks.
    first_x, first_y = competition_ranks(x), competition_ranks(y)
    size_x, size_y = 2 * (mid_ranks(x) - first_x) + 1, 2 * (mid_ranks(y) - first_y) + 1
    shared = np.minimum(first_x + size_x, first_y + size_y) - np.maximum(first_x, first_y)
    return np.asarray(np.maximum(shared, 0) / (size_x * size_y), dtype=np.float64)
