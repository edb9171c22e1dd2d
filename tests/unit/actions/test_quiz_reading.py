"""A model reads slides and then answers: two stages, each asked once, stored with where the words came from."""

from __future__ import annotations

import csv
import threading
from pathlib import Path

import pymupdf
import pytest

from studio.actions import decks as deck_actions
from studio.actions import quiz_reading, quiz_results, quiz_run, review, tables
from studio.actions.review import CaseState
from studio.actions.review_evidence import open_case
from studio.decks.render import find_tools
from studio.judges.connect import read_setup
from studio.model.judging_options import ShownAs
from studio.model.quiz import Condition, ErrorType, Question, QuestionState, QuestionType, QuizBank
from studio.model.reviews import CaseKind, Decision
from studio.store import decks as deck_store
from studio.store import quiz_answers, quizzes
from studio.store import scores as score_store
from studio.store.project import Project
from tests.fake_judge_server import KEY, FakeJudgeServer
from tests.projects import instance_named, make_project
from tests.quiz_model import QuizModel

QUESTIONS = tuple(
    Question(id=f"q{n}", type=kind, question=f"How many, {n}?", answer=answer, state=QuestionState.ACCEPTED,
             options={"A": "one", "B": "two", "C": "three", "D": "four"}, source_quote="The answer is two.")
    for n, (kind, answer) in enumerate(
        [(QuestionType.DATA, "A"), (QuestionType.DATA, "B"), (QuestionType.CONCEPT, "A")], start=1)
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    made = make_project(tmp_path / "study", instances=1, systems=("Aster", "Birch"))
    bank = QuizBank(id="bank_1", instance_id=instance_named(made, "topic-1"), title="Topic")
    quizzes.save(made, bank, QUESTIONS, verb="add", words="Added", author="Ada")
    yield made
    made.close()


def read(project: Project, server: FakeJudgeServer, **more):
    setup = read_setup("openai:reader", base_url=server.openai_url)
    return quiz_reading.run_reader(
        project, setup, input=ShownAs.TEXT, tools=None, emit=lambda event: None, cancel=threading.Event(), **more
    )


def test_that_slides_are_described_once_and_each_deck_is_answered_about(project):
    model = QuizModel()
    with FakeJudgeServer(answer=model) as server:
        asking, stopped, _ = read(project, server)
        again, _, _ = read(project, server)
    assert (stopped, asking.calls, again.calls) == ("", 4, 0)
    assert model.phases == {"describe": 2, "answers": 2}
    deck = deck_store.list_decks(project)[0].id
    assert "The answer is two" in (quiz_answers.slide_text(project, deck, "openai:reader") or "")
    found = quiz_run.current_answers(project, condition=Condition.SLIDES)
    assert {(each.reader, each.text_from, each.answer) for each in found} == {("openai:reader", "openai:reader", "A")}
    assert len(found) == 6


def test_that_accuracies_are_scores_by_deck_and_type(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        read(project, server)
    scores = {
        (each.metric, each.value, each.detail["asked"]) for each in score_store.current_scores(project)
    }  # fmt: skip
    assert scores == {
        ("openai:reader/quizbank", 2 / 3, 3), ("openai:reader/quizbank.data", 0.5, 2),
        ("openai:reader/quizbank.concept", 1.0, 1),
    }  # fmt: skip


def test_that_a_wrong_letter_with_a_cited_slide_looks_like_a_value_mismatch_and_a_person_overrules(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        read(project, server)
    wrong = [each for each in quiz_results.gather(project) if each.error is not None]
    assert {each.error for each in wrong} == {ErrorType.VALUE}
    answer = wrong[0].answer
    decided = quiz_results.AuditedError(
        deck_id=answer.deck_id, bank_id=answer.bank_id, question_id=answer.question_id, reader=answer.reader,
        error_type=ErrorType.OTHER, audited_by="Ada", topic="counting",
    )  # fmt: skip
    quiz_results.audit_errors(project, [decided])
    after = {each.answer.deck_id: (each.error, each.topic) for each in quiz_results.gather(project) if each.error}
    assert after[answer.deck_id] == (ErrorType.OTHER, "counting")


def test_that_a_question_that_was_edited_is_not_answered_any_more(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        read(project, server)
    bank = quizzes.list_banks(project)[0]
    changed = bank.questions[0].__class__(**{**bank.questions[0].__dict__, "question": "How many are there?"})
    saved = quizzes.save(project, bank, [changed], verb="edit", words="Edited", author="Ada")
    assert saved.version == bank.version + 1
    assert {each.question_id for each in quiz_run.current_answers(project)} == {"q2", "q3"}


def case_of(project: Project, place: int = 0):
    found = [each for each in review.read_desk(project).entries if each.case.kind is CaseKind.QUIZ]
    return found[place], len(found)


def exported(project: Project, tmp_path: Path) -> list[dict[str, str]]:
    path = tmp_path / "quiz.csv"
    tables.export_table(project, "quiz", out=path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_that_a_wrong_answer_is_decided_on_the_review_desk_and_counts_in_results_and_the_table(project, tmp_path):
    with FakeJudgeServer(answer=QuizModel()) as server:
        read(project, server)
    entry, n = case_of(project)
    assert (n, entry.case.text, entry.case.group, entry.state) == (2, "How many, 2?", "data", CaseState.OPEN)
    opened = open_case(project, entry, is_blind=False)
    sides = {side.says: side.statements for side in opened.sides}
    assert sides["correct"][0].quotes[0].quote == "The answer is two."
    assert (sides["wrong"][0].who, sides["wrong"][0].words[:11]) == ("openai:reader", "Chose A one")
    rae = review.reviewer_named(project, "Rae").id
    review.decide(project, entry.case, Decision.WRONG, reviewer=rae, error_type="extraction_failure")
    wrong = {each.answer.deck_id: each for each in quiz_results.gather(project) if each.error}
    mine = wrong[entry.case.deck_id]
    assert (mine.error, mine.is_audited) == (ErrorType.EXTRACTION, True)
    rows = [row for row in exported(project, tmp_path) if row["audited_by"]]
    assert [(row["error_type"], row["audited_by"], row["deck_id"]) for row in rows] == [
        ("extraction_failure", "Rae", entry.case.deck_id)
    ]
    assert review.read_desk(project).entry(entry.case.id).state is CaseState.DECIDED
    review.undo(project, reviewer=rae)
    assert not any(each.is_audited for each in quiz_results.gather(project))


def test_that_what_was_decided_among_the_errors_is_decided_on_the_review_desk(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        read(project, server)
    entry, _ = case_of(project)
    answer = next(each.answer for each in quiz_results.gather(project) if each.error)
    assert answer.deck_id in {entry.case.deck_id, case_of(project, 1)[0].case.deck_id}
    quiz_results.audit_errors(project, [
        quiz_results.AuditedError(
            deck_id=answer.deck_id, bank_id=answer.bank_id, question_id=answer.question_id, reader=answer.reader,
            error_type=ErrorType.MISSING, audited_by="Ada", topic="counting",
        )
    ])  # fmt: skip
    states = sorted(each.state for each in review.read_desk(project).entries if each.case.kind is CaseKind.QUIZ)
    assert states == [CaseState.DECIDED, CaseState.OPEN]
    assert [each.topic for each in quiz_results.gather(project) if each.is_audited] == ["counting"]


@pytest.mark.parametrize(
    ("decision", "error"),
    [(Decision.WRONG, ErrorType.VALUE), (Decision.CORRECT, ErrorType.OTHER), (Decision.CANNOT_TELL, None)],
)
def test_that_a_decision_without_a_type_takes_what_the_answer_looks_like(project, decision, error):
    with FakeJudgeServer(answer=QuizModel()) as server:
        read(project, server)
    entry, _ = case_of(project)
    review.decide(project, entry.case, decision, reviewer=review.reviewer_named(project, "Rae").id)
    assert [each.error_type for each in quiz_answers.audits(project)] == ([error] if error else [])


def test_that_a_vision_model_is_sent_the_picture_of_every_slide(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    pdf = tmp_path / "deck.pdf"
    made = pymupdf.open()
    for words in ("The answer is two", "Nothing else"):
        made.new_page(width=480, height=270).insert_text((40, 80), words)
    made.save(pdf)
    pictures: list[int] = []
    model = QuizModel()

    def answer(call):
        pictures.append(len(set(call.images)))
        return model(call)

    with Project.create(tmp_path / "pictured", title="Pictured") as project:
        material = tmp_path / "material" / "topic-1" / "decks"
        material.mkdir(parents=True)
        (material / "Aster.pdf").write_bytes(pdf.read_bytes())
        deck_actions.import_paths(
            project, [tmp_path / "material"], layout="folders", emit=lambda event: None, cancel=threading.Event()
        )
        bank = QuizBank(id="bank_1", instance_id=instance_named(project, "topic-1"), title="Topic")
        quizzes.save(project, bank, QUESTIONS, verb="add", words="Added", author="Ada")
        with FakeJudgeServer(answer=answer) as server:
            _, stopped, _ = quiz_reading.run_reader(
                project, read_setup("openai:reader", base_url=server.openai_url), tools=find_tools(),
                emit=lambda event: None, cancel=threading.Event(),
            )  # fmt: skip
        assert (stopped, pictures, dict(model.phases)) == ("", [2, 0], {"describe": 1, "answers": 1})
        assert len(quiz_run.current_answers(project, condition=Condition.SLIDES)) == 3
