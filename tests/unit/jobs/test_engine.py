from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from functools import partial
from types import SimpleNamespace

import psutil
import pytest

from studio.errors import BadInput, StudioError
from studio.jobs import engine, executors
from studio.jobs.engine import run_job
from studio.jobs.executors import Executor, InlineExecutor, ProcessExecutor, ThreadExecutor
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.model.decks import Failure
from studio.model.events import RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.ids import DeckId, InstanceId
from studio.model.runs import RunKind, RunSpec, RunState, Unit, UnitResult, UnitStatus
from studio.store import runs as run_store
from studio.store.project import Project
from tests.patience import cancelled_when
from tests.projects import make_project
from tests.unit.jobs.units import work

EXECUTORS = {
    "inline": InlineExecutor,
    "threads": partial(ThreadExecutor, 2),
    "processes": partial(ProcessExecutor, 2),
}


class FakeJob:
    """Does what payloads say and keeps values in the project's settings, by label."""

    kind = RunKind.METRICS
    title = "Fake"

    def __init__(self, payloads, executor: Executor, *, blocked=()) -> None:
        self.spec = RunSpec(kind=RunKind.METRICS)
        self.units = [
            Unit(
                key=unit_key(label, payload), deck_id=DeckId(label), instance_id=InstanceId("i"), label=label,
                payload=payload,
            )
            for label, payload in payloads.items()
        ]  # fmt: skip
        self.blocked = blocked
        self._executor = executor
        self.saved: list[str] = []

    def plan(self, project: Project) -> Plan:
        left = [unit for unit in self.units if project.meta(f"value {unit.label}", "") == ""]
        return Plan(units=tuple(left), cached=len(self.units) - len(left), blocked=self.blocked)

    def executor(self) -> Executor:
        return self._executor

    def work(self, cancel):
        return work

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        self.saved.append(result.unit.label)
        if result.status is UnitStatus.OK:
            project.set_meta(f"value {result.unit.label}", str(result.value))


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study", instances=1, systems=("A",)) as made:
        yield made


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """Fail a test after which a thread or a process of a run is still there."""
    threads = set(threading.enumerate())
    children = set(psutil.Process().children(recursive=True))
    yield
    until = time.monotonic() + 60
    while time.monotonic() < until:
        left = [thread for thread in threading.enumerate() if thread not in threads]
        # The resource tracker of multiprocessing lives as long as the program.
        left += [
            child
            for child in psutil.Process().children(recursive=True)
            if child not in children and "resource_tracker" not in " ".join(child.cmdline())
        ]
        if not left:
            return
        time.sleep(0.05)
    raise AssertionError(f"left behind: {left}")


def doubles(number: int) -> dict[str, tuple[str, int]]:
    return {f"u{n:03d}": ("double", n) for n in range(number)}


def run(project, job, *, cancel=None, emit=None):
    events = []

    def take(event) -> None:
        events.append(event)
        if emit is not None:
            emit(event)

    ended = run_job(project, job, emit=take, cancel=cancel or threading.Event())
    assert Counter(type(event) for event in events)[RunEnded] == 1
    assert events[-1] == ended
    return ended, events


@pytest.mark.parametrize("kind", EXECUTORS)
def test_that_a_run_does_every_unit_once_and_tells_it_once(project, kind):
    job = FakeJob(doubles(12), EXECUTORS[kind]())
    ended, events = run(project, job)
    assert ended.state is RunState.DONE
    assert ended.counts == {"ok": 12}
    assert isinstance(events[0], RunStarted)
    assert Counter(type(event) for event in events) == {RunStarted: 1, UnitDone: 12, RunEnded: 1}
    assert [event.done for event in events[1:-1]] == list(range(1, 13))
    assert {event.total for event in events[1:-1]} == {12}
    assert sorted(job.saved) == sorted(doubles(12))
    assert {project.meta(f"value u{n:03d}") for n in range(12)} == {str(2 * n) for n in range(12)}
    (stored,) = run_store.list_runs(project)
    assert (stored.state, stored.counts, stored.total) == (RunState.DONE, {"ok": 12}, 12)
    assert stored.ended_at


