"""What every answering page shows and where: a head, the page's own panels, decks and source, guidelines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from studio.actions.answer_desk import AnswerDesk
from studio.actions.sources import SourceReader
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.deck_stage import SYNC_WORDS, DeckStage
from studio.gui.widgets.guideline_drawer import GuidelineDrawer
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.source_panel import SourcePanel
from studio.model.answers import AnswerStatus
from studio.model.studies import Study

NARROW_BELOW_PX = 1160
MARGIN_PX = 12
STUDIES_PX = 220
STATUS = {
    AnswerStatus.SUBMITTED: ("submitted", "ok"),
    AnswerStatus.CANNOT_JUDGE: ("cannot judge", "warn"),
    AnswerStatus.SKIPPED: ("skipped", ""),
    AnswerStatus.RETURNED: ("returned", "alert"),
}
"""Words and tone of each status that is worth a badge."""


class StageWork(QWidget):
    """The parts that all answering pages have, made and placed; it decides nothing.

    A subclass makes its panels and buttons and calls `_place` with them.
    """

    study_chosen = Signal(str)
    """The id of a study."""
    filter_edited = Signal(str)

    def __init__(self, context: AppContext, page: str) -> None:
        super().__init__()
        self._context, self._page = context, page
        self._is_narrow = False
        self.stage = DeckStage(context.background, context.images, shows_all=False)
        self.source = SourcePanel(context.background, SourceReader(context.project, context.passwords))
        self.source.setParent(self.stage)
        self.source.hide()
        self.drawer = GuidelineDrawer()
        self.head = PageHead(mode=Qt.TextElideMode.ElideRight)
        self.heading, self.facts = self.head.title_label, self.head.facts_label
        self.studies = QComboBox()
        self.studies.setAccessibleName("Study")
        self.studies.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.studies.setMaximumWidth(STUDIES_PX)
        self.studies.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
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
        self.guidelines_button = KeyCapButton("Guidelines")

    def _place(
        self, *, before: Sequence[QWidget], after: Sequence[QWidget], buttons: Sequence[tuple[QWidget, str, int]]
    ) -> None:
        """Put the parts in their places; each button with the name of its action and how soon it gives way."""
        head = self.head
        head.add_leading(self.studies)
        head.add_control(self.filter)
        for button, words in ((self.undo_button, "Undo (Ctrl+Z)"), (self.redo_button, "Redo (Ctrl+Shift+Z)")):
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setFixedWidth(34)
            head.add_control(button)
        for button, name, gives_way in buttons:
            button.follow(self._context.shortcuts, f"{self._page}.{name}")
            head.add_control(button, gives_way=gives_way)
        self.guidelines_button.set_key("F1")
        middle = QHBoxLayout()
        middle.setSpacing(12)
        for widget in before:
            middle.addWidget(widget)
        middle.addWidget(self.stage, 1)
        for widget in (*after, self.drawer):
            middle.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        column.setSpacing(12)
        column.addWidget(head)
        column.addLayout(middle, 1)

    def show_studies(self, studies: Sequence[Study], study: Study) -> None:
        """Offer these studies; one alone needs no choice."""
        if [self.studies.itemData(place) for place in range(self.studies.count())] != [each.id for each in studies]:
            self.studies.clear()
            for each in studies:
                self.studies.addItem(each.name, each.id)
        self.studies.setCurrentIndex([each.id for each in studies].index(study.id))
        self.studies.setVisible(len(studies) > 1)

    def _show_history(self, session: object, *, is_locked: bool) -> None:
        self.undo_button.setEnabled(session.can_undo and not is_locked)
        self.redo_button.setEnabled(session.can_redo and not is_locked)
        self._show_sync()

    def _show_sync(self) -> None:
        words = f"Sync: {SYNC_WORDS[self.stage.viewing.mode]}"
        self.sync_button.setText(words)
        self.sync_button.setAccessibleName(words)

    def _show_guidelines(self, desk: AnswerDesk) -> None:
        self.guidelines_button.setText("Guidelines (changed)" if desk.guidelines.is_changed else "Guidelines")
        self.guidelines_button.setToolTip(
            f"Version {desk.guidelines.guidelines.version}" if desk.guidelines.guidelines else ""
        )

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self._is_narrow = self.width() < NARROW_BELOW_PX

    def _on_study_activated(self, place: int) -> None:
        self.study_chosen.emit(self.studies.itemData(place))
