"""What a page with a board shows and where: the board at the left, decks and source at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QStackedWidget

from studio.actions.answer_desk import AnswerDesk, OpenUnit
from studio.gui.context import AppContext
from studio.gui.widgets.answer_board import AnswerBoard, FootState
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.stage_work import STATUS, StageWork
from studio.sessions.answering import Answering

BOARD_PX, NARROW_BOARD_PX = 368, 312


class AnswerWork(StageWork):
    """The parts of the page, made, placed and filled; it decides nothing."""

    def __init__(self, context: AppContext, page: str, boards: Sequence[AnswerBoard]) -> None:
        super().__init__(context, page)
        self.boards = QStackedWidget()
        for board in boards:
            self.boards.addWidget(board)
        self.source_button = KeyCapButton("Source")
        self.source_button.setCheckable(True)
        self.compare_button = KeyCapButton("By comparison")
        self.compare_button.hide()
        self._place(
            before=[self.boards], after=[],
            buttons=[
                (self.sync_button, "sync", 4), (self.source_button, "source", 1),
                (self.guidelines_button, "guidelines", 2), (self.compare_button, "by_comparison", 3),
            ],
        )  # fmt: skip

    @property
    def board(self) -> AnswerBoard:
        """The board in front."""
        return self.boards.currentWidget()

    def show_foot(
        self, session: Answering, *, is_locked: bool, is_note_dirty: bool, is_note_open: bool, missing: str
    ) -> None:  # fmt: skip
        """Show the parts of an answer that all kinds have.

        Args:
            session: the answer.
            is_locked: nothing can be changed.
            is_note_dirty: what was typed into the note is not stored yet and must stay.
            is_note_open: show the note even if it is empty.
            missing: what keeps it from being submitted.
        """
        state = session.state
        status, tone = STATUS.get(state.status, ("", ""))
        is_decided = session.is_decided
        self.board.show_foot(
            FootState(
                missing="" if is_decided else missing,
                status=status,
                status_tone=tone,
                is_flagged=state.is_flagged,
                has_note=bool(state.note),
                is_recognised=state.recognised_system,
                can_change=not is_locked,
                locked="Read-only: nothing can be changed" if is_locked else "",
                submit_words="Next" if is_decided else "Submit and next",
            )
        )
        if not is_note_dirty:
            self.board.show_note(state.note, is_open=is_note_open)
        self.board.note.setReadOnly(is_locked)
        self._show_history(session, is_locked=is_locked)

    def show_head(self, heading: str, desk: AnswerDesk, opened: OpenUnit) -> None:
        """Say what is asked, where in the queue this is, and how far everybody has come."""
        place = desk.queue.place_of(opened.assignment)
        mine, project = desk.queue.words()
        what = "instance" if desk.queue.mine_total == len({i.instance.id for i in desk.queue.items}) else "question"
        where = f"{(place or 0) + 1} of {len(desk.queue.items)}"
        self.head.words.set_wordings(
            f"{what} {where} · {mine} · {project}", f"{where} · {mine} · {project}", f"{where} · {mine}"
        )
        self._show_guidelines(desk)
        hidden = len(opened.decks) - len(self.stage.shown)
        behind = f"\n{hidden} decks wait behind the others; W shows all." if hidden > 0 else ""
        self.heading.set_text(heading, tip=f"{heading}{behind}")

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self.boards.setFixedWidth(NARROW_BOARD_PX if self._is_narrow else BOARD_PX)