@pytest.mark.parametrize("kind", EXECUTORS)
def test_that_a_failing_unit_stops_no_other_and_says_why(project, kind):
    payloads = doubles(4) | {
        name: ("raise", name)
        for name in ("fault", "bad input", "unreadable", "late", "timeout of its own", "two arguments", "cancelled")
    }
    ended, events = run(project, FakeJob(payloads, EXECUTORS[kind]()))
    assert ended.state is RunState.DONE
    assert ended.counts == {"ok": 4, "tool_error": 6, "timed_out": 1}
    told = {event.record.label: event.record for event in events if isinstance(event, UnitFailed)}
    assert {label: (record.status.value, record.failure_kind) for label, record in told.items()} == {
        "fault": ("tool_error", "fault"),
        "bad input": ("tool_error", "failed"),
        "unreadable": ("tool_error", "needs_password"),
        "late": ("timed_out", "timed_out"),
        "timeout of its own": ("tool_error", "fault"),
        "two arguments": ("tool_error", "fault"),
        # Nobody stopped the run, so this is a failure like any other and not left out.
        "cancelled": ("tool_error", "failed"),
    }
    assert told["bad input"].message == "This is no deck. Choose another."
    assert told["fault"].message == "ZeroDivisionError: nothing to divide"
    assert told["two arguments"].message == "TwoArguments: first"
    (stored,) = run_store.list_runs(project)
    assert stored.counts == ended.counts


def test_that_a_killed_process_costs_its_unit_only(project):
    payloads = doubles(3) | {"dies": ("kill", None)} | {f"later{n}": ("double", n) for n in range(6)}
    ended, events = run(project, FakeJob(payloads, ProcessExecutor(2)))
    assert ended.state is RunState.DONE
    assert ended.counts == {"ok": 9, "tool_error": 1}
    (failed,) = [event.record for event in events if isinstance(event, UnitFailed)]
    assert (failed.label, failed.failure_kind) == ("dies", "worker_died")
    assert "exit code -9" in failed.message


def test_that_a_run_whose_idle_process_was_killed_goes_on_with_a_new_one(project):
    executor = ProcessExecutor(1)
    units = FakeJob(doubles(6), executor).units
    # Other tests' pools may live in this program; theirs would come back as new processes.
    others = set(psutil.Process().children())
    pids = []
    results = []
    for result in executor.stream(work, units, threading.Event()):
        if result is None:
            continue
        results.append(result)
        if not pids:
            pids = [
                child
                for child in psutil.Process().children()
                if child not in others and "spawn_main" in " ".join(child.cmdline())
            ]
            for child in pids:
                child.kill()
    assert len(results) == 6
    assert pids
    assert {result.failure.kind for result in results if result.failure} <= {"worker_died"}
    # At most the two units that were in flight are lost.
    assert sum(result.status is UnitStatus.OK for result in results) >= 4


def test_that_a_value_that_cannot_be_sent_back_fails_its_unit_only(project):
    ended, events = run(project, FakeJob({"odd": ("unpicklable", None)} | doubles(3), ProcessExecutor(1)))
    assert ended.counts == {"ok": 3, "tool_error": 1}
    assert [event.record.label for event in events if isinstance(event, UnitFailed)] == ["odd"]


def test_that_a_unit_that_takes_too_long_is_stopped(project):
    payloads = {"slow": ("sleep", 60)} | doubles(3)
    ended, events = run(project, FakeJob(payloads, ProcessExecutor(2, limit_s=5.0)))
    assert ended.counts == {"ok": 3, "timed_out": 1}
    (failed,) = [event.record for event in events if isinstance(event, UnitFailed)]
    assert failed.message == "took longer than 5 s and was stopped"


@pytest.mark.parametrize("kind", EXECUTORS)
def test_that_a_cancel_keeps_what_is_finished(project, kind):
    cancel = threading.Event()
    job = FakeJob({name: ("sleep", 0.02) for name in doubles(200)}, EXECUTORS[kind]())

    def stop_at_once(event) -> None:
        if isinstance(event, UnitDone):
            cancel.set()

    ended, events = run(project, job, cancel=cancel, emit=stop_at_once)
    assert ended.state is RunState.CANCELLED
    assert 0 < ended.counts["ok"] < 200
    assert sum(isinstance(event, UnitDone) for event in events) == ended.counts["ok"]
    (stored,) = run_store.list_runs(project)
    assert (stored.state, stored.counts) == (RunState.CANCELLED, ended.counts)
    assert stored.reason == "stopped by the user"


def test_that_a_cancel_ends_processes_that_are_at_work(project, tmp_path):
    marks = [tmp_path / name for name in "ab"]
    job = FakeJob({mark.name: ("mark and sleep", str(mark)) for mark in marks}, ProcessExecutor(2))
    cancel = cancelled_when(lambda: all(mark.exists() for mark in marks))
    # A process that went on would return its value after a minute and count as ok.
    ended, _ = run(project, job, cancel=cancel)
    assert (ended.state, ended.counts) == (RunState.CANCELLED, {})


