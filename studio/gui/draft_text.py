"""Words that are being typed into an answer, until they are stored."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

PAUSE_MS = 500
"""Words are stored when typing has paused for this long."""


class DraftText(QObject):
    """Knows whether a text field holds something that is not stored yet, and when to store it."""

    due = Signal()
    """Typing has paused."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_dirty = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.due)

    @property
    def is_dirty(self) -> bool:
        """Whether something was typed that is not stored."""
        return self._is_dirty

    @Slot()
    def edit(self) -> None:
        """Note that something was typed."""
        self._is_dirty = True
        self._timer.start()

    def take(self) -> bool:
        """Return whether there is something to store, which whoever asks stores now."""
        self._timer.stop()
        was_dirty, self._is_dirty = self._is_dirty, False
        return was_dirty

    def forget(self) -> None:
        """Let go of what was typed: another answer is open."""
        self.take()
