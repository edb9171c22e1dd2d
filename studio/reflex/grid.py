"""Which settings score best on decks that were not fitted on: every combination, its result kept (REFLEX, table 5)."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from studio.errors import BadInput
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject
from studio.reflex.dataset import VARIANTS
from studio.reflex.embedded import embedded
from studio.reflex.encoder import Encoder, StaticEncoder
from studio.reflex.ladder import Sample, ladder
from studio.reflex.scorer import why_undefined
from studio.reflex.training import (
    MetricModel,
    Prepared,
    Settings,
    fillers_of,
    fit_prepared,
    item_features,
    prepare,
    score_features,
)

GRID: dict[str, tuple[float, ...]] = {
    "trees": (100, 200, 400),
    "learning_rate": (0.02, 0.04, 0.08),
    "depth": (2, 3, 4),
    "leaf": (3, 6, 12),
}
"""What is tried if nothing else is asked for: 81 combinations."""
SEARCHED = ("trees", "learning_rate", "depth", "subsample", "leaf", "plain_weight")
"""Settings that a grid may hold: those that change nothing but the trees that score."""


@dataclass(frozen=True, kw_only=True)
class GridRow:
    """One combination of settings for one metric."""

    metric: ContentMetric
    settings: Settings
    data: str
    """Digest of the decks fitted on and scored, so that rows of other decks are not mixed in."""
    by_variant: Mapping[str, float | None]
    """Spearman of score and 5 − degree on the evaluation part, for each kind of ladder."""
    n_decks: int
    """Scored, of the evaluation part."""
    encoder: str = StaticEncoder.id
    """Id of the encoder of the vectors."""

    @property
    def mean(self) -> float | None:
        """Mean over the kinds of ladders; None if one of them is undefined."""
        values = list(self.by_variant.values())
        known = [each for each in values if each is not None]
        return sum(known) / len(known) if known and len(known) == len(values) else None


def combinations(grid: Mapping[str, Sequence[float]], base: Settings) -> list[Settings]:
    """Return every combination of a grid, in its order; other settings as in `base`.

    Raises:
        BadInput: for a setting that cannot be searched, or one without values.
    """
    for name, values in grid.items():
        if name not in SEARCHED:
            raise BadInput(f"{name} cannot be searched.", next_step=f"Choose among {', '.join(SEARCHED)}.")
        if not values:
            raise BadInput(f"The grid has no value for {name}.", next_step="Give at least one.")
    made = []
    for row in itertools.product(*grid.values()):
        # Whole numbers stay whole: a row that was stored compares equal to the one that is wanted.
        chosen: dict[str, Any] = {
            name: type(getattr(base, name))(value) for name, value in zip(grid, row, strict=True)
        }  # fmt: skip
        made.append(replace(base, **chosen))
    return made


def search(
    fit_on: Sequence[DeckObject],
    score_on: Sequence[DeckObject],
    metric: ContentMetric,
    encoder: Encoder,
    wanted: Sequence[Settings],
    *,
    known: Collection[Settings] = (),
    seed: int = 1,
    cancel: CancelToken | None = None,
) -> Iterator[GridRow]:
    """Yield a row for each combination that is not known yet, as soon as it is there.

    Args:
        fit_on: decks to learn from.
        score_on: decks to compare on; none of the others.
        metric: which scorer.
        encoder: for both.
        wanted: the combinations; all with the same seed, rounds and mixing.
        known: combinations whose row is there.
        seed: of the ladders of the compared decks.
        cancel: looked at between combinations.

    Raises:
        BadInput: if too few decks can be made worse.
    """
    left = [each for each in wanted if each not in known]
    if not left:
        return
    prepared = prepare(fit_on, metric, encoder, left[0], cancel=cancel)
    scored = _scored(score_on, prepared, encoder, seed)
    data = digest(fit_on, score_on, seed, encoder.id)
    origins = {origin for names, _, _ in scored.values() for origin in names}
    for settings in left:
        if cancel is not None and cancel.is_set():
            return
        model = fit_prepared(prepared, settings)
        yield GridRow(
            metric=metric, settings=settings, data=data, n_decks=len(origins), encoder=encoder.id,
            by_variant={name: _rho(model, rows, targets) for name, (_, rows, targets) in scored.items()},
        )  # fmt: skip


def best(rows: Sequence[GridRow], metric: ContentMetric) -> GridRow | None:
    """Return the row of a metric with the highest mean, of equals the first; None if no row has one."""
    own = [row for row in rows if row.metric is metric and row.mean is not None]
    return max(own, key=lambda row: row.mean or 0.0, default=None)


def digest(
    fit_on: Sequence[DeckObject], score_on: Sequence[DeckObject], seed: int, encoder: str = StaticEncoder.id
) -> str:
    """Return what tells one search from another: the decks' ids and words, the seed of the ladders, the encoder."""
    words = [[[deck.id, *(slide.text for slide in deck.slides)] for deck in decks] for decks in (fit_on, score_on)]
    # The table of static vectors was once the only encoder, and its searches go on.
    more = [] if encoder == StaticEncoder.id else [encoder]
    return hashlib.sha256(json.dumps([words, seed, *more], ensure_ascii=False).encode()).hexdigest()[:16]


def row_json(row: GridRow) -> dict[str, object]:
    """Return a row as it is stored and printed."""
    return {
        "metric": row.metric.value, "data": row.data, "n_decks": row.n_decks, "mean": row.mean,
        "by_variant": dict(row.by_variant), "encoder": row.encoder, "settings": asdict(row.settings),
    }  # fmt: skip


def _scored(
    decks: Sequence[DeckObject], prepared: Prepared, encoder: Encoder, seed: int
) -> dict[str, tuple[list[str], np.ndarray, np.ndarray]]:
    """Return origins, features and targets of the compared ladders, for each kind."""
    fillers = fillers_of(decks)
    found = {}
    for variant in VARIANTS[prepared.metric]:
        rungs: list[Sample] = []
        for deck in decks:
            others = tuple(slide for slide in fillers if slide not in deck.slides)
            rungs += ladder(deck, prepared.metric, seed=seed, variant=variant, fillers=others)
        rows, targets, origins = [], [], []
        for rung in rungs:
            it = embedded(rung.deck, encoder)
            if why_undefined(it, prepared.metric):
                continue
            chance = np.clip(prepared.items.predict(item_features(it, prepared.metric, prepared.parts)), 0.0, 1.0)
            rows.append(score_features(it, prepared.metric, prepared.parts, chance, prepared.threshold))
            targets.append(rung.target)
            origins.append(rung.origin)
        if len(set(origins)) >= 3:
            found[variant.value] = (origins, np.array(rows), np.array(targets))
    if not found:
        raise BadInput(
            f"Fewer than three decks of the evaluation part can be made worse for {prepared.metric.value}.",
            next_step="Give more decks.",
        )
    return found


def _rho(model: MetricModel, rows: np.ndarray, targets: np.ndarray) -> float | None:
    values = np.clip((model.boosting.predict(rows) + model.extra.predict(rows)) / 2, 0.0, 1.0)
    from scipy.stats import spearmanr

    return float(spearmanr(values, targets).statistic) if np.ptp(values) > 0 else None
