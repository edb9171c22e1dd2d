"""A page with a queue: whose work it is, which study, what comes next, and what stands there when nothing does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QStackedLayout, QWidget

from studio.actions.answer_desk import AnswerDesk, OpenUnit, nothing_left_words, open_unit, read_desk
from studio.actions.studies import shown_decks
from studio.actions.study_queue import QueueItem, unit_of
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.guidance import Guidance
from studio.gui.page import Page
from studio.gui.widgets.name_form import NameForm
from studio.gui.widgets.stage_work import StageWork
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.training_form import TrainingForm
from studio.model.answers import Role
from studio.model.changes import Changes, Topic
from studio.model.ids import DeckId
from studio.model.studies import StudyKind

FILTER_MS = 250
TRAINING = "training"


class QueuePage(Page):
    """A page that opens one unit of a queue after the other.

    A subclass says which kinds of studies it asks, and what opening and leaving a unit means. Reads happen off the main
    thread; the one that is asked for last counts.
    """

    kinds: ClassVar[tuple[StudyKind, ...]] = ()
    place_names: ClassVar[tuple[str, ...]] = ("instance", "deck", "study")
    """What `go_to` understands."""
    topics: ClassVar[frozenset[Topic]] = frozenset({Topic.DECKS, Topic.ANSWERS, Topic.PEOPLE})
    """What the queue depends on."""
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
        self._is_front = False
        self._layers = QStackedLayout(self)

    # for the kinds

    def make_work(self) -> StageWork:
        """Return the parts of the page; called once."""
        raise NotImplementedError

    def read_unit(self, desk: AnswerDesk, item: QueueItem) -> OpenUnit:
        """Return a unit of the queue; called off the main thread."""
        return open_unit(self.context.project, desk.study, item.assignment)

    def is_here(self, unit: OpenUnit) -> dict[str, str]:
        """Return the place to come back to when the unit is read anew."""
        return {"instance": str(unit.instance.id), "deck": str(self.stage.focused or "")}

    def reason_lists(self) -> Sequence[Any]:
        """Return the lists of reasons why something cannot be judged."""
        return ()

    # for pages of units

    def _on_opened(self, unit: OpenUnit) -> None:
        """Show a unit that was read."""
        raise NotImplementedError

    def _focus_wanted(self) -> None:
        """Go to the place in the open unit that is wanted."""
        raise NotImplementedError

    def _leave_unit(self) -> bool:
        """Let go of the unit that is open; return whether it could be left."""
        raise NotImplementedError

    def _is_unsaved(self) -> bool:
        """Return whether something of the open unit is not stored."""
        raise NotImplementedError

    def _is_locked(self) -> bool:
        """Return whether nothing can be changed."""
        raise NotImplementedError

    def _set_mode(self, mode: str) -> None:
        """Let keys do what they do in a mode of the page."""
        raise NotImplementedError

    def _show_head(self) -> None:
        """Say what is asked and where in the queue this is."""
        raise NotImplementedError

    # the page

    def _build(self) -> None:
        self.work = self.make_work()
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("Nothing to answer yet", "", icon_name=self.icon_name, is_primary=False)
        self.failed = FailedState("The answer cannot be opened")
        self.who = NameForm("Who is answering?", self.icon_name)
        self.training = TrainingForm()
        for layer in (self.work, self.loading, self.empty, self.failed, self.who, self.training):
            self._layers.addWidget(layer)
        self.guidance = Guidance(self.context, self.work.drawer, self.training, self)
        self._filter_timer = QTimer(self)
        self._filter_timer.setSingleShot(True)
        self._filter_timer.setInterval(FILTER_MS)

    def _connect(self) -> None:
        self.failed.retried.connect(self.reload)
        self.work.stage.retried.connect(self._on_retried)
        self.empty.button_clicked.connect(self._on_empty_button)
        self.who.name_given.connect(self._on_name_given)
        self.work.study_chosen.connect(self._on_study_chosen)
        self.work.filter_edited.connect(self._on_filter_edited)
        self.training.finished.connect(self.reload)
        self._filter_timer.timeout.connect(self._on_filter_settled)

    def close_project(self) -> None:  # @override
        self._drop(self._ticket)
        self._drop(self._count_ticket)
        self._filter_timer.stop()
        self._desk = None

    def go_to(self, **place: str) -> None:  # @override
        self._wanted = {name: place[name] for name in self.place_names if name in place}
        self._study_id = self._wanted.pop("study", self._study_id)
        if self._desk is not None and self._study_id and self._study_id != self._desk.study.id:
            self.reload()
        elif self._desk is not None and self._wanted:
            self._open_wanted()

    def place(self) -> dict[str, str]:  # @override
        return {"instance": str(self._open.instance.id)} if self._open else {}

    def on_changes(self, changes: Changes) -> None:  # @override
        if changes.origin == self.page_id or self._desk is None:
            return
        if changes.topics & self.topics:
            # A ticket of its own: counting must not take the place of a unit that is being opened.
            self._drop(self._count_ticket)
            self._count_ticket = self._query(partial(self._read, with_decks=True), self._on_counted)

    # what is there to do

    @Slot()
    def reload(self) -> None:
        """Read the queue anew, and then the instance that is wanted or was open."""
        if self._is_unsaved():
            return
        if not self._is_named():
            self._layers.setCurrentWidget(self.who)
            if self._is_front:
                self.who.field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if self._open is not None and "instance" not in self._wanted:
            self._wanted = self.is_here(self._open)
        self._leave_unit()
        self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        self._ticket = self._query(self._read, self._on_desk)

    def _name(self) -> str:
        return self.context.settings.text("profile_name").strip()

    def _is_named(self) -> bool:
        """Return whether it is known who answers; a pack is for one person, whatever the profile says."""
        return self.context.is_pack or bool(self._name())

    def _is_of_another(self) -> bool:
        return not self.context.is_pack and self._desk.person.name != self._name()

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
        self._take_desk(read[0])
        if self._desk is None:
            self._show_nothing()
            return
        self._study_id = self._desk.study.id
        self.work.show_studies(self._desk.studies, self._desk.study)
        for reasons in self.reason_lists():
            reasons.set_reasons(self._desk.reasons)
        if self._desk.needs_training:
            self._show_training()
        else:
            self._open_wanted()

    def _take_desk(self, desk: AnswerDesk | None) -> None:
        self._desk = desk
        self.guidance.follow(desk, is_locked=self._is_locked())

    def _on_counted(self, read: tuple[AnswerDesk | None, tuple[DeckId, ...] | None]) -> None:
        self._count_ticket = None
        desk, decks = read
        if desk is None:
            return
        self._take_desk(desk)
        if self._open is None:
            if self._layers.currentWidget() is self.empty:
                self._open_wanted()
            return
        if decks is not None and set(decks) != {deck.id for deck in self._open.decks}:
            self.reload()
        else:
            self._show_head()

    # one unit after the other

    def go(self, by: int) -> None:
        """Go to the next or the previous unit; the draft stays as it is."""
        if self._open is None:
            return
        there = self._desk.neighbour(self._open.assignment, by)
        if there is not None:
            self._open_item(there)
        else:
            self.context.toast("This is the last instance." if by > 0 else "This is the first instance.")

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
        read = partial(self.read_unit, self._desk, item)
        self._ticket = self._query(read, self._on_opened)

    def _go_on(self) -> None:
        after = self._open
        # Left at once: a key pressed before the next unit is there must not change this one.
        if not self._leave_unit():
            return
        self._drop(self._ticket)
        self._ticket = self._query(self._read, partial(self._on_decided, after))

    def _on_decided(self, after: OpenUnit, read: tuple[AnswerDesk | None, object]) -> None:
        self._ticket = None
        self._take_desk(read[0] or self._desk)
        self._open_next(after)

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
        self.guidance.begin_training()
        self._layers.setCurrentWidget(self.training)
        self._set_mode(TRAINING)
        if self._is_front:
            self.training.setFocus(Qt.FocusReason.OtherFocusReason)
            self.context.set_crumb(self._desk.study.name)
        self.training_shown.emit()

    # what widgets tell

    def focus_filter(self) -> None:
        """Put the cursor into the filter of instances."""
        self.work.filter.show()
        self.work.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

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
