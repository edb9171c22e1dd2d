"""Works units off that mostly wait for a server: many threads, each taking the next unit when it is free."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator

from studio.jobs.executors import Outcome, Work, result_of, run_work
from studio.model.protocols import CancelToken
from studio.model.runs import Unit, UnitResult

_POLL_S = 0.1
_BACKLOG = 4
"""Results for each thread that may wait to be stored; beyond that the threads wait, so that memory stays bounded."""

Finish = Callable[[UnitResult], UnitResult | None]
"""Gives a result its real status, or drops it: its unit is planned again."""


class CallExecutor:
    """Threads that take units one by one; cheaper for thousands of short waits than a future for each.

    Args:
        workers: units in flight.
        finish: applied to each result.
        drain: once set, no further unit is taken; those in flight are finished and kept.
        close: called when all threads have ended.
    """

    def __init__(
        self, workers: int, *, finish: Finish, drain: CancelToken, close: Callable[[], None] = lambda: None
    ) -> None:
        self._workers = workers
        self._finish = finish
        self._drain = drain
        self._close = close

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`."""
        feed, feeding = iter(units), threading.Lock()
        results: queue.Queue[tuple[Unit, Outcome] | None] = queue.Queue(self._workers * _BACKLOG)
        abandoned = threading.Event()

        def take() -> Unit | None:
            if cancel.is_set() or self._drain.is_set() or abandoned.is_set():
                return None
            with feeding:
                return next(feed, None)

        def work_off() -> None:
            try:
                while (unit := take()) is not None:
                    results.put((unit, run_work(work, unit.payload)))
            finally:
                results.put(None)

        threads = [
            threading.Thread(target=work_off, name=f"unit {number}", daemon=True) for number in range(self._workers)
        ]
        left = 0
        try:
            for thread in threads:
                thread.start()
                left += 1
            while left:
                try:
                    item = results.get(timeout=_POLL_S)
                except queue.Empty:
                    yield None
                    continue
                if item is None:
                    left -= 1
                    continue
                result = result_of(*item, cancel)
                kept = self._finish(result) if result is not None else None
                if kept is not None:
                    yield kept
        finally:
            abandoned.set()
            while left:
                # Nobody reads any more, and a thread that waits to hand its result over would never end.
                left -= results.get() is None
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
            self._close()
