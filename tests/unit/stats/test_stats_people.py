import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from studio.stats.ceiling import (
    annotator_agreements,
    attenuation_corrected,
    human_ceilings,
    instance_ceiling,
    spearman_brown,
)
from studio.stats.concordance import kendall_w
from studio.stats.correlation import spearman
from studio.stats.each_annotator import align_with_each
from studio.stats.rankings import HumanRankings

rows = st.tuples(st.integers(2, 5), st.integers(3, 6)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(1, 4), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@settings(deadline=None)
@given(rows)
def test_that_ceilings_equal_plain_loops(ranks):
    found = instance_ceiling("i", ranks)
    pairs = [spearman(a, b).value for a, b in itertools.combinations(ranks, 2)]
    pairs = [rho for rho in pairs if rho is not None]
    mid = stats.rankdata(ranks, axis=1)
    alone = [spearman(mid[i], np.delete(mid, i, axis=0).mean(axis=0)).value for i in range(len(ranks))]
    alone = [rho for rho in alone if rho is not None]
    if pairs:
        assert found.pairwise_mean == pytest.approx(np.mean(pairs), abs=1e-12)
        assert found.pairwise_max == pytest.approx(max(pairs), abs=1e-12)
    else:
        assert (found.pairwise_mean, found.reason) == (None, "constant")
    if alone:
        assert found.leave_one_out == pytest.approx(np.mean(alone), abs=1e-12)


def test_that_leave_one_out_with_two_annotators_is_their_pair():
    # One adjacent swap of three: rho = 1 − 6·2/24 = .5
    found = instance_ceiling("i", [[1, 2, 3], [1, 3, 2]])
    assert (found.pairwise_mean, found.pairwise_max, found.leave_one_out) == (0.5, 0.5, 0.5)


def test_that_instances_with_one_annotator_are_counted_and_left_out():
    human = HumanRankings(
        ranks={
            "i": {"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 1, "b": 3, "c": 2}},
            "j": {"x": {"a": 1, "b": 2, "c": 3}},
            "k": {"x": {"a": 1, "b": 2}, "y": {"c": 1, "d": 2}},
        }
    )
    found = human_ceilings(human)
    assert (found.pairwise_mean, found.leave_one_out, found.n_defined, found.n_total) == (0.5, 0.5, 1, 3)
    assert found.undefined == {"one_rater": 1, "constant": 0, "too_few": 1}
    # Spearman–Brown for two: 2·.5 / 1.5
    assert found.reliability == pytest.approx(2 / 3)


def test_that_nobody_means_no_ceiling():
    found = human_ceilings(HumanRankings(ranks={}))
    assert (found.pairwise_mean, found.reliability, found.n_total) == (None, None, 0)


def test_that_annotators_are_matched_by_instance_and_deck_and_not_by_position():
    human = HumanRankings(
        ranks={
            "i": {"x": {"a": 1, "b": 2, "c": 3}, "y": {"c": 1, "b": 2, "a": 3}},
            "j": {"y": {"d": 1, "e": 2, "f": 3}},
            "k": {"y": {"g": 3, "h": 2, "k": 1}, "x": {"k": 1, "h": 2, "g": 3}},
        }
    )
    pair, x_alone, y_alone = annotator_agreements(human, resamples=50)
    assert (pair.annotator, pair.other, pair.n_shared, pair.n_defined) == ("x", "y", 2, 2)
    # −1 on i, +1 on k; identical: the middle of three, and all three.
    assert (pair.mean_rho, pair.mean_tau) == (0.0, 0.0)
    assert pair.identical == pytest.approx((1 / 3 + 1) / 2)
    assert (x_alone.other, x_alone.mean_rho, y_alone.mean_rho) == (None, 0.0, 0.0)
    assert (pair.ci_low, pair.ci_high) == (-1.0, 1.0)


def test_that_agreement_with_a_constant_ranking_is_counted_as_undefined():
    human = HumanRankings(ranks={"i": {"x": {"a": 1, "b": 1, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}}})
    pair = annotator_agreements(human)[0]
    assert (pair.mean_rho, pair.ci_low, pair.n_shared) == (None, None, 1)
    assert pair.undefined == {"constant": 1, "too_few": 0}


def test_that_the_correction_for_attenuation_may_exceed_one():
    assert spearman_brown(0.5, 3) == pytest.approx(0.75)
    assert spearman_brown(-0.5, 3) is None
    assert attenuation_corrected(0.6, 0.25) == pytest.approx(1.2)
    assert attenuation_corrected(0.6, None) is None
    assert attenuation_corrected(0.6, -0.1) is None


@given(rows)
def test_that_concordance_equals_friedmans_test(ranks):
    found = kendall_w(ranks)
    if found.w is None:
        assert found.undefined_reason == "constant"
        assert all(len(set(row)) == 1 for row in ranks)
        return
    expected = stats.friedmanchisquare(*np.array(ranks).T)
    assert found.chi2 == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-9)


def test_that_concordance_without_ties_gives_the_mean_of_pairs():
    ranks = [[1, 2, 3, 4], [2, 1, 3, 4], [4, 3, 1, 2]]
    pairs = [spearman(a, b).value for a, b in itertools.combinations(ranks, 2)]
    assert kendall_w(ranks).mean_spearman == pytest.approx(np.mean(pairs), abs=1e-12)


def test_that_concordance_says_why_it_is_undefined():
    assert kendall_w([]).undefined_reason == "one_rater"
    assert kendall_w([[1, 2, 3]]).undefined_reason == "one_rater"
    assert kendall_w([[1], [1]]).undefined_reason == "too_few"
    assert kendall_w([[1, None, 3], [1, 2, 3]]).undefined_reason == "incomplete"
    assert kendall_w([[2, 2], [5, 5]]).undefined_reason == "constant"


def test_that_a_method_is_compared_with_each_annotator_alone():
    human = HumanRankings(
        ranks={
            "i": {"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 1, "b": 3, "c": 2}},
            "j": {"x": {"d": 1, "e": 2, "f": 3}},
        }
    )
    found = align_with_each(human, {"i": {"a": 3, "b": 2, "c": 1}, "j": {"d": 1, "e": 2, "f": 3}}, resamples=10)
    # i: x +1, y +.5, mean .75; j: x −1.
    assert (found.mean_rho, found.n_defined, found.n_total) == (-0.125, 2, 2)
    assert found.by_annotator["x"].mean_rho == 0
    assert (found.by_annotator["y"].mean_rho, found.by_annotator["y"].n_total) == (0.5, 1)


def test_that_a_what_if_leaves_out_annotators_instances_and_scenarios():
    human = HumanRankings(
        ranks={"i": {"x": {"a": 1}, "y": {"a": 1}}, "j": {"x": {"b": 1}}, "k": {"y": {"c": 1}}},
        scenarios={"k": "pitch"},
    )
    assert human.annotator_ids == ("x", "y")
    assert human.without(annotators=["x"]).instance_ids == ("i", "k")
    assert human.without(instances=["i"], scenarios=["pitch"]).instance_ids == ("j",)
