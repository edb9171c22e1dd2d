import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.stats.identical import (
    IdenticalTies,
    identical_by_chance,
    identical_ratio,
    identical_summary,
    top_match,
)

rankings = st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.lists(st.integers(1, 4), min_size=n, max_size=n)] * 2))


def test_that_mid_ranks_of_ties_equal_no_whole_rank():
    # Mid-ranks 1 2.5 2.5 4 against 1 2 3 4: the first and the last of four agree.
    assert identical_ratio([1, 2, 2, 4], [1, 2, 3, 4]).value == 0.5
    # Dense ranks 1 2 2 3 against 1 2 3 4: the first two agree.
    assert identical_ratio([1, 2, 2, 4], [1, 2, 3, 4], ties=IdenticalTies.DENSE).value == 0.5
    # By lot the tied two fall right or both wrong: (1 + .5 + .5 + 1) / 4
    assert identical_ratio([1, 2, 2, 4], [1, 2, 3, 4], ties=IdenticalTies.RANDOM).value == 0.75


def test_that_decks_with_a_missing_side_are_dropped_and_the_rest_ranked_anew():
    found = identical_ratio([1, 2, 3, 4], [None, 1, 2, 3])
    assert (found.value, found.n) == (1.0, 3)
    assert identical_ratio([1, None], [None, 2]).undefined_reason == "too_few"


@given(rankings)
def test_that_breaking_ties_by_lot_gives_what_many_draws_give(both):
    x, y = (np.array(side) for side in both)
    rng = np.random.default_rng(7)
    draws = 4000

    def broken(values):
        lots = rng.random((draws, len(values)))
        return np.lexsort((lots, np.broadcast_to(values, lots.shape)), axis=1).argsort(axis=1)

    expected = (broken(x) == broken(y)).mean()
    # Standard error at most .5/sqrt(4000) = .008; five of them.
    assert identical_ratio(x, y, ties=IdenticalTies.RANDOM).value == pytest.approx(expected, abs=0.04)


def test_that_a_tied_top_agrees_by_chance_only():
    assert top_match([1, 2, 3], [1, 3, 2]).value == 1
    assert top_match([1, 2, 3], [2, 1, 3]).value == 0
    assert top_match([1, 1, 3], [1, 2, 3]).value == 0.5


def test_that_rankings_by_lot_reach_one_in_n():
    rng = np.random.default_rng(1)
    pairs = [(rng.permutation(5), rng.permutation(5)) for _ in range(3000)]
    found = identical_summary(pairs)
    assert found.chance == pytest.approx(identical_by_chance(5))
    assert found.ratio == pytest.approx(0.2, abs=0.02)


def test_that_the_summary_weighs_instances_and_decks_as_it_says():
    # 1 of 1 … of sizes 2 (both equal) and 4 (none equal): macro (1 + 0)/2, pooled 2/6.
    found = identical_summary([([1, 2], [1, 2]), ([1, 2, 3, 4], [2, 1, 4, 3]), ([None], [1])])
    assert (found.ratio, found.pooled, found.exact_order, found.top) == (0.5, 1 / 3, 0.5, 0.5)
    assert (found.n_instances, found.n_decks, found.n_empty) == (2, 6, 1)
    assert found.chance == (1 / 2 + 1 / 4) / 2


def test_that_nothing_to_compare_gives_no_number():
    found = identical_summary([])
    assert (found.ratio, found.chance, found.n_instances) == (None, None, 0)
