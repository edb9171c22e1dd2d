"""Whether a judge's "no" can be believed, and whether its probabilities mean what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.stats.agreement import cohen_kappa, cross_table, gwet_ac1
from studio.stats.intervals import wilson_interval
from studio.stats.statistic import Interval, Reason, Statistic, undefined

FEW_POSITIVES_BELOW = 5
"""Human positives below which a row should be greyed."""


@dataclass(frozen=True, kw_only=True)
class VerdictCalibration:
    """A judge's verdicts against people's, for the class that matters (a defect found, "no")."""

    tp: int
    fp: int
    fn: int
    tn: int
    precision: Statistic
    """Share of the judge's positives that people confirm; undefined (``none_predicted``) without any."""
    recall: Statistic
    """Share of people's positives that the judge found; undefined (``no_support``) without any."""
    f1: Statistic
    precision_interval: Interval
    """Wilson, 95 %."""
    recall_interval: Interval
    kappa: Statistic
    ac1: Statistic
    support: int
    """People's positives among the answered cases."""
    coverage: float | None
    """Answered cases over all that people labelled; None if they labelled nothing."""
    n: int
    """Cases where both gave one of the two labels."""


def verdict_calibration(
    human: Sequence[str | None],
    judge: Sequence[str | None],
    *,
    positive: str = "no",
    negative: str = "yes",
) -> VerdictCalibration:
    """Return how a judge's verdicts compare with people's, case by case.

    Anything but the two labels (None, "cannot_tell", a failed call) is no answer: it lowers the coverage
    and is never counted as either label.
    """
    known = {positive, negative}
    labelled = [(a, b) for a, b in zip(human, judge, strict=True) if a in known]
    pairs = [(a, b) for a, b in labelled if b in known]
    tp, fp = pairs.count((positive, positive)), pairs.count((negative, positive))
    fn, tn = pairs.count((positive, negative)), pairs.count((negative, negative))
    precision = _share(tp, tp + fp, Reason.NONE_PREDICTED)
    recall = _share(tp, tp + fn, Reason.NO_SUPPORT)
    table = cross_table([a for a, _ in pairs], [b for _, b in pairs], labels=(positive, negative))
    return VerdictCalibration(
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        precision=precision,
        recall=recall,
        f1=_f1(precision, recall, len(pairs)),
        precision_interval=wilson_interval(tp, tp + fp),
        recall_interval=wilson_interval(tp, tp + fn),
        kappa=cohen_kappa(table),
        ac1=gwet_ac1(table),
        support=tp + fn,
        coverage=len(pairs) / len(labelled) if labelled else None,
        n=len(pairs),
    )


@dataclass(frozen=True, kw_only=True)
class MacroCalibration:
    """Plain means over checklist items, so that a rare item counts as much as a common one."""

    precision: Statistic
    recall: Statistic
    f1: Statistic
    n_items: int
    """Items with a human positive; the others say nothing about finding it."""
    n_without_support: int


def macro_calibration(items: Sequence[VerdictCalibration]) -> MacroCalibration:
    """Return the mean precision, recall and F1 over the items with support, each over its defined values.

    The micro mean is `verdict_calibration` of all cases in one list.
    """
    kept = [item for item in items if item.support]

    def mean(statistics: list[Statistic], reason: Reason) -> Statistic:
        values = [statistic.value for statistic in statistics if statistic.value is not None]
        return Statistic(value=float(np.mean(values)), n=len(values)) if values else undefined(reason, 0)

    return MacroCalibration(
        precision=mean([item.precision for item in kept], Reason.NONE_PREDICTED),
        recall=mean([item.recall for item in kept], Reason.NO_SUPPORT),
        f1=mean([item.f1 for item in kept], Reason.NONE_PREDICTED),
        n_items=len(kept),
        n_without_support=len(items) - len(kept),
    )


@dataclass(frozen=True, kw_only=True)
class ProbabilityCalibration:
    """Whether probabilities match how often the thing is so."""

    brier: float
    """Mean squared error, 0 to 1; lower is better."""
    log_loss: float
    """Mean negative natural log-likelihood; infinite when a certain probability was wrong."""
    ece: float
    """Expected calibration error: mean gap of a bin, weighted by its size; 0 to 1."""
    bins: tuple[CalibrationBin, ...]
    n: int


@dataclass(frozen=True, kw_only=True)
class CalibrationBin:
    """One bin of the reliability diagram, (low, high]; the first one includes 0."""

    low: float
    high: float
    n: int
    mean_probability: float | None
    share_true: float | None


def probability_calibration(
    happened: Sequence[bool | int], probabilities: Sequence[float], *, bins: int = 10
) -> ProbabilityCalibration | None:
    """Return the calibration of probabilities in bins of equal width; None without cases.

    Raises:
        ValueError: if a probability lies outside 0 to 1 or the sides differ in length.
    """
    y, p = np.array(happened, dtype=np.float64), np.array(probabilities, dtype=np.float64)
    if y.shape != p.shape or ((p < 0) | (p > 1)).any() or np.isnan(p).any():
        raise ValueError("each case needs one probability from 0 to 1")
    if not len(y):
        return None
    with np.errstate(divide="ignore"):
        log_loss = -float(np.log(np.where(y == 1, p, 1 - p)).mean())
    edges = np.linspace(0, 1, bins + 1)
    # searchsorted from the left puts p = high into its own bin, which is (low, high]; p = 0 joins the first.
    places = np.clip(np.searchsorted(edges, p, side="left") - 1, 0, bins - 1)
    rows: list[CalibrationBin] = []
    gap = 0.0
    for index in range(bins):
        inside = places == index
        count = int(inside.sum())
        mean_p = float(p[inside].mean()) if count else None
        share = float(y[inside].mean()) if count else None
        if mean_p is not None and share is not None:
            gap += count / len(y) * abs(mean_p - share)
        rows.append(
            CalibrationBin(
                low=float(edges[index]),
                high=float(edges[index + 1]),
                n=count,
                mean_probability=mean_p,
                share_true=share,
            )
        )
    return ProbabilityCalibration(
        brier=float(((p - y) ** 2).mean()), log_loss=log_loss, ece=gap, bins=tuple(rows), n=len(y)
    )


def _share(hits: int, of: int, reason: Reason) -> Statistic:
    return Statistic(value=hits / of, n=of) if of else undefined(reason, 0)


def _f1(precision: Statistic, recall: Statistic, n: int) -> Statistic:
    if precision.value is None:
        return undefined(Reason.NONE_PREDICTED, n)
    if recall.value is None:
        return undefined(Reason.NO_SUPPORT, n)
    both = precision.value + recall.value
    return Statistic(value=2 * precision.value * recall.value / both if both else 0.0, n=n)
