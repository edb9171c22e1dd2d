"""What one layer needs from another without importing it."""

from __future__ import annotations

from typing import Protocol

from studio.model.events import Event


class Emit(Protocol):
    """Takes events of a run, from any thread."""

    def __call__(self, event: Event, /) -> None:
        """Take one event."""


class CancelToken(Protocol):
    """Says whether the user wants the work to stop; `threading.Event` fits."""

    def is_set(self) -> bool:
        """Return whether the work should stop."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for that, `timeout` seconds at most, and return whether it came."""
        ...
