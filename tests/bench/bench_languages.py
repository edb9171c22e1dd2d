"""Content scores in languages that taught no model: one invented talk told in five, made worse in the same ways."""

from __future__ import annotations

import sys

import numpy as np
from scipy.stats import spearmanr

from studio.model.reflex import ContentMetric
from studio.reflex.embedded import embedded
from studio.reflex.encoders import ENCODERS
from studio.reflex.ladder import ladder
from studio.reflex.scorer import Scorer
from studio.reflex.shipped import SHIPPED, scorer_of, shipped_model
from tests.unit.reflex.parallel_talk import LANGUAGES, parallel_talk

SEEDS = range(1, 31)
METRICS = (ContentMetric.COVERAGE, ContentMetric.REDUNDANCY, ContentMetric.FLOW)


def main() -> None:
    for name in SHIPPED:
        reason = ENCODERS[name].why_missing()
        if reason:
            print(f"   {name} left out: {reason}", file=sys.stderr)
            continue
        scorer = scorer_of(shipped_model(name))
        for metric in METRICS:
            found = ", ".join(f"{language} {seen(scorer, metric, language)}" for language in LANGUAGES)
            print(f"   {name}, {metric.value}: {found}", flush=True)


def seen(scorer: Scorer, metric: ContentMetric, language: str) -> str:
    """Return the mean of Spearman's rho of score and degree over the ladders of the seeds, and its standard error."""
    found = []
    for seed in SEEDS:
        rungs = ladder(parallel_talk(language), metric, seed=seed)
        values = [scorer.value(embedded(rung.deck, scorer.encoder), metric) for rung in rungs]
        found.append(spearmanr(values, [rung.target for rung in rungs]).statistic if len(set(values)) > 1 else 0.0)
    return f"{np.mean(found):.2f} ± {np.std(found, ddof=1) / np.sqrt(len(found)):.2f}"


if __name__ == "__main__":
    main()
