"""Protocols A to C on the Compare page, by keyboard, and what becomes of the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.actions.care import deck_of
from studio.gui.dialogs import protocol_form
from studio.gui.tuning.agreement_tab import AgreementTab
from studio.gui.tuning.styles_tab import StylesTab
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.editability import STEPS, StepAnswer
from studio.sessions.editability import FormHistory
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import ctrl, open_on, press, shown_window
from tests.unit.metrics.editability import decks_built as made

K = Qt.Key


@pytest.fixture
def study(tmp_path):
    project = make_project(tmp_path / "study", instances=1, slides=2)
    path = made.template(tmp_path / "deck.pptx")
    for deck in deck_store.list_decks(project):
        project.asset_path(deck.asset, deck.extension).write_bytes(path.read_bytes())
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, role="engineer") as made_window:
        yield made_window


@pytest.fixture
def page(qtbot, window, study):
    return open_on(qtbot, window, study, "compare")


def opened(qtbot, page):
    with qtbot.waitSignal(page.protocol.opened):
        press(K.Key_P)
    return page.protocol.dialog


def let_go():
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def stored(folder):
    with Project.open(folder) as project:
        return answer_store.events_of(project, AnswerKind.EDITABILITY)


def keys(dialog, *pressed):
    for key in pressed:
        QTest.keyClick(dialog, key)


def test_that_every_answer_is_stored_before_the_next_key_and_the_form_goes_on_to_the_next_step(qtbot, page, study):
    dialog = opened(qtbot, page)
    keys(dialog, K.Key_Y, K.Key_N, K.Key_C, K.Key_X)
    events = stored(study)
    assert [(event.verb, event.item_key) for event in events] == [
        ("answer", "A1"), ("answer", "A2"), ("answer", "B1"), ("answer", "B2"),
    ]  # fmt: skip
    assert events[-1].state["answers"] == {
        "A1": "yes", "A2": "no", "B1": "cannot_tell", "B2": "not_applicable",
    }  # fmt: skip
    assert dialog.rows[1].buttons[StepAnswer.NO].isChecked()
    assert dialog.rows[4].property("current") is True
    dialog.close()
    let_go()
    page.window().activateWindow()
    assert QTest.qWaitForWindowActive(page.window(), 20_000)
    # Closed in the middle: the form opens again where it was left.
    again = opened(qtbot, page)
    assert again.rows[4].property("current") is True
    assert again.rows[0].buttons[StepAnswer.YES].isChecked()
    again.close()


def test_that_the_form_is_submitted_by_keyboard_only_when_every_step_is_answered(qtbot, page, study):
    dialog = opened(qtbot, page)
    keys(dialog, *[K.Key_1] * 7)
    QTest.keyClick(dialog, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "C3" in dialog.verdict.text()
    keys(dialog, K.Key_2)
    with qtbot.waitSignal(dialog.ended):
        QTest.keyClick(dialog, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    state = FormHistory(stored(study)).state
    assert state.status is AnswerStatus.SUBMITTED
    assert state.answers["C3"] is StepAnswer.NO
    assert len(state.answers) == len(STEPS)


def test_that_undo_takes_the_last_answer_back_and_a_note_is_kept(qtbot, page, study):
    dialog = opened(qtbot, page)
    keys(dialog, K.Key_Y, K.Key_N)
    QTest.keyClick(dialog, K.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert FormHistory(stored(study)).state.answers == {"A1": StepAnswer.YES}
    note = dialog.rows[0].note
    note.setFocus()
    # Letters in a note are words, not answers.
    QTest.keyClicks(note, "ny blurred")
    QTest.keyClick(note, K.Key_Return)
    state = FormHistory(stored(study)).state
    assert state.notes == {"A1": "ny blurred"}
    assert state.answers == {"A1": StepAnswer.YES}
    keys(dialog, K.Key_Up, K.Key_Up, K.Key_Backspace)
    assert FormHistory(stored(study)).state.answers == {}
    dialog.close()


def test_that_a_deck_that_cannot_be_tried_out_is_stored_with_the_reason(qtbot, page, study):
    dialog = opened(qtbot, page)
    with qtbot.waitSignal(dialog.ended):
        dialog.cannot_judge("the program is not installed")
    state = FormHistory(stored(study)).state
    assert (state.status, state.reason) == (AnswerStatus.CANNOT_JUDGE, "the program is not installed")


def test_that_a_copy_is_opened_and_the_original_is_left_alone(qtbot, page, study, monkeypatch):
    dialog = opened(qtbot, page)
    asked = []
    monkeypatch.setattr(protocol_form.QDesktopServices, "openUrl", lambda url: asked.append(url) or True)
    keys(dialog, K.Key_O)
    qtbot.waitUntil(lambda: bool(asked))
    copy = Path(asked[0].toLocalFile())
    deck = page.stage.deck(page.stage.focused)
    assert copy.name == f"{deck.name}.pptx"
    assert study not in copy.parents
    with Project.open(study) as project:
        original = project.asset_path(deck_of(project, deck.id).asset, "pptx")
        assert copy.read_bytes() == original.read_bytes()
    dialog.close()
    assert not copy.exists()


def test_that_a_blind_person_tries_a_deck_out_under_its_letter(qtbot, app_theme, settings, study, monkeypatch):
    with shown_window(app_theme, settings, role="annotator") as blind:
        page = open_on(qtbot, blind, study, "compare")
        dialog = opened(qtbot, page)
        deck = page.stage.deck(page.stage.focused)
        words = " ".join(label.text() for label in dialog.findChildren(protocol_form.QLabel))
        assert not any(name in words + dialog.windowTitle() for name in ("alpha", "beta", "gamma"))
        asked = []
        monkeypatch.setattr(protocol_form.QDesktopServices, "openUrl", lambda url: asked.append(url) or True)
        keys(dialog, K.Key_O)
        qtbot.waitUntil(lambda: bool(asked))
        assert asked[0].toLocalFile().endswith(f"{deck.name}.pptx")
        assert len(deck.name) == 1
        dialog.close()


def test_that_a_read_only_project_says_that_nothing_can_be_answered(qtbot, app_theme, settings, study):
    with (
        Project.open(study, must_write=True),
        shown_window(app_theme, settings, role="engineer") as reader,
    ):
        page = open_on(qtbot, reader, study, "compare")
        press(K.Key_P)
        assert page.protocol.dialog is None


def test_that_the_agreement_tab_says_how_to_begin_while_there_are_no_forms(qtbot, app_theme):
    tab = AgreementTab()
    qtbot.addWidget(tab)
    tab.show_forms(())
    assert tab.states.currentWidget() is tab.empty
    styles = StylesTab()
    qtbot.addWidget(styles)
    styles.show_nothing("No scores.")
    assert styles.states.currentWidget() is styles.empty


def test_that_the_focused_deck_is_the_one_that_is_tried_out(qtbot, page, study):
    press(ctrl(K.Key_2))
    dialog = opened(qtbot, page)
    keys(dialog, K.Key_Y)
    (event,) = stored(study)
    assert event.deck_id == page.stage.focused == page.stage.decks[1].id
    dialog.close()
