"""Wrong answers to quiz questions as cases of the review desk: what the key rests on beside what the reader saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from studio.actions.quiz_run import current_answers
from studio.actions.review_items import PEOPLE
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.quiz import INSUFFICIENT, LETTERS, Condition, Question, QuizAnswer, QuizBank
from studio.model.reviews import (
    ERROR_TYPES,
    Case,
    CaseKind,
    Decision,
    Dispute,
    DisputeKind,
    QuizCase,
    quiz_case_id,
)
from studio.store import decks as deck_store
from studio.store import quizzes
from studio.store.project import Project

WRONG_LETTER, NO_LETTER = 1.0, 0.5
"""How far a wrong letter, and an answer of no letter, stand from the key."""
Said = tuple[str, str, str, tuple[EvidenceBox, ...], tuple[SourceQuote, ...], bool]
"""Who, what, why, where on the slides, where in the sources, and whether it is a person."""


def quiz_cases(project: Project) -> list[Case]:
    """Return every wrong answer about slides that counts: one case for each deck, question and reader."""
    asked = _asked(quizzes.list_banks(project))
    there = {deck.id for deck in deck_store.list_decks(project)}
    return [
        case_of_answer(answer, asked[answer.bank_id, answer.question_id])
        for answer in current_answers(project, condition=Condition.SLIDES)
        if not answer.is_correct and answer.deck_id in there
    ]


def case_of_answer(answer: QuizAnswer, question: Question) -> Case:
    """Return the case about one wrong answer."""
    kind = DisputeKind.PEOPLE_MACHINE if question.verified_by else DisputeKind.MACHINES
    key = PEOPLE if question.verified_by else "question bank"
    size = WRONG_LETTER if answer.answer in LETTERS else NO_LETTER
    about = QuizCase(
        deck_id=answer.deck_id, bank_id=answer.bank_id, question_id=answer.question_id, reader=answer.reader
    )
    return Case(
        id=quiz_case_id(about), kind=CaseKind.QUIZ, instance_id=answer.instance_id, deck_id=answer.deck_id,
        item_id=about.item_id, text=question.question, group=question.type.value,
        disputes=(Dispute(kind=kind, who_a=key, who_b=answer.reader, size=size),),
    )  # fmt: skip


def said_about(project: Project, case: Case) -> Iterator[Said]:
    """Yield what the key and every reader say about a case: those that chose the key, and those that did not."""
    banks = quizzes.list_banks(project)
    question = _asked(banks).get(_key_of(case.item_id, banks))
    if question is None:
        return
    options = "  ".join(f"{letter} {question.options.get(letter, '')}" for letter in LETTERS)
    yield (
        question.verified_by or "question bank", Decision.CORRECT.value, f"Key {question.answer}. Options: {options}",
        (), (SourceQuote(source=question.source, page=question.page, quote=question.source_quote),),
        bool(question.verified_by),
    )  # fmt: skip
    for answer in _answers(project, case, banks):
        says = Decision.CORRECT if answer.is_correct else Decision.WRONG
        sorted_as = ERROR_TYPES[CaseKind.QUIZ][answer.presort.value] if answer.presort is not None else ""
        words = [_said(answer, question), answer.reason]
        if sorted_as and not answer.is_correct:
            words.append(f"Looks to code like: {sorted_as.lower()}")
        yield (
            answer.reader, says.value, ". ".join(part.rstrip(".") for part in words if part.strip()),
            tuple(EvidenceBox(slide=slide) for slide in answer.cited_slides), (), False,
        )  # fmt: skip


def _answers(project: Project, case: Case, banks: Iterable[QuizBank]) -> list[QuizAnswer]:
    key = _key_of(case.item_id, banks)
    found = [
        each for each in current_answers(project, condition=Condition.SLIDES)
        if each.deck_id == case.deck_id and (each.bank_id, each.question_id) == key
    ]  # fmt: skip
    # The reader whose answer is decided on first.
    return sorted(found, key=lambda each: (not case.id.endswith(f":{each.reader}"), each.reader))


def _asked(banks: Iterable[QuizBank]) -> dict[tuple[str, str], Question]:
    return {(bank.id, each.id): each for bank in banks for each in bank.asked}


def _key_of(item_id: str, banks: Iterable[QuizBank]) -> tuple[str, str]:
    bank = next((bank.id for bank in banks if item_id.startswith(f"{bank.id}/")), "")
    return bank, item_id[len(bank) + 1 :]


def _said(answer: QuizAnswer, question: Question) -> str:
    if answer.answer == INSUFFICIENT:
        return "Said that the slides do not tell"
    return f"Chose {answer.answer} {question.options.get(answer.answer, '')}" if answer.answer else "Not readable"
