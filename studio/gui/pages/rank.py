"""Rank: one person puts an instance's decks in order, by keyboard, and every act is stored before it shows."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from studio.actions.ranking_desk import (
    DECIDED,
    Desk,
    OpenInstance,
    nothing_left_words,
    open_instance,
    read_desk,
    unranked_words,
)
from studio.actions.sessions import answers_changed
from studio.errors import BadInput, StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.digit_keys import digit_of
from studio.gui.page import Page
from studio.gui.shortcuts import Action, is_text_field
from studio.gui.typed_ranks import TypedRanks
from studio.gui.widgets.name_form import NameForm
from studio.gui.widgets.rank_work import RankWork
from studio.gui.widgets.stage_actions import stage_actions
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.window_activity import WindowActivity
from studio.model.answers import Role
from studio.model.changes import Changes, Topic
from studio.model.ids import DeckId, InstanceId

_log = logging.getLogger(__name__)

NOTE_MS = 500
"""A note is stored when typing has paused for this long."""
RETRY_MS = 3000
"""How soon an unsaved note is tried again."""
PLACING, REASON = "placing", "reason"


class RankPage(Page):
    """The page on which decks are ranked."""

    page_id = "rank"
    title = "Rank"
    icon_name = "list-ordered"
    instance_shown = Signal(str)
    """The decks of this instance are on the page, and its ranking as stored."""
    finished = Signal()
    """Nothing is left to rank, or nothing can be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context: AppContext | None = None
        self._desk: Desk | None = None
        self._open: OpenInstance | None = None
        self._ticket: Ticket | None = None
        self._count_ticket: Ticket | None = None
        self._wanted: dict[str, str] = {}
        self._digits = TypedRanks(self)
        self._activity = WindowActivity(self)
        self._mode = PLACING
        self._note_is_dirty = False
        self._note_is_open = False
        self._is_front = False
        self._layers = QStackedLayout(self)

    # the page

    def open_project(self, context: AppContext) -> None:  # @override
        self.context = context
        self._build()
        self._layers.setCurrentWidget(self.loading)

    def _build(self) -> None:
        self.work = RankWork(self.context)
        self.stage, self.board, self.source = self.work.stage, self.work.board, self.work.source
        self.reasons, self.heading, self.facts = self.work.reasons, self.work.heading, self.work.facts
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("Nothing to rank yet", "", icon_name="list-ordered", is_primary=False)
        self.failed = FailedState("The ranking cannot be opened")
        self.who = NameForm("Who is ranking?", "list-ordered")
        for layer in (self.work, self.loading, self.empty, self.failed, self.who):
            self._layers.addWidget(layer)
        self._note_timer = QTimer(self)
        self._note_timer.setSingleShot(True)
        self._connect()

    def _connect(self) -> None:
        board, shortcuts = self.board, self.context.shortcuts
        board.note_button.follow(shortcuts, "rank.note")
        board.flag_button.follow(shortcuts, "rank.flag")
        board.cannot_button.follow(shortcuts, "rank.cannot_judge")
        board.submit.follow(shortcuts, "rank.submit")
        board.deck_picked.connect(self._on_deck_picked)
        board.rank_asked.connect(self._on_rank_asked, Qt.ConnectionType.QueuedConnection)
        board.unrank_asked.connect(self._on_unrank_asked, Qt.ConnectionType.QueuedConnection)
        board.missing_clicked.connect(self.go_to_missing)
        board.note_edited.connect(self._on_note_edited)
        board.note_left.connect(self._save_note)
        board.note_left.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
        self.reasons.reason_given.connect(self._on_reason_given)
        self.reasons.cancelled.connect(self.cancel_reason)
        self.stage.focus_changed.connect(self._on_focus_changed)
        self.stage.moved.connect(self._on_moved)
        self.stage.phrase_picked.connect(self._on_phrase_picked)
        self.stage.retried.connect(self._on_retried)
        self.source.slide_asked.connect(self._on_slide_asked)
        self.source.closed.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
        self.failed.retried.connect(self.reload)
        self.empty.button_clicked.connect(self._on_empty_button)
        self.who.name_given.connect(self._on_name_given)
        self.work.undo_button.clicked.connect(self.undo)
        self.work.redo_button.clicked.connect(self.redo)
        self._digits.rank_typed.connect(self._give)
        self._activity.acted.connect(self._on_acted)
        self._note_timer.timeout.connect(self._save_note)

    def close_project(self) -> None:  # @override
        if self.context is None:
            return
        self._leave_instance()
        self._drop(self._ticket)
        self._drop(self._count_ticket)
        self.source.stop()
        self._digits.forget()
        self._note_timer.stop()
        self._desk = None

    def go_to(self, **place: str) -> None:  # @override
        self._wanted = {name: place[name] for name in ("instance", "deck") if name in place}
        if self._desk is not None and self._wanted:
            self._open_wanted()

    def place(self) -> dict[str, str]:  # @override
        return {"instance": str(self._open.instance.id)} if self._open else {}

    def on_shown(self) -> None:  # @override
        self._is_front = True
        self.context.shortcuts.set_page(self.page_id, self._mode)
        self._activity.watch(self)
        if self._desk is None or self._desk.person.name != self._name():
            self.reload()
        elif self._open is not None:
            self._show_saved()
            self.context.set_crumb(self._open.instance.title)
            self._focus_stage()

    def on_hidden(self) -> None:  # @override
        self._is_front = False
        self._digits.settle()
        self._save_note()
        self._activity.stop()
        if self._open is not None:
            self._open.clock.away()
        if not self._note_is_dirty:
            self.context.set_saved("")

    def on_changes(self, changes: Changes) -> None:  # @override
        if changes.origin == self.page_id or self._desk is None:
            return
        if changes.topics & {Topic.DECKS, Topic.ANSWERS, Topic.PEOPLE}:
            # A ticket of its own: counting must not take the place of an instance that is being opened.
            self._drop(self._count_ticket)
            self._count_ticket = self._read_desk(self._on_counted)

    def actions(self) -> list[Action]:  # @override
        def act(name: str, words: str, run: Callable[[], None], *keys: str, mode: str = PLACING, **more: Any) -> Action:
            return Action(id=f"rank.{name}", words=words, run=run, keys=keys, page="rank", mode=mode, **more)

        give = [
            act(f"give_{rank}", f"Rank the focused deck {rank}", partial(self.press_digit, rank), str(rank),
                is_in_palette=False)
            for rank in range(1, 10)
        ]  # fmt: skip
        why = [
            act(f"reason_{number}", f"Cannot judge: {words}", partial(self.reasons.choose, number), str(number),
                mode=REASON, is_in_palette=False)
            for number, words in enumerate(self.reasons.words(), start=1)
        ]  # fmt: skip
        return [
            *give,
            act("unrank", "Take the rank away", self.unrank, "Backspace"),
            act("up", "Move up", partial(self.move, -1), "Alt+Up", repeats=True),
            act("down", "Move down", partial(self.move, 1), "Alt+Down", repeats=True),
            act("tie", "Tie with the deck above, or end the tie", self.tie, "T"),
            act("note", "Write a note", self.write_note, "C"),
            act("flag", "Flag this instance", self.flag, "F"),
            act("cannot_judge", "Cannot judge…", self.ask_reason, "U"),
            act("recognised", "I recognised a system", self.recognise),
            act("submit", "Submit and next", self.submit, "Return", "Enter", "Ctrl+Return"),
            act("skip", "Skip for now", self.skip, "Ctrl+Space"),
            act("undo", "Undo", self.undo, "Ctrl+Z"),
            act("redo", "Redo", self.redo, "Ctrl+Shift+Z", "Ctrl+Y"),
            act("next_instance", "Next instance", partial(self.go, 1), "Right"),
            act("previous_instance", "Previous instance", partial(self.go, -1), "Left"),
            act("source", "Source", self.toggle_source, "S"),
            act("find", "Search decks and sources", self.find, "Ctrl+F"),
            act("back", "Back", self.back, "Escape", mode="", is_in_palette=False),
            *why,
            *stage_actions(self.page_id, self.stage),
        ]

    # queue and instances

    @Slot()
    def reload(self) -> None:
        """Read the queue anew, and then the instance that is wanted or was open."""
        if not self._name():
            self._layers.setCurrentWidget(self.who)
            if self._is_front:
                self.who.field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if self._open is not None and "instance" not in self._wanted:
            self._wanted = {"instance": str(self._open.instance.id), "deck": str(self.stage.focused or "")}
        self._leave_instance()
        self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        self._ticket = self._read_desk(self._on_desk)

    def _name(self) -> str:
        return self.context.settings.text("profile_name").strip()

    def _read_desk(self, done: Callable[[Desk], None]) -> Ticket:
        settings = self.context.settings
        read = partial(
            read_desk, self.context.project, self._name(), group=settings.text("profile_group"),
            role=Role(settings.role.value),
        )  # fmt: skip
        return self.context.background.query(read, done, self._on_failed, owner=self)

    def _drop(self, ticket: Ticket | None) -> None:
        if ticket is not None:
            ticket.drop()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if not isinstance(error, StudioError):
            self.context.report(error)
        self.failed.set_words("The ranking cannot be opened", str(error))
        self._layers.setCurrentWidget(self.failed)

    def _on_desk(self, desk: Desk) -> None:
        self._ticket = None
        self._desk = desk
        self._open_wanted()

    def _on_counted(self, desk: Desk) -> None:
        self._count_ticket = None
        self._desk = desk
        if self._open is None:
            if self._layers.currentWidget() is self.empty:
                self._open_wanted()
            return
        place = desk.place_of(self._open.instance.id)
        if place is None or desk.queue[place].n_decks != len(self._open.decks):
            self.reload()
        else:
            self._show_head()

    def _open_wanted(self) -> None:
        wanted = InstanceId(self._wanted.pop("instance", ""))
        if self._desk.place_of(wanted) is not None:
            self._open_instance(wanted)
        else:
            self._open_next(None)

    def _open_next(self, after: InstanceId | None) -> None:
        following = self._desk.next_to_do(after)
        if following is not None:
            self._open_instance(following)
        else:
            self._show_nothing()

    def _open_instance(self, instance_id: InstanceId) -> None:
        if self._open is not None and self._open.instance.id == instance_id:
            self._layers.setCurrentWidget(self.work)
            self._focus_wanted()
            return
        self._leave_instance()
        if self._layers.currentWidget() is not self.work:
            self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        read = partial(open_instance, self.context.project, self._desk.person, instance_id)
        self._ticket = self.context.background.query(read, self._on_opened, self._on_failed, owner=self)

    def _on_opened(self, opened: OpenInstance) -> None:
        self._ticket = None
        self._open = opened
        self._digits.begin(len(opened.decks))
        self._note_is_dirty = self._note_is_open = False
        self.board.note.clearFocus()
        self.board.say_trouble("")
        self._set_mode(PLACING)
        self.board.set_decks({deck.id: deck for deck in opened.decks})
        self.stage.show_decks(opened.decks)
        self._layers.setCurrentWidget(self.work)
        self.source.show_instance(
            self.context.project, opened.instance.id, {deck.id: deck.name for deck in opened.decks}
        )
        self._show()
        self._show_head()
        if self._is_front:
            self.context.set_crumb(opened.instance.title)
            self._show_saved()
        self._focus_wanted()
        self.instance_shown.emit(opened.instance.id)

    def _focus_wanted(self) -> None:
        deck = self._wanted.pop("deck", "")
        if deck and self.stage.deck(deck) is not None:
            self.stage.focus(DeckId(deck), takes_keyboard=self._is_front)
        elif self._is_front:
            self._focus_stage()

    @Slot()
    def _focus_if_nowhere(self) -> None:
        """After Escape in a text nothing has the keyboard: the focused deck takes it."""
        if self._is_front and self._mode == PLACING and QApplication.focusWidget() is None:
            self._focus_stage()

    def _focus_stage(self) -> None:
        if self.stage.focused is not None:
            self.stage.focus(self.stage.focused)

    def _leave_instance(self) -> None:
        if self._open is None:
            return
        self._digits.settle()
        self._save_note()
        self._open.clock.away()
        self._open = None

    def _show_nothing(self) -> None:
        self._leave_instance()
        self.empty.set_words(*nothing_left_words(self._desk))
        if self._desk.queue:
            self.empty.button.setText("Look at them again")
        else:
            self.empty.button.setText("Go to Library" if not self.context.is_blind else "")
        self.empty.button.setVisible(bool(self.empty.button.text()))
        self._layers.setCurrentWidget(self.empty)
        if self._is_front:
            self.context.set_crumb("")
            self.empty.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.finished.emit()

    # what the user does

    def press_digit(self, digit: int) -> None:
        """Take a digit: a rank for the focused deck, at once or when a second digit has not come."""
        if self._open is None or self._mode != PLACING:
            return
        self._digits.press(digit)
        self._show()

    def unrank(self) -> None:
        """Take the focused deck's rank away."""
        self._on_focused(lambda session, deck: session.unrank(deck))

    def move(self, step: int) -> None:
        """Move the focused deck up (−1) or down (+1)."""
        self._on_focused(lambda session, deck: session.move(deck, step))

    def tie(self) -> None:
        """Tie the focused deck with the one above, or end its tie."""
        self._on_focused(lambda session, deck: session.tie(deck))

    def flag(self) -> None:
        """Set or clear the flag."""
        self._act(lambda session: session.toggle_flag())

    def recognise(self) -> None:
        """Note, or take back, that a system was recognised."""
        if self._act(lambda session: session.toggle_recognised()):
            is_known = self._open.session.state.recognised_system
            self.context.toast("Noted: a system was recognised." if is_known else "Taken back.")

    def undo(self) -> None:
        """Take the last act back."""
        self._act(lambda session: session.undo())

    def redo(self) -> None:
        """Bring the last act back again."""
        self._act(lambda session: session.redo())

    def write_note(self) -> None:
        """Open the note and put the cursor into it."""
        if self._open is None or self._is_locked():
            return
        self._note_is_open = True
        self._show()
        self.board.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_reason(self) -> None:
        """Ask why this instance cannot be judged; one key answers."""
        if self._open is None or self._is_locked():
            return
        self._digits.settle()
        self._set_mode(REASON)

    @Slot()
    def cancel_reason(self) -> None:
        """Close the reasons without an answer."""
        self._set_mode(PLACING)
        self._focus_stage()

    def submit(self) -> None:
        """Submit and go on; an incomplete ranking stays, and the first deck without a rank gets the focus."""
        if self._open is None:
            return
        self._digits.settle()
        self._save_note()
        session = self._open.session
        if session.state.status in DECIDED or self._is_locked():
            self._go_on()
        elif session.missing:
            self.context.toast(f"{unranked_words(session)}.")
            self.go_to_missing()
        elif self._act(lambda session: session.submit()):
            self._go_on()

    def skip(self) -> None:
        """Leave this instance for later and go on."""
        if self._open is None:
            return
        self._digits.settle()
        self._save_note()
        if self._open.session.state.status in DECIDED or self._act(lambda session: session.skip()):
            self._go_on()

    def go(self, by: int) -> None:
        """Go to the next or the previous instance; the draft stays as it is."""
        if self._open is None:
            return
        there = self._desk.neighbour(self._open.instance.id, by)
        if there is not None:
            self._open_instance(there)
        else:
            self.context.toast("This is the last instance." if by > 0 else "This is the first instance.")

    def toggle_source(self) -> None:
        """Show or hide the source among the decks."""
        is_on = self.source.isHidden()
        self.work.source_button.setChecked(is_on)
        self.stage.set_extra(self.source if is_on else None)
        self._focus_stage()

    def find(self) -> None:
        """Open the search over decks and sources."""
        if self.source.isHidden():
            self.toggle_source()
        self.source.focus_search()

    def back(self) -> None:
        """Close what is open on top: reasons, then the contact sheet."""
        if self._mode == REASON:
            self.cancel_reason()
        elif self.stage.has_sheet:
            self.stage.close_sheet()
        elif self.source.close_search():
            self._focus_stage()

    @Slot()
    def go_to_missing(self) -> None:
        """Focus the first deck without a rank."""
        if self._open is not None and self._open.session.unranked:
            self.stage.focus(self._open.session.unranked[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        digit = digit_of(event)
        if digit is None or event.isAutoRepeat() or is_text_field(self.focusWidget()):
            super().keyPressEvent(event)
        elif self._mode == REASON:
            self.reasons.choose(digit)
        else:
            self.press_digit(digit)

    # acts

    @Slot(int)
    def _give(self, rank: int) -> None:
        if self._open is None:
            return
        if rank <= len(self._open.decks):
            self._on_focused(lambda session, deck: session.rank(deck, rank), settles=False)
        else:
            self.context.toast(f"There is no rank {rank}: there are {len(self._open.decks)} decks.")

    def _on_focused(self, do: Callable[[Any, DeckId], None], *, settles: bool = True) -> None:
        deck = self.stage.focused
        if deck is not None:
            self._act(lambda session: do(session, deck), settles=settles)

    def _act(self, do: Callable[[Any], None], *, settles: bool = True) -> bool:
        """Do something to the ranking, which is stored before this returns; return whether it was."""
        if self._open is None:
            return False
        if settles:
            self._digits.settle()
        if self._is_locked():
            self.context.toast("The project is open read-only: nothing can be changed here.")
            self._show()
            return False
        session = self._open.session
        before = session.saved_at
        try:
            do(session)
        except BadInput as error:
            self.context.toast(str(error))
            self._show()
            return False
        except Exception as error:
            # Whatever the store says (disk full, folder gone, a locked file), the person must know that the last
            # act is not kept; the screen goes back to what is stored.
            self._not_saved(error)
            return False
        self.board.say_trouble("")
        self._show()
        self._show_saved()
        if session.saved_at != before:
            self.context.announce(answers_changed(self.page_id))
        return True

    def _not_saved(self, error: Exception) -> None:
        words = str(error) if isinstance(error, StudioError) else f"{error}."
        if not self.board.trouble.full_text():
            _log.exception("an answer could not be stored")
        self.board.say_trouble(f"Not saved: {words}")
        self.context.set_saved("not saved")
        self._show()

    @Slot()
    def _save_note(self) -> None:
        self._note_timer.stop()
        if self._open is None or not self._note_is_dirty:
            return
        note = self.board.note.toPlainText()
        if self._act(lambda session: session.set_note(note), settles=False):
            self._note_is_dirty = False
            self._show()
        else:
            # What was typed stays on the screen until it can be stored.
            self._note_timer.start(RETRY_MS)

    def _go_on(self) -> None:
        after = self._open.instance.id
        # Left at once: a key pressed before the next instance is there must not change this one.
        self._leave_instance()
        self._drop(self._ticket)
        self._ticket = self._read_desk(partial(self._on_decided, after))

    def _on_decided(self, after: InstanceId, desk: Desk) -> None:
        self._ticket = None
        self._desk = desk
        self._open_next(after)

    def _set_mode(self, mode: str) -> None:
        self._mode = mode
        self.reasons.setVisible(mode == REASON)
        self.board.set_asking(mode == REASON)
        if mode == REASON:
            self.reasons.begin()
        if self._is_front:
            self.context.shortcuts.set_page(self.page_id, mode)

    def _is_locked(self) -> bool:
        return bool(self.context.project.is_read_only)

    # what is shown

    def _show(self) -> None:
        if self._open is not None:
            self.work.show_ranking(
                self._open.session, waiting=self._digits.waiting, is_locked=self._is_locked(),
                is_note_dirty=self._note_is_dirty, is_note_open=self._note_is_open,
            )  # fmt: skip

    def _show_head(self) -> None:
        if self._open is not None:
            self.work.show_head(self._desk, self._open)

    def _show_saved(self) -> None:
        if not self._is_front or self._open is None:
            return
        saved_at = self._open.session.saved_at
        if self._is_locked():
            self.context.set_saved("read-only")
        elif saved_at:
            self.context.set_saved(f"saved {datetime.fromisoformat(saved_at).astimezone():%H:%M:%S}")
        else:
            self.context.set_saved("")

    # what widgets tell

    @Slot(str)
    def _on_deck_picked(self, deck: str) -> None:
        self.stage.focus(DeckId(deck))

    @Slot(str, int)
    def _on_rank_asked(self, deck: str, rank: int) -> None:
        self.stage.focus(DeckId(deck))
        self._act(lambda session: session.rank(DeckId(deck), rank))

    @Slot(str)
    def _on_unrank_asked(self, deck: str) -> None:
        self.stage.focus(DeckId(deck))
        self._act(lambda session: session.unrank(DeckId(deck)))

    @Slot()
    def _on_note_edited(self) -> None:
        self._note_is_dirty = True
        self.context.set_saved("note not saved yet")
        self._note_timer.start(NOTE_MS)

    @Slot(str)
    def _on_reason_given(self, reason: str) -> None:
        self._set_mode(PLACING)
        self._save_note()
        if self._act(lambda session: session.cannot_judge(reason)):
            self._go_on()

    @Slot(str)
    def _on_focus_changed(self, _deck: str) -> None:
        # A waiting digit belongs to the deck that was focused when it was pressed.
        self._digits.forget()
        self._show()

    @Slot()
    def _on_moved(self) -> None:
        if self._open is not None:
            self._show_head()
            self._show()

    @Slot(str, int, str)
    def _on_phrase_picked(self, deck: str, number: int, phrase: str) -> None:
        if not self.source.isHidden():
            self.source.find_phrase(phrase, f"deck {self.stage.deck(deck).name}, slide {number}")

    @Slot(str, int, int, int, str)
    def _on_slide_asked(self, deck: str, number: int, _start: int, _end: int, _part: str) -> None:
        self.stage.show_slide(DeckId(deck), number)

    @Slot(str)
    def _on_retried(self, _deck: str) -> None:
        self.reload()

    @Slot()
    def _on_empty_button(self) -> None:
        if self._desk is not None and self._desk.queue:
            self._open_instance(self._desk.queue[0].instance.id)
        else:
            self.context.navigate("library")

    @Slot(str)
    def _on_name_given(self, name: str) -> None:
        try:
            self.context.settings.set("profile_name", name)
        except StudioError as error:
            self.context.report(error)
            return
        self.reload()

    # active time

    @Slot()
    def _on_acted(self) -> None:
        if self._open is not None:
            self._open.clock.touch()

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._open is not None and not self.isActiveWindow():
            self._open.clock.away()
