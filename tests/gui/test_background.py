from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal, Slot

from studio.errors import Cancelled, StudioError
from studio.gui.background import Background
from tests.gui.reading import finish_reading


class Listener(QObject):
    def __init__(self):
        super().__init__()
        self.events = []
        self.batches = 0
        self.threads = set()

    @Slot(list)
    def on_events(self, events):
        self.events.extend(events)
        self.batches += 1
        self.threads.add(threading.current_thread())


def test_that_50000_posts_arrive_in_order_on_the_main_thread_with_few_wakeups(qtbot, background):
    listener = Listener()
    background.events.connect(listener.on_events)
    poster = threading.Thread(target=lambda: [background.post(number) for number in range(50_000)])
    poster.start()
    qtbot.waitUntil(lambda: len(listener.events) == 50_000, timeout=60_000)
    poster.join()
    assert listener.events == list(range(50_000))
    assert listener.threads == {threading.main_thread()}
    assert background.wakeups < 5_000


def test_that_posts_before_the_loop_runs_cost_one_wakeup(qtbot, background):
    listener = Listener()
    background.events.connect(listener.on_events)
    for number in range(1_000):
        background.post(number)
    qtbot.waitUntil(lambda: len(listener.events) == 1_000)
    assert (background.wakeups, listener.batches) == (1, 1)


def test_that_fast_events_are_told_together_and_come_before_what_came_later(qtbot, background, monkeypatch):
    monkeypatch.setattr("studio.gui.background.EVENTS_MS", 3_600_000)
    listener, gate, seen = Listener(), threading.Event(), []
    background.events.connect(listener.on_events)
    background.events.connect(lambda batch: seen.extend(batch))
    background.post(0)
    qtbot.waitUntil(lambda: listener.batches == 1)
    background.query(gate.wait, lambda _: seen.append("result"))
    for number in range(1, 100):
        background.post(number)
        QCoreApplication.processEvents()
    assert (listener.events, listener.batches) == ([0], 1)
    gate.set()
    qtbot.waitUntil(lambda: "result" in seen)
    assert (seen, listener.batches) == ([*range(100), "result"], 2)


def test_that_events_that_were_held_back_come_by_themselves(qtbot, background):
    listener = Listener()
    background.events.connect(listener.on_events)
    for number in range(20):
        background.post(number)
        QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: len(listener.events) == 20)
    assert listener.events == list(range(20))


class Emitter(QObject):
    happened = Signal()


class Counter(QObject):
    def __init__(self):
        super().__init__()
        self.count = 0

    @Slot()
    def on_happened(self):
        self.count += 1


def test_that_50000_signals_do_not_break_the_interpreter():
    # PySide6 6.12.0 on Python 3.11 and older loses a reference to True on each emit and aborts.
    emitter, counter = Emitter(), Counter()
    emitter.happened.connect(counter.on_happened)
    for _ in range(50_000):
        emitter.happened.emit()
    assert counter.count == 50_000


def test_that_a_result_comes_back_on_the_main_thread(qtbot, background):
    seen = []
    background.query(threading.current_thread, lambda thread: seen.append((thread, threading.current_thread())))
    qtbot.waitUntil(lambda: bool(seen))
    worker, receiver = seen[0]
    assert worker is not threading.main_thread()
    assert receiver is threading.main_thread()


def test_that_a_failed_read_hands_over_its_exception(qtbot, background):
    def fail():
        raise StudioError("no such page.")

    seen = []
    background.query(fail, seen.append, lambda error: seen.append(str(error)))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == ["no such page."]


def test_that_a_result_is_dropped_when_its_owner_is_gone(qtbot, background):
    owner, gate, seen = QObject(), threading.Event(), []
    background.query(gate.wait, seen.append, owner=owner)
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete)
    gate.set()
    finish_reading(qtbot, background)
    assert seen == []


