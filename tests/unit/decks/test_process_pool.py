"""A worker that dies is told to the one who waits, in whatever order the pool's threads see it."""

from __future__ import annotations

import multiprocessing
from types import SimpleNamespace
from typing import Any

import pytest
from pebble import ProcessExpired
from pebble.pool.base_pool import Task, TaskPayload
from pebble.pool.process import Acknowledgement

from studio.decks.process_pool import WatchfulPool

DEAD, ALIVE = 4711, 4712


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The manager of a pool that was not started, so that the test is both of its threads."""
    pool = WatchfulPool(max_workers=2, context=multiprocessing.get_context("spawn"))
    made = pool._pool_manager
    made.worker_manager.create_channels()
    monkeypatch.setattr(made.worker_manager, "create_workers", lambda: None)
    for pid, is_alive in ((DEAD, False), (ALIVE, True)):
        made.worker_manager.workers[pid] = SimpleNamespace(
            pid=pid, exitcode=None if is_alive else -9, is_alive=lambda is_alive=is_alive: is_alive
        )
    monkeypatch.setattr(made.task_manager, "task_done_callback", lambda: None)
    yield made
    made.worker_manager.workers.clear()
    made.worker_manager.close_channels()
    made.worker_manager.workers_channel.close()


def task(manager: Any, number: int) -> Any:
    from pebble import ProcessFuture

    made = Task(number, ProcessFuture(), 300.0, TaskPayload(print, (), {}))
    manager.task_manager.register(made)
    return made


def test_that_a_death_seen_before_the_workers_last_word_still_fails_its_task(manager: Any) -> None:
    lost, other = task(manager, 1), task(manager, 2)
    manager.task_manager.task_start(2, ALIVE)
    manager.worker_manager.workers_channel.writer.send(Acknowledgement(DEAD, 1))
    manager.update_workers()
    assert not lost.future.done()
    manager.process_next_message(0)
    assert isinstance(lost.future.exception(timeout=0), ProcessExpired)
    assert not other.future.done()


def test_that_a_death_with_no_other_task_under_way_does_not_break_the_pool(manager: Any) -> None:
    lost = task(manager, 1)
    manager.worker_manager.workers_channel.writer.send(Acknowledgement(DEAD, 1))
    manager.update_workers()
    manager.process_next_message(0)
    assert isinstance(lost.future.exception(timeout=0), ProcessExpired)


def test_that_deaths_wait_while_there_is_more_to_read(manager: Any) -> None:
    first, second = task(manager, 1), task(manager, 2)
    for number in (1, 2):
        manager.worker_manager.workers_channel.writer.send(Acknowledgement(DEAD if number == 2 else ALIVE, number))
    manager.update_workers()
    manager.process_next_message(0)
    assert not second.future.done()
    manager.process_next_message(0)
    assert isinstance(second.future.exception(timeout=0), ProcessExpired)
    assert not first.future.done()
