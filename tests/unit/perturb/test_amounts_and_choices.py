from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, Variant
from studio.perturb import choose
from studio.perturb.amounts import amount, derangement

SLIDES = st.integers(3, 40)
DEGREES = st.integers(1, 4)
SEEDS = st.integers(0, 10_000)


@pytest.mark.parametrize(
    ("n", "amounts"),
    # The published table: floor(0.2 · d · n + 0.5), worked out by hand.
    [(5, [1, 2, 3, 4]), (7, [1, 3, 4, 6]), (10, [2, 4, 6, 8]), (13, [3, 5, 8, 10])],
)
def test_that_a_degree_takes_a_fifth_rounded_half_up(n, amounts):
    assert [amount(n, degree) for degree in (1, 2, 3, 4)] == amounts


def test_that_there_is_no_degree_five():
    with pytest.raises(BadInput, match="no degree 5"):
        amount(10, 5)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), SEEDS)
def test_that_a_derangement_by_kind_exists_exactly_where_no_kind_has_the_majority(kinds, seed):
    found = derangement(range(len(kinds)), random.Random(seed), kind=kinds)
    most = max(Counter(kinds).values())
    assert (found is not None) == (2 * most <= len(kinds))
    if found is not None:
        assert sorted(found) == list(range(len(kinds)))
        assert all(kinds[new] != kinds[old] for old, new in enumerate(found))


@settings(deadline=None)
@given(SLIDES, DEGREES, SEEDS)
def test_that_flow_moves_exactly_the_picked_slides(n, degree, seed):
    slides = list(range(1, n + 1))
    recipe = choose.flow(slides, degree=degree, seed=seed)
    assert sorted(recipe.permutation) == slides
    moved = [was for was, now in zip(slides, recipe.permutation, strict=True) if was != now]
    assert tuple(moved) == recipe.picked
    assert len(moved) == amount(n, degree, least=2)
    assert recipe == choose.flow(slides, degree=degree, seed=seed)


@settings(deadline=None)
@given(SLIDES, DEGREES, SEEDS)
def test_that_redundancy_shows_exactly_the_picked_slides_twice(n, degree, seed):
    slides = list(range(1, n + 1))
    recipe = choose.redundancy(slides, degree=degree, seed=seed)
    shown = Counter(recipe.permutation)
    assert tuple(each for each in slides if shown[each] == 2) == recipe.picked
    assert len(recipe.picked) == amount(n, degree)
    assert len(recipe.permutation) == n + len(recipe.picked)
    kept = [each for place, each in enumerate(recipe.permutation, start=1) if place not in recipe.inserted]
    assert kept == slides


@settings(deadline=None)
@given(SLIDES, DEGREES, SEEDS)
def test_that_redundancy_of_equal_length_keeps_the_length_and_copies_from_slides_that_stay(n, degree, seed):
    slides = list(range(1, n + 1))
    recipe = choose.redundancy(slides, degree=degree, seed=seed, variant=Variant.LENGTH_MATCHED)
    assert len(recipe.permutation) == n
    assert len(recipe.inserted) == min(n - 1, amount(n, degree))
    changed = [place for place, each in enumerate(recipe.permutation, start=1) if each != place]
    assert tuple(changed) == recipe.inserted
    assert {recipe.permutation[place - 1] for place in changed}.isdisjoint(changed)


@settings(deadline=None)
@given(st.integers(3, 20), DEGREES, SEEDS)
def test_that_alignment_gives_every_picked_slide_another_image(n, degree, seed):
    slides = list(range(1, n + 3))
    images = {each: f"image {each}" for each in slides[:n]}
    recipe = choose.alignment(slides, images, degree=degree, seed=seed)
    moved = [was for was, now in zip(slides, recipe.permutation, strict=True) if was != now]
    assert tuple(moved) == recipe.picked
    assert len(moved) == amount(n, degree, least=2)
    assert set(moved) <= set(images)


def test_that_two_slides_with_the_same_image_are_no_swap():
    with pytest.raises(BadInput, match="same one"):
        choose.alignment([1, 2, 3], {1: "a", 2: "a", 3: "a"}, degree=1, seed=0)


def test_that_two_images_are_too_few():
    with pytest.raises(BadInput, match="is 2; it takes 3 or more"):
        choose.alignment([1, 2, 3], {1: "a", 2: "b"}, degree=1, seed=0)


@settings(deadline=None)
@given(st.integers(4, 30), DEGREES, SEEDS, st.data())
def test_that_coverage_takes_every_slide_of_a_picked_topic_and_no_other(n, degree, seed, data):
    n_topics = data.draw(st.integers(4, 9))
    carried = [frozenset({data.draw(st.integers(0, n_topics - 1))}) for _ in range(n)]
    names = [f"topic {each}" for each in range(n_topics)]
    there = set().union(*carried)
    if len(there) < 4:
        with pytest.raises(BadInput, match="four are needed"):
            choose.coverage(range(1, n + 1), names, carried, degree=degree, seed=seed)
        return
    recipe = choose.coverage(range(1, n + 1), names, carried, degree=degree, seed=seed)
    gone = {names.index(str(topic)) for topic in recipe.picked}
    assert gone <= there
    assert len(gone) == min(amount(len(there), degree), len(there) - 1)
    expected = [slide for slide, has in enumerate(carried, start=1) if not has & gone]
    assert list(recipe.permutation) == expected
    assert 0 < len(expected) < n


def test_that_every_metric_has_its_own_chance():
    drawn = {choose.rng_of(metric, 1, 7).random() for metric in ContentMetric}
    assert len(drawn) == 4
