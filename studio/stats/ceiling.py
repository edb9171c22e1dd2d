"""How well people agree with each other: what a method's alignment is to be read against.

Compare like with like: a method against single annotators belongs beside the pairwise ceiling, a method
against the mean of all annotators beside the leave-one-out ceiling. Neither is an upper bound.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from studio.model.ids import AnnotatorId, InstanceId
from studio.stats.correlation import correlate_rows
from studio.stats.intervals import bootstrap_mean
from studio.stats.rankings import HumanRankings
from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, Numbers, Reason, as_floats


@dataclass(frozen=True, kw_only=True)
class InstanceCeiling:
    """The agreement of one instance's annotators."""

    instance_id: InstanceId
    pairwise_mean: float | None
    """Mean rho over pairs of annotators."""
    pairwise_max: float | None
    leave_one_out: float | None
    """Mean over annotators of rho with the mean rank of the others."""
    n_annotators: int
    reason: str | None
    """Why there is none: ``one_rater``, or ``constant`` and ``too_few`` when no pair is defined."""


@dataclass(frozen=True, kw_only=True)
class HumanCeilings:
    """The agreement of annotators over all instances; means of the defined instances."""

    pairwise_mean: float | None
    pairwise_max: float | None
    """Mean over instances of the best pair; grows with the number of annotators."""
    leave_one_out: float | None
    reliability: float | None
    """Of the mean rank: Spearman–Brown of the pairwise mean at the mean number of annotators."""
    n_defined: int
    n_total: int
    undefined: Mapping[str, int]
    instances: tuple[InstanceCeiling, ...]


@dataclass(frozen=True, kw_only=True)
class AnnotatorAgreement:
    """One annotator with another, or with the mean rank of all others (`other` is None)."""

    annotator: AnnotatorId
    other: AnnotatorId | None
    mean_rho: float | None
    mean_tau: float | None
    identical: float | None
    """Mean share of equal mid-ranks, over the instances where rho is defined."""
    ci_low: float | None
    """Of the mean rho, percentile bootstrap over instances."""
    ci_high: float | None
    n_defined: int
    """Instances with a defined rho."""
    n_shared: int
    """Instances that both ranked."""
    undefined: Mapping[str, int]


def instance_ceiling(instance_id: InstanceId, rankings: Sequence[Numbers]) -> InstanceCeiling:
    """Return the agreement of one instance's annotators.

    Args:
        instance_id: Of the instance.
        rankings: One row for each annotator, one rank for each deck in the same order; None for a deck that
            was left unranked. Pairs are compared on the decks that both have.
    """
    m = len(rankings)
    if m < 2:
        return InstanceCeiling(
            instance_id=instance_id, pairwise_mean=None, pairwise_max=None, leave_one_out=None,
            n_annotators=m, reason=Reason.ONE_RATER,
        )  # fmt: skip
    ranks = mid_rank_rows(np.stack([as_floats(row) for row in rankings]))
    first, second = np.array(list(itertools.combinations(range(m), 2))).T
    pairs = correlate_rows(ranks[first], ranks[second])
    defined = pairs.rho[~np.isnan(pairs.rho)]
    others = np.stack([_mean_of_others(ranks, rater) for rater in range(m)])
    alone = correlate_rows(ranks, others).rho
    alone = alone[~np.isnan(alone)]
    reason = None
    if not len(defined):
        reason = Reason.TOO_FEW if (pairs.n < 3).all() else Reason.CONSTANT
    return InstanceCeiling(
        instance_id=instance_id,
        pairwise_mean=math.fsum(defined) / len(defined) if len(defined) else None,
        pairwise_max=float(defined.max()) if len(defined) else None,
        leave_one_out=math.fsum(alone) / len(alone) if len(alone) else None,
        n_annotators=m,
        reason=reason,
    )


def human_ceilings(human: HumanRankings) -> HumanCeilings:
    """Return how well annotators agree over all instances with a ranking.

    Instances with one annotator are counted as ``one_rater`` and left out.
    """
    instances = tuple(
        instance_ceiling(instance_id, list(_table(human, instance_id)[1])) for instance_id in human.instance_ids
    )
    undefined: dict[str, int] = {Reason.ONE_RATER: 0, Reason.CONSTANT: 0, Reason.TOO_FEW: 0}
    for each in instances:
        if each.reason is not None:
            undefined[each.reason] += 1
    defined = [each for each in instances if each.reason is None]
    pairwise = _mean([each.pairwise_mean for each in defined])
    people = _mean([each.n_annotators for each in defined])
    return HumanCeilings(
        pairwise_mean=pairwise,
        pairwise_max=_mean([each.pairwise_max for each in defined]),
        leave_one_out=_mean([each.leave_one_out for each in defined]),
        reliability=None if pairwise is None or people is None else spearman_brown(pairwise, people),
        n_defined=len(defined),
        n_total=len(instances),
        undefined={str(reason): count for reason, count in undefined.items()},
        instances=instances,
    )


