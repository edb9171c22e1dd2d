"""Instances and results out as trees that PresentBench's own code reads, from the Author page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from studio.actions import checklist_stats
from studio.actions.checklist_exchange import ExportReport, export_tree, export_verdicts
from studio.actions.figures import counted
from studio.errors import BadInput
from studio.gui.context import AppContext
from studio.model.ids import InstanceId


class TreeExport(QObject):
    """Asks where to and whose, writes in the background, and says what was written and what was left out."""

    written = Signal(object)
    """An `ExportReport`: everything is on the disk."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._parent = context, parent
        self.said: QMessageBox | None = None

    @Slot()
    def ask_instances(self) -> None:
        """Ask for a folder and write all instances there: sources, instructions, checklists and points."""
        self._ask_folder("Export instances for PresentBench", self.write_instances)

    @Slot()
    def ask_results(self) -> None:
        """Ask for a judge and a folder, and write its verdicts and scores there."""
        project = self._context.project
        self._context.background.query(
            lambda: checklist_stats.judges(project), self._on_judges, self._context.report, owner=self
        )

    def write_instances(self, folder: Path, instances: list[InstanceId] | None = None) -> None:
        """Write the data tree of instances; None for all."""
        project = self._context.project
        self._write(lambda: export_tree(project, folder, instances))

    def write_results(self, folder: Path, judge: str) -> None:
        """Write a judge's results tree."""
        project, now = self._context.project, datetime.now()
        self._write(lambda: export_verdicts(project, folder, judge, now=now))

    def _on_judges(self, judges: list[str]) -> None:
        if not judges:
            self._context.report(
                BadInput("No judge has answered a checklist of this project.", next_step="Run one on the Runs page.")
            )
            return
        dialog = QInputDialog(self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Export results for PresentBench")
        dialog.setLabelText("Judge whose results are written")
        dialog.setComboBoxItems(judges)
        dialog.textValueSelected.connect(self._on_judge_chosen)
        dialog.open()

    @Slot(str)
    def _on_judge_chosen(self, judge: str) -> None:
        self._ask_folder("Export results for PresentBench", partial(self.write_results, judge=judge))

    def _ask_folder(self, title: str, chosen: Callable[[Path], None]) -> None:
        folder = QFileDialog.getExistingDirectory(self._parent, f"{title}: folder to write into")
        if folder:
            chosen(Path(folder))

    def _write(self, fn: Callable[[], ExportReport]) -> None:
        self._context.background.query(fn, self._on_written, self._context.report, owner=self)

    def _on_written(self, report: ExportReport) -> None:
        self._context.toast(f"Wrote {counted(len(report.files), 'file')}.")
        if report.notes:
            self._tell(report)
        self.written.emit(report)

    def _tell(self, report: ExportReport) -> None:
        box = QMessageBox(self._parent)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Exported for PresentBench")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"{counted(len(report.notes), 'thing')} to know about what was written:")
        few = report.notes[:_FEW]
        rest = len(report.notes) - len(few)
        box.setInformativeText("\n".join(few + ([f"… and {rest} more, under Show Details."] if rest else [])))
        if rest:
            box.setDetailedText("\n".join(report.notes))
        self.said = box
        box.open()


_FEW = 6
