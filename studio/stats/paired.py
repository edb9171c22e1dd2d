"""Strengths of items from pairs and from partial rankings: Bradley–Terry, Plackett–Luce, and Elo for show."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.stats.intervals import bootstrap_weights
from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, Reason

Item = TypeVar("Item", bound=Hashable)

Loss = Callable[[FloatArray], tuple[float, FloatArray]]
"""Minus the log-likelihood of strengths, and its gradient."""

ELO_BASE = 1000.0
ELO_SCALE = 400.0
"""Elo points for odds of ten to one."""


@dataclass(frozen=True, kw_only=True)
class Comparison(Generic[Item]):
    """One comparison of two items."""

    first: Item
    second: Item
    score: float
    """1 if the first won, 0 if it lost, ½ for a tie: half a win for each."""
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Strengths(Generic[Item]):
    """What each item is worth, or why that cannot be said."""

    theta: Mapping[Item, float] | None
    """Natural-log strengths with mean 0: the first beats the second with odds exp(difference)."""
    alpha: float
    """Pull towards equal strengths; above 0 the strengths are regularised: say so beside them."""
    groups: tuple[frozenset[Item], ...]
    """Items that were compared with each other, directly or through others; more than one: no joint order."""
    is_finite_without_alpha: bool
    """Every item both won and lost against the rest, so that the plain estimate exists."""
    n: float
    """Summed weight of the comparisons, or the number of rankings."""
    undefined_reason: str | None = None

    @property
    def elo(self) -> dict[Item, float] | None:
        """Return the strengths in Elo points, 1000 being the mean."""
        if self.theta is None:
            return None
        points = ELO_SCALE / math.log(10)
        return {item: ELO_BASE + points * strength for item, strength in self.theta.items()}

    def chance_to_beat(self, first: Item, second: Item) -> float | None:
        """Return the modelled probability (0 to 1) that the first item beats the second."""
        if self.theta is None:
            return None
        return 1 / (1 + math.exp(self.theta[second] - self.theta[first]))


def bradley_terry(comparisons: Sequence[Comparison[Item]], *, alpha: float = 0.0) -> Strengths[Item]:
    """Return the Bradley–Terry strengths that make the comparisons most likely; ties are half a win each.

    Args:
        comparisons: In any order; nothing depends on it.
        alpha: 0 for the plain estimate; a small value such as 0.01 keeps strengths finite. It acts as a
            Gamma prior on each item's strength, as if every item had met each other alpha times.

    Returns:
        Strengths; undefined (``not_connected``) if groups of items never met, whatever alpha is, and
        (``separated``) for alpha 0 if some item or group never lost or never won.

    Source:
        Bradley & Terry (1952); existence of the estimate: Ford (1957); prior as in the spectral estimate of
        Maystre & Grossglauser (2015) with added transitions.
    """
    items = _items(comparisons)
    wins = _wins(comparisons, items)
    return _fit(items, wins, _pair_loss(wins), alpha, float(sum(each.weight for each in comparisons)))


def plackett_luce(rankings: Sequence[Sequence[Item]], *, alpha: float = 0.0) -> Strengths[Item]:
    """Return the Plackett–Luce strengths that make full or partial rankings most likely.

    Args:
        rankings: Each best first, with the ranked items only and without ties (for ties take
            `comparisons_from_ranks`, which treats the pairs of a ranking as independent).
        alpha: As for `bradley_terry`.

    Returns:
        Strengths; undefined as for `bradley_terry`.

    Raises:
        ValueError: if an item occurs twice in a ranking.

    Source:
        Luce (1959); Plackett (1975); existence: Hunter (2004).
    """
    items = list(dict.fromkeys(item for ranking in rankings for item in ranking))
    place = {item: index for index, item in enumerate(items)}
    wins = np.zeros((len(items), len(items)))
    rows = [np.array([place[item] for item in ranking], dtype=np.int64) for ranking in rankings]
    for row in rows:
        if len(set(row.tolist())) < len(row):
            raise ValueError("an item occurs twice in one ranking")
        for index, winner in enumerate(row):
            wins[winner, row[index + 1 :]] += 1
    compared = [row for row in rows if len(row) >= 2]

    def loss(theta: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = 0.0, np.zeros(len(items))
        for row in compared:
            strength = theta[row]
            # Log of what is left at each stage: the sum of strengths from this place to the last.
            left = np.logaddexp.accumulate(strength[::-1])[::-1][:-1]
            value += float((left - strength[:-1]).sum())
            gradient[row[:-1]] -= 1
            share = np.cumsum(np.exp(-left))
            gradient[row] += np.exp(strength) * np.append(share, share[-1:])
        return value, gradient

    return _fit(items, wins, loss, alpha, float(len(rows)))


@dataclass(frozen=True, kw_only=True)
class StrengthInterval:
    """How sure one item's strength and rank are; both ends are 95 % percentiles over resamples."""

    low: float
    """Lower end of the natural-log strength."""
    high: float
    best_rank: float
    worst_rank: float


