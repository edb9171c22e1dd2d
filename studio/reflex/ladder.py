"""Ladders: each deck as it is, and made worse by one degree after another, with the gold kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, DeckObject, Recipe, SlideObject, Variant
from studio.perturb.amounts import DEGREES
from studio.perturb.slide_objects import perturbed


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One rung: a deck, how bad it is, and what was done to it."""

    origin: str
    """Id of the deck as it was; what belongs together in folds and intervals."""
    deck: DeckObject
    degree: int
    """0 for the deck as it was."""
    recipe: Recipe | None
    marks: tuple[bool, ...]
    """Which are at fault: slides (redundancy, flow), slides of whose image something is known (alignment), sections
    (coverage)."""

    @property
    def target(self) -> float:
        """(s − 1) / 4 with s = 5 − degree."""
        return (4 - self.degree) / 4


def ladder(
    deck: DeckObject,
    metric: ContentMetric,
    *,
    seed: int,
    variant: Variant = Variant.PLAIN,
    fillers: Sequence[SlideObject] = (),
) -> list[Sample]:
    """Return the five rungs of a deck, the deck as it is first; empty if it cannot be made worse this way."""
    rungs = []
    for degree in (0, *DEGREES):
        try:
            rungs.append(rung(deck, metric, degree=degree, seed=seed, variant=variant, fillers=fillers))
        except BadInput:
            return []
    return rungs


def rung(
    deck: DeckObject, metric: ContentMetric, *, degree: int, seed: int, variant: Variant = Variant.PLAIN,
    fillers: Sequence[SlideObject] = (), base: DeckObject | None = None,
) -> Sample:  # fmt: skip
    """Return one rung.

    Args:
        deck: as it was.
        metric: what is made worse.
        degree: 0 to 4; 0 leaves it.
        seed: of chance.
        variant: how.
        fillers: slides of other decks, for coverage with the length kept.
        base: the deck to start from, which may have other defects; `deck` itself if left out.
    """
    base = base or deck
    if degree == 0:
        worse, recipe = base, None
    else:
        worse, recipe = perturbed(base, metric, degree=degree, seed=seed, variant=variant, fillers=fillers)
    return Sample(origin=deck.id, deck=worse, degree=degree, recipe=recipe, marks=marks_of(worse, metric, recipe))


def with_other_defects(
    deck: DeckObject, metric: ContentMetric, *, seed: int, fillers: Sequence[SlideObject] = ()
) -> DeckObject:
    """Return a deck with defects of the other metrics, drawn independently of any label: each with a chance of half.

    Defects of flow are not put into decks of which something else moves slides first, and the other way round no
    defect hides the one that is asked for.
    """
    rng = random.Random(f"mixed/{metric.value}/{deck.id}/{seed}")
    for other in ContentMetric:
        if other is metric or rng.random() < 0.5:
            continue
        if other is ContentMetric.COVERAGE and deck.document is None:
            continue
        degree = rng.choice(DEGREES[:2] if other is ContentMetric.COVERAGE else DEGREES)
        variant = Variant.PLAIN
        if other is ContentMetric.REDUNDANCY:
            variant = rng.choice([Variant.PLAIN, Variant.NOISY])
        try:
            deck, _ = perturbed(deck, other, degree=degree, seed=seed, variant=variant, fillers=fillers)
        except BadInput:
            continue
    return deck


def marks_of(deck: DeckObject, metric: ContentMetric, recipe: Recipe | None) -> tuple[bool, ...]:
    """Return which things of a worse deck are at fault, in the order of `item_names`; see `Sample.marks`."""
    if metric is ContentMetric.COVERAGE:
        gone = set(recipe.picked) if recipe else set()
        return tuple(section.title in gone for section in (deck.document.sections if deck.document else ()))
    if metric is ContentMetric.ALIGNMENT:
        moved = _moved(recipe) if recipe else set()
        return tuple(place in moved for place, slide in enumerate(deck.slides) if slide.image_words)
    if recipe is None:
        return (False,) * len(deck.slides)
    if metric is ContentMetric.REDUNDANCY:
        return _later_ones(recipe)
    moved = _moved(recipe)
    return tuple(place in moved for place in range(len(deck.slides)))


def _later_ones(recipe: Recipe) -> tuple[bool, ...]:
    """Mark of each pair of equal slides the later one: nobody can tell an exact copy from what it is a copy of."""
    if recipe.variant is Variant.NOISY:
        return tuple(place in recipe.inserted for place in range(1, len(recipe.permutation) + 1))
    return tuple(number in recipe.permutation[:place] for place, number in enumerate(recipe.permutation))


def _moved(recipe: Recipe) -> set[int]:
    """Return the places, from 0, where another slide or image stands than before."""
    ordered = sorted(recipe.permutation)
    return {place for place, (now, was) in enumerate(zip(recipe.permutation, ordered, strict=True)) if now != was}
