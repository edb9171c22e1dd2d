"""One line that says what was just done and offers to undo it; nothing asks beforehand."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from studio.gui.icons import icon
from studio.gui.shortcuts import Shortcuts
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel


class UndoBar(Panel):
    """Hidden until something was done; the buttons are the page's own actions."""

    def __init__(self, shortcuts: Shortcuts, undo: str, redo: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.said = ElidedLabel()
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.undo_button = KeyCapButton("Undo", icon=icon("rotate-ccw"), is_compact=True)
        self.undo_button.follow(shortcuts, undo)
        self.redo_button = KeyCapButton("Redo", icon=icon("rotate-cw"), is_compact=True)
        self.redo_button.follow(shortcuts, redo)
        close = KeyCapButton("", icon=icon("x"), is_compact=True)
        close.setProperty("flat", True)
        close.setToolTip("Put this away")
        close.setAccessibleName("Put this away")
        close.clicked.connect(self._on_close_clicked)
        line = QFrame()
        row = QHBoxLayout(line)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(8)
        row.addWidget(self.said, 1)
        for button in (self.undo_button, self.redo_button, close):
            row.addWidget(button)
        self.set_body(line)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def say(self, words: str, *, is_undone: bool) -> None:
        """Show what was done; what was undone can be redone."""
        self.said.set_text(f"{words}.")
        self.undo_button.setVisible(not is_undone)
        self.redo_button.setVisible(is_undone)
        self.show()

    @Slot()
    def _on_close_clicked(self) -> None:
        self.hide()