def annotator_agreements(
    human: HumanRankings, *, resamples: int = 1000, seed: int = 0
) -> tuple[AnnotatorAgreement, ...]:
    """Return each pair of annotators with an instance in common, then each annotator against all others.

    Rankings are matched by instance and deck, never by position.
    """
    tables = [_table(human, instance_id) for instance_id in human.instance_ids]
    people = list(dict.fromkeys(person for names, _ in tables for person in names))
    rows: list[AnnotatorAgreement] = []
    for first, second in itertools.combinations(people, 2):
        sides = [
            (ranks[names.index(first)], ranks[names.index(second)])
            for names, ranks in tables
            if first in names and second in names
        ]
        if sides:
            rows.append(_agreement(first, second, sides, resamples, seed))
    for person in people:
        sides = [
            (ranks[names.index(person)], _mean_of_others(ranks, names.index(person)))
            for names, ranks in tables
            if person in names and len(names) > 1
        ]
        if sides:
            rows.append(_agreement(person, None, sides, resamples, seed))
    return tuple(rows)


def spearman_brown(reliability_of_one: float, raters: float) -> float | None:
    """Return the reliability of the mean of several raters from the mean correlation of single ones.

    None where the formula has no meaning: when its denominator is not positive.
    """
    below = 1 + (raters - 1) * reliability_of_one
    return raters * reliability_of_one / below if below > 0 else None


def attenuation_corrected(rho: float, reliability: float | None) -> float | None:
    """Return rho over the root of the human side's reliability; may exceed 1.

    None without a reliability above 0.
    """
    return rho / math.sqrt(reliability) if reliability is not None and reliability > 0 else None


def _agreement(
    person: AnnotatorId,
    other: AnnotatorId | None,
    sides: list[tuple[FloatArray, FloatArray]],
    resamples: int,
    seed: int,
) -> AnnotatorAgreement:
    width = max(len(left) for left, _ in sides)
    rows = correlate_rows(_padded([a for a, _ in sides], width), _padded([b for _, b in sides], width))
    defined = ~np.isnan(rows.rho)
    # Sorted, so that the interval depends on the values alone.
    mean = bootstrap_mean(np.sort(rows.rho[defined]), resamples=resamples, seed=seed)
    return AnnotatorAgreement(
        annotator=person,
        other=other,
        mean_rho=_mean(rows.rho[defined].tolist()),
        mean_tau=_mean(rows.tau[defined].tolist()),
        identical=_mean(rows.identical[defined].tolist()),
        ci_low=mean.low,
        ci_high=mean.high,
        n_defined=int(defined.sum()),
        n_shared=len(sides),
        undefined={
            Reason.CONSTANT.value: int(((rows.n >= 3) & (rows.is_constant > 0)).sum()),
            Reason.TOO_FEW.value: int((rows.n < 3).sum()),
        },
    )


def _mean_of_others(ranks: FloatArray, rater: int) -> FloatArray:
    others = np.delete(ranks, rater, axis=0)
    counts = np.count_nonzero(~np.isnan(others), axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(counts > 0, np.nansum(others, axis=0) / counts, np.nan)


def _table(human: HumanRankings, instance_id: InstanceId) -> tuple[list[AnnotatorId], FloatArray]:
    """Return who ranked an instance, and their mid-ranks as (annotators, decks) with NaN for gaps."""
    by_person = {person: ranks for person, ranks in human.ranks[instance_id].items() if ranks}
    decks = dict.fromkeys(deck for ranks in by_person.values() for deck in ranks)
    rows = [as_floats([ranks.get(deck) for deck in decks]) for ranks in by_person.values()]
    return list(by_person), mid_rank_rows(np.stack(rows))


def _padded(rows: list[FloatArray], width: int) -> FloatArray:
    return np.stack([np.pad(row, (0, width - len(row)), constant_values=np.nan) for row in rows])


def _mean(values: Sequence[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return math.fsum(kept) / len(kept) if kept else None
