from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit

from studio.actions import checklist_answers, item_trial
from studio.actions import checklists as author
from studio.actions.sessions import be_annotator
from studio.gui.author.draft_dialog import DraftDialog
from studio.gui.author.trial_window import TrialWindow
from studio.gui.pages.author import AuthorPage
from studio.gui.projects import studio_services
from studio.gui.widgets.table import SECOND_LINE_ROLE
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.checklists import ItemAnswer
from studio.sessions.checklist import Unit
from tests.gui.studies import window_of
from tests.sheets import submit_as_it_is
from tests.trials import AUTHOR, code_item, question, script, trial_project


@pytest.fixture
def study(tmp_path):
    project = trial_project(tmp_path)
    question(project)
    code_item(project, min_count=3, max_count=6)
    project.close()
    return tmp_path


@pytest.fixture
def window(app_theme, settings):
    settings.set("profile_name", AUTHOR)
    with window_of(app_theme, settings, AuthorPage) as made:
        yield made


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
    trial.judge.setEditText("openai:m-1")
    with qtbot.waitSignal(trial.ended):
        trial.ask_button.click()
    assert "openai:m-1 needs a key" in trial.outcome.text()


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


def test_that_statistics_of_answered_items_stand_on_their_tab(qtbot, window, study):
    project = studio_services().open(study / "study")
    item = next(each for each in author.list_items(project, EVERYWHERE) if each.rule is None)
    # Two people, three decks: yes/yes, no/no, yes/no. Of two decks most people say one thing: one yes.
    for person, said in (("Bo Example (invented)", "yny"), ("Cy Example (invented)", "ynn")):
        instance = item_trial.trial_decks(project, item.id)[0].instance
        sheet = checklist_answers.open_sheet(project, instance.id, be_annotator(project, person).id).sheet
        for deck, letter in zip(sheet.decks, said, strict=False):
            sheet.answer(Unit(deck, item.id), {"y": ItemAnswer.YES, "n": ItemAnswer.NO}[letter])
        submit_as_it_is(sheet)
    project.close()
    page = opened(qtbot, window, study)
    page.go_to(tab="statistics")
    tab = page.statistics
    qtbot.waitUntil(lambda: tab.found is not None and tab.body.currentWidget() is tab.table)
    row = next(each for each in tab.rows.rows() if each.item.id == item.id)
    assert (row.statistics.n, row.statistics.prevalence.value) == (2, 0.5)
    assert row.statistics.same.value == pytest.approx(2 / 3)
    texts = [tab.rows.data(tab.rows.index(1, column)) for column in range(len(tab.rows.columns))]
    assert texts[2:5] == ["2", "50.0", "66.7"]
    assert "fewer than three" in tab.rows.data(tab.rows.index(1, 6), Qt.ItemDataRole.ToolTipRole)


def test_that_a_bold_title_stands_above_its_question(qtbot, window, study):
    project = studio_services().open(study / "study")
    question(project, "\n**对比度 Contrast:** Is all text readable?\n")
    project.close()
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(study / "study", page="author")
    page = window.page("author")
    qtbot.waitUntil(lambda: page.items.rows.rowCount() == 3)
    index = page.items.rows.index(2, 1)
    assert page.items.rows.data(index) == "对比度 Contrast"
    assert page.items.rows.data(index, SECOND_LINE_ROLE) == "Is all text readable?"


def test_that_a_judge_proposes_items_that_a_person_accepts_one_by_one(qtbot, window, study):
    path = study / "draft.json"
    items = [{"dimension": "completeness", "text": f"Does the deck name {word}?"} for word in ("tides", "dams")]
    lines = [{"text": "checklist for slide decks", "reply": {"items": items}}]
    path.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), encoding="utf-8")
    page = opened(qtbot, window, study)
    instance = next(each for each in page.view.instances if each.name == "rivers")
    page.go_to(instance=str(instance.id), tab="instruction")
    tab = page.instruction
    qtbot.waitUntil(lambda: tab.body is tab.states.currentWidget())
    tab.ask_judge()
    dialog = tab.findChild(DraftDialog)
    ask = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    field = dialog.findChild(QLineEdit)
    assert not ask.isEnabled()
    with qtbot.waitSignal(dialog.priced):
        QTest.keyClicks(field, "openai")
    assert not ask.isEnabled()
    field.clear()
    with qtbot.waitSignal(dialog.priced):
        QTest.keyClicks(field, "openai:gpt-4o")
    # What it costs is said without a key: nothing is asked yet. 2.50 and 10.00 dollars for a million tokens.
    assert "2,000 out: about $0.02" in dialog.price
    assert "entered by hand on 2026-11-30: check it with your provider" in dialog.price
    field.clear()
    with qtbot.waitSignal(dialog.priced):
        QTest.keyClicks(field, f"scripted:{path}")
    assert "scripted: nothing is asked of a model" in dialog.price
    assert ask.isEnabled()
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [each.text for each in tab._proposals][:2] == [each["text"] for each in items])
    tab.proposals.setFocus()
    tab.proposals.setCurrentRow(0)
    QTest.keyClick(tab.proposals, Qt.Key.Key_Return)
    scope = Scope(instance_id=instance.id)
    project = page._context.project
    qtbot.waitUntil(lambda: [each.text for each in author.list_items(project, scope)] == ["Does the deck name tides?"])
    qtbot.waitUntil(lambda: tab._proposals[0].text == "Does the deck name dams?")
