"""Rounds of a Swiss tournament."""

from __future__ import annotations

from random import Random

import pytest

from studio.judges.swiss import next_round, usual_rounds


def drawn(players: list[str], points: dict[str, float], met: list[str] = [], rested: str = "") -> set[frozenset[str]]:  # noqa: B006
    pairs = next_round(players, points, {frozenset(pair) for pair in met}, set(rested), Random(7))
    assert pairs is not None
    return {frozenset(pair) for pair in pairs}


# log2: 2 → 1, 5 → 2.32, 8 → 3, 9 → 3.17; one more, and at most each against each.
@pytest.mark.parametrize(("number", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5)])
def test_that_there_are_as_many_rounds_as_find_the_best_and_one_more(number: int, rounds: int) -> None:
    assert usual_rounds(number) == rounds


def test_that_equally_strong_decks_meet() -> None:
    points = {"a": 2.0, "b": 0.0, "c": 2.0, "d": 0.0, "e": 1.0, "f": 1.0}
    assert drawn(list("abcdef"), points) == {frozenset("ac"), frozenset("bd"), frozenset("ef")}


def test_that_nobody_meets_twice_even_if_others_must_give_way() -> None:
    points = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}
    # a–b is played, so a meets c, and b is left with d; with b–d played too, only a–d and b–c are left.
    assert drawn(list("abcd"), points, ["ab"]) == {frozenset("ac"), frozenset("bd")}
    assert drawn(list("abcd"), points, ["ab", "bd"]) == {frozenset("ad"), frozenset("bc")}


def test_that_of_an_odd_number_the_weakest_that_did_not_rest_yet_rests() -> None:
    points = {"a": 2.0, "b": 1.0, "c": 0.5}
    assert drawn(list("abc"), points) == {frozenset("ab")}
    assert drawn(list("abc"), points, rested="c") == {frozenset("ac")}


def test_that_there_is_no_round_when_all_have_met() -> None:
    assert next_round(list("ab"), {}, {frozenset("ab")}, set(), Random(1)) is None


def test_that_the_same_seed_draws_the_same_round() -> None:
    players = [f"p{number}" for number in range(9)]
    assert next_round(players, {}, set(), set(), Random(3)) == next_round(players, {}, set(), set(), Random(3))
