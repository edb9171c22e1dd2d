"""What all pages have on which people answer: queue, note, reasons, saving, guidelines, training, time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from studio.actions.answer_desk import DECIDED, AnswerDesk, OpenUnit, nothing_left_words, open_unit, read_desk
from studio.actions.quality import quality_rows
from studio.actions.sessions import answers_changed
from studio.actions.studies import shown_decks
from studio.actions.study_queue import QueueItem, unit_of
from studio.actions.training import TrainingReply, answer_training, note_guidelines_read
from studio.errors import BadInput, StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.dialogs.study_results import StudyResults
from studio.gui.digit_keys import digit_of
from studio.gui.looking_watch import LookingWatch
from studio.gui.page import Page
from studio.gui.shortcuts import Action, is_text_field
from studio.gui.widgets.answer_board import AnswerBoard
from studio.gui.widgets.answer_work import AnswerWork
from studio.gui.widgets.name_form import NameForm
from studio.gui.widgets.stage_actions import stage_actions
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.training_form import TrainingForm
from studio.gui.window_activity import WindowActivity
from studio.model.answers import Role
from studio.model.changes import Changes, Topic
from studio.model.ids import DeckId
from studio.model.studies import StudyKind

_log = logging.getLogger(__name__)

NOTE_MS = 500
"""A note is stored when typing has paused for this long."""
RETRY_MS = 3000
"""How soon what could not be stored is tried again."""
FILTER_MS = 250
REASON, TRAINING = "reason", "training"


class AnswerPage(Page):
    """A page on which one person answers one unit after the other.

    A subclass says which kinds of studies it asks, makes a board for each, and does what its own keys do.
    """

    kinds: ClassVar[tuple[StudyKind, ...]] = ()
    answering_modes: ClassVar[str] = ""
    """The modes in which something can be answered, joined by `|`."""
    instance_shown = Signal(str)
    """The decks of this instance are on the page, and its answer as stored."""
    finished = Signal()
    """Nothing is left to answer, or nothing can be."""
    training_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context: AppContext | None = None
        self._desk: AnswerDesk | None = None
        self._open: OpenUnit | None = None
        self._ticket: Ticket | None = None
        self._count_ticket: Ticket | None = None
        self._wanted: dict[str, str] = {}
        self._study_id = ""
        self._filter = ""
        self._activity = WindowActivity(self)
        self._mode = ""
        self._note_is_dirty = False
        self._note_is_open = False
        self._is_front = False
        self._has_logged_trouble = False
        self._layers = QStackedLayout(self)

    # for the kinds

    def make_boards(self) -> Sequence[AnswerBoard]:
        """Return the boards of the page; called once."""
        raise NotImplementedError

    def board_for(self, unit: OpenUnit) -> AnswerBoard:
        """Return the board on which a unit is answered."""
        raise NotImplementedError

    def mode_for(self, unit: OpenUnit) -> str:
        """Return the mode of the keys in which a unit is answered."""
        raise NotImplementedError

    def heading_for(self, unit: OpenUnit) -> str:
        """Return what is asked, in words."""
        raise NotImplementedError

    def show_answer(self, unit: OpenUnit, *, is_locked: bool) -> None:
        """Show the answer as it is on the board."""
        raise NotImplementedError

    def own_actions(self) -> list[Action]:
        """Return what can be done on this page only."""
        raise NotImplementedError

    def begin_unit(self, unit: OpenUnit) -> None:
        """Get ready for another unit."""

    def settle(self) -> None:
        """Take what waits for a second key as it is."""

    def press_digit(self, digit: int) -> None:
        """Take a digit."""

    def go_to_unanswered(self) -> bool:
        """Go to the first thing that is not answered; return whether there is one."""
        return False

    def last_change_words(self, unit: OpenUnit) -> str:
        """Return what the last act did, in words that are read aloud."""
        return ""

    # the page

    def open_project(self, context: AppContext) -> None:  # @override
        self.context = context
        self._build()
        self._layers.setCurrentWidget(self.loading)

    def _build(self) -> None:
        self.work = AnswerWork(self.context, self.page_id, self.make_boards())
        self.stage, self.source = self.work.stage, self.work.source
        self.heading, self.facts, self.drawer = self.work.heading, self.work.facts, self.work.drawer
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("Nothing to answer yet", "", icon_name=self.icon_name, is_primary=False)
        self.failed = FailedState("The answer cannot be opened")
        self.who = NameForm("Who is answering?", self.icon_name)
        self.training = TrainingForm()
        for layer in (self.work, self.loading, self.empty, self.failed, self.who, self.training):
            self._layers.addWidget(layer)
        self._note_timer, self._retry_timer, self._filter_timer = QTimer(self), QTimer(self), QTimer(self)
        for timer in (self._note_timer, self._retry_timer, self._filter_timer):
            timer.setSingleShot(True)
        self._filter_timer.setInterval(FILTER_MS)
        self.looking = LookingWatch(self.context.background, self.context.project, self)
        self._connect()

    def _connect(self) -> None:
        for board in self._boards():
            board.follow(self.context.shortcuts, self.page_id)
            board.missing_clicked.connect(self.go_to_missing)
            board.note_edited.connect(self._on_note_edited)
            board.note_left.connect(self._save_note)
            board.note_left.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
            board.reasons.reason_given.connect(self._on_reason_given)
            board.reasons.cancelled.connect(self.cancel_reason)
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
        self.work.study_chosen.connect(self._on_study_chosen)
        self.work.filter_edited.connect(self._on_filter_edited)
        self.drawer.closed.connect(self.close_guidelines)
        self.training.answered.connect(self._on_training_answered)
        self.training.finished.connect(self.reload)
        self._activity.acted.connect(self._on_acted)
        self._note_timer.timeout.connect(self._save_note)
        self._retry_timer.timeout.connect(self._retry)
        self._filter_timer.timeout.connect(self._on_filter_settled)

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

    def close_project(self) -> None:  # @override
        if self.context is None:
            return
        self._leave_unit()
        self._drop(self._ticket)
        self._drop(self._count_ticket)
        self.source.stop()
        self.looking.stop()
        for timer in (self._note_timer, self._retry_timer, self._filter_timer):
            timer.stop()
        self._desk = None

    def go_to(self, **place: str) -> None:  # @override
        self._wanted = {name: place[name] for name in ("instance", "deck", "study") if name in place}
        self._study_id = self._wanted.pop("study", self._study_id)
        if self._desk is not None and self._study_id and self._study_id != self._desk.study.id:
            self.reload()
        elif self._desk is not None and self._wanted:
            self._open_wanted()

    def place(self) -> dict[str, str]:  # @override
        return {"instance": str(self._open.instance.id)} if self._open else {}

    def on_shown(self) -> None:  # @override
        self._is_front = True
        self._tell_mode()
        self._activity.watch(self)
        if self._desk is None or self._desk.person.name != self._name():
            self.reload()
        elif self._open is not None:
            self._show_saved()
            self._show_crumb()
            self._show_looked()
            self._focus_stage()

    def on_hidden(self) -> None:  # @override
        self._is_front = False
        self.settle()
        self._save_note()
        self._activity.stop()
        if self._open is not None:
            self._open.clock.away()
            self.looking.away()
            self.looking.flush()
        if not self._is_unsaved():
            self.context.set_saved("")

    def on_changes(self, changes: Changes) -> None:  # @override
        if changes.origin == self.page_id or self._desk is None:
            return
        if changes.topics & {Topic.DECKS, Topic.ANSWERS, Topic.PEOPLE}:
            # A ticket of its own: counting must not take the place of a unit that is being opened.
            self._drop(self._count_ticket)
            self._count_ticket = self._query(partial(self._read, with_decks=True), self._on_counted)

    def unsaved(self) -> str:  # @override
        if self._open is None:
            return ""
        self._save_note()
        if self._open is None or self._open.outbox.flush():
            self._show_trouble()
            return ""
        return f"{self.title}: {self._open.instance.title} ({_words_of(self._open.outbox.trouble)})"

    def actions(self) -> list[Action]:  # @override
        page, modes = self.page_id, self.answering_modes

        def act(name: str, words: str, run: Callable[[], None], *keys: str, mode: str = modes, **more: Any) -> Action:
            return Action(id=f"{page}.{name}", words=words, run=run, keys=keys, page=page, mode=mode, **more)

        why = [
            act(f"reason_{number}", f"Cannot judge: reason {number}", partial(self.press_reason, number), str(number),
                mode=REASON, is_in_palette=False)
            for number in range(1, 10)
        ]  # fmt: skip
        results = [act("results", "Results of this study", self.show_results, mode="")]
        own = self.own_actions()
        taken = {keys for action in own for keys in action.keys}
        return [
            *own,
            act("note", "Write a note", self.write_note, "C"),
            act("flag", "Flag this instance", self.flag, "F"),
            act("cannot_judge", "Cannot judge…", self.ask_reason, "U"),
            act("recognised", "I recognised a system", self.recognise, "Shift+U"),
            act("submit", "Submit and next", self.submit, "Return", "Enter", "Ctrl+Return"),
            act("skip", "Skip for now", self.skip, "Ctrl+Space"),
            act("undo", "Undo", self.undo, "Ctrl+Z"),
            act("redo", "Redo", self.redo, "Ctrl+Shift+Z", "Ctrl+Y"),
            act("next_instance", "Next instance", partial(self.go, 1), "Right"),
            act("previous_instance", "Previous instance", partial(self.go, -1), "Left"),
            act("missing", "Go to what is missing", self.go_to_missing, "M"),
            act("source", "Source", self.toggle_source, "S"),
            act("find", "Search decks and sources", self.find, "Ctrl+F"),
            act("filter", "Filter instances", self.focus_filter, "Ctrl+Shift+F"),
            act("guidelines", "Guidelines beside the decks", self.toggle_guidelines, mode=""),
            *([] if self.context.is_blind else results),
            act("training_next", "Next training question", self.training.next, "Return", "Enter", mode=TRAINING,
                is_in_palette=False),
            act("back", "Back", self.back, "Escape", mode="", is_in_palette=False),
            *why,
            # A key that a mode of this page needs for itself gives way on the stage.
            *(action for action in stage_actions(page, self.stage) if not taken & {*action.keys}),
        ]  # fmt: skip

    # queue and units

    @Slot()
    def reload(self) -> None:
        """Read the queue anew, and then the instance that is wanted or was open."""
        if self._is_unsaved():
            return
        if not self._name():
            self._layers.setCurrentWidget(self.who)
            if self._is_front:
                self.who.field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if self._open is not None and "instance" not in self._wanted:
            self._wanted = {"instance": str(self._open.instance.id), "deck": str(self.stage.focused or "")}
        self._leave_unit()
        self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        self._ticket = self._query(self._read, self._on_desk)

    def _name(self) -> str:
        return self.context.settings.text("profile_name").strip()

    def _query(self, read: Callable[[], Any], done: Callable[[Any], None]) -> Ticket:
        return self.context.background.query(read, done, self._on_failed, owner=self)

    def _read(self, *, with_decks: bool = False) -> tuple[AnswerDesk | None, tuple[DeckId, ...] | None]:
        settings, project, unit = self.context.settings, self.context.project, self._open
        desk = read_desk(
            project, self._name(), kinds=self.kinds, study_id=self._study_id, text=self._filter,
            group=settings.text("profile_group"), role=Role(settings.role.value),
        )  # fmt: skip
        if not with_decks or unit is None:
            return desk, None
        return desk, shown_decks(project, unit.study, unit.assignment)

    def _drop(self, ticket: Ticket | None) -> None:
        if ticket is not None:
            ticket.drop()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if not isinstance(error, StudioError):
            self.context.report(error)
        self.failed.set_words("This cannot be opened", str(error))
        self._layers.setCurrentWidget(self.failed)

    def _on_desk(self, read: tuple[AnswerDesk | None, object]) -> None:
        self._ticket = None
        self._desk = read[0]
        if self._desk is None:
            self._show_nothing()
            return
        self._study_id = self._desk.study.id
        self.work.show_studies(self._desk.studies, self._desk.study)
        for board in self._boards():
            board.reasons.set_reasons(self._desk.reasons)
        if self._desk.needs_training:
            self._show_training()
        else:
            self._open_wanted()

    def _on_counted(self, read: tuple[AnswerDesk | None, tuple[DeckId, ...] | None]) -> None:
        self._count_ticket = None
        desk, decks = read
        if desk is None:
            return
        self._desk = desk
        if self._open is None:
            if self._layers.currentWidget() is self.empty:
                self._open_wanted()
            return
        if decks is not None and set(decks) != {deck.id for deck in self._open.decks}:
            self.reload()
        else:
            self._show_head()

    def _open_wanted(self) -> None:
        item = self._desk.item_of(self._wanted.pop("instance", ""))
        if item is not None:
            self._open_item(item)
        else:
            self._open_next(None)

    def _open_next(self, after: OpenUnit | None) -> None:
        following = self._desk.queue.next_to_do(after.assignment if after else None)
        if following is not None:
            self._open_item(following)
        else:
            self._show_nothing()

    def _open_item(self, item: QueueItem) -> None:
        if self._open is not None and unit_of(self._open.assignment) == unit_of(item.assignment):
            self._layers.setCurrentWidget(self.work)
            self._focus_wanted()
            return
        if not self._leave_unit():
            return
        if self._layers.currentWidget() is not self.work:
            self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        read = partial(open_unit, self.context.project, self._desk.study, item.assignment)
        self._ticket = self._query(read, self._on_opened)

    def _on_opened(self, unit: OpenUnit) -> None:
        self._ticket = None
        self._open = unit
        self._note_is_dirty = self._note_is_open = False
        self.work.boards.setCurrentWidget(self.board_for(unit))
        self.board.note.clearFocus()
        self.board.say_trouble("")
        self.board.live.say("")
        self.begin_unit(unit)
        self._set_mode(self.mode_for(unit))
        self.stage.show_decks(self.decks_to_show(unit))
        for deck, slide in unit.slides.items():
            self.stage.viewing.show_alone(deck, slide)
        self._layers.setCurrentWidget(self.work)
        names = {deck.id: deck.name for deck in unit.decks}
        self.source.show_instance(self.context.project, unit.instance.id, names)
        self.looking.begin(unit)
        self._show()
        self._show_head()
        self._show_looked()
        if self._is_front:
            self._show_crumb()
            self._show_saved()
        self._focus_wanted()
        self.instance_shown.emit(unit.instance.id)

    def decks_to_show(self, unit: OpenUnit) -> Sequence[Any]:
        """Return the decks that stand on the stage."""
        return unit.decks

    def _focus_wanted(self) -> None:
        deck = self._wanted.pop("deck", "")
        if deck and self.stage.deck(deck) is not None:
            self.stage.focus(DeckId(deck), takes_keyboard=self._is_front)
        elif self._is_front:
            self._focus_stage()

    @Slot()
    def _focus_if_nowhere(self) -> None:
        """After Escape in a text nothing has the keyboard: the focused deck takes it."""
        if self._is_front and self._is_answering() and QApplication.focusWidget() is None:
            self._focus_stage()

    def _focus_stage(self) -> None:
        if self.stage.focused is not None and not is_text_field(QApplication.focusWidget()):
            self.stage.focus(self.stage.focused)

    def _leave_unit(self) -> bool:
        """Let go of the unit that is open; return whether it could be left: not while acts wait to be stored."""
        if self._open is None:
            return True
        self.settle()
        self._save_note()
        if not self._open.outbox.flush():
            self._show_trouble()
            self.context.toast("Not saved yet: this stays open until it is.")
            return False
        self._open.clock.away()
        self.looking.end()
        self._open = None
        return True

    def _show_nothing(self) -> None:
        if not self._leave_unit():
            return
        self.empty.set_words(*nothing_left_words(self._desk))
        if self._filter:
            self.empty.button.setText("Clear the filter")
        elif self._desk is not None and self._desk.queue.items:
            self.empty.button.setText("Look at them again")
        else:
            self.empty.button.setText("Go to Library" if not self.context.is_blind else "")
        self.empty.button.setVisible(bool(self.empty.button.text()))
        self._layers.setCurrentWidget(self.empty)
        if self._is_front:
            self.context.set_crumb("")
            self.empty.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.finished.emit()

    def _show_training(self) -> None:
        self.training.begin(self._desk.training_items, self._desk.training)
        self._layers.setCurrentWidget(self.training)
        self._set_mode(TRAINING)
        if self._is_front:
            self.training.setFocus(Qt.FocusReason.OtherFocusReason)
            self.context.set_crumb(self._desk.study.name)
        self.training_shown.emit()

    # what the user does

    def flag(self) -> None:
        """Set or clear the flag."""
        self._act(lambda session: session.toggle_flag())

    def recognise(self) -> None:
        """Note, or take back, that a system was recognised."""
        if self._act(lambda session: session.toggle_recognised()):
            is_known = self._open.session.state.recognised_system
            self.context.toast("Noted: a system was recognised." if is_known else "Taken back.")

    @Slot()
    def undo(self) -> None:
        """Take the last act back."""
        self._act(lambda session: session.undo())

    @Slot()
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
        """Ask why this cannot be judged; one key answers."""
        if self._open is None or self._is_locked():
            return
        self.settle()
        self._set_mode(REASON)

    def press_reason(self, number: int) -> None:
        """Take the reason with this number."""
        self.reasons.choose(number)

    @Slot()
    def cancel_reason(self) -> None:
        """Close the reasons without an answer."""
        if self._open is not None:
            self._set_mode(self.mode_for(self._open))
        self._focus_stage()

    def submit(self) -> None:
        """Submit and go on; an incomplete answer stays, and what is missing first gets the focus."""
        if self._open is None:
            return
        self.settle()
        self._save_note()
        session = self._open.session
        if session.state.status in DECIDED or self._is_locked():
            self._go_on()
        elif session.missing:
            self.context.toast(f"{self.missing_words(self._open)}.")
            self.go_to_missing()
        elif self._act(lambda session: session.submit()):
            self._go_on()

    def skip(self) -> None:
        """Leave this for later and go on."""
        if self._open is None:
            return
        self.settle()
        self._save_note()
        if self._open.session.state.status in DECIDED or self._act(lambda session: session.skip()):
            self._go_on()

    def go(self, by: int) -> None:
        """Go to the next or the previous unit; the draft stays as it is."""
        if self._open is None:
            return
        there = self._desk.neighbour(self._open.assignment, by)
        if there is not None:
            self._open_item(there)
        else:
            self.context.toast("This is the last instance." if by > 0 else "This is the first instance.")

    def toggle_source(self) -> None:
        """Show or hide the source among the decks."""
        is_on = self.source.isHidden()
        self.work.source_button.setChecked(is_on)
        self.stage.set_extra(self.source if is_on else None)
        self._show_looked()
        self._focus_stage()

    def find(self) -> None:
        """Open the search over decks and sources."""
        if self.source.isHidden():
            self.toggle_source()
        self.source.focus_search()

    def focus_filter(self) -> None:
        """Put the cursor into the filter of instances."""
        self.work.filter.show()
        self.work.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def toggle_guidelines(self) -> None:
        """Show or hide the guidelines; showing them is reading them."""
        if not self.drawer.isHidden():
            self.close_guidelines()
            return
        if self._desk is None:
            return
        shown = self._desk.guidelines
        if shown.guidelines is None:
            self.drawer.show_text("", "This study has no guidelines yet.", (), is_changed=False)
        else:
            found = shown.guidelines
            self.drawer.show_text(
                found.version, found.text, found.examples, is_changed=shown.is_changed, pictures=shown.pictures
            )
        self.drawer.show()
        if shown.guidelines is not None and not shown.is_read and not self._is_locked():
            note = partial(note_guidelines_read, self.context.project, self._desk.study, self._desk.person.id)
            self._query(note, self.context.announce)

    def show_results(self) -> None:
        """Show how known answers, repeats and the training went: for the author, not for annotators."""
        if self._desk is not None and not self.context.is_blind:
            study = self._desk.study
            read = partial(quality_rows, self.context.project, study)
            self._query(read, partial(self._on_results, study.name))

    def _on_results(self, study: str, rows: list[dict[str, Any]]) -> None:
        dialog = StudyResults(study, rows, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @Slot()
    def close_guidelines(self) -> None:
        """Close the guidelines."""
        self.drawer.hide()
        self._focus_stage()

    def back(self) -> None:
        """Close what is open on top: reasons, guidelines, the contact sheet, the search."""
        if self._mode == REASON:
            self.cancel_reason()
        elif not self.drawer.isHidden():
            self.close_guidelines()
        elif self.stage.has_sheet:
            self.stage.close_sheet()
        elif self.source.close_search():
            self._focus_stage()

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

    # acts

    def _act(self, do: Callable[[Any], None], *, settles: bool = True) -> bool:
        """Do something to the answer; return whether it and all before it is stored."""
        if self._open is None:
            return False
        if settles:
            self.settle()
        if self._is_locked():
            self.context.toast("The project is open read-only: nothing can be changed here.")
            self._show()
            return False
        session = self._open.session
        before = session.acts, session.state
        try:
            do(session)
        except BadInput as error:
            self.context.toast(str(error))
            self._show()
            return False
        self._show()
        self._show_trouble()
        if before != (session.acts, session.state):
            self.board.live.say(self.last_change_words(self._open))
            if not self._open.outbox.waiting:
                self.context.announce(answers_changed(self.page_id))
        return not self._open.outbox.waiting

    def _show_trouble(self) -> None:
        """Say once that something is not saved, and when it is; tries go on by themselves."""
        if self._open is None:
            return
        outbox = self._open.outbox
        if outbox.waiting:
            if not self._has_logged_trouble:
                _log.error("an answer could not be stored: %s", outbox.trouble, exc_info=outbox.trouble)
            self._has_logged_trouble = True
            self.board.say_trouble(f"Not saved: {_words_of(outbox.trouble)}")
            self.context.set_saved("not saved")
            if not self._retry_timer.isActive():
                self._retry_timer.start(RETRY_MS)
        else:
            self._has_logged_trouble = False
            self.board.say_trouble("")
            self._show_saved()

    @Slot()
    def _retry(self) -> None:
        if self._open is None:
            return
        if self._open.outbox.flush():
            self.context.announce(answers_changed(self.page_id))
        self._show_trouble()

    @Slot()
    def _save_note(self) -> None:
        self._note_timer.stop()
        if self._open is None or not self._note_is_dirty:
            return
        note = self.board.note.toPlainText()
        self._note_is_dirty = False
        self._act(lambda session: session.set_note(note), settles=False)

    def _is_unsaved(self) -> bool:
        return self._open is not None and (self._note_is_dirty or bool(self._open.outbox.waiting))

    def _go_on(self) -> None:
        after = self._open
        # Left at once: a key pressed before the next unit is there must not change this one.
        if not self._leave_unit():
            return
        self._drop(self._ticket)
        self._ticket = self._query(self._read, partial(self._on_decided, after))

    def _on_decided(self, after: OpenUnit, read: tuple[AnswerDesk | None, object]) -> None:
        self._ticket = None
        self._desk = read[0] or self._desk
        self._open_next(after)

    def _set_mode(self, mode: str) -> None:
        self._mode = mode
        self.board.set_asking(mode == REASON)
        if mode == REASON:
            self.reasons.begin()
        self._tell_mode()

    def _tell_mode(self) -> None:
        if self._is_front:
            self.context.shortcuts.set_page(self.page_id, self._mode)

    def _is_answering(self) -> bool:
        return self._mode in self.answering_modes.split("|")

    def _is_locked(self) -> bool:
        return bool(self.context.project.is_read_only) or (self._open is not None and self._open.study.is_closed)

    # what is shown

    def _show(self) -> None:
        if self._open is None:
            return
        unit = self._open
        self.work.show_foot(
            unit.session, is_locked=self._is_locked(), is_note_dirty=self._note_is_dirty,
            is_note_open=self._note_is_open, missing=self.missing_words(unit),
        )  # fmt: skip
        self.show_answer(unit, is_locked=self._is_locked())

    def _show_head(self) -> None:
        if self._open is not None:
            self.work.show_head(self.heading_for(self._open), self._desk, self._open)

    def _show_crumb(self) -> None:
        if len(self._desk.studies) > 1:
            self.context.set_crumb(f"{self._desk.study.name} › {self._open.instance.title}")
        else:
            self.context.set_crumb(self._open.instance.title)

    def _show_saved(self) -> None:
        if not self._is_front or self._open is None:
            return
        saved_at = self._open.session.saved_at
        if self._is_locked():
            self.context.set_saved("read-only")
        elif self._open.outbox.waiting:
            self.context.set_saved("not saved")
        elif saved_at:
            self.context.set_saved(f"saved {datetime.fromisoformat(saved_at).astimezone():%H:%M:%S}")
        else:
            self.context.set_saved("")

    def _show_looked(self) -> None:
        """Note which slides are on the screen, and whether the source is."""
        if self._open is None or not self._is_front:
            return
        shown = [] if self.stage.has_sheet else [(deck, self.stage.viewing.slide(deck)) for deck in self.stage.shown]
        slides = [(deck, slide) for deck, slide in shown if slide is not None]
        self.looking.show(slides, has_source=not self.source.isHidden())

    # what widgets tell

    @Slot()
    def _on_note_edited(self) -> None:
        self._note_is_dirty = True
        self.context.set_saved("note not saved yet")
        self._note_timer.start(NOTE_MS)

    @Slot(str)
    def _on_reason_given(self, reason: str) -> None:
        if self._open is None:
            return
        self._set_mode(self.mode_for(self._open))
        self._save_note()
        if self._act(lambda session: session.cannot_judge(reason)):
            self._go_on()

    @Slot(str)
    def _on_focus_changed(self, _deck: str) -> None:
        self._show()

    @Slot()
    def _on_moved(self) -> None:
        if self._open is not None:
            self._show_looked()
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
        if self._filter:
            self.work.filter.clear()
            self._filter = ""
            self.reload()
        elif self._desk is not None and self._desk.queue.items:
            self._open_item(self._desk.queue.items[0])
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

    @Slot(str)
    def _on_study_chosen(self, study_id: str) -> None:
        if self._desk is not None and study_id != self._desk.study.id and self._leave_unit():
            self._study_id = study_id
            self._wanted = {}
            self.reload()

    @Slot(str)
    def _on_filter_edited(self, _text: str) -> None:
        self._filter_timer.start()

    @Slot()
    def _on_filter_settled(self) -> None:
        """Count anew with the filter; the unit that is open and its draft stay where they are."""
        self._filter = self.work.filter.text()
        self.work.filter.setVisible(bool(self._filter) or self.work.filter.hasFocus())
        self._drop(self._count_ticket)
        self._count_ticket = self._query(self._read, self._on_counted)

    @Slot(str, str)
    def _on_training_answered(self, item_id: str, option: str) -> None:
        item = next((item for item in self._desk.training_items if item.id == item_id), None)
        if item is None or self._is_locked():
            return
        answer = partial(
            answer_training, self.context.project, self._desk.study, self._desk.person.id, item, option
        )  # fmt: skip
        self.context.background.query(answer, self._on_training_stored, self._on_training_failed, owner=self)

    def _on_training_stored(self, stored: tuple[TrainingReply, Changes]) -> None:
        reply, _ = stored
        self.training.tell(is_correct=reply.is_correct, explanation=reply.explanation, result=reply.result)

    def _on_training_failed(self, error: BaseException) -> None:
        self.context.report(error)

    # active time

    @Slot()
    def _on_acted(self) -> None:
        if self._open is not None:
            self._open.clock.touch()
            self._open.looking.touch()

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._open is not None and not self.isActiveWindow():
            self._open.clock.away()
            self.looking.away()


def _words_of(error: BaseException | None) -> str:
    if error is None:
        return "it is tried again."
    return str(error) if isinstance(error, StudioError) else f"{error}."
