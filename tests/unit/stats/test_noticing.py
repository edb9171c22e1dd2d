"""Who notices what was made worse: counts, tau within ladders, and when there is no telling."""

from __future__ import annotations

import pytest

from studio.stats.noticing import Rung, corrected, fall_p, noticing


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


def test_that_one_ladder_cannot_be_told_from_chance():
    # Four signs: one of 16 ways to fall throughout; 1/16 is above 5 %, 1/256 is not.
    assert noticing(rungs(*[[5, 4, 3, 2, 1]])).is_noticed is None
    assert noticing(rungs(*[[5, 4, 3, 2, 1]] * 2)).is_noticed is True


def ladders(*values):
    return [dict(enumerate(ladder)) for ladder in values]


def test_that_the_chance_of_a_fall_is_exact():
    assert fall_p(ladders([5, 4, 3, 2, 1])) == (1 / 16, 1 / 16)
    assert fall_p(ladders([5, 4, 3, 2, 1], [5, 4, 3, 2, 1])) == (1 / 256, 1 / 256)
    # Two rungs with differences of 1 and 2; S of falling by signs (−,−): 1+1+1, (−,+): 1−1−1, (+,−): −1+1+1,
    # (+,+): −1−1−1. So S is 3, −1, 1, −3; at least 1 in two of four.
    p, least = fall_p(ladders([5, 6, 3]))
    assert (p, least) == (0.5, 0.25)
    # A rung that stays has no sign: of 0, 0, −1 S is 2, of 0, 0, 1 it is −2.
    assert fall_p(ladders([5, 5, 4])) == (0.5, 0.5)
    assert fall_p(ladders([5, 5, 5])) == (None, None)
    assert fall_p([{1: 4.0, 2: 3.0}]) == (None, None)


def test_that_one_cell_of_many_that_falls_by_chance_is_no_noticing():
    falls = noticing(rungs(*[[5, 4, 3, 2, 1]] * 2))
    # 1/256 alone, 40/256 as the least of forty.
    table = corrected([falls, *[noticing(rungs([5, 6, 4, 6, 4], [5, 4, 6, 4, 6]))] * 39])
    assert table[0].p_holm == pytest.approx(40 / 256)
    # No pattern of two ladders could have passed here.
    assert table[0].is_noticed is None
    many = corrected([noticing(rungs(*[[5, 4, 3, 2, 1]] * 6)), *table[1:]])
    assert many[0].is_noticed is True
    assert corrected([noticing(rungs(*[[3, 3, 3, 3, 3]] * 6)), falls])[1].n_cells == 1


def test_that_values_that_wander_are_not_noticing():
    wander = noticing(rungs(*[[5, 6, 4, 5.5, 4.5], [5, 4, 6, 4.5, 5.5]] * 3))
    assert wander.is_noticed is False


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
