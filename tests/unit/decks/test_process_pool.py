"""A worker that dies is told to the one who waits, whenever it dies and whatever other workers do."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import psutil
import pytest

from studio.decks.process_pool import TookTooLong, WorkerDied, WorkerPool
from tests.patience import wait_until

LONG_S = 600.0
"""Longer than any test may last: a call that ends did not end by its limit."""
SPAWN = multiprocessing.get_context("spawn")


def pid(_: object = None) -> int:
    return os.getpid()


def die(_: object = None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def begin(mark: Path) -> None:
    mark.touch()
    time.sleep(LONG_S)


def refuse(words: str) -> None:
    raise ValueError(words)


def lambda_of(_: object = None) -> Any:
    return lambda: None


class DiesWhenUnpacked:
    """Kills the worker before its call has begun, as one that is killed while it takes a call."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return _die_once, (self.mark,)


def _die_once(mark: Path) -> Path:
    if not mark.exists():
        mark.touch()
        die()
    return mark


class NeverUnpacked(DiesWhenUnpacked):
    def __reduce__(self) -> Any:
        return die, ()


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    made = WorkerPool(2, context=SPAWN)
    yield made
    made.stop()
    assert made.join(60)


def test_that_a_call_is_done_in_another_process_and_its_error_comes_back(pool: WorkerPool) -> None:
    assert pool.schedule(pid, (), limit_s=LONG_S).result() != os.getpid()
    with pytest.raises(ValueError, match="not so"):
        pool.schedule(refuse, ("not so",), limit_s=LONG_S).result()


def test_that_a_worker_that_dies_at_work_is_told_with_its_exit_code_and_costs_its_call_only(pool: WorkerPool) -> None:
    calls = [pool.schedule(die if number == 1 else pid, (), limit_s=LONG_S) for number in range(6)]
    error = calls.pop(1).exception()
    assert isinstance(error, WorkerDied)
    assert (error.exit_code, error.has_begun) == (-signal.SIGKILL, True)
    assert all(isinstance(call.result(), int) for call in calls)


def test_that_a_call_whose_worker_died_before_it_began_is_done_by_another(pool: WorkerPool, tmp_path: Path) -> None:
    call = pool.schedule(pid, (DiesWhenUnpacked(tmp_path / "died"),), limit_s=LONG_S)
    assert call.result() != os.getpid()
    assert (tmp_path / "died").exists()


def test_that_a_call_that_kills_every_worker_before_it_begins_is_given_up(pool: WorkerPool, tmp_path: Path) -> None:
    error = pool.schedule(pid, (NeverUnpacked(tmp_path),), limit_s=LONG_S).exception()
    assert isinstance(error, WorkerDied)
    assert not error.has_begun
    assert pool.schedule(pid, (), limit_s=LONG_S).result() != os.getpid()


def test_that_idle_workers_that_are_killed_cost_nothing_also_beside_another_pool(pool: WorkerPool) -> None:
    other = WorkerPool(1, context=SPAWN)
    try:
        for _ in range(5):
            (mine, theirs) = (each.schedule(pid, (), limit_s=LONG_S).result() for each in (pool, other))
            for worker in (mine, theirs):
                psutil.Process(worker).kill()
            assert pool.schedule(pid, (), limit_s=LONG_S).result() != mine
            assert other.schedule(pid, (), limit_s=LONG_S).result() != theirs
    finally:
        other.stop()
        assert other.join(60)


def test_that_a_call_over_its_limit_is_stopped_and_the_next_one_is_done(pool: WorkerPool, tmp_path: Path) -> None:
    assert isinstance(pool.schedule(begin, (tmp_path / "begun",), limit_s=0.2).exception(), TookTooLong)
    assert (tmp_path / "begun").exists()
    assert pool.schedule(pid, (), limit_s=LONG_S).result() != os.getpid()


def test_that_a_call_under_way_can_be_taken_back(pool: WorkerPool, tmp_path: Path) -> None:
    call = pool.schedule(begin, (tmp_path / "begun",), limit_s=LONG_S)
    wait_until((tmp_path / "begun").exists, "the call did not begin")
    assert call.cancel()
    with pytest.raises(CancelledError):
        call.result(60)
    assert pool.schedule(pid, (), limit_s=LONG_S).result() != os.getpid()
    assert not call.cancel()


