from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import BadInput
from studio.model.answers import Comparison, Preference, RankMethod
from studio.model.ids import DeckId
from studio.sessions.comparison import check_question, most_questions, sort_by
from studio.sessions.ranking import RankingRules, RankingSession
from tests.unit.sessions.answer_journals import StoredEvents, who

A, B, C, D, E = DECKS = tuple(DeckId(f"deck_{name}") for name in "abcde")


def said(first: DeckId, second: DeckId, answer: str = "a") -> Comparison:
    return Comparison(first=first, second=second, said=Preference(answer))


def answer_by(values: dict[DeckId, int], first: DeckId, second: DeckId) -> Comparison:
    """Return what somebody says who finds a higher value better."""
    if values[first] == values[second]:
        return said(first, second, "tie")
    return said(first, second, "a" if values[first] > values[second] else "b")


@given(st.lists(st.integers(0, 6), min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_that_sorting_by_questions_gives_the_order_of_a_reference_sort(values, rng):
    decks = [DeckId(f"deck_{number:02}") for number in range(len(values))]
    rng.shuffle(decks)
    worth = dict(zip(decks, values, strict=True))
    answers: list[Comparison] = []
    while (found := sort_by(decks, answers)).question is not None:
        assert len(answers) + found.n_most <= most_questions(len(decks)) or found.n_most == 1
        answers.append(answer_by(worth, *found.question))
    # Competition ranks from Python's own sort: one more than the number of decks that are worth more.
    assert found.ranks == {deck: 1 + sum(other > worth[deck] for other in values) for deck in decks}
    assert len(answers) == found.n_asked <= most_questions(len(decks))
    assert found.cycle == ()


def test_that_the_most_questions_are_those_of_a_merge_sort():
    # n⌈log2 n⌉ − 2^⌈log2 n⌉ + 1: 2·1−2+1, 3·2−4+1, 4·2−4+1, 5·3−8+1, 12·4−16+1.
    assert [most_questions(number) for number in (0, 1, 2, 3, 4, 5, 12)] == [0, 0, 1, 3, 5, 8, 33]


def test_that_a_tie_is_a_tier_and_its_decks_are_not_asked_again():
    # A = B, then C against the tier {A, B}: one answer is enough.
    found = sort_by((A, B, C), [said(A, B, "tie"), said(A, C, "b")])
    assert found.ranks == {C: 1, A: 2, B: 2}


def test_that_a_contradiction_is_shown_as_a_shortest_cycle():
    # A > B > C > D is a sort of four; then D is said to be better than B.
    answers = [said(A, B), said(C, D), said(A, C), said(B, C), said(D, B)]
    found = sort_by((A, B, C, D), answers)
    assert found.ranks == {}
    assert {(link.better, link.worse) for link in found.cycle} == {(B, C), (C, D), (D, B)}


def test_that_a_tie_can_be_a_part_of_a_contradiction():
    # A = B and B = C, but A > C.
    found = sort_by((A, B, C), [said(A, B, "tie"), said(B, C, "tie"), said(A, C)])
    assert len(found.cycle) == 3
    assert sum(link.is_tie for link in found.cycle) == 2


def test_that_check_questions_ask_what_was_never_asked_nearest_first():
    # After A > B, C > D, A > C, B > C the order is A B C D; asked were all neighbours, so A–C (asked) leaves B–D, A–D.
    answers = [said(A, B), said(C, D), said(A, C), said(B, C)]
    first = check_question((A, B, C, D), answers)
    assert first == (B, D)
    second = check_question((A, B, C, D), [*answers, said(B, D)])
    assert second == (A, D)
    assert check_question((A, B, C, D), [*answers, said(B, D), said(A, D)]) is None


@given(st.lists(st.sampled_from(["a", "b", "tie"]), min_size=10, max_size=10))
def test_that_answers_without_a_cycle_are_those_that_some_order_explains(words):
    answers = [said(one, other, word) for (one, other), word in zip(combinations(DECKS, 2), words, strict=True)]
    found = sort_by(DECKS, answers)
    assert found.question is None
    if found.cycle:
        assert not found.ranks
        return
    for answer in answers:
        first, second = found.ranks[answer.first], found.ranks[answer.second]
        assert {"a": first < second, "b": first > second, "tie": first == second}[answer.said.value]


@pytest.fixture
def stored():
    return StoredEvents()


def session_on(stored, decks=(A, B, C, D), **rules) -> RankingSession:
    return RankingSession(display=decks, rules=RankingRules(**rules), **who(stored, stored.events))


def test_that_questions_fill_a_ranking_and_go_on_after_a_restart(stored):
    session = session_on(stored)
    # A > B, C > D, then B and D are the last; A > C, C > B, B > D gives A C B D.
    for answer in (said(A, B), said(C, D), said(A, C)):
        session.compare(answer.first, answer.second, answer.said)
    again = session_on(stored)
    assert again.sort.question == (B, C)
    again.compare(B, C, Preference.B)
    assert again.state.ranks == {}
    again.compare(B, D, Preference.A)
    assert again.state.ranks == {A: 1, C: 2, B: 3, D: 4}
    assert again.state.rank_method is RankMethod.COMPARISON
    again.submit()
    assert stored.events[-1].state["rank_method"] == "comparison"


def test_that_a_cycle_blocks_the_ranking_until_an_answer_is_changed(stored):
    session = session_on(stored)
    for answer in (said(A, B), said(C, D), said(A, C), said(B, C), said(D, B)):
        session.compare(answer.first, answer.second, answer.said)
    assert session.state.ranks == {}
    assert session.missing == f"Answers contradict each other: {session.cycle_words()}"
    with pytest.raises(BadInput, match="contradict"):
        session.submit()
    session.compare(B, D, Preference.A)
    assert stored.events[-1].verb == "repair"
    assert session.state.ranks == {A: 1, B: 2, C: 3, D: 4}
    session.undo()
    assert session.state.ranks == {}
    assert session.cycle_words()


def test_that_placing_a_deck_by_hand_makes_it_a_ranking_again(stored):
    session = session_on(stored, decks=(A, B))
    session.compare(A, B, Preference.B)
    session.rank(A, 1)
    assert session.state.rank_method is RankMethod.RANKING


def test_that_both_bad_gives_no_order(stored):
    with pytest.raises(BadInput, match="needs an order"):
        session_on(stored).compare(A, B, Preference.BOTH_BAD)