def test_that_a_cancel_before_the_start_does_nothing(project):
    cancel = threading.Event()
    cancel.set()
    job = FakeJob(doubles(3), InlineExecutor())
    ended, events = run(project, job, cancel=cancel)
    assert (ended.state, ended.counts, job.saved) == (RunState.CANCELLED, {}, [])
    assert [type(event) for event in events] == [RunStarted, RunEnded]


def test_that_threads_that_look_at_the_cancel_end_soon(project):
    begun = threading.Event()

    class Waiting(FakeJob):
        def work(self, cancel):
            def wait(payload):
                begun.set()
                if cancel.wait(60):
                    from studio.errors import Cancelled

                    raise Cancelled("stopped")

            return wait

    cancel = cancelled_when(begun.is_set)
    ended, _ = run(project, Waiting(doubles(5), ThreadExecutor(2)), cancel=cancel)
    assert (ended.state, ended.counts) == (RunState.CANCELLED, {})


@pytest.mark.parametrize("kind", ["inline", "threads"])
def test_that_an_event_leaves_after_its_row_is_committed(project, kind):
    seen = []

    def look(event) -> None:
        # Another connection sees only what is committed.
        other = sqlite3.connect(f"file:{project.folder}/project.db?mode=ro", uri=True)
        try:
            match event:
                case RunStarted():
                    query = "SELECT state FROM runs WHERE id = ?", [event.run_id]
                    expected = "running"
                case UnitDone() | UnitFailed():
                    query = "SELECT status FROM run_units WHERE key = ?", [event.record.key]
                    expected = event.record.status.value
                    value = other.execute(
                        "SELECT count(*) FROM meta WHERE key = ?", [f"value {event.record.label}"]
                    ).fetchone()
                    assert value == (1 if isinstance(event, UnitDone) else 0,)
                case RunEnded():
                    query = "SELECT state FROM runs WHERE id = ?", [event.run_id]
                    expected = "done"
            assert other.execute(*query).fetchone() == (expected,)
            seen.append(type(event))
        finally:
            other.close()

    run(project, FakeJob(doubles(5) | {"bad": ("raise", "fault")}, EXECUTORS[kind]()), emit=look)
    assert Counter(seen) == {RunStarted: 1, UnitDone: 5, UnitFailed: 1, RunEnded: 1}


def test_that_a_resume_plans_only_what_is_left(project, tmp_path):
    marks = {f"u{n}": ("mark", str(tmp_path / f"mark{n}")) for n in range(6)}
    cancel = threading.Event()
    done = []

    def stop_after_three(event) -> None:
        if isinstance(event, UnitDone):
            done.append(event.record.label)

    class StopAfterThree(InlineExecutor):
        def stream(self, work, units, cancel_token):
            for number, result in enumerate(super().stream(work, units, cancel_token), start=1):
                yield result
                if number == 3:
                    cancel.set()

    first, _ = run(project, FakeJob(marks, StopAfterThree()), cancel=cancel, emit=stop_after_three)
    assert (first.state, first.counts) == (RunState.CANCELLED, {"ok": 3})
    second, events = run(project, FakeJob(marks, InlineExecutor()))
    assert (second.state, second.counts, second.cached) == (RunState.DONE, {"ok": 3}, 3)
    assert events[0].total == 3
    third, events = run(project, FakeJob(marks, ProcessExecutor(2)))
    assert (third.state, third.counts, third.cached) == (RunState.DONE, {}, 6)
    assert [type(event) for event in events] == [RunStarted, RunEnded]
    # Over all three runs every unit was worked on once.
    assert [(tmp_path / f"mark{n}").read_text() for n in range(6)] == ["done\n"] * 6


def test_that_a_failed_unit_is_planned_again_and_a_good_one_is_not(project):
    run(project, FakeJob({"a": ("double", 1), "b": ("raise", "fault")}, InlineExecutor()))
    ended, _ = run(project, FakeJob({"a": ("double", 1), "b": ("double", 2)}, InlineExecutor()))
    assert (ended.counts, ended.cached) == ({"ok": 1}, 1)


def test_that_units_that_cannot_be_done_are_told_with_their_reason(project):
    unit = Unit(key="k", deck_id=DeckId("d"), instance_id=InstanceId("i"), label="blocked")
    blocked = UnitResult(
        unit=unit, status=UnitStatus.SKIPPED, failure=Failure(kind="missing", message="there is no deck")
    )
    ended, events = run(project, FakeJob(doubles(2), InlineExecutor(), blocked=(blocked,)))
    assert (ended.state, ended.counts) == (RunState.DONE, {"ok": 2, "skipped": 1})
    assert events[0].total == 3
    assert isinstance(events[1], UnitFailed)
    assert events[1].record.message == "there is no deck"


