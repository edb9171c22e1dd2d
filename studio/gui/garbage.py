"""Collections of garbage on the window's thread only.

Python collects on whatever thread makes the container too many. Cycles hold widgets and timers too, and Qt objects that
are freed on another thread than their own take the program down at some later moment.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_LOOK_MS = 500


class GarbageCollector(QObject):
    """Collects while the window's event loop runs, by Python's own thresholds; `stop` gives that back to Python."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.collect_if_due)
        self._timer.start()

    @Slot()
    def collect_if_due(self) -> None:
        """Collect the oldest generation that is due, with all younger ones; nothing if none is."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    def stop(self) -> None:
        """Let Python collect by itself again, on any thread."""
        self._timer.stop()
        gc.enable()
