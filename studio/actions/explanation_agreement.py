"""How far people agree on how useful explanations are: every couple of raters, their mean and the best couple."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from studio.actions.explanation_units import ExplanationRow
from studio.model.ids import AnnotatorId
from studio.stats.agreement import Scale, krippendorff_alpha
from studio.stats.correlation import spearman
from studio.stats.statistic import Reason

ALL = "all"

Points = Mapping[str, Mapping[AnnotatorId, float]]
"""Of one dimension: what was rated → rater → point."""


@dataclass(frozen=True, kw_only=True)
class ExplanationAgreement:
    """The agreement on one group of explanations, or why there is none."""

    dimension: str
    """Of the scales that people rated on."""
    about: str
    """``all``, ``metric`` or ``written by``."""
    name: str
    """The metric or the writer; empty for all, and for explanations of which no writer is noted."""
    n: int
    """Explanations that somebody rated."""
    n_shared: int
    """Of them, those that two or more people rated."""
    mean: float | None
    """Of all ratings, in points of the scale."""
    pairwise_mean: float | None
    """Mean of Spearman's rho over the couples of raters; each on the explanations that both rated."""
    pairwise_max: float | None
    """The best couple; grows with the number of raters."""
    n_couples: int
    """Couples whose rho is defined."""
    alpha: float | None
    """Krippendorff's alpha of ordinal points over everybody."""
    undefined_reason: str | None
    """Why no couple has a rho: ``one_rater``, ``too_few`` shared explanations, or ``constant``."""


def explanation_agreement(rows: Sequence[ExplanationRow]) -> tuple[ExplanationAgreement, ...]:
    """Return the agreement on all explanations, then by metric and by who wrote them, for each dimension rated."""
    found: list[ExplanationAgreement] = []
    dimensions = dict.fromkeys(dimension for row in rows for given in row.points.values() for dimension in given)
    for dimension in dimensions:
        points: dict[str, Mapping[AnnotatorId, float]] = {
            row.id: {who: given[dimension] for who, given in row.points.items() if dimension in given} for row in rows
        }
        found.append(rating_agreement(dimension, ALL, "", points))
        for about in ("metric", "written by"):
            names = dict.fromkeys(_name(row, about) for row in rows)
            if len(names) > 1:
                found += [
                    rating_agreement(dimension, about, name, {row.id: points[row.id] for row in rows
                                                        if _name(row, about) == name})
                    for name in sorted(names)
                ]  # fmt: skip
    return tuple(found)


def _name(row: ExplanationRow, about: str) -> str:
    return row.metric if about == "metric" else row.written_by


def rating_agreement(dimension: str, about: str, name: str, points: Points) -> ExplanationAgreement:
    """Return the agreement on one group of explanations, or of decks, that people gave points."""
    rated = {key: said for key, said in points.items() if said}
    people = sorted({who for said in rated.values() for who in said})
    by_person = {who: [said.get(who) for said in rated.values()] for who in people}
    rhos, reasons = [], []
    for first, second in combinations(people, 2):
        shared = [said for said in rated.values() if first in said and second in said]
        rho = spearman([said[first] for said in shared], [said[second] for said in shared])
        if rho.value is not None:
            rhos.append(rho.value)
        else:
            reasons.append(rho.undefined_reason or Reason.TOO_FEW)
    given = [value for said in rated.values() for value in said.values()]
    alpha = krippendorff_alpha(list(by_person.values()), scale=Scale.ORDINAL).value if len(people) > 1 else None
    reason = None if rhos else str(max(reasons, key=reasons.count) if reasons else Reason.ONE_RATER)
    return ExplanationAgreement(
        dimension=dimension, about=about, name=name, n=len(rated),
        n_shared=sum(len(said) > 1 for said in rated.values()),
        mean=math.fsum(given) / len(given) if given else None,
        pairwise_mean=math.fsum(rhos) / len(rhos) if rhos else None, pairwise_max=max(rhos, default=None),
        n_couples=len(rhos), alpha=alpha, undefined_reason=reason,
    )  # fmt: skip
