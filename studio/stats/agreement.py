"""Agreement on labels and scores, corrected for chance.

Every coefficient is 1 for full agreement and 0 at its own notion of chance; all but the percentage may be
negative. Where chance agreement is already full they are undefined (``constant``); the percentage remains.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from studio.stats.statistic import FloatArray, Reason, Statistic, undefined

Labels = Sequence[Hashable | None]
"""One rater's labels in the order of the cases; None for a case that the rater left out."""


class Weighting(StrEnum):
    """How far apart two categories count: all the same, by distance, or by squared distance."""

    NONE = "none"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class Scale(StrEnum):
    """What the differences of ratings mean to Krippendorff's alpha."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


class Table(NamedTuple):
    """How often two raters gave each pair of labels."""

    labels: tuple[Hashable, ...]
    counts: FloatArray
    """(labels, labels): rows are the first rater."""


def cross_table(first: Labels, second: Labels, *, labels: Sequence[Hashable] | None = None) -> Table:
    """Return the table of two raters over the cases that both labelled.

    Args:
        first: One rater.
        second: The other rater, in the same order of cases.
        labels: Every possible label in order, so that labels nobody used are known (AC1 and weighted kappa
            need that); None takes those that occur, sorted where they can be.

    Raises:
        ValueError: if the raters differ in length or use a label that is not in `labels`.
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    names = tuple(labels) if labels is not None else _in_order({label for pair in pairs for label in pair})
    place = {name: index for index, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)))
    for a, b in pairs:
        if a not in place or b not in place:
            raise ValueError(f"the label {a if a not in place else b!r} is none of {names}")
        counts[place[a], place[b]] += 1
    return Table(labels=names, counts=counts)


def percent_agreement(table: Table) -> Statistic:
    """Return the share (0 to 1) of cases with the same label; undefined (``too_few``) without cases."""
    total = table.counts.sum()
    if not total:
        return undefined(Reason.TOO_FEW, 0)
    return Statistic(value=float(np.trace(table.counts) / total), n=int(total))


def cohen_kappa(table: Table, *, weighting: Weighting = Weighting.NONE) -> Statistic:
    """Return Cohen's kappa, or weighted kappa with the labels one step apart in the order of the table.

    Undefined (``constant``) if both raters used one and the same label throughout.

    Source:
        Cohen (1960, 1968).
    """
    total = float(table.counts.sum())
    if not total:
        return undefined(Reason.TOO_FEW, 0)
    observed = table.counts / total
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    steps = np.abs(np.subtract.outer(np.arange(len(observed)), np.arange(len(observed)))).astype(np.float64)
    cost = {Weighting.NONE: (steps > 0).astype(float), Weighting.LINEAR: steps, Weighting.QUADRATIC: steps**2}
    by_chance = float((cost[weighting] * expected).sum())
    if by_chance == 0:
        return undefined(Reason.CONSTANT, int(total))
    return Statistic(value=1 - float((cost[weighting] * observed).sum()) / by_chance, n=int(total))


def gwet_ac1(table: Table) -> Statistic:
    """Return Gwet's AC1, which stays sensible when one label is rare.

    Chance is Σ π(1 − π)/(q − 1) over the q labels of the table, so pass every possible label to
    `cross_table`. Undefined (``no_labels``) if the table knows fewer than two labels.

    Source:
        Gwet (2008), British Journal of Mathematical and Statistical Psychology 61.
    """
    agreement = percent_agreement(table)
    if agreement.value is None:
        return agreement
    q = len(table.labels)
    if q < 2:
        return undefined(Reason.NO_LABELS, agreement.n)
    share = (table.counts.sum(axis=0) + table.counts.sum(axis=1)) / (2 * table.counts.sum())
    by_chance = float((share * (1 - share)).sum()) / (q - 1)
    return Statistic(value=(agreement.value - by_chance) / (1 - by_chance), n=agreement.n)


def pabak(table: Table) -> Statistic:
    """Return the prevalence- and bias-adjusted kappa, (q · agreement − 1)/(q − 1) for q labels.

    Source:
        Byrt, Bishop & Carlin (1993), Journal of Clinical Epidemiology 46.
    """
    agreement = percent_agreement(table)
    if agreement.value is None:
        return agreement
    q = len(table.labels)
    if q < 2:
        return undefined(Reason.NO_LABELS, agreement.n)
    return Statistic(value=(q * agreement.value - 1) / (q - 1), n=agreement.n)


def label_counts(ratings: Sequence[Labels], *, labels: Sequence[Hashable] | None = None) -> FloatArray:
    """Return how many raters gave each label to each case, as (cases, labels).

    Args:
        ratings: One row for each rater; None for a case left out.
        labels: Every possible label; None takes those that occur.
    """
    names = tuple(labels) if labels is not None else _in_order({x for row in ratings for x in row if x is not None})
    place = {name: index for index, name in enumerate(names)}
    n_cases = len(ratings[0]) if ratings else 0
    counts = np.zeros((n_cases, len(names)))
    for row in ratings:
        for case, label in enumerate(row):
            if label is not None:
                counts[case, place[label]] += 1
    return counts


