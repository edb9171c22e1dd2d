"""Fields for numbers stand like other fields, and do not change under a wheel that only passes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from studio.gui.widgets.number_box import DecimalBox, WholeBox


@pytest.fixture
def shown(qtbot, app_theme):
    """A window with fields, the first of which has the focus."""
    made = []

    def show(*fields: QWidget) -> None:
        window = QWidget()
        made.append(window)
        qtbot.addWidget(window)
        column = QVBoxLayout(window)
        for field in (QLineEdit("first"), *fields):
            field.setFixedWidth(160)
            column.addWidget(field)
        window.show()
        window.activateWindow()
        qtbot.waitExposed(window)

    return show


def first_ink(field: QWidget) -> int:
    """Return the first column with ink of the text, in pixels from the left edge; the border is not looked at."""
    image = field.grab().toImage()
    ground = image.pixelColor(field.width() - 12, field.height() // 2)
    rows = range(6, image.height() - 6)
    return next(x for x in range(2, image.width()) if any(image.pixelColor(x, y) != ground for y in rows))


def test_that_a_number_begins_where_the_words_of_other_fields_begin(shown):
    words, whole, decimal = QLineEdit("7"), WholeBox(0, 9, 7), DecimalBox(0, 9, 7, decimals=0)
    shown(words, whole, decimal)
    # A line edit has two pixels of its own between its padding and its text; so does the one inside a number box.
    assert first_ink(words) >= 8
    assert abs(first_ink(whole) - first_ink(words)) <= 1
    assert first_ink(decimal) == first_ink(whole)


@pytest.mark.parametrize("box", [lambda: WholeBox(0, 99, 7), lambda: DecimalBox(0, 99, 7)])
def test_that_a_wheel_over_a_number_without_the_focus_is_for_what_scrolls(qtbot, shown, box):
    number = box()
    shown(number)
    place = QPointF(20, 10)
    turn = QWheelEvent(
        place, number.mapToGlobal(place), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(number, turn)
    assert (number.value(), turn.isAccepted()) == (7, False)
    number.setFocus()
    qtbot.waitUntil(number.hasFocus)
    QApplication.sendEvent(number, turn)
    assert number.value() == 8


def test_that_a_number_has_what_it_was_made_with():
    whole = WholeBox(51, 100, 100, width_px=80)
    assert (whole.minimum(), whole.maximum(), whole.value(), whole.width()) == (51, 100, 100, 80)
    decimal = DecimalBox(0, 10, 0.5, decimals=1)
    assert (decimal.minimum(), decimal.maximum(), decimal.value(), decimal.decimals()) == (0, 10, 0.5, 1)
