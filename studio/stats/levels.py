"""The four ways to bring many instances down to one correlation, each with its resampled values.

All take the human mean ranks and the method's values as matrices (instances, decks), lowest best, NaN for a
gap; all resample whole instances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.stats.correlation import MINIMUM_PAIRS, correlate_rows, kendall_tau_b, spearman
from studio.stats.identical import identical_ratio
from studio.stats.statistic import FloatArray, Reason, Statistic, undefined

_SIGNIFICANT_DIGITS = 12
"""Kept of a system's mean: 0.1 + 0.2 and 0.3 + 0.0 must stay a tie, in whatever order they are added."""


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


class LevelResult(NamedTuple):
    """One number at one level."""

    rho: Statistic
    """`n` counts the units: instances, scenarios, systems or decks."""
    tau: Statistic
    identical: float | None
    values: FloatArray
    """The defined values that `rho` is the mean of; empty where it is one correlation."""


def mean_of_values(values: FloatArray) -> Statistic:
    """Return the mean of the values that are numbers, rounded once, so that no order of addition shows."""
    kept = values[~np.isnan(values)]
    if not len(kept):
        return undefined(Reason.TOO_FEW, 0)
    return Statistic(value=math.fsum(kept) / len(kept), n=len(kept))


def scenario_means(values: FloatArray, groups: Sequence[str]) -> FloatArray:
    """Return the mean of the defined values within each scenario, NaN where a scenario has none."""
    names = sorted(set(groups))
    labels = np.array(groups)
    means = [mean_of_values(values[labels == name]).value for name in names]
    return np.array([math.nan if mean is None else mean for mean in means])


def resampled_scenarios(values: FloatArray, groups: Sequence[str], weights: FloatArray) -> FloatArray:
    """Return the mean over scenarios of the mean within each, for each resample of instances.

    Args:
        values: (instances,) defined values.
        groups: The scenario of each instance.
        weights: (resamples, instances) multiplicities.
    """
    names = sorted(set(groups))
    member = np.array([[group == name for name in names] for group in groups], dtype=np.float64)
    counts = weights @ member
    with np.errstate(invalid="ignore"):
        means = np.where(counts > 0, weights @ (member * values[:, None]) / counts, 0.0)
    return np.asarray(means.sum(axis=1) / (counts > 0).sum(axis=1), dtype=np.float64)


def system_result(human: FloatArray, method: FloatArray, systems: NDArray[np.int64]) -> LevelResult:
    """Return the correlation of the systems' mean human ranks with their mean values.

    Args:
        human: (instances, decks) mean ranks.
        method: (instances, decks) values, lowest best.
        systems: (instances, decks) number of each deck's system; −1 where nothing says which.
    """
    if not (systems >= 0).any():
        nothing = undefined(Reason.NO_LABELS, 0)
        return LevelResult(rho=nothing, tau=nothing, identical=None, values=np.array([]))
    usable = ~(np.isnan(human) | np.isnan(method)) & (systems >= 0)
    sides: tuple[list[float], list[float]] = ([], [])
    for system in np.unique(systems[usable]):
        of_system = usable & (systems == system)
        for side, cells in zip(sides, (human, method), strict=True):
            side.append(math.fsum(cells[of_system]) / np.count_nonzero(of_system))
    return _one_list(_rounded(np.array(sides[0])), _rounded(np.array(sides[1])))


def resampled_systems(
    human: FloatArray, method: FloatArray, systems: NDArray[np.int64], weights: FloatArray
) -> FloatArray:
    """Return the correlation of system means for each resample of instances (NaN where undefined)."""
    usable = ~(np.isnan(human) | np.isnan(method)) & (systems >= 0)
    rows, columns = np.nonzero(usable)
    n_systems = int(systems.max()) + 1
    shape = (human.shape[0], n_systems)
    counts, sums_human, sums_method = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    cells = (rows, systems[rows, columns])
    np.add.at(counts, cells, 1)
    np.add.at(sums_human, cells, human[rows, columns])
    np.add.at(sums_method, cells, method[rows, columns])
    seen = weights @ counts
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_human = np.where(seen > 0, weights @ sums_human / seen, np.nan)
        mean_method = np.where(seen > 0, weights @ sums_method / seen, np.nan)
    return correlate_rows(_rounded(mean_human), _rounded(mean_method)).rho


def pooled_result(human: FloatArray, method: FloatArray) -> LevelResult:
    """Return the correlation over the decks of all instances in one list."""
    usable = ~(np.isnan(human) | np.isnan(method))
    return _one_list(human[usable], method[usable])


def resampled_pool(human: FloatArray, method: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the pooled correlation for each resample of instances (NaN where undefined).

    Sorting each resample anew would cost seconds. A value's mid-rank in a resample is the number of cells
    below it plus half of its own and a half, so sorting once and summing multiplicities is enough.
    """
    rows, columns = np.nonzero(~(np.isnan(human) | np.isnan(method)))
    _, code_human = np.unique(human[rows, columns], return_inverse=True)
    _, code_method = np.unique(method[rows, columns], return_inverse=True)
    draws = np.full(len(weights), np.nan)
    for index, weight in enumerate(weights):
        of_cell = weight[rows]
        total = of_cell.sum()
        if total < MINIMUM_PAIRS:
            continue
        a = _weighted_ranks(code_human, of_cell) - (total + 1) / 2
        b = _weighted_ranks(code_method, of_cell) - (total + 1) / 2
        spread = math.sqrt(float(of_cell @ (a * a)) * float(of_cell @ (b * b)))
        if spread > 0:
            draws[index] = float(of_cell @ (a * b)) / spread
    return draws


def _weighted_ranks(codes: NDArray[np.int64], weights: FloatArray) -> FloatArray:
    counts = np.bincount(codes, weights=weights)
    ranks: FloatArray = np.cumsum(counts) - counts / 2 + 0.5
    return ranks[codes]


def _one_list(human: FloatArray, method: FloatArray) -> LevelResult:
    return LevelResult(
        rho=spearman(human, method),
        tau=kendall_tau_b(human, method),
        identical=identical_ratio(human, method).value if len(human) >= MINIMUM_PAIRS else None,
        values=np.array([]),
    )


def _rounded(values: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(values == 0, 0, np.floor(np.log10(np.abs(values))))
        scale = 10.0 ** (_SIGNIFICANT_DIGITS - power)
        return np.asarray(np.round(values * scale) / scale, dtype=np.float64)
