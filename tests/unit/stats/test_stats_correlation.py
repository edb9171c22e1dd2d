import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from studio.stats.correlation import (
    correlate_rows,
    fisher_interval,
    kendall_tau_b,
    partial_spearman,
    spearman,
    spearman_interval,
    spearman_p,
    williams_test,
)

values = st.integers(0, 5).map(float)
gappy = st.one_of(st.none(), values)
pairs = st.integers(3, 9).flatmap(
    lambda n: st.tuples(st.lists(values, min_size=n, max_size=n), st.lists(values, min_size=n, max_size=n))
)


@pytest.mark.parametrize(
    ("x", "y", "rho"),
    [
        # Mid-ranks 2 2 2 4 and 1 2 3 4 about 2.5: products .75+.25-.25+2.25 = 3, squares 3 and 5: 3/sqrt(15)
        ([1, 1, 1, 2], [1, 2, 3, 4], 3 / math.sqrt(15)),
        # Mid-ranks 2.5 ×4, 5 about 3: product 2·(−2) + (−.5)(2+1+0−1) = −5, squares 5 and 10: −5/sqrt(50)
        ([1, 1, 1, 1, 2], [5, 4, 3, 2, 1], -5 / math.sqrt(50)),
        ([2, 1, 1, 1, 1], [1, 2, 2, 2, 2], -1.0),
    ],
)
def test_that_tied_values_correlate_by_their_mid_ranks(x, y, rho):
    assert spearman(x, y).value == pytest.approx(rho, abs=1e-12)


def test_that_the_published_value_of_the_tied_case_is_met():
    assert spearman([1, 1, 1, 2], [1, 2, 3, 4]).value == pytest.approx(0.7746, abs=5e-5)


@pytest.mark.parametrize("statistic", [spearman, kendall_tau_b, spearman_p])
def test_that_constant_and_short_lists_are_undefined_and_say_why(statistic):
    constant = statistic([1, 1, 1], [5, 5, 5])
    assert (constant.value, constant.undefined_reason, constant.n) == (None, "constant", 3)
    short = statistic([1], [2])
    assert (short.value, short.undefined_reason, short.n) == (None, "too_few", 1)
    assert statistic([], []).undefined_reason == "too_few"


def test_that_pairs_with_a_missing_side_are_dropped_before_ranking():
    # Left: (1,1) (2,3) (5,2): ranks 1 2 3 and 1 3 2: rho = 1 − 6·2/(3·8) = .5
    found = spearman([1, 2, None, 4, 5], [1, 3, 2, float("nan"), 2])
    assert (found.value, found.n) == (0.5, 3)
    assert kendall_tau_b([1, 2, None, 4, 5], [1, 3, 2, float("nan"), 2]).n == 3


def test_that_tau_is_taken_on_ranks_and_not_on_orders():
    # Best to worst A,B,D,C against B,C,D,A. Ranks of A,B,C,D: 1 2 4 3 and 4 1 2 3.
    # Pairs AB −, AC −, AD −, BC +, BD +, CD −: (2 − 4)/6 = −1/3
    ranks_one = {deck: place for place, deck in enumerate("ABDC", start=1)}
    ranks_two = {deck: place for place, deck in enumerate("BCDA", start=1)}
    for names in itertools.permutations("ABCD"):
        found = kendall_tau_b([ranks_one[d] for d in names], [ranks_two[d] for d in names])
        assert found.value == pytest.approx(-1 / 3, abs=1e-12)


@given(pairs)
def test_that_rho_and_tau_equal_those_of_scipy(both):
    x, y = both
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert spearman(x, y).value == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    found = spearman_p(x, y, exact=False)
    assert found.p == pytest.approx(stats.spearmanr(x, y).pvalue, abs=1e-7)
    assert kendall_tau_b(x, y).value == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.tuples(*[st.tuples(gappy, gappy)] * n), min_size=1, max_size=5)))
