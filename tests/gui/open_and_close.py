"""Opens and closes the window on a project while a run goes on; a program of its own, for test_shutdown.

Usage: python -m tests.gui.open_and_close PROJECT CYCLES [real]
"""

from __future__ import annotations

import faulthandler
import itertools
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from studio import settings as studio_settings
from studio.actions import runs as run_actions
from studio.gui import theme
from studio.gui.background import Background
from studio.gui.garbage import GarbageCollector
from studio.gui.main_window import MainWindow
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.pages.runs import RunsPage
from studio.gui.projects import studio_services
from studio.gui.theme import Theme
from studio.jobs.engine import run_job
from studio.jobs.executors import ThreadExecutor
from studio.jobs.job import Plan
from studio.model.changes import Topic, changed
from studio.model.ids import DeckId, InstanceId
from studio.model.runs import RunKind, RunSpec, Unit

UNITS = 2_000
PATIENCE_MS = 60_000
HANG_S = 130
_fresh = itertools.count()


class QuickJob:
    """Units of five milliseconds on two threads, the last of which waits: it never ends before the window does."""

    kind = RunKind.METRICS
    title = "Aesthetics · quick"

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec

    def plan(self, project):
        units = [
            Unit(
                key=f"unit-{next(_fresh)}", deck_id=DeckId("d"), instance_id=InstanceId("i"), label=str(number),
                payload=number,
            )
            for number in range(UNITS)
        ]  # fmt: skip
        return Plan(units=tuple(units), cached=0)

    def executor(self):
        return ThreadExecutor(2)

    def work(self, cancel):
        return lambda number: cancel.wait(100 if number == UNITS - 1 else 0.005) or number

    def save(self, project, result, run_id):
        """Nothing to store besides the row."""


def start_quick(project, spec, *, tools, emit, cancel, passwords=None):
    """Stand in for `start_run`."""
    return run_job(project, QuickJob(spec), emit=emit, cancel=cancel), changed(Topic.RUNS)


def until(is_so, words: str) -> None:
    """Run the event loop until something is so; give up loudly."""
    loop = QEventLoop()
    patience, ask = QTimer(), QTimer()
    patience.setSingleShot(True)
    patience.timeout.connect(loop.quit)
    ask.timeout.connect(lambda: is_so() and loop.quit())
    patience.start(PATIENCE_MS)
    ask.start(5)
    loop.exec()
    if not is_so():
        raise TimeoutError(words)


def cycle(app: QApplication, folder: Path, settings, number: int) -> None:
    """Open the window, start a run, wait for its first units, close the window in the middle of it."""
    shown = Theme(app, settings.theme)
    theme.install(shown)
    window = MainWindow(
        settings=settings, theme=shown, background=Background(), services=studio_services(),
        page_classes=[RunsPage, AlignmentPage],
    )  # fmt: skip
    window.setProperty("quits_unasked", True)
    window.show()
    window.open_folder(folder, page="runs")
    until(lambda: window.context is not None, "the project did not open")
    page = window.page("runs")
    page.start(RunSpec(kind=RunKind.METRICS, force=True, workers=1))
    until(lambda: any(row.is_live and row.done for row in page.runs.rows()), "no unit came")
    if number % 2:
        window.navigate("alignment")
    window.close()
    until(lambda: not window.isVisible(), "the window did not close")
    window.deleteLater()
    theme.install(None)
    shown.deleteLater()
    app.processEvents()


def main() -> int:
    """Do it as often as asked for."""
    folder, cycles = Path(sys.argv[1]), int(sys.argv[2])
    if "real" not in sys.argv:
        run_actions.start_run = start_quick
    # A hang says where, before the test gives up on it.
    faulthandler.dump_traceback_later(HANG_S, exit=True)
    app = QApplication(sys.argv[:1])
    settings = studio_settings.load()
    garbage = GarbageCollector()  # as in the program
    for number in range(cycles):
        cycle(app, folder, settings, number)
    garbage.stop()
    print(f"{cycles} cycles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
