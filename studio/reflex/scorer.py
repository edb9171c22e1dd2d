"""REFLEX-CPU: localise, explain, score, in this order (REFLEX, section 4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, DeckObject
from studio.reflex import alignment
from studio.reflex.embedded import Embedded, embedded
from studio.reflex.encoder import Encoder
from studio.reflex.explanations import Suggestion, explanation, suggestions
from studio.reflex.language import language_flags
from studio.reflex.repair import Repair, repair
from studio.reflex.training import MetricModel, item_features, score_features

LEAST_IMAGES = 2
LEAST_SLIDES = {
    ContentMetric.COVERAGE: 1, ContentMetric.REDUNDANCY: 2, ContentMetric.ALIGNMENT: 2, ContentMetric.FLOW: 3,
}  # fmt: skip
"""Even one slide covers something of its source; an order needs three."""


@dataclass(frozen=True, kw_only=True)
class ContentScore:
    """What one metric says of a deck."""

    metric: ContentMetric
    value: float | None
    """0 to 1, higher is better; None with a reason where the metric is not defined."""
    undefined_reason: str | None = None
    suggestions: tuple[Suggestion, ...] = ()
    explanation: str = ""
    flags: tuple[str, ...] = ()


class ContentScorer(Protocol):
    """What the evaluation asks of a scorer, whether trees or a fine-tuned language model."""

    @property
    def metrics(self) -> tuple[ContentMetric, ...]:
        """What it scores."""
        ...

    def value(self, it: Embedded, metric: ContentMetric) -> float | None:
        """Return the score, 0 to 1, or None where the metric is not defined."""
        ...

    def chances(self, it: Embedded, metric: ContentMetric) -> np.ndarray:
        """Return for each thing that may be at fault how sure the scorer is that it is, 0 to 1."""
        ...

    def threshold(self, metric: ContentMetric) -> float:
        """Return above which chance a thing is named."""
        ...

    @property
    def encoder(self) -> Encoder:
        """Return what decks are embedded with, for the scorer and for the baselines beside it."""
        ...


class Scorer:
    """Scores decks with fitted models; holds nothing of the decks.

    Raises:
        BadInput: if the models were fitted on the vectors of another encoder.
    """

    def __init__(
        self, models: Mapping[ContentMetric, MetricModel], encoder: Encoder, languages: Collection[str] = ("en",), *,
        reads_others: bool = False,
    ) -> None:  # fmt: skip
        other = next((model.encoder for model in models.values() if model.encoder not in ("", encoder.id)), None)
        if other is not None:
            raise BadInput(
                f"The model was trained with the encoder {other}, not {encoder.id}.",
                next_step="Use the encoder that it was trained with, or train one with this encoder.",
            )
        self.models = models
        self.languages = languages
        """That the models were trained on; scores of decks in others carry a flag."""
        self.reads_others = reads_others
        """Whether the encoder reads languages that the models were not trained on."""
        self.encoder = encoder
        """That decks are embedded with."""

    @property
    def metrics(self) -> tuple[ContentMetric, ...]:
        """What there is a model for."""
        return tuple(self.models)

    def threshold(self, metric: ContentMetric) -> float:
        """Return above which chance a thing is named."""
        return self.models[metric].threshold

    def score_all(self, deck: DeckObject) -> list[ContentScore]:
        """Return the scores of all metrics that have a model."""
        it = embedded(deck, self.encoder)
        flags = self.flags(deck)
        return [self.score_embedded(it, metric, flags) for metric in self.models]

    def score(self, deck: DeckObject, metric: ContentMetric) -> ContentScore:
        """Return one metric's score.

        Raises:
            KeyError: if there is no model for it.
        """
        return self.score_embedded(embedded(deck, self.encoder), metric, self.flags(deck))

    def flags(self, deck: DeckObject) -> tuple[str, ...]:
        """Return what is to be said of a deck's language."""
        return language_flags(deck, self.languages, reads_others=self.reads_others)

    def chances(self, it: Embedded, metric: ContentMetric) -> np.ndarray:
        """Return for each thing that may be at fault how sure the model is that it is, 0 to 1."""
        model = self.models[metric]
        return np.asarray(np.clip(model.items.predict(item_features(it, metric, model.parts)), 0.0, 1.0))

    def value(self, it: Embedded, metric: ContentMetric) -> float | None:
        """Return the score alone, 0 to 1, or None where the metric is not defined."""
        if why_undefined(it, metric):
            return None
        return self._value(it, metric, self.chances(it, metric))

    def _value(self, it: Embedded, metric: ContentMetric, chance: np.ndarray) -> float:
        model = self.models[metric]
        row = np.array([score_features(it, metric, model.parts, chance, model.threshold)])
        value = float(model.boosting.predict(row)[0] + model.extra.predict(row)[0]) / 2
        return min(1.0, max(0.0, value))

    def score_embedded(self, it: Embedded, metric: ContentMetric, flags: tuple[str, ...] = ()) -> ContentScore:
        """Return one metric's score of a deck whose words are vectors already.

        Args:
            it: made with the scorer's encoder.
            metric: one that has a model.
            flags: what else is known of the deck; they go into the score.
        """
        reason = why_undefined(it, metric)
        if reason:
            return ContentScore(metric=metric, value=None, undefined_reason=reason, flags=flags)
        model = self.models[metric]
        chance = self.chances(it, metric)
        planned = Repair()
        if model.parts is not None and model.order is not None:
            planned = repair(it, model.parts, model.order)
        found = suggestions(it, metric, chance, model.threshold, planned)
        return ContentScore(
            metric=metric, value=self._value(it, metric, chance), suggestions=found,
            explanation=explanation(metric, found), flags=flags,
        )  # fmt: skip


def why_undefined(it: Embedded, metric: ContentMetric) -> str:
    """Return why a metric cannot be computed for a deck; empty if it can."""
    least = LEAST_SLIDES[metric]
    if it.n < least:
        return f"the number of slides is {it.n}; it takes {least} or more"
    if not any(it.words):
        return "no slide has words that can be read"
    if metric is ContentMetric.COVERAGE and len(it.sections) < 2:
        return "there is no source with sections to be covered"
    if metric is ContentMetric.ALIGNMENT and len(alignment.places(it)) < LEAST_IMAGES:
        return "fewer than two slides have an image of which something is known in words"
    return ""
