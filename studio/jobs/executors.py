"""Where units are worked off: threads for waiting, processes for computing, in line for tests."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol

from studio.decks.process_pool import TookTooLong, WorkerDied, WorkerPool
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


class Outcome(NamedTuple):
    """What became of one unit's work; made where it ran, since not every error survives the way between processes."""

    value: Any
    failure: Failure | None
    was_cancelled: bool
    seconds: float
    peak_rss_bytes: int


class InlineExecutor:
    """One unit after the other on the calling thread."""

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`."""
        for unit in units:
            if cancel.is_set():
                return
            result = result_of(unit, run_work(work, unit.payload), cancel)
            if result is not None:
                yield result


class ThreadExecutor:
    """A few threads, for work that waits for child processes or the network."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`. Work that looks at `cancel` itself ends within its own limit."""
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="unit")
        try:

            def submit(unit: Unit) -> Future[Outcome]:
                return pool.submit(run_work, work, unit.payload)

            yield from _feed(submit, units, self._workers, cancel)
        finally:
            pool.shutdown(cancel_futures=True)


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
        pool = WorkerPool(self._workers, context=multiprocessing.get_context("spawn"))
        try:

            def submit(unit: Unit) -> Future[Outcome]:
                return pool.schedule(run_work, (work, unit.payload), limit_s=self._limit_s)

            yield from _feed(submit, units, self._workers, cancel)
        finally:
            pool.stop()
            pool.join()


def _feed(
    submit: Callable[[Unit], Future[Outcome]],
    units: Iterable[Unit],
    workers: int,
    cancel: CancelToken,
) -> Iterator[UnitResult | None]:
    """Keep two units in flight for each worker, so that none waits and a cancel strands few."""
    waiting = iter(units)
    in_flight: dict[Future[Outcome], Unit] = {}
    while True:
        while len(in_flight) < 2 * workers and not cancel.is_set():
            unit = next(waiting, None)
            if unit is None:
                break
            in_flight[submit(unit)] = unit
        if cancel.is_set():
            # What can be called off is of no further interest; what runs in a thread ends by itself.
            in_flight = {future: unit for future, unit in in_flight.items() if not future.cancel()}
        if not in_flight:
            return
        done, _ = wait(in_flight, timeout=_POLL_S, return_when=FIRST_COMPLETED)
        if not done:
            yield None
        for future in done:
            unit = in_flight.pop(future)
            result = result_of(unit, _outcome(future), cancel)
            if result is not None:
                yield result


def _outcome(future: Future[Outcome]) -> Outcome:
    """Return what a unit's work came to; what it raised was caught where it ran, so an error here is the pool's."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, TookTooLong):
        failure = Failure(kind=FailureKind.TIMED_OUT.value, message=str(error))
        return Outcome(None, failure, False, error.limit_s, 0)
    if isinstance(error, WorkerDied):
        return Outcome(None, Failure(kind="worker_died", message=str(error)), False, 0.0, 0)
    return Outcome(None, failure_of(error), False, 0.0, 0)


def result_of(unit: Unit, outcome: Outcome, cancel: CancelToken) -> UnitResult | None:
    """Return how a unit ended; None if it was cancelled."""
    if outcome.was_cancelled and cancel.is_set():
        return None
    failure = outcome.failure
    if failure is None:
        status = UnitStatus.OK
    elif failure.kind == FailureKind.TIMED_OUT.value:
        status = UnitStatus.TIMED_OUT
    else:
        status = UnitStatus.TOOL_ERROR
    return UnitResult(
        unit=unit,
        status=status,
        value=outcome.value,
        failure=failure,
        seconds=outcome.seconds,
        peak_rss_bytes=outcome.peak_rss_bytes,
    )


def failure_of(error: BaseException) -> Failure:
    """Return why a unit whose work raised has no result."""
    if isinstance(error, DeckUnreadable):
        return Failure(kind=error.kind, message=str(error))
    if isinstance(error, StudioError):
        return Failure(kind="failed", message=str(error))
    return Failure(kind="fault", message=f"{type(error).__name__}: {error}")


def run_work(work: Work, payload: Any) -> Outcome:
    """Return what a unit's work came to; whatever it raises is its failure."""
    started = time.perf_counter()
    value, failure, was_cancelled = None, None, False
    try:
        value = work(payload)
    except Exception as error:
        failure, was_cancelled = failure_of(error), isinstance(error, Cancelled)
    return Outcome(value, failure, was_cancelled, time.perf_counter() - started, _peak_rss_bytes())


def _peak_rss_bytes() -> int:
    try:
        import resource
    except ImportError:  # no such figure on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # in bytes there, in KiB elsewhere
