"""Time as the limits see it, so that tests need not wait."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits for a change."""

    def now(self) -> float:
        """Return seconds since some moment; never goes back."""
        ...

    def wait(self, change: threading.Condition, seconds: float) -> None:
        """Wait for a change, `seconds` at most; the caller holds the condition."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """See `Clock.now`."""
        return time.monotonic()

    def wait(self, change: threading.Condition, seconds: float) -> None:
        """See `Clock.wait`."""
        change.wait(seconds)
