"""Why something cannot be judged: one key for each usual reason, and a field for any other."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label

REASONS = (
    "The slides are not shown properly",
    "I know too little about the subject",
    "I recognised a system",
    "The source is missing or unreadable",
)
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
        for number, words in enumerate((*REASONS, OTHER), start=1):
            button = KeyCapButton(words, str(number))
            button.setMinimumHeight(28)
            button.clicked.connect(partial(self._on_clicked, number))
            column.addWidget(button)
        self.other = QLineEdit()
        self.other.setPlaceholderText("Say why, then Enter")
        self.other.setAccessibleName("Another reason")
        self.other.returnPressed.connect(self._on_other)
        self.other.hide()
        column.addWidget(self.other)

    def words(self) -> tuple[str, ...]:
        """Return the reasons in the order of their keys."""
        return (*REASONS, OTHER)

    def begin(self) -> None:
        """Ask anew."""
        self.other.clear()
        self.other.hide()

    def choose(self, number: int) -> None:
        """Take the reason with this number; the last one opens a field."""
        if 1 <= number <= len(REASONS):
            self.reason_given.emit(REASONS[number - 1])
        elif number == len(REASONS) + 1:
            self.other.show()
            self.other.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_clicked(self, number: int, _is_checked: bool = False) -> None:
        self.choose(number)

    @Slot()
    def _on_other(self) -> None:
        if self.other.text().strip():
            self.reason_given.emit(self.other.text().strip())
