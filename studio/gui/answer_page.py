"""What pages have on which a board at the left takes the answer: note, flag, reasons, what is missing, Submit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent

from studio.actions.answer_desk import OpenUnit
from studio.gui.digit_keys import digit_of
from studio.gui.queue_page import TRAINING
from studio.gui.shortcuts import Action, is_text_field
from studio.gui.unit_page import REASON, UnitPage
from studio.gui.widgets.answer_board import AnswerBoard
from studio.gui.widgets.answer_work import AnswerWork
from studio.gui.widgets.stage_actions import stage_actions


class AnswerPage(UnitPage):
    """A page of units, each with one answer as a whole.

    A subclass says which kinds of studies it asks, makes a board for each, and does what its own keys do.
    """

    _note_is_open = False

    # for the kinds

    def make_boards(self) -> Sequence[AnswerBoard]:
        """Return the boards of the page; called once."""
        raise NotImplementedError

    def board_for(self, unit: OpenUnit) -> AnswerBoard:
        """Return the board on which a unit is answered."""
        raise NotImplementedError

    def heading_for(self, unit: OpenUnit) -> str:
        """Return what is asked, in words."""
        raise NotImplementedError

    def show_answer(self, unit: OpenUnit, *, is_locked: bool) -> None:
        """Show the answer as it is on the board."""
        raise NotImplementedError

    def begin_unit(self, unit: OpenUnit) -> None:
        """Get ready for another unit."""

    def press_digit(self, digit: int) -> None:
        """Take a digit."""

    def go_to_unanswered(self) -> bool:
        """Go to the first thing that is not answered; return whether there is one."""
        return False

    def last_change_words(self, unit: OpenUnit) -> str:
        """Return what the last act did, in words that are read aloud."""
        return ""

    # the page

    def make_work(self) -> AnswerWork:  # @override
        return AnswerWork(self.context, self.page_id, self.make_boards())

    def _connect(self) -> None:  # @override
        super()._connect()
        for board in self._boards():
            board.follow(self.context.shortcuts, self.page_id)
            board.missing_clicked.connect(self.go_to_missing)
            board.note_edited.connect(self._on_note_edited)
            board.note_left.connect(self._save_text)
            board.note_left.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)

    def _boards(self) -> list[AnswerBoard]:
        return [self.work.boards.widget(place) for place in range(self.work.boards.count())]

    @property
    def board(self) -> AnswerBoard:
        """The board in front."""
        return self.work.board

    @property
    def reasons(self) -> Any:
        """The reasons on the board in front."""
        return self.work.board.reasons

    def reason_lists(self) -> Sequence[Any]:  # @override
        return [board.reasons for board in self._boards()]

    def actions(self) -> list[Action]:  # @override
        page, modes = self.page_id, self.answering_modes

        def act(name: str, words: str, run: Callable[[], None], *keys: str) -> Action:
            return Action(id=f"{page}.{name}", words=words, run=run, keys=keys, page=page, mode=modes)

        own = self.own_actions()
        taken = {keys for action in own for keys in action.keys}
        return [
            *own,
            act("note", "Write a note", self.write_note, "C"),
            act("flag", "Flag this instance", self.flag, "F"),
            act("cannot_judge", "Cannot judge…", self.ask_reason, "U"),
            act("submit", "Submit and next", self.submit, "Return", "Enter", "Ctrl+Return"),
            act("next_instance", "Next instance", partial(self.go, 1), "Right"),
            act("previous_instance", "Previous instance", partial(self.go, -1), "Left"),
            act("missing", "Go to what is missing", self.go_to_missing, "M"),
            act("source", "Source", self.toggle_source, "S"),
            *super().actions(),
            # A key that a mode of this page needs for itself gives way on the stage.
            *(action for action in stage_actions(page, self.stage) if not taken & {*action.keys}),
        ]

    def show_unit(self, unit: OpenUnit) -> None:  # @override
        self._note_is_open = False
        self.work.boards.setCurrentWidget(self.board_for(unit))
        self.board.note.clearFocus()
        self.board.live.say("")
        self.begin_unit(unit)

    # what the user does

    def flag(self) -> None:
        """Set or clear the flag."""
        self._act(lambda session: session.toggle_flag())

    def write_note(self) -> None:
        """Open the note and put the cursor into it."""
        if self._open is None or self._is_locked():
            return
        self._note_is_open = True
        self._show()
        self.board.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def submit(self) -> None:
        """Submit and go on; an incomplete answer stays, and what is missing first gets the focus."""
        if self._open is None:
            return
        self.settle()
        self._save_text()
        session = self._open.session
        if session.is_decided or self._is_locked():
            self._go_on()
        elif session.missing:
            self.context.toast(f"{self.missing_words(self._open)}.")
            self.go_to_missing()
        elif self._act(lambda session: session.submit()):
            self._go_on()

    def toggle_source(self) -> None:
        """Show or hide the source among the decks."""
        is_on = self.source.isHidden()
        self.work.source_button.setChecked(is_on)
        self.stage.set_extra(self.source if is_on else None)
        self._show_looked()
        self._focus_stage()

    def find(self) -> None:  # @override
        """Open the search over decks and sources."""
        if self.source.isHidden():
            self.toggle_source()
        self.source.focus_search()

    @Slot()
    def go_to_missing(self) -> None:
        """Go to what keeps the answer from being submitted: what is not answered, then what was not looked at."""
        if self._open is None or self.go_to_unanswered():
            return
        unseen = self._open.session.unseen
        if unseen:
            deck, slide = unseen[0]
            self.stage.show_slide(deck, slide)

    def missing_words(self, unit: OpenUnit) -> str:
        """Return what keeps the answer from being submitted."""
        return unit.session.missing

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        digit = digit_of(event)
        if digit is None or event.isAutoRepeat() or is_text_field(self.focusWidget()):
            super().keyPressEvent(event)
        elif self._mode == REASON:
            self.reasons.choose(digit)
        elif self._mode == TRAINING:
            self.training.choose(digit)
        elif self._is_answering():
            self.press_digit(digit)

    # saving and showing

    def save_text(self) -> None:  # @override
        note = self.board.note.toPlainText()
        self._act(lambda session: session.set_note(note), settles=False)

    def say_trouble(self, words: str) -> None:  # @override
        self.board.say_trouble(words)

    def say_change(self, unit: OpenUnit) -> None:  # @override
        self.board.live.say(self.last_change_words(unit))

    def set_asking(self, is_asking: bool) -> None:  # @override
        self.board.set_asking(is_asking)

    @Slot()
    def _show(self) -> None:  # @override
        if self._open is None:
            return
        unit = self._open
        self.work.show_foot(
            unit.session, is_locked=self._is_locked(), is_note_dirty=self.text.is_dirty,
            is_note_open=self._note_is_open, missing=self.missing_words(unit),
        )  # fmt: skip
        self.show_answer(unit, is_locked=self._is_locked())

    def _show_head(self) -> None:  # @override
        if self._open is not None:
            self.work.show_head(self.heading_for(self._open), self._desk, self._open)

    @Slot()
    def _on_note_edited(self) -> None:
        self.text.edit()
        self.context.set_saved("note not saved yet")
