"""The row that chooses a reader and lets it answer: one click for slides, oracle, closed book and the comparison."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from studio.actions.quiz_asking import QuizTask, QuizWish
from studio.gui.widgets.keycap import KeyCapButton

OFFLINE = "Offline reader (rule, no model)"
BUTTONS = {
    QuizTask.SLIDES: ("Answer from slides", "Every bank's questions, about every deck of its instance"),
    QuizTask.ORACLE: ("Oracle", "Answer from the quotes that the questions rest on: a sound bank comes to 100 %"),
    QuizTask.CLOSED_BOOK: ("Closed book", "Answer without slides: a sound bank stays at chance, 25 %"),
}


class ReaderRow(QWidget):
    """The readers that were set up since the project was opened, with their limits; a model is set up in a dialog."""

    asked = Signal(object, object)
    """A `QuizTask`, and the `QuizWish` that set the chosen model up; None for the offline reader."""
    compare_asked = Signal(object)
    """The wish of the chosen model, or None."""
    model_asked = Signal()

    def __init__(self, *, can_write: bool) -> None:
        super().__init__()
        self._can_write = can_write
        self._wishes: dict[str, QuizWish] = {}
        self.reader = QComboBox()
        self.reader.setAccessibleName("Reader that answers")
        self.reader.addItem(OFFLINE, "")
        self.reader.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.reader.setMinimumContentsLength(24)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 8)
        row.setSpacing(8)
        row.addWidget(QLabel("Reader"))
        row.addWidget(self.reader)
        self.buttons: dict[QuizTask, KeyCapButton] = {}
        for task, (words, tip) in BUTTONS.items():
            button = KeyCapButton(words, is_compact=True)
            button.setToolTip(tip)
            button.clicked.connect(lambda *_, chosen=task: self.asked.emit(chosen, self.chosen))
            self.buttons[task] = button
            row.addWidget(button)
        self.compare = KeyCapButton("Compare readers", is_compact=True)
        self.compare.setToolTip("Let the offline reader and the chosen model answer what they have not, then compare")
        self.compare.clicked.connect(self._on_compare_clicked)
        self.model = KeyCapButton("Ask a model…", is_compact=True)
        self.model.clicked.connect(self.model_asked)
        row.addWidget(self.compare)
        row.addStretch(1)
        row.addWidget(self.model)
        self.set_busy(False)

    @property
    def chosen(self) -> QuizWish | None:
        """The wish that set the chosen model up; None for the offline reader."""
        return self._wishes.get(self.reader.currentData())

    @property
    def wishes(self) -> Sequence[QuizWish]:
        """The models that were set up."""
        return list(self._wishes.values())

    def keep(self, wish: QuizWish) -> None:
        """Offer a model that was set up, and choose it."""
        name = wish.setup.id
        if name not in self._wishes:
            self.reader.addItem(name, name)
        self._wishes[name] = wish
        self.reader.setCurrentIndex(self.reader.findData(name))

    def set_busy(self, is_busy: bool) -> None:
        """Say whether somebody is being asked now."""
        for button in (*self.buttons.values(), self.compare, self.model):
            button.setEnabled(self._can_write and not is_busy)

    @Slot()
    def _on_compare_clicked(self) -> None:
        self.compare_asked.emit(self.chosen)