def test_that_stopping_ends_calls_under_way_and_calls_that_wait(tmp_path: Path) -> None:
    pool = WorkerPool(1, context=SPAWN)
    under_way = pool.schedule(begin, (tmp_path / "begun",), limit_s=LONG_S)
    waiting = pool.schedule(pid, (), limit_s=LONG_S)
    wait_until((tmp_path / "begun").exists, "the call did not begin")
    pool.stop()
    pool.stop()
    late = pool.schedule(pid, (), limit_s=LONG_S)
    for call in (under_way, waiting, late):
        with pytest.raises(CancelledError):
            call.result(60)
    assert pool.join(60)


def test_that_what_cannot_be_packed_fails_its_call_only(pool: WorkerPool) -> None:
    assert pool.schedule(pid, (threading.Lock(),), limit_s=LONG_S).exception() is not None
    assert "lambda" in str(pool.schedule(lambda_of, (), limit_s=LONG_S).exception())
    assert pool.schedule(pid, (), limit_s=LONG_S).result() != os.getpid()


def test_that_a_worker_is_replaced_after_its_number_of_calls() -> None:
    pool = WorkerPool(1, context=SPAWN, max_calls=2)
    pids = [pool.schedule(pid, (), limit_s=LONG_S).result() for _ in range(4)]
    pool.stop()
    assert pool.join(60)
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_that_workers_leave_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    program = """
        import multiprocessing, time
        from studio.decks.process_pool import WorkerPool
        from tests.unit.decks.test_process_pool import begin, pid

        if __name__ == "__main__":
            from pathlib import Path
            pool = WorkerPool(2, context=multiprocessing.get_context("spawn"))
            print(pool.schedule(pid, (), limit_s=600).result(), flush=True)
            pool.schedule(begin, (Path(%r),), limit_s=600)
            time.sleep(600)
    """
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program) % str(tmp_path / "begun"))
    root = str(Path(__file__).parents[3])
    parent = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root}
    )
    assert parent.stdout is not None
    assert parent.stdout.readline()
    wait_until((tmp_path / "begun").exists, "the call did not begin")
    workers = [child for child in psutil.Process(parent.pid).children() if "spawn_main" in " ".join(child.cmdline())]
    assert workers
    parent.kill()
    parent.wait()
    parent.stdout.close()
    gone, left = psutil.wait_procs(workers, timeout=60)
    assert not left
    assert len(gone) == len(workers)


def test_that_a_program_ends_though_its_pool_was_not_stopped(tmp_path: Path) -> None:
    program = """
        import multiprocessing
        from studio.decks.process_pool import WorkerPool
        from tests.unit.decks.test_process_pool import pid

        if __name__ == "__main__":
            pool = WorkerPool(1, context=multiprocessing.get_context("spawn"))
            print(pool.schedule(pid, (), limit_s=600).result())
    """
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=LONG_S,
        env={**os.environ, "PYTHONPATH": root},
    )  # fmt: skip
    assert done.stderr == ""
    assert not psutil.pid_exists(int(done.stdout))


def test_that_no_worker_is_left_to_others_when_the_program_ends() -> None:
    program = textwrap.dedent("""
        import atexit, multiprocessing, os, threading

        def last():
            print([thread.name for thread in threading.enumerate() if thread.name.startswith("worker")])

        atexit.register(last)  # the first to be asked for is the last to be called
        if __name__ == "__main__":
            from studio.decks.process_pool import WorkerPool

            pool = WorkerPool(2, context=multiprocessing.get_context("spawn"))
            calls = [pool.schedule(os.getpid, (), limit_s=600.0) for _ in range(4)]
            assert all(call.result() for call in calls)
    """)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


class NoProcesses:
    """A context in which no process can be started, as in a program that is not done loading itself."""

    def Pipe(self) -> Any:
        return SPAWN.Pipe()

    def Process(self, **_: object) -> Any:
        raise RuntimeError("no process can be started")


def test_that_every_call_ends_when_no_process_can_be_started() -> None:
    made = WorkerPool(1, context=NoProcesses())  # type: ignore[arg-type]
    calls = [made.schedule(pid, (), limit_s=LONG_S) for _ in range(2)]
    for call in calls:
        with pytest.raises(RuntimeError, match="no process can be started"):
            call.result(60)
    made.stop()
    assert made.join(60)
