"""The alternative annotator test: may a judge stand in for one of the people?"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from studio.model.ids import AnnotatorId
from studio.stats.statistic import FloatArray, Reason

_NO_SPREAD = 1e-12

Rating = Hashable
Ratings = Mapping[Hashable, Rating]
"""One rater's label or score of each case."""


class CaseScore(StrEnum):
    """How close one rating is to the others': the share equal to it, or minus the root mean squared error."""

    ACCURACY = "accuracy"
    RMSE = "rmse"


@dataclass(frozen=True, kw_only=True)
class AnnotatorTest:
    """The judge against one annotator, on the cases that this annotator shares with others."""

    annotator: AnnotatorId
    n: int
    advantage: float
    """Share of cases where the judge is at least as close to the others as the annotator (ties count)."""
    annotator_advantage: float
    """The same for the annotator; above 1 − advantage when there are ties."""
    p: float
    p_adjusted: float
    """Benjamini–Yekutieli over annotators."""
    is_rejected: bool
    """The judge is not worse than this annotator by more than epsilon."""


@dataclass(frozen=True, kw_only=True)
class AltTest:
    """Whether a judge may replace an annotator."""

    winning_rate: float | None
    """Share of annotators that the judge is not worse than; passes at one half or more."""
    advantage: float | None
    """Mean over annotators; many ties make it look high, so show it beside the winning rate."""
    passes: bool | None
    annotators: tuple[AnnotatorTest, ...]
    skipped: Mapping[AnnotatorId, int]
    """Annotators with too few shared cases, and how many they had."""
    undefined_reason: str | None = None


def alt_test(
    humans: Mapping[AnnotatorId, Ratings],
    judge: Ratings,
    *,
    epsilon: float,
    q: float = 0.05,
    score: CaseScore = CaseScore.ACCURACY,
    min_cases: int = 30,
) -> AltTest:
    """Return whether a judge agrees with the other annotators about as well as each annotator does.

    Args:
        humans: Each annotator's ratings by case.
        judge: The judge's ratings by case; cases without one are left out.
        epsilon: How much worse a judge may be for its lower price: 0.1 for crowd workers, 0.15 for skilled
            annotators, 0.2 for experts.
        q: False discovery rate.
        score: How closeness is measured.
        min_cases: Shared cases below which an annotator is skipped.

    Returns:
        The result; undefined (``too_few``) if every annotator was skipped.

    Source:
        Calderon, Reichart & Dror (2025), The alternative annotator test, section 3. Differs: equal
        differences everywhere (no spread) give p = 0, ½ or 1 by comparison with epsilon.
    """
    from scipy import stats

    outcomes: list[tuple[AnnotatorId, FloatArray, FloatArray]] = []
    skipped: dict[AnnotatorId, int] = {}
    for annotator, ratings in humans.items():
        others = [other for name, other in humans.items() if name != annotator]
        judge_wins, own_wins = _wins(ratings, others, judge, score)
        if len(judge_wins) < max(2, min_cases):
            skipped[annotator] = len(judge_wins)
        else:
            outcomes.append((annotator, judge_wins, own_wins))
    if not outcomes:
        return AltTest(
            winning_rate=None, advantage=None, passes=None, annotators=(), skipped=skipped,
            undefined_reason=Reason.TOO_FEW,
        )  # fmt: skip
    p_values = [_p_below(own - judged, epsilon) for _, judged, own in outcomes]
    adjusted = stats.false_discovery_control(p_values, method="by")
    tests = tuple(
        AnnotatorTest(
            annotator=annotator,
            n=len(judged),
            advantage=float(judged.mean()),
            annotator_advantage=float(own.mean()),
            p=p,
            p_adjusted=float(adjusted_p),
            is_rejected=bool(adjusted_p <= q),
        )
        for (annotator, judged, own), p, adjusted_p in zip(outcomes, p_values, adjusted, strict=True)
    )
    winning_rate = sum(test.is_rejected for test in tests) / len(tests)
    return AltTest(
        winning_rate=winning_rate,
        advantage=float(np.mean([test.advantage for test in tests])),
        passes=winning_rate >= 0.5,
        annotators=tests,
        skipped=skipped,
    )


def _wins(ratings: Ratings, others: list[Ratings], judge: Ratings, score: CaseScore) -> tuple[FloatArray, FloatArray]:
    judge_wins: list[float] = []
    own_wins: list[float] = []
    for case, own in ratings.items():
        rest = [other[case] for other in others if case in other]
        if not rest or case not in judge:
            continue
        of_judge, of_own = _closeness(judge[case], rest, score), _closeness(own, rest, score)
        judge_wins.append(float(of_judge >= of_own))
        own_wins.append(float(of_own >= of_judge))
    return np.array(judge_wins), np.array(own_wins)


def _closeness(rating: Rating, others: list[Rating], score: CaseScore) -> float:
    if score is CaseScore.ACCURACY:
        return sum(rating == other for other in others) / len(others)
    return -math.sqrt(sum((_number(rating) - _number(other)) ** 2 for other in others) / len(others))


def _number(rating: Rating) -> float:
    if isinstance(rating, int | float):
        return float(rating)
    raise ValueError(f"the rating {rating!r} is no number; compare labels by accuracy")


def _p_below(differences: FloatArray, epsilon: float) -> float:
    # A t-test without spread divides by zero, and float noise would then decide.
    from scipy import stats

    if float(np.std(differences)) < _NO_SPREAD:
        gap = float(differences.mean()) - epsilon
        return 0.5 if abs(gap) < _NO_SPREAD else (0.0 if gap < 0 else 1.0)
    return float(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
