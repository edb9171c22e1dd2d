"""Faults of a judge that need no people to see: position bias, and not agreeing with itself."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from studio.stats.correlation import spearman
from studio.stats.intervals import PairedComparison, compare_paired
from studio.stats.statistic import FloatArray, Numbers, Reason, Statistic, as_floats, undefined


class Slot(StrEnum):
    """Which of the two shown decks a judge preferred, by the place it was shown in."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


@dataclass(frozen=True, kw_only=True)
class PositionBias:
    """What swapping two decks does to a judge's verdicts; shares are 0 to 1."""

    swap_consistency: float
    """Share of pairs with the same winner, or a tie, both ways."""
    always_first: float
    """Share of pairs where the first place won both times."""
    always_second: float
    first_slot_rate: Statistic
    """Wins of the first place over all decisive verdicts, with its binomial p-value against one half.

    Can look even for a judge that is inconsistent in both directions: show it beside the consistency.
    """
    reconciled_score: float
    """Mean score of the deck shown first at first: 1 win, 0 loss, ½ tie or disagreement after the swap."""
    n_pairs: int


def position_bias(verdicts: Sequence[tuple[Slot, Slot]]) -> PositionBias | None:
    """Return the position bias over pairs judged twice; None without pairs.

    Args:
        verdicts: For each pair the verdict as shown and the verdict with the two decks swapped.
    """
    from scipy import stats

    n = len(verdicts)
    if not n:
        return None
    swapped = {Slot.FIRST: Slot.SECOND, Slot.SECOND: Slot.FIRST, Slot.TIE: Slot.TIE}
    points = {Slot.FIRST: 1.0, Slot.SECOND: 0.0, Slot.TIE: 0.5}
    consistent = [first == swapped[second] for first, second in verdicts]
    both = [verdict for pair in verdicts for verdict in pair]
    decisive = len(both) - both.count(Slot.TIE)
    rate = undefined(Reason.TOO_FEW, 0)
    if decisive:
        wins = both.count(Slot.FIRST)
        rate = Statistic(value=wins / decisive, n=decisive, p=float(stats.binomtest(wins, decisive).pvalue))
    scores = [points[first] if same else 0.5 for (first, _), same in zip(verdicts, consistent, strict=True)]
    return PositionBias(
        swap_consistency=sum(consistent) / n,
        always_first=verdicts.count((Slot.FIRST, Slot.FIRST)) / n,
        always_second=verdicts.count((Slot.SECOND, Slot.SECOND)) / n,
        first_slot_rate=rate,
        reconciled_score=sum(scores) / n,
        n_pairs=n,
    )


def slot_bias(shown: Sequence[Numbers], ranked: Sequence[Numbers]) -> Statistic:
    """Return the mean Spearman rho of the place a deck was shown in with the rank it got; 0 is unbiased.

    Args:
        shown: For each listwise verdict the places of its decks, from 1.
        ranked: The ranks they got, in the same order.
    """
    each = [spearman(x, y).value for x, y in zip(shown, ranked, strict=True)]
    kept = [rho for rho in each if rho is not None]
    return Statistic(value=float(np.mean(kept)), n=len(kept)) if kept else undefined(Reason.TOO_FEW, 0)


@dataclass(frozen=True, kw_only=True)
class SelfConsistency:
    """How far repeated scores of one judge agree."""

    mean_sd: Statistic
    """Mean over cases of the sample standard deviation of its repeats, in points of the scale."""
    all_identical: Statistic
    """Share of cases whose repeats are all equal."""
    pairwise_agreement: Statistic
    """Mean over cases of the share of equal pairs of repeats."""
    icc_1_1: Statistic
    """One-way intraclass correlation of a single score; needs the same number of repeats everywhere."""
    n_failed: int
    """Missing repeats; left out, never scored."""


def self_consistency(repeats: Sequence[Numbers]) -> SelfConsistency:
    """Return how far a judge agrees with itself.

    Args:
        repeats: For each case its repeated scores; None for a failed call. A case with fewer than two
            scores says nothing and drops out.
    """
    cases = [as_floats(row) for row in repeats]
    n_failed = sum(int(np.isnan(row).sum()) for row in cases)
    kept = [row[~np.isnan(row)] for row in cases]
    kept = [row for row in kept if len(row) >= 2]
    n = len(kept)
    if not n:
        nothing = undefined(Reason.TOO_FEW, 0)
        return SelfConsistency(
            mean_sd=nothing,
            all_identical=nothing,
            pairwise_agreement=nothing,
            icc_1_1=nothing,
            n_failed=n_failed,
        )
    agreement = [np.mean([a == b for a, b in itertools.combinations(row, 2)]) for row in kept]
    return SelfConsistency(
        mean_sd=Statistic(value=float(np.mean([np.std(row, ddof=1) for row in kept])), n=n),
        all_identical=Statistic(value=float(np.mean([np.ptp(row) == 0 for row in kept])), n=n),
        pairwise_agreement=Statistic(value=float(np.mean(agreement)), n=n),
        icc_1_1=icc_one_way(kept),
        n_failed=n_failed,
    )


