"""A pool of office workers: warm, each with a profile of its own, replaced after trouble and when worn."""

from __future__ import annotations

import atexit
import multiprocessing
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from studio.decks.limits import Limits
from studio.decks.office_kit import Answer, Order, serve
from studio.decks.scratch import new_folder
from studio.errors import Cancelled, DeckUnreadable
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken

_POLL_S = 0.05
_START_S = 60.0
_MAX_DECKS = 100
"""A worker is replaced after so many decks: LibreOffice keeps something of each."""
_MAX_FALSE_STARTS = 2
"""A library with which no worker ever started is not tried again: every try costs a second."""
_IDLE_S = 120.0
"""A worker that nobody asks ends by itself; it holds some 250 MB."""


class WorkerLost(Exception):
    """The worker died, or LibreOffice could not be loaded in it; the deck may or may not be the reason."""


class _Worker:
    """A process with LibreOffice loaded, and its folder."""

    def __init__(self, library: Path, settings: str) -> None:
        self.library = library
        self._decks = 0
        self.folder = new_folder("office")
        user = self.folder / "profile" / "user"
        user.mkdir(parents=True)
        (user / "registrymodifications.xcu").write_text(settings, "utf-8")
        temporary = self.folder / "tmp"
        temporary.mkdir()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=serve,
            args=(
                theirs, str(library), (self.folder / "profile").as_uri(), str(temporary),
                Limits().worker_memory_bytes, _IDLE_S,
            ),
            name="office-worker",
            daemon=True,
        )  # fmt: skip
        try:
            self._process.start()
        except BaseException:
            self.stop()
            raise
        finally:
            theirs.close()

    @property
    def is_fit(self) -> bool:
        return self._process.is_alive() and self._decks < _MAX_DECKS

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def wait_ready(self, cancel: CancelToken | None) -> None:
        """Wait until LibreOffice is loaded, or raise `WorkerLost` or `Cancelled`."""
        try:
            is_loaded = _received(self._connection, self._alive, _START_S, cancel)
        except TimeoutError as error:
            raise WorkerLost("LibreOffice did not start in time") from error
        if not is_loaded:
            raise WorkerLost("LibreOffice cannot be loaded")

    def convert(self, order: Order, timeout_s: float, cancel: CancelToken | None) -> Answer:
        """Return how the conversion ended, or raise `WorkerLost`, `TimeoutError` or `Cancelled`."""
        self._decks += 1
        try:
            self._connection.send(order)
        except OSError as error:
            raise WorkerLost(str(error)) from error
        answer = _received(self._connection, self._alive, timeout_s, cancel)
        if not isinstance(answer, Answer):
            raise WorkerLost("it answered something else")
        return answer

    def _alive(self) -> bool:
        return self._process.is_alive()

    def stop(self) -> None:
        """Kill the process and remove its profile and temporary files."""
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()
        self._connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _received(
    connection: Connection, is_alive: Callable[[], bool], timeout_s: float, cancel: CancelToken | None
) -> object:
    deadline = time.monotonic() + timeout_s
    while True:
        if cancel is not None and cancel.is_set():
            raise Cancelled("Stopped.")
        was_alive = is_alive()
        try:
            if connection.poll(_POLL_S):
                return connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLost("the worker ended") from error
        if not was_alive:
            raise WorkerLost("the worker ended")
        if time.monotonic() > deadline:
            raise TimeoutError


class _Pool:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._generation = 0
        self._false_starts: Counter[Path] = Counter()

    @contextmanager
    def one(self, library: Path, settings: str, cancel: CancelToken | None) -> Iterator[_Worker]:
        """Give a worker that nobody else has; after any error it is stopped."""
        with self._lock:
            if self._false_starts[library] >= _MAX_FALSE_STARTS:
                raise WorkerLost("LibreOffice did not start as a library before")
            generation = self._generation
            unfit = [worker for worker in self._idle if not worker.is_fit or worker.library != library]
            self._idle = [worker for worker in self._idle if worker not in unfit]
            worker = self._idle.pop() if self._idle else None
            if worker is not None:
                self._busy.add(worker)
        for old in unfit:
            old.stop()
        try:
            if worker is None:
                worker = _Worker(library, settings)
                with self._lock:
                    self._busy.add(worker)
                self._wait_ready(worker, cancel)
            yield worker
        except BaseException:
            if worker is not None:
                self._drop(worker)
            raise
        with self._lock:
            self._busy.discard(worker)
            keeps = generation == self._generation and worker.is_fit
            if keeps:
                self._idle.append(worker)
        if not keeps:
            worker.stop()

    def _wait_ready(self, worker: _Worker, cancel: CancelToken | None) -> None:
        try:
            worker.wait_ready(cancel)
        except WorkerLost:
            with self._lock:
                self._false_starts[worker.library] += 1
            raise
        with self._lock:
            self._false_starts[worker.library] = 0

    def _drop(self, worker: _Worker) -> None:
        worker.stop()
        with self._lock:
            self._busy.discard(worker)

    def pids(self) -> tuple[int, ...]:
        with self._lock:
            return tuple(worker.pid for worker in (*self._idle, *self._busy) if worker.pid is not None)

    def folders(self) -> tuple[Path, ...]:
        with self._lock:
            return tuple(worker.folder for worker in (*self._idle, *self._busy))

    def clear(self) -> None:
        with self._lock:
            self._generation += 1
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.stop()

    def end(self) -> None:
        """Stop the busy ones too: their folders go with this process."""
        self.clear()
        with self._lock:
            busy = list(self._busy)
        for worker in busy:
            worker.stop()


_pool = _Pool()
atexit.register(_pool.end)


def convert(
    library: Path,
    settings: str,
    order: Order,
    *,
    name: str,
    timeout_s: float,
    cancel: CancelToken | None,
) -> Answer:
    """Convert in a warm worker and return how it ended; from any thread, the caller bounds how many at once.

    Args:
        library: LibreOffice's, of `office_kit.library_of`.
        settings: what a new profile holds, as a ``registrymodifications.xcu``.
        order: what to convert.
        name: what to call the deck in messages.
        timeout_s: of the conversion alone.
        cancel: looked at twenty times a second.

    Raises:
        WorkerLost: the worker died, or could not be started.
        DeckUnreadable: kind ``timed_out``; the worker is stopped.
        Cancelled: the token was set; the worker is stopped.
    """
    with _pool.one(library, settings, cancel) as worker:
        try:
            return worker.convert(order, timeout_s, cancel)
        except TimeoutError as error:
            raise DeckUnreadable(
                FailureKind.TIMED_OUT,
                f"LibreOffice ({name}) took longer than {timeout_s:.0f} s and was stopped.",
                next_step="Try again with a longer time limit.",
            ) from error


def worker_pids() -> tuple[int, ...]:
    """Return the process ids of the workers that there are, for status displays and tests."""
    return _pool.pids()


def worker_folders() -> tuple[Path, ...]:
    """Return the folders of the workers that there are: their profiles and temporary files."""
    return _pool.folders()


def shutdown() -> None:
    """Stop the idle workers; busy ones are stopped when their conversion ends."""
    _pool.clear()
