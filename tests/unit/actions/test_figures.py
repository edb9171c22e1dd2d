from __future__ import annotations

import pytest

from studio.actions import figures


@pytest.mark.parametrize(
    ("value", "words"), [(None, "–"), (0.7149, "0.71"), (-0.001, "0.00"), (-0.5, "−0.50"), (1.0, "1.00")]
)
def test_that_figures_are_rounded_without_a_negative_zero(value, words):
    assert figures.figure(value) == words


@pytest.mark.parametrize(("share", "words"), [(None, "–"), (0.0, "0.0"), (0.4166, "41.7"), (1.0, "100.0")])
def test_that_shares_are_written_in_percent(share, words):
    assert figures.percent(share) == words


@pytest.mark.parametrize(
    ("low", "high", "words"), [(None, None, "–"), (-0.104, 0.42, "−0.10 … 0.42"), (0.5, None, "–")]
)
def test_that_an_interval_needs_both_ends(low, high, words):
    assert figures.interval_in_words(low, high) == words


@pytest.mark.parametrize(("p", "words"), [(None, "–"), (0.0004, "<.001"), (0.0123, ".012"), (1.0, "1.000")])
def test_that_p_values_are_written_as_in_papers(p, words):
    assert figures.p_in_words(p) == words


@pytest.mark.parametrize(("number", "words"), [(0, "0 decks"), (1, "1 deck"), (1204, "1,204 decks")])
def test_that_one_of_a_kind_is_not_many(number, words):
    assert figures.counted(number, "deck") == words
