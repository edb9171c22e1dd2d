"""How well one method's scores agree with people: the rows of the methods table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from studio.model.ids import InstanceId
from studio.stats.correlation import MINIMUM_PAIRS, RowCorrelations
from studio.stats.intervals import OPTIMISTIC_BELOW, bootstrap_weights, percentile_interval
from studio.stats.levels import (
    Level,
    TwoSides,
    identical_by_instance,
    instances_behind,
    resampled,
    result_at,
    rho_at,
    two_sides,
    zero_filled,
)
from studio.stats.rankings import Consensus, HumanRankings, Scores, consensus, method_matrix
from studio.stats.statistic import FloatArray, Interval, Reason

FEW_DECKS_BELOW = 5
"""Shared decks below which one rho takes so few values that it deserves a warning."""


class Caution(StrEnum):
    """What a reader should know before trusting a row."""

    FEW_INSTANCES = "few_instances"
    """Fewer than ten defined instances: the interval is too narrow."""
    FEW_DECKS = "few_decks"
    """Some defined instance has fewer than five shared decks."""
    NO_WIDTH = "no_width"
    """The interval has no width since all values are equal."""
    SIGNS_DISAGREE = "signs_disagree"
    """The four levels disagree in sign: say which one a number is from."""


@dataclass(frozen=True, kw_only=True)
class InstanceAlignment:
    """One method on one instance."""

    instance_id: InstanceId
    rho: float | None
    """Spearman, −1 to 1; 1 = the same order as the people's."""
    tau: float | None
    """Kendall's tau-b."""
    identical: float | None
    """Share of shared decks with equal mid-ranks; None below three decks."""
    n: int
    """Decks that both sides have."""
    reason: str | None
    """Why rho is undefined: ``too_few`` or ``constant``."""
    n_annotators: int


@dataclass(frozen=True, kw_only=True)
class MethodAlignment:
    """One method over all instances at one level."""

    level: Level
    mean_rho: float | None
    """Mean over instances or scenarios; at the levels system and pooled the one correlation."""
    std_rho: float | None
    """Population standard deviation (ddof 0) of the values behind the mean; None where there is one only."""
    std_rho_sample: float | None
    """Sample standard deviation (ddof 1)."""
    zero_filled_rho: float | None
    """The mean if each undefined instance counted as 0 (levels instance and scenario): a sensitivity line."""
    mean_tau: float | None
    identical: float | None
    """Share of 1. Undefined rho with three or more decks still counts here: a constant side is a choice."""
    chance_identical: float | None
    """Mean of 1/n over the same instances: the line to read `identical` against."""
    n_units: int
    """What the number is over: instances, scenarios, systems or decks."""
    n_defined: int
    """Instances that the number rests on."""
    n_total: int
    """Instances with a submitted ranking."""
    undefined: Mapping[str, int]
    """Instances that it does not rest on, by reason; always with ``constant`` and ``too_few``."""
    undefined_reason: str | None
    """Why `mean_rho` is None; of a mean over instances, the reason that most of them have."""
    ci_low: float | None
    ci_high: float | None
    """Percentile bootstrap over instances, 95 %."""
    resamples: int
    degenerate_resamples: int
    """Draws without a correlation; left out of the interval."""
    seed: int
    by_level: Mapping[Level, float | None]
    """The same data at every level."""
    cautions: frozenset[Caution]
    instances: tuple[InstanceAlignment, ...]


def align(
    human: HumanRankings,
    scores: Scores,
    *,
    level: Level | str = Level.INSTANCE,
    higher_is_better: bool = True,
    resamples: int = 1000,
    seed: int = 0,
) -> MethodAlignment:
    """Return how well one method's scores agree with the human rankings.

    The human side of an instance is the mean over its annotators of their mid-ranks. Within an instance only
    the decks that both sides have are compared, and both sides are ranked anew among them. Fewer than three
    shared decks, or one side constant, leave an instance undefined: counted by reason, never 0. The levels
    system and pooled take the mean ranks as they are: a deck's standing there does not depend on which other
    decks the method has scored.

    Nothing depends on the names or the order of decks and annotators. At the levels instance and scenario
    nothing depends on the order of instances either.

    Args:
        human: The submitted rankings.
        scores: The method's value of each deck by instance; instances and decks may be missing.
        level: What one correlation is computed over.
        higher_is_better: False for a method that gives ranks.
        resamples: Bootstrap resamples; 0 leaves the interval out.
        seed: Of the bootstrap draws.

    Source:
        SlidesGen-Bench, agreement with human rankings (mean and deviation of Spearman's rho over
        instructions, identical ratio). Differs: the deviation's ddof, ties and undefined cases, which the
        paper leaves open, are as said here.
    """
    methods = {"": scores}
    return align_methods(
        human, methods, level=level, higher_is_better=higher_is_better, resamples=resamples, seed=seed
    )[""]


def align_methods(
    human: HumanRankings,
    methods: Mapping[str, Scores],
    *,
    level: Level | str = Level.INSTANCE,
    higher_is_better: bool = True,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, MethodAlignment]:
    """Return `align` of each method by its name; the human side and the draws are made once for all."""
    side = consensus(human)
    systems = _system_numbers(human, side)
    scenarios = [human.scenarios.get(instance_id, "") for instance_id in side.instance_ids]
    weights: dict[int, FloatArray] = {}

    def weights_for(n: int) -> FloatArray:
        if n not in weights:
            weights[n] = bootstrap_weights(n, resamples=resamples, seed=seed)
        return weights[n]

    found: dict[str, MethodAlignment] = {}
    for name, scores in methods.items():
        # Rank 1 is best and a high score is best: the method is turned so that both read "lowest is best".
        values = method_matrix(side, scores) * (-1 if higher_is_better else 1)
        sides = two_sides(side.mean_ranks, values, systems, scenarios)
        found[name] = _row(side, sides, Level(level), weights_for if resamples else None, seed)
    return found


