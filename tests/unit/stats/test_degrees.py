"""Scores against degrees: pooled ranks by hand and by scipy, and intervals that keep a deck's files together."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from studio.stats.degrees import degree_rank
from studio.stats.noticing import Rung


def rungs(origin: str, *values: float | None) -> list[Rung]:
    return [Rung(origin=origin, degree=degree, value=value) for degree, value in enumerate(values)]


def test_that_a_score_that_falls_with_every_degree_has_a_rho_of_one():
    found = degree_rank(rungs("one", 0.9, 0.7, 0.5, 0.3, 0.1), seed=0)
    assert found.rho.value == pytest.approx(1.0)
    assert found.tau.value == pytest.approx(1.0)
    # One deck cannot be resampled.
    assert (found.low, found.high, found.n_decks) == (None, None, 1)


def test_that_pooled_ranks_are_those_of_scipy_and_the_interval_holds_the_value():
    rng = np.random.default_rng(5)
    falling = 0.9 - 0.2 * np.arange(5)
    made = [rung for deck in range(8) for rung in rungs(f"d{deck}", *(falling + rng.normal(0, 0.3, 5)))]
    found = degree_rank(made, seed=1)
    values, targets = [rung.value for rung in made], [4 - rung.degree for rung in made]
    assert found.rho.value == pytest.approx(stats.spearmanr(values, targets).statistic)
    assert found.tau.value == pytest.approx(stats.kendalltau(values, targets).statistic)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.rho.value < found.high
    first = [rung for rung in made if rung.degree in (0, 1)]
    by_scipy = stats.kendalltau([rung.value for rung in first], [-rung.degree for rung in first]).statistic
    assert found.by_degree[1].value == pytest.approx(by_scipy)
    assert degree_rank(made, seed=1) == found


def test_that_files_without_a_value_are_left_out_and_counted():
    found = degree_rank([*rungs("one", 0.9, None, 0.5, None, 0.1), *rungs("two", *[None] * 5)], seed=0)
    assert (found.rho.value, found.rho.n, found.n_decks) == (pytest.approx(1.0), 3, 1)
    assert found.by_degree[1].undefined_reason == "too_few"


@pytest.mark.parametrize(("values", "reason"), [((0.5,) * 5, "constant"), ((0.5, None, None, None, 0.1), "too_few")])
def test_that_what_cannot_be_ranked_says_why(values, reason):
    found = degree_rank(rungs("one", *values), seed=0)
    assert (found.rho.value, found.rho.undefined_reason) == (None, reason)
