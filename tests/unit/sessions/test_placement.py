from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.model.ids import DeckId
from studio.sessions.placement import competition, lift_out, move, put, settle, tie_with_above

N = 6
DECKS = [DeckId(name) for name in "abcdef"]


def ranks_of(text: str) -> dict[DeckId, int]:
    """Return the ranks that a picture such as "a.(bc)" shows: slot by slot, a dot for an empty one."""
    ranks, slot, mates = {}, 1, []
    is_tie = False
    for sign in text:
        if sign == "(":
            is_tie, mates = True, []
        elif sign == ")":
            ranks |= dict.fromkeys(mates, slot)
            slot, is_tie = slot + len(mates), False
        elif is_tie:
            mates.append(DeckId(sign))
        else:
            if sign != ".":
                ranks[DeckId(sign)] = slot
            slot += 1
    return ranks


def groups(ranks) -> list[set[DeckId]]:
    """Return the tied sets from best to worst: a ranking without its slots."""
    return [{deck for deck in ranks if ranks[deck] == rank} for rank in sorted(set(ranks.values()))]


def fits(ranks, n_slots: int) -> bool:
    """Say whether each tie has as many slots as decks, none shared and none outside."""
    taken = []
    for rank in set(ranks.values()):
        taken += range(rank, rank + list(ranks.values()).count(rank))
    return len(taken) == len(set(taken)) and all(1 <= slot <= n_slots for slot in taken)


any_ranks = st.dictionaries(st.sampled_from(DECKS), st.integers(1, 9))
settled = any_ranks.map(lambda ranks: settle(ranks, N))
a_deck = st.sampled_from(DECKS)


@given(any_ranks)
def test_that_settling_keeps_order_and_ties_and_fits(ranks):
    found = settle(ranks, N)
    assert groups(found) == groups(ranks)
    assert fits(found, N)


@given(any_ranks)
def test_that_settling_twice_is_settling_once(ranks):
    once = settle(ranks, N)
    assert settle(once, N) == once


@given(any_ranks)
def test_that_ranks_that_fit_are_left_as_they_are(ranks):
    if fits(ranks, N):
        assert settle(ranks, N) == ranks


@given(st.dictionaries(st.sampled_from(DECKS), st.floats(-1e6, 1e6)))
def test_that_competition_ranks_count_the_better_decks(ranks):
    found = competition(ranks)
    # By definition: one more than the number of decks that are better.
    assert found == {deck: 1 + sum(other < ranks[deck] for other in ranks.values()) for deck in ranks}


def test_that_a_tie_for_second_leaves_no_third():
    assert competition(dict(zip("abcd", [10, 20.5, 20.5, 300], strict=True))) == dict(
        zip("abcd", [1, 2, 2, 4], strict=True)
    )


@given(settled, a_deck, st.integers(1, N))
def test_that_putting_a_deck_keeps_the_order_of_the_others(ranks, deck, rank):
    found = put(ranks, deck, rank, N, ties_allowed=True)
    assert fits(found, N)
    assert groups(lift_out(found, deck)) == groups(lift_out(ranks, deck))


@given(settled, a_deck, st.integers(1, N))
def test_that_putting_where_ties_are_not_allowed_ties_the_deck_with_nobody(ranks, deck, rank):
    found = put(ranks, deck, rank, N, ties_allowed=False)
    assert {deck} in groups(found)
    assert groups(lift_out(found, deck)) == groups(lift_out(ranks, deck))


