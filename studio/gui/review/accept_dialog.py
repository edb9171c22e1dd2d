"""Taking agreement between people for the decision: the threshold, and the list of what it decides."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from studio.actions import review as actions
from studio.actions.figures import counted
from studio.actions.review import Entry, ReviewDesk
from studio.gui.context import AppContext
from studio.gui.review.case_list import case_title
from studio.gui.review.words import SAID_WORDS, tone_of
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.changes import Changes
from studio.model.ids import AnnotatorId
from studio.model.reviews import Decision

WORK = "Accept agreement"
Row = tuple[Entry, Decision]


class AcceptDialog(QDialog):
    """Shows what a threshold would accept, before and after; Ctrl+Z on the page takes all of it back at once."""

    accepted_cases = Signal(object)
    """What the acceptance changed."""

    def __init__(self, context: AppContext, desk: ReviewDesk, reviewer: AnnotatorId, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._desk, self._reviewer = context, desk, reviewer
        self.setWindowTitle("Accept agreement")
        self.resize(760, 520)
        self.threshold = WholeBox(51, 100, 100)
        self.threshold.setSuffix(" %")
        self.threshold.setAccessibleName("Share of people who agree, percent")
        self.fewest = WholeBox(2, 99, actions.FEWEST_PEOPLE)
        self.fewest.setAccessibleName("Fewest people who answered")
        line = QHBoxLayout()
        line.setSpacing(8)
        for words, field in (("At least", self.threshold), ("of the people agree, and at least", self.fewest)):
            line.addWidget(QLabel(words))
            line.addWidget(field)
        line.addWidget(QLabel("answered"))
        line.addStretch(1)
        self.model: RowModel[Row] = RowModel(
            [
                Column(title="Case", value=lambda row: case_title(row[0]), is_strong=True,
                       tip=lambda row: row[0].case.text),
                Column(title="instance", value=lambda row: row[0].instance, width=180),
                Column(title="decided", value=lambda row: SAID_WORDS[row[1].value],
                       tone=lambda row: tone_of(row[1].value), width=120),
                Column(title="agree %", value=lambda row: row[0].case.majority[1],
                       text=lambda row: f"{100 * row[0].case.majority[1]:.0f}", is_number=True, width=84),
                Column(title="people", value=lambda row: row[0].case.majority[2], is_number=True, width=72),
            ],
            self, key=lambda row: row[0].case.id,
        )  # fmt: skip
        self.table = DataTable()
        self.table.set_model(self.model)
        self.panel = Panel("Would be accepted", " ")
        self.panel.set_body(self.table)
        self.take = KeyCapButton("Accept", is_primary=True)
        close = KeyCapButton("Close", "Esc")
        buttons = QHBoxLayout()
        buttons.addWidget(toned_label("Ctrl+Z on the page takes all of it back at once.", "muted"))
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.take)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(line)
        column.addWidget(self.panel, 1)
        column.addLayout(buttons)
        self.threshold.valueChanged.connect(self._show)
        self.fewest.valueChanged.connect(self._show)
        self.take.clicked.connect(self.accept_now)
        close.clicked.connect(self.close)
        self._show()

    @Slot()
    def _show(self, *_: object) -> None:
        rows = actions.acceptable(self._desk, self.threshold.value() / 100, fewest=self.fewest.value())
        self.model.set_rows(rows)
        self.panel.set_title("Would be accepted", counted(len(rows), "case"))
        self.take.setEnabled(bool(rows))

    @Slot()
    def accept_now(self) -> None:
        """Decide the cases that are listed."""
        self.take.setEnabled(False)
        project, share, fewest = self._context.project, self.threshold.value() / 100, self.fewest.value()
        self._context.background.query(
            lambda: actions.accept(project, share, reviewer=self._reviewer, fewest=fewest), self._on_accepted,
            self._on_failed, owner=self,
        )  # fmt: skip

    def _on_accepted(self, found: tuple[list[Row], Changes]) -> None:
        rows, changes = found
        self.threshold.setEnabled(False)
        self.fewest.setEnabled(False)
        self.model.set_rows(rows)
        self.panel.set_title("Accepted", counted(len(rows), "case"))
        self.accepted_cases.emit(changes)

    def _on_failed(self, error: BaseException) -> None:
        self.take.setEnabled(True)
        self._context.report(error)
