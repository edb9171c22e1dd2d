"""The people's order of an instance with pairs that a reviewer decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from studio.stats.statistic import FloatArray

Pair = tuple[int, int]


def adjudicated_ranks(ranks: FloatArray, *, before: Sequence[Pair] = (), ties: Sequence[Pair] = ()) -> FloatArray:
    """Return ranks in the order of `ranks` that keeps every decided pair.

    The result is the mean of the earliest and of the latest such order: in the first the best deck that may come
    next comes next, in the second the worst deck that may come last comes last. Decks of equal standing share
    mid-ranks. Decks of a decided tie, and decks whose decided pairs go round in a circle, share one place.

    Args:
        ranks: one value for each deck, lower is better; NaN where nobody ranked it, which stays so.
        before: places (first, second) in `ranks` of pairs decided for the first.
        ties: places of pairs that were decided to be equal.

    Returns:
        Ranks from 1 to the number of ranked decks; without decisions the mid-ranks of `ranks`.
    """
    known = np.flatnonzero(np.isfinite(ranks))
    place = {int(deck): number for number, deck in enumerate(known)}
    edges = [(place[a], place[b]) for a, b in before if a in place and b in place]
    both = [(place[a], place[b]) for a, b in ties if a in place and b in place]
    tied = [pair for a, b in both for pair in ((a, b), (b, a))]
    label = _components(len(known), [*edges, *tied])
    n = int(label.max()) + 1 if len(label) else 0
    size = np.bincount(label, minlength=n)
    mean = np.bincount(label, weights=ranks[known], minlength=n) / np.maximum(size, 1)
    links = {(int(label[a]), int(label[b])) for a, b in edges if label[a] != label[b]}
    earliest = _order(mean, size, links)
    latest = size.sum() + 1 - _order(-mean, size, {(b, a) for a, b in links})
    found = np.full(ranks.shape, np.nan)
    found[known] = ((earliest + latest) / 2)[label]
    return found


def _components(n: int, edges: Sequence[Pair]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return for each node the number of the group within which every node leads to every other."""
    rows, columns = [a for a, _ in edges], [b for _, b in edges]
    graph = coo_array((np.ones(len(edges)), (rows, columns)), shape=(n, n))
    return np.asarray(connected_components(graph, directed=True, connection="strong")[1], dtype=np.int64)


def _order(mean: FloatArray, size: np.ndarray[tuple[int], np.dtype[np.int64]], links: set[Pair]) -> FloatArray:
    """Return the mid-rank of each group if again and again the lowest of those that are free comes next."""
    waiting = {node: {a for a, b in links if b == node} for node in range(len(mean))}
    found, taken = np.zeros(len(mean)), 0
    while waiting:
        free = [node for node, before in waiting.items() if not before]
        lowest = min(mean[node] for node in free)
        tier = [node for node in free if mean[node] == lowest]
        members = int(size[tier].sum())
        found[tier] = taken + (members + 1) / 2
        taken += members
        for node in tier:
            del waiting[node]
        for before in waiting.values():
            before.difference_update(tier)
    return found
