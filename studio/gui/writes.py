"""Writes of one page: one after the other, off the main thread, each exactly once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from studio.gui.background import Background


class _Write:
    """A piece of writing that runs once, whoever comes first: the background or the end of the page."""

    def __init__(
        self, fn: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[BaseException], None]
    ) -> None:
        self.fn, self.done, self.failed = fn, done, failed
        self._lock = threading.Lock()
        self._has_run = False

    def run(self) -> Any:
        with self._lock:
            if self._has_run:
                return None
            self._has_run = True
            return self.fn()


class Writes:
    """Keeps the order of writes; `finish` runs what has not run yet and returns when all is stored."""

    def __init__(self, background: Background, owner: QObject) -> None:
        self._background, self._owner = background, owner
        self._waiting: list[_Write] = []

    @property
    def is_busy(self) -> bool:
        """Whether something is not stored yet."""
        return bool(self._waiting)

    def add(self, fn: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[BaseException], None]) -> None:
        """Write after everything that was added before."""
        self._waiting.append(_Write(fn, done, failed))
        if len(self._waiting) == 1:
            self._begin()

    def finish(self, failed: Callable[[BaseException], None]) -> None:
        """Write all that waits, here and now; nobody is told of results any more."""
        waiting, self._waiting = self._waiting, []
        for write in waiting:
            try:
                write.run()
            except Exception as error:
                failed(error)

    def _begin(self) -> None:
        write = self._waiting[0]

        def done(result: Any) -> None:
            if self._next(write):
                write.done(result)

        def failed(error: BaseException) -> None:
            if self._next(write):
                write.failed(error)

        self._background.query(write.run, done, failed, owner=self._owner)

    def _next(self, write: _Write) -> bool:
        if not self._waiting or self._waiting[0] is not write:
            return False
        del self._waiting[0]
        if self._waiting:
            self._begin()
        return True
