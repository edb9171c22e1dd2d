from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.clock import IDLE_CUTOFF_S, ActiveClock
from studio.sessions.order import display_order, letter

DECKS = [DeckId(f"deck_{name}") for name in "abcdefg"]


def order(decks=DECKS, *, seed=7, person="p1", instance="i1"):
    return display_order(decks, seed=seed, annotator_id=AnnotatorId(person), instance_id=InstanceId(instance))


class Hands:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(st.permutations(DECKS), st.integers(0, 2**32))
def test_that_the_order_is_a_permutation_that_does_not_depend_on_how_decks_come_in(decks, seed):
    shown = order(decks, seed=seed)
    assert sorted(shown) == sorted(DECKS)
    assert shown == order(DECKS, seed=seed)


def test_that_the_order_differs_by_person_by_instance_and_by_seed():
    assert len({order(person=f"p{number}") for number in range(40)}) > 30
    assert len({order(instance=f"i{number}") for number in range(40)}) > 30
    assert len({order(seed=number) for number in range(40)}) > 30


def test_that_each_deck_comes_first_about_as_often():
    firsts = [order(person=f"p{number}")[0] for number in range(700)]
    # 700 draws from 7 decks: 100 each, standard deviation sqrt(700 * 1/7 * 6/7) = 9.3; five of them are 46.
    assert all(54 <= firsts.count(deck) <= 146 for deck in DECKS)


def test_that_ids_with_the_separator_of_another_pair_do_not_collide():
    assert order(person="p1", instance="1i") != order(person="p11", instance="i")


def test_that_letters_go_on_after_z():
    assert "".join(letter(position) for position in range(26)) == string.ascii_uppercase
    assert [letter(position) for position in (26, 27, 51, 52, 701, 702)] == ["AA", "AB", "AZ", "BA", "ZZ", "AAA"]


def test_that_time_between_touches_is_active():
    hands = Hands()
    clock = ActiveClock(hands)
    for pause in (5, 10, 20):
        hands.now += pause
        clock.touch()
    assert clock.take() == (35, 35)


def test_that_a_pause_counts_up_to_the_cut_off_only():
    hands = Hands()
    clock = ActiveClock(hands)
    hands.now += 600
    clock.touch()
    hands.now += 4
    assert clock.take() == (IDLE_CUTOFF_S + 4, 604)


def test_that_time_away_does_not_count_as_active():
    hands = Hands()
    clock = ActiveClock(hands)
    hands.now += 3
    clock.away()
    hands.now += 40
    clock.touch()
    hands.now += 2
    assert clock.take() == (5, 45)


def test_that_going_away_twice_counts_nothing_in_between():
    hands = Hands()
    clock = ActiveClock(hands)
    clock.away()
    hands.now += 30
    clock.away()
    hands.now += 30
    clock.touch()
    assert clock.take().active_s == 0


@given(
    st.lists(
        st.tuples(st.sampled_from(["touch", "away", "take"]), st.floats(0, 200, allow_nan=False)),
        max_size=30,
    )
)
def test_that_taken_time_adds_up_to_the_wall_time_and_never_counts_twice(acts):
    hands = Hands()
    clock = ActiveClock(hands)
    taken = []
    for act, pause in acts:
        hands.now += pause
        if act == "take":
            taken.append(clock.take())
        else:
            getattr(clock, act)()
    taken.append(clock.take())
    assert sum(spent.wall_s for spent in taken) == pytest.approx(hands.now - 1000.0)
    assert sum(spent.active_s for spent in taken) <= hands.now - 1000.0 + 1e-6
    assert clock.take() == (0, 0)
