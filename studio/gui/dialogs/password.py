"""Asks once for the password of a file; what is typed is never shown and goes no further than the action."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from studio.errors import StudioError
from studio.gui.background import Background
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label

KEPT = "It is kept in memory until the project is closed, and nowhere else."


class PasswordDialog(QDialog):
    """Tries each password in the background; stays open until one is right or the user gives up."""

    opened = Signal(object)
    """What trying the password returned, such as the `Changes`."""

    def __init__(
        self, name: str, attempt: Callable[[str], object], background: Background, parent: QWidget | None = None, *,
        title: str = "Give the password", about: str = "", kept: str = KEPT, placeholder: str = "Password",
        verb: str = "Open",
    ) -> None:  # fmt: skip
        """Ask for a secret.

        Args:
            name: of the file, where a password is asked for.
            attempt: tries what was typed, off the main thread; a `StudioError` lets the user try again.
            background: where it is tried.
            parent: the window it belongs to.
            title: of the dialog.
            about: what it is for, in place of the words on a file's password.
            kept: where it is kept.
            placeholder: what the field is for.
            verb: on the button.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setMinimumWidth(440)
        self._attempt, self._background = attempt, background
        words = toned_label(about or f"{name} opens with a password only.", "heading")
        kept_label = toned_label(kept, "muted")
        for label in (words, kept_label):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(placeholder)
        self.field.setPlaceholderText(placeholder)
        self.said = toned_label("", "bad")
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        cancel = KeyCapButton("Cancel", "Esc")
        cancel.clicked.connect(self.reject)
        self.open_button = KeyCapButton(verb, "Enter", is_primary=True)
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self._on_open)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 12, 16, 12)
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.open_button)
        body = QVBoxLayout()
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(8)
        for widget in (words, kept_label, self.field, self.said):
            body.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(body)
        column.addWidget(hairline())
        column.addLayout(foot)

    @Slot()
    def _on_open(self) -> None:
        password = self.field.text()
        if not password or not self.field.isEnabled():
            self.field.setFocus()
            return
        self.field.setEnabled(False)
        self.open_button.setEnabled(False)
        self.said.setText("")
        self._background.query(partial(self._attempt, password), self._on_opened, self._on_refused, owner=self)

    def _on_opened(self, result: object) -> None:
        self.field.clear()
        self.accept()
        self.opened.emit(result)

    def _on_refused(self, error: BaseException) -> None:
        self.field.setEnabled(True)
        self.open_button.setEnabled(True)
        if not isinstance(error, StudioError):
            raise error
        self.said.setText(str(error))
        self.field.selectAll()
        self.field.setFocus()
