"""Lines across the top of the window that stay until they are read: read-only, a risky place, a failed opening."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from studio.gui.icons import icon
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.states import Glyph

ICONS = {"warn": "info", "bad": "triangle-alert"}


class NoticeLine(QFrame):
    """One notice, in the tone warn or bad, with its icon and a button that puts it away."""

    put_away = Signal()

    def __init__(self, words: str, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words, self.tone = words, tone
        self.setProperty("tone", tone)
        label = QLabel(words)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("tone", tone)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close = KeyCapButton("", icon=icon("x"), is_compact=True)
        close.setProperty("flat", True)
        close.setToolTip("Put this away")
        close.setAccessibleName("Put this notice away")
        close.clicked.connect(self._on_close_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 8, 4)
        row.setSpacing(8)
        row.addWidget(Glyph(ICONS[tone], 16, tone))
        row.addWidget(label, 1)
        row.addWidget(close)

    @Slot()
    def _on_close_clicked(self) -> None:
        self.put_away.emit()


class NoticeBar(QWidget):
    """Holds the notices, newest last; takes no room without any."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[NoticeLine] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    def notices(self) -> list[str]:
        """Return what is said, in order."""
        return [line.words for line in self._lines]

    def add(self, words: str, tone: str = "warn") -> None:
        """Show a notice; one that is there already is not shown twice."""
        if words in self.notices():
            return
        line = NoticeLine(words, tone)
        line.put_away.connect(self._on_put_away)
        self._lines.append(line)
        self._column.addWidget(line)
        self.show()

    def clear(self) -> None:
        """Take all notices away."""
        for line in list(self._lines):
            self._take_away(line)

    @Slot()
    def _on_put_away(self) -> None:
        self._take_away(self.sender())

    def _take_away(self, line: NoticeLine) -> None:
        self._lines.remove(line)
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()
        self.setVisible(bool(self._lines))
