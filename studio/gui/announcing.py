"""Saying a change aloud, for people who hear the window."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLabel, QWidget


def announce(widget: QWidget, words: str) -> None:
    """Hand words to the screen reader, if one listens."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


class LiveLine(QLabel):
    """One line that says what the last act did, on the screen and aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("tone", "caption")
        self.setAccessibleName("Last change")

    def say(self, words: str) -> None:
        """Say what changed."""
        self.setText(words)
        self.setAccessibleDescription(words)
        if words:
            announce(self, words)
