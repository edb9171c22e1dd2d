"""Starting the window from the terminal, without importing Qt until then."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from studio.errors import StudioError


def has_display() -> bool:
    """Return whether there is a screen to open a window on."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def open_window(project: Path | None, *, is_demo: bool = False) -> int:
    """Open the window and return its exit code.

    Raises:
        StudioError: if there is no display, or Qt is not installed.
    """
    if not has_display():
        raise StudioError(
            "There is no display to open a window on.", next_step="Use the terminal commands: studio --help"
        )
    with _ends_at_once_on_signals():
        try:
            # Only gui knows Qt, and the terminal must work without it, so it is looked up by name.
            app = importlib.import_module("studio.gui.app")
        except ImportError as error:
            raise StudioError(f"The window cannot start: {error}.", next_step="Run: make setup") from error
        return int(app.run(project, demo=is_demo))


@contextmanager
def _ends_at_once_on_signals() -> Iterator[None]:
    """Let Ctrl-C and a polite kill end the program while the window is being built.

    An exception that a handler raises in a callback of Qt is printed and forgotten, and the window would open
    all the same. Once it is open the window has handlers of its own.
    """
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
