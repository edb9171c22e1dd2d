"""What files of answers would bring, before anything of them is taken."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from studio.actions.figures import counted
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.packs import MergeReport

COLUMNS: tuple[Column[MergeReport], ...] = (
    Column(title="annotator", value=lambda report: report.annotator, is_strong=True),
    Column(title="file", value=lambda report: report.file),
    Column(title="new", value=lambda report: report.new, is_number=True, width=70,
           tone=lambda report: "ok" if report.new else ""),
    Column(title="the same", value=lambda report: report.same, is_number=True, width=80),
    Column(title="conflicting", value=lambda report: report.conflicting, is_number=True, width=90,
           tone=lambda report: "warn" if report.conflicting else "",
           tip=lambda _: "changed here and there since the pack was made"),
    Column(title="over quota", value=lambda report: report.over_quota, is_number=True, width=90,
           tip=lambda _: "more answers than the overlap asks for; kept and counted"),
    Column(title="refused", value=lambda report: len(report.refused), is_number=True, width=80,
           tone=lambda report: "bad" if report.refused else ""),
)  # fmt: skip


class MergeAnswers(QDialog):
    """Shows one row for each file; `accepted_with` tells whether conflicting answers are taken."""

    accepted_with = Signal(bool)

    def __init__(self, reports: Sequence[MergeReport], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Merge answers")
        self.resize(860, 420)
        self.model = RowModel(COLUMNS, parent=self)
        self.model.set_rows(list(reports))
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setAccessibleName("What each file would bring")
        conflicting = sum(report.conflicting for report in reports)
        brings = sum(report.new + report.over_quota + report.views + report.training for report in reports)
        self.conflicting = QCheckBox(
            f"Take {counted(conflicting, 'conflicting answer')} as one more revision; what is here stays in the history"
        )
        self.conflicting.setVisible(bool(conflicting))
        self.conflicting.toggled.connect(self._on_toggled)
        self._brings = brings
        lines = [f"{report.file}, line {line}: {reason}" for report in reports for line, reason in report.refused[:200]]
        self.refused = QPlainTextEdit("\n".join(lines))
        self.refused.setReadOnly(True)
        self.refused.setAccessibleName("Refused lines")
        self.refused.setVisible(bool(lines))
        self.refused.setFixedHeight(110)
        self.words = toned_label("", "muted")
        cancel = KeyCapButton("Cancel", "Esc")
        cancel.clicked.connect(self.reject)
        self.take = KeyCapButton("Take them", "Enter", is_primary=True)
        self.take.setDefault(True)
        self.take.clicked.connect(self._on_take_clicked)
        cancel.setAutoDefault(False)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 12, 16, 12)
        foot.setSpacing(8)
        foot.addWidget(self.words, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.take)
        body = QVBoxLayout()
        body.setContentsMargins(16, 16, 16, 12)
        body.setSpacing(8)
        body.addWidget(
            toned_label("Nothing is taken before you say so. Merging a file twice changes nothing.", "muted")
        )
        body.addWidget(self.table, 1)
        body.addWidget(self.refused)
        body.addWidget(self.conflicting)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(body, 1)
        column.addWidget(hairline())
        column.addLayout(foot)
        self._on_toggled()

    @Slot()
    def _on_toggled(self, *_: object) -> None:
        has_something = bool(self._brings) or self.conflicting.isChecked()
        self.take.setEnabled(has_something)
        self.words.setText("" if has_something else "There is nothing new in it.")

    @Slot()
    def _on_take_clicked(self) -> None:
        self.accepted_with.emit(self.conflicting.isChecked())
        self.accept()
