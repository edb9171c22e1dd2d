"""The log, to look at and to send."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from studio.errors import StudioError
from studio.gui import log
from studio.gui.diagnostics import save_bundle
from studio.gui.icons import icon
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label
from studio.settings import Settings

BUNDLE_NAME = "podium-diagnostics.zip"


class LogDialog(QDialog):
    """Shows the last lines of the log, or the traceback of a crash above them."""

    def __init__(
        self,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        title: str = "Log",
        words: str = "",
        crash: str = "",
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._crash = crash
        self.setWindowTitle(title)
        self.resize(760, 480)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._said = toned_label("", "muted")
        self._said.setWordWrap(True)
        self._refresh = KeyCapButton("Refresh", icon=icon("refresh-cw"))
        self._refresh.clicked.connect(self._on_refresh_clicked)
        bundle = KeyCapButton("Save diagnostic bundle…", icon=icon("download"))
        bundle.clicked.connect(self._on_bundle_clicked)
        close = KeyCapButton("Close", "Esc")
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        if words:
            head = toned_label(words, "question")
            head.setWordWrap(True)
            column.addWidget(head)
        column.addWidget(self._said)
        column.addWidget(self.text, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(bundle)
        foot.addWidget(self._refresh)
        foot.addStretch(1)
        foot.addWidget(close)
        column.addLayout(foot)
        self._on_refresh_clicked()

    def save_bundle_to(self, target: Path) -> None:
        """Write the bundle and say where, or why not."""
        try:
            save_bundle(target, settings=self._settings, log_lines=log.last_lines(), crash=self._crash)
        except StudioError as error:
            self._said.setText(str(error))
            return
        self._said.setText(f"Saved to {target}. It holds no names, paths, keys or contents of files.")

    @Slot()
    def _on_bundle_clicked(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Save diagnostic bundle", str(Path.home() / BUNDLE_NAME), "Zip (*.zip)"
        )
        if chosen:
            self.save_bundle_to(Path(chosen))

    @Slot()
    def _on_refresh_clicked(self) -> None:
        lines = log.last_lines()
        if self._crash:
            self.text.setPlainText(self._crash)
            self._refresh.hide()
        else:
            self.text.setPlainText("\n".join(lines) if lines else "The log is empty.")
            self.text.verticalScrollBar().setValue(self.text.verticalScrollBar().maximum())
            self._said.setText(str(log.log_file()))