@pytest.mark.parametrize("kind", EXECUTORS)
def test_that_a_fault_in_saving_ends_the_run_as_failed(project, kind):
    class Faulty(FakeJob):
        def save(self, project, result, run_id):
            raise ValueError("cannot be saved")

    events = []
    with pytest.raises(ValueError, match="cannot be saved"):
        run_job(project, Faulty(doubles(30), EXECUTORS[kind]()), emit=events.append, cancel=threading.Event())
    assert [type(event) for event in events] == [RunStarted, RunEnded]
    assert (events[-1].state, events[-1].reason) == (RunState.FAILED, "ValueError: cannot be saved")
    (stored,) = run_store.list_runs(project)
    assert (stored.state, stored.counts) == (RunState.FAILED, {})


@pytest.mark.parametrize("error", [StudioError("The disk is full.", next_step="Free space."), OSError(28, "No space")])
def test_that_a_disk_error_in_saving_ends_the_run_as_failed_without_a_crash(project, error):
    class Full(FakeJob):
        def save(self, project, result, run_id):
            raise error

    ended, events = run(project, Full(doubles(3), InlineExecutor()))
    assert ended.state is RunState.FAILED
    assert ended.reason == str(error)
    assert [type(event) for event in events] == [RunStarted, RunEnded]
    assert run_store.list_runs(project)[0].state is RunState.FAILED


def test_that_results_before_a_failing_one_are_kept_and_their_rows_with_them(project, monkeypatch):
    monkeypatch.setattr(engine, "BATCH_UNITS", 2)

    class ThirdFails(FakeJob):
        def save(self, project, result, run_id):
            super().save(project, result, run_id)
            if len(self.saved) == 4:
                raise BadInput("This one cannot be stored.")

    ended, events = run(project, ThirdFails(doubles(6), InlineExecutor()))
    # Two in the first batch; the second batch is taken back whole, its values and its rows.
    assert (ended.state, ended.counts) == (RunState.FAILED, {"ok": 2})
    assert sum(isinstance(event, UnitDone) for event in events) == 2
    assert [project.meta(f"value u{n:03d}", "") != "" for n in range(6)] == [True, True, False, False, False, False]


def test_that_an_executor_that_breaks_keeps_what_was_finished(project):
    class Breaks(InlineExecutor):
        def stream(self, work, units, cancel):
            for number, result in enumerate(super().stream(work, units, cancel)):
                if number == 2:
                    raise RuntimeError("the pool is gone")
                yield result

    events = []
    with pytest.raises(RuntimeError, match="pool is gone"):
        run_job(project, FakeJob(doubles(5), Breaks()), emit=events.append, cancel=threading.Event())
    assert [type(event) for event in events] == [RunStarted, UnitDone, UnitDone, RunEnded]
    assert events[-1].state is RunState.FAILED
    assert run_store.list_runs(project)[0].counts == {"ok": 2}


def test_that_work_under_way_is_told_to_stop_when_results_cannot_be_stored(project):
    under_way, told = threading.Event(), []

    class Full(FakeJob):
        def work(self, cancel):
            def wait(payload):
                if payload == "quick":
                    return under_way.wait(60)
                under_way.set()
                told.append(cancel.wait(60))
                return None

            return wait

        def save(self, project, result, run_id):
            raise BadInput("The disk is full.")

    ended, _ = run(project, Full({"a": "quick", "b": "slow", "c": "slow"}, ThreadExecutor(2)))
    assert ended.state is RunState.FAILED
    assert set(told) == {True}


@pytest.mark.parametrize("error", [BadInput("There is no such metric."), RuntimeError("a fault")])
def test_that_a_plan_that_fails_is_on_record_as_a_failed_run(project, error):
    class NoPlan(FakeJob):
        def plan(self, project):
            raise error

    events = []
    job = NoPlan({}, InlineExecutor())
    if isinstance(error, StudioError):
        run_job(project, job, emit=events.append, cancel=threading.Event())
    else:
        with pytest.raises(RuntimeError, match="a fault"):
            run_job(project, job, emit=events.append, cancel=threading.Event())
    assert [type(event) for event in events] == [RunStarted, RunEnded]
    assert events[-1].state is RunState.FAILED
    assert str(error) in events[-1].reason
    (stored,) = run_store.list_runs(project)
    assert (stored.state, stored.total) == (RunState.FAILED, 0)


def test_that_a_run_on_a_read_only_project_ends_as_failed(project):
    with Project.open(project.folder) as reader:
        ended, events = run(reader, FakeJob(doubles(2), InlineExecutor()))
    assert ended.state is RunState.FAILED
    assert "read-only" in ended.reason
    assert [type(event) for event in events] == [RunEnded]


