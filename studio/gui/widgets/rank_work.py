"""How the Rank page is laid out: head, board at the left, decks and source at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from studio.actions.sources import SourceReader
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.deck_stage import DeckStage
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.rank_board import RankBoard
from studio.gui.widgets.reason_list import ReasonList
from studio.gui.widgets.source_panel import SourcePanel

BOARD_PX, NARROW_BOARD_PX = 368, 312
NARROW_BELOW_PX = 1160


class RankWork(QWidget):
    """The parts of the page, made and placed; it decides nothing."""

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

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW_BELOW_PX
        self.board.setFixedWidth(NARROW_BOARD_PX if is_narrow else BOARD_PX)
        self.board.caps[1].set_text("" if is_narrow else "Alt+↑↓")
        for button in (self.sheet_button, self.guidelines_button):
            button.setVisible(not is_narrow)
