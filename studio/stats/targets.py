"""What scores are fitted to or tested on: people's rankings, or pairs that people judged.

A target turns one score for each deck into one number for each instance, so that both kinds go through the same
folds, intervals and tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from studio.model.ids import DeckId, InstanceId
from studio.stats.correlation import MINIMUM_PAIRS, correlate_rows
from studio.stats.rankings import HumanRankings, consensus
from studio.stats.statistic import FloatArray


@dataclass(frozen=True, kw_only=True)
class JudgedPair:
    """One person's preference between two decks of an instance."""

    instance_id: InstanceId
    better: DeckId
    worse: DeckId


class Target(Protocol):
    """People's answers, ready to be compared with scores."""

    @property
    def instance_ids(self) -> tuple[InstanceId, ...]:
        """Return the instances that can be compared, in the order of the values."""
        ...

    @property
    def words(self) -> str:
        """Return what the value of an instance is, such as "ρ"."""
        ...

    def values(self, scores: FloatArray) -> FloatArray:
        """Return one value from −1 to 1 for each instance, NaN where these scores leave it undefined.

        Args:
            scores: (decks,) higher is better, NaN for a deck without one; in the order given at the start.
        """
        ...


class RankingTarget:
    """Spearman's rho against the mean ranks of an instance, as `studio.stats.alignment.align` takes it.

    Instances with fewer than three decks that can have a score, or on whose decks people agree that all are equal,
    can never have a rho and are left out.

    Args:
        human: the submitted rankings.
        deck_ids: the decks that scores are for.
    """

    words = "ρ"

    def __init__(self, human: HumanRankings, deck_ids: Sequence[DeckId]) -> None:
        side = consensus(human)
        place = {deck: index for index, deck in enumerate(deck_ids)}
        cells = np.full(side.mean_ranks.shape, -1, dtype=np.int64)
        for row, decks in enumerate(side.deck_ids):
            cells[row, : len(decks)] = [place.get(deck, -1) for deck in decks]
        shared = np.where(cells >= 0, side.mean_ranks, np.nan)
        is_usable = (np.count_nonzero(~np.isnan(shared), axis=1) >= MINIMUM_PAIRS) & _varies(shared)
        self._ranks, self._cells = side.mean_ranks[is_usable], cells[is_usable]
        self.instance_ids = tuple(
            each for each, usable in zip(side.instance_ids, is_usable, strict=True) if usable
        )  # fmt: skip
        self.n_total = len(side.instance_ids)

    def values(self, scores: FloatArray) -> FloatArray:
        """See `Target.values`."""
        if not len(self._cells):
            return np.array([], dtype=np.float64)
        padded = np.append(scores, np.nan)  # the cell −1 is the gap at the end
        return correlate_rows(self._ranks, -padded[self._cells]).rho


class PairTarget:
    """Share of pairs in people's order minus share in the opposite order, for each instance.

    Pairs that people call equal say nothing about an order and must not be given. Equal scores count for neither
    side. This is Goodman and Kruskal's count of agreeing and opposing pairs over all pairs that people decided.

    Args:
        pairs: decided pairs; a pair with a deck that cannot have a score is left out.
        deck_ids: the decks that scores are for.
    """

    words = "pairs"

    def __init__(self, pairs: Sequence[JudgedPair], deck_ids: Sequence[DeckId]) -> None:
        place = {deck: index for index, deck in enumerate(deck_ids)}
        kept = [pair for pair in pairs if pair.better in place and pair.worse in place]
        self.instance_ids = tuple(dict.fromkeys(pair.instance_id for pair in kept))
        self.n_total = len({pair.instance_id for pair in pairs})
        self.n_pairs = len(kept)
        owner = {instance_id: index for index, instance_id in enumerate(self.instance_ids)}
        self._owner = np.array([owner[pair.instance_id] for pair in kept], dtype=np.int64)
        self._better = np.array([place[pair.better] for pair in kept], dtype=np.int64)
        self._worse = np.array([place[pair.worse] for pair in kept], dtype=np.int64)

    def values(self, scores: FloatArray) -> FloatArray:
        """See `Target.values`. A pair without both scores is left out; an instance without a pair is NaN."""
        n = len(self.instance_ids)
        signs = np.sign(scores[self._better] - scores[self._worse])
        is_known = ~np.isnan(signs)
        sums = np.bincount(self._owner[is_known], weights=signs[is_known], minlength=n)
        counts = np.bincount(self._owner[is_known], minlength=n)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(counts > 0, sums / counts, np.nan), dtype=np.float64)


def named(target: Target, values: FloatArray) -> Mapping[InstanceId, float | None]:
    """Return the values by instance, None where there is none."""
    return {
        instance_id: None if math.isnan(value) else value
        for instance_id, value in zip(target.instance_ids, values.tolist(), strict=True)
    }


def _varies(rows: FloatArray) -> NDArray[np.bool_]:
    lowest = np.where(np.isnan(rows), np.inf, rows).min(axis=1, initial=np.inf)
    highest = np.where(np.isnan(rows), -np.inf, rows).max(axis=1, initial=-np.inf)
    return np.asarray(highest > lowest, dtype=np.bool_)
