"""Accuracies by hand, their denominators, errors and comparisons, and the composite."""

from __future__ import annotations

import pytest

from studio.actions.quiz_results import (
    Answered,
    accuracy_rows,
    chance_test,
    compare_backends,
    error_shares,
    generation_accuracy,
)
from studio.model.ids import DeckId, InstanceId
from studio.model.quiz import INSUFFICIENT, Condition, ErrorType, QuestionType, QuizAnswer


def said(
    deck: str, question: int, answer: str, *, reader: str = "offline", error: ErrorType | None = None,
    condition: Condition = Condition.SLIDES, system: str = "Aster", instance: str = "one",
) -> Answered:  # fmt: skip
    made = QuizAnswer(
        bank_id=f"bank {instance}", bank_version=1, question_id=f"q{question}",
        type=QuestionType.DATA if question % 2 else QuestionType.CONCEPT, instance_id=InstanceId(instance),
        deck_id=DeckId(deck), reader=reader, condition=condition, answer=answer, key="A", text_from=reader,
    )  # fmt: skip
    return Answered(answer=made, instance=instance, system=system, scenario="teaching", difficulty="low",
                    error=None if answer == "A" else error or ErrorType.MISSING)  # fmt: skip


def test_that_the_denominator_is_what_was_asked_and_decks_weigh_the_same():
    # 2 of 2 about the first deck, 1 of 4 about the second: the mean of 1 and 0.25, not 3 of 6.
    answered = [said("d1", n, "A") for n in (1, 2)]
    answered += [said("d2", 1, "A"), said("d2", 2, "B"), said("d2", 3, INSUFFICIENT), said("d2", 4, "")]
    row = accuracy_rows(answered, ["system"])[0]
    assert (row.accuracy, row.n_questions, row.n_decks, row.correct, row.insufficient) == (0.625, 6, 2, 3, 1)
    assert (row.ci_low, row.ci_high) == (0.25, 1.0)
    assert row.is_optimistic


def test_that_groups_are_apart():
    answered = [said("d1", n, "A") for n in range(4)] + [said("d2", n, "B", system="Birch") for n in range(4)]
    by_system = {row.system: row.accuracy for row in accuracy_rows(answered, ["system"])}
    by_type = {row.type: (row.accuracy, row.n_questions) for row in accuracy_rows(answered, ["type"])}
    assert by_system == {"Aster": 1.0, "Birch": 0.0}
    assert by_type == {"concept": (0.5, 4), "data": (0.5, 4)}


def test_that_a_closed_book_has_no_systems_and_is_compared_with_chance():
    answered = [said("", n, "A" if n % 4 == 0 else "C", condition=Condition.CLOSED_BOOK, system="") for n in range(20)]
    assert accuracy_rows(answered, ["system", "deck"]) == []
    found = chance_test(answered, reader="offline")
    assert (found["accuracy"], found["n"], found["p"]) == (0.25, 20, pytest.approx(1.0))


def test_that_error_shares_are_of_the_wrong_answers():
    answered = [said("d1", 1, "A"), said("d1", 2, "B", error=ErrorType.VALUE), said("d1", 3, INSUFFICIENT),
                said("d1", 4, INSUFFICIENT)]  # fmt: skip
    shares = {each.error_type: (each.n, each.share) for each in error_shares(answered)}
    assert shares["missing_content"] == (2, pytest.approx(2 / 3))
    assert shares["value_mismatch"] == (1, pytest.approx(1 / 3))
    assert shares["extraction_failure"] == (0, 0.0)


def test_that_readers_are_compared_on_what_both_were_asked():
    # Both right: 2; both wrong: 1; apart: 1. Observed 3/4, expected 0.75 * 0.5 + 0.25 * 0.5 = 0.5, so kappa 0.5.
    first = [said("d1", n, answer, reader="m:1") for n, answer in enumerate("AAAB")]
    second = [said("d1", n, answer, reader="m:2") for n, answer in enumerate("AABCA")]
    found = compare_backends([*first, *second])[0]
    assert (found.n, found.first_accuracy, found.second_accuracy, found.same_answer) == (4, 0.75, 0.5, 0.5)
    assert found.kappa == pytest.approx(0.5)


def test_that_extraction_failures_can_be_left_out():
    # 2 of 4 right; one of the wrong ones was lost in reading, so 2 of 3 of what was read.
    answered = [said("d1", 1, "A"), said("d1", 2, "A"), said("d1", 3, INSUFFICIENT, error=ErrorType.EXTRACTION),
                said("d1", 4, INSUFFICIENT)]  # fmt: skip
    found = generation_accuracy(answered, reader="offline")
    assert found == {"as_read": 0.5, "without_extraction_failures": pytest.approx(2 / 3)}
    # A second deck with no right answer to its one question weighs as much as the first: (2/4 + 0)/2 and (2/3 + 0)/2.
    found = generation_accuracy([*answered, said("d2", 1, "B")], reader="offline")
    assert found == {"as_read": 0.25, "without_extraction_failures": pytest.approx(1 / 3)}
