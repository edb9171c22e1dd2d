"""What goes out of the open project, or comes into it, as a file: tables, the report, a copy of the whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from studio.model.protocols import CancelToken, Emit

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow


class ProjectFiles(QObject):
    """Asks for files on behalf of one window. Without an open project nothing happens."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    @Slot()
    def ask_import_table(self) -> None:
        """Ask for tables and hand them to the page that takes them."""
        read, context = self._window.services.import_table, self._window.context
        if read is not None and context is not None:
            read(self._window, context, self._window.take_paths)

    @Slot()
    def ask_export(self) -> None:
        """Open the export dialog."""
        export, context = self._window.services.export, self._window.context
        if export is not None and context is not None:
            export(self._window, context)

    @Slot()
    def ask_report(self) -> None:
        """Ask for a file and write the report there."""
        report, context = self._window.services.report, self._window.context
        if report is not None and context is not None:
            report(self._window, context)

    @Slot()
    def ask_save_copy(self) -> None:
        """Ask for a folder and copy the project there."""
        if self._window.services.save_copy is None or self._window.context is None:
            return
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save a copy: name and place of its folder")
        if chosen:
            self.save_copy(Path(chosen))

    def save_copy(self, target: Path) -> None:
        """Write a whole copy of the project into a new folder, in the background."""
        save, context = self._window.services.save_copy, self._window.context
        project = context.project

        def work(*, emit: Emit, cancel: CancelToken) -> Path:
            return save(project, target)

        context.background.start(
            work, name=f"Save a copy as {target.name}", done=self._on_copied, failed=self._window.report, owner=self
        )

    def _on_copied(self, target: Path) -> None:
        self._window.say(f"A copy was saved as {target}.")
