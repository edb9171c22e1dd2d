"""The window of the per-item report: one row for each item and judge; Enter goes to the item's disagreements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from studio.actions.figures import counted, figure, percent
from studio.actions.item_report import FLAG_WORDS, ItemFlag, ItemReport, export_items, item_report, report_rows
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel

Row = dict[str, Any]
_SHORT = {
    ItemFlag.DISPUTED: "disputed", ItemFlag.AMBIGUOUS: "ambiguous", ItemFlag.SAME_FOR_ALL: "same for all",
    ItemFlag.NOT_DISCRIMINATING: "does not discriminate", ItemFlag.FEW_NO: "few no",
}  # fmt: skip
_WHY = {
    "too_few": "too few decks", "constant": "every deck gets the same answer", "one_rater": "one person answered",
    "none_predicted": "the judge never says no", "no_support": "people never say no",
}  # fmt: skip


class ItemReportWindow(QDialog):
    """Reads the report in the background; `item_opened` names the item that was chosen."""

    loaded = Signal()
    item_opened = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._reports: list[ItemReport] = []
        self.setWindowTitle("Items")
        self.resize(1320, 680)
        self.model: RowModel[Row] = RowModel(_columns(), self, key=lambda row: (row["item_id"], row["judge_id"]))
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setAccessibleName("Items")
        self.table.row_opened.connect(self._on_row_opened)
        self.panel = Panel("Items", " ")
        self.panel.set_body(self.table)
        self.export = KeyCapButton("Export", icon=icon("download"))
        self.export.clicked.connect(self.ask_export)
        head = QHBoxLayout()
        head.addWidget(toned_label("What people and judges say, item by item", "heading"))
        head.addWidget(toned_label("“No” is what a judge should find. Enter goes to an item's disagreements.", "muted"))
        head.addStretch(1)
        head.addWidget(self.export)
        self.loading = LoadingState()
        self.empty = EmptyState("No answers yet", "Nobody has answered a checklist of this project.",
                                icon_name="list-checks", is_primary=False)  # fmt: skip
        self.empty.button.hide()
        self.failed = FailedState("The report cannot be computed")
        self.failed.retried.connect(self.reload)
        body = QWidget()
        self._layers = QStackedLayout(body)
        for layer in (self.panel, self.loading, self.empty, self.failed):
            self._layers.addWidget(layer)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(body, 1)

    @Slot()
    def reload(self) -> None:
        """Compute the report anew."""
        self.drop()
        self._layers.setCurrentWidget(self.loading)
        project = self._context.project
        self._ticket = self._context.background.query(
            lambda: item_report(project), self._on_read, self._on_failed, owner=self
        )

    def drop(self) -> None:
        """Let go of what is being read."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def closeEvent(self, event: object) -> None:  # @override
        self.drop()
        super().closeEvent(event)

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write the report there as CSV."""
        project = self._context.project
        folder = project.exports_folder if not project.is_read_only else Path.home()
        chosen, _ = QFileDialog.getSaveFileName(self, "Export the report", str(folder / "items.csv"), "CSV (*.csv)")
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, path: Path) -> None:
        """Write the report into a file."""
        reports = self._reports
        self._context.background.query(
            lambda: export_items(reports, path), lambda written: self._context.toast(f"Exported as {written}."),
            self._context.report, owner=self,
        )  # fmt: skip

    def _on_read(self, reports: list[ItemReport]) -> None:
        self._ticket = None
        self._reports = reports
        self.export.setEnabled(bool(reports))
        flagged = sum(bool(set(each.flags) - {ItemFlag.FEW_NO}) for each in reports)
        self.model.set_rows(report_rows(reports))
        self.panel.set_title("Items", f"{counted(len(reports), 'item')}, {flagged} conspicuous")
        self._layers.setCurrentWidget(self.panel if reports else self.empty)
        self.loaded.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self.failed.set_words("The report cannot be computed", str(error))
        self._layers.setCurrentWidget(self.failed)

    @Slot(object)
    def _on_row_opened(self, row: Row) -> None:
        self.item_opened.emit(row["item_id"])


def _columns() -> list[Column[Row]]:
    return [
        Column(title="Item", value=lambda row: row["text"], is_strong=True, tip=lambda row: row["text"]),
        Column(title="judge", value=lambda row: row["judge_id"] or "–", width=104),
        Column(title="decks", value=lambda row: row["n_decks"], is_number=True, width=58),
        _number("yes %", "prevalence", percent, 62),
        _number("people same %", "same_people", percent, 128),
        _number("α", "alpha", figure, 52),
        _number("discriminates", "discrimination", figure, 112),
        Column(title="disputed", value=lambda row: row["n_disputed"], is_number=True, width=82),
        _number("no: precision %", "no_precision", percent, 120),
        _number("no: recall %", "no_recall", percent, 100),
        Column(title="", value=lambda row: ", ".join(_SHORT[ItemFlag(flag)] for flag in row["flags"]), width=160,
               tip=lambda row: "\n".join(FLAG_WORDS[ItemFlag(flag)] for flag in row["flags"]),
               tone=lambda row: "warn" if set(row["flags"]) - {ItemFlag.FEW_NO.value} else "text_muted"),
    ]  # fmt: skip


def _number(title: str, name: str, text: Callable[[float | None], str], width: int) -> Column[Row]:
    def why(row: Row) -> str:
        reason = row["undefined"].get(name, "no judge answered")
        return _WHY.get(reason, reason)

    def tone(row: Row) -> str:
        is_about_no = name.startswith("no_")
        return "text_muted" if is_about_no and ItemFlag.FEW_NO.value in row["flags"] else ""

    return Column(
        title=title, value=lambda row: row[name], text=lambda row: text(row[name]), reason=why, is_number=True,
        width=width, tone=tone,
    )  # fmt: skip
