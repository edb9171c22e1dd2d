"""Protocols A to C: one person tries one deck out in its own program and answers eight yes/no questions."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from studio.actions.editability import OpenForm, copy_to_try
from studio.errors import StudioError
from studio.gui.context import AppContext
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label
from studio.gui.widgets.restyle import set_style_property
from studio.model.answers import AnswerStatus
from studio.model.changes import Topic, changed
from studio.model.editability import PROTOCOL_TITLES, STEPS, Protocol, Step, StepAnswer
from studio.model.ids import DeckId

ANSWERS = (
    (StepAnswer.YES, "Yes", "Y", "ok"),
    (StepAnswer.NO, "No", "N", "bad"),
    (StepAnswer.CANNOT_TELL, "Cannot tell", "C", "warn"),
    (StepAnswer.NOT_APPLICABLE, "Not applicable", "X", ""),
)
_KEYS = {Qt.Key.Key_Y: 0, Qt.Key.Key_N: 1, Qt.Key.Key_C: 2, Qt.Key.Key_X: 3,
         Qt.Key.Key_1: 0, Qt.Key.Key_2: 1, Qt.Key.Key_3: 2, Qt.Key.Key_4: 3}  # fmt: skip


class StepRow(QWidget):
    """One step: what to do, the question, four answers and a note."""

    answered = Signal(str, object)
    """Step id and answer."""
    noted = Signal(str, str)
    picked = Signal(str)

    def __init__(self, step: Step) -> None:
        super().__init__()
        self.step = step
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.badge = Badge(step.id)
        todo = toned_label(step.todo, "muted")
        question = QLabel(step.question)
        for label in (todo, question):
            label.setWordWrap(True)
        self.buttons: dict[StepAnswer, KeyCapButton] = {}
        answers = QHBoxLayout()
        answers.setSpacing(8)
        for answer, words, key, tone in ANSWERS:
            button = KeyCapButton(words, key, tone=tone, is_compact=True)
            button.setCheckable(True)
            button.setAccessibleName(f"{step.id}: {words}")
            button.clicked.connect(partial(self._on_clicked, answer))
            self.buttons[answer] = button
            answers.addWidget(button)
        self.note = QLineEdit()
        self.note.setPlaceholderText("Note")
        self.note.setAccessibleName(f"Note on {step.id}")
        self.note.editingFinished.connect(self._on_note_edited)
        answers.addWidget(self.note, 1)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.badge, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(question, 0, 1)
        grid.addWidget(todo, 1, 1)
        grid.addLayout(answers, 2, 1)

    def show_answer(self, answer: StepAnswer | None, note: str) -> None:
        """Show what is stored."""
        for each, button in self.buttons.items():
            button.setChecked(each is answer)
        if not self.note.hasFocus():
            self.note.setText(note)

    def set_current(self, is_current: bool) -> None:
        """Mark the step that keys answer; only its buttons show their keys."""
        set_style_property(self, "current", is_current)
        for (answer, _, key, _), button in zip(ANSWERS, self.buttons.values(), strict=True):
            button.set_key(key if is_current else "")
            button.setAccessibleDescription(f"Key {key}" if is_current else answer.value)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # @override
        self.picked.emit(self.step.id)
        super().mousePressEvent(event)

    def _on_clicked(self, answer: StepAnswer, _is_checked: bool = False) -> None:
        self.answered.emit(self.step.id, answer)

    @Slot()
    def _on_note_edited(self) -> None:
        self.noted.emit(self.step.id, self.note.text().strip())


class ProtocolForm(QDialog):
    """The form of one deck. Every answer is stored before it shows.

    Args:
        context: the window's services.
        opened: the form and its clock.
        name: what the deck is called here: the system, or a letter.
        deck_id: which deck.
        parent: the page.
    """

    ended = Signal()
    """The form was submitted, or it was said that the deck cannot be judged."""

    def __init__(
        self, context: AppContext, opened: OpenForm, name: str, deck_id: DeckId, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.form, self._clock = opened
        self._context, self._name, self._deck_id = context, name, deck_id
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._current = 0
        self.setWindowTitle(f"Try out {name}")
        self.setMinimumSize(560, 420)
        self.resize(760, 780)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._build()
        self._show(self._first_open())
        # Keys answer from the start; else the first button would have them.
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self) -> None:
        title = toned_label(f"How far can {self._name} be edited?", "title")
        title.setWordWrap(True)
        rules = toned_label(
            "Open the deck in the program that edits it, try each step on it, and answer. What you change there is a "
            "copy. Every answer is stored at once.", "muted",
        )  # fmt: skip
        rules.setWordWrap(True)
        self.open_button = KeyCapButton("Open a copy of the deck", "O")
        self.open_button.clicked.connect(self.open_deck)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignTop)
        self.rows: list[StepRow] = []
        body = QWidget()
        steps = QVBoxLayout(body)
        steps.setContentsMargins(0, 0, 8, 0)
        steps.setSpacing(4)
        for protocol in Protocol:
            steps.addSpacing(8)
            steps.addWidget(toned_label(f"{protocol.value} · {PROTOCOL_TITLES[protocol]}", "heading"))
            steps.addWidget(hairline())
            for step in STEPS:
                if step.protocol is protocol:
                    row = StepRow(step)
                    row.answered.connect(self._on_answered)
                    row.noted.connect(self._on_noted)
                    row.picked.connect(self._on_picked)
                    self.rows.append(row)
                    steps.addWidget(row)
        steps.addStretch(1)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setWidget(body)
        self.verdict = toned_label("", "muted")
        self.verdict.setWordWrap(True)
        self.undo_button = KeyCapButton("Undo", "Ctrl+Z")
        self.undo_button.clicked.connect(self.undo)
        self.cannot_button = KeyCapButton("Cannot judge…", "J")
        self.cannot_button.clicked.connect(self.ask_reason)
        self.submit_button = KeyCapButton("Submit", "Ctrl+Return", is_primary=True)
        self.submit_button.clicked.connect(self.submit)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.verdict, 1)
        for button in (self.undo_button, self.cannot_button, self.submit_button):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(rules)
        column.addWidget(self.scroll, 1)
        column.addWidget(hairline())
        column.addLayout(foot)

    # what keys do

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        self._clock.touch()
        key, with_ctrl = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if with_ctrl and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submit()
        elif with_ctrl and key == Qt.Key.Key_Z:
            self.undo()
        elif with_ctrl and key == Qt.Key.Key_Y:
            self.redo()
        elif is_plain and key in _KEYS and not event.isAutoRepeat():
            self.answer(ANSWERS[_KEYS[Qt.Key(key)]][0])
        elif is_plain and key == Qt.Key.Key_O:
            self.open_deck()
        elif is_plain and key == Qt.Key.Key_J:
            self.ask_reason()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self._show(min(self._current + 1, len(self.rows) - 1))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp):
            self._show(max(self._current - 1, 0))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # In a note it ends the note; it must not press whatever button Qt takes for the default one.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        elif is_plain and key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self._act(partial(self.form.clear, self.rows[self._current].step.id))
        else:
            super().keyPressEvent(event)

    def answer(self, answer: StepAnswer) -> None:
        """Answer the current step and go to the next one."""
        if self._act(partial(self.form.answer, self.rows[self._current].step.id, answer)):
            self._show(min(self._current + 1, len(self.rows) - 1))

    @Slot()
    def undo(self) -> None:
        """Take the last act back."""
        self._act(self.form.undo)

    def redo(self) -> None:
        """Bring the last act that was taken back again."""
        self._act(self.form.redo)

    @Slot()
    def submit(self) -> None:
        """Submit the form and close it."""
        if self._act(self.form.submit):
            level = self.form.level.value
            found = "submitted without a level" if level is None else f"level {level:.0f} by your answers"
            self._end(f"{self._name}: {found}.")

    @Slot()
    def ask_reason(self) -> None:
        """Ask why the deck cannot be judged."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Cannot judge")
        dialog.setLabelText("Why can this deck not be tried out?")
        dialog.textValueSelected.connect(self.cannot_judge)
        dialog.open()

    @Slot(str)
    def cannot_judge(self, reason: str) -> None:
        """Store that the deck cannot be tried out."""
        if self._act(partial(self.form.cannot_judge, reason)):
            self._end(f"{self._name}: stored that it cannot be judged.")

    @Slot()
    def open_deck(self) -> None:
        """Open a copy of the deck in the desktop's own program for it."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="podium-try-", ignore_cleanup_errors=True)
        self._context.background.query(
            partial(
                copy_to_try, self._context.project, self._deck_id, Path(self._folder.name), self._name,
                is_blind=self._context.is_blind, passwords=self._context.passwords,
            ),
            self._on_copied, self._context.report, owner=self,
        )  # fmt: skip

    def _on_copied(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.toast("No program opens this file here.")

    # what is shown

    def _act(self, act: partial[None] | object) -> bool:
        try:
            act()  # type: ignore[operator]
        except StudioError as error:
            self._say(str(error), "warn")
            return False
        self._show(self._current)
        return True

    def _first_open(self) -> int:
        open_ids = {step.id for step in self.form.open_steps}
        return next((place for place, row in enumerate(self.rows) if row.step.id in open_ids), 0)

    def _show(self, current: int) -> None:
        state = self.form.state
        self._current = current
        for place, row in enumerate(self.rows):
            row.show_answer(state.answers.get(row.step.id), state.notes.get(row.step.id, ""))
            row.set_current(place == current)
        # The row has its place only after the first layout.
        QTimer.singleShot(0, self, self._bring_into_sight)
        self.undo_button.setEnabled(self.form.can_undo)
        self.submit_button.setEnabled(not self.form.missing)
        if state.status is AnswerStatus.SUBMITTED:
            self._say("Submitted. Another answer opens the form again.", "muted")
        elif state.status is AnswerStatus.CANNOT_JUDGE:
            self._say(f"Cannot be judged: {state.reason}", "muted")
        else:
            self._say(self.form.missing or "All steps are answered.", "muted")

    def _bring_into_sight(self) -> None:
        self.scroll.ensureWidgetVisible(self.rows[self._current], 0, 24)

    def _say(self, words: str, tone: str) -> None:
        self.verdict.setText(words)
        set_style_property(self.verdict, "tone", tone)

    def _end(self, words: str) -> None:
        self._context.announce(changed(Topic.ANSWERS))
        self._context.toast(words)
        self.ended.emit()
        self.close()

    def done(self, result: int) -> None:  # @override
        for row in self.rows:
            row.note.blockSignals(True)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        super().done(result)

    @Slot(str, object)
    def _on_answered(self, step_id: str, answer: StepAnswer) -> None:
        self._clock.touch()
        self._current = self._place(step_id)
        self.answer(answer)

    @Slot(str, str)
    def _on_noted(self, step_id: str, note: str) -> None:
        self._clock.touch()
        self._act(partial(self.form.set_note, step_id, note))

    @Slot(str)
    def _on_picked(self, step_id: str) -> None:
        self._clock.touch()
        self._show(self._place(step_id))

    def _place(self, step_id: str) -> int:
        return next(place for place, row in enumerate(self.rows) if row.step.id == step_id)
