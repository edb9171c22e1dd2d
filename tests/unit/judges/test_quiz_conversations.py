"""What is asked of judges about question banks, and how their replies are read."""

from __future__ import annotations

import json

import pytest

from studio.judges.quiz_talks import AnswerConversation, DescribeConversation, ListsConversation
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import JudgeReply, ParseStatus, ReplyEnd, TextPart, Usage, VerdictRecord
from studio.model.quiz import INSUFFICIENT, Question, QuestionType
from studio.model.runs import UnitStatus

ABOUT = VerdictRecord(instance_id=InstanceId("i"), deck_id=DeckId("d"), item_id="x")
QUESTIONS = tuple(
    Question(id=f"q{n}", type=QuestionType.DATA, question=f"How many, {n}?", answer="B",
             options={"A": "1", "B": "2", "C": "3", "D": "4"})
    for n in (1, 2, 3)
)  # fmt: skip


def asking(*texts: str):
    left = list(texts)

    def ask(requests):
        text = left.pop(0) if len(left) > 1 else left[0]
        return [JudgeReply(text=text, end=ReplyEnd.COMPLETE, usage=Usage(), raw={}) for _ in requests]

    return ask


def answers(*entries: dict[str, object]) -> str:
    return json.dumps({"answers": list(entries)})


def test_that_answers_are_read_by_number_and_what_is_missing_counts_as_wrong():
    talk = AnswerConversation(about=ABOUT, questions=QUESTIONS, material="# Slide 1\n- two")
    reply = answers({"id": 1, "answer": "(b)", "slides": [1, "2", True, 1]}, {"id": "2.", "answer": "Insufficient"})
    found = talk.hold(asking(reply)).verdicts
    assert [(each.item_id, each.verdict, each.score) for each in found] == [
        ("q1", "B", 1.0), ("q2", INSUFFICIENT, 0.0), ("q3", "unreadable", 0.0),
    ]  # fmt: skip
    assert [box.slide for box in found[0].boxes] == [1]


def test_that_a_closed_book_shows_no_material_and_another_prompt():
    book = AnswerConversation(about=ABOUT, questions=QUESTIONS, material="")
    words = book.requests()[0].parts[0].text
    assert "no material to look at" in words
    assert "1. How many, 1?\nA) 1\nB) 2" in words
    assert book.key_parts() != AnswerConversation(about=ABOUT, questions=QUESTIONS, material="x").key_parts()


def test_that_broken_json_is_asked_for_again_and_then_given_up():
    talk = ListsConversation(about=ABOUT, words="List.", prompt_id="p@1", lists=("evidence",), attempts=3)
    assert talk.hold(asking('{"evidence": [', '{"evidence": [{"a": 1}, 3]}')).verdicts[0].detail["evidence"] == [
        {"a": 1}
    ]
    given_up = talk.hold(asking("no JSON")).verdicts[0]
    assert (given_up.status, given_up.parse) == (UnitStatus.PARSE_ERROR, ParseStatus.FAILED)


@pytest.mark.parametrize(
    ("reply", "slides", "expected"),
    [
        ("```markdown\n# Slide 1: Title\n- 5 %\n```", (1, 2), "# Slide 1: Title\n- 5 %"),
        ("Just words of the only slide", (7,), "# Slide 7\nJust words of the only slide"),
    ],
)
def test_that_slides_are_described_under_their_numbers(reply, slides, expected):
    talk = DescribeConversation(about=ABOUT, parts=(TextPart(text="deck slide 1:\nx"),), slides=slides)
    assert talk.hold(asking(reply)).verdicts[0].detail["markdown"] == expected


def test_that_a_description_without_slides_is_none():
    talk = DescribeConversation(about=ABOUT, parts=(TextPart(text="x"),), slides=(1, 2), attempts=1)
    assert talk.hold(asking("Some words")).verdicts[0].status is UnitStatus.PARSE_ERROR
