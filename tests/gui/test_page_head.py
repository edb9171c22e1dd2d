"""A page's head: the name is whole, and a control without room is in a menu and does the same there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu

from studio.gui.widgets.badge import Badge
from studio.gui.widgets.head_words import HeadWords
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead, pop_up_below

WIDE_PX, NARROW_PX = 1300, 520


@pytest.fixture
def head(qtbot, app_theme):
    """A head with a box and three buttons, of which the second gives way first; shown with room for all."""
    made = PageHead("Alignment with people", "5 instances · 5 systems")
    qtbot.addWidget(made)
    made.box = QComboBox()
    made.box.setAccessibleName("Level")
    made.box.addItems(["Per instance", "Per scenario", "Pooled"])
    made.first, made.second, made.last = KeyCapButton("What if", "W"), KeyCapButton("Tune"), KeyCapButton("Export")
    for control, gives_way in ((made.box, 1), (made.first, 2), (made.second, 3), (made.last, 0)):
        made.add_control(control, gives_way=gives_way)
    made.resize(WIDE_PX, 32)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def shown_menus(monkeypatch):
    """The words and the place of each menu that is shown; without a screen none can be."""
    shown = []
    monkeypatch.setattr(
        QMenu, "popup", lambda menu, place: shown.append(([action.text() for action in menu.actions()], place))
    )
    return shown


def narrow(head, width=NARROW_PX):
    head.resize(width, 32)
    QApplication.processEvents()


def test_that_with_room_every_control_is_in_sight_and_there_is_no_menu(head):
    assert head.folded() == []
    assert head.more.isHidden()
    assert all(each.isVisible() for each in (head.box, head.first, head.second, head.last))


def test_that_controls_without_room_are_in_the_menu_and_the_name_stays_whole(head):
    narrow(head)
    assert head.title_label.shown_text() == "Alignment with people"
    assert head.second in head.folded()
    assert not head.second.isVisible()
    assert head.more.isVisible()
    assert head.last.isVisible()
    assert head.last.width() >= head.last.sizeHint().width()
    assert head.more.geometry().right() < NARROW_PX
    narrow(head, WIDE_PX)
    assert head.folded() == []


def test_that_what_gives_way_first_goes_first(head):
    for width in range(WIDE_PX, 300, -20):
        narrow(head, width)
        gone = head.folded()
        assert gone in ([], [head.second], [head.first, head.second], [head.box, head.first, head.second])
    assert len(gone) == 3


def test_that_a_button_in_the_menu_does_what_it_does_beside_it(qtbot, head):
    narrow(head, 340)
    said = []
    head.first.clicked.connect(lambda: said.append("what if"))
    head.second.setEnabled(False)
    menu = head.more_menu()
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Level", "What if\tW", "Tune"]
    assert not actions["Tune"].isEnabled()
    actions["What if\tW"].trigger()
    assert said == ["what if"]
    menu.deleteLater()


def test_that_a_choice_in_the_menu_is_a_choice_in_its_box(head):
    narrow(head, 340)
    chosen = []
    head.box.activated.connect(chosen.append)
    menu = head.more_menu()
    choices = menu.actions()[0].menu().actions()
    assert [action.text() for action in choices if action.isChecked()] == ["Per instance"]
    choices[2].trigger()
    assert (head.box.currentText(), chosen) == ("Pooled", [2])
    menu.deleteLater()


def test_that_the_menu_opens_from_the_keyboard(qtbot, head, shown_menus):
    narrow(head)
    head.activateWindow()
    head.last.setFocus()
    qtbot.waitUntil(head.last.hasFocus)
    QTest.keyClick(head.last, Qt.Key.Key_Tab)
    assert head.more.hasFocus()
    QTest.keyClick(head.more, Qt.Key.Key_Space)
    ((words, place),) = shown_menus
    assert words[-1] == "Tune"
    assert place == head.more.mapToGlobal(QPoint(0, head.more.height() + 2))


def test_that_a_page_still_decides_what_is_shown_whether_it_has_room_or_not(head):
    narrow(head, 340)
    head.second.setVisible(False)
    assert head.second not in head.folded()
    narrow(head, WIDE_PX)
    assert not head.second.isVisible()
    narrow(head, 340)
    head.second.setVisible(True)
    assert head.second in head.folded()
    narrow(head, WIDE_PX)
    assert head.second.isVisible()


def test_that_a_menu_of_a_control_without_room_opens_below_the_head_s_own(head, shown_menus):
    menu = QMenu(head)
    for width in (WIDE_PX, 340):
        narrow(head, width)
        pop_up_below(menu, head.second)
    beside, behind = (place for _, place in shown_menus)
    assert beside == head.second.mapToGlobal(QPoint(0, head.second.height() + 2))
    assert behind == head.more.mapToGlobal(QPoint(0, head.more.height() + 2))


def test_that_facts_give_way_before_badges_and_badges_before_the_name(qtbot, app_theme):
    words = HeadWords("Consensus on hash-tables-lecture", "Kemeny distance 2.5, 2 orders equally near")
    qtbot.addWidget(words)
    badge = Badge("sample data", "alert")
    words.add_badge(badge)
    words.show()
    whole = words.sizeHint().width()
    name = words.title_label.sizeHint().width()
    for width in range(whole, name - 1, -10):
        words.resize(width, 20)
        assert words.title_label.shown_text() == words.title_label.full_text()
        if words.facts_label.width() > 0:
            assert badge.width() == badge.sizeHint().width()
    assert (words.facts_label.width(), badge.width()) == (0, 0)


def test_that_the_longest_wording_of_the_facts_that_fits_is_said_and_the_whole_is_in_the_tooltip(qtbot, app_theme):
    words = HeadWords("Deck A")
    qtbot.addWidget(words)
    words.set_wordings("instance 1 of 5 · mine 0/5 · project 0/5", "1 of 5 · mine 0/5", "1 of 5")
    words.show()
    said = []
    for width in (600, 200, 120):
        words.resize(width, 20)
        said.append(words.facts_label.shown_text())
    assert said == ["instance 1 of 5 · mine 0/5 · project 0/5", "1 of 5 · mine 0/5", "1 of 5"]
    assert words.facts_label.toolTip() == "instance 1 of 5 · mine 0/5 · project 0/5"


def test_that_a_box_stays_in_its_place_when_it_would_be_as_wide_as_its_new_entries(qtbot, app_theme):
    head = PageHead("Alignment with people", "5 instances · 5 systems")
    qtbot.addWidget(head)
    box = QComboBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setMinimumContentsLength(10)
    box.addItem("Aesthetics")
    head.add_control(box)
    head.resize(NARROW_PX, 32)
    head.show()
    qtbot.waitExposed(head)
    place = box.parentWidget()
    for words in ("Checklist, correctness of what the slides say · imported from elsewhere" * 2, "Rhythm"):
        box.addItem(words)
        box.setCurrentIndex(box.count() - 1)
        assert box.size() == place.size()
        QApplication.processEvents()
        assert box.size() == place.size()
        assert place.geometry().right() <= head.width()
