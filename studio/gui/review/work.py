"""What the Review page shows and where: head, queue, both sides' evidence, and the decision."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from studio.actions.review import CaseState, ReviewDesk
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.review.case_list import CaseList
from studio.gui.review.decision_panel import DecisionPanel
from studio.gui.review.evidence_view import EvidenceView
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.states import EmptyState

LIST_PX, PANEL_PX = 300, 340
NARROW_LIST_PX, NARROW_PANEL_PX, NARROW_BELOW_PX = 230, 290, 1280
_COUNTED = ((CaseState.DECIDED, "decided"), (CaseState.ACCEPTED, "accepted"), (CaseState.RETURNED, "returned"))


class ReviewWork(QWidget):
    """The parts of the page, made and placed; it decides nothing."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.head = PageHead("Review")
        self.undo_button = KeyCapButton("", icon=icon("rotate-ccw"))
        self.redo_button = KeyCapButton("", icon=icon("rotate-cw"))
        for button, words in ((self.undo_button, "Undo (Ctrl+Z)"), (self.redo_button, "Redo (Ctrl+Shift+Z)")):
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setFixedWidth(34)
        self.accept_button = KeyCapButton("Accept agreement…")
        self.accept_button.setToolTip("Take agreement between people for the decision where it reaches a threshold")
        self.compare_button = KeyCapButton("Open in Compare")
        self.items_button = KeyCapButton("Items")
        self.items_button.setToolTip("Which items are disputed, ambiguous, or tell decks apart")
        for control, gives_way in (
            (self.undo_button, 0), (self.redo_button, 0), (self.compare_button, 3), (self.items_button, 2),
            (self.accept_button, 1),
        ):  # fmt: skip
            self.head.add_control(control, gives_way=gives_way)
        self.cases = CaseList()
        self.evidence = EvidenceView(context)
        self.panel = DecisionPanel()
        self.nothing = EmptyState("No case", "Choose one at the left.", icon_name="git-compare", is_primary=False)
        self.nothing.button.hide()
        middle = QWidget()
        self._middle = QStackedLayout(middle)
        self._middle.addWidget(self.evidence)
        self._middle.addWidget(self.nothing)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.cases)
        row.addWidget(middle, 1)
        row.addWidget(self.panel)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(self.head)
        column.addLayout(row, 1)

    def show_evidence(self) -> None:
        """Show the panes."""
        self.panel.setEnabled(True)
        self._middle.setCurrentWidget(self.evidence)

    def show_nothing(self) -> None:
        """Say that no case passes the filter."""
        self.nothing.set_words("No disagreement passes the filter", "Let more through at the left.")
        self._middle.setCurrentWidget(self.nothing)

    def show_counts(self, desk: ReviewDesk) -> None:
        """Say how many cases stand how."""
        facts = [f"{sum(entry.is_open for entry in desk.entries):,} open"]
        facts += [f"{desk.count(state):,} {words}" for state, words in _COUNTED if desk.count(state)]
        self.head.facts_label.set_text(" · ".join(facts))

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW_BELOW_PX
        self.cases.setFixedWidth(NARROW_LIST_PX if is_narrow else LIST_PX)
        self.panel.setFixedWidth(NARROW_PANEL_PX if is_narrow else PANEL_PX)
