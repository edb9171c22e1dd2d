"""Slide objects made worse: exact counts, the same for the same seed, and never the deck as it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, Variant
from studio.perturb.amounts import amount
from studio.perturb.slide_objects import perturbed
from studio.reflex.dataset import VARIANTS
from tests.unit.reflex.made_decks import made_deck

DEGREES = st.integers(1, 4)
SEEDS = st.integers(0, 10_000)
LENGTHS = st.integers(8, 30)
WAYS = [(metric, variant) for metric in ContentMetric for variant in VARIANTS[metric]]
FILLERS = tuple(replace(slide, body=f"of elsewhere {slide.number}") for slide in made_deck(99).slides)


def looks(deck) -> list[tuple[str, tuple[str, ...]]]:
    return [(slide.text, tuple(image.id for image in slide.images)) for slide in deck.slides]


@settings(deadline=None, max_examples=40)
@pytest.mark.parametrize(("metric", "variant"), WAYS)
@given(number=st.integers(0, 50), length=LENGTHS, degree=DEGREES, seed=SEEDS)
def test_that_a_worse_deck_is_never_the_deck_and_always_the_same_one(metric, variant, number, length, degree, seed):
    deck = made_deck(number, slides=length)
    before = looks(deck)
    worse, recipe = perturbed(deck, metric, degree=degree, seed=seed, variant=variant, fillers=FILLERS)
    assert looks(worse) != before
    assert looks(deck) == before
    assert (worse, recipe) == perturbed(deck, metric, degree=degree, seed=seed, variant=variant, fillers=FILLERS)
    assert (recipe.metric, recipe.degree, recipe.seed, recipe.variant) == (metric, degree, seed, variant)
    assert [slide.number for slide in worse.slides] == list(range(1, len(worse.slides) + 1))
    assert worse.document == deck.document


@settings(deadline=None, max_examples=40)
@given(number=st.integers(0, 50), length=LENGTHS, degree=DEGREES, seed=SEEDS)
def test_that_length_matched_decks_keep_their_length(number, length, degree, seed):
    deck = made_deck(number, slides=length)
    for metric in (ContentMetric.COVERAGE, ContentMetric.REDUNDANCY):
        worse, recipe = perturbed(
            deck, metric, degree=degree, seed=seed, variant=Variant.LENGTH_MATCHED, fillers=FILLERS
        )
        assert len(worse.slides) == length
        own = set(looks(deck))
        from_elsewhere = [place for place, look in enumerate(looks(worse)) if look not in own]
        gaps = [place for place, number in enumerate(recipe.permutation) if number == 0]
        assert from_elsewhere == gaps


@settings(deadline=None, max_examples=40)
@given(number=st.integers(0, 50), length=LENGTHS, degree=DEGREES, seed=SEEDS)
def test_that_noisy_copies_hold_words_of_their_slide_only_and_fewer_of_them(number, length, degree, seed):
    deck = made_deck(number, slides=length)
    worse, recipe = perturbed(deck, ContentMetric.REDUNDANCY, degree=degree, seed=seed, variant=Variant.NOISY)
    assert len(recipe.inserted) == amount(length, degree)
    copied = words = 0
    for place, was in enumerate(recipe.permutation, start=1):
        now, then = worse.slides[place - 1], deck.slides[was - 1]
        if place not in recipe.inserted:
            assert now.text == then.text
            continue
        assert Counter(now.text.split()) <= Counter(then.text.split())
        copied, words = copied + len(now.text.split()), words + len(then.text.split())
    assert copied < words


@settings(deadline=None, max_examples=40)
@given(number=st.integers(0, 50), length=LENGTHS, degree=DEGREES, seed=SEEDS)
def test_that_exactly_the_picked_slides_and_images_are_other_ones(number, length, degree, seed):
    deck = made_deck(number, slides=length)
    moved, flow = perturbed(deck, ContentMetric.FLOW, degree=degree, seed=seed)
    images, alignment = perturbed(deck, ContentMetric.ALIGNMENT, degree=degree, seed=seed)
    for worse, recipe in ((moved, flow), (images, alignment)):
        assert len(recipe.picked) == amount(length, degree, least=2)
        places = [place for place, (a, b) in enumerate(zip(looks(deck), looks(worse), strict=True), start=1) if a != b]
        assert tuple(places) == recipe.picked
    assert sorted(look for look in looks(moved)) == sorted(looks(deck))
    assert [slide.text for slide in images.slides] == [slide.text for slide in deck.slides]


@settings(deadline=None, max_examples=40)
@given(degree=DEGREES, seed=SEEDS, is_first=st.booleans())
def test_that_equal_slides_do_not_hide_the_change(degree, seed, is_first):
    # All slides but one are equal, so that most draws move nothing that can be seen.
    deck = made_deck(3, slides=6)
    odd = 0 if is_first else 5
    slides = tuple(
        slide if place == odd else replace(deck.slides[2], number=place + 1) for place, slide in enumerate(deck.slides)
    )
    deck = replace(deck, slides=slides)
    for metric, variant in (
        (ContentMetric.FLOW, Variant.PLAIN), (ContentMetric.REDUNDANCY, Variant.LENGTH_MATCHED),
    ):  # fmt: skip
        worse, _ = perturbed(deck, metric, degree=degree, seed=seed, variant=variant)
        assert looks(worse) != looks(deck)


@pytest.mark.parametrize("variant", [Variant.PLAIN, Variant.LENGTH_MATCHED])
def test_that_a_deck_of_one_slide_again_and_again_is_refused_where_nothing_would_change(variant):
    deck = made_deck(3, slides=6)
    deck = replace(deck, slides=tuple(replace(deck.slides[0], number=place) for place in range(1, 7)))
    metric = ContentMetric.FLOW if variant is Variant.PLAIN else ContentMetric.REDUNDANCY
    with pytest.raises(BadInput, match="would look as before"):
        perturbed(deck, metric, degree=2, seed=1, variant=variant)
