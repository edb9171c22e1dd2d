"""The page of question banks, driven by keyboard: evidence, editing, accepting, results and errors."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import quiz_banks, quiz_run
from studio.gui.pages.quiz import QuizPage
from studio.model.quiz import Condition, ErrorType, QuestionState
from studio.store import quiz_answers
from tests.gui.studies import window_of
from tests.quiz_projects import deck, long_source, quiz_project

PERSON = "Ada Example (invented)"
ZH = (
    "# 报告\n\n2023年全国共有1.2亿户家庭使用该服务，比上年增长8.5%。"
    "平均每户每月用电320度，电费约为180元，比上月多15元。\n"
)


@pytest.fixture
def study(tmp_path):
    slides = [("Report", ["In district 101 the bridge counted 1,110 visits, as it was open longer."])]
    aster = deck(tmp_path / "aster.pptx", slides)
    sources = {"topic-1": long_source(2), "很长的中文名称" * 6: ZH}
    project = quiz_project(tmp_path / "study", tmp_path / "material", sources, {"Aster": aster})
    quiz_banks.draft_banks(project, instance="topic-1", count=6, seed=1)
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    settings.set("profile_name", PERSON)
    with window_of(app_theme, settings, QuizPage) as made:
        yield made


def opened(qtbot, window, folder) -> QuizPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="quiz")
    page = window.page("quiz")
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.tabs, timeout=20_000)
    return page


def bank(page):
    return next(each for each in quiz_banks.list_banks(page._context.project) if each.questions)


def states(page) -> list[QuestionState]:
    return [each.state for each in bank(page).questions]


def test_that_the_quote_of_a_question_is_highlighted_in_its_source(qtbot, window, study):
    page = opened(qtbot, window, study)
    question = bank(page).questions[0]
    evidence = page.questions.evidence
    marked = evidence.text.extraSelections()
    assert [" ".join(each.cursor.selectedText().split()) for each in marked] == [
        " ".join(question.source_quote.split())
    ]
    assert "word for word" in evidence.message.text()
    assert evidence.head.facts_label.text().endswith("pages asked")


def test_that_keys_accept_and_reject_and_go_to_the_next_draft(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.questions.table.setFocus()
    QTest.keyClick(page.questions.table, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: states(page)[0] is QuestionState.ACCEPTED)
    qtbot.waitUntil(lambda: page.questions.table.currentIndex().row() == 1)
    QTest.keyClick(page.questions.table, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: states(page)[1] is QuestionState.REJECTED)
    accepted = bank(page).questions[0]
    assert (accepted.verified_by, bool(accepted.verified_at)) == (PERSON, True)
    assert window.shortcuts.trigger("quiz.undo")
    qtbot.waitUntil(lambda: states(page)[1] is QuestionState.DRAFT)


def test_that_an_edit_is_stored_and_makes_an_accepted_question_a_draft_again(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.questions.accept()
    qtbot.waitUntil(lambda: states(page)[0] is QuestionState.ACCEPTED)
    page.questions.table.selectRow(0)
    QTest.keyClicks(page.questions.editor.words, "Really? ")
    page.questions.save()
    qtbot.waitUntil(lambda: "Really?" in bank(page).questions[0].question)
    assert (states(page)[0], bank(page).questions[0].verified_by) == (QuestionState.DRAFT, "")


def test_that_a_question_whose_quote_is_nowhere_is_not_accepted(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.questions.editor.quote.setPlainText("These words stand nowhere in the whole report.")
    page.questions.save()
    qtbot.waitUntil(lambda: "nowhere" in bank(page).questions[0].source_quote)
    qtbot.waitUntil(lambda: "no source, word for word" in page.questions.editor.hints.text())
    page.questions.accept()
    qtbot.waitUntil(lambda: not page.writes.is_busy)
    assert states(page)[0] is QuestionState.DRAFT


def test_that_a_new_question_takes_its_quote_from_the_source(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert window.shortcuts.trigger("quiz.add")
    QTest.keyClicks(page.questions.editor.words, "Why so many visits?")
    evidence = page.questions.evidence
    evidence.pages.setCurrentIndex(1)
    evidence.text.selectAll()
    evidence.take.click()
    page.questions.save()
    qtbot.waitUntil(lambda: "Why so many visits?" in [each.question for each in bank(page).questions])
    made = next(each for each in bank(page).questions if each.question == "Why so many visits?")
    assert (made.page, made.source) == (2, "report.md")
    assert "district" in made.source_quote


def test_that_an_instance_without_questions_offers_to_draft_some(qtbot, window, study):
    page = opened(qtbot, window, study)
    other = next(each for each in page.view.instances if each.id not in page.view.counts)
    page.go_to(instance=str(other.id))
    qtbot.waitUntil(lambda: page.view.instance.id == other.id)
    assert page.questions.left.currentWidget() is page.questions.empty
    QTest.mouseClick(page.questions.empty.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.questions.rows.rowCount() > 0, timeout=20_000)


def test_that_results_and_errors_show_what_a_reader_answered(qtbot, window, study):
    page = opened(qtbot, window, study)
    quiz_run.run_offline(
        page._context.project, condition=Condition.SLIDES, tools=None, emit=lambda event: None,
        cancel=threading.Event(),
    )  # fmt: skip
    page.tabs.setCurrentWidget(page.results)
    qtbot.waitUntil(lambda: page.results.view is not None, timeout=20_000)
    row = page.results.tables["system"][1].row(0)
    assert (row.system, row.n_questions, row.n_decks) == ("Aster", 6, 1)
    assert "questions really asked" in page.results.rule.text()
    page.results.show_table("composite")
    assert "not the paper's" in page.results.rule.text()
    page.tabs.setCurrentWidget(page.errors)
    wrong = page.errors.rows.rowCount()
    assert wrong >= 5
    page.errors.table.setFocus()
    QTest.keyClick(page.errors.table, Qt.Key.Key_4)
    qtbot.waitUntil(
        lambda: [each.error_type for each in quiz_answers.audits(page._context.project)] == [ErrorType.OTHER]
    )
    assert quiz_answers.audits(page._context.project)[0].audited_by == PERSON
    qtbot.waitUntil(lambda: any(each.answered.is_audited for each in page.errors.rows.rows()))


def test_that_the_audit_lists_every_instance(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.tabs.setCurrentWidget(page.audit)
    qtbot.waitUntil(lambda: page.audit.rows.rowCount() == 2, timeout=20_000)
    assert "Keys:" in page.audit.facts.text()
