"""What every board of an answering page has at its foot: note, flag, reasons, what is missing, and Submit."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from studio.gui.announcing import LiveLine
from studio.gui.shortcuts import Shortcuts
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.reason_list import ReasonList

NOTE_PX = 76


@dataclass(frozen=True, kw_only=True)
class FootState:
    """What the foot of a board shows."""

    missing: str = ""
    """What keeps the answer from being submitted, such as "2 decks unranked: C, E"."""
    status: str = ""
    status_tone: str = ""
    is_flagged: bool = False
    has_note: bool = False
    is_recognised: bool = False
    can_change: bool = True
    locked: str = ""
    """Why nothing can be changed."""
    submit_words: str = "Submit and next"


class JumpLabel(ElidedLabel):
    """Words that lead somewhere when they are clicked."""

    clicked = Signal()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # @override
        self.clicked.emit()


class NoteField(QPlainTextEdit):
    """A note that says when the cursor leaves it."""

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # @override
        super().focusOutEvent(event)
        self.left.emit()


class AnswerBoard(Panel):
    """Shows an answer and says what the user asks for; it changes nothing by itself."""

    missing_clicked = Signal()
    note_edited = Signal()
    note_left = Signal()

    def __init__(self, title: str, facts: str) -> None:
        super().__init__(title, facts)
        self._foot: FootState | None = None
        self._note_is_shown = False
        self._hidden_while_asking: list[QWidget] = []
        self.status = Badge()
        self.head.add_control(self.status)

    def follow(self, shortcuts: Shortcuts, page: str) -> None:
        """Let the buttons of the foot do the actions of a page."""
        self.note_button.follow(shortcuts, f"{page}.note")
        self.flag_button.follow(shortcuts, f"{page}.flag")
        self.cannot_button.follow(shortcuts, f"{page}.cannot_judge")
        self.recognised_button.follow(shortcuts, f"{page}.recognised")
        self.submit.follow(shortcuts, f"{page}.submit")

    def _build_foot(self) -> None:
        self.note = NoteField()
        self.note.setPlaceholderText("Note on this answer")
        self.note.setAccessibleName("Note")
        self.note.setFixedHeight(NOTE_PX)
        self.note.setTabChangesFocus(True)
        self.note.textChanged.connect(self._on_note_changed)
        self.note.left.connect(self.note_left)
        self.note.hide()
        self.reasons = ReasonList()
        self.reasons.hide()
        self.note_button = KeyCapButton("Note", "C")
        self.flag_button = KeyCapButton("Flag", "F")
        self.flag_button.setCheckable(True)
        self.cannot_button = KeyCapButton("Cannot judge", "U")
        self.recognised_button = KeyCapButton("I recognised a system", is_compact=True)
        self.recognised_button.setCheckable(True)
        self.missing = JumpLabel(mode=Qt.TextElideMode.ElideRight)
        self.missing.setProperty("tone", "muted")
        self.missing.clicked.connect(self.missing_clicked)
        self.submit = KeyCapButton("Submit and next", "Enter", is_primary=True)
        self.trouble = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.trouble.setProperty("tone", "bad")
        self.trouble.hide()
        self.live = LiveLine()
        self.missing_above = JumpLabel(mode=Qt.TextElideMode.ElideRight)
        self.missing_above.setProperty("tone", "muted")
        self.missing_above.clicked.connect(self.missing_clicked)
        foot = QWidget()
        self.foot_column = QVBoxLayout(foot)
        self.foot_column.setContentsMargins(12, 8, 12, 12)
        self.foot_column.setSpacing(8)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in (self.note_button, self.flag_button, self.cannot_button):
            row.addWidget(button)
        row.addStretch(1)
        self.second_row = QWidget()
        second = QHBoxLayout(self.second_row)
        second.setContentsMargins(0, 0, 0, 0)
        second.setSpacing(8)
        second.addWidget(self.recognised_button)
        second.addStretch(1)
        second.addWidget(self.live)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self.missing, 1)
        last.addStretch(0)
        last.addWidget(self.submit)
        for widget in (self.note, self.reasons, self.buttons, self.second_row, self.trouble, self.missing_above):
            self.foot_column.addWidget(widget)
        self.foot_column.addLayout(last)
        self._hidden_while_asking += [self.buttons, self.second_row]
        self._column.addWidget(hairline())
        self._column.addWidget(foot)

    def show_foot(self, state: FootState) -> None:
        """Show what the foot says."""
        self.flag_button.setChecked(state.is_flagged)
        self.recognised_button.setChecked(state.is_recognised)
        if state == self._foot:
            return
        self._foot = state
        self.status.set_text(state.status, state.status_tone)
        self.note_button.setText("Note ✓" if state.has_note else "Note")
        for button in (self.note_button, self.flag_button, self.cannot_button, self.recognised_button):
            button.setEnabled(state.can_change)
        self.submit.setText(state.submit_words)
        self.submit.setEnabled(state.can_change and not state.missing)
        self.submit.setAccessibleDescription(state.missing)
        self._show_missing()

    def _show_missing(self) -> None:
        """Say what is missing beside the button if it fits there, else above it."""
        words = (self._foot.locked or self._foot.missing) if self._foot else ""
        room = self.width() - self.submit.sizeHint().width() - 24 - 16
        fits = self.fontMetrics().horizontalAdvance(words) <= room
        self.missing.set_text(words if fits else "")
        self.missing_above.set_text("" if fits else words)
        self.missing_above.setVisible(not fits)

    def set_asking(self, is_asking: bool) -> None:
        """Make room for the question why something cannot be judged, or take it away."""
        for widget in self._hidden_while_asking:
            widget.setVisible(not is_asking)
        self.reasons.setVisible(is_asking)
        self.note.setVisible(not is_asking and (self._note_is_shown or bool(self.note.toPlainText())))

    def show_note(self, note: str, *, is_open: bool) -> None:
        """Show the stored note; the field is open if there is one or it was asked for."""
        if note != self.note.toPlainText() and not self.note.hasFocus():
            self.note.blockSignals(True)
            self.note.setPlainText(note)
            self.note.blockSignals(False)
        self._note_is_shown = is_open or bool(note)
        self.note.setVisible(self._note_is_shown and not self.buttons.isHidden())

    def say_trouble(self, words: str) -> None:
        """Say what went wrong with saving; empty takes it away."""
        self.trouble.set_text(words)
        self.trouble.setVisible(bool(words))

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self._show_missing()

    @Slot()
    def _on_note_changed(self) -> None:
        self.note_edited.emit()
