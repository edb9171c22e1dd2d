"""What readers answered, the texts of slides that they had, and what people said of wrong answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from studio.model.ids import DeckId, InstanceId
from studio.model.quiz import AuditedError, Condition, ErrorType, QuestionType, QuizAnswer
from studio.model.reviews import CaseId, Decision, QuizCase, quiz_case_id
from studio.store import people, reviews
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

_CURRENT = """SELECT a.* FROM quiz_answers a JOIN (
    SELECT max(id) AS id FROM quiz_answers GROUP BY reader, condition, text_from, bank_id, deck_id, question_id) newest
    ON newest.id = a.id LEFT JOIN decks d ON d.id = a.deck_id
    WHERE (a.deck_id = '' OR (coalesce(d.asset, '') = a.asset AND a.deck_id NOT IN (SELECT id FROM hidden_decks)))
    ORDER BY a.id"""


def append_answers(project: Project, answers: Sequence[QuizAnswer], *, unit_key: str, asset: str = "") -> None:
    """Store answers; earlier ones of the same reader to the same question about the same deck stay as history.

    Args:
        project: open for writing.
        answers: of one unit.
        unit_key: of the unit.
        asset: hash of the deck's file that they are about; empty without a deck.
    """
    at = utc_now()
    with project.writing() as db:
        db.conn.executemany(
            "INSERT INTO quiz_answers (run_id, unit_key, bank_id, bank_version, question_id, question_key, type, "
            "instance_id, deck_id, asset, reader, condition, text_from, answer, key, cited, reason, presort, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    each.run_id, unit_key, each.bank_id, each.bank_version, each.question_id, each.question_key,
                    each.type.value, each.instance_id, each.deck_id, asset, each.reader, each.condition.value,
                    each.text_from, each.answer, each.key, to_json(each.cited_slides), each.reason,
                    each.presort.value if each.presort else "", at,
                )
                for each in answers
            ],
        )  # fmt: skip


def current_answers(project: Project) -> list[QuizAnswer]:
    """Return the newest answer of each reader to each question about each deck.

    Those about another file that a deck had, and about removed decks, are left out. Whether the question is still the
    one that was asked, `QuizAnswer.question_key` says.
    """
    return [_answer(row) for row in project.reading().query(_CURRENT)]


def answered_units(project: Project) -> set[tuple[str, DeckId]]:
    """Return the keys of units whose answers are stored, with the deck that each stands on."""
    rows = project.reading().query("SELECT DISTINCT unit_key, deck_id FROM quiz_answers")
    return {(row["unit_key"], DeckId(row["deck_id"])) for row in rows}


def append_text(project: Project, deck_id: DeckId, markdown: str, *, text_from: str, unit_key: str) -> None:
    """Store what a deck's slides say, as somebody read them."""
    with project.writing() as db:
        db.execute(
            "INSERT INTO quiz_slide_texts (unit_key, deck_id, text_from, markdown, at) VALUES (?, ?, ?, ?, ?)",
            [unit_key, deck_id, text_from, markdown, utc_now()],
        )


def slide_text(project: Project, deck_id: DeckId, text_from: str) -> str | None:
    """Return the newest Markdown of a deck by this reader; None if there is none."""
    row = (
        project.reading()
        .execute(
            "SELECT markdown FROM quiz_slide_texts WHERE deck_id = ? AND text_from = ? ORDER BY id DESC LIMIT 1",
            [deck_id, text_from],
        )
        .fetchone()
    )
    return str(row[0]) if row else None


def append_audit(project: Project, audit: AuditedError) -> None:
    """Store what a person decided about a wrong answer; an earlier decision stays as history."""
    with project.writing(is_durable=True) as db:
        db.execute(
            "INSERT INTO quiz_audits (deck_id, bank_id, question_id, reader, error_type, topic, note, audited_by, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                audit.deck_id, audit.bank_id, audit.question_id, audit.reader, audit.error_type.value, audit.topic,
                audit.note, audit.audited_by, audit.at or utc_now(),
            ],
        )  # fmt: skip


