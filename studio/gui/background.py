"""Work off the main thread: events come in, short reads come back, long work can be stopped."""

from __future__ import annotations

import queue
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from shiboken6 import isValid

from studio.errors import Cancelled

EVENTS_MS = 100
"""Events that come faster are told together, so often: nobody reads faster, and each time costs the window a look."""


@dataclass(kw_only=True, eq=False)
class Work:
    """A piece of long work that goes on."""

    name: str
    cancel: threading.Event = field(default_factory=threading.Event)
    started_s: float = field(default_factory=time.monotonic)
    """Seconds on the monotonic clock."""
    thread: threading.Thread | None = None

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop and has not ended yet."""
        return self.cancel.is_set()


@dataclass(kw_only=True, eq=False)
class Ticket:
    """A short read that was asked for. `drop` makes it of no consequence, and unread if it has not begun."""

    fn: Callable[[], Any]
    done: Callable[[Any], None] | None
    failed: Callable[[BaseException], None] | None
    owner: weakref.ref[QObject] | None
    is_dropped: bool = False

    def drop(self) -> None:
        """Forget the read: neither `done` nor `failed` is called."""
        self.is_dropped = True

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for the result."""
        if self.is_dropped:
            return False
        if self.owner is None:
            return True
        owner = self.owner()
        return owner is not None and isValid(owner)


