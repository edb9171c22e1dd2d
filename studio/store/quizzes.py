"""Question banks in the database: a journal of banks and questions (decision 37)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from studio.model.ids import InstanceId
from studio.model.quiz import Question, QuestionOrigin, QuestionState, QuestionType, QuizBank
from studio.store.act_journal import ActJournal, Record
from studio.store.project import Project
from studio.store.values import plain


class QuizRecordKind(StrEnum):
    """What a record is about."""

    BANK = "bank"
    QUESTION = "question"


journal = ActJournal(name="quiz", subject="question banks")


def list_banks(project: Project) -> list[QuizBank]:
    """Return the banks of instances that are not removed, with their questions in the order of first writing."""
    removed = {row["id"] for row in project.reading().query("SELECT id FROM removed")}
    questions: dict[str, list[Question]] = {}
    for record in journal.current(project, QuizRecordKind.QUESTION):
        questions.setdefault(record.scope, []).append(_question(record))
    return [
        replace(_bank(record), questions=tuple(questions.get(record.key, ())))
        for record in journal.current(project, QuizRecordKind.BANK)
        if record.scope not in removed
    ]


def key_of(bank_id: str, question_id: str) -> str:
    """Return the key under which a question is kept; ids of questions are unique within their bank only."""
    return f"{bank_id}/{question_id}"


def bank_record(bank: QuizBank) -> Record:
    """Return a bank as its record, without its questions."""
    state: dict[str, Any] = {
        "instance_id": bank.instance_id, "title": bank.title, "difficulty": bank.difficulty, "version": bank.version,
        "made_with": bank.made_with,
    }  # fmt: skip
    return Record(kind=QuizRecordKind.BANK, key=bank.id, scope=bank.instance_id, state=state)


def question_record(bank_id: str, question: Question) -> Record:
    """Return a question as its record."""
    return Record(kind=QuizRecordKind.QUESTION, key=key_of(bank_id, question.id), scope=bank_id, state=plain(question))


def save(
    project: Project, bank: QuizBank, questions: Sequence[Question], *, verb: str, words: str, author: str
) -> QuizBank:
    """Store questions of a bank as one act and return the bank; its version rises if what is asked changed.

    Args:
        project: open for writing.
        bank: as it stands; kept as it is where it is new.
        questions: new ones, and new states of known ones.
        verb: such as ``draft``, ``accept``, ``edit``.
        words: for people.
        author: who did it.
    """
    known = {each.id: each for each in bank.questions}
    after = replace(bank, questions=tuple({**known, **{each.id: each for each in questions}}.values()))
    is_known = any(each.id == bank.id for each in list_banks(project))
    if is_known and asked_of(after) != asked_of(bank):
        after = replace(after, version=bank.version + 1)
    records = [bank_record(after), *(question_record(bank.id, each) for each in questions)]
    journal.write(project, records, verb=verb, words=words, author=author)
    return after


def asked_of(bank: QuizBank) -> frozenset[str]:
    """Return what a bank asks, so that two states of it can be compared."""
    return frozenset(asked_words(each) for each in bank.asked)


def asked_words(question: Question) -> str:
    """Return all of a question that a reader is asked and held to."""
    options = "\n".join(f"{letter}: {words}" for letter, words in sorted(question.options.items()))
    return f"{question.id}\n{question.question}\n{options}\n{question.answer}"


def _bank(record: Record) -> QuizBank:
    state: Any = record.state
    return QuizBank(
        id=record.key, instance_id=InstanceId(state["instance_id"]), title=state["title"],
        difficulty=state["difficulty"], version=state["version"], made_with=state["made_with"],
    )  # fmt: skip


def _question(record: Record) -> Question:
    state: Any = dict(record.state or {})
    return Question(
        **{
            **state, "type": QuestionType(state["type"]), "state": QuestionState(state["state"]),
            "origin": QuestionOrigin(state["origin"]),
        }
    )  # fmt: skip
