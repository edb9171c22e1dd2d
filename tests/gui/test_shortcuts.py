from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from studio.errors import BadInput
from studio.gui.dialogs.palette import CommandPalette, match_score
from studio.gui.dialogs.shortcut_sheet import ShortcutSheet
from studio.gui.shortcuts import Action, Shortcuts, cap_text
from studio.settings import load


class Stage:
    def __init__(self, settings):
        self.window = QWidget()
        self.slide = QWidget()
        self.slide.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.line = QLineEdit()
        self.note = QPlainTextEdit()
        column = QVBoxLayout(self.window)
        for widget in (self.slide, self.line, self.note):
            column.addWidget(widget)
        self.done = []
        self.shortcuts = Shortcuts(self.window, settings)
        self.shortcuts.register(
            [
                self.act("rank.one", "Give rank 1", "1", page="rank"),
                self.act("rank.tie", "Tie with the one above", "T", page="rank"),
                self.act("rank.equal", "Equal", "E", page="rank", mode="pairwise"),
                self.act("rank.evidence", "Evidence", "E", page="rank", mode="item"),
                self.act("check.yes", "Yes", "Y", page="checklist"),
                self.act("rank.submit", "Submit", "Return", page="rank"),
                self.act("rank.next", "Submit and next", "Ctrl+Return", page="rank"),
                self.act("sheet", "Shortcuts", "?"),
                self.act("guide", "Guidelines", "F1"),
                self.act("palette", "Find an action", "Ctrl+K"),
            ]
        )
        self.shortcuts.set_page("rank")

    def act(self, name, words, *keys, page="", mode=""):
        return Action(id=name, words=words, run=lambda: self.done.append(name), keys=keys, page=page, mode=mode)

    def press(self, widget, text=None, key=None, modifiers=Qt.KeyboardModifier.NoModifier):
        widget.setFocus()
        QApplication.processEvents()
        if text is not None:
            QTest.keyClicks(widget, text)
        else:
            QTest.keyClick(widget, key, modifiers)


@pytest.fixture
def stage(qtbot, app_theme, settings):
    made = Stage(settings)
    qtbot.addWidget(made.window)
    made.window.show()
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    return made


def test_that_keys_act_on_the_slide(stage):
    stage.press(stage.slide, "1t")
    assert stage.done == ["rank.one", "rank.tie"]


def test_that_keys_never_act_while_typing(stage):
    stage.press(stage.line, "yes 1 2 t?")
    stage.press(stage.note, "t 1 E")
    stage.press(stage.note, key=Qt.Key.Key_Return)
    stage.press(stage.line, key=Qt.Key.Key_Return)
    assert stage.done == []
    assert stage.line.text() == "yes 1 2 t?"
    assert stage.note.toPlainText() == "t 1 E\n"


