import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from studio.stats.intervals import (
    bootstrap_mean,
    bootstrap_weights,
    compare_paired,
    holm,
    mcnemar_exact,
    percentile_interval,
    sign_flip_p,
    wilson_interval,
)


def test_that_weights_count_the_same_draws_as_indices_would():
    indices = np.random.default_rng(5).integers(0, 7, (20, 7))
    expected = [[int((row == i).sum()) for i in range(7)] for row in indices]
    assert bootstrap_weights(7, resamples=20, seed=5).tolist() == expected


def test_that_the_interval_is_that_of_resampled_means():
    values = [0.9, 0.1, 0.5, -0.2, 0.7, 0.3, 0.8, 0.0, 0.4, 0.6, 0.2]
    indices = np.random.default_rng(3).integers(0, 11, (500, 11))
    low, high = np.quantile(np.array(values)[indices].mean(axis=1), [0.025, 0.975])
    found = bootstrap_mean([*values, None, float("nan")], resamples=500, seed=3)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    assert (found.n, found.is_optimistic, found.has_no_width) == (11, False, False)


def test_that_equal_values_give_an_interval_without_width_and_say_so():
    found = bootstrap_mean([0.1] * 12)
    assert (found.mean, found.low, found.high, found.has_no_width) == (0.1, 0.1, 0.1, True)


def test_that_no_values_give_no_interval():
    found = bootstrap_mean([None])
    assert (found.mean, found.low, found.undefined_reason) == (None, None, "too_few")


def test_that_degenerate_draws_are_left_out_of_the_interval():
    found = percentile_interval(np.array([np.nan, 1.0, 2.0, 3.0, np.nan]), confidence=0.5)
    assert (found.low, found.high) == (1.5, 2.5)
    assert percentile_interval(np.array([np.nan])).undefined_reason == "degenerate"


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_that_the_exact_sign_flip_counts_all_flips(differences):
    flips = list(itertools.product([1, -1], repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(flip, differences, strict=True))) for flip in flips]
    expected = sum(total >= abs(sum(differences)) for total in sums) / len(flips)
    assert sign_flip_p(differences) == pytest.approx(expected)


def test_that_the_sign_flip_equals_scipys_permutation_test():
    first, second = [0.9, 0.8, 0.5, 0.7, 0.6], [0.4, 0.9, 0.1, 0.2, 0.5]
    expected = stats.permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert compare_paired(first, second).p == pytest.approx(expected.pvalue, abs=1e-12)


def test_that_many_differences_are_drawn_and_never_give_zero():
    found = sign_flip_p([1.0] * 40, draws=999, seed=1)
    assert found == 1 / 1000
    assert sign_flip_p([1.0, -1.0] * 20, draws=500, seed=1) == 1.0
    assert sign_flip_p([]) is None


def test_that_two_methods_are_compared_where_both_are_defined():
    found = compare_paired([0.9, 0.5, None, 0.4], [0.5, None, 0.3, 0.2])
    assert found.difference == pytest.approx((0.4 + 0.2) / 2)
    # Two equal signs: 2 of 4 flips reach the sum.
    assert (found.n, found.n_dropped, found.is_exact, found.p) == (2, 2, True, 0.5)
    assert compare_paired([None], [1.0]).undefined_reason == "too_few"


@given(st.integers(0, 40), st.integers(1, 40))
def test_that_wilsons_interval_equals_statsmodels(successes, n):
    if successes > n:
        with pytest.raises(ValueError, match="cannot be"):
            wilson_interval(successes, n)
        return
    low, high = proportion_confint(successes, n, method="wilson")
    found = wilson_interval(successes, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


def test_that_no_cases_give_no_wilson_interval():
    assert wilson_interval(0, 0).undefined_reason == "too_few"


@given(st.integers(0, 30), st.integers(0, 30))
def test_that_mcnemar_equals_statsmodels(b, c):
    assert mcnemar_exact(b, c) == pytest.approx(mcnemar([[3, b], [c, 4]], exact=True).pvalue, abs=1e-9)


# A call of the other library takes nearly a tenth of a second.
@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 1000).map(lambda i: i / 1000), min_size=1, max_size=8))
def test_that_holm_equals_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist(), abs=1e-12)
