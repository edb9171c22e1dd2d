"""A small pool of worker processes for MuPDF: a crash or a hang there costs one file, never the studio."""

from __future__ import annotations

import atexit
import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from studio.decks.limits import Limits
from studio.decks.process_pool import WatchfulPool
from studio.errors import Cancelled, DeckUnreadable
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken

T = TypeVar("T")

_MAX_WORKERS = 2
_MAX_TASKS = 200
"""A worker is replaced after so many calls: MuPDF's store grows with every document."""
_POLL_S = 0.1

_lock = threading.Lock()
_pool: ProcessPool | None = None
_stopped: weakref.WeakSet[ProcessPool] = weakref.WeakSet()
"""Pools that `shutdown` ended: what fails in them was not the file's fault."""


def in_worker(fn: Callable[..., T], *args: object, timeout_s: float, cancel: CancelToken | None = None) -> T:
    """Return ``fn(*args)`` as computed in a worker process; from any thread, several at once.

    Args:
        fn: a module-level function; it and its arguments are pickled.
        *args: its arguments.
        timeout_s: from the start of the work, without the time it waited for a free worker.
        cancel: looked at ten times a second.

    Raises:
        DeckUnreadable: kind ``timed_out``, or ``unreadable`` when the worker died or ran out of memory.
        Cancelled: the token was set; the worker is stopped.
        Exception: whatever `fn` raised.
    """
    for is_last in (False, True):
        pool, future = _schedule(fn, args, timeout_s)
        try:
            outcome = _outcome(pool, future, timeout_s, cancel)
        except BrokenProcessPool as error:
            if pool in _stopped:
                raise Cancelled("The studio is closing.") from error
            if is_last:
                raise _crashed() from error
            # Another call broke the pool; this one deserves a new pool.
            continue
        if isinstance(outcome, _Unreadable):
            raise DeckUnreadable(outcome.kind, outcome.message, next_step=outcome.next_step)
        result: T = outcome
        return result
    raise AssertionError("unreachable")


def _outcome(pool: ProcessPool, future: Any, timeout_s: float, cancel: CancelToken | None) -> Any:
    while True:
        if cancel is not None and cancel.is_set():
            future.cancel()
            raise Cancelled("Stopped.")
        try:
            return future.result(timeout=_POLL_S)
        except concurrent.futures.CancelledError as error:
            raise Cancelled("The studio is closing.") from error
        except concurrent.futures.TimeoutError as error:
            if not future.done():
                # Stopping a pool can leave the futures of its running calls unresolved for ever.
                if pool in _stopped:
                    raise Cancelled("The studio is closing.") from error
                if not pool.active:
                    raise BrokenProcessPool("the pool is gone") from error
                continue
            raise DeckUnreadable(
                FailureKind.TIMED_OUT,
                f"Reading took longer than {timeout_s:.0f} s and was stopped.",
                next_step="Try again, or make the file smaller.",
            ) from error
        except ProcessExpired as error:
            if pool in _stopped:
                raise Cancelled("The studio is closing.") from error
            raise _crashed() from error
        except MemoryError as error:
            raise DeckUnreadable(
                FailureKind.UNREADABLE, "Reading this file needs more memory than a worker may use."
            ) from error


def _crashed() -> DeckUnreadable:
    return DeckUnreadable(
        FailureKind.UNREADABLE,
        "The reader crashed on this file.",
        next_step="The file is probably damaged; save it anew in the program that made it.",
    )


@dataclass(frozen=True, kw_only=True)
class _Unreadable:
    """A `DeckUnreadable` on its way between processes; exceptions with keywords do not survive pickling."""

    kind: str
    message: str
    next_step: str


def _call(fn: Callable[..., object], args: tuple[object, ...]) -> object:
    """Run in the worker; what comes back can always be unpickled, else the whole pool would break."""
    try:
        return fn(*args)
    except DeckUnreadable as error:
        return _Unreadable(kind=str(error.kind), message=error.message, next_step=error.next_step)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


def _schedule(fn: Callable[..., T], args: tuple[object, ...], timeout_s: float) -> tuple[ProcessPool, Any]:
    global _pool
    with _lock:
        if _pool is None or not _pool.active:
            _pool = WatchfulPool(
                max_workers=min(_MAX_WORKERS, os.cpu_count() or 1),
                max_tasks=_MAX_TASKS,
                initializer=_prepare,
                initargs=(os.getpid(), Limits().worker_memory_bytes),
                context=multiprocessing.get_context("spawn"),
            )
        return _pool, _pool.schedule(_call, args=(fn, args), timeout=timeout_s)


def shutdown(timeout_s: float = 5.0) -> None:
    """Stop all workers; safe to call twice, from any thread, and when none was ever started.

    Calls under way raise `Cancelled`; a later `in_worker` starts new workers.
    """
    global _pool
    with _lock:
        pool, _pool = _pool, None
        if pool is not None:
            _stopped.add(pool)
    if pool is None:
        return
    pool.stop()  # type: ignore[no-untyped-call]
    try:
        pool.join(timeout=timeout_s)
    except concurrent.futures.TimeoutError:
        _kill_children(pool)


def _kill_children(pool: ProcessPool) -> None:
    for worker in list(pool._pool_manager.worker_manager.workers.values()):
        worker.kill()


atexit.register(shutdown)


def _prepare(parent: int, memory_bytes: int) -> None:
    """Set a worker up: bounded memory, deaf to Ctrl+C (the parent decides), gone with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
        # No core file for every damaged PDF.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    # Not PR_SET_PDEATHSIG: that fires when the *thread* that started the worker ends.
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
