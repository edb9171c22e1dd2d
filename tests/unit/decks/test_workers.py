from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from studio.decks import libreoffice, workers
from studio.decks.workers import in_worker, shutdown
from studio.errors import Cancelled, DeckUnreadable
from tests.patience import cancelled_when, wait_until


def _pid() -> int:
    return os.getpid()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _begin(mark: Path) -> None:
    mark.touch()
    time.sleep(60)


def _sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def _eat(n_bytes: int) -> int:
    return len(bytearray(n_bytes))


def _refuse() -> None:
    raise DeckUnreadable("truncated", "cut off", next_step="Get it again.")


class _Odd(Exception):
    def __init__(self, one: int, *, two: int) -> None:
        super().__init__("odd")


def _raise_odd() -> None:
    raise _Odd(1, two=2)


@pytest.fixture(scope="module", autouse=True)
def _stopped():
    yield
    shutdown()


def test_that_work_runs_in_another_process():
    assert in_worker(_pid, timeout_s=30) != os.getpid()


def test_that_a_killed_worker_costs_one_call_only():
    with pytest.raises(DeckUnreadable) as caught:
        in_worker(_die, timeout_s=30)
    assert caught.value.kind == "unreadable"
    assert in_worker(_sleep, 0, timeout_s=30) == "slept"


def test_that_a_call_over_its_time_limit_is_stopped():
    in_worker(_pid, timeout_s=30)
    with pytest.raises(DeckUnreadable) as caught:
        in_worker(_sleep, 60, timeout_s=0.5)
    assert caught.value.kind == "timed_out"
    assert in_worker(_sleep, 0, timeout_s=30) == "slept"


def test_that_cancel_ends_a_call_that_would_last_a_minute(tmp_path):
    cancel = cancelled_when((tmp_path / "begun").exists)
    with pytest.raises(Cancelled):
        in_worker(_begin, tmp_path / "begun", timeout_s=100, cancel=cancel)
    assert in_worker(_sleep, 0, timeout_s=30) == "slept"


def test_that_a_worker_cannot_take_all_memory():
    with pytest.raises(DeckUnreadable, match="memory"):
        in_worker(_eat, 8 << 30, timeout_s=30)


def test_that_errors_come_back_with_their_kind_and_next_step():
    with pytest.raises(DeckUnreadable) as caught:
        in_worker(_refuse, timeout_s=30)
    assert (caught.value.kind, caught.value.next_step) == ("truncated", "Get it again.")


def test_that_an_error_that_cannot_be_pickled_does_not_break_the_pool():
    with pytest.raises(RuntimeError, match="odd"):
        in_worker(_raise_odd, timeout_s=30)
    assert in_worker(_sleep, 0, timeout_s=30) == "slept"


def test_that_several_threads_may_call_at_once_while_workers_die():
    def one(number: int) -> object:
        try:
            return in_worker(_die, timeout_s=30) if number % 3 == 0 else in_worker(_sleep, 0.01, timeout_s=30)
        except DeckUnreadable as error:
            return error.kind

    with ThreadPoolExecutor(6) as threads:
        results = list(threads.map(one, range(12)))
    assert [result for number, result in enumerate(results) if number % 3 == 0] == ["unreadable"] * 4
    assert [result for number, result in enumerate(results) if number % 3] == ["slept"] * 8


def test_that_shutdown_leaves_no_process_and_may_be_called_twice():
    # Office workers of other tests are children of this process too.
    libreoffice.shutdown()
    in_worker(_pid, timeout_s=30)
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    assert before
    shutdown()
    shutdown()
    left = {
        child.pid
        for child in psutil.Process().children(recursive=True)
        if "resource_tracker" not in " ".join(child.cmdline())
    }
    assert not left & before
    assert workers.in_worker(_sleep, 0, timeout_s=30) == "slept"


def test_that_shutdown_ends_a_call_under_way(tmp_path):
    failures: list[BaseException] = []

    def call() -> None:
        try:
            in_worker(_begin, tmp_path / "begun", timeout_s=100)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    wait_until((tmp_path / "begun").exists, "the call did not begin")
    shutdown()
    # Less than the minute that the call would last.
    thread.join(50)
    assert not thread.is_alive()
    assert isinstance(failures[0], Cancelled)
