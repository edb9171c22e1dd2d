"""Several decks at one place."""

from __future__ import annotations

import pytest

from studio.model.ids import DeckId
from studio.sessions.viewing import NEXT_MODE, SyncMode, Viewing, Zoom

A, B, C = DeckId("a"), DeckId("b"), DeckId("c")


def slides(viewing: Viewing) -> list[int | None]:
    return [viewing.slide(deck) for deck in viewing.decks]


@pytest.fixture
def viewing() -> Viewing:
    return Viewing({A: 16, B: 14, C: 3})


def test_that_all_decks_move_together(viewing):
    viewing.step(A, 1)
    assert slides(viewing) == [2, 2, 2]


def test_that_a_short_deck_shows_nothing_past_its_end_and_is_found_again(viewing):
    for _ in range(4):
        viewing.step(A, 1)
    assert slides(viewing) == [5, 5, None]
    viewing.step(A, -2)
    assert slides(viewing) == [3, 3, 3]


def test_that_the_place_stays_where_some_deck_has_a_slide(viewing):
    viewing.step(A, 99)
    assert slides(viewing) == [16, None, None]
    viewing.step(A, -99)
    assert slides(viewing) == [1, 1, 1]


def test_that_a_deck_moved_alone_keeps_its_offset(viewing):
    viewing.show_alone(B, 2)
    viewing.step(A, 4)
    assert (slides(viewing), viewing.offset(B)) == ([5, 6, None], 1)


def test_that_going_to_a_slide_takes_the_others_along(viewing):
    viewing.show_alone(B, 3)
    viewing.show(B, 9)
    assert slides(viewing) == [7, 9, None]


def test_that_without_sync_only_one_deck_moves(viewing):
    viewing.choose(SyncMode.OFF, A)
    viewing.step(B, 5)
    assert slides(viewing) == [1, 6, 1]


def test_that_without_sync_a_deck_stops_at_its_ends(viewing):
    viewing.choose(SyncMode.OFF, A)
    viewing.step(C, 7)
    viewing.step(A, -1)
    assert slides(viewing) == [1, 1, 3]


def test_that_sync_goes_on_from_the_present_offset(viewing):
    viewing.choose(SyncMode.OFF, A)
    viewing.step(B, 5)
    viewing.choose(SyncMode.SLIDE, B)
    viewing.step(B, 1)
    assert (slides(viewing), [viewing.offset(deck) for deck in viewing.decks]) == ([2, 7, 2], [0, 5, 0])


def test_that_the_offset_most_decks_share_counts_as_none(viewing):
    viewing.choose(SyncMode.OFF, A)
    for deck in (A, B):
        viewing.step(deck, 2)
    viewing.choose(SyncMode.SLIDE, A)
    # a and b are both on 3, c on 1: c is two behind.
    assert [viewing.offset(deck) for deck in viewing.decks] == [0, 0, -2]
    assert slides(viewing) == [3, 3, 1]


def test_that_aligning_brings_all_to_the_slide_of_one(viewing):
    viewing.show_alone(B, 6)
    viewing.align(B)
    assert slides(viewing) == [6, 6, None]


def test_that_first_and_last_are_those_of_the_deck_in_hand(viewing):
    viewing.last(C)
    assert slides(viewing) == [3, 3, 3]
    viewing.first(C)
    assert slides(viewing) == [1, 1, 1]


def test_that_a_deck_without_slides_shows_none():
    viewing = Viewing({A: 0, B: 2})
    viewing.step(B, 1)
    viewing.show(A, 1)
    assert slides(viewing) == [None, 2] or slides(viewing) == [None, 1]
    viewing.choose(SyncMode.OFF, A)
    viewing.step(A, 1)
    assert viewing.slide(A) is None


def test_that_zoom_is_shared_only_in_its_mode(viewing):
    near = Zoom(factor=2.0, x=0.3, y=0.4)
    assert viewing.set_zoom(A, near) == (B, C)
    assert viewing.zoom(C) == near
    viewing.choose(SyncMode.SLIDE, A)
    assert viewing.set_zoom(B, Zoom()) == ()
    assert (viewing.zoom(A), viewing.zoom(B)) == (near, Zoom())
    viewing.choose(SyncMode.SLIDE_AND_ZOOM, B)
    assert viewing.zoom(A) == Zoom()


def test_that_zoom_survives_a_change_of_slide(viewing):
    viewing.set_zoom(A, Zoom(factor=2.0))
    viewing.step(A, 3)
    assert viewing.zoom(A).factor == 2.0


def test_that_one_key_reaches_every_mode():
    mode, seen = SyncMode.OFF, set()
    for _ in range(3):
        mode = NEXT_MODE[mode]
        seen.add(mode)
    assert seen == set(SyncMode)