class Background(QObject):
    """The one place that owns threads.

    Everything is delivered on the thread this object lives on, in the order in which it came in, with one
    wake-up for as many things as are waiting. Events that nothing else waits behind are told ten times a second at
    most. After `shutdown` nothing is delivered any more.
    """

    events = Signal(list)
    """What came in since the last time: `list[Event]`, in order."""
    busy_changed = Signal()
    """Long work began, was asked to stop, or ended."""
    _woken = Signal()

    def __init__(self, parent: QObject | None = None, *, query_threads: int = 3) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._inbox: list[tuple[str, Any]] = []
        self._wake_is_queued = False
        self._is_holding = False
        """Whether events wait for the timer."""
        self._told_at = float("-inf")
        """When events were told last, in seconds on the monotonic clock."""
        self._is_closed = False
        self._wakeups = 0
        self._work: list[Work] = []
        self._waiting: queue.SimpleQueue[Ticket | None] = queue.SimpleQueue()
        self._query_threads = query_threads
        self._query_pool: list[threading.Thread] = []
        self._woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_later)

    @property
    def busy(self) -> list[Work]:
        """The long work that goes on now, oldest first."""
        return list(self._work)

    @property
    def wakeups(self) -> int:
        """How often the main thread was woken so far."""
        return self._wakeups

    def post(self, event: Any) -> None:
        """Hand in an event; from any thread, at any rate, also after shutdown (then it is dropped)."""
        self._deliver("event", event)

    def query(
        self,
        fn: Callable[[], Any],
        done: Callable[[Any], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        *,
        owner: QObject | None = None,
    ) -> Ticket:
        """Run a short read on a thread and hand its result to `done` on the main thread.

        Args:
            fn: takes nothing, touches no widget.
            done: called with what `fn` returned.
            failed: called with the exception; without it the exception reaches the crash dialog.
            owner: the object that waits; where it is gone by then, the result is dropped.
        """
        ticket = Ticket(fn=fn, done=done, failed=failed, owner=weakref.ref(owner) if owner else None)
        if self._is_closed:
            ticket.drop()
            return ticket
        if len(self._query_pool) < self._query_threads:
            self._start_query_thread()
        self._waiting.put(ticket)
        return ticket

    def start(
        self,
        fn: Callable[..., Any],
        *args: Any,
        name: str,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        owner: QObject | None = None,
        **kwargs: Any,
    ) -> Work:
        """Begin long work: `fn(*args, emit=…, cancel=…, **kwargs)` on a thread of its own.

        Args:
            fn: an action; it posts events through `emit` and looks at the event `cancel` between units.
            *args: handed to `fn`.
            name: what the status line calls it, and what `stop` takes.
            done: called on the main thread with what `fn` returned.
            failed: called on the main thread with the exception. `Cancelled` is an end like any other:
                without `failed` it is let go, and every other exception reaches the crash dialog.
            owner: as for `query`. The work itself goes on without its owner.
            **kwargs: handed to `fn`.

        Raises:
            RuntimeError: after shutdown.
        """
        if self._is_closed:
            raise RuntimeError("the background is shut down")
        work = Work(name=name)
        ticket = Ticket(
            fn=lambda: fn(*args, emit=self.post, cancel=work.cancel, **kwargs),
            done=done,
            failed=failed or _raise_unless_cancelled,
            owner=weakref.ref(owner) if owner else None,
        )
        work.thread = threading.Thread(
            target=self._run_work, args=(work, ticket), name=f"studio-work-{name}", daemon=True
        )
        self._work.append(work)
        work.thread.start()
        self.busy_changed.emit()
        return work

    def stop(self, name: str) -> None:
        """Ask the long work of this name to end; what it has finished is kept."""
        for work in self._work:
            if work.name == name:
                work.cancel.set()
        self.busy_changed.emit()

    def shutdown(self, timeout_s: float = 5.0) -> bool:
        """Cancel everything, wait for the threads, and deliver nothing more. May be called twice.

        Returns:
            Whether every thread ended in time. Those that did not are daemons and end with the process.
        """
        with self._lock:
            self._is_closed = True
            self._inbox.clear()
        for work in self._work:
            work.cancel.set()
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                break
        for _ in self._query_pool:
            self._waiting.put(None)
        deadline = time.monotonic() + timeout_s
        threads = [*self._query_pool, *(work.thread for work in self._work if work.thread)]
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._query_pool = [thread for thread in self._query_pool if thread.is_alive()]
        self._work = [work for work in self._work if work.thread and work.thread.is_alive()]
        return not any(thread.is_alive() for thread in threads)

    def _start_query_thread(self) -> None:
        number = len(self._query_pool) + 1
        thread = threading.Thread(target=self._serve_queries, name=f"studio-query-{number}", daemon=True)
        self._query_pool.append(thread)
        thread.start()

    def _serve_queries(self) -> None:
        while (ticket := self._waiting.get()) is not None:
            if not ticket.is_dropped and not self._is_closed:
                self._deliver("result", (ticket, *_outcome(ticket.fn)))
            del ticket  # an idle thread must not keep the last reader alive

    def _run_work(self, work: Work, ticket: Ticket) -> None:
        self._deliver("ended", (work, ticket, *_outcome(ticket.fn)))

    def _deliver(self, kind: str, item: Any) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._inbox.append((kind, item))
            # Events that are held back wait for the timer; whatever else comes does not wait with them.
            if self._wake_is_queued or (kind == "event" and self._is_holding):
                return
            self._wake_is_queued = True
            # Inside the lock: shutdown takes it too, so this object cannot go while a worker emits.
            self._woken.emit()

    @Slot()
    def _on_woken(self) -> None:
        with self._lock:
            self._wake_is_queued = False
            wait_ms = EVENTS_MS - 1000 * (time.monotonic() - self._told_at)
            if wait_ms > 0 and all(kind == "event" for kind, _ in self._inbox):
                if self._inbox and not self._is_holding:
                    self._is_holding = True
                    self._later.start(ceil(wait_ms))
                return
        self._hand_out()

    @Slot()
    def _on_later(self) -> None:
        self._hand_out()

    def _hand_out(self) -> None:
        with self._lock:
            inbox, self._inbox = self._inbox, []
            self._is_holding = False
        self._later.stop()
        self._wakeups += 1
        batch: list[Any] = []
        for kind, item in inbox:
            if kind == "event":
                batch.append(item)
                continue
            batch = self._told(batch)
            if kind == "ended":
                work, *item = item
                if work in self._work:
                    self._work.remove(work)
                self.busy_changed.emit()
            _settle(*item)
        self._told(batch)

    def _told(self, batch: list[Any]) -> list[Any]:
        if batch and not self._is_closed:
            self._told_at = time.monotonic()
            self.events.emit(batch)
        return []


def _outcome(fn: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return fn(), None
    except BaseException as error:
        return None, error


def _settle(ticket: Ticket, result: Any, error: BaseException | None) -> None:
    if not ticket.is_wanted:
        return
    try:
        if error is None:
            if ticket.done:
                ticket.done(result)
        elif ticket.failed:
            ticket.failed(error)
        else:
            raise error
    except BaseException:
        # One reader's fault must not cost the others their results.
        sys.excepthook(*sys.exc_info())


def _raise_unless_cancelled(error: BaseException) -> None:
    if not isinstance(error, Cancelled):
        raise error
