"""About the studio: version, licence, and what it is built from."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from studio import paths
from studio.gui.diagnostics import versions
from studio.gui.icons import app_icon, icon
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label


class AboutDialog(QDialog):
    """Says which studio this is. The versions can be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Podium Studio")
        self.resize(520, 460)
        self._versions = "\n".join(f"{name} {version}" for name, version in versions().items())
        mark = QLabel()
        mark.setPixmap(app_icon().pixmap(48, 48))
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(mark)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(toned_label("Podium Studio", "title"))
        words.addWidget(toned_label(f"Version {versions()['studio']} · AGPL-3.0-or-later", "muted"))
        head.addLayout(words, 1)
        text = QPlainTextEdit(self._versions + "\n\nIcons: Lucide\n\n" + _icon_licence())
        text.setReadOnly(True)
        copy = KeyCapButton("Copy versions", icon=icon("file"))
        copy.clicked.connect(self._on_copy_clicked)
        close = KeyCapButton("Close", "Esc")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(copy)
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(text, 1)
        column.addLayout(foot)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._versions)


def _icon_licence() -> str:
    return paths.resource("icons/LICENSE-lucide").read_text(encoding="utf-8")
