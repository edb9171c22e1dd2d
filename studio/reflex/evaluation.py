"""How well a scorer sees what was made worse: the paper's tables, beside its heuristics and the length alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from scipy.stats import kendalltau, spearmanr

from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject, Variant
from studio.reflex.dataset import VARIANTS
from studio.reflex.embedded import Embedded, embedded
from studio.reflex.encoder import Encoder
from studio.reflex.explanations import item_names, template
from studio.reflex.heuristics import heuristic, length_only
from studio.reflex.ladder import Sample, ladder
from studio.reflex.scorer import ContentScorer, why_undefined
from studio.reflex.training import fillers_of

RESAMPLES = 500
_ROUGE = ("rouge1", "rouge2", "rouge3", "rougeL")


@dataclass(frozen=True, kw_only=True)
class LadderTable:
    """One metric on one kind of ladder."""

    metric: ContentMetric
    variant: Variant
    n_decks: int
    n_samples: int
    rho: float | None
    """Spearman of score and 5 − degree, pooled over all rungs, −1 to 1."""
    ci_low: float | None
    """95 % by bootstrap over decks."""
    ci_high: float | None
    tau: float | None
    within: float | None
    """Mean over decks of the Spearman of its five rungs."""
    by_degree: dict[int, float | None] = field(default_factory=dict)
    """Kendall of the decks as they were and those of one degree."""
    mean_by_degree: dict[int, float | None] = field(default_factory=dict)
    heuristic: float | None = None
    """Spearman of the paper's heuristic."""
    length_only: float | None = None
    """Spearman of the number of slides alone."""
    items: dict[str, float] = field(default_factory=dict)
    """Precision, recall and F1 of the things named, and F1 of naming everything."""
    rouge: dict[str, float] = field(default_factory=dict)
    """Mean F1 of explanations against the gold ones, and of naming everything (``rouge1_all``)."""


def evaluate(
    decks: Sequence[DeckObject],
    scorer: ContentScorer,
    encoder: Encoder,
    *,
    seed: int,
    metrics: Sequence[ContentMetric] | None = None,
    cancel: CancelToken | None = None,
) -> list[LadderTable]:
    """Return one table for each metric and kind of ladder that at least three decks allow.

    Args:
        decks: none of which the scorer was trained or tuned on.
        scorer: fitted.
        encoder: the scorer's.
        seed: of the perturbations and of the bootstrap.
        metrics: all of the scorer's if left out.
        cancel: looked at between ladders.
    """
    fillers = fillers_of(decks)
    tables: list[LadderTable] = []
    for metric in metrics or scorer.metrics:
        for variant in VARIANTS[metric]:
            rungs: list[Sample] = []
            for deck in decks:
                if cancel is not None and cancel.is_set():
                    return tables
                others = tuple(slide for slide in fillers if slide not in deck.slides)
                rungs += ladder(deck, metric, seed=seed, variant=variant, fillers=others)
            if len({rung.origin for rung in rungs}) >= 3:
                tables.append(_table(rungs, metric, variant, scorer, encoder, seed))
    return tables


def cross_defects(
    decks: Sequence[DeckObject], scorer: ContentScorer, encoder: Encoder, *, seed: int
) -> dict[str, dict[str, float | None]]:
    """Return, for each kind of defect, the Spearman of every scorer on decks with this defect alone.

    The diagonal is wanted; the rest should be near 0.
    """
    fillers = fillers_of(decks)
    matrix: dict[str, dict[str, float | None]] = {}
    for defect in scorer.metrics:
        rungs = [rung for deck in decks for rung in ladder(deck, defect, seed=seed, fillers=fillers)]
        its = [embedded(rung.deck, encoder) for rung in rungs]
        targets = np.array([rung.target for rung in rungs])
        matrix[defect.value] = {}
        for metric in scorer.metrics:
            values = [scorer.value(it, metric) for it in its]
            matrix[defect.value][metric.value] = _rho(values, targets)
    return matrix


def _table(
    rungs: Sequence[Sample], metric: ContentMetric, variant: Variant, scorer: ContentScorer, encoder: Encoder, seed: int
) -> LadderTable:
    its = [embedded(rung.deck, encoder) for rung in rungs]
    targets = np.array([rung.target for rung in rungs])
    degrees = np.array([rung.degree for rung in rungs])
    values = [scorer.value(it, metric) for it in its]
    origins = [rung.origin for rung in rungs]

    def beside(baseline: Callable[[Embedded, ContentMetric], float | None]) -> list[float | None]:
        """Return a baseline on the decks that have a score, so that the lines of a table compare like with like."""
        return [None if value is None else baseline(it, metric) for it, value in zip(its, values, strict=True)]

    low, high = _interval(values, targets, origins, seed)
    return LadderTable(
        metric=metric, variant=variant, n_decks=len(set(origins)), n_samples=len(rungs), rho=_rho(values, targets),
        ci_low=low, ci_high=high, tau=_tau(values, targets), within=_within(values, targets, origins),
        by_degree={each: _tau([v for v, d in zip(values, degrees, strict=True) if d in (0, each)],
                              targets[np.isin(degrees, (0, each))]) for each in (1, 2, 3, 4)},
        mean_by_degree={each: _mean([v for v, d in zip(values, degrees, strict=True) if d == each and v is not None])
                        for each in range(5)},
        heuristic=_rho(beside(heuristic), targets),
        length_only=_rho(beside(length_only), targets),
        items=_items(rungs, its, metric, scorer), rouge=_rouge(rungs, its, metric, scorer),
    )  # fmt: skip


