from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from studio.stats.consensus_orders import consensus_orders, consistent_triads, kemeny_order


def test_that_condorcets_majority_beats_the_mean_rank():
    # Three say A > B > C, two say B > C > A. Mean ranks 1.8, 1.6, 2.6 put B first; A > B > C contradicts the two
    # rankings twice each (distance 4), B > A > C contradicts three once and two once (5), B > C > A the three
    # twice each (6).
    found = consensus_orders([[1, 2, 3]] * 3 + [[3, 1, 2]] * 2)
    assert found.mean_ranks == pytest.approx((1.8, 1.6, 2.6))
    assert found.kemeny.ranks == (1.0, 2.0, 3.0)
    assert (found.kemeny.distance, found.kemeny.n_orders) == (4.0, 1)


def test_that_rankings_which_settle_nothing_share_the_rank():
    found = kemeny_order(np.array([[1.0, 2, 3], [2, 1, 3]]))
    assert found.ranks == (1.5, 1.5, 3.0)
    assert (found.distance, found.n_orders) == (1.0, 2)


def test_that_a_tie_counts_half_against_either_order():
    assert kemeny_order(np.array([[1.0, 1, 2]])).distance == 0.5


@pytest.mark.parametrize("seed", range(5))
def test_that_no_order_is_nearer_by_a_second_count(seed):
    rng = np.random.default_rng(seed)
    rankings = np.array([rng.permutation(5) + 1.0 for _ in range(4)])
    rankings[0, 2] = math.nan

    def distance(order: tuple[int, ...]) -> float:
        total = 0.0
        for row in rankings:
            for above, below in itertools.combinations(order, 2):
                total += float(row[above] > row[below])
        return total

    found = kemeny_order(rankings)
    assert found.distance == min(distance(order) for order in itertools.permutations(range(5)))


def test_that_renaming_items_changes_no_rank():
    rng = np.random.default_rng(1)
    rankings = np.array([rng.permutation(6) + 1.0 for _ in range(3)])
    turned = rng.permutation(6)
    plain, renamed = kemeny_order(rankings).ranks, kemeny_order(rankings[:, turned]).ranks
    assert renamed == tuple(plain[place] for place in turned)


def test_that_nine_items_are_too_many_and_one_too_few():
    assert kemeny_order(np.ones((2, 9))).undefined_reason == "too_many"
    assert kemeny_order(np.ones((2, 1))).undefined_reason == "too_few"


def test_that_an_item_which_never_loses_makes_the_strengths_regularised():
    found = consensus_orders([[1, 2, 3], [1, 3, 2]])
    assert found.is_regularised
    assert found.strengths.theta is not None
    assert max(found.strengths.theta, key=lambda item: found.strengths.theta[item]) == 0
    assert found.strengths.theta[1] == pytest.approx(found.strengths.theta[2], abs=1e-6)


def test_that_ties_turn_the_strengths_into_those_of_pairs():
    assert consensus_orders([[1, 1, 2], [2, 1, 1]]).has_ties
    assert not consensus_orders([[1, 2, 3], [2, 1, 3]]).has_ties


def test_that_an_item_nobody_ranked_has_no_mean_rank():
    found = consensus_orders([[1, None, 2], [2, None, 1]])
    assert found.mean_ranks == (1.5, None, 1.5)
    assert found.n == (2, 0, 2)


def test_that_a_circle_of_three_preferences_is_no_consistent_triad():
    nan = math.nan
    circle = np.array([[nan, 1, 0], [0, nan, 1], [1, 0, nan]])
    order = np.array([[nan, 1, 1], [0, nan, 1], [0, 0, nan]])
    gap = np.array([[nan, 1, nan], [0, nan, 1], [nan, 0, nan]])
    assert [consistent_triads(wins) for wins in (circle, order, gap)] == [(0, 1), (1, 1), (0, 0)]