@given(st.permutations(DECKS), st.sets(a_deck), a_deck, st.integers(1, N))
def test_that_without_ties_a_deck_gets_the_very_rank_it_was_given(order, placed, deck, rank):
    ranks = {other: place for place, other in enumerate(order, start=1) if other in placed}
    found = put(ranks, deck, rank, N, ties_allowed=False)
    assert found[deck] == rank
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("before", "deck", "rank", "ties_allowed", "after"),
    [
        ("", "a", 3, True, "..a"),
        ("a", "b", 1, True, "(ab)"),
        ("ab", "c", 1, True, "(ac)b"),  # the tie takes two slots, so b moves down
        ("..ab..", "c", 4, True, "..a(bc)"),
        (".....a", "b", 6, True, "....(ab)"),  # no slot below: the tie moves up
        ("abcdef", "f", 1, True, "(af)bcde"),
        ("a", "a", 1, True, "a"),
        ("a", "a", 5, True, "....a"),
        ("ab", "c", 1, False, "cab"),
        ("a.b", "c", 1, False, "cab"),  # the gap takes up the shift
        ("a.b", "c", 3, False, "a.cb"),
        (".....a", "b", 6, False, "....ab"),  # nothing is free below, so a moves up
        (".bcdef", "a", 6, False, "bcdefa"),
    ],
)
def test_where_a_deck_goes(before, deck, rank, ties_allowed, after):
    assert put(ranks_of(before), DeckId(deck), rank, N, ties_allowed=ties_allowed) == ranks_of(after)


@pytest.mark.parametrize("rank", [0, -1, N + 1])
def test_that_a_slot_that_is_not_there_is_refused(rank):
    with pytest.raises(ValueError, match="1 to 6"):
        put({}, DECKS[0], rank, N, ties_allowed=True)


def test_that_lifting_out_leaves_the_slot_empty():
    assert lift_out(ranks_of("abc"), DeckId("b")) == ranks_of("a.c")


@pytest.mark.parametrize(
    ("before", "deck", "step", "after"),
    [
        ("abc", "b", -1, "bac"),
        ("abc", "b", +1, "acb"),
        ("abc", "a", -1, "abc"),
        (".....a", "a", +1, ".....a"),
        ("a..b", "b", -1, "a.b"),  # the empty slot beside it first
        ("a..b", "a", +1, ".a.b"),
        ("(ab)c", "b", -1, "bac"),  # leaves the tie
        ("(ab)c", "b", +1, "abc"),
        ("(ab)c", "c", -1, "c(ab)"),  # passes a tie as a whole
        ("a(bc)", "a", +1, "(bc)a"),
        ("(abc)", "b", +1, "(ac)b"),
        ("(abc)", "b", -1, "b(ac)"),
    ],
)
def test_how_a_deck_moves(before, deck, step, after):
    assert move(ranks_of(before), DeckId(deck), step, N) == ranks_of(after)


@given(settled, st.sampled_from([-1, 1]), st.data())
def test_that_moving_keeps_the_others_in_order_and_makes_no_tie(ranks, step, data):
    if not ranks:
        return
    deck = data.draw(st.sampled_from(sorted(ranks)))
    found = move(ranks, deck, step, N)
    assert fits(found, N)
    assert groups(lift_out(found, deck)) == groups(lift_out(ranks, deck))
    if found != ranks:
        assert {deck} in groups(found)


@given(settled, st.data())
def test_that_up_takes_back_down_in_a_ranking_without_ties(ranks, data):
    ranks = {deck: rank for deck, rank in ranks.items() if list(ranks.values()).count(rank) == 1}
    if not ranks:
        return
    deck = data.draw(st.sampled_from(sorted(ranks)))
    down = move(ranks, deck, +1, N)
    if down != ranks:
        assert move(down, deck, -1, N) == ranks


@pytest.mark.parametrize(
    ("before", "deck", "after"),
    [
        ("ab", "b", "(ab)"),
        ("a..b", "b", "(ab)"),
        ("(ab)c", "c", "(abc)"),
        ("ab", "a", "ab"),  # nothing above
        ("(ab)", "a", "ba"),  # ends the tie it is in, below its mates
        ("(abc)d", "b", "(ac)bd"),
    ],
)
def test_how_ties_come_and_go(before, deck, after):
    assert tie_with_above(ranks_of(before), DeckId(deck), N) == ranks_of(after)


@given(settled, st.data())
def test_that_tying_keeps_the_others_and_fits(ranks, data):
    if not ranks:
        return
    deck = data.draw(st.sampled_from(sorted(ranks)))
    found = tie_with_above(ranks, deck, N)
    assert fits(found, N)
    assert groups(lift_out(found, deck)) == groups(lift_out(ranks, deck))
