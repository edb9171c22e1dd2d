"""The paper's heuristics, and what the length alone tells: lines that every table shows beside a scorer."""

from __future__ import annotations

import numpy as np

from studio.model.reflex import ContentMetric
from studio.reflex import coverage
from studio.reflex.embedded import Embedded, cosines


def heuristic(it: Embedded, metric: ContentMetric) -> float | None:
    """Return the paper's heuristic (REFLEX, section 4.1), higher is better; None where there is none.

    Coverage: mean cosine of all pairs of section and slide. Redundancy: 1 − mean cosine of all pairs of slides, the
    diagonal counted. Alignment: mean cosine of text and image words over slides that have both. Flow: the paper has
    none; here the mean cosine of neighbours, as in the published prototype.
    """
    if metric is ContentMetric.COVERAGE:
        near = cosines(it.sections, it.texts)
        return float(near.mean()) if near.size else None
    if metric is ContentMetric.REDUNDANCY:
        return float(1 - cosines(it.texts, it.texts).mean()) if it.n else None
    if metric is ContentMetric.ALIGNMENT:
        own = np.diag(cosines(it.texts, it.captions))[np.array(it.has_caption, dtype=bool)]
        return float(own.mean()) if len(own) else None
    return float(np.diag(cosines(it.texts, it.texts), 1).mean()) if it.n > 1 else None


def length_only(it: Embedded, metric: ContentMetric) -> float:
    """Return a score from the number of slides alone: more is better for coverage, fewer for the others."""
    if metric is ContentMetric.COVERAGE:
        return coverage.length_features(it)[1]
    return -float(it.n)
