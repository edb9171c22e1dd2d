"""The window as a program: from the command line to the exit code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from studio import settings as studio_settings
from studio.gui import theme
from studio.gui.background import Background
from studio.gui.dialogs.crash import CrashDialog
from studio.gui.garbage import GarbageCollector
from studio.gui.icons import app_icon
from studio.gui.log import CrashReporter
from studio.gui.main_window import MainWindow
from studio.gui.page_list import page_classes
from studio.gui.projects import studio_services
from studio.gui.services import ProjectServices
from studio.gui.theme import Theme
from studio.long_lived import keep_what_is_loaded
from studio.settings import Settings


def run(project_path: Path | None, *, demo: bool = False, services: ProjectServices | None = None) -> int:
    """Show the window until the user quits, and return the exit code.

    Args:
        project_path: a project folder to open at once.
        demo: open the demo in its place.
        services: other functions over projects than those of the store.
    """
    app = QApplication.instance() or _application()
    settings = studio_settings.load()
    reporter = CrashReporter(lambda line, details: _show_crash(line, details, settings))
    reporter.install()
    shown = Theme(app, settings.theme)
    theme.install(shown)
    background = Background()
    window = MainWindow(
        settings=settings,
        theme=shown,
        background=background,
        services=services or studio_services(),
        page_classes=page_classes(),
    )
    interrupt = _Interrupt(window)
    keep_what_is_loaded()
    garbage = GarbageCollector(window)
    window.show()
    if demo:
        QTimer.singleShot(0, window.open_demo)
    elif project_path is not None:
        QTimer.singleShot(0, lambda: window.open_folder(project_path))
    try:
        return app.exec()
    finally:
        interrupt.remove()
        background.shutdown()
        garbage.stop()
        window.deleteLater()
        reporter.remove()
        theme.install(None)


def _application() -> QApplication:
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(sys.argv[:1])
    app.setOrganizationName("Podium Studio")
    app.setApplicationName("podium-studio")
    app.setApplicationDisplayName("Podium Studio")
    app.setDesktopFileName("podium-studio")
    app.setWindowIcon(app_icon())
    return app


def _show_crash(line: str, details: str, settings: Settings) -> None:
    CrashDialog(line, details, settings, QApplication.activeWindow()).open()


class _Interrupt(QObject):
    """Quits on SIGINT and SIGTERM.

    Python runs its handlers between bytecodes only, and there are none while Qt sleeps; the wake-up socket
    wakes the loop at once, without a timer that polls.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        import socket

        self._window = window
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._old: dict[int, Callable[[int, FrameType | None], object] | int | None] = {
            number: signal.signal(number, self._noted) for number in (signal.SIGINT, signal.SIGTERM)
        }
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)

    def remove(self) -> None:
        """Put the old handlers back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_fd)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()

    def _noted(self, _number: int, _frame: FrameType | None) -> None:
        """The wake-up socket has the signal."""

    @Slot()
    def _on_woken(self) -> None:
        self._read.recv(64)
        self._window.setProperty("quits_unasked", True)
        for dialog in QApplication.topLevelWidgets():
            if dialog is not self._window and dialog.isVisible():
                dialog.close()
        self._window.close()
        QApplication.quit()
