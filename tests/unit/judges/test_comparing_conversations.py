from __future__ import annotations

import json
from dataclasses import replace

import pytest

from studio.judges.arena import PairConversation, Slot, read_pair
from studio.judges.listwise import ListConversation, ListedDeck, read_order
from studio.judges.re_asking import Unreadable
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import ImagePart, ParseStatus
from studio.model.runs import UnitStatus
from tests.unit.judges.replying import Replying, about, deck


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("Deck A is clearer. [[A]]", Slot.FIRST),
        ("[[B]]", Slot.SECOND),
        ("Neither. [[ C ]]", Slot.TIE),
        ("[[tie]]", Slot.TIE),
        ("[[**b**]] trailing words", Slot.SECOND),
        ("The form is [[A]], [[B]] or [[C]]. My verdict: [[B]]", Slot.SECOND),
        ('{"reason": "r", "winner": "B"}', Slot.SECOND),
        ('```json\n{"winner": "deck A"}\n```', Slot.FIRST),
        ('{"winner": "A"} [[B]]', Slot.SECOND),
    ],
)
def test_that_the_last_valid_verdict_on_a_pair_counts(said: str, slot: Slot) -> None:
    found = read_pair(said)
    assert not isinstance(found, Unreadable)
    assert found.slot is slot


@pytest.mark.parametrize("said", ["Deck A wins", "[[D]]", "[A]", '{"winner": "both"}', ""])
def test_that_a_reply_without_a_winner_is_unreadable(said: str) -> None:
    assert isinstance(read_pair(said), Unreadable)


def pair(first: str = "d1", second: str = "d2", order: int = 0) -> PairConversation:
    return PairConversation(
        about=about("overall", first, against=(DeckId(second),), order_index=order),
        first=deck(first, label="deck A slide"), second=deck(second, 2, label="deck B slide"),
    )  # fmt: skip


def test_that_a_pair_is_shown_first_deck_first() -> None:
    labels = [part.label for part in pair().requests()[0].parts if isinstance(part, ImagePart)]
    assert labels == ["deck A slide 1", "deck A slide 2", "deck A slide 3", "deck B slide 1", "deck B slide 2"]


def test_that_the_score_of_a_pair_is_that_of_the_first_deck() -> None:
    said = [pair().hold(Replying(f"[[{letter}]]")).verdicts[0] for letter in "ABC"]
    assert [(each.verdict, each.score) for each in said] == [("first", 1.0), ("second", 0.0), ("tie", 0.5)]


def test_that_several_winners_are_flagged() -> None:
    record = pair().hold(Replying("[[A]] at first, but [[B]]")).verdicts[0]
    assert record.parse is ParseStatus.REPAIRED
    assert "conflict" in record.detail


LABELS = ("A", "B", "C")


@pytest.mark.parametrize(
    "said",
    [
        '{"reason": "r", "ranking": ["C", "A", "B"]}',
        'First words {"ranking": ["A", "B"]} then\n```json\n{"ranking": ["c", "Deck A", "[B]"]}\n```',
    ],
)
def test_that_a_permutation_is_read(said: str) -> None:
    found = read_order(said, LABELS)
    assert not isinstance(found, Unreadable)
    assert found.ranks == {"C": 1, "A": 2, "B": 3}


def test_that_tied_decks_share_the_better_rank() -> None:
    found = read_order('{"ranking": ["C", "A", "B"], "ties": [["A", "B"]]}', LABELS)
    assert not isinstance(found, Unreadable)
    assert found.ranks == {"C": 1, "A": 2, "B": 2}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('{"ranking": ["C", "A"]}', "leaves out B"),
        ('{"ranking": ["C", "A", "A", "B"]}', "twice"),
        ('{"ranking": ["C", "A", "B", "D"]}', "not shown"),
        ('{"ranking": ["C", "A", "B"], "ties": [["C", "B"]]}', "side by side"),
        ("C > A > B", "no object"),
    ],
)
def test_that_what_is_no_permutation_is_refused(said: str, why: str) -> None:
    found = read_order(said, LABELS)
    assert isinstance(found, Unreadable)
    assert why in found.reason


def listing(permutation: int = 0) -> ListConversation:
    names = ("d1", "d2", "d3")
    return ListConversation(
        instance_id=InstanceId("i1"), permutation=permutation,
        listed=tuple(
            ListedDeck(label, deck(name, label=f"deck {label} slide"))
            for label, name in zip(("C", "A", "B"), names, strict=True)
        ),
    )  # fmt: skip


def test_that_a_list_gives_each_deck_its_rank() -> None:
    found = listing(1).hold(Replying('{"ranking": ["B", "C", "A"]}'))
    # Letters C, A, B stand for d1, d2, d3.
    assert {each.deck_id: each.score for each in found.verdicts} == {"d1": 2.0, "d2": 3.0, "d3": 1.0}
    assert [each.detail["slot"] for each in found.verdicts] == [1, 2, 3]
    assert {each.order_index for each in found.verdicts} == {1}


def test_that_a_bad_list_is_asked_for_once_more_and_then_is_none() -> None:
    judge = Replying('{"ranking": ["B"]}', '{"ranking": ["B", "B", "A"]}')
    found = listing().hold(judge)
    assert (judge.calls, found.status) == (2, UnitStatus.PARSE_ERROR)
    assert all(each.score is None for each in found.verdicts)


def test_that_order_and_letters_are_part_of_the_key() -> None:
    there = pair()
    back = replace(there, first=there.second, second=there.first)
    keys = {json.dumps(each.key_parts()) for each in (there, back, listing(0), listing(1))}
    assert len(keys) == 4
