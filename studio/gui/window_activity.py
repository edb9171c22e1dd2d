"""Notices that somebody is at work in a window: for active time, and for nothing else."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

_ACTS = frozenset(
    {
        QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel,
        QEvent.Type.TouchBegin, QEvent.Type.TouchUpdate,
    }
)  # fmt: skip


class WindowActivity(QObject):
    """Watches the window of a widget between `watch` and `stop`."""

    acted = Signal()
    """A key, a click, a move or a turn of the wheel, anywhere in the window."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watched: QObject | None = None

    def watch(self, widget: QWidget) -> None:
        """Watch the window that a widget is in."""
        handle = widget.window().windowHandle()
        if handle is not None and self._watched is None:
            # The window gets every key, click and turn of the wheel once, whichever widget they are for.
            handle.installEventFilter(self)
            self._watched = handle

    def stop(self) -> None:
        """Watch no longer."""
        if self._watched is not None:
            self._watched.removeEventFilter(self)
            self._watched = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() in _ACTS and watched is self._watched:
            self.acted.emit()
        return False