def fleiss_kappa(counts: FloatArray) -> Statistic:
    """Return Fleiss' kappa over (cases, labels) counts.

    Undefined: ``incomplete`` if cases differ in their number of raters (use Krippendorff's alpha),
    ``one_rater``, ``constant`` if one label was used throughout.

    Source:
        Fleiss (1971), Psychological Bulletin 76.
    """
    share = counts.sum(axis=0) / max(1.0, float(counts.sum()))
    return _many_raters(counts, by_chance=float((share**2).sum()))


def randolph_kappa(counts: FloatArray) -> Statistic:
    """Return Randolph's free-marginal kappa over (cases, labels) counts: chance is 1/labels.

    Undefined as `fleiss_kappa` is, and (``no_labels``) with a single possible label.
    """
    if counts.shape[1] < 2:
        return undefined(Reason.NO_LABELS, len(counts))
    return _many_raters(counts, by_chance=1 / counts.shape[1])


def krippendorff_alpha(
    ratings: Sequence[Labels], *, scale: Scale, labels: Sequence[Hashable] | None = None
) -> Statistic:
    """Return Krippendorff's alpha, 1 − observed over expected disagreement, from the coincidence matrix.

    Any number of raters, any pattern of gaps; a case with a single rating pairs with nothing and drops out.

    Args:
        ratings: One row for each rater, one label for each case; None for a gap.
        scale: What differences mean; all but nominal and ordinal need numbers.
        labels: Every possible label in its order, for ordinal labels that do not sort by themselves.

    Returns:
        Alpha and the number of cases with two ratings or more. Undefined: ``one_rater``, ``too_few`` without
        such cases, ``constant`` if all their ratings are equal.

    Source:
        Krippendorff (2011), Computing Krippendorff's alpha-reliability.
    """
    if len(ratings) < 2:
        return undefined(Reason.ONE_RATER, 0)
    names = tuple(labels) if labels is not None else _in_order({x for row in ratings for x in row if x is not None})
    counts = label_counts(ratings, labels=names)
    raters = counts.sum(axis=1)
    counts, raters = counts[raters >= 2], raters[raters >= 2]
    if not len(counts):
        return undefined(Reason.TOO_FEW, 0)
    weighted = counts / (raters - 1)[:, None]
    coincidences = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    totals = counts.sum(axis=0)
    distance = _squared_distance(names, totals, scale)
    expected = float(totals @ distance @ totals) / (float(totals.sum()) - 1)
    if expected == 0:
        return undefined(Reason.CONSTANT, len(counts))
    return Statistic(value=1 - float((coincidences * distance).sum()) / expected, n=len(counts))


def _many_raters(counts: FloatArray, *, by_chance: float) -> Statistic:
    raters = counts.sum(axis=1)
    n = len(counts)
    if not n:
        return undefined(Reason.TOO_FEW, 0)
    if np.ptp(raters) > 0:
        return undefined(Reason.INCOMPLETE, n)
    if raters[0] < 2:
        return undefined(Reason.ONE_RATER, n)
    if by_chance == 1:
        return undefined(Reason.CONSTANT, n)
    pairs = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    return Statistic(value=(float(pairs.mean()) - by_chance) / (1 - by_chance), n=n)


def _squared_distance(names: tuple[Hashable, ...], totals: FloatArray, scale: Scale) -> FloatArray:
    if scale is Scale.NOMINAL:
        return 1 - np.eye(len(names))
    if scale is Scale.ORDINAL:
        # Ratings lying between two labels, each end counted half: cumulated use, not the labels' numbers.
        middle = np.cumsum(totals) - totals / 2
        return np.asarray(np.subtract.outer(middle, middle) ** 2, dtype=np.float64)
    numbers = np.array([_number(name) for name in names])
    difference = np.subtract.outer(numbers, numbers)
    if scale is Scale.INTERVAL:
        return np.asarray(difference**2, dtype=np.float64)
    total = np.add.outer(numbers, numbers)
    return np.asarray((difference / np.where(total == 0, 1, total)) ** 2, dtype=np.float64)


def _number(label: Hashable) -> float:
    if isinstance(label, int | float):
        return float(label)
    raise ValueError(f"the label {label!r} is no number; take the nominal or the ordinal scale")


def _in_order(labels: set[Hashable]) -> tuple[Hashable, ...]:
    if all(isinstance(label, int | float) for label in labels):
        return tuple(sorted(labels, key=_number))
    return tuple(sorted(labels, key=str))
