"""A method against single annotators, which belongs beside the pairwise human ceiling."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from studio.model.ids import AnnotatorId, InstanceId
from studio.stats.alignment import MethodAlignment, align
from studio.stats.rankings import HumanRankings, Scores


@dataclass(frozen=True, kw_only=True)
class EachAnnotator:
    """How well a method agrees with annotators one by one."""

    mean_rho: float | None
    """Mean over instances of the mean over annotators; None if no rho is defined."""
    n_defined: int
    """Instances with a defined rho for somebody."""
    n_total: int
    by_annotator: Mapping[AnnotatorId, MethodAlignment]


def align_with_each(
    human: HumanRankings,
    scores: Scores,
    *,
    higher_is_better: bool = True,
    resamples: int = 1000,
    seed: int = 0,
) -> EachAnnotator:
    """Return how well one method agrees with each annotator alone; arguments as for `align`.

    The mean of annotators is steadier than any one of them, so these numbers are lower than those of
    `align`: never compare them with a leave-one-out ceiling.
    """
    everybody = human.annotator_ids
    by_annotator = {
        person: align(
            human.without(annotators=[other for other in everybody if other != person]),
            scores,
            higher_is_better=higher_is_better,
            resamples=resamples,
            seed=seed,
        )
        for person in everybody
    }
    values: dict[InstanceId, list[float]] = {}
    for row in by_annotator.values():
        for each in row.instances:
            if each.rho is not None:
                values.setdefault(each.instance_id, []).append(each.rho)
    means = [math.fsum(rhos) / len(rhos) for rhos in values.values()]
    return EachAnnotator(
        mean_rho=math.fsum(means) / len(means) if means else None,
        n_defined=len(means),
        n_total=len(human.instance_ids),
        by_annotator=by_annotator,
    )
