from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.gui.author.trial_window import TrialWindow
from studio.gui.background import Background
from studio.gui.main_window import MainWindow
from studio.gui.pages.author import AuthorPage
from studio.gui.projects import studio_services
from studio.model.checklists import ItemAnswer
from tests.trials import AUTHOR, code_item, question, script, trial_project


@pytest.fixture
def study(tmp_path):
    project = trial_project(tmp_path)
    question(project)
    code_item(project, min_count=3, max_count=6)
    project.close()
    return tmp_path


@pytest.fixture
def window(qtbot, app_theme, settings):
    settings.set("profile_name", AUTHOR)
    made = MainWindow(
        settings=settings, theme=app_theme, background=Background(), services=studio_services(),
        page_classes=[AuthorPage],
    )  # fmt: skip
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    made.activateWindow()
    yield made
    made.close()


def opened(qtbot, window, folder) -> AuthorPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder / "study", page="author")
    page = window.page("author")
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.tabs)
    qtbot.waitUntil(lambda: page.items.rows.rowCount() == 2)
    return page


def tried(qtbot, window, page, row: int) -> TrialWindow:
    page.items.table.setFocus()
    page.items.table.selectRow(row)
    assert window.shortcuts.trigger("author.try")
    qtbot.waitUntil(lambda: page.items.trial is not None and page.items.trial.view is not None)
    return page.items.trial


def test_that_a_judge_is_asked_about_three_decks_and_the_author_answers_by_key(qtbot, window, study):
    page = opened(qtbot, window, study)
    trial = tried(qtbot, window, page, 1)
    assert [row.deck for row in trial.rows.rows()] == ["Aster", "Birch", "Cedar"]
    judge = script(study)
    trial.judge.lineEdit().selectAll()
    QTest.keyClicks(trial.judge.lineEdit(), judge)
    with qtbot.waitSignal(trial.ended):
        QTest.keyClick(trial.judge.lineEdit(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: trial.view.judges == (judge,))
    assert trial.outcome.text() == "3 ok"
    assert {row.replies[judge].answer for row in trial.rows.rows()} == {ItemAnswer.NO}
    assert "five colours" in trial.reasons.toPlainText()
    assert "slide 2" in trial.reasons.toPlainText()
    trial.table.setFocus()
    trial.table.selectRow(1)
    QTest.keyClick(trial.table, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: trial.rows.row(1).mine is ItemAnswer.YES)
    QTest.keyClick(trial.table, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: trial.rows.row(1).mine is None)


def test_that_code_answers_code_items_with_its_reason(qtbot, window, study):
    page = opened(qtbot, window, study)
    trial = tried(qtbot, window, page, 0)
    assert not trial.judge.isVisible()
    with qtbot.waitSignal(trial.ended):
        trial.ask_button.click()
    qtbot.waitUntil(lambda: trial.view.judges == ("code",))
    assert "too few for 3 to 6" in trial.reasons.toPlainText()


def test_that_a_judge_that_cannot_be_asked_is_said_in_a_line(qtbot, window, study, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    page = opened(qtbot, window, study)
    trial = tried(qtbot, window, page, 1)
    trial.judge.setEditText("nobody:x")
    trial.ask_button.click()
    assert "There is no judge nobody:x" in trial.outcome.text()
    trial.judge.setEditText("scripted:/nowhere.json")
    with qtbot.waitSignal(trial.ended):
        trial.ask_button.click()
    assert "nowhere.json" in trial.outcome.text()


def test_that_decks_can_be_ticked_and_the_window_closes_with_the_project(qtbot, window, study):
    page = opened(qtbot, window, study)
    trial = tried(qtbot, window, page, 1)
    trial.decks.setFocus()
    trial.decks.setCurrentRow(4)
    with qtbot.waitSignal(trial.loaded):
        QTest.keyClick(trial.decks, Qt.Key.Key_Space)
    assert [row.instance for row in trial.rows.rows()][-1] == "Roofs"
    for row in range(5):
        trial.decks.setCurrentRow(row)
        if trial.decks.item(row).checkState() == Qt.CheckState.Checked:
            QTest.keyClick(trial.decks, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: trial.body.currentWidget() is trial.none)
    window.close_project()
    assert page.items.trial is None
