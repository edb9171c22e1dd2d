"""Banks as files, their checks, the audit over them, richness, and the sorting of errors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from studio.errors import BadInput
from studio.model.decks import SourcePage
from studio.model.quiz import INSUFFICIENT, ErrorType, QuestionState, QuestionType, QuizBank
from studio.quiz.audit import audit
from studio.quiz.bank_files import bank_json, read_banks
from studio.quiz.checks import Rule, Severity, check_bank
from studio.quiz.presort import presort
from studio.quiz.quotes import NamedPages, QuoteFinder
from studio.quiz.richness import Level, Sizes, richness
from tests.unit.quiz.quiz_texts import STATIONS, asked, source

QUOTE = "Average downtime fell from 14.6 hours to 6.1 hours per month."
SOUND = asked("How long was the downtime before?", ["6.1 hours", "14.6 hours", "10 hours", "20 hours"], "B",
              source_quote=QUOTE)  # fmt: skip


def _rules(question, text=STATIONS):
    bank = QuizBank(id="b", instance_id="i", questions=(question,))
    found = check_bank(bank, QuoteFinder(source(text)))
    return {each.rule for each in found if each.severity is Severity.ERROR}


def test_that_a_sound_question_has_no_error():
    assert _rules(SOUND) == set()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"options": {"A": "1 h", "B": "14.6 hours", "C": "2 h"}}, Rule.FOUR_OPTIONS),
        ({"options": {"A": "14.60 hours", "B": "14.6 hours", "C": "2 h", "D": "3 h"}}, Rule.DIFFERENT_OPTIONS),
        ({"options": {"A": "876 minutes", "B": "14.6 hours", "C": "2 h", "D": "3 h"}}, Rule.DIFFERENT_OPTIONS),
        ({"answer": "E"}, Rule.KEY_AMONG_OPTIONS),
        ({"source_quote": ""}, Rule.QUOTE_MISSING),
        ({"source_quote": "Average downtime fell from 14.6 hours to 6.0 hours per month."}, Rule.QUOTE_NOT_FOUND),
        ({"source_quote": "14.6"}, Rule.QUOTE_TOO_SHORT),
        ({"page": 7}, Rule.OTHER_PAGE),
        ({"options": {"A": "much", "B": "more", "C": "most", "D": "all"}}, Rule.NUMBER_MISSING),
        ({"answer": "D"}, Rule.VALUE_NOT_IN_QUOTE),
        ({"question": "Was the downtime 14.6 hours?"}, Rule.KEY_IN_QUESTION),
    ],
)
def test_that_each_fault_is_found(changes, rule):
    assert rule in _rules(replace(SOUND, **changes))


def test_that_a_quote_is_found_in_spite_of_its_typesetting():
    text = "Average down-\ntime fell  from 14.6\u00a0hours to 6.1 hours per\nmonth."
    assert _rules(SOUND, text) == set()


def test_that_a_quote_that_cuts_a_number_is_none():
    finder = QuoteFinder(source("The budget grew to 56 million in one year."))
    assert finder.places("The budget grew to 5") == []


def test_that_keys_that_are_always_the_same_letter_are_named():
    questions = tuple(replace(SOUND, id=f"q{n}", question=f"{n}?", state=QuestionState.ACCEPTED) for n in range(5))
    found = check_bank(QuizBank(id="b", instance_id="i", questions=questions), QuoteFinder(source(STATIONS)))
    assert Rule.LETTERS in {each.rule for each in found}


def test_that_a_bank_comes_back_as_it_was_written():
    bank = QuizBank(id="b", instance_id="i", title="Stations", questions=(replace(SOUND, extra={"tags": ["x"]}),))
    read = read_banks(json.dumps(bank_json(bank, instruction="topic-1")), "bank.json")[0]
    assert read.questions == bank.questions
    assert (read.instruction, read.refused) == ("topic-1", ())


@pytest.mark.parametrize(
    "entry",
    [
        {"question": "Q?", "options": {"A": "1", "B": "2", "C": "3", "D": "4"}, "answer": "B"},
        {"question": "Q?", "options": ["1", "2", "3", "4"], "answer": "B"},
        {"question": "Q?", "options": ["A. 1", "B. 2", "C. 3", "D. 4"], "answer": "B) 2"},
        {"question": "Q?", "choices": ["1", "2", "3", "4"], "answer": 1},
        {"stem": "Q?", "option_a": "1", "option_b": "2", "option_c": "3", "option_d": "4", "correct_answer": "(b)"},
        {"question": "Q?", "options": {"a": "1", "b": "2", "c": "3", "d": "4"}, "answer": "2", "type": "numerical"},
        {"Question": "Q?", "Options": [{"label": "A", "text": "1"}, {"label": "B", "text": "2"},
                                       {"label": "C", "text": "3"}, {"label": "D", "text": "4"}], "Answer": "B"},
    ],
)  # fmt: skip
def test_that_other_ways_to_write_a_question_are_read(entry):
    question = read_banks(json.dumps({"questions": [entry]}), "bank.json")[0].questions[0]
    assert (question.question, dict(question.options), question.answer, question.type) == (
        "Q?", {"A": "1", "B": "2", "C": "3", "D": "4"}, "B", QuestionType.DATA,
    )  # fmt: skip


def test_that_what_is_no_question_is_refused_with_its_place():
    content = {"questions": [{"question": "Q?"}, "words", {"question": "Q?", "options": ["1", "2"], "answer": "Z"}]}
    read = read_banks(json.dumps(content), "bank.json")[0]
    assert [(each.place, each.reason) for each in read.refused] == [
        ("questions[1]", "no options"), ("questions[2]", "not an object"),
        ("questions[3]", "no answer that is one of its options"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"a": 1}', '"questions"'])
def test_that_a_file_without_questions_is_refused(text):
    with pytest.raises(BadInput):
        read_banks(text, "bank.json")


def test_the_audit_of_two_questions():
    pages = (SourcePage(number=1, text=QUOTE), SourcePage(number=2, text="Nothing of use stands here."))
    finder = QuoteFinder([NamedPages(name="report.md", pages=pages)])
    longest = replace(SOUND, id="q2", options={"A": "6 hours", "B": "14.6 hours", "C": "10 hours", "D": "1 hour"})
    found = audit([QuizBank(id="b", instance_id="i", questions=(SOUND, longest))], {"b": finder}, {})
    assert found.letters == {"A": 0, "B": 2, "C": 0, "D": 0}
    assert found.key_longest == 1.0
    assert found.middle_value == 0.5
    assert found.coverage[0].share == 0.5
    assert found.thirds == (2, 0, 0)
    assert found.letters_p is None


def test_that_richness_is_the_mean_of_three_ranks():
    # Mid-ranks of three: 1/6, 3/6, 5/6.
    found = richness({
        "a": Sizes(letters=100, pages=1, images=0), "b": Sizes(letters=200, pages=9, images=2),
        "c": Sizes(letters=9000, pages=5, images=30),
    })  # fmt: skip
    assert [found[name].score for name in "abc"] == pytest.approx([1 / 6, (3 + 5 + 3) / 18, (5 + 3 + 5) / 18])
    assert [found[name].level for name in "abc"] == [Level.LOW, Level.MEDIUM, Level.HIGH]
    assert [found[name].is_high_by_anchor for name in "abc"] == [False, False, True]


@pytest.mark.parametrize(
    ("answer", "cited", "markdown", "on_pictures", "expected"),
    [
        ("B", (1,), QUOTE, "", None),
        (INSUFFICIENT, (), "Downtime fell.", "", ErrorType.MISSING),
        ("A", (3,), "Downtime was 6.1 hours.", "", ErrorType.VALUE),
        (INSUFFICIENT, (), "Downtime fell.", "from 14.6 hours", ErrorType.EXTRACTION),
        ("", (), "Downtime fell.", "", ErrorType.OTHER),
    ],
)
def test_what_a_wrong_answer_looks_like(answer, cited, markdown, on_pictures, expected):
    assert presort(SOUND, answer, cited=cited, markdown=markdown, on_pictures=on_pictures) is expected


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 100_000 + "\n" + "[" * 100_000])
def test_that_json_nested_without_end_is_refused_as_no_json(text):
    with pytest.raises(BadInput, match="is no JSON"):
        read_banks(text, "deep.json")
