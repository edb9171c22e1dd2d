"""What the Checklist page shows and where: head, questions, decks, and the question that is asked."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from studio.actions.answer_desk import DECIDED, AnswerDesk
from studio.actions.checklist_desk import OpenChecklist
from studio.gui.box_draft import rect_of
from studio.gui.context import AppContext
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.question_list import QuestionList, list_width, question_width
from studio.gui.widgets.question_panel import QuestionPanel, QuestionState
from studio.gui.widgets.slide_view import Box
from studio.gui.widgets.stage_work import STATUS, StageWork
from studio.model.checklists import ItemAnswer
from studio.model.ids import DeckId
from studio.sessions.checklist import AnswerOrder, ChecklistSheet, Unit

ORDER_WORDS = {AnswerOrder.DECK_BY_DECK: "deck by deck", AnswerOrder.ITEM_BY_ITEM: "item by item"}
MARKS = ((ItemAnswer.NO, "bad"), (ItemAnswer.CANNOT_TELL, "warn"), (ItemAnswer.YES, "ok"))
"""The first that a slide has is shown on it."""
NEEDS_PLACE = "evidence"


class ChecklistWork(StageWork):
    """The parts of the page, made, placed and filled; it decides nothing."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, "checklist")
        self.questions = QuestionList()
        self.panel = QuestionPanel()
        self.order_button = KeyCapButton("Order")
        self.sheet_button = KeyCapButton("Contact sheet")
        self.compare_button = KeyCapButton("Compare answers")
        self._place(
            before=[self.questions], after=[self.panel],
            buttons=[
                (self.order_button, "order", 1), (self.sync_button, "sync", 5), (self.sheet_button, "sheet", 4),
                (self.guidelines_button, "guidelines", 2), (self.compare_button, "compare", 3),
            ],
        )  # fmt: skip

    def show_answers(
        self, opened: OpenChecklist, unit: Unit, order: AnswerOrder, *, is_locked: bool, keeps_comment: bool
    ) -> None:
        """Show the answers as they are stored, and the question that is asked now."""
        sheet, item = opened.sheet, opened.sheet.item(unit)
        state = sheet.deck_state(unit.deck_id)
        status = STATUS.get(state.status, ("", ""))[0]
        deck, everything = sheet.progress(unit.deck_id), sheet.progress()
        name = letter_of(opened, unit.deck_id)
        same = [each.id for each in sheet.items[unit.deck_id] if each.dimension is item.dimension]
        self.questions.show_sheet(sheet, unit, order)
        missing = "" if state.status in DECIDED else sheet.missing(unit.deck_id)
        self.panel.show_state(
            QuestionState(
                item=item, number=same.index(item.id) + 1, reply=sheet.reply(unit),
                needs_place=sheet.lacking(unit) == NEEDS_PLACE,
                progress=f"{name}: {deck.answered} of {deck.total} · all decks: {everything.answered} of "
                f"{everything.total}",
                missing="Read-only: nothing can be changed" if is_locked else missing and f"{name}: {missing}",
                status=status and f"{name}: {status}" + (f" ({state.reason})" if state.reason else ""),
                is_recognised=sheet.recognised_system,
                can_change=not is_locked, submit_words="Next" if state.status in DECIDED else "Submit and next",
            ),
            keeps_comment=keeps_comment,
        )  # fmt: skip
        self.stage.set_marks({each: marks_of(sheet, each) for each in sheet.decks})
        self._show_history(sheet, is_locked=is_locked)
        self.order_button.setText(f"Order: {ORDER_WORDS[order]}")

    def show_boxes(self, sheet: ChecklistSheet, unit: Unit, candidate: QRectF | None = None) -> None:
        """Outline what the present answer rests on, and a box that is being placed."""
        for deck_id in self.stage.shown:
            pane = self.stage.pane(deck_id)
            boxes = []
            if deck_id == unit.deck_id:
                boxes = [
                    Box(rect=rect_of(box), label=str(place))
                    for place, box in enumerate(sheet.reply(unit).boxes, start=1)
                    if box.slide == pane.number
                ]
                if candidate is not None:
                    boxes.append(Box(rect=candidate, tone="accent", label="Enter keeps"))
            pane.view.set_boxes(boxes)

    def show_head(self, desk: AnswerDesk, opened: OpenChecklist, unit: Unit) -> None:
        """Say which deck is asked after, where in the queue this is, and how far everybody has come."""
        place = desk.queue.place_of(opened.assignment)
        mine, project = desk.queue.words()
        self.compare_button.setVisible(not self._context.is_blind)
        self.heading.set_text(f"Deck {letter_of(opened, unit.deck_id)}")
        where = f"instance {(place or 0) + 1} of {len(desk.queue.items)}"
        facts = [opened.instance.title, where, mine, project]
        self.head.words.set_wordings(" · ".join(facts), " · ".join(facts[1:]), " · ".join(facts[1:3]))
        self._show_guidelines(desk)

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self.questions.setFixedWidth(list_width(self.width()))
        self.panel.setFixedWidth(question_width(self.width()))


def letter_of(opened: OpenChecklist, deck_id: DeckId) -> str:
    """Return the letter of a deck."""
    return next((deck.name for deck in opened.decks if deck.id == deck_id), "")


def marks_of(sheet: ChecklistSheet, deck_id: DeckId) -> dict[int, str]:
    """Return the mark of each slide that an answer rests on: a no shows before a question mark before a yes."""
    return {
        slide: mark
        for slide, counts in sheet.badges(deck_id).items()
        if (mark := next((tone for answer, tone in MARKS if counts.get(answer)), ""))
    }
