"""The command palette: every action by its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from studio.gui import theme
from studio.gui.shortcuts import Action, Shortcuts
from studio.gui.widgets.keycap import cap_size, draw_cap

ACTION_ROLE = Qt.ItemDataRole.UserRole + 1


def match_score(wanted: str, words: str) -> int | None:
    """Return how well words fit what was typed (higher is better), or None where letters are missing.

    Every letter typed must occur in order; beginnings of words and letters in a row count more.
    """
    text, score, at, last = words.casefold(), 0, 0, -2
    for letter in wanted.casefold():
        if letter == " ":
            continue
        found = text.find(letter, at)
        # A word's beginning beats a letter in the middle of one, if there is one ahead.
        ahead = text.find(f" {letter}", max(at - 1, 0))
        if found > 0 and found != last + 1 and ahead >= 0:
            found = ahead + 1
        if found < 0:
            return None
        score += 8 if found == last + 1 else 6 if found == 0 or text[found - 1] == " " else 1
        last, at = found, found + 1
    return score * 100 - len(text)


class _Model(QAbstractListModel):
    def __init__(self, shortcuts: Shortcuts, titles: dict[str, str], parent: QObject) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self._titles = titles
        self.actions: list[Action] = []
        self.find("")

    def find(self, wanted: str) -> None:
        found = []
        for place, action in enumerate(self._shortcuts.all()):
            score = match_score(wanted, self.words(action)) if action.is_in_palette else None
            if score is not None:
                is_away = not self._shortcuts.is_available(action.id)
                found.append((is_away if not wanted else False, -score if wanted else place, place, action))
        self.beginResetModel()
        self.actions = [action for *_, action in sorted(found, key=lambda entry: entry[:3])]
        self.endResetModel()

    def words(self, action: Action) -> str:
        where = self._titles.get(action.page, action.page.capitalize())
        return f"{where}: {action.words}" if where else action.words

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self.actions)

    def data(self, index: QModelIndex, role: int = 0) -> Any:  # @override
        if not index.isValid():
            return None
        action = self.actions[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(action)
        if role == ACTION_ROLE:
            return action
        return None


class _Row(QStyledItemDelegate):
    def __init__(self, shortcuts: Shortcuts, parent: QObject) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:  # @override
        return QSize(200, 32)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        action: Action = index.data(ACTION_ROLE)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.color("surface_selected"))
        room = QRectF(option.rect).adjusted(16, 0, -16, 0)
        cap = self._shortcuts.cap(action.id)
        if cap:
            size = cap_size(cap)
            box = QRectF(room.right() - size.width(), room.center().y() - 8, size.width(), 16)
            ink, edge = theme.color("key_cap_text"), theme.color("hairline_strong")
            draw_cap(painter, box, cap, ink, edge, theme.color("key_cap"))
            room.setRight(box.left() - 12)
        is_here = self._shortcuts.is_available(action.id)
        painter.setPen(theme.color("text" if is_here else "text_muted"))
        painter.setFont(theme.sized_font(theme.BODY_PX))
        words = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, int(room.width()))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), words)


class CommandPalette(QDialog):
    """Finds an action and does it. An action of another page goes there first."""

    def __init__(
        self,
        shortcuts: Shortcuts,
        go_to: Callable[[str], object],
        titles: dict[str, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._shortcuts = shortcuts
        self._go_to = go_to
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Commands")
        self.line = QLineEdit()
        self.line.setPlaceholderText("What do you want to do?")
        self.line.textChanged.connect(self._on_text_changed)
        self.line.installEventFilter(self)
        self.model = _Model(shortcuts, titles, self)
        self._list = QListView()
        self._list.setModel(self.model)
        self._list.setItemDelegate(_Row(shortcuts, self))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.clicked.connect(self._on_clicked)
        self.setObjectName("palette")
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 12, 1, 8)
        column.setSpacing(8)
        column.addWidget(self.line)
        column.addWidget(self._list, 1)
        self.line.setStyleSheet("QLineEdit { border: 0; font-size: 15px; padding: 0 15px; background: transparent; }")
        self.resize(560, 420)
        self._choose(0)

    def titles(self) -> list[str]:
        """Return what is listed now."""
        return [self.model.words(action) for action in self.model.actions]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        if event.key() in steps:
            self._choose(self._list.currentIndex().row() + steps[event.key()])
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_clicked(self._list.currentIndex())
            return True
        return False

    def _choose(self, row: int) -> None:
        rows = self.model.rowCount()
        if rows:
            self._list.setCurrentIndex(self.model.index(min(rows - 1, max(0, row)), 0))

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self.model.find(text)
        self._choose(0)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        action: Action = index.data(ACTION_ROLE)
        self.accept()
        if action.page and not self._shortcuts.is_available(action.id):
            self._go_to(action.page)
        self._shortcuts.trigger(action.id)
