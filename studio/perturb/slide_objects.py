"""A recipe carried out on slide objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, DeckObject, Recipe, SlideObject, Variant
from studio.perturb import choose
from studio.perturb.topics import carried

DROPPED_WORDS = 0.4
"""Share of the words that a noisy copy loses."""
_DRAWS, _APART = 20, 1_000_003
"""How often chance is asked anew where a deck of equal slides would look as before, and how far those seeds lie."""


def perturbed(
    deck: DeckObject,
    metric: ContentMetric,
    *,
    degree: int,
    seed: int,
    variant: Variant = Variant.PLAIN,
    fillers: Sequence[SlideObject] = (),
) -> tuple[DeckObject, Recipe]:
    """Return a worse deck and how it was made; the same for equal arguments, and never one that looks as before.

    Args:
        deck: for coverage with its document.
        metric: what is made worse.
        degree: 1 to 4.
        seed: of chance.
        variant: the paper's, or one that does not give itself away.
        fillers: slides of other decks, for coverage with the length kept.

    Raises:
        BadInput: if the deck has too few slides, images or topics, or so many equal slides that none is seen to move.
    """
    before = [_looks(slide) for slide in deck.slides]
    for salt in range(_DRAWS):
        recipe = _recipe(deck, metric, degree=degree, seed=seed + salt * _APART, variant=variant)
        worse = _slides(deck, recipe, fillers)
        if [_looks(slide) for slide in worse] != before:
            return replace(deck, slides=worse), replace(recipe, seed=seed)
    raise BadInput(
        f"{deck.id} would look as before: too many of its slides are equal.",
        next_step="Choose a higher degree, or a deck with more different slides.",
    )


def _recipe(deck: DeckObject, metric: ContentMetric, *, degree: int, seed: int, variant: Variant) -> Recipe:
    numbers = [slide.number for slide in deck.slides]
    if metric is ContentMetric.FLOW:
        return choose.flow(numbers, degree=degree, seed=seed)
    if metric is ContentMetric.REDUNDANCY:
        return choose.redundancy(numbers, degree=degree, seed=seed, variant=variant)
    if metric is ContentMetric.ALIGNMENT:
        images = {slide.number: tuple(image.id for image in slide.images) for slide in deck.slides if slide.images}
        return choose.alignment(numbers, images, degree=degree, seed=seed)
    sections = deck.document.sections if deck.document else ()
    texts = [slide.text for slide in deck.slides]
    topics_of = carried(texts, sections) if sections else [frozenset[int]()] * len(numbers)
    names = [section.title for section in sections]
    return choose.coverage(numbers, names, topics_of, degree=degree, seed=seed, variant=variant)


def _slides(deck: DeckObject, recipe: Recipe, fillers: Sequence[SlideObject]) -> tuple[SlideObject, ...]:
    by_number = {slide.number: slide for slide in deck.slides}
    if recipe.metric is ContentMetric.ALIGNMENT:
        shown = zip(deck.slides, recipe.permutation, strict=True)
        return tuple(replace(slide, images=by_number[number].images) for slide, number in shown)
    rng = choose.rng_of(recipe.metric, recipe.degree, recipe.seed, "words")
    made = []
    for place, number in enumerate(recipe.permutation, start=1):
        slide = by_number[number] if number else fillers[rng.randrange(len(fillers))]
        if recipe.variant is Variant.NOISY and place in recipe.inserted:
            slide = replace(slide, title=_worn(slide.title, rng), body=_worn(slide.body, rng))
        # Numbers are those of the deck as it is read, never a sign of where a slide was.
        made.append(replace(slide, number=place))
    return tuple(made)


def _worn(text: str, rng: Random) -> str:
    words = text.split()
    kept = [word for word in words if rng.random() >= DROPPED_WORDS] or words[:1]
    rng.shuffle(kept)
    return " ".join(kept)


def _looks(slide: SlideObject) -> tuple[str, tuple[str, ...]]:
    return slide.text, tuple(image.id for image in slide.images)
