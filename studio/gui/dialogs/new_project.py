"""Asks for the title and the place of a new project."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from studio.errors import BadInput
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label
from studio.store.places import risk_of

_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
"""What Windows refuses in file names; a project folder should be fit to be copied there."""


class NewProject(RecordForm):
    """Shows where the project will lie while title and place are typed, and what is risky about the place."""

    project_asked = Signal(Path, str)
    """Folder and title."""

    def __init__(
        self,
        parent_folder: Path,
        *,
        risk: Callable[[Path], str | None] = risk_of,
        parent: QWidget | None = None,
    ) -> None:
        fields = (
            RecordField(name="title", words="Title", help="Such as the name of the study; it can be in any language."),
            RecordField(
                name="place", words="Place", value=str(parent_folder), help="The project's folder is made here."
            ),
        )
        super().__init__("New project", fields, save="Make project", parent=parent)
        self._risk = risk
        self.resize(560, 300)
        self._folder_words = ElidedLabel()
        self._folder_words.setProperty("tone", "muted")
        self._folder_words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._warning = toned_label("", "warn")
        self._warning.setWordWrap(True)
        choose = KeyCapButton("Choose")
        choose.clicked.connect(self._on_choose_clicked)
        choose.setAutoDefault(False)
        held = QHBoxLayout()
        held.setSpacing(12)
        held.addWidget(choose)
        held.addWidget(self._folder_words, 1)
        self.form.addRow("", held)
        self.form.addRow("", self._warning)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(250)
        self._timer.timeout.connect(self._look_at_place)
        for name in ("title", "place"):
            self._line(name).textChanged.connect(self._on_text_changed)
        self._on_text_changed()

    def warning(self) -> str:
        """Return what is risky about the place, or an empty text."""
        return self._warning.text()

    def folder(self) -> Path | None:
        """Return the folder that would be made, or None while title or place is empty."""
        values = self.values()
        name = folder_name(values["title"])
        return Path(values["place"]).expanduser() / name if name and values["place"] else None

    def check(self, values: dict[str, str]) -> None:  # @override
        if not values["title"]:
            raise BadInput("A project needs a title.", next_step="Type one.")
        folder = self.folder()
        if folder is None:
            raise BadInput("No folder can be made of this title and place.", next_step="Change one of them.")
        if not folder.parent.is_dir():
            raise BadInput(f"{folder.parent} is no folder.", next_step="Choose another place.")
        if folder.exists():
            raise BadInput(f"{folder.name} exists there already.", next_step="Choose another title or place.")

    def take(self, values: dict[str, str]) -> None:  # @override
        self.project_asked.emit(self.folder(), values["title"])

    def _line(self, name: str) -> QLineEdit:
        line = self.editor(name)
        assert isinstance(line, QLineEdit)
        return line

    @Slot()
    def _on_text_changed(self) -> None:
        folder = self.folder()
        self._folder_words.set_text(str(folder) if folder else "")
        self.show_error("")
        self._timer.start()

    @Slot()
    def _look_at_place(self) -> None:
        place = self.values()["place"]
        self._warning.setText((self._risk(Path(place).expanduser()) or "") if place else "")

    @Slot()
    def _on_choose_clicked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Place of the project", self.values()["place"])
        if chosen:
            self._line("place").setText(chosen)


def folder_name(title: str) -> str:
    """Return a folder name for a title: its own letters, blanks as hyphens, nothing that Windows refuses."""
    words = _NOT_IN_NAMES.sub(" ", title).split()
    return "-".join(words).strip(".")[:80]
