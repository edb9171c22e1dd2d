"""Fitting: learned parts, localisation and score of each metric, with out-of-fold features (REFLEX-CPU)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from studio.errors import BadInput
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject, SlideObject, Variant
from studio.perturb.amounts import DEGREES
from studio.perturb.topics import carried
from studio.reflex import alignment, coverage, flow, redundancy
from studio.reflex.dataset import VARIANTS
from studio.reflex.embedded import Embedded, embedded
from studio.reflex.encoder import Encoder
from studio.reflex.flow import FlowParts
from studio.reflex.forest import Forest, forest_of
from studio.reflex.ladder import Sample, ladder, rung, with_other_defects
from studio.reflex.order import OrderWeights
from studio.reflex.order_fit import fit_order

FOLDS = 5
# scikit-learn is imported where something is fitted: it takes a second, and scoring with a model does without it.


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a training run is made of; the defaults were chosen on the evaluation part."""

    seed: int = 42
    rounds: int = 3
    """Ladders made of each deck, each with other chance."""
    trees: int = 200
    learning_rate: float = 0.04
    depth: int = 3
    subsample: float = 0.7
    leaf: int = 6
    plain_weight: float = 2.0
    """Of coverage ladders made as in the paper, beside those whose length was kept."""
    mixed: bool = True
    """Whether half of the ladders start from decks that carry other defects, independent of the label."""


@dataclass(frozen=True, kw_only=True)
class MetricModel:
    """What one metric's scorer consists of."""

    metric: ContentMetric
    boosting: Forest
    extra: Forest
    items: Forest
    threshold: float
    parts: FlowParts | None = None
    order: OrderWeights | None = None
    """What speaks for moving a slide; only of flow, and none in models made before it was learned."""
    n_decks: int = 0
    n_samples: int = 0
    encoder: str = ""
    """Id of the encoder whose vectors it was fitted on."""


@dataclass
class _Rows:
    features: list[list[float]] = field(default_factory=list)
    targets: list[float] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)


def fillers_of(decks: Sequence[DeckObject]) -> tuple[SlideObject, ...]:
    """Return slides that can stand where another deck's slide was: with words, no first and no last ones."""
    return tuple(slide for deck in decks for slide in deck.slides[1:-1] if len(slide.text.split()) >= 8)


def training_samples(decks: Sequence[DeckObject], metric: ContentMetric, settings: Settings) -> list[Sample]:
    """Return the rungs that a metric learns from: plain and other variants, half of them with other defects too."""
    fillers = fillers_of(decks)
    samples: list[Sample] = []
    for round_ in range(settings.rounds):
        seed = 1000 * settings.seed + round_
        for deck in decks:
            others = tuple(slide for slide in fillers if slide not in deck.slides)
            variants = VARIANTS[metric]
            variant = variants[round_ % len(variants)]
            samples += ladder(deck, metric, seed=seed, variant=variant, fillers=others)
            if settings.mixed:
                for degree in (0, *DEGREES):
                    try:
                        base = with_other_defects(deck, metric, seed=seed + degree, fillers=others)
                        samples.append(rung(deck, metric, degree=degree, seed=seed, variant=variant, fillers=others,
                                            base=base))  # fmt: skip
                    except BadInput:
                        continue
    return samples


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """What a fit needs and no setting of the trees changes: ladders, out-of-fold features, localisation."""

    metric: ContentMetric
    rows: np.ndarray
    """Features of each training deck, shape (decks, features), computed by parts that have not seen it."""
    targets: np.ndarray
    is_kept_long: np.ndarray
    """Whether a deck was made worse with its length kept."""
    items: Forest
    threshold: float
    parts: FlowParts | None
    order: OrderWeights | None
    n_decks: int
    encoder: str
    """Its id."""


