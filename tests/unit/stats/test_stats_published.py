"""Published pairs of numbers that must follow from each other: a mean ρ says how many ranks are identical.

SlidesGen-Bench prints mean ρ and identical ratio side by side (tables 2 and 5). With eight or nine decks and no ties a
mean ρ fixes the identical ratio up to sampling error, so that both columns check the definition of the second.
The model baselines of table 2 (rating, arena, PPTEval) are not among the rows: coarse scores tie, and tied ranks are
rarely identical.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import rankdata

from studio.stats.alignment import MethodAlignment, align
from studio.stats.rankings import HumanRankings

TOPICS = 189
"""Of the published set; the sampling error of a row is that of so many."""
SYNTHETIC = 400

TABLE_2 = {"all metrics": (0.71, 32.6), "humans": (0.85, 45.3)}
TABLE_5 = {
    "engagement": (0.224, 14.8), "harmony": (0.312, 15.6), "usability": (0.574, 21.5), "rhythm": (0.618, 24.4),
    "harmony and engagement": (0.371, 20.7), "usability and engagement": (0.612, 23.7),
    "usability, harmony and engagement": (0.667, 24.4), "all": (0.710, 32.6),
}  # fmt: skip


def drawn(noise: float, n_decks: int, instances: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    truth = rng.normal(size=(instances, n_decks))
    return (-truth).argsort(axis=1).argsort(axis=1) + 1.0, truth + noise * rng.normal(size=truth.shape)


def mean_rho(ranks: np.ndarray, scores: np.ndarray) -> float:
    """Return the mean over rows of Pearson's correlation of scipy's ranks."""
    x, y = ranks - ranks.mean(axis=1, keepdims=True), rankdata(-scores, axis=1)
    y = y - y.mean(axis=1, keepdims=True)
    return float(np.mean((x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))))


@cache
def noise_for(rho: float, n_decks: int) -> float:
    """Return the noise whose mean ρ is this one."""
    low, high = 0.02, 30.0
    for _ in range(16):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if mean_rho(*drawn(middle, n_decks, SYNTHETIC)) > rho else (low, middle)
    return math.sqrt(low * high)


def aligned(rho: float, n_decks: int) -> MethodAlignment:
    ranks, scores = drawn(noise_for(rho, n_decks), n_decks, SYNTHETIC)
    names = [[f"i{i}.d{k}" for k in range(n_decks)] for i in range(SYNTHETIC)]
    human = HumanRankings(
        ranks={f"i{i}": {"a": dict(zip(names[i], ranks[i].tolist(), strict=True))} for i in range(SYNTHETIC)}
    )
    given = {f"i{i}": dict(zip(names[i], scores[i].tolist(), strict=True)) for i in range(SYNTHETIC)}
    return align(human, given, resamples=0)


@pytest.mark.parametrize(("rho", "identical"), [*TABLE_2.values(), *TABLE_5.values()])
def test_that_the_papers_rho_gives_its_identical_ratio(rho, identical):
    found = {n_decks: aligned(rho, n_decks) for n_decks in (8, 9)}
    shares = {}
    for n_decks, row in found.items():
        assert row.mean_rho == pytest.approx(rho, abs=0.01)
        assert row.n_defined == SYNTHETIC
        shares[n_decks] = [each.identical for each in row.instances]
        assert row.identical == pytest.approx(np.mean(shares[n_decks]))
    # The published topics have eight or nine decks, so their ratio lies between those two, give or take 2.5 standard
    # errors of 189 topics and of the synthetic ones.
    means = {n: 100 * float(np.mean(each)) for n, each in shares.items()}
    errors = {n: 100 * float(np.std(each)) * math.sqrt(1 / TOPICS + 1 / SYNTHETIC) for n, each in shares.items()}
    assert means[9] - 2.5 * errors[9] <= identical <= means[8] + 2.5 * errors[8]


def test_that_the_two_rows_with_a_known_number_of_decks_agree_with_eight():
    for rho, identical in TABLE_2.values():
        row = aligned(rho, 8)
        spread = 100 * float(np.std([each.identical for each in row.instances]))
        assert 100 * (row.identical or 0) == pytest.approx(
            identical, abs=2.5 * spread * math.sqrt(1 / TOPICS + 1 / SYNTHETIC)
        )


def test_that_ties_of_a_coarse_judge_cost_identical_ranks_and_not_rho():
    """What the rows left out above show: five points for nine decks keep ρ and lose identical ranks."""
    ranks, scores = drawn(noise_for(0.53, 9), 9, SYNTHETIC)
    coarse = np.clip(np.round(3 + scores / scores.std()), 1, 5)
    names = [[f"i{i}.d{k}" for k in range(9)] for i in range(SYNTHETIC)]
    human = HumanRankings(
        ranks={f"i{i}": {"a": dict(zip(names[i], ranks[i].tolist(), strict=True))} for i in range(SYNTHETIC)}
    )
    fine, tied = (
        align(human, {f"i{i}": dict(zip(names[i], row, strict=True)) for i, row in enumerate(values.tolist())},
              resamples=0)
        for values in (scores, coarse)
    )  # fmt: skip
    assert fine.mean_rho - tied.mean_rho < 0.06
    assert fine.identical - tied.identical > 0.05
