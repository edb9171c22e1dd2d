from __future__ import annotations

import gc
import threading

import pytest

from studio.gui.garbage import GarbageCollector


class Knot:
    """Holds itself, so that only a collection can free it, and notes on which thread that was."""

    def __init__(self, freed_on: list[int]) -> None:
        self.itself, self.freed_on = self, freed_on

    def __del__(self) -> None:
        self.freed_on.append(threading.get_ident())


@pytest.fixture
def often():
    """Python would collect after every tenth container; put back afterwards."""
    was_on, thresholds = gc.isenabled(), gc.get_threshold()
    gc.collect()
    gc.set_threshold(10, 2, 2)
    yield
    gc.set_threshold(*thresholds)
    (gc.enable if was_on else gc.disable)()


def busy_worker(freed_on: list[int]) -> int:
    """Leave a knot behind on another thread that makes a thousand containers; return that thread."""
    ids = []

    def work() -> None:
        ids.append(threading.get_ident())
        Knot(freed_on)
        kept = [[number] for number in range(1000)]
        kept.clear()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return ids[0]


def test_that_python_alone_frees_on_the_worker(often):
    gc.enable()
    freed_on: list[int] = []
    assert busy_worker(freed_on) in freed_on


def test_that_nothing_is_freed_on_a_worker(qtbot, often):
    collector = GarbageCollector()
    try:
        freed_on: list[int] = []
        busy_worker(freed_on)
        assert freed_on == []
        qtbot.waitUntil(lambda: bool(freed_on))
        assert freed_on == [threading.get_ident()]
    finally:
        collector.stop()


def test_that_nothing_is_collected_before_it_is_due(qapp, often):
    gc.set_threshold(1_000_000, 1_000_000, 1_000_000)
    collector = GarbageCollector()
    try:
        freed_on: list[int] = []
        Knot(freed_on)
        collector.collect_if_due()
        assert freed_on == []
        gc.collect()
        assert freed_on == [threading.get_ident()]
    finally:
        collector.stop()
