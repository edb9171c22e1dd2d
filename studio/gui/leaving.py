"""Whether the window may be left: nothing that is not saved is lost, and no work ends, without a person saying so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from studio.gui.page import Page


class Leaving(QObject):
    """Asks before something is lost; where a person gives it up, what was asked for is done after all."""

    def __init__(self, window: QWidget, pages: Callable[[], Iterable[Page]]) -> None:
        super().__init__(window)
        self._window, self._pages = window, pages
        self.box: QMessageBox | None = None
        """The question about what is not saved, while it stands there."""
        self._gives_up = False

    def may_leave(self, again: Callable[[], object]) -> bool:
        """Return whether everything is saved, or was given up; else ask, without holding up the tries to save it.

        Args:
            again: what is done once more if the person gives up what is not saved.
        """
        if self._gives_up:
            return True
        unsaved = [words for words in (page.unsaved() for page in self._pages()) if words]
        if not unsaved:
            return True
        if self.box is None:
            box = QMessageBox(self._window)
            box.setWindowTitle("Not saved")
            box.setText(f"Not saved yet – {'; '.join(unsaved)}")
            box.setInformativeText("It is tried again every few seconds. Closing now loses what is not saved.")
            stay = box.addButton("Keep open", QMessageBox.ButtonRole.RejectRole)
            leave = box.addButton("Close and lose it", QMessageBox.ButtonRole.DestructiveRole)
            box.setDefaultButton(stay)
            box.setEscapeButton(stay)
            leave.clicked.connect(partial(self._give_up, again))
            box.finished.connect(self._forget_box)
            self.box = box
            box.open()
        return False

    def may_stop(self, names: str) -> bool:
        """Ask whether work that goes on may end; return whether it may.

        Args:
            names: what goes on, in words.
        """
        box = QMessageBox(self._window)
        box.setWindowTitle("Background work goes on")
        box.setText(f"{names} is not finished.")
        box.setInformativeText("Quitting stops it; what is finished is kept, and the rest can be run later.")
        # Words of our own: a standard "Close" beside a text about quitting leaves open what it closes.
        leave = box.addButton("Stop and quit", QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.exec()
        return box.clickedButton() is leave

    def _give_up(self, again: Callable[[], object], _is_checked: bool = False) -> None:
        self._gives_up = True
        QTimer.singleShot(0, partial(self._do_again, again))

    def _do_again(self, again: Callable[[], object]) -> None:
        try:
            again()
        finally:
            self._gives_up = False

    @Slot(int)
    def _forget_box(self, _result: int) -> None:
        if self.box is not None:
            self.box.deleteLater()
            self.box = None
