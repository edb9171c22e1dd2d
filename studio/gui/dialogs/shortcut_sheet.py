"""Every action with its keys; a click on a row binds another key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from studio.errors import StudioError
from studio.gui.shortcuts import Action, Shortcuts, cap_text
from studio.gui.widgets.keycap import KeyCap, KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label

_MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class KeyRow(QFrame):
    """One action: its words and its keys. While it listens, the next key is bound to it."""

    def __init__(self, shortcuts: Shortcuts, action: Action, sheet: ShortcutSheet) -> None:
        super().__init__()
        self._shortcuts, self.action, self._sheet = shortcuts, action, sheet
        self._is_listening = False
        self.setFixedHeight(32)
        self._caps = QHBoxLayout()
        self._caps.setSpacing(4)
        self._change = KeyCapButton("Change", is_compact=True)
        self._change.setAccessibleName(f"Change the key of {action.words}")
        self._change.clicked.connect(self._on_change_clicked)
        self._change.installEventFilter(self)
        self._reset = KeyCapButton("Reset", is_compact=True)
        self._reset.clicked.connect(self._on_reset_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(QLabel(action.words), 1)
        row.addLayout(self._caps)
        row.addWidget(self._reset)
        row.addWidget(self._change)
        self.refresh()

    def refresh(self) -> None:
        """Show the present keys."""
        while (item := self._caps.takeAt(0)) is not None:
            item.widget().deleteLater()
        keys = self._shortcuts.keys(self.action.id)
        for sequence in keys:
            self._caps.addWidget(KeyCap(cap_text(sequence), is_always_shown=True))
        self._reset.setVisible(keys != self.action.keys)
        self._change.setText("Press a key" if self._is_listening else "Change")

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # @override
        if not self._is_listening:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.FocusOut:
            self._is_listening = False
            self.refresh()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() not in _MODIFIERS:
                self._bind(event)
            return True
        return False

    def _bind(self, event: QKeyEvent) -> None:
        self._is_listening = False
        if event.key() != Qt.Key.Key_Escape:
            keys = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
            self._sheet.try_to(lambda: self._shortcuts.rebind(self.action.id, (keys,)))
        self.refresh()

    @Slot()
    def _on_change_clicked(self) -> None:
        self._is_listening = True
        self._change.setFocus()
        self.refresh()

    @Slot()
    def _on_reset_clicked(self) -> None:
        self._sheet.try_to(lambda: self._shortcuts.reset(self.action.id))
        self.refresh()


class ShortcutSheet(QDialog):
    """The sheet that "?" opens. Actions of the page in front come first."""

    def __init__(
        self,
        shortcuts: Shortcuts,
        parent: QWidget | None = None,
        *,
        page: str = "",
        titles: dict[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._titles = titles or {}
        self._rows: list[KeyRow] = []
        self._heads: list[tuple[QWidget, list[KeyRow]]] = []
        self._filter = QLineEdit()
        self._filter.setPlaceholderText("Find an action or a key")
        self._filter.textChanged.connect(self._on_filter_changed)
        self._said = toned_label("", "bad")
        self._said.setWordWrap(True)
        self._said.hide()
        holder = QWidget()
        rows = QVBoxLayout(holder)
        rows.setContentsMargins(0, 0, 8, 0)
        rows.setSpacing(0)
        for group, actions in _groups(shortcuts.all(), page, self._titles).items():
            head = toned_label(group, "heading")
            head.setContentsMargins(0, 12, 0, 4)
            rows.addWidget(head)
            rows.addWidget(hairline())
            made = [KeyRow(shortcuts, action, self) for action in actions]
            for row in made:
                rows.addWidget(row)
            self._rows += made
            self._heads.append((head, made))
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(holder)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 8, 16)
        column.setSpacing(8)
        column.addWidget(self._filter)
        column.addWidget(self._said)
        column.addWidget(area, 1)
        self.resize(QSize(560, 600))

    def rows(self) -> list[KeyRow]:
        """Return the rows."""
        return list(self._rows)

    def said(self) -> str:
        """Return why the last change was refused, or an empty text."""
        return self._said.text()

    def try_to(self, change: object) -> None:
        """Make a change of keys, and say why if it is refused."""
        try:
            change()
        except StudioError as error:
            self._said.setText(str(error))
            self._said.show()
        else:
            self._said.setText("")
            self._said.hide()

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        wanted = text.casefold()
        for head, rows in self._heads:
            for row in rows:
                keys = " ".join(row.action.keys)
                row.setVisible(wanted in f"{row.action.words} {keys}".casefold())
            head.setVisible(any(not row.isHidden() for row in rows))


def _groups(actions: list[Action], page: str, titles: dict[str, str]) -> dict[str, list[Action]]:
    groups: dict[str, list[Action]] = {}
    for action in sorted(actions, key=lambda action: (action.page != page, bool(action.page))):
        name = action.group or titles.get(action.page) or action.page.capitalize() or "Everywhere"
        groups.setdefault(name, []).append(action)
    return groups
