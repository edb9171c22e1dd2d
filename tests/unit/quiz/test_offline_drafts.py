"""Drafting without a model: every draft is sound by the checks, keys are spread, and quotes are verbatim."""

from __future__ import annotations

from collections import Counter

import pytest

from studio.model.quiz import QuestionOrigin, QuestionState, QuizBank
from studio.quiz.checks import Severity, check_bank
from studio.quiz.drafting import draft
from studio.quiz.quotes import QuoteFinder
from studio.quiz.values import quantities_in
from tests.unit.quiz.quiz_texts import HOUSEHOLDS, STATIONS, source


@pytest.mark.parametrize("text", [STATIONS, HOUSEHOLDS])
def test_that_drafts_pass_the_checks_of_code(text):
    found = draft(source(text), count=20, seed=1).questions
    bank = QuizBank(id="b", instance_id="i", questions=found)
    errors = [each for each in check_bank(bank, QuoteFinder(source(text))) if each.severity is Severity.ERROR]
    assert len(found) >= 7
    assert errors == []


@pytest.mark.parametrize("text", [STATIONS, HOUSEHOLDS])
def test_that_a_draft_asks_after_a_number_of_its_quote_and_needs_a_person(text):
    for each in draft(source(text), count=20, seed=1).questions:
        assert each.source_quote in text
        assert each.origin is QuestionOrigin.OFFLINE
        assert each.state is QuestionState.DRAFT
        assert "person must read it" in each.note
        assert all(quantities_in(words)[1] for words in each.options.values())
        assert len(set(each.options.values())) == 4


def test_that_wrong_options_do_not_stand_in_the_same_sentence():
    for each in draft(source(STATIONS), count=20, seed=4).questions:
        wrong = [words for letter, words in each.options.items() if letter != each.answer]
        assert not any(words in each.source_quote for words in wrong)


def test_that_the_same_seed_gives_the_same_drafts():
    assert draft(source(STATIONS), count=8, seed=3) == draft(source(STATIONS), count=8, seed=3)
    assert draft(source(STATIONS), count=8, seed=3) != draft(source(STATIONS), count=8, seed=4)


def test_that_keys_are_spread_over_the_letters():
    letters = Counter(each.answer for each in draft(source(STATIONS), count=8, seed=1).questions)
    assert set(letters) == set("ABCD")
    assert max(letters.values()) <= 3


@pytest.mark.parametrize(
    "text",
    [
        "See Figure 3 and Table 12 of the report for all the details of this method.",
        "The call took place on 12/05/2021 at 14:30 in the small room upstairs.",
        "Smith et al. [12] describe the whole procedure of the model H100 at length.",
        "| Year | 1,200 | 3,400 | and some other words in this row of the table |",
        "There is no number in this sentence about stations and sensors at all.",
    ],
)
def test_that_names_dates_and_table_rows_are_no_facts(text):
    assert draft(source(text + "\n\n" + text.replace("small", "large")), count=5, seed=1).facts == 0


def test_that_a_source_with_too_few_numbers_says_so():
    found = draft(source("The network has 1,240 stations in all of the large basin."), count=5, seed=1)
    assert (found.facts, found.without_options, found.questions) == (1, 1, ())
