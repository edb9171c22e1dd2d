"""Opens the studies window for the main window, keeps it up to date, and closes it with the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from studio.gui.studies.window import StudiesWindow
from studio.model.changes import Changes, Topic

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow

_SHOWN = {Topic.PEOPLE, Topic.ANSWERS, Topic.DECKS}


class StudiesOpener(QObject):
    """At most one window for the open project."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.shown: StudiesWindow | None = None
        window.project_closed.connect(self.close)
        window.changes_announced.connect(self._on_changes)

    @Slot()
    def open(self) -> None:
        """Show the studies, unless nobody may see them here."""
        context = self._window.context
        if context is None or context.is_blind:
            return
        if self.shown is None:
            files = self._window.files
            self.shown = StudiesWindow(context, files.ask_merge_answers, self._window.announce, self._window)
        self.shown.show()
        self.shown.activateWindow()

    @Slot()
    def close(self) -> None:
        """Close the window, if it is open."""
        if self.shown is not None:
            shown, self.shown = self.shown, None
            shown.close_project()

    @Slot(object)
    def _on_changes(self, changes: Changes) -> None:
        if self.shown is not None and changes.topics & _SHOWN:
            self.shown.reload()
