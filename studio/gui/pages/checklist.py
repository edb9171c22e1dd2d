"""Checklist: one person answers yes or no about each deck, by keyboard, and every act is stored before it shows."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from studio.actions.checklist_desk import (
    DECIDED,
    AnswerDesk,
    OpenChecklist,
    nothing_to_answer_words,
    open_checklist,
    read_answer_desk,
)
from studio.actions.sessions import answers_changed
from studio.errors import BadInput, StudioError
from studio.gui.answer_comparison import AnswerComparison
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.page import Page
from studio.gui.shortcuts import Action
from studio.gui.widgets.checklist_work import ORDER_WORDS, ChecklistWork, letter_of
from studio.gui.widgets.name_form import NameForm
from studio.gui.widgets.question_panel import ANSWER_BUTTONS
from studio.gui.widgets.stage_actions import stage_actions
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.window_activity import WindowActivity
from studio.model.answers import Role
from studio.model.changes import Changes, Topic
from studio.model.checklists import EvidenceBox, ItemAnswer, SourceQuote
from studio.model.ids import DeckId, InstanceId
from studio.sessions.checklist import AnswerOrder, ChecklistSheet, Unit

_log = logging.getLogger(__name__)

COMMENT_MS, RETRY_MS = 500, 3000
"""A comment is stored when typing has paused for so long; an unsaved one is tried again so soon."""
ANSWERING, REASON, BOX = "answering", "reason", "box"
STEP = 0.02
"""How far one key moves or stretches a box, as a share of the slide."""
FIRST_BOX = QRectF(0.3, 0.3, 0.4, 0.4)
OTHER_KEYS = {"next_deck": ("Right",), "previous_deck": ("Left",), "notes": ("Shift+N",)}
"""Keys of the stage that mean something else on this page."""


class ChecklistPage(Page):
    """The page on which checklists are answered."""

    page_id = "checklist"
    title = "Checklist"
    icon_name = "list-checks"
    instance_shown = Signal(str)
    """The decks of this instance are on the page, and its answers as stored."""
    finished = Signal()
    """Nothing is left to answer, or nothing can be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context: AppContext | None = None
        self.unit: Unit | None = None
        self.order = AnswerOrder.DECK_BY_DECK
        self.comparison: AnswerComparison | None = None
        self._desk: AnswerDesk | None = None
        self._open: OpenChecklist | None = None
        self._ticket: Ticket | None = None
        self._count_ticket: Ticket | None = None
        self._wanted: dict[str, str] = {}
        self._activity = WindowActivity(self)
        self._mode = ANSWERING
        self._box: QRectF | None = None
        self._adjusted: int | None = None
        self._failed_act: Callable[[ChecklistSheet], object] | None = None
        self._comment_is_dirty = False
        self._is_front = False
        self._layers = QStackedLayout(self)

    # the page

    def open_project(self, context: AppContext) -> None:  # @override
        self.context = context
        self._build()
        self._layers.setCurrentWidget(self.loading)

    def _build(self) -> None:
        self.work = ChecklistWork(self.context)
        self.stage, self.panel, self.source = self.work.stage, self.work.panel, self.work.source
        self.questions, self.reasons = self.work.questions, self.work.panel.reasons
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("Nothing to answer yet", "", icon_name="list-checks", is_primary=False)
        self.failed = FailedState("The checklist cannot be opened")
        self.who = NameForm("Who is answering?", "list-checks")
        for layer in (self.work, self.loading, self.empty, self.failed, self.who):
            self._layers.addWidget(layer)
        self._comment_timer = QTimer(self)
        self._comment_timer.setSingleShot(True)
        self._connect()

    def _connect(self) -> None:
        panel, shortcuts = self.panel, self.context.shortcuts
        for answer, _words, name, _tone in ANSWER_BUTTONS:
            panel.answers[answer].follow(shortcuts, f"checklist.{name}")
        for button, name in (
            (panel.slide_button, "slide_evidence"), (panel.box_button, "box_evidence"), (panel.quote_button, "quote"),
            (panel.comment_button, "comment"), (panel.flag_button, "flag"), (panel.cannot_button, "cannot_judge"),
            (panel.submit, "submit"),
        ):  # fmt: skip
            button.follow(shortcuts, f"checklist.{name}")
        # A button that follows an action runs it when clicked; the panel's own signals are for what has no action.
        panel.box_dropped.connect(self._on_box_dropped, Qt.ConnectionType.QueuedConnection)
        panel.quote_dropped.connect(self._on_quote_dropped, Qt.ConnectionType.QueuedConnection)
        panel.slide_asked.connect(self._on_slide_asked)
        panel.missing_clicked.connect(self.go_to_missing)
        panel.comment_edited.connect(self._on_comment_edited)
        panel.comment_left.connect(self._save_comment)
        panel.comment_left.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
        panel.again.clicked.connect(self.try_again)
        self.reasons.reason_given.connect(self._on_reason_given)
        self.reasons.cancelled.connect(self.back)
        self.questions.unit_picked.connect(self._on_unit_picked)
        self.stage.focus_changed.connect(self._on_focus_changed)
        self.stage.moved.connect(self._on_moved)
        self.stage.retried.connect(self._on_retried)
        self.source.slide_asked.connect(self._on_hit_asked)
        self.source.closed.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
        self.failed.retried.connect(self.reload)
        self.empty.button_clicked.connect(self._on_empty_button)
        self.who.name_given.connect(self._on_name_given)
        self.work.undo_button.clicked.connect(self.undo)
        self.work.redo_button.clicked.connect(self.redo)
        self._activity.acted.connect(self._on_acted)
        self._comment_timer.timeout.connect(self._save_comment)

    def close_project(self) -> None:  # @override
        if self.context is None:
            return
        self._leave_instance()
        self._drop(self._ticket)
        self._drop(self._count_ticket)
        self.source.stop()
        self._comment_timer.stop()
        if self.comparison is not None:
            self.comparison.close()
            self.comparison = None
        self._desk = None

    def go_to(self, **place: str) -> None:  # @override
        self._wanted = {name: place[name] for name in ("instance", "deck", "item") if name in place}
        if self._desk is not None and self._wanted:
            self._open_wanted()

    def place(self) -> dict[str, str]:  # @override
        return {"instance": str(self._open.instance.id)} if self._open else {}

    def on_shown(self) -> None:  # @override
        self._is_front = True
        self.context.shortcuts.set_page(self.page_id, self._mode)
        self._activity.watch(self)
        if self.context.is_blind and self.comparison is not None:
            self.comparison.close()
        if self._desk is None or self._desk.person.name != self._name():
            self.reload()
        elif self._open is not None:
            self._show_saved()
            self.context.set_crumb(self._open.instance.title)
            self._focus_stage()

    def on_hidden(self) -> None:  # @override
        self._is_front = False
        self._save_comment()
        self._activity.stop()
        if self._open is not None:
            self._open.clock.away()
        if not self._comment_is_dirty:
            self.context.set_saved("")

    def on_changes(self, changes: Changes) -> None:  # @override
        if changes.origin == self.page_id or self._desk is None:
            return
        if changes.topics & {Topic.DECKS, Topic.ANSWERS, Topic.PEOPLE}:
            self._drop(self._count_ticket)
            self._count_ticket = self._read_desk(self._on_counted)
        if Topic.SCORES in changes.topics and self.comparison is not None and self.comparison.isVisible():
            self.comparison.reload()

    def actions(self) -> list[Action]:  # @override
        def act(
            name: str, words: str, run: Callable[[], Any], *keys: str, mode: str = ANSWERING, **more: Any
        ) -> Action:
            return Action(
                id=f"checklist.{name}", words=words, run=run, keys=keys, page="checklist", mode=mode, **more
            )  # fmt: skip

        keys = {"yes": "Y", "no": "N", "cannot_tell": "U", "not_applicable": "A"}
        answers = [act(name, words, partial(self.say, answer), keys[name]) for answer, words, name, _ in ANSWER_BUTTONS]
        why = [
            act(f"reason_{number}", f"Cannot judge: {words}", partial(self.reasons.choose, number), str(number),
                mode=REASON, is_in_palette=False)
            for number, words in enumerate(self.reasons.words(), start=1)
        ]  # fmt: skip
        arrows = (("left", "Left", -1, 0), ("right", "Right", 1, 0), ("up", "Up", 0, -1), ("down", "Down", 0, 1))
        box = [
            act(f"box_{kind}_{name}", words.format(name), partial(run, x, y), keys + key, mode=BOX, repeats=True,
                is_in_palette=False)
            for name, key, x, y in arrows
            for kind, words, run, keys in (
                ("move", "Move the box {}", self.move_box, ""), ("size", "Stretch the box {}", self.size_box, "Shift+")
            )
        ]  # fmt: skip
        stage = []
        for each in stage_actions(self.page_id, self.stage):
            name = each.id.partition(".")[2]
            stage.append(replace(each, keys=OTHER_KEYS.get(name, each.keys), mode=ANSWERING))
        compare = [act("compare", "Compare answers…", self.open_comparison, mode="", is_in_palette=False)]
        return [
            *answers,
            act("previous_question", "Previous question", partial(self.step, -1), "Up", repeats=True),
            act("next_question", "Next question", partial(self.step, 1), "Down", repeats=True),
            act("slide_evidence", "This slide is the evidence", self.add_slide, "E"),
            act("box_evidence", "Mark a box as evidence", self.begin_box, "Shift+E"),
            act("adjust_box", "Adjust the last box", self.adjust_box, "B"),
            act("quote", "This source page is the evidence", self.add_quote, "Q"),
            act("drop_evidence", "Take the last evidence away", self.drop_evidence, "Backspace"),
            act("comment", "Write a comment", self.write_comment, "C"),
            act("flag", "Flag this answer", self.flag, "F"),
            act("cannot_judge", "Cannot judge this deck…", self.ask_reason, "Shift+U"),
            act("clear", "Take the answer away", partial(self.say, None), "Delete"),
            act("submit", "Submit and next", self.submit, "Return", "Enter", "Ctrl+Return"),
            act("order", "Deck by deck, or item by item", self.switch_order, "D"),
            act("undo", "Undo", self.undo, "Ctrl+Z"),
            act("redo", "Redo", self.redo, "Ctrl+Shift+Z", "Ctrl+Y"),
            act("next_instance", "Next instance", partial(self.go, 1), "Ctrl+Right"),
            act("previous_instance", "Previous instance", partial(self.go, -1), "Ctrl+Left"),
            act("find", "Search decks and sources", self.find, "Ctrl+F"),
            act("back", "Back", self.back, "Escape", mode="", is_in_palette=False),
            act("keep_box", "Keep the box", self.keep_box, "Return", "Enter", mode=BOX, is_in_palette=False),
            *box, *why, *compare, *stage,
        ]  # fmt: skip

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
            self._wanted = {"instance": str(self._open.instance.id)}
            if self.unit is not None:
                self._wanted |= {"deck": str(self.unit.deck_id), "item": self.unit.item_id}
        self._leave_instance()
        self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        self._ticket = self._read_desk(self._on_desk)

    def _name(self) -> str:
        return self.context.settings.text("profile_name").strip()

    def _read_desk(self, done: Callable[[AnswerDesk], None]) -> Ticket:
        settings = self.context.settings
        read = partial(
            read_answer_desk, self.context.project, self._name(), group=settings.text("profile_group"),
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
        self.failed.set_words("The checklist cannot be opened", str(error))
        self._layers.setCurrentWidget(self.failed)

    def _on_desk(self, desk: AnswerDesk) -> None:
        self._ticket = None
        self._desk = desk
        self._open_wanted()

    def _on_counted(self, desk: AnswerDesk) -> None:
        self._count_ticket = None
        self._desk = desk
        if self._open is None:
            if self._layers.currentWidget() is self.empty:
                self._open_wanted()
            return
        place = desk.place_of(self._open.instance.id)
        if place is None or desk.queue[place].n_decks != len(self._open.decks):
            self.reload()

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
            self._go_to_wanted()
            return
        self._leave_instance()
        if self._layers.currentWidget() is not self.work:
            self._layers.setCurrentWidget(self.loading)
        self._drop(self._ticket)
        read = partial(open_checklist, self.context.project, self._desk.person, instance_id)
        self._ticket = self.context.background.query(read, self._on_opened, self._on_failed, owner=self)

    def _on_opened(self, opened: OpenChecklist) -> None:
        self._ticket = None
        self._open = opened
        self._comment_is_dirty = False
        self._failed_act = None
        self.panel.comment.clearFocus()
        self.panel.say_trouble("")
        self._set_mode(ANSWERING)
        self.stage.show_decks(opened.decks)
        for pane in self._panes():
            pane.view.box_drawn.connect(self._on_box_drawn, Qt.ConnectionType.UniqueConnection)
        self._layers.setCurrentWidget(self.work)
        self.source.show_instance(
            self.context.project, opened.instance.id, {deck.id: deck.name for deck in opened.decks}
        )
        if self._is_front:
            self.context.set_crumb(opened.instance.title)
            self._show_saved()
        self._go_to_wanted()
        self.instance_shown.emit(opened.instance.id)

    def _go_to_wanted(self) -> None:
        wanted = Unit(DeckId(self._wanted.pop("deck", "")), self._wanted.pop("item", ""))
        units = self._open.sheet.units(self.order)
        same_deck = [unit for unit in units if unit.deck_id == wanted.deck_id]
        if wanted in units:
            self.ask(wanted)
        elif same_deck:
            self.ask(same_deck[0])
        else:
            self.ask(self._open.sheet.next_open(None, self.order) or units[0])

    def _panes(self) -> list[Any]:
        return [pane for deck in self.stage.shown if (pane := self.stage.pane(deck)) is not None]

    @Slot()
    def _focus_if_nowhere(self) -> None:
        if self._is_front and self._mode == ANSWERING and QApplication.focusWidget() is None:
            self._focus_stage()

    def _focus_stage(self) -> None:
        if self.stage.focused is not None and self._is_front:
            self.stage.focus(self.stage.focused)

    def _leave_instance(self) -> None:
        if self._open is None:
            return
        self._save_comment()
        self._open.clock.away()
        self._open = None
        self.unit = None

    def _show_nothing(self) -> None:
        self._leave_instance()
        self.empty.set_words(*nothing_to_answer_words(self._desk))
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

    def ask(self, unit: Unit) -> None:
        """Ask a question: its deck gets the focus, its slide is shown, sources are out of sight if it needs none."""
        if self._open is None:
            return
        self._save_comment()
        self.unit = unit
        item = self._open.sheet.item(unit)
        self.stage.focus(unit.deck_id, takes_keyboard=self._is_front)
        if item.slide is not None:
            self.stage.show_slide(unit.deck_id, item.slide)
        is_hidden = self._open.sheet.hides_sources(unit)
        self.stage.set_extra(None if is_hidden else self.source)
        self.source.setVisible(not is_hidden)
        self._show()
        self._focus_stage()

    def step(self, by: int) -> None:
        """Go to the next (+1) or the previous (−1) question in the present order."""
        if self._open is None or self.unit is None:
            return
        units = self._open.sheet.units(self.order)
        there = units.index(self.unit) + by
        if 0 <= there < len(units):
            self.ask(units[there])
        else:
            self.context.toast("This is the last question." if by > 0 else "This is the first question.")

    def say(self, answer: ItemAnswer | None) -> None:
        """Answer the question, or take the answer away with None."""
        self._on_unit(lambda sheet, unit: sheet.answer(unit, answer))

    def flag(self) -> None:
        """Set or clear the flag of this answer."""
        self._on_unit(lambda sheet, unit: sheet.toggle_flag(unit))

    def add_slide(self) -> None:
        """Name the slide that is shown as evidence."""
        number = self._slide_shown()
        if number is not None:
            self._add_box(EvidenceBox(slide=number))

    def begin_box(self) -> None:
        """Place a box: a drag draws it, or arrow keys move and Shift with arrow keys stretch it; Enter keeps it."""
        self._edit_box(FIRST_BOX, None)

    def adjust_box(self) -> None:
        """Move and stretch the last box by keys."""
        if self.unit is None or self._open is None:
            return
        boxes = self._open.sheet.reply(self.unit).boxes
        if not boxes:
            self.context.toast("There is no box to adjust. Shift+E marks one.")
            return
        last = boxes[-1]
        self.stage.show_slide(self.unit.deck_id, last.slide)
        self._edit_box(QRectF(last.x0, last.y0, last.x1 - last.x0, last.y1 - last.y0), len(boxes) - 1)

    def move_box(self, x: int, y: int) -> None:
        """Move the box that is being placed, within the slide."""
        if self._box is not None:
            left = min(max(0.0, self._box.x() + x * STEP), 1 - self._box.width())
            top = min(max(0.0, self._box.y() + y * STEP), 1 - self._box.height())
            self._box = QRectF(left, top, self._box.width(), self._box.height())
            self._show_boxes()

    def size_box(self, x: int, y: int) -> None:
        """Stretch the box that is being placed at its lower right corner, within the slide."""
        if self._box is not None:
            width = min(max(STEP, self._box.width() + x * STEP), 1 - self._box.x())
            height = min(max(STEP, self._box.height() + y * STEP), 1 - self._box.y())
            self._box = QRectF(self._box.x(), self._box.y(), width, height)
            self._show_boxes()

    def keep_box(self) -> None:
        """Store the box that is being placed."""
        box, number, place = self._box, self._slide_shown(), self._adjusted
        self._end_box()
        if box is None or number is None:
            return
        # Sums of steps leave edges a hair beyond the slide.
        edges = [min(1.0, max(0.0, round(edge, 4))) for edge in (box.left(), box.top(), box.x() + box.width(),
                                                               box.y() + box.height())]  # fmt: skip
        kept = EvidenceBox(slide=number, x0=edges[0], y0=edges[1], x1=edges[2], y1=edges[3])
        if place is None:
            self._add_box(kept)
        else:
            self._on_unit(
                lambda sheet, unit: sheet.set_boxes(
                    unit, [kept if at == place else each for at, each in enumerate(sheet.reply(unit).boxes)]
                )
            )

    def add_quote(self) -> None:
        """Name the source page that is shown, with the words selected on it, as evidence."""
        if self._open is None or self.unit is None:
            return
        place = None if self._open.sheet.hides_sources(self.unit) else self.source.place_shown()
        if place is None:
            hides = self._open.sheet.hides_sources(self.unit)
            self.context.toast("This item is answered from the deck alone." if hides else "No source page is shown.")
            return
        quote = SourceQuote(source=place[0], page=place[1], quote=place[2])
        self._on_unit(lambda sheet, unit: sheet.set_quotes(unit, (*sheet.reply(unit).quotes, quote)))

    def drop_evidence(self) -> None:
        """Take the last box away, or else the last quote."""
        if self._open is None or self.unit is None:
            return
        reply = self._open.sheet.reply(self.unit)
        if reply.boxes:
            self._on_unit(lambda sheet, unit: sheet.set_boxes(unit, reply.boxes[:-1]))
        elif reply.quotes:
            self._on_unit(lambda sheet, unit: sheet.set_quotes(unit, reply.quotes[:-1]))

    def write_comment(self) -> None:
        """Put the cursor into the comment."""
        if self._open is not None and not self._is_locked():
            self.panel.comment.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.panel.scroll.ensureWidgetVisible(self.panel.comment)

    def ask_reason(self) -> None:
        """Ask why this deck cannot be judged; one key answers."""
        if self._open is not None and not self._is_locked():
            self._set_mode(REASON)

    def undo(self) -> None:
        """Take the last act back and show the question that it was about."""
        self._through(lambda sheet: sheet.undo())

    def redo(self) -> None:
        """Bring the last act back again."""
        self._through(lambda sheet: sheet.redo())

    def switch_order(self) -> None:
        """Go through the questions item by item, or deck by deck again."""
        is_by_deck = self.order is AnswerOrder.DECK_BY_DECK
        self.order = AnswerOrder.ITEM_BY_ITEM if is_by_deck else AnswerOrder.DECK_BY_DECK
        self._show()
        self.context.toast(f"Order: {ORDER_WORDS[self.order]}.")

    def submit(self) -> None:
        """Submit and go on: the deck, or item by item all decks; what is missing is said, and asked."""
        if self._open is None or self.unit is None:
            return
        self._save_comment()
        sheet = self._open.sheet
        wanted = [self.unit.deck_id] if self.order is AnswerOrder.DECK_BY_DECK else list(sheet.decks)
        undecided = [deck for deck in wanted if sheet.deck_state(deck).status not in DECIDED]
        missing = [f"{letter_of(self._open, deck)}: {sheet.missing(deck)}" for deck in undecided if sheet.missing(deck)]
        if missing and not self._is_locked():
            self.context.toast(f"{'; '.join(missing)}.")
            self.go_to_missing()
        elif self._is_locked() or all(self._act(partial(_submit, deck=deck)) for deck in undecided):
            self._go_on()

    def go(self, by: int) -> None:
        """Go to the next or the previous instance; what was said stays as it is."""
        if self._open is None:
            return
        there = self._desk.neighbour(self._open.instance.id, by)
        if there is not None:
            self._open_instance(there)
        else:
            self.context.toast("This is the last instance." if by > 0 else "This is the first instance.")

    def find(self) -> None:
        """Open the search over decks and sources, where the sources may be seen."""
        if self.source.isHidden():
            self.context.toast("This item is answered from the deck alone.")
        else:
            self.source.focus_search()

    def back(self) -> None:
        """Close what is open on top: box, reasons, then the contact sheet."""
        if self._mode == BOX:
            self._end_box()
        elif self._mode == REASON:
            self._set_mode(ANSWERING)
            self._focus_stage()
        elif self.stage.has_sheet:
            self.stage.close_sheet()
        elif not self.source.isHidden() and self.source.close_search():
            self._focus_stage()

    @Slot()
    def go_to_missing(self) -> None:
        """Ask the next question that lacks an answer or its place, of this deck or, item by item, of any."""
        if self._open is None or self.unit is None:
            return
        sheet, units = self._open.sheet, self._open.sheet.units(self.order)
        start = units.index(self.unit)
        for unit in units[start:] + units[:start]:
            is_asked = self.order is AnswerOrder.ITEM_BY_ITEM or unit.deck_id == self.unit.deck_id
            if is_asked and sheet.lacking(unit) and sheet.deck_state(unit.deck_id).status not in DECIDED:
                self.ask(unit)
                return

    @Slot()
    def try_again(self) -> None:
        """Try to store once more what could not be stored."""
        if self._failed_act is not None:
            self._act(self._failed_act)

    def open_comparison(self) -> None:
        """Show people's answers beside code's and judges', for authors and engineers only."""
        if self.context.is_blind:
            return
        if self.comparison is None:
            self.comparison = AnswerComparison(self.context, self)
        self.comparison.show_fresh()

    # acts

    def _on_unit(self, do: Callable[[ChecklistSheet, Unit], object]) -> None:
        unit = self.unit
        if unit is not None:
            self._save_comment()
            self._act(lambda sheet: do(sheet, unit))

    def _through(self, do: Callable[[ChecklistSheet], Unit | None]) -> None:
        self._save_comment()
        found: list[Unit | None] = []
        if self._act(lambda sheet: found.append(do(sheet))) and found[0] in self._open.sheet.units():
            self.ask(found[0])

    def _act(self, do: Callable[[ChecklistSheet], object]) -> bool:
        """Do something to the sheet, which is stored before this returns; return whether it was."""
        if self._open is None:
            return False
        if self._is_locked():
            self.context.toast("The project is open read-only: nothing can be changed here.")
            self._show()
            return False
        sheet = self._open.sheet
        before = sheet.saved_at
        try:
            do(sheet)
        except BadInput as error:
            self.context.toast(str(error))
            self._show()
            return False
        except Exception as error:
            # Whatever the store says (disk full, folder gone, a locked file), the person must know that the last
            # act is not kept; the screen goes back to what is stored.
            self._failed_act = do
            self._not_saved(error)
            return False
        self._failed_act = None
        self.panel.say_trouble("")
        self._show()
        self._show_saved()
        if sheet.saved_at != before:
            self.context.announce(answers_changed(self.page_id))
        return True

    def _not_saved(self, error: Exception) -> None:
        words = str(error) if isinstance(error, StudioError) else f"{error}."
        if not self.panel.trouble.full_text():
            _log.exception("an answer could not be stored")
        self.panel.say_trouble(f"Not saved: {words}")
        self.context.set_saved("not saved")
        self._show()

    @Slot()
    def _save_comment(self) -> None:
        self._comment_timer.stop()
        if self._open is None or self.unit is None or not self._comment_is_dirty:
            return
        comment, unit = self.panel.comment.toPlainText(), self.unit
        if self._act(lambda sheet: sheet.set_comment(unit, comment)):
            self._comment_is_dirty = False
            self._show()
        else:
            # What was typed stays on the screen until it can be stored.
            self._comment_timer.start(RETRY_MS)

    def _go_on(self) -> None:
        sheet = self._open.sheet
        order = list(sheet.decks)
        start = order.index(self.unit.deck_id) + 1
        left = [deck for deck in order[start:] + order[:start] if sheet.deck_state(deck).status not in DECIDED]
        if left and not self._is_locked():
            units = [unit for unit in sheet.units() if unit.deck_id == left[0]]
            self.ask(next((unit for unit in units if sheet.lacking(unit)), units[0]))
            return
        after = self._open.instance.id
        # Left at once: a key pressed before the next instance is there must not change this one.
        self._leave_instance()
        self._drop(self._ticket)
        self._ticket = self._read_desk(partial(self._on_decided, after))

    def _on_decided(self, after: InstanceId, desk: AnswerDesk) -> None:
        self._ticket = None
        self._desk = desk
        self._open_next(after)

    def _add_box(self, box: EvidenceBox) -> None:
        self._on_unit(
            lambda sheet, unit: sheet.set_boxes(unit, (*(b for b in sheet.reply(unit).boxes if b != box), box))
        )

    def _edit_box(self, box: QRectF, place: int | None) -> None:
        if self._open is None or self.unit is None or self._is_locked() or self._slide_shown() is None:
            return
        self.stage.close_sheet()
        self._box, self._adjusted = QRectF(box), place
        self._set_mode(BOX)
        self.stage.pane(self.unit.deck_id).view.set_drawing(True)
        self._show_boxes()
        self.context.toast("Drag a box, or arrows move and Shift+arrows stretch it. Enter keeps, Esc cancels.")

    def _end_box(self) -> None:
        self._box = self._adjusted = None
        for pane in self._panes():
            pane.view.set_drawing(False)
        self._set_mode(ANSWERING)
        self._show_boxes()

    def _slide_shown(self) -> int | None:
        pane = self.stage.pane(self.unit.deck_id) if self.unit is not None else None
        return pane.number if pane is not None else None

    def _set_mode(self, mode: str) -> None:
        self._mode = mode
        self.panel.set_asking(mode == REASON)
        if mode == REASON:
            self.reasons.begin()
        if self._is_front:
            self.context.shortcuts.set_page(self.page_id, mode)

    def _is_locked(self) -> bool:
        return bool(self.context.project.is_read_only)

    # what is shown

    def _show(self) -> None:
        if self._open is None or self.unit is None:
            return
        self.work.show_answers(
            self._open, self.unit, self.order, is_locked=self._is_locked(), keeps_comment=self._comment_is_dirty
        )
        self.work.show_head(self._desk, self._open, self.unit)
        self._show_boxes()

    def _show_boxes(self) -> None:
        if self._open is not None and self.unit is not None:
            self.work.show_boxes(self._open.sheet, self.unit, self._box)

    def _show_saved(self) -> None:
        if not self._is_front or self._open is None:
            return
        saved_at = self._open.sheet.saved_at
        if self._is_locked():
            self.context.set_saved("read-only")
        elif saved_at:
            self.context.set_saved(f"saved {datetime.fromisoformat(saved_at).astimezone():%H:%M:%S}")
        else:
            self.context.set_saved("")

    # what widgets tell

    @Slot(str)
    def _on_focus_changed(self, deck: str) -> None:
        """The same question of another deck is asked when that deck gets the focus."""
        if self._open is None or self.unit is None or deck == self.unit.deck_id:
            return
        if self._mode == BOX:
            self._end_box()
        items = self._open.sheet.items[DeckId(deck)]
        if not items:
            return
        same = next((item.id for item in items if item.id == self.unit.item_id), items[0].id)
        self.ask(Unit(DeckId(deck), same))

    @Slot()
    def _on_moved(self) -> None:
        for pane in self._panes():
            pane.view.box_drawn.connect(self._on_box_drawn, Qt.ConnectionType.UniqueConnection)
        self._show()

    @Slot(QRectF)
    def _on_box_drawn(self, rect: QRectF) -> None:
        if self._mode == BOX:
            self._box = QRectF(rect)
            self.keep_box()

    @Slot(int)
    def _on_box_dropped(self, place: int) -> None:
        self._on_unit(
            lambda sheet, unit: sheet.set_boxes(
                unit, [box for at, box in enumerate(sheet.reply(unit).boxes) if at != place]
            )
        )

    @Slot(int)
    def _on_quote_dropped(self, place: int) -> None:
        self._on_unit(
            lambda sheet, unit: sheet.set_quotes(
                unit, [quote for at, quote in enumerate(sheet.reply(unit).quotes) if at != place]
            )
        )

    @Slot(int)
    def _on_slide_asked(self, number: int) -> None:
        if self.unit is not None:
            self.stage.show_slide(self.unit.deck_id, number)

    @Slot(str, str)
    def _on_unit_picked(self, deck: str, item: str) -> None:
        self.ask(Unit(DeckId(deck), item))

    @Slot()
    def _on_comment_edited(self) -> None:
        self._comment_is_dirty = True
        self.context.set_saved("comment not saved yet")
        self._comment_timer.start(COMMENT_MS)

    @Slot(str)
    def _on_reason_given(self, reason: str) -> None:
        self._set_mode(ANSWERING)
        self._save_comment()
        deck = self.unit.deck_id if self.unit is not None else None
        if deck is not None and self._act(lambda sheet: sheet.cannot_judge(deck, reason)):
            self._go_on()

    @Slot(str, int, int, int, str)
    def _on_hit_asked(self, deck: str, number: int, _start: int, _end: int, _part: str) -> None:
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


def _submit(sheet: ChecklistSheet, *, deck: DeckId) -> None:
    sheet.submit(deck)
