"""The log file, and what happens to an exception that nobody caught."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, Slot, qInstallMessageHandler

from studio import paths

FILE_NAME = "studio.log"
FILE_BYTES = 1_000_000
FILES_KEPT = 3

_log = logging.getLogger("studio")


def log_file() -> Path:
    """Return the present log file."""
    return paths.log_dir() / FILE_NAME


def last_lines(count: int = 400) -> list[str]:
    """Return the last lines of the log, oldest first; none if there is no log yet."""
    try:
        with log_file().open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - count * 400))
            return file.read().decode("utf-8", "replace").splitlines()[-count:]
    except OSError:
        return []


class CrashReporter(QObject):
    """Logs uncaught exceptions of every thread and shows the first of them in a dialog, once.

    `install` puts it in place of the interpreter's hooks; `remove` puts these back.
    """

    crash_happened = Signal(str, str)
    """One line, and the traceback; sent on the thread of the fault."""

    def __init__(self, show: Callable[[str, str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._show = show
        self._has_shown = False
        self._handler: logging.Handler | None = None
        self._hooks: tuple[Any, Any] | None = None
        self._old_qt_handler: Any = None
        self.crash_happened.connect(self._on_crash_happened, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Begin to log and to catch. Where the log cannot be written, the studio works without one."""
        _log.setLevel(logging.INFO)
        try:
            paths.log_dir().mkdir(parents=True, exist_ok=True)
            self._handler = RotatingFileHandler(
                log_file(), maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8", delay=True
            )
        except OSError:
            self._handler = logging.NullHandler()
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        _log.addHandler(self._handler)
        self._hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        self._old_qt_handler = qInstallMessageHandler(_on_qt_message)

    def remove(self) -> None:
        """Put the interpreter's own hooks back and close the log."""
        if self._hooks is not None:
            sys.excepthook, threading.excepthook = self._hooks
            self._hooks = None
            qInstallMessageHandler(self._old_qt_handler)
        if self._handler is not None:
            _log.removeHandler(self._handler)
            self._handler.close()
            self._handler = None

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        _log.error("uncaught: %s", details)
        self.crash_happened.emit(f"{kind.__name__}: {error}", details)

    def _on_thread_exception(self, fault: threading.ExceptHookArgs) -> None:
        if fault.exc_value is not None:
            self._on_exception(fault.exc_type, fault.exc_value, fault.exc_traceback)

    @Slot(str, str)
    def _on_crash_happened(self, line: str, details: str) -> None:
        # One dialog: a fault in a paint event comes sixty times a second.
        if not self._has_shown:
            self._has_shown = True
            self._show(line, details)


_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    logging.getLogger("studio.qt").log(_QT_LEVELS.get(kind, logging.WARNING), message)
