"""Ranks typed as digits, with the time that a second digit may take."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from studio.sessions.digits import PAIR_S, DigitEntry


class TypedRanks(QObject):
    """A `DigitEntry` with a clock: a digit that waits alone for too long is a rank of its own."""

    rank_typed = Signal(int)
    """Sent before the call that settles it returns."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entry = DigitEntry(9)
        self._pair = QTimer(self)
        self._pair.setSingleShot(True)
        self._pair.setInterval(int(PAIR_S * 1000))
        self._pair.timeout.connect(self.settle)

    @property
    def waiting(self) -> int | None:
        """The digit that waits for a second one."""
        return self._entry.waiting

    def begin(self, n_ranks: int) -> None:
        """Take ranks from 1 to `n_ranks` from now on."""
        self.forget()
        self._entry = DigitEntry(n_ranks)

    def press(self, digit: int) -> None:
        """Take a digit: a rank at once, or when a second digit has not come."""
        self._pair.stop()
        for rank in self._entry.press(digit):
            self.rank_typed.emit(rank)
        if self._entry.waiting is not None:
            self._pair.start()

    @Slot()
    def settle(self) -> None:
        """Take a waiting digit as a rank of its own."""
        self._pair.stop()
        rank = self._entry.flush()
        if rank is not None:
            self.rank_typed.emit(rank)

    def forget(self) -> None:
        """Drop a waiting digit."""
        self._pair.stop()
        self._entry.flush()