def _items(
    rungs: Sequence[Sample], its: Sequence[Embedded], metric: ContentMetric, scorer: ContentScorer
) -> dict[str, float]:
    hits = named = wrong = total = 0
    for rung, it in zip(rungs, its, strict=True):
        if rung.degree == 0 or why_undefined(it, metric):
            continue
        found = scorer.chances(it, metric) > scorer.threshold(metric)
        marks = np.array(rung.marks, dtype=bool)
        hits += int((found & marks).sum())
        named += int(found.sum())
        wrong += int(marks.sum())
        total += len(marks)
    return {
        "precision": hits / max(1, named), "recall": hits / max(1, wrong), "f1": 2 * hits / max(1, named + wrong),
        "f1_all": 2 * wrong / max(1, total + wrong),
    }  # fmt: skip


def _rouge(
    rungs: Sequence[Sample], its: Sequence[Embedded], metric: ContentMetric, scorer: ContentScorer
) -> dict[str, float]:
    rouge = RougeScorer(list(_ROUGE))
    sums: dict[str, list[float]] = {name: [] for name in (*_ROUGE, *(f"{name}_all" for name in _ROUGE))}
    for rung, it in zip(rungs, its, strict=True):
        if why_undefined(it, metric):
            continue
        names = item_names(it.deck, metric)
        gold = template(metric, [name for name, mark in zip(names, rung.marks, strict=True) if mark])
        found = scorer.chances(it, metric) > scorer.threshold(metric)
        said = template(metric, [name for name, mark in zip(names, found, strict=True) if mark])
        for name, score in rouge.score(gold, said).items():
            sums[name].append(score.fmeasure)
        for name, score in rouge.score(gold, template(metric, names)).items():
            sums[f"{name}_all"].append(score.fmeasure)
    return {name: float(np.mean(values)) for name, values in sums.items() if values}


def _pairs(values: Sequence[float | None], targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    there = np.array([value is not None for value in values], dtype=bool)
    return np.array([value for value in values if value is not None], dtype=float), targets[there]


def _rho(values: Sequence[float | None], targets: np.ndarray) -> float | None:
    x, y = _pairs(values, targets)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(spearmanr(x, y).statistic)


def _tau(values: Sequence[float | None], targets: np.ndarray) -> float | None:
    x, y = _pairs(values, targets)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(kendalltau(x, y).statistic)


def _within(values: Sequence[float | None], targets: np.ndarray, origins: Sequence[str]) -> float | None:
    own = []
    for origin in dict.fromkeys(origins):
        at = [place for place, each in enumerate(origins) if each == origin]
        rho = _rho([values[place] for place in at], targets[at])
        if rho is not None:
            own.append(rho)
    return _mean(own)


def _interval(
    values: Sequence[float | None], targets: np.ndarray, origins: Sequence[str], seed: int
) -> tuple[float | None, float | None]:
    names = list(dict.fromkeys(origins))
    at = {name: np.array([place for place, each in enumerate(origins) if each == name]) for name in names}
    rng = np.random.default_rng(seed)
    x = np.array([np.nan if value is None else value for value in values])
    drawn = []
    for _ in range(RESAMPLES):
        rows = np.concatenate([at[names[each]] for each in rng.integers(len(names), size=len(names))])
        rows = rows[~np.isnan(x[rows])]
        if len(rows) >= 3 and np.ptp(x[rows]) > 0:
            drawn.append(float(spearmanr(x[rows], targets[rows]).statistic))
    if not drawn:
        return None, None
    return float(np.quantile(drawn, 0.025)), float(np.quantile(drawn, 0.975))


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def table_json(table: LadderTable) -> dict[str, Any]:
    """Return a table as the command line prints it."""
    return {
        "metric": table.metric.value, "variant": table.variant.value, "n_decks": table.n_decks,
        "n_samples": table.n_samples, "spearman": table.rho, "ci_low": table.ci_low, "ci_high": table.ci_high,
        "kendall": table.tau, "within_deck": table.within, "kendall_by_degree": table.by_degree,
        "mean_by_degree": table.mean_by_degree, "heuristic": table.heuristic, "length_only": table.length_only,
        "items": table.items, "rouge": table.rouge,
    }  # fmt: skip


__all__ = ["LadderTable", "cross_defects", "evaluate", "table_json"]
