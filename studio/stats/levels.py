"""The four ways to bring many instances down to one number, each with its resampled values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.stats.correlation import (
    MINIMUM_PAIRS,
    RowCorrelations,
    correlate_rows,
    kendall_tau_b,
    spearman,
)
from studio.stats.identical import identical_ratio
from studio.stats.intervals import resampled_means
from studio.stats.statistic import FloatArray, Reason, Statistic, rounded, undefined


class Level(StrEnum):
    """What one correlation is computed over.

    ``instance`` correlates within each instance and takes the mean over instances. ``scenario`` takes the
    mean within each scenario first and then over scenarios, so that each scenario counts the same.
    ``system`` correlates the systems' mean ranks with their mean scores over all instances. ``pooled``
    correlates the decks of all instances in one list, which can turn the sign when instances differ in
    difficulty.
    """

    INSTANCE = "instance"
    SCENARIO = "scenario"
    SYSTEM = "system"
    POOLED = "pooled"


class TwoSides(NamedTuple):
    """People and one method on the same decks, ready for every level."""

    human: FloatArray
    """(instances, decks) mean ranks; NaN for a gap."""
    method: FloatArray
    """(instances, decks) values turned so that the lowest is best; NaN for a gap."""
    systems: NDArray[np.int64]
    """(instances, decks) number of each deck's system; −1 where nothing says which."""
    scenarios: NDArray[np.str_]
    """(instances,)"""
    rows: RowCorrelations
    """Of each instance."""


def two_sides(human: FloatArray, method: FloatArray, systems: NDArray[np.int64], scenarios: Sequence[str]) -> TwoSides:
    """Return both sides with the correlations of each instance."""
    return TwoSides(
        human=human,
        method=method,
        systems=systems,
        scenarios=np.array(scenarios, dtype=np.str_),
        rows=correlate_rows(human, method),
    )


class LevelResult(NamedTuple):
    """One number at one level."""

    rho: Statistic
    """`n` counts the units: instances, scenarios, systems or decks."""
    tau: Statistic
    identical: float | None
    values: FloatArray
    """The defined values that `rho` is the mean of; empty where it is one correlation."""


def result_at(level: Level, sides: TwoSides) -> LevelResult:
    """Return the number of one level."""
    rows = sides.rows
    match level:
        case Level.INSTANCE:
            return _of_means(rows.rho, rows.tau, identical_by_instance(rows))
        case Level.SCENARIO:
            means = [
                _scenario_means(values, sides.scenarios) for values in (rows.rho, rows.tau, identical_by_instance(rows))
            ]
            return _of_means(*means)
        case Level.SYSTEM:
            return _system_result(sides)
        case Level.POOLED:
            shared = ~(np.isnan(sides.human) | np.isnan(sides.method))
            return _one_list(sides.human[shared], sides.method[shared], _pooled_identical(rows))


def rho_at(level: Level, sides: TwoSides) -> Statistic:
    """Return Spearman's rho of one level alone, as `result_at` gives it."""
    match level:
        case Level.INSTANCE:
            return mean_of_values(sides.rows.rho)
        case Level.SCENARIO:
            return mean_of_values(_scenario_means(sides.rows.rho, sides.scenarios))
        case Level.SYSTEM:
            means = _system_means(sides)
            return spearman(*means) if means is not None else undefined(Reason.NO_LABELS, 0)
        case Level.POOLED:
            shared = ~(np.isnan(sides.human) | np.isnan(sides.method))
            return spearman(sides.human[shared], sides.method[shared])


def instances_behind(level: Level, sides: TwoSides) -> NDArray[np.bool_]:
    """Return which instances the number of a level rests on."""
    if level in (Level.INSTANCE, Level.SCENARIO):
        return ~np.isnan(sides.rows.rho)
    shared = ~(np.isnan(sides.human) | np.isnan(sides.method))
    if level is Level.SYSTEM:
        shared &= sides.systems >= 0
    return np.asarray(shared.any(axis=1), dtype=np.bool_)


def zero_filled(level: Level, sides: TwoSides) -> float | None:
    """Return the mean with 0 for each undefined instance; None at levels that take no mean of rho."""
    filled = np.nan_to_num(sides.rows.rho)
    match level:
        case Level.INSTANCE:
            return mean_of_values(filled).value
        case Level.SCENARIO:
            return mean_of_values(_scenario_means(filled, sides.scenarios)).value
        case _:
            return None


def identical_by_instance(rows: RowCorrelations) -> FloatArray:
    """Return the identical ratio of each instance, NaN below three decks."""
    return np.where(rows.n >= MINIMUM_PAIRS, rows.identical, np.nan)


def resampled(level: Level, sides: TwoSides, weights_for: Callable[[int], FloatArray]) -> FloatArray:
    """Return the number of a level for each resample of instances, NaN where it is undefined.

    Args:
        level: The level.
        sides: Both sides.
        weights_for: Gives the multiplicities (resamples, n) for n instances.
    """
    rho = sides.rows.rho
    # Undefined instances are not drawn at the levels that take a mean of rho: no mean could use them.
    defined = np.flatnonzero(~np.isnan(rho))
    match level:
        case Level.INSTANCE:
            # Sorted, so that the interval depends on the values and not on the order of instances.
            return resampled_means(np.sort(rho[defined]), weights_for(len(defined)))
        case Level.SCENARIO:
            order = defined[np.lexsort((rho[defined], sides.scenarios[defined]))]
            return _resampled_scenarios(rho[order], sides.scenarios[order], weights_for(len(order)))
        case Level.SYSTEM:
            return _resampled_systems(sides, weights_for(len(rho)))
        case Level.POOLED:
            return _resampled_pool(sides, weights_for(len(rho)))