def test_that_all_rows_at_once_give_what_each_gives_alone(rows):
    x = np.array([[math.nan if a is None else a for a, _ in row] for row in rows])
    y = np.array([[math.nan if b is None else b for _, b in row] for row in rows])
    found = correlate_rows(x, y)
    for i in range(len(rows)):
        rho, tau = spearman(x[i], y[i]), kendall_tau_b(x[i], y[i])
        assert found.n[i] == rho.n
        if rho.value is None:
            assert np.isnan(found.rho[i])
            assert np.isnan(found.tau[i])
            assert rho.undefined_reason == ("too_few" if found.n[i] < 3 else "constant")
            assert rho.undefined_reason == "too_few" or found.is_constant[i]
        else:
            assert found.rho[i] == pytest.approx(rho.value, abs=1e-12)
            assert found.tau[i] == pytest.approx(tau.value, abs=1e-12)


def test_that_the_exact_p_value_counts_orders():
    # Of the 3! orders two (same and reversed) reach |rho| = 1.
    assert spearman_p([1, 2, 3], [1, 2, 3]).p == pytest.approx(2 / 6)
    # n = 4, rho = .8 (one adjacent swap, Σd² = 2): Σd² ≤ 2 has 1 + 3 orders, and by symmetry 4 below −.8.
    assert spearman_p([1, 2, 3, 4], [1, 2, 4, 3]).p == pytest.approx(8 / 24)


def test_that_the_exact_p_value_equals_scipys_permutation_test():
    x, y = [3, 1, 4, 1, 5, 2], [2, 7, 1, 8, 2, 8]
    found = spearman_p(x, y, exact=True)
    expected = stats.permutation_test(
        (y,),
        lambda z: abs(stats.spearmanr(x, z).statistic),
        permutation_type="pairings",
        alternative="greater",
        n_resamples=np.inf,
    )
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_that_an_exact_p_value_of_a_long_list_is_refused():
    with pytest.raises(ValueError, match="at most 7"):
        spearman_p(range(8), range(8), exact=True)


def test_that_williams_test_meets_the_worked_value():
    found = williams_test(0.71, 0.57, 0.60, 60)
    assert found.value == pytest.approx(1.6999, abs=5e-5)
    assert found.p == pytest.approx(0.0946, abs=5e-5)


def test_that_williams_test_is_undefined_for_impossible_or_perfect_correlations():
    assert williams_test(0.9, -0.9, 0.9, 30).undefined_reason == "degenerate"
    assert williams_test(0.5, 0.5, 1.0, 30).undefined_reason == "degenerate"
    assert williams_test(0.5, 0.4, 0.3, 3).undefined_reason == "too_few"


def test_that_an_interval_of_a_perfect_or_short_correlation_is_undefined():
    assert fisher_interval(1.0, 20).undefined_reason == "degenerate"
    assert spearman_interval(0.5, 3).undefined_reason == "too_few"


@given(st.floats(-0.99, 0.99), st.integers(4, 200))
def test_that_fishers_interval_equals_scipys(r, n):
    found = fisher_interval(r, n)
    half = stats.norm.ppf(0.975) / math.sqrt(n - 3)
    assert found.low == pytest.approx(math.tanh(math.atanh(r) - half), abs=1e-12)
    assert found.low < r < found.high


@given(st.lists(st.tuples(values, values, values), min_size=4, max_size=12))
def test_that_partial_rho_is_the_correlation_of_what_the_control_leaves(cases):
    x, y, z = (stats.rankdata([case[i] for case in cases]) for i in range(3))
    found = partial_spearman(x, y, z)
    if min(np.ptp(x), np.ptp(y), np.ptp(z)) == 0:
        assert found.undefined_reason == "constant"
        return
    left = [side - np.polyval(np.polyfit(z, side, 1), z) for side in (x, y)]
    if found.value is None or min(np.ptp(side) for side in left) < 1e-6:
        assert found.undefined_reason == "degenerate"
        return
    assert found.value == pytest.approx(np.corrcoef(*left)[0, 1], abs=1e-8)


def test_that_a_partial_rho_of_three_cases_is_undefined():
    assert partial_spearman([1, 2, 3, None], [1, 2, 3, 4], [2, 1, 3, 4]).undefined_reason == "too_few"
