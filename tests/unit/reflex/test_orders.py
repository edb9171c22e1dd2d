"""Moves of one slide: what each gains, and that a moved slide is found."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from studio.model.reflex import ContentMetric
from studio.reflex import order
from studio.reflex.embedded import embedded
from studio.reflex.encoder import static_encoder
from studio.reflex.order import FEATURES, LEAST_STEP, likely_moves, move_rows
from studio.reflex.order_fit import with_one_moved, without_repeats
from studio.reflex.repair import FIRM, MOST_UNSURE, UNSURE, repair
from studio.reflex.training import Settings, fit
from tests.unit.reflex.made_decks import made_deck

SIZES = (4, 5, 9)


@pytest.fixture(scope="module")
def model():
    return fit(
        [made_deck(number) for number in range(20)], ContentMetric.FLOW, static_encoder(), Settings(rounds=1, trees=10)
    )


def moves_of(n):
    return [(i, j) for i in range(n) for j in range(n) if abs(i - j) >= LEAST_STEP]


def after(n, i, j):
    rest = [each for each in range(n) if each != i]
    rest.insert(j, i)
    return rest


def compared(n, got, worth):
    moves = moves_of(n)
    start, end = (np.array(each) for each in zip(*moves, strict=True))
    wanted = [worth(after(n, i, j)) - worth(list(range(n))) for i, j in moves]
    np.testing.assert_allclose(got(start, end), wanted, atol=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_that_gains_are_the_sums_after_a_move_less_those_before(n):
    rng = np.random.default_rng(n)
    m, wanted = rng.normal(size=(n, n)), rng.random(n)
    compared(
        n, lambda *to: order._neighbours_gain(m, *to),
        lambda now: sum(m[a, b] for a, b in itertools.pairwise(now)),
    )  # fmt: skip
    compared(
        n, lambda *to: order._two_apart_gain(m, *to),
        lambda now: sum(m[a, b] for a, b in zip(now, now[2:], strict=False)),
    )  # fmt: skip
    compared(
        n, lambda *to: order._order_gain(m, *to),
        lambda now: sum(m[now[a], now[b]] for b in range(n) for a in range(b)),
    )  # fmt: skip
    compared(
        n, lambda *to: order._places_gain(wanted, *to),
        lambda now: sum(abs(place / (n - 1) - wanted[each]) for place, each in enumerate(now)),
    )  # fmt: skip


@pytest.mark.parametrize("n", SIZES)
def test_that_the_ends_are_the_first_and_last_slide_after_a_move(n):
    start, end = (np.array(each) for each in zip(*moves_of(n), strict=True))
    first, last = order._ends(n, start, end)
    assert [(a, b) for a, b in zip(first, last, strict=True)] == [
        (now[0], now[-1]) for now in (after(n, i, j) for i, j in moves_of(n))
    ]


def test_that_a_slide_moves_two_places_or_more_and_the_others_keep_their_order():
    deck = made_deck(3)
    for seed in range(30):
        worse, place = with_one_moved(deck, random.Random(seed))
        bodies = [slide.body for slide in deck.slides]
        now = [slide.body for slide in worse.slides]
        moved = now[place]
        assert abs(bodies.index(moved) - place) >= LEAST_STEP
        assert [each for each in now if each != moved] == [each for each in bodies if each != moved]
        assert [slide.number for slide in worse.slides] == list(range(1, len(bodies) + 1))


def test_that_likelihoods_are_shares_and_places_are_places(model):
    it = embedded(made_deck(31), static_encoder())
    assert move_rows(it, model.parts).rows.shape == (len(moves_of(it.n)), len(FEATURES))
    found = likely_moves(it, model.parts, model.order)
    assert (found.chance >= 0).all()
    assert found.chance.sum() <= 1 + 1e-9
    assert all(abs(i - place) >= LEAST_STEP and 0 <= place < it.n for i, place in enumerate(found.place))
    # Three slides have no move of two places that leaves something to compare.
    assert (likely_moves(it.taken([0, 1, 2]), model.parts, model.order).chance == 0).all()


@pytest.mark.parametrize("has_source", [True, False])
def test_that_a_moved_slide_is_found_and_put_back(model, has_source):
    found_it = back = named_in_order = 0
    for number in range(40, 60):
        deck = made_deck(number)
        deck = deck if has_source else replace(deck, document=None)
        worse, place = with_one_moved(deck, random.Random(number))
        moves = repair(embedded(worse, static_encoder()), model.parts, model.order).moves
        moved = worse.slides[place]
        own = next((move for move in moves if move.slide == moved.number), None)
        found_it += own is not None
        if own is not None:
            rest = [None, *(slide for slide in worse.slides if slide is not moved), None]
            at = next(n for n, slide in enumerate(rest) if (slide.number if slide else 0) == own.after)
            back += any(slide is not None and slide.title == moved.title for slide in rest[at : at + 2])
        named_in_order += len(repair(embedded(deck, static_encoder()), model.parts, model.order).moves)
    # Slides of one theme stand together in pairs: next to its twin is where a slide belongs.
    assert found_it >= 16
    assert back >= 14
    assert named_in_order <= 10


def test_that_a_repeat_is_never_moved_and_few_are_named_as_less_sure(model):
    deck = made_deck(33)
    twice = replace(deck, slides=(*deck.slides, replace(deck.slides[2], number=len(deck.slides) + 1)))
    it = embedded(twice, static_encoder())
    assert without_repeats(it).n == len(deck.slides)
    found = repair(it, model.parts, model.order)
    named = {move.slide for move in found.moves} | {number for number, _ in found.unsure}
    assert len(deck.slides) + 1 not in named
    for seed in range(20):
        worse, _ = with_one_moved(deck, random.Random(seed))
        found = repair(embedded(worse, static_encoder()), model.parts, model.order)
        assert len(found.unsure) <= MOST_UNSURE
        assert all(chance > UNSURE for _, chance in found.unsure)
        assert not {move.slide for move in found.moves} & {number for number, _ in found.unsure}
        assert all(move.chance > FIRM for move in found.moves[:1])
