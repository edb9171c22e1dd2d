"""Asks for the name under which answers are stored."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from studio.gui.widgets.states import EmptyState

FIELD_PX = 280
FIELD_PLACE = 5
"""Below the words, above the button."""


class NameForm(EmptyState):
    """One field and one button; `name_given` tells a name that is not empty."""

    name_given = Signal(str)

    def __init__(self, title: str, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(
            title,
            "Your name is stored with your answers. Change it later in Settings.",
            "Begin",
            icon_name=icon_name,
            key="Enter",
            parent=parent,
        )
        self.field = QLineEdit()
        self.field.setPlaceholderText("Name")
        self.field.setAccessibleName("Your name")
        self.field.setFixedWidth(FIELD_PX)
        self.layout().insertWidget(FIELD_PLACE, self.field, 0, Qt.AlignmentFlag.AlignHCenter)
        self.field.returnPressed.connect(self._on_given)
        self.button_clicked.connect(self._on_given)

    @Slot()
    def _on_given(self) -> None:
        name = self.field.text().strip()
        if name:
            self.name_given.emit(name)
        else:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
