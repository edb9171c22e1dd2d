import numpy as np
import pytest
from scipy.stats import rankdata

from studio.stats.standings import standings

NAN = float("nan")


def test_that_means_ranks_and_counts_are_those_of_the_values_there_are():
    found = standings(np.array([[3.0, 1.0, NAN], [5.0, NAN, NAN]]), resamples=200)
    assert [(each.mean, each.n, each.rank) for each in found] == [(4.0, 2, 1), (1.0, 1, 2), (None, 0, None)]
    assert found[2].rank_low is None


def test_that_equal_systems_share_a_rank_and_constant_ones_have_no_width():
    found = standings(np.array([[0.1, 0.1, 0.3]] * 7), resamples=200)
    # 7 · 0.1 / 7 is not 0.1 in floating point; the mean is the value all the same.
    assert [(each.mean, each.low, each.high) for each in found] == [(0.1, 0.1, 0.1)] * 2 + [(0.3, 0.3, 0.3)]
    assert [(each.rank, each.rank_low, each.rank_high) for each in found] == [(2, 2, 2), (2, 2, 2), (1, 1, 1)]


def test_that_intervals_and_ranges_of_ranks_are_those_of_a_loop_over_resamples():
    rng = np.random.default_rng(3)
    values = rng.normal([0.0, 0.3, 1.0], 1.0, (12, 3))
    values[rng.random(values.shape) < 0.2] = NAN
    found = standings(values, resamples=300, seed=5)
    draws = np.random.default_rng(5).integers(0, 12, (300, 12))
    means = np.array([np.nanmean(values[draw], axis=0) for draw in draws])
    ranks = rankdata(-means, axis=1, method="min")
    for place, each in enumerate(found):
        assert (each.low, each.high) == pytest.approx(tuple(np.quantile(means[:, place], [0.025, 0.975])))
        held = np.sort(ranks[:, place])
        # The smallest rank with at least 2.5 % (97.5 %) of 300 draws at or below it: numbers 8 and 293.
        assert (each.rank_low, each.rank_high) == (held[7], held[292])


def test_that_no_instances_are_no_standing():
    assert [each.mean for each in standings(np.empty((0, 2)))] == [None, None]
