"""Searching for the point with the highest mean, and what is fitted to."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from studio.errors import BadInput
from studio.stats.alignment import align
from studio.stats.rankings import HumanRankings
from studio.stats.search import Dimension, Method, folds, objective, profile, search
from studio.stats.targets import JudgedPair, PairTarget, RankingTarget, named

DIMENSIONS = [
    Dimension(name="a", low=0.0, high=4.0, initial=1.0),
    Dimension(name="b", low=0.01, high=100.0, initial=1.0, is_log=True),
]
ALL = np.ones(3, dtype=np.bool_)


def hill(point):
    """Highest at a = 3, b = 10, where every instance has 1."""
    a, b = point
    return np.full(3, 1 - (a - 3) ** 2 - (math.log10(b) - 1) ** 2)


def test_that_a_grid_within_the_trials_tries_every_combination_and_the_start():
    tried = []
    # 5 · 5 levels and the start; a = 0, 1, 2, 3, 4 and b = 0.01, 0.1, 1, 10, 100.
    found = search(
        hill, DIMENSIONS, ALL, method=Method.GRID, trials=26, levels=5,
        on_trial=lambda _n, point, _v: tried.append(point),
    )  # fmt: skip
    assert found.is_full_grid
    assert (found.point, found.value, found.n_trials) == ((3.0, pytest.approx(10.0)), pytest.approx(1.0), 26)
    assert tried[0] == (1.0, 1.0)


def test_that_a_grid_beyond_the_trials_moves_along_one_dimension_at_a_time():
    found = search(hill, DIMENSIONS, ALL, method=Method.GRID, trials=25, levels=5)
    assert found.is_full_grid is False
    assert found.point == (3.0, pytest.approx(10.0))
    assert found.n_trials < 25


def test_that_no_more_than_the_trials_are_tried():
    assert search(hill, DIMENSIONS, ALL, method=Method.GRID, trials=4, levels=5).n_trials == 4
    assert search(hill, DIMENSIONS, ALL, method=Method.BAYES, trials=4).n_trials == 4


def test_that_the_start_stays_where_nothing_is_better():
    found = search(lambda _point: np.zeros(3), DIMENSIONS, ALL, method=Method.GRID, trials=30, levels=5)
    assert found.point == (1.0, 1.0)


def test_that_a_bayesian_search_comes_near_and_repeats():
    found = search(hill, DIMENSIONS, ALL, method=Method.BAYES, trials=50, seed=3)
    assert found.value > 0.9
    assert found == search(hill, DIMENSIONS, ALL, method=Method.BAYES, trials=50, seed=3)


def test_that_a_replayed_search_ends_at_the_same_point():
    tried = []
    whole = search(
        hill, DIMENSIONS, ALL, method=Method.BAYES, trials=20, on_trial=lambda _n, point, _v: tried.append(point)
    )
    for cut in (0, 1, 13, 20):
        assert search(hill, DIMENSIONS, ALL, method=Method.BAYES, trials=20, replay=tried[:cut]) == whole


def test_that_a_start_outside_the_range_can_win_but_is_not_learnt_from():
    outside = [Dimension(name="a", low=0.0, high=1.0, initial=3.0)]
    found = search(lambda p: np.array([-abs(p[0] - 3)]), outside, np.ones(1, np.bool_), method=Method.BAYES, trials=12)
    assert found.point == (3.0,)


def test_that_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(BadInput, match="needs the package optuna"):
        search(hill, DIMENSIONS, ALL, method=Method.BAYES, trials=3)


def test_that_an_undefined_instance_counts_zero_in_the_objective():
    # (1 + 0 + 0.5) / 3 = 0.5: leaving the second undefined must not beat a point with all three at 0.6.
    assert objective(np.array([1.0, np.nan, 0.5]), ALL) == 0.5


def test_that_only_the_chosen_instances_count():
    assert objective(np.array([1.0, 5.0, 0.5]), np.array([True, False, True])) == 0.75


@pytest.mark.parametrize(
    "kwargs", [{"low": 1.0, "high": 1.0}, {"low": 2.0, "high": 1.0}, {"low": 0.0, "high": 1.0, "is_log": True}]
)
def test_that_a_range_without_width_or_a_logarithm_of_zero_is_refused(kwargs):
    with pytest.raises(BadInput):
        Dimension(name="a", initial=1.0, **kwargs)


def test_that_levels_reach_both_ends():
    assert DIMENSIONS[0].levels(3) == [0.0, 2.0, 4.0]
    assert DIMENSIONS[1].levels(3) == [0.01, pytest.approx(1.0), 100.0]


def test_that_folds_hold_every_number_once():
    parts = folds(10, 3, seed=5)
    assert sorted(len(part) for part in parts) == [3, 3, 4]
    assert sorted(np.concatenate(parts).tolist()) == list(range(10))
    assert [part.tolist() for part in folds(3, 3, seed=5)] == [[0], [1], [2]]
    assert [part.tolist() for part in folds(10, 3, seed=5)] == [part.tolist() for part in parts]


def test_that_a_profile_moves_one_dimension_only():
    # At b = 10 the hill is 1 − (a − 3)².
    assert profile(hill, 0, [1.0, 2.0, 3.0], (0.0, 10.0), ALL) == pytest.approx([-3.0, 0.0, 1.0])


HUMAN = HumanRankings(
    ranks={
        "one": {"ada": {"a": 1, "b": 2, "c": 3}},
        "two": {"ada": {"d": 1, "e": 2, "x": 3}},  # x has no scores: two decks are left
        "three": {"ada": {"f": 1, "g": 1, "h": 1}},  # all equal: no order to compare with
        "four": {"ada": {"i": 2, "j": 1, "k": 2}, "bo": {"i": 3, "j": 1, "k": 2}},
    }
)
DECKS = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k")


def test_that_a_ranking_target_leaves_out_what_can_never_have_a_rho():
    target = RankingTarget(HUMAN, DECKS)
    assert target.instance_ids == ("one", "four")
    assert target.n_total == 4


def test_that_a_ranking_target_gives_the_rho_of_align():
    scores = dict(zip(DECKS, (1.0, 3.0, 2.0, 5.0, 4.0, 1.0, 2.0, 3.0, 0.5, 0.5, 0.1), strict=True))
    target = RankingTarget(HUMAN, DECKS)
    found = named(target, target.values(np.array(list(scores.values()))))
    by_instance = {name: {deck: scores.get(deck) for deck in ranks["ada"]} for name, ranks in HUMAN.ranks.items()}
    expected = {item.instance_id: item.rho for item in align(HUMAN, by_instance, resamples=0).instances}
    assert found == {name: pytest.approx(expected[name], abs=1e-12) for name in ("one", "four")}


def test_that_a_constant_score_leaves_an_instance_undefined():
    target = RankingTarget(HUMAN, DECKS)
    assert named(target, target.values(np.ones(len(DECKS)))) == {"one": None, "four": None}


def test_that_a_pair_target_counts_agreeing_minus_opposing_pairs():
    def pair(instance, better, worse):
        return JudgedPair(instance_id=instance, better=better, worse=worse)

    pairs = [
        pair("one", "a", "b"), pair("one", "b", "c"), pair("one", "a", "c"), pair("one", "c", "b"),
        pair("two", "d", "e"), pair("two", "d", "gone"), pair("three", "gone", "f"),
    ]  # fmt: skip
    target = PairTarget(pairs, DECKS)
    assert (target.instance_ids, target.n_total, target.n_pairs) == (("one", "two"), 3, 5)
    # a 3, b 2, c 1: three agree, one opposes → (3 − 1)/4; d and e are equal: neither → 0/1.
    scores = dict.fromkeys(DECKS, 0.0) | {"a": 3.0, "b": 2.0, "c": 1.0}
    assert named(target, target.values(np.array(list(scores.values())))) == {"one": 0.5, "two": 0.0}
    # Without a score for d, two has no pair left; without one for c, one keeps a > b only.
    scores |= {"d": math.nan, "c": math.nan}
    assert named(target, target.values(np.array(list(scores.values())))) == {"one": 1.0, "two": None}


def test_that_nothing_to_compare_gives_no_values():
    assert len(RankingTarget(HumanRankings(ranks={}), DECKS).values(np.ones(len(DECKS)))) == 0