def test_that_a_dropped_read_that_has_not_begun_is_never_run(qtbot, qapp):
    work = Background(query_threads=1)
    gate, ran, done = threading.Event(), [], []
    work.query(gate.wait)
    ticket = work.query(lambda: ran.append(1))
    ticket.drop()
    work.query(lambda: None, done.append)
    gate.set()
    qtbot.waitUntil(lambda: bool(done))
    assert ran == []
    assert work.shutdown()


def test_that_one_reader_s_fault_does_not_cost_another_its_result(qtbot, background, monkeypatch):
    faults, seen = [], []
    monkeypatch.setattr(sys, "excepthook", lambda *info: faults.append(info[0]))

    def broken(_result):
        raise ZeroDivisionError

    background.query(lambda: 1, broken)
    background.query(lambda: 2, seen.append)
    qtbot.waitUntil(lambda: bool(seen) and bool(faults))
    assert faults == [ZeroDivisionError]
    assert seen == [2]


def test_that_long_work_gets_emit_and_cancel_and_can_be_stopped_by_name(qtbot, background):
    listener, ends = Listener(), []
    background.events.connect(listener.on_events)

    def run(first, *, emit, cancel, step):
        number = first
        while not cancel.wait(0.001):
            emit(number)
            number += step
        return "stopped"

    background.start(run, 10, name="aesthetics", step=5, done=ends.append)
    qtbot.waitUntil(lambda: len(listener.events) >= 3)
    assert [work.name for work in background.busy] == ["aesthetics"]
    background.stop("aesthetics")
    qtbot.waitUntil(lambda: bool(ends))
    assert listener.events[:3] == [10, 15, 20]
    assert background.busy == []


def test_that_cancelled_work_reaches_nobody_s_crash_dialog(qtbot, background, monkeypatch):
    faults = []
    monkeypatch.setattr(sys, "excepthook", lambda *info: faults.append(info[0]))

    def run(*, emit, cancel):
        cancel.wait()
        raise Cancelled("stopped.")

    background.start(run, name="import")
    background.stop("import")
    qtbot.waitUntil(lambda: background.busy == [])
    assert faults == []


def test_that_nothing_arrives_after_shutdown(qtbot, qapp):
    work, listener = Background(), Listener()
    work.events.connect(listener.on_events)
    work.post("before")
    assert work.shutdown()
    work.post("after")
    work.query(lambda: 1, listener.events.append)
    QCoreApplication.processEvents()
    assert listener.events == []
    with pytest.raises(RuntimeError):
        work.start(print, name="late")
    assert work.shutdown()


def test_that_shutdown_tells_when_work_will_not_stop(qapp):
    work, gate = Background(), threading.Event()
    running = work.start(lambda *, emit, cancel: gate.wait(), name="deaf")
    assert not work.shutdown(0.05)
    assert running.thread.is_alive()
    gate.set()
    running.thread.join(60)
    assert work.shutdown()


EXIT_DURING_WORK = """
import sys, threading, time
from PySide6.QtCore import QCoreApplication, QTimer
from studio.gui.background import Background
from tests.gui.reading import finish_reading
app = QCoreApplication([])
work = Background()
def run(*, emit, cancel):
    while not cancel.is_set():
        emit(1)
def deaf(*, emit, cancel):
    while True:
        emit(1); time.sleep(0.001)
work.start(run, name="run")
work.start(deaf, name="deaf")
for _ in range(50):
    work.query(lambda: time.sleep(0.01))
QTimer.singleShot({delay}, app.quit)
code = app.exec()
work.shutdown(0.3)
sys.exit(code)
"""


@pytest.mark.parametrize("delay", [0, 30])
def test_that_the_program_ends_cleanly_while_work_goes_on(delay):
    ended = subprocess.run(
        [sys.executable, "-c", EXIT_DURING_WORK.replace("{delay}", str(delay))],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_that_fifty_shutdowns_right_after_a_start_leave_no_thread(qtbot, qapp):
    def run(*, emit, cancel):
        while not cancel.is_set():
            emit(1)

    before = threading.active_count()
    for _ in range(50):
        work = Background()
        work.start(run, name="run")
        work.query(lambda: 1, lambda _: None)
        assert work.shutdown(60)
        work.deleteLater()
    assert threading.active_count() == before