def test_that_an_end_that_cannot_be_stored_is_told_all_the_same(project, monkeypatch):
    def full(*_: object) -> None:
        raise StudioError("The disk is full.")

    monkeypatch.setattr(run_store, "end_run", full)
    ended, _ = run(project, FakeJob(doubles(2), InlineExecutor()))
    assert (ended.state, ended.reason, ended.counts) == (RunState.FAILED, "The disk is full.", {"ok": 2})


def test_that_ctrl_c_is_a_cancel(project):
    class Interrupted(InlineExecutor):
        def stream(self, work, units, cancel):
            yield next(iter(super().stream(work, units, cancel)))
            raise KeyboardInterrupt

    events = []
    with pytest.raises(KeyboardInterrupt):
        run_job(project, FakeJob(doubles(3), Interrupted()), emit=events.append, cancel=threading.Event())
    assert events[-1].state is RunState.CANCELLED
    assert run_store.list_runs(project)[0].counts == {"ok": 1}


def test_that_results_are_stored_in_batches(project, monkeypatch):
    monkeypatch.setattr(engine, "BATCH_S", 3600.0)
    sizes = []
    real = run_store.add_units
    monkeypatch.setattr(run_store, "add_units", lambda to, records: (sizes.append(len(records)), real(to, records)))
    run(project, FakeJob(doubles(120), InlineExecutor()))
    assert sizes == [50, 50, 20]


def test_that_a_slow_run_stores_as_time_goes_by(project, monkeypatch):
    monkeypatch.setattr(engine, "BATCH_S", 0.0)
    seen = []

    def look(event) -> None:
        if isinstance(event, UnitDone):
            seen.append(len(run_store.units_of(project, event.run_id)))

    run(project, FakeJob(doubles(4), InlineExecutor()), emit=look)
    assert seen == [1, 2, 3, 4]


@pytest.mark.parametrize("kind", EXECUTORS)
def test_that_the_peak_of_memory_is_recorded(project, kind):
    ended, _ = run(project, FakeJob({"big": ("grow", 64), "small": ("double", 1)}, EXECUTORS[kind]()))
    # A Python that holds 64 MiB takes more than that, and less than 4 GiB.
    assert 64 << 20 < ended.peak_rss_bytes < 4 << 30


def test_that_seconds_of_a_unit_are_those_of_its_work(project, monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(executors, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    monkeypatch.setattr(engine, "time", SimpleNamespace(monotonic=lambda: clock.now))

    class Slow(FakeJob):
        def work(self, cancel):
            def pass_the_time(seconds):
                clock.now += seconds
                if seconds < 1:
                    raise BadInput("There is no such deck.")

            return pass_the_time

    ended, events = run(project, Slow({"a": 30.0, "b": 0.5}, ThreadExecutor(1)))
    assert {event.record.label: event.record.seconds for event in events[1:-1]} == {"a": 30.0, "b": 0.5}
    assert ended.seconds == 30.5


def test_that_keys_differ_where_parts_differ_and_only_there():
    base = ("metrics", "ab", "c", 1, {"x": 1.0, "y": (1, 2)})
    assert unit_key(*base) == unit_key("metrics", "ab", "c", 1, {"y": [1, 2], "x": 1.0})
    others = [
        ("metrics", "a", "bc", 1, {"x": 1.0, "y": (1, 2)}),
        ("metrics", "ab", "c", 2, {"x": 1.0, "y": (1, 2)}),
        ("metrics", "ab", "c", 1, {"x": 1.1, "y": (1, 2)}),
        ("metrics", "ab", "c", 1, {"x": 1.0, "y": (2, 1)}),
        ("metrics", "ab", "c", "1", {"x": 1.0, "y": (1, 2)}),
        ("metrics", "ab", "c", 1),
    ]
    assert len({unit_key(*parts) for parts in [base, *others]}) == 7
    assert len(unit_key(*base)) == 64
    assert unit_key({"b", "a", "c"}) == unit_key({"c", "b", "a"}) == unit_key(["a", "b", "c"])


def test_that_a_key_is_never_made_from_nan():
    with pytest.raises(ValueError, match="Out of range"):
        unit_key("metrics", float("nan"))


def test_that_a_halt_is_seen_by_work_that_waits():
    halt = engine._Halt(threading.Event())
    assert halt.wait(0.01) is False
    threading.Timer(0.05, halt.set).start()
    assert halt.wait(60) is True
    cancel = threading.Event()
    cancel.set()
    assert engine._Halt(cancel).is_set()