def fit(
    decks: Sequence[DeckObject],
    metric: ContentMetric,
    encoder: Encoder,
    settings: Settings,
    *,
    cancel: CancelToken | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> MetricModel:
    """Fit one metric's scorer; see `prepare` and `fit_prepared`."""
    prepared = prepare(decks, metric, encoder, settings, cancel=cancel, tell=tell)
    _stop(cancel)
    return fit_prepared(prepared, settings)


def prepare(
    decks: Sequence[DeckObject],
    metric: ContentMetric,
    encoder: Encoder,
    settings: Settings,
    *,
    cancel: CancelToken | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Prepared:
    """Make the ladders, localise, and compute what the trees learn from.

    Features of a deck that were learned (position, successor, faulty items) are computed by parts that have not seen
    this deck, as they will be for decks to come. Of the settings only `seed`, `rounds` and `mixed` count here.

    Raises:
        BadInput: if fewer than ten decks can be made worse this way.
    """
    from sklearn.model_selection import GroupKFold

    samples = training_samples(decks, metric, settings)
    origins = sorted({sample.origin for sample in samples})
    if len(origins) < 10:
        raise BadInput(
            f"Only {len(origins)} decks can be made worse for {metric.value}; ten are needed.",
            next_step="Give more decks: with sources for coverage, with at least three captioned images for alignment.",
        )
    tell(f"{metric.value}: {len(samples)} decks from {len(origins)}")
    its = [embedded(sample.deck, encoder) for sample in samples]
    groups = np.array([sample.origin for sample in samples])
    folds = list(GroupKFold(FOLDS).split(its, groups=groups))
    parts = flow_parts(decks, encoder) if metric is ContentMetric.FLOW else None
    by_fold: dict[int, FlowParts | None] = {}
    item_rows: list[np.ndarray] = [np.zeros((0, 0))] * len(its)
    for number, (_, held) in enumerate(folds):
        left_out = set(groups[held])
        by_fold[number] = (
            None if parts is None else flow_parts([deck for deck in decks if deck.id not in left_out], encoder)
        )
        for at in held:
            item_rows[at] = item_features(its[at], metric, by_fold[number])
    chance = [np.zeros(0)] * len(its)
    unsaid = {deck.id: unsaid_sections(deck) for deck in decks} if metric is ContentMetric.COVERAGE else {}
    marks = [np.array(sample.marks, dtype=int) | unsaid.get(sample.origin, 0) for sample in samples]
    for fitted, held in folds:
        _stop(cancel)
        forest = _item_forest([item_rows[at] for at in fitted], [marks[at] for at in fitted], settings)
        for at in held:
            chance[at] = forest.predict(item_rows[at])
    threshold = best_threshold(chance, marks)
    listed: list[list[float]] = [[]] * len(its)
    for number, (_, held) in enumerate(folds):
        for at in held:
            listed[at] = score_features(its[at], metric, by_fold[number], chance[at], threshold)
    order = None
    if parts is not None:
        fold_of = {groups[at]: number for number, (_, held) in enumerate(folds) for at in held}
        # A deck that could not be made worse is in no fold: every fold's parts have seen it.
        unseen = {deck.id: by_fold[fold_of[deck.id]] for deck in decks if deck.id in fold_of}
        order = fit_order(
            [deck for deck in decks if deck.id in unseen], encoder, {name: own for name, own in unseen.items() if own},
            fillers=fillers_of(decks), seed=settings.seed, cancel=cancel,
        )  # fmt: skip
    rows = np.array(listed, dtype=np.float64)
    targets = np.array([sample.target for sample in samples])
    return Prepared(
        metric=metric, rows=rows, targets=targets,
        is_kept_long=np.array([_is_kept_long(sample) for sample in samples], dtype=bool),
        items=_item_forest(item_rows, marks, settings), threshold=threshold, parts=parts, order=order,
        n_decks=len(origins),
        encoder=encoder.id,
    )  # fmt: skip


def fit_prepared(prepared: Prepared, settings: Settings) -> MetricModel:
    """Fit the trees that score on what was prepared."""
    from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor

    is_light = (prepared.metric is not ContentMetric.COVERAGE) | prepared.is_kept_long
    weights = np.where(is_light, 1.0, settings.plain_weight)
    rows, targets = prepared.rows, prepared.targets
    boosting = GradientBoostingRegressor(
        n_estimators=settings.trees, max_depth=settings.depth, learning_rate=settings.learning_rate,
        subsample=settings.subsample, random_state=settings.seed, max_features=0.5,
    ).fit(rows, targets, sample_weight=weights)  # fmt: skip
    extra = ExtraTreesRegressor(
        n_estimators=settings.trees, min_samples_leaf=settings.leaf, random_state=settings.seed, n_jobs=1,
        max_features=0.5,
    ).fit(rows, targets, sample_weight=weights)  # fmt: skip
    return MetricModel(
        metric=prepared.metric, boosting=forest_of(boosting), extra=forest_of(extra), items=prepared.items,
        threshold=prepared.threshold, parts=prepared.parts, order=prepared.order,
        n_decks=prepared.n_decks, n_samples=len(rows),
        encoder=prepared.encoder,
    )  # fmt: skip


def unsaid_sections(deck: DeckObject) -> np.ndarray:
    """Return 1 for each section that no slide of a deck carries as its author made it, otherwise 0.

    Such a section is missing whoever left it out. Taught as present, it teaches that distant sections are covered:
    of the sections of the training decks 18 % are of this kind.
    """
    sections = deck.document.sections if deck.document else ()
    if not sections or not deck.slides:
        return np.zeros(len(sections), dtype=int)
    there = frozenset().union(*carried([slide.text for slide in deck.slides], sections))
    return np.array([int(number not in there) for number in range(len(sections))])


def item_features(it: Embedded, metric: ContentMetric, parts: FlowParts | None) -> np.ndarray:
    """Return one row for each thing that may be at fault: section, slide, or slide with an image."""
    if metric is ContentMetric.COVERAGE:
        return coverage.section_features(it)
    if metric is ContentMetric.REDUNDANCY:
        return redundancy.slide_features(it)
    if metric is ContentMetric.ALIGNMENT:
        return alignment.slide_features(it)
    assert parts is not None
    return flow.slide_features(it, parts)


def score_features(
    it: Embedded, metric: ContentMetric, parts: FlowParts | None, chance: np.ndarray, threshold: float
) -> list[float]:
    """Return the features of a deck, what was localised among them."""
    if metric is ContentMetric.COVERAGE:
        own = coverage.deck_features(it)
    elif metric is ContentMetric.REDUNDANCY:
        own = redundancy.deck_features(it)
    elif metric is ContentMetric.ALIGNMENT:
        own = alignment.deck_features(it)
    else:
        assert parts is not None
        own = flow.deck_features(it, parts)
    if len(chance) == 0:
        return [*own, 0.0, 0.0, 0.0, 0.0, 0.0]
    found = chance > threshold
    top = np.sort(chance)[::-1]
    return [*own, float(chance.mean()), float(found.mean()), float(top[0]), float(top[: max(1, len(top) // 4)].mean()),
            float(np.median(chance))]  # fmt: skip


def best_threshold(chance: Sequence[np.ndarray], marks: Sequence[np.ndarray]) -> float:
    """Return the threshold, 0 to 1, with the highest F1 over all items together."""
    p, y = np.concatenate(chance), np.concatenate(marks).astype(bool)
    best, at = -1.0, 0.5
    for limit in np.linspace(0.1, 0.9, 33):
        found = p > limit
        hits = float((found & y).sum())
        f1 = 2 * hits / max(1.0, float(found.sum() + y.sum()))
        if f1 > best:
            best, at = f1, float(limit)
    return at


def _item_forest(rows: Sequence[np.ndarray], marks: Sequence[np.ndarray], settings: Settings) -> Forest:
    from sklearn.ensemble import RandomForestClassifier

    x = np.concatenate([each for each in rows if len(each)])
    y = np.concatenate([mark for each, mark in zip(rows, marks, strict=True) if len(each)])
    forest = RandomForestClassifier(
        n_estimators=80, min_samples_leaf=12, max_features="sqrt", max_samples=min(1.0, 6000 / len(x)),
        random_state=settings.seed, n_jobs=1,
    ).fit(x, y)  # fmt: skip
    return forest_of(forest)


def flow_parts(decks: Sequence[DeckObject], encoder: Encoder) -> FlowParts:
    """Fit position and successor on decks as their authors made them."""
    from sklearn.linear_model import LogisticRegression, Ridge

    its = [embedded(deck, encoder) for deck in decks if len(deck.slides) >= 4]
    x = np.concatenate([flow.slide_rows(it) for it in its])
    y = np.concatenate([np.arange(it.n) / (it.n - 1) for it in its])
    ridge = Ridge(alpha=3.0).fit(x, y)
    position = np.append(ridge.coef_, ridge.intercept_)
    rng = np.random.default_rng(0)
    rows, labels = [], []
    for it in its:
        predicted = flow.slide_rows(it) @ position[:-1] + position[-1]
        true = np.array([(i, i + 1) for i in range(it.n - 1)])
        wrong = []
        for i in range(it.n - 1):
            others = [j for j in range(it.n) if j not in (i, i + 1)]
            wrong += [(i, int(j)) for j in rng.choice(others, size=min(4, len(others)), replace=False)]
        pairs = np.concatenate([true, np.array(wrong)])
        rows.append(flow.pair_rows(it, predicted, pairs))
        labels += [1] * len(true) + [0] * len(wrong)
    pair = np.concatenate(rows)
    mean, scale = pair.mean(axis=0), pair.std(axis=0) + 1e-9
    logistic = LogisticRegression(C=1.0, max_iter=500).fit((pair - mean) / scale, labels)
    return FlowParts(
        position=position, successor=np.append(logistic.coef_[0], logistic.intercept_), mean=mean, scale=scale
    )


def _is_kept_long(sample: Sample) -> bool:
    return sample.recipe is not None and sample.recipe.variant is Variant.LENGTH_MATCHED


def _stop(cancel: CancelToken | None) -> None:
    if cancel is not None and cancel.is_set():
        from studio.errors import Cancelled

        raise Cancelled("The training was stopped.")
