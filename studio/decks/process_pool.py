"""A pool of processes in which each worker has a pipe of its own, so that its death is always told at once.

Workers that share one pipe share its lock too: one that is killed while it holds the lock leaves all others waiting,
and one that is killed before it said which task it took leaves a task that nobody knows to be lost. Here a thread
stands for each worker. It hands over one call, and waits for the reply, for the end of the process, and for the limit.
"""

from __future__ import annotations

import atexit
import os
import pickle
import queue
import signal
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.reduction import ForkingPickler
from typing import Any

_BEGUN = b"begun"
"""What a worker says when a call is unpacked, which may take seconds of imports, and its time begins to count."""
_END_S = 5.0
"""How long a process may take to end by itself before it is killed."""

_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


class WorkerDied(Exception):
    """The process of a call ended by itself."""

    def __init__(self, exit_code: int | None, *, has_begun: bool) -> None:
        super().__init__(f"the worker process ended on its own (exit code {exit_code})")
        self.exit_code = exit_code
        self.has_begun = has_begun
        """Whether the call was under way; if not, another worker can do it."""


class TookTooLong(Exception):
    """A call was under way for longer than its limit, and its process was killed."""

    def __init__(self, limit_s: float) -> None:
        super().__init__(f"took longer than {limit_s:g} s and was stopped")
        self.limit_s = limit_s


class Call(Future[Any]):
    """One call. Cancelling one that is under way kills its process; it then ends with `CancelledError`."""

    def __init__(self, fn: Callable[..., object], args: tuple[object, ...], limit_s: float) -> None:
        super().__init__()
        self.fn, self.args, self.limit_s = fn, args, limit_s
        self._handing_over = threading.Lock()
        self._worker: _Worker | None = None
        self._is_called_off = False

    def cancel(self) -> bool:  # @override
        """Take the call back, also where it is under way; False if it is over."""
        if super().cancel():
            return True
        with self._handing_over:
            if self.done():
                return False
            self._is_called_off = True
            if self._worker is not None:
                self._worker.kill()
        return True

    def begin_on(self, worker: _Worker | None) -> bool:
        """Note who does it, None: nobody any more; return whether it is still wanted."""
        with self._handing_over:
            self._worker = worker
            return not self._is_called_off


class WorkerPool:
    """Processes that call functions of modules, one call each at a time.

    Args:
        max_workers: processes at most; each is started when it is needed first.
        context: how they are started.
        max_calls: a worker is replaced after so many; 0: never.
        initializer: called in each worker before its first call.
        initargs: its arguments.
    """

    def __init__(
        self, max_workers: int, *, context: BaseContext, max_calls: int = 0,
        initializer: Callable[..., object] | None = None, initargs: tuple[object, ...] = (),
    ) -> None:  # fmt: skip
        self._context = context
        self._max_calls = max_calls
        self._setting_up = (initializer, initargs)
        self._waiting: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._alive: set[_Worker] = set()
        self._is_stopped = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"worker {number}", daemon=True) for number in range(max_workers)
        ]
        for thread in self._threads:
            thread.start()
        _pools.add(self)

    @property
    def is_stopped(self) -> bool:
        """Whether it takes no more calls."""
        return self._is_stopped

    def schedule(self, fn: Callable[..., object], args: tuple[object, ...], *, limit_s: float) -> Call:
        """Return a call that some worker will do.

        It ends with what `fn` returned or raised, or with:
            WorkerDied: the process ended by itself while the call was under way, or twice before it began.
            TookTooLong: it was under way for more than `limit_s` seconds.
            CancelledError: it was taken back, or the pool was stopped.
        """
        call = Call(fn, args, limit_s)
        with self._lock:
            if not self._is_stopped:
                self._waiting.put(call)
                return call
        call.cancel()
        return call

    def stop(self) -> None:
        """Kill all workers and take all calls back; safe to call twice."""
        with self._lock:
            if self._is_stopped:
                return
            self._is_stopped = True
            for worker in self._alive:
                worker.kill()
        for _ in self._threads:
            self._waiting.put(None)

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait for the end of all workers of a pool that was stopped; return whether it came in time."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(None if until is None else max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    # on the thread of one worker

    def _serve(self) -> None:
        worker: _Worker | None = None
        while (call := self._waiting.get()) is not None:
            if self._is_stopped:
                call.cancel()
            if call.set_running_or_notify_cancel():
                worker = self._do(call, worker)
            del call  # an idle thread must not keep the last call's arguments alive
        self._let_go(worker)

    def _do(self, call: Call, worker: _Worker | None) -> _Worker | None:
        """End a call, and return the worker that is there for the next one."""
        try:
            task = bytes(ForkingPickler.dumps((call.fn, call.args)))
        except Exception as error:
            call.set_exception(error)
            return worker
        tries = 0
        while True:
            tries += 1
            try:
                worker = self._ready(worker)
                if not call.begin_on(worker):
                    call.set_exception(CancelledError())
                    return worker
                said = worker.ask(task, call.limit_s)
            except (WorkerDied, TookTooLong, OSError) as error:
                self._let_go(worker)
                worker = None
                if self._is_stopped or not call.begin_on(None):
                    call.set_exception(CancelledError())
                    return None
                if isinstance(error, WorkerDied) and not error.has_begun and tries == 1:
                    continue
                call.set_exception(error)
                return None
            except Exception as error:
                # No process can be started at all: told to the one who waits, who would wait for ever otherwise.
                call.begin_on(None)
                call.set_exception(error)
                return None
            call.begin_on(None)
            _tell(call, said)
            if worker.n_calls != self._max_calls:
                return worker
            self._let_go(worker)
            return None

    def _ready(self, worker: _Worker | None) -> _Worker:
        if worker is not None and worker.process.is_alive():
            return worker
        self._let_go(worker)
        fresh = _Worker(self._context, *self._setting_up)
        with self._lock:
            self._alive.add(fresh)
            if self._is_stopped:
                fresh.kill()
        return fresh

    def _let_go(self, worker: _Worker | None) -> None:
        if worker is not None:
            with self._lock:
                self._alive.discard(worker)
            worker.end()


