"""What leaves the Alignment page, for the clipboard or as files: the methods table, and its plots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from studio.actions.figures import counted
from studio.actions.method_rows import MethodsView, as_csv, as_markdown, export_methods
from studio.actions.plots import FORMATS, write_plots_of
from studio.gui.context import AppContext
from studio.model.protocols import CancelToken, Emit

Shown = tuple[MethodsView, AppContext]


class TableOut(QWidget):
    """Asks for a place and writes there, off the main thread, what the page shows at that moment."""

    def __init__(self, shown: Callable[[], Shown | None], parent: QWidget) -> None:
        """Begin without asking anything.

        Args:
            shown: returns the table that is shown and what the page was given; None while there is none.
            parent: the page.
        """
        super().__init__(parent)
        self.hide()
        self._shown = shown

    @Slot()
    def copy_csv(self) -> None:
        """Put the table on the clipboard as CSV in full precision."""
        shown = self._shown()
        if shown is not None:
            # A spreadsheet takes the mark for a part of the first cell when text is pasted.
            QGuiApplication.clipboard().setText(as_csv(shown[0]).removeprefix("\ufeff"))

    @Slot()
    def copy_markdown(self) -> None:
        """Put the table on the clipboard as Markdown, rounded as it is shown."""
        shown = self._shown()
        if shown is not None:
            QGuiApplication.clipboard().setText(as_markdown(shown[0]))

    @Slot()
    def ask_table(self) -> None:
        """Ask for a file and write the table there."""
        shown = self._shown()
        if shown is None:
            return
        name = str(_folder(shown[1]) / f"alignment-{shown[0].table.level.value}.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, "Export table", name, "CSV (*.csv);;Markdown (*.md)")
        if chosen:
            self.write_table(Path(chosen))

    def write_table(self, path: Path) -> None:
        """Write the table into a file, as CSV or Markdown by its name."""
        shown = self._shown()
        if shown is None:
            return
        view, context = shown
        context.background.query(
            lambda: export_methods(view, path),
            lambda written: context.toast(f"Exported as {written}."),
            context.report,
            owner=self,
        )

    @Slot()
    def ask_plots(self) -> None:
        """Ask for a folder and write the plots of the table there."""
        shown = self._shown()
        if shown is None:
            return
        chosen = QFileDialog.getExistingDirectory(self, "Write plots: folder", str(_folder(shown[1])))
        if chosen:
            self.write_plots(Path(chosen))

    def write_plots(self, folder: Path) -> None:
        """Write the plots of the table as it is shown, each as SVG, PDF and PNG."""
        shown = self._shown()
        if shown is None:
            return
        view, context = shown

        def work(*, emit: Emit, cancel: CancelToken) -> list[Path]:
            return write_plots_of(view.table, folder, formats=tuple(FORMATS))

        def told(files: list[Path]) -> None:
            context.toast(f"{counted(len(files), 'file')} of plots written into {folder}.")

        context.background.start(work, name="Write plots", done=told, failed=context.report, owner=self)


def _folder(context: AppContext) -> Path:
    return Path.home() if context.project.is_read_only else context.project.exports_folder