@dataclass(frozen=True, kw_only=True)
class StrengthIntervals(Generic[Item]):
    """The intervals of all items."""

    items: Mapping[Item, StrengthInterval]
    n_clusters: int
    resamples: int
    n_regularised: int
    """Resamples without a finite estimate of their own, which were pulled towards equal strengths."""


def strength_intervals(
    clusters: Sequence[Sequence[Comparison[Item]]],
    *,
    alpha: float = 0.0,
    pull: float = 0.01,
    resamples: int = 200,
    seed: int = 0,
) -> StrengthIntervals[Item]:
    """Return bootstrap intervals of Bradley–Terry strengths and ranks.

    Args:
        clusters: The comparisons of each instance. Instances are drawn whole, since the pairs of one
            ranking or of one instance depend on each other.
        alpha: As for `bradley_terry`.
        pull: The alpha for a resample where an item vanished or never lost.
        resamples: Refits.
        seed: Of the draws.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    items = _items([each for cluster in clusters for each in cluster])
    if len(items) < 2:
        return StrengthIntervals(items={}, n_clusters=len(clusters), resamples=0, n_regularised=0)
    wins = np.stack([_wins(cluster, items) for cluster in clusters])
    draws = np.zeros((resamples, len(items)))
    n_regularised = 0
    for index, weights in enumerate(bootstrap_weights(len(clusters), resamples=resamples, seed=seed)):
        drawn = np.tensordot(weights, wins, axes=1)
        strong, _ = connected_components(csr_array(drawn > 0), directed=True, connection="strong")
        n_regularised += int(strong > 1)
        draws[index] = _maximise(_pair_loss(drawn), len(items), max(alpha, pull) if strong > 1 else alpha)
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    # Rounded, so that strengths that are equal but for the optimiser's last digits share a rank.
    best, worst = np.quantile(mid_rank_rows(-draws.round(6)), [0.025, 0.975], axis=0, method="nearest")
    return StrengthIntervals(
        items={
            item: StrengthInterval(
                low=float(low[i]), high=float(high[i]), best_rank=float(best[i]), worst_rank=float(worst[i])
            )
            for i, item in enumerate(items)
        },
        n_clusters=len(clusters),
        resamples=resamples,
        n_regularised=n_regularised,
    )


def comparisons_from_ranks(ranks: Mapping[Item, float], *, weight: float = 1.0) -> list[Comparison[Item]]:
    """Return every pair of one ranking (1 is best) as a comparison; equal ranks are ties."""
    items = list(ranks)
    return [
        Comparison(
            first=first,
            second=second,
            score=0.5 if ranks[first] == ranks[second] else float(ranks[first] < ranks[second]),
            weight=weight,
        )
        for index, first in enumerate(items)
        for second in items[index + 1 :]
    ]


def elo(comparisons: Sequence[Comparison[Item]], *, k: float = 32.0) -> dict[Item, float]:
    """Return Elo ratings after the comparisons in this order, from 1000 for everyone.

    The same results in another order give other ratings, so this is for a running display only;
    `bradley_terry` is the statistic.
    """
    ratings: dict[Item, float] = {}
    for each in comparisons:
        first, second = ratings.get(each.first, ELO_BASE), ratings.get(each.second, ELO_BASE)
        expected = 1 / (1 + 10 ** ((second - first) / ELO_SCALE))
        change = k * each.weight * (each.score - expected)
        ratings[each.first], ratings[each.second] = first + change, second - change
    return ratings


def _items(comparisons: Sequence[Comparison[Item]]) -> list[Item]:
    return list(dict.fromkeys(item for each in comparisons for item in (each.first, each.second)))


def _wins(comparisons: Sequence[Comparison[Item]], items: list[Item]) -> FloatArray:
    place = {item: index for index, item in enumerate(items)}
    wins = np.zeros((len(items), len(items)))
    for each in comparisons:
        i, j = place[each.first], place[each.second]
        wins[i, j] += each.weight * each.score
        wins[j, i] += each.weight * (1 - each.score)
    return wins


def _pair_loss(wins: FloatArray) -> Loss:
    winners, losers = np.nonzero(wins)
    counts = wins[winners, losers]

    def loss(theta: FloatArray) -> tuple[float, FloatArray]:
        gap = theta[winners] - theta[losers]
        pull = counts * _logistic(-gap)
        lost, won = np.bincount(losers, pull, len(wins)), np.bincount(winners, pull, len(wins))
        return float((counts * np.logaddexp(0, -gap)).sum()), np.asarray(lost - won, dtype=np.float64)

    return loss


def _fit(
    items: list[Item],
    wins: FloatArray,
    loss: Loss,
    alpha: float,
    n: float,
) -> Strengths[Item]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if len(items) < 2:
        return Strengths(
            theta=None, alpha=alpha, groups=tuple(frozenset([item]) for item in items),
            is_finite_without_alpha=False, n=n, undefined_reason=Reason.TOO_FEW,
        )  # fmt: skip
    graph = csr_array(wins > 0)
    n_groups, group_of = connected_components(graph, directed=True, connection="weak")
    n_strong, _ = connected_components(graph, directed=True, connection="strong")
    groups = tuple(
        frozenset(item for item, group in zip(items, group_of, strict=True) if group == each)
        for each in range(n_groups)
    )
    reason = None
    if n_groups > 1:
        reason = Reason.NOT_CONNECTED
    elif n_strong > 1 and alpha == 0:
        reason = Reason.SEPARATED
    theta = None
    if reason is None:
        fitted = _maximise(loss, len(items), alpha)
        theta = {item: float(strength) for item, strength in zip(items, fitted, strict=True)}
    return Strengths(
        theta=theta,
        alpha=alpha,
        groups=groups,
        is_finite_without_alpha=n_strong == 1,
        n=n,
        undefined_reason=reason,
    )


def _maximise(loss: Callable[[FloatArray], tuple[float, FloatArray]], size: int, alpha: float) -> FloatArray:
    from scipy.optimize import minimize

    pull = alpha * size

    def penalised(theta: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = loss(theta)
        strength = np.exp(theta)
        return value + pull * float((strength - theta).sum()), gradient + pull * (strength - 1)

    result = minimize(
        penalised if pull else loss,
        np.zeros(size),
        jac=True,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 100_000},
    )
    theta = np.asarray(result.x, dtype=np.float64)
    return np.asarray(theta - theta.mean(), dtype=np.float64)


def _logistic(x: FloatArray) -> FloatArray:
    positive: NDArray[np.float64] = np.exp(-np.logaddexp(0, -x))
    return positive