class _Worker:
    """One process and the pipe to it."""

    def __init__(
        self, context: BaseContext, initializer: Callable[..., object] | None, initargs: tuple[object, ...]
    ) -> None:
        self._pipe, theirs = context.Pipe()
        self.process: Any = context.Process(  # type: ignore[attr-defined]
            target=_call_what_comes, args=(theirs, initializer, initargs), name="studio worker"
        )
        self._ending = threading.Lock()
        self._is_closed = False
        self.n_calls = 0
        try:
            self.process.start()
        finally:
            # Only the process holds this end, so that its death closes the pipe.
            theirs.close()

    def ask(self, task: bytes, limit_s: float) -> bytes:
        """Return what the worker says to a packed call.

        Raises:
            WorkerDied: it ended before it said anything.
            TookTooLong: it was killed after `limit_s` seconds of work.
        """
        until: float | None = None
        try:
            self._pipe.send_bytes(task)
            while True:
                left = None if until is None else max(0.0, until - time.monotonic())
                if not wait([self._pipe, self.process.sentinel], left):
                    self.kill()
                    raise TookTooLong(limit_s)
                # What it said before it ended is read first: its last word may be the result.
                if not self._pipe.poll(0):
                    break
                said = self._pipe.recv_bytes()
                if said != _BEGUN:
                    self.n_calls += 1
                    return said
                until = time.monotonic() + limit_s
        except (EOFError, OSError):
            # The pipe is closed at its end, perhaps in the middle of a word.
            pass
        self.process.join(_END_S)
        raise WorkerDied(self.process.exitcode, has_begun=until is not None)

    def kill(self) -> None:
        """End the process at once; from any thread."""
        with self._ending:
            if not self._is_closed:
                self.process.kill()

    def end(self) -> None:
        """Let the process end, and free what it was known by."""
        self._pipe.close()
        self.process.join(_END_S)
        with self._ending:
            if self.process.is_alive():
                self.process.kill()
                self.process.join()
            self._is_closed = True
            self.process.close()


def _tell(call: Call, said: bytes) -> None:
    try:
        is_good, value = pickle.loads(said)
    except Exception as error:
        # A value that can be packed there, but not unpacked here.
        call.set_exception(error)
        return
    if is_good:
        call.set_result(value)
    else:
        call.set_exception(value)


def _call_what_comes(pipe: Connection, initializer: Callable[..., object] | None, initargs: tuple[object, ...]) -> None:
    """Do one call after the other, in the worker; deaf to Ctrl+C (the parent decides), gone with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    if initializer is not None:
        initializer(*initargs)
    while True:
        try:
            task = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        said = _done(task, lambda: pipe.send_bytes(_BEGUN))
        try:
            pipe.send_bytes(said)
        except OSError:
            return


def _done(task: bytes, begin: Callable[[], None]) -> bytes:
    try:
        fn, args = pickle.loads(task)
        begin()
        return bytes(ForkingPickler.dumps((True, fn(*args))))
    except Exception as error:
        try:
            return bytes(ForkingPickler.dumps((False, error)))
        except Exception:
            return bytes(ForkingPickler.dumps((False, RuntimeError(f"{type(error).__name__}: {error}"))))


def _leave_with_parent() -> None:
    # Not PR_SET_PDEATHSIG: that fires when the *thread* that started the worker ends.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@atexit.register
def _stop_all() -> None:
    # Before multiprocessing's own hook, which would wait for idle workers, and for those that end meanwhile in vain.
    pools = list(_pools)
    for pool in pools:
        pool.stop()
    for pool in pools:
        pool.join(_END_S)
