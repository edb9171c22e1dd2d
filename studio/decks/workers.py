"""A small pool of worker processes for MuPDF: a crash or a hang there costs one file, never the studio."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from studio.decks.limits import Limits
from studio.decks.process_pool import Call, TookTooLong, WorkerDied, WorkerPool
from studio.errors import Cancelled, DeckUnreadable
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken

T = TypeVar("T")

_MAX_WORKERS = 2
_MAX_CALLS = 200
"""A worker is replaced after so many calls: MuPDF's store grows with every document."""
_POLL_S = 0.1

_lock = threading.Lock()
_pool: WorkerPool | None = None


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
    outcome = _outcome(_schedule(fn, args, timeout_s), timeout_s, cancel)
    if isinstance(outcome, _Unreadable):
        raise DeckUnreadable(outcome.kind, outcome.message, next_step=outcome.next_step)
    result: T = outcome
    return result


def _outcome(call: Call, timeout_s: float, cancel: CancelToken | None) -> Any:
    while True:
        if cancel is not None and cancel.is_set():
            call.cancel()
            raise Cancelled("Stopped.")
        try:
            return call.result(timeout=_POLL_S)
        except TimeoutError:
            # The wait timed out, or it is an error of the function's own.
            if call.done():
                raise
        except concurrent.futures.CancelledError as error:
            raise Cancelled("The studio is closing.") from error
        except TookTooLong as error:
            raise DeckUnreadable(
                FailureKind.TIMED_OUT,
                f"Reading took longer than {timeout_s:.0f} s and was stopped.",
                next_step="Try again, or make the file smaller.",
            ) from error
        except WorkerDied as error:
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


def _schedule(fn: Callable[..., T], args: tuple[object, ...], timeout_s: float) -> Call:
    global _pool
    with _lock:
        if _pool is None or _pool.is_stopped:
            _pool = WorkerPool(
                min(_MAX_WORKERS, os.cpu_count() or 1), context=multiprocessing.get_context("spawn"),
                max_calls=_MAX_CALLS, initializer=_prepare, initargs=(Limits().worker_memory_bytes,),
            )  # fmt: skip
        return _pool.schedule(_call, (fn, args), limit_s=timeout_s)


def shutdown(timeout_s: float = 5.0) -> None:
    """Stop all workers; safe to call twice, from any thread, and when none was ever started.

    Calls under way raise `Cancelled`; a later `in_worker` starts new workers.
    """
    global _pool
    with _lock:
        pool, _pool = _pool, None
    if pool is not None:
        pool.stop()
        pool.join(timeout_s)


def _prepare(memory_bytes: int) -> None:
    """Bound what a worker may take."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
        # No core file for every damaged PDF.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