def test_that_function_keys_and_ctrl_keys_act_while_typing(stage):
    stage.press(stage.line, key=Qt.Key.Key_F1)
    stage.press(stage.line, key=Qt.Key.Key_K, modifiers=Qt.KeyboardModifier.ControlModifier)
    stage.press(stage.note, key=Qt.Key.Key_Return, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert stage.done == ["guide", "palette", "rank.next"]
    assert stage.note.toPlainText() == ""


def test_that_nothing_acts_while_an_input_method_composes(stage):
    stage.line.setFocus()
    QApplication.processEvents()
    QApplication.sendEvent(stage.line, QInputMethodEvent("ni", []))
    stage.press(stage.line, key=Qt.Key.Key_K, modifiers=Qt.KeyboardModifier.ControlModifier)
    stage.press(stage.line, "1")
    assert stage.done == []
    committed = QInputMethodEvent()
    committed.setCommitString("你")
    QApplication.sendEvent(stage.line, committed)
    stage.press(stage.line, key=Qt.Key.Key_K, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert stage.done == ["palette"]
    assert "你" in stage.line.text()


def test_that_escape_leaves_a_text_field(stage):
    stage.press(stage.note, key=Qt.Key.Key_Escape)
    assert not stage.note.hasFocus()


def test_that_a_read_only_text_does_not_swallow_keys(stage):
    stage.line.setReadOnly(True)
    stage.press(stage.line, "t")
    assert stage.done == ["rank.tie"]


def test_that_keys_belong_to_the_page_and_mode_in_front(stage):
    stage.press(stage.slide, "ye")
    assert stage.done == []
    stage.shortcuts.set_page("rank", "pairwise")
    stage.press(stage.slide, "e")
    stage.shortcuts.set_page("checklist")
    stage.press(stage.slide, "ty")
    assert stage.done == ["rank.equal", "check.yes"]


def test_that_an_action_switched_off_does_nothing(stage):
    stage.shortcuts.set_enabled("rank.tie", False)
    stage.press(stage.slide, "t")
    assert not stage.shortcuts.trigger("rank.tie")
    stage.shortcuts.set_enabled("rank.tie", True)
    stage.press(stage.slide, "t")
    assert stage.done == ["rank.tie"]


def test_that_a_clash_is_refused_with_the_name_of_the_other_action(stage):
    with pytest.raises(BadInput, match="Tie with the one above"):
        stage.shortcuts.rebind("rank.one", ("T",))
    with pytest.raises(BadInput, match="Shortcuts"):
        stage.shortcuts.rebind("check.yes", ("?",))
    stage.shortcuts.rebind("check.yes", ("T",))  # another page may have the same key
    assert stage.shortcuts.keys("check.yes") == ("T",)


def test_that_default_keys_that_clash_are_found_at_start(stage):
    with pytest.raises(BadInput, match="Tie"):
        stage.shortcuts.register([stage.act("rank.text", "Text", "T", page="rank")])


def test_that_a_rebound_key_acts_and_survives_a_restart(stage, settings):
    stage.shortcuts.rebind("rank.tie", ("=",))
    stage.press(stage.slide, "t=")
    assert stage.done == ["rank.tie"]
    assert load(settings.path).get("shortcuts") == {"rank.tie": "="}
    stage.shortcuts.reset("rank.tie")
    assert load(settings.path).get("shortcuts") == {}


def test_that_the_sheet_binds_the_next_key_and_says_why_it_will_not(stage, qtbot):
    sheet = ShortcutSheet(stage.shortcuts, stage.window, page="rank")
    qtbot.addWidget(sheet)
    sheet.show()
    row = next(row for row in sheet.rows() if row.action.id == "rank.one")
    row._change.click()
    QTest.keyClick(row._change, Qt.Key.Key_T)
    assert "Tie with the one above" in sheet.said()
    row._change.click()
    QTest.keyClick(row._change, Qt.Key.Key_J)
    assert stage.shortcuts.keys("rank.one") == ("J",)
    assert sheet.said() == ""
    assert stage.done == []


def test_that_the_palette_finds_every_action_and_does_it(stage, qtbot):
    gone = []

    def go_to(page):
        gone.append(page)
        stage.shortcuts.set_page(page)

    palette = CommandPalette(stage.shortcuts, go_to, {"rank": "Rank", "checklist": "Checklist"}, stage.window)
    qtbot.addWidget(palette)
    palette.open()
    qtbot.waitUntil(palette.isActiveWindow)
    assert len(palette.titles()) == 10
    QTest.keyClicks(palette.line, "yes")
    assert palette.titles()[0] == "Checklist: Yes"
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert (gone, stage.done) == (["checklist"], ["check.yes"])


def test_that_matching_prefers_beginnings_of_words_and_needs_all_letters():
    assert match_score("sc", "Save a copy") > match_score("sc", "Discuss it now")
    assert match_score("zx", "Save a copy") is None
    assert match_score("", "anything") is not None


@pytest.mark.parametrize(
    ("keys", "shown"),
    [("Alt+Up", "Alt+↑"), ("PgDown", "PgDn"), ("Return", "Enter"), ("Ctrl+Z", "Ctrl+Z"), ("?", "?")],
)
def test_that_caps_show_keys_as_they_are_printed_on_them(qapp, keys, shown):
    assert cap_text(keys) == shown
