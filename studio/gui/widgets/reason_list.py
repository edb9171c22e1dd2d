"""Why something cannot be judged: one key for each usual reason, and a field for any other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from studio.actions.answer_desk import REASONS
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label

OTHER = "Another reason"


class ReasonList(QWidget):
    """Asks for a reason; `choose` takes the number that a key gives."""

    reason_given = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(toned_label("Why can it not be judged?", "heading"))
        head.addStretch(1)
        cancel = KeyCapButton("Cancel", "Esc", is_compact=True)
        cancel.clicked.connect(self.cancelled)
        head.addWidget(cancel)
        column.addLayout(head)
        self._reasons = REASONS
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(4)
        column.addLayout(self._buttons)
        self.other = QLineEdit()
        self.other.setPlaceholderText("Say why, then Enter")
        self.other.setAccessibleName("Another reason")
        self.other.returnPressed.connect(self._on_other)
        self.other.hide()
        column.addWidget(self.other)
        self.set_reasons(REASONS)

    def set_reasons(self, reasons: Sequence[str]) -> None:
        """Offer these reasons, and any other."""
        if tuple(reasons) == self._reasons and self._buttons.count():
            return
        self._reasons = tuple(reasons)
        while (item := self._buttons.takeAt(0)) is not None:
            item.widget().deleteLater()
        for number, words in enumerate(self.words(), start=1):
            button = KeyCapButton(words, str(number))
            button.setMinimumHeight(28)
            button.clicked.connect(partial(self._on_clicked, number))
            self._buttons.addWidget(button)

    def words(self) -> tuple[str, ...]:
        """Return the reasons in the order of their keys."""
        return (*self._reasons, OTHER)

    def begin(self) -> None:
        """Ask anew."""
        self.other.clear()
        self.other.hide()

    def choose(self, number: int) -> None:
        """Take the reason with this number; the last one opens a field."""
        if 1 <= number <= len(self._reasons):
            self.reason_given.emit(self._reasons[number - 1])
        elif number == len(self._reasons) + 1:
            self.other.show()
            self.other.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_clicked(self, number: int, _is_checked: bool = False) -> None:
        self.choose(number)

    @Slot()
    def _on_other(self) -> None:
        if self.other.text().strip():
            self.reason_given.emit(self.other.text().strip())
