"""The line above a page's panels: what it is about at the left, what can be done with it at the right.

Where a window is too narrow for all controls, the lesser ones go into a menu: nothing is lost, and the name is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QHBoxLayout, QMenu, QWidget

from studio.gui.widgets.head_words import GAP_PX, HeadWords
from studio.gui.widgets.keycap import KeyCapButton

HEIGHT_PX = 32
LEAST_FACTS_PX, NARROW_PX = 140, 820
"""So much of the facts, and half of the width beyond, is worth more than a control that can stand in the menu."""
COMBO_PX, LEAST_BOX_PX = 44, 100
"""What a box that opens has beside its words: padding, arrow, border; and its least width."""


class PageHead(QWidget):
    """Name in semibold, badges, muted facts, controls; what does not fit is in the menu of the button `more`."""

    def __init__(
        self, title: str = "", facts: str = "", parent: QWidget | None = None, *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setFixedHeight(HEIGHT_PX)
        self.words = HeadWords(title, facts, self, mode=mode)
        self.title_label, self.facts_label = self.words.title_label, self.words.facts_label
        self._leading: list[_Slot] = []
        self._slots: list[_Slot] = []
        self.more = KeyCapButton("More ▾", parent=self)
        self.more.setAccessibleName("More controls")
        self.more.clicked.connect(self._on_more_clicked)
        self.more.hide()

    def set_title(self, title: str, facts: str = "") -> None:
        """Change title and facts."""
        self.title_label.set_text(title)
        self.facts_label.set_text(facts)

    def add_badge(self, badge: QWidget) -> None:
        """Put a badge behind the title."""
        self.words.add_badge(badge)

    def set_badges(self, *words: str) -> None:
        """Show these words as badges, in place of those that were there."""
        self.words.set_badges(*words)

    def add_leading(self, control: QWidget) -> None:
        """Put a control before the title; it stays there at every width."""
        self._leading.append(_Slot(control, 0, self))
        control.installEventFilter(self)
        self._arrange()

    def add_control(self, control: QWidget, *, gives_way: int = 0) -> None:
        """Put a control at the right end.

        Args:
            control: a button, a box that opens, or another widget.
            gives_way: 0 stays at every width; of buttons and boxes with more, the greatest go into the menu first.
        """
        self._slots.append(_Slot(control, gives_way, self))
        control.installEventFilter(self)
        self.more.raise_()
        QWidget.setTabOrder(control, self.more)
        self._arrange()

    def folded(self) -> list[QWidget]:
        """Return the controls that stand in the menu now."""
        return [slot.control for slot in self._slots if slot.is_folded and slot.is_wanted]

    def more_menu(self) -> QMenu:
        """Return the menu with the controls that have no room; it does what they do."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for control in self.folded():
            if isinstance(control, QComboBox):
                _add_choices(menu, control)
            elif isinstance(control, QAbstractButton):
                _add_button(menu, control)
        return menu

    def sizeHint(self) -> QSize:  # @override
        controls = [*self._leading, *self._slots]
        return QSize(self.words.wanted_px(10_000) + _line_px(controls, _Slot.full_px), HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # @override
        staying = [*self._leading, *(slot for slot in self._slots if not slot.gives_way)]
        more = GAP_PX + self.more.sizeHint().width() if len(staying) < len(self._leading) + len(self._slots) else 0
        return QSize(self.words.minimumSizeHint().width() + _line_px(staying, _Slot.least_px) + more, HEIGHT_PX)

    def event(self, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._arrange()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:  # @override
        super().showEvent(event)
        self._arrange()

    @Slot()
    def _on_more_clicked(self) -> None:
        pop_up_below(self.more_menu(), self.more)

    # who stands where

    def _arrange(self) -> None:
        shown = [*self._leading, *(slot for slot in self._slots if slot.is_wanted)]
        folded = self._that_fold(shown)
        for slot in [*self._leading, *self._slots]:
            slot.is_folded = slot in folded
            slot.setVisible(slot.is_wanted and not slot.is_folded)
        self.more.setVisible(bool(folded))
        widths = self._widths([slot for slot in shown if slot not in folded], is_more_shown=bool(folded))
        left = 0
        for slot in self._leading:
            if slot in widths:
                left += self._put(slot, left, widths[slot]) + GAP_PX
        right = self.width()
        if folded:
            right -= self.more.sizeHint().width()
            self._put(self.more, right, self.more.sizeHint().width())
            right -= GAP_PX
        for slot in reversed(self._slots):
            if slot in widths:
                right -= widths[slot]
                self._put(slot, right, widths[slot])
                right -= GAP_PX
        self.words.setGeometry(left, 0, max(0, right - left), self.height())

    def _that_fold(self, shown: list[_Slot]) -> list[_Slot]:
        """Return the controls without which the words have their room, the least important first."""
        wanted, folded = self.words.wanted_px(self._facts_px()), []
        for slot in [None, *sorted((slot for slot in shown if slot.gives_way), key=lambda slot: -slot.gives_way)]:
            folded += [slot] if slot is not None else []
            more = GAP_PX + self.more.sizeHint().width() if folded else 0
            rest = [slot for slot in shown if slot not in folded]
            if wanted + _line_px(rest, _Slot.snug_px) + more <= self.width():
                break
        return folded

    def _widths(self, shown: list[_Slot], *, is_more_shown: bool) -> dict[_Slot, int]:
        """Return how wide each control is: whole if there is room; else boxes that open give way before the title."""
        widths = {slot: slot.snug_px() for slot in shown if slot.is_wanted}
        more = GAP_PX + self.more.sizeHint().width() if is_more_shown else 0
        taken = sum(widths.values()) + GAP_PX * len(widths) + more
        spare = self.width() - taken - self.words.wanted_px(self._facts_px())
        lacking = taken + self.words.wanted_px(0) - self.width()
        for slot in widths:
            step = min(spare, slot.full_px() - widths[slot]) if spare > 0 else 0
            step -= min(max(lacking, 0), widths[slot] - slot.least_px())
            widths[slot] += step
            spare, lacking = spare - step, lacking + min(step, 0)
        return widths

    def _facts_px(self) -> int:
        return max(LEAST_FACTS_PX, (self.width() - NARROW_PX) // 2)

    def _put(self, widget: QWidget, left: int, width: int) -> int:
        height = min(self.height(), widget.sizeHint().height())
        widget.setGeometry(left, (self.height() - height) // 2, width, height)
        return width


class _Slot(QWidget):
    """The place of one control, hidden while the control is in the menu.

    The control's own visibility stays what its page wants.
    """

    def __init__(self, control: QWidget, gives_way: int, head: PageHead) -> None:
        super().__init__(head)
        self.control, self.gives_way, self.is_folded = control, gives_way, False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(control)
        control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        # A box that fits its entries takes the width it wants whenever they change, and no layout asked it to.
        if event.type() == QEvent.Type.Resize and self.control.size() != self.size():
            self.control.setGeometry(self.rect())
        return super().eventFilter(watched, event)

    @property
    def is_wanted(self) -> bool:
        """Whether the page shows the control."""
        return not self.control.isHidden()

    def full_px(self) -> int:
        """Return the width at which the control is whole, whatever is chosen in it."""
        return self._bounded(self.control.sizeHint().width())

    def snug_px(self) -> int:
        """Return the width at which it is whole as it stands now."""
        if not isinstance(self.control, QComboBox):
            return self.full_px()
        words = self.control.fontMetrics().horizontalAdvance(self.control.currentText())
        return self._bounded(min(self.control.sizeHint().width(), words + COMBO_PX))

    def least_px(self) -> int:
        """Return the width below which it cannot be used."""
        # A box's own least width is that of its longest entry.
        own = LEAST_BOX_PX if isinstance(self.control, QComboBox) else self.control.minimumSizeHint().width()
        return min(self.snug_px(), max(self.control.minimumWidth(), own))

    def _bounded(self, width: int) -> int:
        return max(self.control.minimumWidth(), min(width, self.control.maximumWidth()))


def pop_up_below(menu: QMenu, control: QWidget) -> None:
    """Show a menu below the control that opens it, or below the menu of its head if the control stands in that."""
    anchor = control
    while not anchor.isVisible() and anchor.parentWidget() is not None:
        anchor = anchor.parentWidget()
        if isinstance(anchor, PageHead):
            anchor = anchor.more
            break
    menu.popup(anchor.mapToGlobal(QPoint(0, anchor.height() + 2)))


def _line_px(slots: Sequence[_Slot], width: Callable[[_Slot], int]) -> int:
    shown = [slot for slot in slots if slot.is_wanted]
    return sum(width(slot) for slot in shown) + GAP_PX * len(shown)


def _add_button(menu: QMenu, button: QAbstractButton) -> None:
    words = button.text() or button.accessibleName()
    key = button.key() if isinstance(button, KeyCapButton) else ""
    action = menu.addAction(f"{words}\t{key}" if key else words)
    action.setEnabled(button.isEnabled())
    action.setToolTip(button.toolTip())
    if button.isCheckable():
        action.setCheckable(True)
        action.setChecked(button.isChecked())
    action.triggered.connect(button.click)


def _add_choices(menu: QMenu, box: QComboBox) -> None:
    choices = menu.addMenu(box.accessibleName())
    choices.setEnabled(box.isEnabled())
    group = QActionGroup(choices)
    for place in range(box.count()):
        action = QAction(box.itemText(place).replace("&", "&&"), choices)
        action.setCheckable(True)
        action.setChecked(place == box.currentIndex())
        action.triggered.connect(partial(_choose, box, place))
        group.addAction(action)
        choices.addAction(action)


def _choose(box: QComboBox, place: int, _is_checked: bool = True) -> None:
    box.setCurrentIndex(place)
    box.activated.emit(place)
