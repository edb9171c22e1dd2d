"""Works a run off: plan, feed, store, tell. Knows nothing of what the units are."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing

from studio.errors import StudioError
from studio.jobs.job import STOPPED, Job, Plan, StopsItself
from studio.model.events import Event, RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.ids import RunId, new_id
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import Run, RunState, Unit, UnitRecord, UnitResult, UnitStatus
from studio.store import runs as run_store
from studio.store.project import Project, utc_now
from studio.store.values import plain

BATCH_S = 0.5
BATCH_UNITS = 50
"""Results that only took time are stored when either limit is reached.

A job with `stores_at_once` stores each result in a transaction of its own, and tells it before the next: what was paid
for may not be lost because another unit was waited for.
"""

_LOOK_S = 0.1
"""How long work that waits may not see that the engine gave up."""


def run_job(project: Project, job: Job, *, emit: Emit, cancel: CancelToken) -> RunEnded:
    """Run a job to its end and return how it ended; the same event is the last one emitted.

    Every event leaves after its row is committed. Whatever happens, exactly one `RunEnded` is emitted, and
    exactly one `RunStarted` before it unless not even the run's row could be stored. What the user can act on
    (a full disk, a project that cannot be written) ends the run as failed; a fault of ours does too, and is raised.
    """
    started = time.monotonic()
    run_id = RunId(new_id("run"))
    recorder = _Recorder(project, job, run_id, emit)
    state, reason, cached = RunState.DONE, "", 0
    try:
        try:
            plan = job.plan(project)
        except Exception:
            # The run is on record all the same, with nothing done.
            _begin(project, job, run_id, Plan(units=(), cached=0), emit)
            raise
        cached = plan.cached
        recorder.total = _begin(project, job, run_id, plan, emit)
        for unable in plan.blocked:
            recorder.add(unable)
        recorder.flush()
        _work_off(job, plan.units, recorder, cancel)
        stopped = job.stopped() if isinstance(job, StopsItself) else None
        if cancel.is_set() and recorder.done - recorder.broken_off < recorder.total:
            state, reason = RunState.CANCELLED, "stopped by the user"
        elif stopped is not None:
            state, reason = stopped
    except (StudioError, OSError) as error:
        state, reason = RunState.FAILED, str(error)
    except KeyboardInterrupt:
        state, reason = RunState.CANCELLED, "stopped by the user"
        raise
    except BaseException as error:
        state, reason = RunState.FAILED, f"{type(error).__name__}: {error}"
        raise
    finally:
        try:
            run_store.end_run(project, run_id, state, dict(recorder.counts), reason)
        except (StudioError, OSError) as error:
            state, reason = RunState.FAILED, reason or str(error)
        finally:
            ended = RunEnded(
                run_id=run_id, kind=job.kind, state=state, counts=dict(recorder.counts), cached=cached,
                seconds=time.monotonic() - started, reason=reason, peak_rss_bytes=recorder.peak_rss_bytes,
            )  # fmt: skip
            emit(ended)
    return ended


def _begin(project: Project, job: Job, run_id: RunId, plan: Plan, emit: Emit) -> int:
    """Store the run's row, tell that it began, and return how many units it has."""
    total = len(plan.units) + len(plan.blocked)
    run_store.add_run(
        project,
        Run(
            id=run_id, kind=job.kind, title=job.title, spec=plain(job.spec), state=RunState.RUNNING,
            started_at=utc_now(), total=total, cached=plan.cached,
        ),
    )  # fmt: skip
    emit(RunStarted(run_id=run_id, kind=job.kind, title=job.title, total=total, cached=plan.cached))
    return total


def _work_off(job: Job, units: Sequence[Unit], recorder: _Recorder, cancel: CancelToken) -> None:
    """Feed the units to the job's executor and record what comes, until all is done or the user stops it."""
    if not units:
        return
    halt = _Halt(cancel)
    results: Generator[UnitResult | None] = _stream(job, units, halt)
    with closing(results):
        try:
            for result in results:
                if result is not None:
                    recorder.add(result)
                recorder.flush_if_due()
        except BaseException:
            # What is under way is of no use any more: a result of it could not be stored.
            halt.set()
            raise
        finally:
            # Does nothing after a flush that failed, since its batch is gone.
            recorder.flush()


def _stream(job: Job, units: Sequence[Unit], cancel: CancelToken) -> Generator[UnitResult | None]:
    yield from job.executor().stream(job.work(cancel), units, cancel)


class _Halt:
    """A cancel token that is set by the user, or by the engine when a run cannot go on."""

    def __init__(self, cancel: CancelToken) -> None:
        self._cancel = cancel
        self._own = threading.Event()

    def set(self) -> None:
        self._own.set()

    def is_set(self) -> bool:
        return self._own.is_set() or self._cancel.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        until = None if timeout is None else time.monotonic() + timeout
        while not self.is_set():
            left = _LOOK_S if until is None else min(_LOOK_S, until - time.monotonic())
            if left <= 0:
                break
            self._cancel.wait(left)
        return self.is_set()


class _Recorder:
    """Stores results, one by one or in batches as the job wants, and only then lets their events pass."""

    def __init__(self, project: Project, job: Job, run_id: RunId, emit: Emit) -> None:
        self._batch_units = 1 if getattr(job, "stores_at_once", False) else BATCH_UNITS
        self.counts: Counter[str] = Counter()
        self.done = 0
        self.broken_off = 0
        """Of them, those that were stopped under way."""
        self.total = 0
        self.peak_rss_bytes = 0
        self._project = project
        self._job = job
        self._run_id = run_id
        self._emit = emit
        self._batch: list[UnitResult] = []
        self._flushed_at = time.monotonic()

    def add(self, result: UnitResult) -> None:
        self._batch.append(result)
        self.peak_rss_bytes = max(self.peak_rss_bytes, result.peak_rss_bytes)

    def flush_if_due(self) -> None:
        if len(self._batch) >= self._batch_units or time.monotonic() - self._flushed_at >= BATCH_S:
            self.flush()

    def flush(self) -> None:
        batch, self._batch = self._batch, []
        self._flushed_at = time.monotonic()
        if not batch:
            return
        records = [self._record_of(result) for result in batch]
        with self._project.writing():
            for result in batch:
                self._job.save(self._project, result, self._run_id)
            run_store.add_units(self._project, records)
        for record in records:
            self.counts[record.status.value] += 1
            self.done += 1
            self.broken_off += record.failure_kind == STOPPED
            self._emit(self._event(record))

    def _record_of(self, result: UnitResult) -> UnitRecord:
        unit = result.unit
        return UnitRecord(
            run_id=self._run_id, key=unit.key, deck_id=unit.deck_id, instance_id=unit.instance_id, label=unit.label,
            status=result.status, failure_kind=result.failure.kind if result.failure else "",
            message=result.failure.message if result.failure else "", seconds=round(result.seconds, 4), at=utc_now(),
        )  # fmt: skip

    def _event(self, record: UnitRecord) -> Event:
        kind = UnitDone if record.status is UnitStatus.OK else UnitFailed
        return kind(run_id=self._run_id, record=record, done=self.done, total=self.total)
