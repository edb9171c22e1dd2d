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
from numpy.typing import NDArray

from studio.model.ids import AnnotatorId, InstanceId
from studio.stats.correlation import MINIMUM_PAIRS, correlate_rows
from studio.stats.intervals import bootstrap_mean
from studio.stats.rankings import HumanRankings, stacked
from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, Numbers, Reason, as_floats, rounded


@dataclass(frozen=True, kw_only=True)
class InstanceCeiling:
    """The agreement of one instance's annotators."""

    instance_id: InstanceId
    pairwise_mean: float | None
    """Mean rho over pairs of annotators."""
    pairwise_max: float | None
    leave_one_out: float | None
    """Mean over annotators of rho with the mean rank of the others."""
    identical: float | None
    """Mean over annotators of the share of decks that the mean of the others puts at the same place."""
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
    identical: float | None
    """Mean over the instances where somebody shares three decks with the others."""
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
    if not rankings:
        return _ceilings((instance_id,), np.array([], dtype=np.int64), np.zeros((0, 0)))[0]
    values = mid_rank_rows(np.stack([as_floats(row) for row in rankings]))
    return _ceilings((instance_id,), np.zeros(len(values), dtype=np.int64), values)[0]


def human_ceilings(human: HumanRankings) -> HumanCeilings:
    """Return how well annotators agree over all instances with a ranking.

    Instances with one annotator are counted as ``one_rater`` and left out.
    """
    rows = stacked(human)
    instances = _ceilings(rows.instance_ids, rows.owners, rows.values)
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
        identical=_mean([each.identical for each in instances]),
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
    answers = stacked(human)
    others = means_of_others(answers.owners, answers.values)
    places: dict[AnnotatorId, dict[int, int]] = {}
    for row, (person, owner) in enumerate(zip(answers.annotators, answers.owners.tolist(), strict=True)):
        places.setdefault(person, {})[owner] = row
    rows: list[AnnotatorAgreement] = []
    for (first, mine), (second, theirs) in itertools.combinations(places.items(), 2):
        shared = [owner for owner in mine if owner in theirs]
        if shared:
            left, right = ([of[owner] for owner in shared] for of in (mine, theirs))
            rows.append(_agreement(first, second, answers.values[left], answers.values[right], resamples, seed))
    people = np.bincount(answers.owners, minlength=len(answers.instance_ids))
    for person, mine in places.items():
        own = [row for owner, row in mine.items() if people[owner] > 1]
        if own:
            rows.append(_agreement(person, None, answers.values[own], others[own], resamples, seed))
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
    own: FloatArray,
    theirs: FloatArray,
    resamples: int,
    seed: int,
) -> AnnotatorAgreement:
    rows = correlate_rows(own, theirs)
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
        n_shared=len(own),
        undefined={
            Reason.CONSTANT.value: int(((rows.n >= 3) & (rows.is_constant > 0)).sum()),
            Reason.TOO_FEW.value: int((rows.n < 3).sum()),
        },
    )


def means_of_others(owners: NDArray[np.int64], values: FloatArray) -> FloatArray:
    """Return for each row the mean of the other rows of its instance, NaN where no other has a value.

    Args:
        owners: (rows,) number of the instance, from 0.
        values: (rows, decks); NaN for a gap.
    """
    shape = (int(owners.max(initial=-1)) + 1, values.shape[1])
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, owners, np.nan_to_num(values))
    np.add.at(counts, owners, ~np.isnan(values))
    left = counts[owners] - ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Rounded: taking one's own value away from a sum of ratings must not part two decks that are tied.
        return rounded(np.where(left > 0, (sums[owners] - np.nan_to_num(values)) / left, np.nan))


def _ceilings(
    instance_ids: Sequence[InstanceId], owners: NDArray[np.int64], values: FloatArray
) -> tuple[InstanceCeiling, ...]:  # fmt: skip
    """Return the ceiling of each instance; all pairs of rows and all rows against their others in one pass each."""
    members: list[list[int]] = [[] for _ in instance_ids]
    for row, owner in enumerate(owners.tolist()):
        members[owner].append(row)
    couples = [pair for rows in members for pair in itertools.combinations(rows, 2)]
    first, second = np.array(couples, dtype=np.int64).reshape(-1, 2).T
    pairs = correlate_rows(values[first], values[second])
    alone = correlate_rows(values, means_of_others(owners, values))
    same = np.where(alone.n >= MINIMUM_PAIRS, alone.identical, np.nan)
    found, start = [], 0
    for instance_id, rows in zip(instance_ids, members, strict=True):
        end = start + len(rows) * (len(rows) - 1) // 2
        rhos = [rho for rho in pairs.rho[start:end].tolist() if not math.isnan(rho)]
        reason = None
        if len(rows) < 2:
            reason = Reason.ONE_RATER
        elif not rhos:
            reason = Reason.TOO_FEW if (pairs.n[start:end] < MINIMUM_PAIRS).all() else Reason.CONSTANT
        found.append(
            InstanceCeiling(
                instance_id=instance_id,
                pairwise_mean=_mean(rhos),
                pairwise_max=max(rhos, default=None),
                leave_one_out=_mean_of_numbers(alone.rho[rows]),
                identical=_mean_of_numbers(same[rows]),
                n_annotators=len(rows),
                reason=reason,
            )
        )
        start = end
    return tuple(found)


def _mean_of_numbers(values: FloatArray) -> float | None:
    return _mean([value for value in values.tolist() if not math.isnan(value)])


def _mean(values: Sequence[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return math.fsum(kept) / len(kept) if kept else None