def _row(
    side: Consensus,
    sides: TwoSides,
    level: Level,
    weights_for: Callable[[int], FloatArray] | None,
    seed: int,
) -> MethodAlignment:
    result = result_at(level, sides)
    behind = instances_behind(level, sides)
    draws = np.array([])
    if weights_for is not None and result.rho.value is not None:
        draws = resampled(level, sides, weights_for)
    interval = percentile_interval(draws) if len(draws) else Interval(low=None, high=None)
    by_level = {each: result.rho.value if each is level else rho_at(each, sides).value for each in Level}
    n_defined = int(behind.sum())
    counts = _undefined(level, sides.rows, behind)
    return MethodAlignment(
        level=level,
        mean_rho=result.rho.value,
        std_rho=_deviation(result.values, ddof=0),
        std_rho_sample=_deviation(result.values, ddof=1),
        zero_filled_rho=zero_filled(level, sides),
        mean_tau=result.tau.value,
        identical=result.identical,
        chance_identical=_chance(sides.rows),
        n_units=result.rho.n,
        n_defined=n_defined,
        n_total=len(behind),
        undefined=counts,
        undefined_reason=_overall_reason(level, result.rho.undefined_reason, counts),
        ci_low=interval.low,
        ci_high=interval.high,
        resamples=len(draws),
        degenerate_resamples=int(np.isnan(draws).sum()),
        seed=seed,
        by_level=by_level,
        cautions=_cautions(sides.rows, n_defined, interval, by_level),
        instances=_instances(side, sides.rows),
    )


def _chance(rows: RowCorrelations) -> float | None:
    enough = rows.n >= MINIMUM_PAIRS
    return math.fsum(1 / rows.n[enough]) / int(enough.sum()) if enough.any() else None


def _system_numbers(human: HumanRankings, side: Consensus) -> NDArray[np.int64]:
    numbers: dict[str, int] = {}
    cells = np.full(side.mean_ranks.shape, -1, dtype=np.int64)
    for row, decks in enumerate(side.deck_ids):
        for column, deck in enumerate(decks):
            system = human.systems.get(deck)
            if system is not None:
                cells[row, column] = numbers.setdefault(system, len(numbers))
    return cells


def _reasons(rows: RowCorrelations) -> list[str | None]:
    few, constant = rows.n < MINIMUM_PAIRS, rows.is_constant > 0
    return [
        Reason.TOO_FEW if is_few else Reason.CONSTANT if is_constant else None
        for is_few, is_constant in zip(few, constant, strict=True)
    ]


def _undefined(level: Level, rows: RowCorrelations, behind: NDArray[np.bool_]) -> dict[str, int]:
    counts = {Reason.CONSTANT.value: 0, Reason.TOO_FEW.value: 0}
    if level in (Level.INSTANCE, Level.SCENARIO):
        for reason in _reasons(rows):
            if reason is not None:
                counts[str(reason)] += 1
    else:
        counts[Reason.TOO_FEW.value] = int((~behind).sum())
    return counts


def _overall_reason(level: Level, reason: str | None, counts: Mapping[str, int]) -> str | None:
    # A mean of nothing is undefined for the reason that most of its instances have.
    if reason is None or level in (Level.SYSTEM, Level.POOLED) or not any(counts.values()):
        return reason
    return max(counts, key=lambda name: counts[name])


def _cautions(
    rows: RowCorrelations, n_defined: int, interval: Interval, by_level: Mapping[Level, float | None]
) -> frozenset[Caution]:
    signs = {math.copysign(1, rho) for rho in by_level.values() if rho}
    checks = {
        Caution.FEW_INSTANCES: n_defined < OPTIMISTIC_BELOW,
        Caution.FEW_DECKS: bool((rows.n[~np.isnan(rows.rho)] < FEW_DECKS_BELOW).any()),
        Caution.NO_WIDTH: interval.low is not None and interval.low == interval.high,
        Caution.SIGNS_DISAGREE: len(signs) > 1,
    }
    return frozenset(caution for caution, applies in checks.items() if applies)


def _instances(side: Consensus, rows: RowCorrelations) -> tuple[InstanceAlignment, ...]:
    identical = identical_by_instance(rows)
    columns = zip(
        side.instance_ids,
        rows.rho.tolist(),
        rows.tau.tolist(),
        identical.tolist(),
        rows.n.tolist(),
        _reasons(rows),
        side.n_annotators,
        strict=True,
    )
    return tuple(
        InstanceAlignment(
            instance_id=instance_id,
            rho=_number(rho),
            tau=_number(tau),
            identical=_number(share),
            n=int(n),
            reason=reason,
            n_annotators=people,
        )
        for instance_id, rho, tau, share, n, reason, people in columns
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _deviation(values: FloatArray, *, ddof: int) -> float | None:
    if len(values) <= ddof:
        return None
    # Summed exactly, so that neither the order of instances nor of scenarios shows in the last digit.
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((values - mean) ** 2) / (len(values) - ddof))