def audits(project: Project) -> list[AuditedError]:
    """Return what people decided about wrong answers, the newest decision about each.

    A decision of the review desk is one: its type of error where it has one, else what the answer looks like to code;
    where the reviewer holds the answer to be correct, the fault is the question's, and the type is "other". A decision
    that was taken back, that cannot tell, or that is about another file of the deck, is none.
    """
    listed = {
        quiz_case_id(
            QuizCase(deck_id=each.deck_id, bank_id=each.bank_id, question_id=each.question_id, reader=each.reader)
        ): each
        for each in _stored_audits(project)
    }  # fmt: skip
    rows = project.reading().query("SELECT DISTINCT case_id FROM review_records WHERE case_id LIKE 'quiz:%'")
    reviewed = {CaseId(row["case_id"]) for row in rows}
    if not reviewed:
        return list(listed.values())
    found = {case_id: each for case_id, each in listed.items() if case_id not in reviewed}
    found |= {case_id: each for case_id, each in _of_reviews(project, listed)}
    return list(found.values())


def _of_reviews(project: Project, listed: dict[CaseId, AuditedError]) -> Iterator[tuple[CaseId, AuditedError]]:
    answers = {
        quiz_case_id(
            QuizCase(deck_id=each.deck_id, bank_id=each.bank_id, question_id=each.question_id, reader=each.reader)
        ): each
        for each in current_answers(project)
        if each.condition is Condition.SLIDES
    }  # fmt: skip
    assets = {row["id"]: row["asset"] for row in project.reading().query("SELECT id, asset FROM decks")}
    names = {person.id: person.name for person in people.list_annotators(project)}
    for case_id, review in reviews.current(project).items():
        answer = answers.get(case_id)
        counts = all(deck in assets and assets[deck] == asset for deck, asset in review.assets.items())
        if answer is None or not counts or review.decision is Decision.CANNOT_TELL:
            continue
        if review.error_type:
            kind = ErrorType(review.error_type)
        elif review.decision is Decision.CORRECT:
            kind = ErrorType.OTHER
        elif review.decision is Decision.WRONG:
            kind = answer.presort or ErrorType.OTHER
        else:
            continue
        before = listed.get(case_id)
        yield case_id, AuditedError(
            deck_id=answer.deck_id, bank_id=answer.bank_id, question_id=answer.question_id, reader=answer.reader,
            error_type=kind, audited_by=names.get(review.reviewer_id, "") if review.reviewer_id else "",
            topic=before.topic if before is not None else "", note=review.comment, at=review.at,
        )  # fmt: skip


def _stored_audits(project: Project) -> list[AuditedError]:
    return [
        AuditedError(
            deck_id=DeckId(row["deck_id"]), bank_id=row["bank_id"], question_id=row["question_id"],
            reader=row["reader"], error_type=ErrorType(row["error_type"]), topic=row["topic"], note=row["note"],
            audited_by=row["audited_by"], at=row["at"],
        )
        for row in project.reading().query(
            "SELECT * FROM quiz_audits WHERE id IN (SELECT max(id) FROM quiz_audits "
            "GROUP BY deck_id, bank_id, question_id, reader) ORDER BY id"
        )
    ]  # fmt: skip


def _answer(row: dict[str, Any]) -> QuizAnswer:
    return QuizAnswer(
        bank_id=row["bank_id"], bank_version=row["bank_version"], question_id=row["question_id"],
        type=QuestionType(row["type"]), instance_id=InstanceId(row["instance_id"]), deck_id=DeckId(row["deck_id"]),
        reader=row["reader"], condition=Condition(row["condition"]), answer=row["answer"], key=row["key"],
        cited_slides=tuple(from_json(row["cited"])), reason=row["reason"], text_from=row["text_from"],
        presort=ErrorType(row["presort"]) if row["presort"] else None, question_key=row["question_key"],
        run_id=row["run_id"], at=row["at"],
    )  # fmt: skip
