import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize

from studio.stats.paired import (
    Comparison,
    bradley_terry,
    comparisons_from_ranks,
    elo,
    plackett_luce,
    strength_intervals,
)


def won(*pairs):
    return [Comparison(first=winner, second=loser, score=1.0) for winner, loser in pairs]


def test_that_two_items_differ_by_the_log_of_their_odds():
    found = bradley_terry(won(*[("a", "b")] * 3, ("b", "a")))
    assert found.theta["a"] - found.theta["b"] == pytest.approx(math.log(3), abs=1e-7)
    assert found.chance_to_beat("a", "b") == pytest.approx(0.75, abs=1e-7)
    assert sum(found.theta.values()) == pytest.approx(0, abs=1e-12)
    assert sum(found.elo.values()) / 2 == pytest.approx(1000)


def test_that_a_tie_is_half_a_win_for_each():
    # 2 wins, 1 loss and 2 ties: 3 against 2.
    tied = [*won(("a", "b"), ("a", "b"), ("b", "a")), *[Comparison(first="a", second="b", score=0.5)] * 2]
    found = bradley_terry(tied)
    assert found.theta["a"] - found.theta["b"] == pytest.approx(math.log(3 / 2), abs=1e-7)


def test_that_a_weight_counts_as_repeats():
    weighted = [Comparison(first="a", second="b", score=1.0, weight=3.0), *won(("b", "a"))]
    assert bradley_terry(weighted).theta == pytest.approx(
        bradley_terry(won(*[("a", "b")] * 3, ("b", "a"))).theta, abs=1e-7
    )


def test_that_items_which_never_lose_have_no_finite_strength():
    results = won(("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"))
    found = bradley_terry(results)
    assert (found.theta, found.elo, found.chance_to_beat("a", "b")) == (None, None, None)
    assert found.undefined_reason == "separated"
    pulled = bradley_terry(results, alpha=0.01)
    assert pulled.theta["c"] < pulled.theta["a"] == pytest.approx(pulled.theta["b"], abs=1e-6)
    assert not pulled.is_finite_without_alpha


def test_that_items_which_never_met_get_no_joint_order():
    found = bradley_terry(won(("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")), alpha=0.01)
    assert (found.theta, found.undefined_reason) == (None, "not_connected")
    assert set(found.groups) == {frozenset("ab"), frozenset("cd")}
    assert bradley_terry([]).undefined_reason == "too_few"


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda p: p[0] != p[1]),
        min_size=3,
        max_size=20,
    )
)
def test_that_strengths_make_expected_wins_equal_real_wins(pairs):
    found = bradley_terry(won(*pairs))
    if found.theta is None:
        assert found.undefined_reason in ("separated", "not_connected")
        return
    for item in found.theta:
        real = sum(winner == item for winner, _ in pairs)
        expected = sum(found.chance_to_beat(item, b if a == item else a) for a, b in pairs if item in (a, b))
        assert expected == pytest.approx(real, abs=1e-5)


def test_that_the_order_of_comparisons_and_names_changes_nothing():
    results = won((0, 1), (1, 2), (2, 0), (0, 2), (0, 1), (1, 0))
    first, second = bradley_terry(results).theta, bradley_terry(results[::-1]).theta
    assert first == pytest.approx(second, abs=1e-7)


def likelihood(theta, rankings, items):
    """Return minus the log-likelihood of rankings, stage by stage."""
    strength = dict(zip(items, np.exp(theta), strict=True))
    return -sum(
        math.log(strength[ranking[i]] / sum(strength[item] for item in ranking[i:]))
        for ranking in rankings
        for i in range(len(ranking) - 1)
    )


def test_that_partial_rankings_get_the_most_likely_strengths():
    rankings = ["abcd", "badc", "cab", "db", "acd", "dcb", "bc", "a"]
    found = plackett_luce(rankings)
    theta = np.array([found.theta[item] for item in "abcd"])
    assert approx_fprime(theta, likelihood, 1e-6, rankings, "abcd") == pytest.approx(np.zeros(4), abs=1e-4)
    best = minimize(likelihood, np.zeros(4), args=(rankings, "abcd"), tol=1e-9).x
    assert theta == pytest.approx(best - best.mean(), abs=1e-4)


def test_that_rankings_of_two_are_pairs():
    pairs = [("a", "b"), ("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "a")]
    assert plackett_luce(pairs).theta == pytest.approx(bradley_terry(won(*pairs)).theta, abs=1e-6)
    assert plackett_luce(pairs, alpha=0.1).theta == pytest.approx(bradley_terry(won(*pairs), alpha=0.1).theta, abs=1e-6)


def test_that_a_ranking_with_an_item_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        plackett_luce(["aba"])


def test_that_one_ranking_alone_is_separated():
    assert plackett_luce(["abc"]).undefined_reason == "separated"
    assert plackett_luce(["abc"], alpha=0.01).theta["a"] > 0


def test_that_a_ranking_becomes_its_pairs_with_ties_as_halves():
    found = comparisons_from_ranks({"a": 1, "b": 2, "c": 2})
    assert [(c.first, c.second, c.score) for c in found] == [("a", "b", 1), ("a", "c", 1), ("b", "c", 0.5)]


def test_that_elo_moves_by_half_of_k_after_an_even_game():
    assert elo(won(("a", "b")), k=32) == {"a": 1016, "b": 984}
    assert elo([Comparison(first="a", second="b", score=0.5)]) == {"a": 1000, "b": 1000}


def test_that_intervals_come_from_resampled_instances():
    rng = np.random.default_rng(0)
    # In each of 60 instances a mostly beats b, and c mostly loses to both.
    chances = {("a", "b"): 0.75, ("a", "c"): 0.9, ("b", "c"): 0.8}
    clusters = [won(*[p if rng.random() < chance else p[::-1] for p, chance in chances.items()]) for _ in range(60)]
    theta = bradley_terry([each for cluster in clusters for each in cluster]).theta
    found = strength_intervals(clusters, resamples=100, seed=1)
    assert (found.n_clusters, found.resamples, found.n_regularised) == (60, 100, 0)
    for item, interval in found.items.items():
        assert interval.low < theta[item] < interval.high
        assert 1 <= interval.best_rank <= interval.worst_rank <= 3
    assert (found.items["c"].best_rank, found.items["c"].worst_rank) == (3, 3)


def test_that_resamples_without_a_finite_estimate_are_regularised_and_counted():
    clusters = [won(("a", "b")), won(("b", "a"))]
    found = strength_intervals(clusters, resamples=200, seed=3)
    indices = np.random.default_rng(3).integers(0, 2, (200, 2))
    assert found.n_regularised == (indices[:, 0] == indices[:, 1]).sum()
    assert all(math.isfinite(interval.high) for interval in found.items.values())
    assert strength_intervals([]).items == {}
