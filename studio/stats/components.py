"""Weighted sums of components against people's rankings: every subset, and weights that change while one looks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from studio.model.ids import InstanceId
from studio.stats.correlation import MINIMUM_PAIRS, RowCorrelations, correlate_rows
from studio.stats.levels import identical_by_instance, mean_of_values
from studio.stats.rankings import Consensus, HumanRankings, Scores, consensus, method_matrix
from studio.stats.statistic import FloatArray, Reason

MOST_COMPONENTS = 12
"""Components whose subsets (4,095 of them) are still worth a table."""


@dataclass(frozen=True, kw_only=True)
class ComponentTable:
    """The people's side and each component's values in the same cells, read once and used for every sum."""

    names: tuple[str, ...]
    side: Consensus
    values: FloatArray
    """(components, instances, decks); NaN where a component has no value."""


@dataclass(frozen=True, kw_only=True)
class SumAlignment:
    """How well one weighted sum agrees with people; all numbers as `studio.stats.alignment.align` gives them."""

    weights: Mapping[str, float]
    """The components in the sum; one with weight 0 is not in it."""
    mean_rho: float | None
    std_rho: float | None
    """Population standard deviation over instances."""
    identical: float | None
    """Share of 1."""
    n_defined: int
    n_total: int
    undefined: Mapping[str, int]
    """Instances without a rho, by reason."""
    undefined_reason: str | None
    """Why `mean_rho` is None."""
    rho: Mapping[InstanceId, float | None]

    @property
    def components(self) -> tuple[str, ...]:
        """Return the names of the components in the sum."""
        return tuple(self.weights)


def component_table(human: HumanRankings, components: Mapping[str, Scores]) -> ComponentTable:
    """Return the cells of all components beside the people's mean ranks.

    Args:
        human: the submitted rankings.
        components: name → value of each deck by instance; higher is better.
    """
    side = consensus(human)
    matrices = [method_matrix(side, scores) for scores in components.values()]
    shape = (len(matrices), *side.mean_ranks.shape)
    return ComponentTable(names=tuple(components), side=side, values=np.array(matrices).reshape(shape))


def weighted(table: ComponentTable, weights: Mapping[str, float]) -> SumAlignment:
    """Return the agreement of one weighted sum.

    A component that is not named, or has weight 0, is not in the sum: a deck that lacks its value keeps its
    sum. A deck that lacks a component of the sum has none.

    Raises:
        ValueError: for a name that is no component, or a weight that is not finite.
    """
    return weighted_sums(table, [weights])[0]


def weighted_sums(table: ComponentTable, choices: Sequence[Mapping[str, float]]) -> list[SumAlignment]:
    """Return the agreement of each weighted sum; see `weighted`. All are correlated in one pass."""
    kept = [_kept(table, weights) for weights in choices]
    if not kept:
        return []
    sums = np.stack([_sum_of(table, weights) for weights in kept])
    n_sums, n_instances, n_decks = sums.shape
    human = np.broadcast_to(table.side.mean_ranks, sums.shape)
    rows = correlate_rows(
        human.reshape(n_sums * n_instances, n_decks), -sums.reshape(n_sums * n_instances, n_decks)
    )  # fmt: skip
    return [
        _alignment(table.side, weights, _slice(rows, slice(place * n_instances, (place + 1) * n_instances)))
        for place, weights in enumerate(kept)
    ]


def ablation(table: ComponentTable) -> list[SumAlignment]:
    """Return the plain sum of every subset of the components but the empty one, smaller subsets first.

    Raises:
        ValueError: for more than twelve components.

    Source:
        SlidesGen-Bench, table 5 (ρ, its standard deviation, identical ratio for subsets of the four scores).
    """
    if len(table.names) > MOST_COMPONENTS:
        raise ValueError(f"{len(table.names)} components have too many subsets; at most {MOST_COMPONENTS}")
    subsets = [
        dict.fromkeys(names, 1.0)
        for size in range(1, len(table.names) + 1)
        for names in combinations(table.names, size)
    ]  # fmt: skip
    return weighted_sums(table, subsets)


def _kept(table: ComponentTable, weights: Mapping[str, float]) -> dict[str, float]:
    unknown = [name for name in weights if name not in table.names]
    if unknown:
        raise ValueError(f"no component is called {', '.join(unknown)}")
    if not all(math.isfinite(weight) for weight in weights.values()):
        raise ValueError("a weight is not finite")
    return {name: float(weights[name]) for name in table.names if weights.get(name)}


def _sum_of(table: ComponentTable, weights: Mapping[str, float]) -> FloatArray:
    """Return the (instances, decks) sums, each rounded once.

    A total is stored as `math.fsum` of its parts. Any other order of addition may differ from it in the last
    bit and part two decks that are tied there, or tie two that are not.
    """
    if not weights:
        return np.where(np.isnan(table.side.mean_ranks), np.nan, 0.0)
    places = [table.names.index(name) for name in weights]
    factors = np.array(list(weights.values()))[:, None, None]
    terms = (table.values[places] * factors).reshape(len(places), -1)
    gap = np.isnan(terms).any(axis=0)
    sums = np.full(terms.shape[1], np.nan)
    if len(places) <= 2:  # one addition is rounded once as it is
        sums[~gap] = terms[:, ~gap].sum(axis=0)
    else:
        sums[~gap] = [math.fsum(column) for column in terms[:, ~gap].T.tolist()]
    return sums.reshape(table.side.mean_ranks.shape)


def _slice(rows: RowCorrelations, part: slice) -> RowCorrelations:
    return RowCorrelations(*(column[part] for column in rows))


def _alignment(side: Consensus, weights: dict[str, float], rows: RowCorrelations) -> SumAlignment:
    mean = mean_of_values(rows.rho)
    is_few = rows.n < MINIMUM_PAIRS
    counts = {
        Reason.CONSTANT.value: int(np.count_nonzero(~is_few & (rows.is_constant > 0))),
        Reason.TOO_FEW.value: int(np.count_nonzero(is_few)),
    }
    # A mean of nothing is undefined for the reason that most of its instances have.
    reason = max(counts, key=lambda name: counts[name]) if any(counts.values()) else mean.undefined_reason
    rho = {
        instance_id: None if math.isnan(value) else value
        for instance_id, value in zip(side.instance_ids, rows.rho.tolist(), strict=True)
    }
    return SumAlignment(
        weights=weights,
        mean_rho=mean.value,
        std_rho=_population_std(rows.rho[~np.isnan(rows.rho)]),
        identical=mean_of_values(identical_by_instance(rows)).value,
        n_defined=len(side.instance_ids) - sum(counts.values()),
        n_total=len(side.instance_ids),
        undefined=counts,
        undefined_reason=None if mean.value is not None else str(reason),
        rho=rho,
    )


def _population_std(values: FloatArray) -> float | None:
    if not len(values):
        return None
    # Summed exactly, as the mean is, so that the order of instances never shows.
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((values - mean) ** 2) / len(values))
