"""Checklist: one person answers yes or no about each deck, by keyboard, and every act is stored before it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from studio.actions.answer_desk import DECIDED, AnswerDesk, OpenUnit
from studio.actions.checklist_desk import OpenChecklist, open_checklist
from studio.actions.study_queue import QueueItem
from studio.gui.announcing import announce
from studio.gui.answer_comparison import AnswerComparison
from studio.gui.box_draft import FIRST_BOX, BoxDraft, box_on, rect_of
from studio.gui.digit_keys import digit_of
from studio.gui.queue_page import TRAINING
from studio.gui.shortcuts import Action, is_text_field
from studio.gui.unit_page import REASON, UnitPage
from studio.gui.widgets.checklist_work import ORDER_WORDS, ChecklistWork, letter_of
from studio.gui.widgets.question_panel import ANSWER_BUTTONS, change_words
from studio.gui.widgets.stage_actions import stage_actions
from studio.model.changes import Changes, Topic
from studio.model.checklists import EvidenceBox, ItemAnswer, SourceQuote
from studio.model.ids import DeckId
from studio.model.studies import StudyKind
from studio.sessions.checklist import AnswerOrder, ChecklistSheet, Unit

ANSWERING, BOX = "answering", "box"
OTHER_KEYS = {"next_deck": ("Right",), "previous_deck": ("Left",), "notes": ("Shift+N",)}
"""Keys of the stage that mean something else on this page."""


class ChecklistPage(UnitPage):
    """The page on which checklists are answered: a unit is an instance, and each of its questions is about one deck."""

    page_id = "checklist"
    title = "Checklist"
    icon_name = "list-checks"
    kinds = (StudyKind.CHECKLIST,)
    answering_modes = ANSWERING
    place_names = ("instance", "deck", "study", "item")
    recognise_keys = ("Shift+R",)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.unit: Unit | None = None
        self.order = AnswerOrder.DECK_BY_DECK
        self.comparison: AnswerComparison | None = None
        self._box = BoxDraft()

    # the page

    def make_work(self) -> ChecklistWork:  # @override
        return ChecklistWork(self.context)

    def _build(self) -> None:  # @override
        super()._build()
        self.questions, self.reasons = self.work.questions, self.work.panel.reasons

    def _connect(self) -> None:  # @override
        super()._connect()
        panel, shortcuts = self.work.panel, self.context.shortcuts
        self.panel = panel
        for answer, _words, name, _tone in ANSWER_BUTTONS:
            panel.answers[answer].follow(shortcuts, f"checklist.{name}")
        for button, name in (
            (panel.slide_button, "slide_evidence"), (panel.box_button, "box_evidence"), (panel.quote_button, "quote"),
            (panel.comment_button, "comment"), (panel.flag_button, "flag"), (panel.cannot_button, "cannot_judge"),
            (panel.recognised_button, "recognised"), (panel.submit, "submit"),
        ):  # fmt: skip
            button.follow(shortcuts, f"checklist.{name}")
        # A button that follows an action runs it when clicked; the panel's own signals are for what has no action.
        panel.box_dropped.connect(self._on_box_dropped, Qt.ConnectionType.QueuedConnection)
        panel.quote_dropped.connect(self._on_quote_dropped, Qt.ConnectionType.QueuedConnection)
        panel.slide_asked.connect(self._on_evidence_asked)
        panel.missing_clicked.connect(self.go_to_missing)
        panel.comment_edited.connect(self._on_comment_edited)
        panel.comment_left.connect(self._save_text)
        panel.comment_left.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
        panel.again.clicked.connect(self.saving.retry)
        self.work.questions.unit_picked.connect(self._on_unit_picked)

    def close_project(self) -> None:  # @override
        super().close_project()
        if self.comparison is not None:
            self.comparison.close()
            self.comparison = None

    def on_shown(self) -> None:  # @override
        super().on_shown()
        if self.context.is_blind and self.comparison is not None:
            self.comparison.close()

    def on_changes(self, changes: Changes) -> None:  # @override
        if Topic.CHECKLISTS in changes.topics and changes.origin != self.page_id and self._desk is not None:
            # What is asked is another thing now; what was said to it is stored.
            self.reload()
        else:
            super().on_changes(changes)
        if Topic.SCORES in changes.topics and self.comparison is not None and self.comparison.isVisible():
            self.comparison.reload()

    def reason_lists(self) -> Sequence[Any]:  # @override
        return (self.work.panel.reasons,)

    def mode_for(self, unit: OpenUnit) -> str:  # @override
        return ANSWERING

    def actions(self) -> list[Action]:  # @override
        def act(
            name: str, words: str, run: Callable[[], Any], *keys: str, mode: str = ANSWERING, **more: Any
        ) -> Action:
            return Action(
                id=f"checklist.{name}", words=words, run=run, keys=keys, page="checklist", mode=mode, **more
            )  # fmt: skip

        keys = {"yes": "Y", "no": "N", "cannot_tell": "U", "not_applicable": "A"}
        answers = [act(name, words, partial(self.say, answer), keys[name]) for answer, words, name, _ in ANSWER_BUTTONS]
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
        compare = act(
            "compare", "Compare answers…", self.open_comparison, mode="", is_in_palette=not self.context.is_blind
        )
        # Shared words and keys come from the page of units; an instance is left by Ctrl with an arrow here.
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
            act("next_instance", "Next instance", partial(self.go, 1), "Ctrl+Right"),
            act("previous_instance", "Previous instance", partial(self.go, -1), "Ctrl+Left"),
            act("missing", "Go to what is missing", self.go_to_missing, "M"),
            act("keep_box", "Keep the box", self.keep_box, "Return", "Enter", mode=BOX, is_in_palette=False),
            *box, compare, *stage, *super().actions(),
        ]  # fmt: skip

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        digit = digit_of(event)
        if digit is None or event.isAutoRepeat() or is_text_field(self.focusWidget()):
            super().keyPressEvent(event)
        elif self._mode == REASON:
            self.reasons.choose(digit)
        elif self._mode == TRAINING:
            self.training.choose(digit)

    # one instance

    def read_unit(self, desk: AnswerDesk, item: QueueItem) -> OpenChecklist:  # @override
        return open_checklist(self.context.project, desk.study, item.assignment)

    def is_here(self, unit: OpenUnit) -> dict[str, str]:  # @override
        here = {"instance": str(unit.instance.id)}
        return here | ({"deck": str(self.unit.deck_id), "item": self.unit.item_id} if self.unit is not None else {})

    def show_unit(self, unit: OpenUnit) -> None:  # @override
        self.unit = None
        self._box.take()
        self.panel.comment.clearFocus()

    def _focus_wanted(self) -> None:  # @override
        wanted = Unit(DeckId(self._wanted.pop("deck", "")), self._wanted.pop("item", ""))
        self._listen_to_panes()
        units = self._open.sheet.units(self.order)
        same_deck = [unit for unit in units if unit.deck_id == wanted.deck_id]
        if wanted in units:
            self.ask(wanted)
        elif same_deck:
            self.ask(same_deck[0])
        else:
            self.ask(self._open.sheet.next_open(None, self.order) or units[0])

    def _listen_to_panes(self) -> None:
        for pane in self._panes():
            pane.view.box_drawn.connect(self._on_box_drawn, Qt.ConnectionType.UniqueConnection)

    def _panes(self) -> list[Any]:
        return [pane for deck in self.stage.shown if (pane := self.stage.pane(deck)) is not None]

    def _leave_unit(self) -> bool:  # @override
        is_left = super()._leave_unit()
        if is_left:
            self.unit = None
        return is_left

    # what the user does

    def ask(self, unit: Unit) -> None:
        """Ask a question: its deck gets the focus, its slide is shown, sources are out of sight if it needs none."""
        if self._open is None:
            return
        self._save_text()
        self.unit = unit
        item = self._open.sheet.item(unit)
        self.stage.focus(unit.deck_id, takes_keyboard=self._is_front)
        if item.slide is not None:
            self.stage.show_slide(unit.deck_id, item.slide)
        is_hidden = self._open.sheet.hides_sources(unit)
        self.stage.set_extra(None if is_hidden else self.source)
        self.source.setVisible(not is_hidden)
        self._show()
        self._show_head()
        self._show_looked()
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
        self.stage.show_slide(self.unit.deck_id, boxes[-1].slide)
        self._edit_box(rect_of(boxes[-1]), len(boxes) - 1)

    def move_box(self, x: int, y: int) -> None:
        """Move the box that is being placed, within the slide."""
        self._box.move(x, y)
        self._show_boxes()

    def size_box(self, x: int, y: int) -> None:
        """Stretch the box that is being placed at its lower right corner, within the slide."""
        self._box.stretch(x, y)
        self._show_boxes()

    def keep_box(self) -> None:
        """Store the box that is being placed."""
        number = self._slide_shown()
        rect, place = self._box.take()
        self._end_box()
        if rect is None or number is None:
            return
        kept = box_on(number, rect)
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

    @Slot()
    def undo(self) -> None:  # @override
        """Take the last act back and show the question that it was about."""
        self._through(lambda sheet: sheet.undo())

    @Slot()
    def redo(self) -> None:  # @override
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
        self._save_text()
        sheet = self._open.sheet
        wanted = [self.unit.deck_id] if self.order is AnswerOrder.DECK_BY_DECK else list(sheet.decks)
        undecided = [deck for deck in wanted if sheet.deck_state(deck).status not in DECIDED]
        missing = [f"{letter_of(self._open, deck)}: {sheet.missing(deck)}" for deck in undecided if sheet.missing(deck)]
        if missing and not self._is_locked():
            self.context.toast(f"{'; '.join(missing)}.")
            self.go_to_missing()
        elif self._is_locked() or all(self._act(partial(_submit, deck=deck)) for deck in undecided):
            self._go_on_with_decks()

    def find(self) -> None:  # @override
        """Open the search over decks and sources, where the sources may be seen."""
        if self.source.isHidden():
            self.context.toast("This item is answered from the deck alone.")
        else:
            super().find()

    def back(self) -> None:  # @override
        """Close what is open on top: the box, else what all pages have."""
        if self._mode == BOX:
            self._box.take()
            self._end_box()
        else:
            super().back()

    @Slot()
    def go_to_missing(self) -> None:
        """Ask the next question that lacks an answer or its place, of this deck or, item by item, of any.

        Where all is answered, the first slide that must still be looked at is shown.
        """
        if self._open is None or self.unit is None:
            return
        sheet, units = self._open.sheet, self._open.sheet.units(self.order)
        start = units.index(self.unit)
        for unit in units[start:] + units[:start]:
            if self._is_asked(unit.deck_id) and sheet.lacking(unit):
                self.ask(unit)
                return
        unseen = next((place for place in sheet.unseen if self._is_asked(place[0])), None)
        if unseen is not None:
            self.stage.show_slide(*unseen)

    def _is_asked(self, deck_id: DeckId) -> bool:
        is_asked = self.order is AnswerOrder.ITEM_BY_ITEM or deck_id == self.unit.deck_id
        return is_asked and self._open.sheet.deck_state(deck_id).status not in DECIDED

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
            self._save_text()
            self._act(lambda sheet: do(sheet, unit))

    def _through(self, do: Callable[[ChecklistSheet], Unit | None]) -> None:
        self._save_text()
        found: list[Unit | None] = []
        self._act(lambda sheet: found.append(do(sheet)))
        if found and found[0] in self._open.sheet.units():
            self.ask(found[0])

    def save_text(self) -> None:  # @override
        unit, comment = self.unit, self.panel.comment.toPlainText()
        if unit is not None:
            self._act(lambda sheet: sheet.set_comment(unit, comment))

    def say_trouble(self, words: str) -> None:  # @override
        self.panel.say_trouble(words)

    def say_change(self, unit: OpenUnit) -> None:  # @override
        if self.unit is not None:
            announce(self.panel, change_words(unit.sheet.reply(self.unit)))

    def set_asking(self, is_asking: bool) -> None:  # @override
        self.panel.set_asking(is_asking)

    def _go_on_with_decks(self) -> None:
        sheet = self._open.sheet
        order = list(sheet.decks)
        start = order.index(self.unit.deck_id) + 1
        left = [deck for deck in order[start:] + order[:start] if sheet.deck_state(deck).status not in DECIDED]
        if left and not self._is_locked():
            units = [unit for unit in sheet.units() if unit.deck_id == left[0]]
            self.ask(next((unit for unit in units if sheet.lacking(unit)), units[0]))
        else:
            self._go_on()

    def _add_box(self, box: EvidenceBox) -> None:
        self._on_unit(
            lambda sheet, unit: sheet.set_boxes(unit, (*(b for b in sheet.reply(unit).boxes if b != box), box))
        )

    def _edit_box(self, rect: QRectF, place: int | None) -> None:
        if self._open is None or self.unit is None or self._is_locked() or self._slide_shown() is None:
            return
        self.stage.close_sheet()
        self._box.begin(rect, place)
        self._set_mode(BOX)
        self.stage.pane(self.unit.deck_id).view.set_drawing(True)
        self._show_boxes()
        self.context.toast("Drag a box, or arrows move and Shift+arrows stretch it. Enter keeps, Esc cancels.")

    def _end_box(self) -> None:
        for pane in self._panes():
            pane.view.set_drawing(False)
        self._set_mode(ANSWERING)
        self._show_boxes()

    def _slide_shown(self) -> int | None:
        pane = self.stage.pane(self.unit.deck_id) if self.unit is not None else None
        return pane.number if pane is not None else None

    # what is shown

    @Slot()
    def _show(self) -> None:  # @override
        if self._open is None or self.unit is None:
            return
        self.work.show_answers(
            self._open, self.unit, self.order, is_locked=self._is_locked(), keeps_comment=self.text.is_dirty
        )
        self._show_boxes()

    def _show_head(self) -> None:  # @override
        if self._open is not None and self.unit is not None:
            self.work.show_head(self._desk, self._open, self.unit)

    def _show_boxes(self) -> None:
        if self._open is not None and self.unit is not None:
            self.work.show_boxes(self._open.sheet, self.unit, self._box.rect)

    # what widgets tell

    @Slot(str)
    def _on_focus_changed(self, deck: str) -> None:  # @override
        """The same question of another deck is asked when that deck gets the focus."""
        if self._open is None or self.unit is None or deck == self.unit.deck_id:
            return
        if self._mode == BOX:
            self._box.take()
            self._end_box()
        items = self._open.sheet.items[DeckId(deck)]
        if not items:
            return
        same = next((item.id for item in items if item.id == self.unit.item_id), items[0].id)
        self.ask(Unit(DeckId(deck), same))

    @Slot()
    def _on_moved(self) -> None:  # @override
        self._listen_to_panes()
        super()._on_moved()

    @Slot(QRectF)
    def _on_box_drawn(self, rect: QRectF) -> None:
        if self._mode == BOX:
            self._box.rect = QRectF(rect)
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
    def _on_evidence_asked(self, number: int) -> None:
        if self.unit is not None:
            self.stage.show_slide(self.unit.deck_id, number)

    @Slot(str, str)
    def _on_unit_picked(self, deck: str, item: str) -> None:
        self.ask(Unit(DeckId(deck), item))

    @Slot()
    def _on_comment_edited(self) -> None:
        self.text.edit()
        self.context.set_saved("comment not saved yet")

    @Slot(str)
    def _on_reason_given(self, reason: str) -> None:  # @override
        """A reason is about the deck that is asked after; the others go on."""
        if self._open is None or self.unit is None:
            return
        deck = self.unit.deck_id
        self._set_mode(ANSWERING)
        self._save_text()
        if self._act(lambda sheet: sheet.cannot_judge(deck, reason)):
            self._go_on_with_decks()


def _submit(sheet: ChecklistSheet, *, deck: DeckId) -> None:
    sheet.submit(deck)
