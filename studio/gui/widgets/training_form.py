"""The training before a study: a question with its examples, an answer by one key, and why it is so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from studio.gui.widgets.guideline_drawer import ExampleCard
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel
from studio.model.quality import ExampleDeck, TrainingItem, TrainingResult

FORM_PX = 720


class TrainingForm(QWidget):
    """Shows one item at a time; it stores nothing by itself."""

    answered = Signal(str, str)
    """The item's id and the option that was chosen."""
    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._items: tuple[TrainingItem, ...] = ()
        self._item: TrainingItem | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        panel = Panel("Training", " ")
        panel.setMaximumWidth(FORM_PX)
        self.panel = panel
        body = QWidget()
        self._body = QVBoxLayout(body)
        self._body.setContentsMargins(24, 16, 24, 16)
        self._body.setSpacing(12)
        self.question = QLabel()
        self.question.setProperty("tone", "question")
        self.question.setWordWrap(True)
        self._examples = QHBoxLayout()
        self._options = QVBoxLayout()
        self.reply = QLabel()
        self.reply.setWordWrap(True)
        self.reply.setTextFormat(Qt.TextFormat.PlainText)
        self.go_on = KeyCapButton("Next", "Enter", is_primary=True)
        self.go_on.clicked.connect(self.next)
        self._body.addWidget(self.question)
        self._body.addLayout(self._examples)
        self._body.addLayout(self._options)
        self._body.addWidget(self.reply)
        self._body.addWidget(self.go_on, 0, Qt.AlignmentFlag.AlignRight)
        self._body.addStretch(1)
        panel.set_body(body)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 12, 12, 12)
        row.addStretch(1)
        row.addWidget(panel, 8)
        row.addStretch(1)
        self._result: TrainingResult | None = None
        self._pictures: Mapping[ExampleDeck, Path] = {}

    @property
    def item(self) -> TrainingItem | None:
        """The item that is asked."""
        return self._item

    def begin(
        self, items: tuple[TrainingItem, ...], result: TrainingResult, pictures: Mapping[ExampleDeck, Path]
    ) -> None:
        """Ask what is still open; `pictures` are of the project's examples."""
        self._items, self._result, self._pictures = items, result, pictures
        self._ask()

    def choose(self, number: int) -> None:
        """Take the option with this number."""
        item = self._item
        if item is not None and 1 <= number <= len(item.options) and self.go_on.isHidden():
            self.answered.emit(item.id, item.options[number - 1])

    def tell(self, *, is_correct: bool, explanation: str, result: TrainingResult) -> None:
        """Say whether the answer was right; the explanation comes when no try is left."""
        self._result = result
        left = result.tries_left.get(self._item.id, 0) if self._item else 0
        if is_correct:
            words = f"✓ Right. {explanation}"
        elif left:
            words = f"✗ Not right. {left} {'try' if left == 1 else 'tries'} left."
        else:
            words = f"✗ Not right. {explanation}"
        self.reply.setText(words)
        self.reply.setAccessibleName(words)
        self.reply.setVisible(True)
        self.go_on.setVisible(is_correct or not left)
        self._show_facts()

    def next(self) -> None:
        """Go on after an explanation: to the next question, or into the study."""
        if self.go_on.isHidden():
            return
        if self._result is not None and self._result.is_passed:
            self.finished.emit()
        else:
            self._ask()

    def _ask(self) -> None:
        self._item = next((item for item in self._items if self._result.tries_left.get(item.id, 0)), None)
        for layout in (self._examples, self._options):
            while (entry := layout.takeAt(0)) is not None:
                if entry.widget() is not None:
                    entry.widget().hide()
                    entry.widget().deleteLater()
        self._show_facts()
        self.reply.setVisible(False)
        self.go_on.setVisible(False)
        if self._item is None:
            self.question.setText("The training was not passed.")
            self.reply.setText("The study stays closed. Ask its author what to do.")
            self.reply.setVisible(True)
            return
        self.question.setText(self._item.question)
        for example in self._item.examples:
            # Whether it is good, and why, is what is asked.
            self._examples.addWidget(ExampleCard(example, self._pictures.get(example), tells_all=False))
        for number, option in enumerate(self._item.options, start=1):
            button = KeyCapButton(option, str(number))
            button.setMinimumHeight(36)
            button.clicked.connect(partial(self._on_option, number))
            self._options.addWidget(button)

    def _show_facts(self) -> None:
        result = self._result
        if result is not None:
            place = next((n for n, item in enumerate(self._items, start=1) if item is self._item), len(self._items))
            needed = f"{result.pass_mark:.0%} right opens the study"
            self.panel.set_title(
                "Training", f"question {place} of {result.n_items} · {result.n_correct} right · {needed}"
            )

    def _on_option(self, number: int, _is_checked: bool = False) -> None:
        self.choose(number)
