"""What an answering page shows and where: head, board at the left, decks and source at the right, guidelines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.answer_desk import DECIDED, AnswerDesk, OpenUnit
from studio.actions.sources import SourceReader
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.answer_board import AnswerBoard, FootState
from studio.gui.widgets.deck_stage import SYNC_WORDS, DeckStage
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.guideline_drawer import GuidelineDrawer
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.source_panel import SourcePanel
from studio.model.answers import AnswerStatus
from studio.model.studies import Study
from studio.sessions.answering import Answering

BOARD_PX, NARROW_BOARD_PX = 368, 312
NARROW_BELOW_PX = 1160
STATUS = {
    AnswerStatus.SUBMITTED: ("submitted", "ok"),
    AnswerStatus.CANNOT_JUDGE: ("cannot judge", "warn"),
    AnswerStatus.SKIPPED: ("skipped", ""),
    AnswerStatus.RETURNED: ("returned", "alert"),
}
"""Words and tone of each status that is worth a badge."""


class AnswerWork(QWidget):
    """The parts of the page, made, placed and filled; it decides nothing."""

    study_chosen = Signal(str)
    """The id of a study."""
    filter_edited = Signal(str)

    def __init__(self, context: AppContext, page: str, boards: Sequence[AnswerBoard]) -> None:
        super().__init__()
        self._is_narrow = False
        self.stage = DeckStage(context.background, context.images, shows_all=False)
        self.boards = QStackedWidget()
        for board in boards:
            self.boards.addWidget(board)
        self.source = SourcePanel(context.background, SourceReader(context.project, context.passwords))
        self.source.setParent(self.stage)
        self.source.hide()
        self.drawer = GuidelineDrawer()
        self.heading = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.heading.setProperty("tone", "heading")
        self.facts = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.facts.setProperty("tone", "muted")
        self.studies = QComboBox()
        self.studies.setAccessibleName("Study")
        self.studies.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.studies.setMaximumWidth(220)
        self.studies.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.studies.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.studies.activated.connect(self._on_study_activated)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter instances")
        self.filter.setAccessibleName("Filter instances")
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(150)
        self.filter.hide()
        self.filter.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.filter.textEdited.connect(self.filter_edited)
        self.undo_button = KeyCapButton("", icon=icon("rotate-ccw"))
        self.redo_button = KeyCapButton("", icon=icon("rotate-cw"))
        self.sync_button = KeyCapButton("Sync")
        self.source_button = KeyCapButton("Source")
        self.source_button.setCheckable(True)
        self.compare_button = KeyCapButton("By comparison")
        self.compare_button.hide()
        self.guidelines_button = KeyCapButton("Guidelines")
        self._place(context, page)

    def _place(self, context: AppContext, page: str) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.studies)
        head.addWidget(self.heading)
        head.addWidget(self.facts)
        head.addStretch(1)
        head.addWidget(self.filter)
        for button, words in ((self.undo_button, "Undo (Ctrl+Z)"), (self.redo_button, "Redo (Ctrl+Shift+Z)")):
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setFixedWidth(34)
            head.addWidget(button)
        for button, name in (
            (self.sync_button, f"{page}.sync"),
            (self.source_button, f"{page}.source"), (self.guidelines_button, f"{page}.guidelines"),
            (self.compare_button, f"{page}.by_comparison"),
        ):  # fmt: skip
            button.follow(context.shortcuts, name)
            head.addWidget(button)
        self.guidelines_button.set_key("F1")
        middle = QHBoxLayout()
        middle.setSpacing(12)
        middle.addWidget(self.boards)
        middle.addWidget(self.stage, 1)
        middle.addWidget(self.drawer)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(head)
        column.addLayout(middle, 1)

    @property
    def board(self) -> AnswerBoard:
        """The board in front."""
        return self.boards.currentWidget()

    def show_studies(self, studies: Sequence[Study], study: Study) -> None:
        """Offer these studies; one alone needs no choice."""
        if [self.studies.itemData(place) for place in range(self.studies.count())] != [each.id for each in studies]:
            self.studies.clear()
            for each in studies:
                self.studies.addItem(each.name, each.id)
        self.studies.setCurrentIndex([each.id for each in studies].index(study.id))
        self.studies.setVisible(len(studies) > 1)

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
        is_decided = state.status in DECIDED
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
        self.undo_button.setEnabled(session.can_undo and not is_locked)
        self.redo_button.setEnabled(session.can_redo and not is_locked)
        self.sync_button.setText(f"Sync: {SYNC_WORDS[self.stage.viewing.mode]}")

    def show_head(self, heading: str, desk: AnswerDesk, opened: OpenUnit) -> None:
        """Say what is asked, where in the queue this is, and how far everybody has come."""
        self.heading.set_text(heading)
        place = desk.queue.place_of(opened.assignment)
        mine, project = desk.queue.words()
        what = "instance" if desk.queue.mine_total == len({i.instance.id for i in desk.queue.items}) else "question"
        where = f"{(place or 0) + 1} of {len(desk.queue.items)}"
        self.facts.set_text(f"{where if self._is_narrow else f'{what} {where}'} · {mine} · {project}")
        self.facts.setMinimumWidth(self.facts.fontMetrics().horizontalAdvance(self.facts.full_text()) + 4)
        self.guidelines_button.setText("Guidelines (changed)" if desk.guidelines.is_changed else "Guidelines")
        self.guidelines_button.setToolTip(
            f"Version {desk.guidelines.guidelines.version}" if desk.guidelines.guidelines else ""
        )
        hidden = len(opened.decks) - len(self.stage.shown)
        behind = f"\n{hidden} decks wait behind the others; W shows all." if hidden > 0 else ""
        self.heading.setToolTip(f"{heading}{behind}")

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self._is_narrow = self.width() < NARROW_BELOW_PX
        self.studies.setMaximumWidth(130 if is_narrow else 220)
        self.boards.setFixedWidth(NARROW_BOARD_PX if is_narrow else BOARD_PX)
        self.sync_button.setVisible(not is_narrow)

    def _on_study_activated(self, place: int) -> None:
        self.study_chosen.emit(self.studies.itemData(place))