def icc_one_way(cases: Sequence[FloatArray]) -> Statistic:
    """Return the intraclass correlation ICC(1,1) from a one-way analysis of variance.

    Undefined: ``too_few`` below two cases or two scores each, ``incomplete`` if cases differ in their number
    of scores, ``constant`` if all scores are equal.

    Source:
        Shrout & Fleiss (1979), Psychological Bulletin 86.
    """
    n = len(cases)
    if n < 2 or min(len(row) for row in cases) < 2:
        return undefined(Reason.TOO_FEW, n)
    if len({len(row) for row in cases}) > 1:
        return undefined(Reason.INCOMPLETE, n)
    scores = np.stack(cases)
    k = scores.shape[1]
    if np.ptp(scores) == 0:
        return undefined(Reason.CONSTANT, n)
    means = scores.mean(axis=1)
    between = k * float(((means - scores.mean()) ** 2).sum()) / (n - 1)
    within = float(((scores - means[:, None]) ** 2).sum()) / (n * (k - 1))
    return Statistic(value=(between - within) / (between + (k - 1) * within), n=n)


@dataclass(frozen=True, kw_only=True)
class ExpectedScore:
    """A score as the mean over a judge's own probabilities."""

    value: float | None
    """Mean over the valid scores, their probabilities scaled to sum to 1; None without any mass on them."""
    raw_sum: float
    """The same sum without scaling, too low by what fell on other tokens."""
    mass: float
    """Probability on valid scores, 0 to 1: low mass means that the judge did not answer as asked."""


def expected_score(probabilities: Mapping[str, float], *, low: int = 1, high: int = 5) -> ExpectedScore:
    """Return the probability-weighted score over the tokens that are whole numbers from low to high.

    Source:
        Liu et al. (2023), G-Eval, section 2. Differs: scaled by the mass on valid scores.
    """
    valid = {str(score): score for score in range(low, high + 1)}
    # Tokens such as "4" and " 4" mean the same score, so their probabilities add up.
    kept = [(valid[token.strip()], p) for token, p in probabilities.items() if token.strip() in valid]
    mass, raw = sum(p for _, p in kept), sum(score * p for score, p in kept)
    return ExpectedScore(value=raw / mass if mass > 0 else None, raw_sum=raw, mass=mass)


def mean_of_samples(scores: Numbers) -> Statistic:
    """Return the mean of sampled scores; None (a reply without a score) is left out and not counted in n."""
    values = as_floats(scores)
    kept = values[~np.isnan(values)]
    return Statistic(value=float(kept.mean()), n=len(kept)) if len(kept) else undefined(Reason.TOO_FEW, 0)


LEAST_DECKS = 3
"""Decks from which on a fall counts as noticed; the interval of one or two has hardly a width."""


@dataclass(frozen=True, kw_only=True)
class Noticed:
    """How scores fall when decks are made worse by one degree of one defect."""

    degree: int
    """1 to 4."""
    fall: PairedComparison
    """Score of the worse deck less that of the deck itself, over decks that have both; below 0: noticed."""
    lower: float | None
    """Share of these decks whose score is lower, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Sensitivity:
    """Which degree of a defect a judge notices."""

    degrees: tuple[Noticed, ...]
    noticed_from: int | None
    """The lowest degree from which on the interval of the fall stays below 0; None: not even the highest does."""


def sensitivity(scores: Mapping[int, Mapping[Hashable, float | None]], *, seed: int = 0) -> Sensitivity:
    """Return which degree of a defect lowers a judge's scores.

    Args:
        scores: degree → deck → score; degree 0 are the decks as they are. Missing scores leave their deck out.
        seed: of the bootstrap over decks.
    """
    whole = scores.get(0, {})
    found = []
    for degree in sorted(each for each in scores if each):
        decks = [deck for deck in whole if deck in scores[degree]]
        worse, as_is = [scores[degree][deck] for deck in decks], [whole[deck] for deck in decks]
        falls = [one - other for one, other in zip(worse, as_is, strict=True) if one is not None and other is not None]
        found.append(
            Noticed(
                degree=degree, fall=compare_paired(worse, as_is, seed=seed),
                lower=sum(fall < 0 for fall in falls) / len(falls) if falls else None,
            )
        )  # fmt: skip
    noticed_from = None
    for each in reversed(found):
        if each.fall.n < LEAST_DECKS or each.fall.high is None or each.fall.high >= 0:
            break
        noticed_from = each.degree
    return Sensitivity(degrees=tuple(found), noticed_from=noticed_from)
