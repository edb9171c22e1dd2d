"""The form of one question: what is asked, four options with the right one marked, the quote, what code says."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from studio.gui.widgets.panel import toned_label
from studio.model.quiz import LETTERS, Question, QuestionType
from studio.quiz.checks import Finding, Severity

ORIGINS = {"offline": "drafted by rules", "judge": "written by a model", "person": "written by a person",
           "imported": "imported"}  # fmt: skip


class QuestionEditor(QScrollArea):
    """Shows a question; `question()` is it as the form has it."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._question: Question | None = None
        self._is_filling = False
        self.type = QComboBox()
        self.type.setAccessibleName("Type")
        for kind in QuestionType:
            self.type.addItem(kind.value.capitalize(), kind)
        self.words = _area("Question", 92)
        self.options: dict[str, QLineEdit] = {}
        self.keys: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        for row, letter in enumerate(LETTERS):
            key = QRadioButton(letter)
            key.setAccessibleName(f"{letter} is the right option")
            key.setToolTip("The right option")
            field = QLineEdit()
            field.setAccessibleName(f"Option {letter}")
            self._group.addButton(key)
            grid.addWidget(key, row, 0)
            grid.addWidget(field, row, 1)
            self.keys[letter], self.options[letter] = key, field
            key.toggled.connect(self._on_edited)
            field.textEdited.connect(self._on_edited)
        holder = QWidget()
        holder.setLayout(grid)
        self.explanation = _area("Explanation", 56)
        self.quote = _area("Quote of the source", 84)
        self.place = toned_label("", "muted")
        self.place.setWordWrap(True)
        self.state = toned_label("", "muted")
        self.state.setWordWrap(True)
        self.hints = toned_label("", "warn")
        self.hints.setWordWrap(True)
        for label in (self.place, self.state, self.hints):
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        form = QFormLayout()
        form.setContentsMargins(12, 12, 12, 12)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for words, field in (
            ("Type", self.type), ("Question", self.words), ("Options", holder), ("Quote", self.quote),
            ("", self.place), ("Why", self.explanation), ("State", self.state), ("Checks", self.hints),
        ):  # fmt: skip
            form.addRow(toned_label(words, "muted"), field)
        body = QWidget()
        body.setLayout(form)
        self.setWidget(body)
        self.type.activated.connect(self._on_edited)
        for area in (self.words, self.explanation, self.quote):
            area.textChanged.connect(self._on_edited)

    def set_read_only(self, is_read_only: bool) -> None:
        """Lock or unlock the form."""
        self.type.setEnabled(not is_read_only)
        for area in (self.words, self.explanation, self.quote):
            area.setReadOnly(is_read_only)
        for letter in LETTERS:
            self.options[letter].setReadOnly(is_read_only)
            self.keys[letter].setEnabled(not is_read_only)

    def show_question(self, question: Question) -> None:
        """Fill the form."""
        self._is_filling, self._question = True, question
        self.type.setCurrentIndex(self.type.findData(question.type))
        _set(self.words, question.question)
        self._group.setExclusive(False)
        for letter in LETTERS:
            self.options[letter].setText(question.options.get(letter, ""))
            self.options[letter].setCursorPosition(0)
            self.keys[letter].setChecked(letter == question.answer)
        self._group.setExclusive(True)
        _set(self.explanation, question.explanation)
        _set(self.quote, question.source_quote)
        self._show_place(question)
        self.show_state(question)
        self._is_filling = False

    def show_state(self, question: Question) -> None:
        """Say whether a person stands behind it."""
        words = {"draft": "Draft", "accepted": "Accepted", "rejected": "Rejected"}[question.state.value]
        if question.verified_by:
            words += f" by {question.verified_by} on {question.verified_at[:10]}"
        words += f" · {ORIGINS[question.origin.value]}"
        self.state.setText(words + (f"\n{question.note}" if question.note else ""))

    def show_findings(self, findings: list[Finding]) -> None:
        """Say what code finds in it."""
        lines = [
            f"{'Error' if each.severity is Severity.ERROR else 'Hint'}: {each.message}"
            for each in sorted(findings, key=lambda one: one.severity is not Severity.ERROR)
        ]
        self.hints.setText("\n".join(lines) or "Nothing found.")
        self.hints.setProperty("tone", "warn" if lines else "muted")
        self.hints.style().unpolish(self.hints)
        self.hints.style().polish(self.hints)

    def take_quote(self, words: str, source: str, page: int) -> None:
        """Put a quote with its place into the form."""
        if self._question is None:
            return
        self._question = replace(self._question, source=source, page=page)
        _set(self.quote, words)
        self._show_place(self._question)
        self._on_edited()

    def question(self) -> Question | None:
        """Return the question as the form has it."""
        if self._question is None:
            return None
        chosen = next((letter for letter in LETTERS if self.keys[letter].isChecked()), self._question.answer)
        return replace(
            self._question, type=self.type.currentData(), question=self.words.toPlainText().strip(),
            options={letter: self.options[letter].text().strip() for letter in LETTERS}, answer=chosen,
            explanation=self.explanation.toPlainText().strip(), source_quote=self.quote.toPlainText().strip(),
        )  # fmt: skip

    def _show_place(self, question: Question) -> None:
        words = [question.source, f"page {question.page}" if question.page else ""]
        self.place.setText(" · ".join(each for each in words if each))

    @Slot()
    def _on_edited(self, *_: object) -> None:
        if not self._is_filling:
            self.edited.emit()


def _area(name: str, pixels: int) -> QPlainTextEdit:
    area = QPlainTextEdit()
    area.setAccessibleName(name)
    area.setTabChangesFocus(True)
    area.setFixedHeight(pixels)
    return area


def _set(area: QPlainTextEdit, words: str) -> None:
    if area.toPlainText() != words:
        area.setPlainText(words)