def mean_of_values(values: FloatArray) -> Statistic:
    """Return the mean of the values that are numbers, rounded once, so that no order of addition shows."""
    kept = values[~np.isnan(values)]
    if not len(kept):
        return undefined(Reason.TOO_FEW, 0)
    return Statistic(value=math.fsum(kept) / len(kept), n=len(kept))


def _of_means(rho: FloatArray, tau: FloatArray, identical: FloatArray) -> LevelResult:
    return LevelResult(
        rho=mean_of_values(rho),
        tau=mean_of_values(tau),
        identical=mean_of_values(identical).value,
        values=rho[~np.isnan(rho)],
    )


def _scenario_means(values: FloatArray, scenarios: NDArray[np.str_]) -> FloatArray:
    means = [mean_of_values(values[scenarios == name]).value for name in np.unique(scenarios)]
    return np.array([math.nan if mean is None else mean for mean in means], dtype=np.float64)


def _system_result(sides: TwoSides) -> LevelResult:
    means = _system_means(sides)
    if means is None:
        return LevelResult(rho=undefined(Reason.NO_LABELS, 0), tau=undefined(Reason.NO_LABELS, 0), identical=None,
                           values=np.array([]))  # fmt: skip
    human, method = means
    enough = len(human) >= MINIMUM_PAIRS
    return _one_list(human, method, identical_ratio(human, method).value if enough else None)


def _system_means(sides: TwoSides) -> tuple[FloatArray, FloatArray] | None:
    """Return the systems' means on both sides; None if nothing says which deck is of which system."""
    if not (sides.systems >= 0).any():
        return None
    usable = ~(np.isnan(sides.human) | np.isnan(sides.method)) & (sides.systems >= 0)
    means: tuple[list[float], list[float]] = ([], [])
    for system in np.unique(sides.systems[usable]):
        of_system = usable & (sides.systems == system)
        for side, cells in zip(means, (sides.human, sides.method), strict=True):
            side.append(math.fsum(cells[of_system]) / np.count_nonzero(of_system))
    return rounded(np.array(means[0])), rounded(np.array(means[1]))


def _one_list(human: FloatArray, method: FloatArray, identical: float | None) -> LevelResult:
    return LevelResult(
        rho=spearman(human, method),
        tau=kendall_tau_b(human, method),
        identical=identical,
        values=np.array([]),
    )


def _pooled_identical(rows: RowCorrelations) -> float | None:
    enough = rows.n >= MINIMUM_PAIRS
    if not enough.any():
        return None
    return float((rows.identical[enough] * rows.n[enough]).sum() / rows.n[enough].sum())


def _resampled_scenarios(rho: FloatArray, scenarios: NDArray[np.str_], weights: FloatArray) -> FloatArray:
    member = (scenarios[:, None] == np.unique(scenarios)).astype(np.float64)
    counts = weights @ member
    with np.errstate(invalid="ignore"):
        means = np.where(counts > 0, weights @ (member * rho[:, None]) / counts, 0.0)
    return np.asarray(means.sum(axis=1) / (counts > 0).sum(axis=1), dtype=np.float64)


def _resampled_systems(sides: TwoSides, weights: FloatArray) -> FloatArray:
    rows, columns = np.nonzero(~(np.isnan(sides.human) | np.isnan(sides.method)) & (sides.systems >= 0))
    cells = (rows, sides.systems[rows, columns])
    shape = (len(sides.human), int(sides.systems.max()) + 1)
    counts, human, method = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    np.add.at(counts, cells, 1)
    np.add.at(human, cells, sides.human[rows, columns])
    np.add.at(method, cells, sides.method[rows, columns])
    seen = weights @ counts
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_human = np.where(seen > 0, weights @ human / seen, np.nan)
        mean_method = np.where(seen > 0, weights @ method / seen, np.nan)
    return correlate_rows(rounded(mean_human), rounded(mean_method)).rho


def _resampled_pool(sides: TwoSides, weights: FloatArray) -> FloatArray:
    # Sorting each resample anew would cost seconds. A value's mid-rank in a resample is the number of cells
    # below it, plus half of its own, plus a half, so sorting once and summing multiplicities is enough.
    rows, columns = np.nonzero(~(np.isnan(sides.human) | np.isnan(sides.method)))
    _, code_human = np.unique(sides.human[rows, columns], return_inverse=True)
    _, code_method = np.unique(sides.method[rows, columns], return_inverse=True)
    draws = np.full(len(weights), np.nan)
    for index, weight in enumerate(weights):
        of_cell = weight[rows]
        total = of_cell.sum()
        if total < MINIMUM_PAIRS:
            continue
        a = _weighted_ranks(code_human, of_cell) - (total + 1) / 2
        b = _weighted_ranks(code_method, of_cell) - (total + 1) / 2
        # Plain sums, for the reason given at `resampled_means`.
        weighted_a, weighted_b = of_cell * a, of_cell * b
        spread = math.sqrt(float((weighted_a * a).sum()) * float((weighted_b * b).sum()))
        if spread > 0:
            draws[index] = float((weighted_a * b).sum()) / spread
    return draws


def _weighted_ranks(codes: NDArray[np.int64], weights: FloatArray) -> FloatArray:
    counts = np.bincount(codes, weights=weights)
    ranks: FloatArray = np.cumsum(counts) - counts / 2 + 0.5
    return ranks[codes]
