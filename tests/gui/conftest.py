"""A GUI test fails if it leaves a thread, a timer or a window behind, or if Qt or stderr say anything."""

from __future__ import annotations

import gc
import os
import threading

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from studio.gui import theme
from studio.gui.background import Background
from studio.gui.theme import Theme
from studio.settings import ThemeChoice, load

ALLOWED_MESSAGES = (
    # The offscreen platform has no window manager to tell the size hints to.
    "propagateSizeHints",
    # There is no session bus in a container; Qt says so once when it looks for the desktop's settings.
    "Failed to connect to the session bus",
)


HANG_MS = 60_000
"""How long a test waits for what must come: a guard against hanging, never a measure of speed."""


class PatientBot(QtBot):
    """Waits as long as a slow, loaded machine may need, unless a test says otherwise."""

    def waitUntil(self, callback, *, timeout=HANG_MS):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=HANG_MS, **more):
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals, *, timeout=HANG_MS, **more):
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget, *, timeout=HANG_MS):
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture(scope="session")
def qapp_args():
    return ["studio-test"]


@pytest.fixture(autouse=True, scope="session")
def _garbage_waits_for_this_thread():
    # As in the program: Qt objects in cycles must not be freed on workers. Each test collects at its end.
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True)
def _leaves_nothing_behind(qapp, qtlog, capfd):
    threads_before = set(threading.enumerate())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    left_windows = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    for window in left_windows:
        window.close()
    assert not left_windows, f"windows left open: {left_windows}"
    left_threads = [t.name for t in set(threading.enumerate()) - threads_before if t.is_alive()]
    assert not left_threads, f"threads left running: {left_threads}"
    # Asked of Qt and not of gc.get_objects(): that hands out tuples which a pool's thread is still filling.
    roots = [qapp, *QApplication.topLevelWidgets()]
    left_timers = [timer for root in roots if isValid(root) for timer in root.findChildren(QTimer) if timer.isActive()]
    assert not left_timers, f"timers left running: {left_timers}"
    unexpected = [
        record.message for record in qtlog.records if not any(allowed in record.message for allowed in ALLOWED_MESSAGES)
    ]
    assert not unexpected, f"Qt said: {unexpected}"
    stderr = [
        line
        for line in capfd.readouterr().err.splitlines()
        if line.strip() and not any(allowed in line for allowed in ALLOWED_MESSAGES)
    ]
    assert not stderr, f"stderr: {stderr}"


@pytest.fixture
def app_theme(qapp):
    """The light theme, installed for the test."""
    shown = Theme(qapp, ThemeChoice.LIGHT, parent=qapp)
    theme.install(shown)
    yield shown
    theme.install(None)
    shown.setParent(None)
    shown.deleteLater()


@pytest.fixture
def background(qapp):
    work = Background()
    yield work
    assert work.shutdown(60)


@pytest.fixture
def settings(tmp_path):
    return load(tmp_path / "settings.json")
