"""Who notices what was made worse: counts, tau within ladders, and when there is no telling."""

from __future__ import annotations

import pytest

from studio.stats.noticing import Rung, noticing


def rungs(*ladders):
    return [
        Rung(origin=str(number), degree=degree, value=value)
        for number, ladder in enumerate(ladders)
        for degree, value in enumerate(ladder)
    ]


def test_that_steps_down_are_counted_at_each_degree():
    found = noticing(rungs([5, 4, 3, 2, 1], [5, 6, 5, 4, 3]))
    assert [(each.lower, each.higher, each.same) for each in found.degrees] == [
        (1, 1, 0), (1, 0, 1), (2, 0, 0), (2, 0, 0),
    ]  # fmt: skip
    # Half of the ladders is not more than half: noticed from degree 3 on.
    assert found.from_degree == 3
    assert found.degrees[0].mean_change == 0.0
    assert found.degrees[3].signed_share == 1.0


def test_that_tau_is_the_mean_over_ladders():
    # Falling throughout: 1. One pair of ten in the wrong order, (0, 1), none tied: (9 - 1) / 10.
    found = noticing(rungs([5, 4, 3, 2, 1], [5, 6, 4, 3, 2]))
    assert found.tau == pytest.approx((1.0 + 0.8) / 2)
    assert found.n_tau == 2


def test_that_an_evaluator_with_one_value_sees_nothing_and_has_no_tau():
    found = noticing(rungs(*[[3, 3, 3, 3, 3]] * 5))
    assert found.tau is None
    assert found.undefined_reason == "constant"
    assert found.is_noticed is False
    assert all(each.same == 5 and each.p is None for each in found.degrees)


def test_that_fewer_than_five_ladders_cannot_be_told_from_chance():
    assert noticing(rungs(*[[5, 4, 3, 2, 1]] * 4)).is_noticed is None
    assert noticing(rungs(*[[5, 4, 3, 2, 1]] * 5)).is_noticed is True


def test_that_rising_values_are_not_noticing():
    found = noticing(rungs(*[[1, 2, 3, 4, 5]] * 5))
    assert found.is_noticed is False
    assert found.from_degree is None


def test_that_missing_values_are_left_out_and_counted():
    found = noticing(rungs([5, None, 3, 2, 1], [None, 4, 3, 2, 1]))
    assert [each.n for each in found.degrees] == [0, 1, 1, 1]
    assert noticing(rungs([None] * 5)).undefined_reason == "too_few"


def test_that_the_sign_test_is_exact():
    # Four of four fall: (1/2)^4.
    assert noticing(rungs(*[[5, 4, 3, 2, 1]] * 4)).degrees[0].p == pytest.approx(1 / 16)


def test_that_differences_of_rounding_are_none():
    assert noticing(rungs([0.1 + 0.2, 0.3, 0.3, 0.3, 0.3])).degrees[0].same == 1
