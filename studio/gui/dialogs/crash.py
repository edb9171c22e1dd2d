"""What a user sees when the studio itself is at fault."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from studio.gui.dialogs.log_view import LogDialog
from studio.settings import Settings


class CrashDialog(LogDialog):
    """Says that something went wrong in the studio, with the details and a bundle to send."""

    def __init__(self, line: str, details: str, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(
            settings,
            parent,
            title="Something went wrong",
            words="Something went wrong in the studio. Answers that were shown as saved are safe.",
            crash=details,
        )
        self._said.setText(f"{line} · Save a diagnostic bundle and send it to whoever maintains your studio.")
