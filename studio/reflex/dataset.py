"""Decks that may teach: which are fit, why the others are not, who is in which part, and the ladders made of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.model.reflex import ContentMetric, DeckObject, SlideObject, Variant

LEAST_SLIDES, MOST_SLIDES = 5, 35
MOST_OVERLAP = 0.8
PARTS = {"train": 0.70, "evaluation": 0.15, "test": 0.15}
_OPENING = re.compile(
    r"introduc|outline|agenda|overview|motivation|background|welcome|引言|背景|目录|概述", re.IGNORECASE
)
_CLOSING = re.compile(
    r"conclu|summary|thank|question|future|takeaway|acknowledg|reference|结论|总结|谢谢|展望", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Rejected:
    """A deck that is not used, and why."""

    deck_id: str
    reasons: tuple[str, ...]


def why_not(deck: DeckObject, *, aspect: float | None = None, language: str = "", languages: Iterable[str] = ("en",),
            needs_ends: bool = True) -> tuple[str, ...]:  # fmt: skip
    """Return every reason against a deck (REFLEX, section 3.2); none for one that is fit.

    Args:
        deck: as read.
        aspect: width by height of its pages, if known: 16:9 within 1 %.
        language: its language, if known.
        languages: that are wanted.
        needs_ends: whether an opening and a closing slide are asked for.
    """
    reasons = []
    n = len(deck.slides)
    if not LEAST_SLIDES <= n <= MOST_SLIDES:
        reasons.append(f"{n} slides; {LEAST_SLIDES} to {MOST_SLIDES} are wanted")
    if needs_ends and n:
        # An opening is a title slide (few words) or a slide that says so; likewise a closing.
        if not any(_OPENING.search(slide.title) or len(slide.text.split()) <= 15 for slide in deck.slides[:2]):
            reasons.append("no opening slide")
        if not any(_CLOSING.search(slide.title) or len(slide.text.split()) <= 15 for slide in deck.slides[-2:]):
            reasons.append("no closing slide")
    for one, other in zip(deck.slides, deck.slides[1:], strict=False):
        share = overlap(one, other)
        if share > MOST_OVERLAP:
            reasons.append(f"slides {one.number} and {other.number} overlap by {share:.0%}")
            break
    if aspect is not None and abs(aspect / (16 / 9) - 1) > 0.01:
        reasons.append(f"pages of {aspect:.2f} to 1, not 16:9")
    if language and language.split("-")[0] not in set(languages):
        reasons.append(f"its language is {language}")
    return tuple(reasons)


def overlap(one: SlideObject, other: SlideObject) -> float:
    """Return the Jaccard similarity of two slides' words, 0 to 1; slides of fewer than five words never overlap."""
    a, b = set(one.text.casefold().split()), set(other.text.casefold().split())
    return len(a & b) / len(a | b) if min(len(a), len(b)) >= 5 else 0.0


def split(ids: Sequence[str], *, seed: int) -> dict[str, tuple[str, ...]]:
    """Return the ids of the training, evaluation and test part, 70:15:15, by deck; the same for the same seed."""
    mixed = sorted(ids)
    random.Random(f"split/{seed}").shuffle(mixed)
    first = round(PARTS["train"] * len(mixed))
    second = first + round(PARTS["evaluation"] * len(mixed))
    return {"train": tuple(mixed[:first]), "evaluation": tuple(mixed[first:second]), "test": tuple(mixed[second:])}


VARIANTS: dict[ContentMetric, tuple[Variant, ...]] = {
    ContentMetric.COVERAGE: (Variant.PLAIN, Variant.LENGTH_MATCHED),
    ContentMetric.REDUNDANCY: (Variant.PLAIN, Variant.LENGTH_MATCHED, Variant.NOISY),
    ContentMetric.ALIGNMENT: (Variant.PLAIN,),
    ContentMetric.FLOW: (Variant.PLAIN,),
}
"""The ladders that exist for each metric."""
