"""What the Rank page shows and where: head, board at the left, decks and source at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from studio.actions.ranking_desk import DECIDED, Desk, OpenInstance, unranked_words
from studio.actions.sessions import WANTED_ANSWERS
from studio.actions.sources import SourceReader
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.deck_stage import SYNC_WORDS, DeckStage
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.rank_board import BoardState, RankBoard
from studio.gui.widgets.reason_list import ReasonList
from studio.gui.widgets.source_panel import SourcePanel
from studio.model.answers import AnswerStatus
from studio.sessions.ranking import RankingSession

BOARD_PX, NARROW_BOARD_PX = 368, 312
NARROW_BELOW_PX = 1160
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
STATUS = {
    AnswerStatus.SUBMITTED: ("submitted", "ok"),
    AnswerStatus.CANNOT_JUDGE: ("cannot judge", "warn"),
    AnswerStatus.SKIPPED: ("skipped", ""),
    AnswerStatus.RETURNED: ("returned", "alert"),
}
"""Words and tone of each status that is worth a badge."""


class RankWork(QWidget):
    """The parts of the page, made, placed and filled; it decides nothing."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.stage = DeckStage(context.background, context.images, shows_all=False)
        self.board = RankBoard(context.background, context.images)
        self.reasons = ReasonList()
        self.board.foot_column.insertWidget(1, self.reasons)
        self.reasons.hide()
        self.source = SourcePanel(context.background, SourceReader(context.project, context.passwords))
        self.source.setParent(self.stage)
        self.source.hide()
        self.heading = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.heading.setProperty("tone", "heading")
        self.facts = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.facts.setProperty("tone", "muted")
        self.undo_button = KeyCapButton("", icon=icon("rotate-ccw"))
        self.redo_button = KeyCapButton("", icon=icon("rotate-cw"))
        self.sync_button = KeyCapButton("Sync")
        self.sheet_button = KeyCapButton("Contact sheet")
        self.source_button = KeyCapButton("Source")
        self.source_button.setCheckable(True)
        self.guidelines_button = KeyCapButton("Guidelines")
        self._place(context)

    def _place(self, context: AppContext) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.heading)
        head.addWidget(self.facts, 1)
        for button, words in ((self.undo_button, "Undo (Ctrl+Z)"), (self.redo_button, "Redo (Ctrl+Shift+Z)")):
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setFixedWidth(34)
            head.addWidget(button)
        for button, name in (
            (self.sync_button, "rank.sync"), (self.sheet_button, "rank.sheet"), (self.source_button, "rank.source"),
            (self.guidelines_button, "help.guidelines"),
        ):  # fmt: skip
            button.follow(context.shortcuts, name)
            head.addWidget(button)
        middle = QHBoxLayout()
        middle.setSpacing(12)
        middle.addWidget(self.board)
        middle.addWidget(self.stage, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(head)
        column.addLayout(middle, 1)

    def show_ranking(
        self, session: RankingSession, *, waiting: int | None, is_locked: bool, is_note_dirty: bool, is_note_open: bool
    ) -> None:
        """Show a ranking as it is stored.

        Args:
            session: the ranking.
            waiting: a digit that waits for a second one.
            is_locked: nothing can be changed.
            is_note_dirty: what was typed into the note is not stored yet and must stay.
            is_note_open: show the note even if it is empty.
        """
        state = session.state
        status, tone = STATUS.get(state.status, ("", ""))
        is_decided = state.status in DECIDED
        self.board.show_state(
            BoardState(
                slots=session.slots,
                unranked=session.unranked,
                focused=self.stage.focused,
                missing="" if is_decided else unranked_words(session),
                status=status,
                status_tone=tone,
                is_flagged=state.is_flagged,
                has_note=bool(state.note),
                can_change=not is_locked,
                locked="Read-only: nothing can be changed" if is_locked else "",
                pending=str(waiting or ""),
            )
        )
        self.board.submit.setText("Next" if is_decided else "Submit and next")
        if not is_note_dirty:
            self.board.show_note(state.note, is_open=is_note_open)
        self.board.note.setReadOnly(is_locked)
        self.stage.set_rank({deck: str(rank) for deck, rank in state.ranks.items()})
        self.undo_button.setEnabled(session.can_undo and not is_locked)
        self.redo_button.setEnabled(session.can_redo and not is_locked)
        self.sync_button.setText(f"Sync: {SYNC_WORDS[self.stage.viewing.mode]}")

    def show_head(self, desk: Desk, opened: OpenInstance) -> None:
        """Say what is asked, where in the queue this is, and how far everybody has come."""
        total = len(opened.decks)
        number = NUMBERS[total] if total < len(NUMBERS) else str(total)
        self.heading.set_text(f"Rank the {number} decks by overall quality")
        progress, place = desk.progress, desk.place_of(opened.instance.id)
        self.facts.set_text(
            f"instance {(place or 0) + 1} of {len(desk.queue)} · mine {progress.mine_done}/{progress.total}"
            f" · project {progress.project_done}/{progress.total} have {WANTED_ANSWERS} answers"
        )
        hidden = total - len(self.stage.shown)
        self.heading.setToolTip(f"{hidden} decks wait behind the others; W shows all." if hidden else "")

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW_BELOW_PX
        self.board.setFixedWidth(NARROW_BOARD_PX if is_narrow else BOARD_PX)
        self.board.caps[1].set_text("" if is_narrow else "Alt+↑↓")
        for button in (self.sheet_button, self.guidelines_button):
            button.setVisible(not is_narrow)
