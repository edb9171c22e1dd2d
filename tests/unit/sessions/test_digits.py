"""Ranks typed as digits."""

from __future__ import annotations

from studio.sessions.digits import DigitEntry


def test_that_up_to_nine_ranks_every_digit_is_a_rank():
    entry = DigitEntry(9)
    assert [entry.press(digit) for digit in (1, 5, 9)] == [(1,), (5,), (9,)]


def test_that_two_digits_make_one_rank_where_there_are_more():
    entry = DigitEntry(12)
    assert entry.press(1) == ()
    assert entry.waiting == 1
    assert entry.press(2) == (12,)


def test_that_a_digit_that_cannot_begin_a_number_is_a_rank_at_once():
    assert DigitEntry(12).press(2) == (2,)


def test_that_a_lone_digit_counts_after_the_wait():
    entry = DigitEntry(12)
    entry.press(1)
    assert entry.flush() == 1
    assert entry.flush() is None


def test_that_a_number_beyond_the_last_rank_is_two_ranks():
    # With 12 ranks 13 is none: rank 1, then rank 3.
    entry = DigitEntry(12)
    entry.press(1)
    assert entry.press(3) == (1, 3)


def test_that_a_zero_alone_is_nothing():
    assert DigitEntry(12).press(0) == ()
    entry = DigitEntry(20)
    entry.press(2)
    assert entry.press(0) == (20,)
