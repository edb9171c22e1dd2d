"""Where units are worked off: threads for waiting, processes for computing, in line for tests."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, NamedTuple, Protocol

from pebble import ProcessExpired, ProcessPool

from studio.errors import Cancelled, DeckUnreadable, StudioError
from studio.model.decks import Failure, FailureKind
from studio.model.protocols import CancelToken
from studio.model.runs import Unit, UnitResult, UnitStatus

Work = Callable[[Any], Any]
"""Takes a unit's payload and returns its value; anything it raises fails that unit only."""

_POLL_S = 0.1
"""How long a cancel may go unseen while workers are busy."""


class Executor(Protocol):
    """Works units off in some order and yields each result as it comes."""

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """Yield one result for each unit that was finished, and None now and then while all are busy.

        Stops early once `cancel` is set; units that were not finished yield nothing.
        """
        ...


class _Timed(NamedTuple):
    value: Any
    seconds: float
    peak_rss_bytes: int


class InlineExecutor:
    """One unit after the other on the calling thread."""

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`."""
        for unit in units:
            if cancel.is_set():
                return
            started = time.perf_counter()
            try:
                value = work(unit.payload)
            except Cancelled:
                return
            except Exception as error:
                yield failed(unit, error, time.perf_counter() - started)
            else:
                yield UnitResult(unit=unit, status=UnitStatus.OK, value=value, seconds=time.perf_counter() - started)


class ThreadExecutor:
    """A few threads, for work that waits for child processes or the network."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`. Work that looks at `cancel` itself ends within its own limit."""
        with ThreadPoolExecutor(self._workers, thread_name_prefix="unit") as pool:

            def submit(unit: Unit) -> Future[_Timed]:
                return pool.submit(_timed, work, unit.payload)

            yield from _feed(submit, units, self._workers, cancel, limit_s=None)


class ProcessExecutor:
    """Spawned processes, for work that computes; one that dies fails its unit only.

    Args:
        workers: number of processes.
        limit_s: seconds after which a unit's process is killed.
    """

    def __init__(self, workers: int, *, limit_s: float = 600.0) -> None:
        self._workers = workers
        self._limit_s = limit_s

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`. A cancel kills the processes; their units are planned again next time."""
        pool = ProcessPool(max_workers=self._workers, context=multiprocessing.get_context("spawn"))
        try:

            def submit(unit: Unit) -> Future[_Timed]:
                future: Future[_Timed] = pool.schedule(_timed, args=[work, unit.payload], timeout=self._limit_s)
                return future

            yield from _feed(submit, units, self._workers, cancel, limit_s=self._limit_s)
        finally:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()


def _feed(
    submit: Callable[[Unit], Future[_Timed]],
    units: Iterable[Unit],
    workers: int,
    cancel: CancelToken,
    *,
    limit_s: float | None,
) -> Iterator[UnitResult | None]:
    """Keep two units in flight for each worker, so that none waits and a cancel strands few."""
    waiting = iter(units)
    in_flight: dict[Future[_Timed], Unit] = {}
    while True:
        while len(in_flight) < 2 * workers and not cancel.is_set():
            unit = next(waiting, None)
            if unit is None:
                break
            in_flight[submit(unit)] = unit
        if not in_flight:
            return
        if cancel.is_set():
            for future in in_flight:
                future.cancel()
        done, _ = wait(in_flight, timeout=_POLL_S, return_when=FIRST_COMPLETED)
        if not done:
            yield None
        for future in done:
            unit = in_flight.pop(future)
            result = _result(unit, future, limit_s)
            if result is not None:
                yield result


def _result(unit: Unit, future: Future[_Timed], limit_s: float | None) -> UnitResult | None:
    if future.cancelled():
        return None
    error = future.exception()
    if error is None:
        timed = future.result()
        return UnitResult(
            unit=unit,
            status=UnitStatus.OK,
            value=timed.value,
            seconds=timed.seconds,
            peak_rss_bytes=timed.peak_rss_bytes,
        )
    if isinstance(error, Cancelled):
        return None
    if isinstance(error, FutureTimeout):
        failure = Failure(kind=FailureKind.TIMED_OUT.value, message=f"took longer than {limit_s:.0f} s and was stopped")
        return UnitResult(unit=unit, status=UnitStatus.TIMED_OUT, failure=failure, seconds=limit_s or 0.0)
    if isinstance(error, ProcessExpired):
        message = f"the worker process ended on its own (exit code {error.exitcode})"
        return UnitResult(unit=unit, status=UnitStatus.TOOL_ERROR, failure=Failure(kind="worker_died", message=message))
    return failed(unit, error, 0.0)


def failed(unit: Unit, error: BaseException, seconds: float) -> UnitResult:
    """Return the result of a unit whose work raised."""
    if isinstance(error, DeckUnreadable):
        failure = Failure(kind=error.kind, message=str(error))
    elif isinstance(error, StudioError):
        failure = Failure(kind="failed", message=str(error))
    else:
        failure = Failure(kind="fault", message=f"{type(error).__name__}: {error}")
    is_late = failure.kind == FailureKind.TIMED_OUT.value
    status = UnitStatus.TIMED_OUT if is_late else UnitStatus.TOOL_ERROR
    return UnitResult(unit=unit, status=status, failure=failure, seconds=seconds)


def _timed(work: Work, payload: Any) -> _Timed:
    started = time.perf_counter()
    value = work(payload)
    return _Timed(value, time.perf_counter() - started, _peak_rss_bytes())


def _peak_rss_bytes() -> int:
    try:
        import resource
    except ImportError:  # no such figure on Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
