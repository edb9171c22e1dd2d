"""A deck with its words as vectors and as bags of words: what all features are computed from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from studio.model.reflex import DeckObject
from studio.reflex.encoder import Encoder, Vectors

Computed = TypeVar("Computed")

_WORD = re.compile(r"[^\W\d_]{3,}|[぀-鿿가-힯]{2}|\d[\d.,]*")


@dataclass(frozen=True, kw_only=True)
class Embedded:
    """Rows stand for slides in order; sections likewise."""

    deck: DeckObject
    titles: Vectors
    bodies: Vectors
    texts: Vectors
    captions: Vectors
    """Rows of slides without image words are zero."""
    has_caption: tuple[bool, ...]
    sections: Vectors
    headings: Vectors
    words: tuple[frozenset[str], ...]
    """Distinct words of each slide."""
    caption_words: tuple[frozenset[str], ...]
    memo: dict[str, tuple[object, Any]] = field(default_factory=dict, compare=False, repr=False)
    """What was computed of the deck, by name, with what it was computed from."""

    def once(self, name: str, of: object, make: Callable[[], Computed]) -> Computed:
        """Return what `make` returns, computed once for this deck and this `of`."""
        known = self.memo.get(name)
        if known is None or known[0] is not of:
            known = (of, make())
            self.memo[name] = known
        found: Computed = known[1]
        return found

    @property
    def n(self) -> int:
        """Number of slides."""
        return len(self.deck.slides)

    def taken(self, places: Sequence[int]) -> Embedded:
        """Return the deck of these slides, by places from 0, in this order; the slides keep their numbers."""
        at = list(places)
        return replace(
            self,
            memo={},
            deck=replace(self.deck, slides=tuple(self.deck.slides[each] for each in at)),
            titles=self.titles[at],
            bodies=self.bodies[at],
            texts=self.texts[at],
            captions=self.captions[at],
            has_caption=tuple(self.has_caption[each] for each in at),
            words=tuple(self.words[each] for each in at),
            caption_words=tuple(self.caption_words[each] for each in at),
        )


def embedded(deck: DeckObject, encoder: Encoder) -> Embedded:
    """Return a deck with vectors from this encoder."""
    slides = deck.slides
    captions = [slide.image_words for slide in slides]
    sections = deck.document.sections if deck.document else ()
    return Embedded(
        deck=deck,
        titles=encoder.encode([slide.title for slide in slides]),
        bodies=encoder.encode([slide.body or slide.title for slide in slides]),
        texts=encoder.encode([slide.text for slide in slides]),
        captions=encoder.encode(captions),
        has_caption=tuple(bool(each) for each in captions),
        sections=encoder.encode([f"{section.title}. {section.text}" for section in sections]),
        headings=encoder.encode([section.title for section in sections]),
        words=tuple(words_of(slide.text) for slide in slides),
        caption_words=tuple(words_of(each) for each in captions),
    )


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded; letters in pairs for CJK."""
    return frozenset(_WORD.findall(text.casefold()))


def cosines(left: Vectors, right: Vectors) -> np.ndarray:
    """Return cosines of unit rows, −1 to 1, shape (len(left), len(right))."""
    return (left @ right.T).astype(np.float64)


def spread(values: np.ndarray, quantiles: tuple[float, ...] = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)) -> list[float]:
    """Return quantiles, mean and standard deviation of values; zeros if there are none."""
    if len(values) == 0:
        return [0.0] * (len(quantiles) + 2)
    return [*np.quantile(values, quantiles).tolist(), float(values.mean()), float(values.std())]
