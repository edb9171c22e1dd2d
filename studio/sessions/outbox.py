"""Acts on their way to the store: what cannot be stored now waits in order, and is tried again."""

from __future__ import annotations

from dataclasses import replace

from studio.model.answers import AnswerEvent
from studio.sessions.journal import Record


class Outbox:
    """A `Record` that never loses an act and never fails.

    While the store refuses, events get provisional numbers below 0 and wait. What comes later waits behind them, so
    that the store never sees an act before the one that it builds on.

    Args:
        record: stores one event durably, or raises.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._waiting: list[AnswerEvent] = []
        self._stored_as: dict[int, int] = {}
        self._lowest = 0
        self.trouble: Exception | None = None
        """Why the last try failed; None if nothing waits."""

    @property
    def waiting(self) -> int:
        """How many acts are not stored yet."""
        return len(self._waiting)

    def __call__(self, event: AnswerEvent, /) -> AnswerEvent:
        """Store an event, or let it wait; return it with its number, which is below 0 while it waits."""
        if self.flush():
            try:
                return self._store(event)
            except Exception as error:
                # Whatever the store says (disk full, folder gone, a locked file), the act is not lost by it.
                self.trouble = error
        self._lowest -= 1
        self._waiting.append(replace(event, seq=self._lowest))
        return self._waiting[-1]

    def flush(self) -> bool:
        """Try to store what waits, in order; return whether nothing waits any more."""
        while self._waiting:
            try:
                self._store(self._waiting[0])
            except Exception as error:
                self.trouble = error
                return False
            del self._waiting[0]
        self.trouble = None
        return True

    def _store(self, event: AnswerEvent) -> AnswerEvent:
        target = event.target
        if target is not None:
            target = self._stored_as.get(target, target)
        stored = self._record(replace(event, seq=0, target=target))
        if event.seq < 0:
            self._stored_as[event.seq] = stored.seq
        return stored
