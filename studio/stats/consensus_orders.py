"""One order out of many rankings: mean ranks, the Kemeny order, and Plackett–Luce strengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from studio.stats.paired import Comparison, Strengths, bradley_terry, plackett_luce
from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, Numbers, Reason, as_floats, rounded

KEMENY_UP_TO = 8
"""Items whose orders are all tried (8! = 40,320)."""
PULL = 0.01
"""The alpha of strengths that have no finite estimate of their own."""


@dataclass(frozen=True, kw_only=True)
class KemenyOrder:
    """The order that the rankings contradict least."""

    ranks: tuple[float, ...] | None
    """Of each item, 1 best; the mean over all orders that are best, so that nothing depends on names."""
    distance: float | None
    """Pairs of items that rankings put the other way round, summed over rankings; a tie against an order is ½."""
    n_orders: int
    """Orders with that distance; more than one means that the rankings do not settle it."""
    undefined_reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class ConsensusOrders:
    """Three ways to bring one instance's rankings down to one order; each in the order of the items."""

    mean_ranks: tuple[float | None, ...]
    """Mean over rankings of the mid-ranks; None for an item that nobody ranked."""
    n: tuple[int, ...]
    """Rankings that hold the item."""
    kemeny: KemenyOrder
    strengths: Strengths[int]
    """Natural-log strengths, mean 0: of Plackett–Luce, or of Bradley–Terry over the pairs where somebody tied."""
    has_ties: bool
    """Whether the strengths are those of the pairs: Plackett–Luce takes no ties."""

    @property
    def is_regularised(self) -> bool:
        """Whether the strengths were pulled towards equality, since some item never loses."""
        return self.strengths.alpha > 0


def consensus_orders(rankings: Sequence[Numbers]) -> ConsensusOrders:
    """Return the consensus of several rankings of the same items.

    Args:
        rankings: one row for each annotator, one number for each item, the lowest best; None for an item left out.
    """
    values = np.stack([as_floats(row) for row in rankings]) if rankings else np.zeros((0, 0))
    ranks = mid_rank_rows(values)
    counts = np.count_nonzero(~np.isnan(ranks), axis=0)
    means = [
        float(total) / count if count else None for total, count in zip(np.nansum(ranks, axis=0), counts, strict=True)
    ]
    rows = [[(item, rank) for item, rank in enumerate(row.tolist()) if not math.isnan(rank)] for row in ranks]
    has_ties = any(len({rank for _, rank in row}) < len(row) for row in rows)
    return ConsensusOrders(
        mean_ranks=tuple(means), n=tuple(int(count) for count in counts), kemeny=kemeny_order(values),
        strengths=_strengths(rows, has_ties=has_ties), has_ties=has_ties,
    )  # fmt: skip


def kemeny_order(values: FloatArray) -> KemenyOrder:
    """Return the order with the least Kendall distance to all rankings; every order is tried.

    Undefined: ``too_few`` below two items or without a ranking, ``too_many`` above eight items.

    Args:
        values: (rankings, items), the lowest best, NaN for an item left out: a pair counts where both are there.

    Source:
        Kemeny (1959), Mathematics without numbers; ties of a ranking count ½ against either order.
    """
    n_rankings, n = values.shape
    if n < 2 or not n_rankings:
        return KemenyOrder(ranks=None, distance=None, n_orders=0, undefined_reason=Reason.TOO_FEW)
    if n > KEMENY_UP_TO:
        return KemenyOrder(ranks=None, distance=None, n_orders=0, undefined_reason=Reason.TOO_MANY)
    left, right = values[:, :, None], values[:, None, :]
    # In halves, so that sums are whole numbers and equal distances are found equal. against[i, j]: i above j.
    against = 2 * np.count_nonzero(left > right, axis=0) + np.count_nonzero(left == right, axis=0)
    orders = _orders(n)
    distance = np.zeros(len(orders), dtype=np.int64)
    for above, below in combinations(range(n), 2):
        distance += against[orders[:, above], orders[:, below]]
    best = orders[distance == distance.min()]
    ranks = np.argsort(best, axis=1).sum(axis=0) / len(best) + 1
    return KemenyOrder(
        ranks=tuple(float(rank) for rank in rounded(ranks)), distance=float(distance.min()) / 2, n_orders=len(best)
    )


@lru_cache(maxsize=KEMENY_UP_TO)
def _orders(n: int) -> NDArray[np.int64]:
    return np.array(list(permutations(range(n))), dtype=np.int64)


def _strengths(rows: Sequence[Sequence[tuple[int, float]]], *, has_ties: bool) -> Strengths[int]:
    def fitted(alpha: float) -> Strengths[int]:
        if not has_ties:
            return plackett_luce([[item for item, _ in sorted(row, key=lambda each: each[1])] for row in rows],
                                 alpha=alpha)  # fmt: skip
        pairs = [
            Comparison(first=a, second=b, score=1.0 if rank_a < rank_b else 0.0 if rank_a > rank_b else 0.5)
            for row in rows
            for (a, rank_a), (b, rank_b) in combinations(row, 2)
        ]
        return bradley_terry(pairs, alpha=alpha)

    plain = fitted(0.0)
    return fitted(PULL) if plain.undefined_reason == Reason.SEPARATED else plain


def consistent_triads(wins: FloatArray) -> tuple[int, int]:
    """Return how many triads of items a person decided without going in a circle, and how many they decided.

    By chance three of four triads have no circle.

    Args:
        wins: (items, items): 1 where the row's item was preferred, 0 where the column's was, NaN where neither was
            (a tie, or never asked).

    Source:
        Kendall & Babington Smith (1940), On the method of paired comparisons; as a share of the decided triads,
        so that it takes ties and gaps.
    """
    n = len(wins)
    good = decided = 0
    for a, b, c in combinations(range(n), 3):
        edges = (wins[a, b], wins[b, c], wins[c, a])
        if not any(math.isnan(edge) for edge in edges):
            decided += 1
            good += len(set(edges)) > 1
    return good, decided
