"""The line below everything: background work with a way to stop it, spend, and where the keys are."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QWidget

from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton

HEIGHT_PX = 28


class StatusLine(QFrame):
    """Shows one piece of background work and how many more there are."""

    stop_asked = Signal()
    work_clicked = Signal()
    shortcuts_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT_PX)
        self.work = ElidedLabel()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(160)
        self.left = ElidedLabel()
        self.stop = KeyCapButton("Stop", is_compact=True)
        self.spend = ElidedLabel()
        self.help: QPushButton = KeyCapButton("? shortcuts")
        self.help.setProperty("flat", True)
        self.help.setFlat(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(12)
        row.addWidget(self.work)
        row.addWidget(self.progress)
        row.addWidget(self.left)
        row.addWidget(self.stop)
        row.addStretch(1)
        row.addWidget(self.spend)
        row.addWidget(self.help)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.help.clicked.connect(self.shortcuts_asked)
        self.show_idle()

    def show_idle(self, words: str = "") -> None:
        """Show that nothing goes on, with a word about what ended last if there is one."""
        self.work.set_text(words)
        for widget in (self.progress, self.left, self.stop):
            widget.setVisible(False)

    def show_work(
        self, words: str, *, done: int = 0, total: int = 0, left_s: float | None = None, more: int = 0
    ) -> None:
        """Show work that goes on.

        Args:
            words: what it is, such as "metrics · aesthetics 412/945 decks".
            done: units that are ready.
            total: all units; 0 if that is not known yet.
            left_s: seconds that it will still take, or None.
            more: how many other pieces of work go on besides.
        """
        self.work.set_text(words + (f" · and {more} more" if more else ""))
        self._show_share(done, total)
        self.left.set_text(time_left(left_s))
        self.stop.setEnabled(True)
        self.stop.setText("Stop")
        for widget in (self.progress, self.stop):
            widget.setVisible(True)
        self.left.setVisible(left_s is not None)

    def _show_share(self, done: int, total: int) -> None:
        # `setValue` paints at once, and with the bar all else in the window that has changed: by itself it is painted
        # when the batch of events is through.
        self.progress.setUpdatesEnabled(False)
        self.progress.setRange(0, max(total, 0))
        self.progress.setValue(done)
        self.progress.setUpdatesEnabled(True)

    def set_spend(self, words: str) -> None:
        """Show what judges have cost so far, such as "gemini-3-flash · $1.84 of $10.00"."""
        self.spend.set_text(words)
        self.spend.setVisible(bool(words))

    @Slot()
    def _on_stop_clicked(self) -> None:
        self.stop.setEnabled(False)
        self.stop.setText("Stopping")
        self.stop_asked.emit()


def time_left(seconds: float | None) -> str:
    """Return "2 min left", "40 s left", "3 h 10 min left", or an empty text where it is not known."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{max(1, round(seconds))} s left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min left"
    return f"{minutes // 60} h {minutes % 60} min left"
