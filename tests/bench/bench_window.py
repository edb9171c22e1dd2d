"""How soon the window shows a slide, and how long its thread is ever held up while a run goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BEAT_MS = 10
PATIENCE_MS = 300_000
INSTANCES, SYSTEMS, SLIDES = 10, ("alpha", "beta", "gamma", "delta", "epsilon"), 8


def main() -> None:
    """Print seconds to the first painted slide and the longest stall in milliseconds."""
    from tests.gui import projects

    with tempfile.TemporaryDirectory(prefix="bench-window-") as folder:
        study = Path(folder) / "study"
        projects.make_project(study, instances=INSTANCES, systems=SYSTEMS, slides=SLIDES).close()
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_window", str(study)],
            cwd=ROOT, capture_output=True, text=True, check=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PODIUM_HOME": str(Path(folder) / "home")},
        )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    decks = INSTANCES * len(SYSTEMS)
    print(f"   {decks} decks of {SLIDES} slides, {os.cpu_count()} cores, window 1440 × 900, offscreen")
    print(f"   first painted slide   {found['slide_s']:7.2f} s after the program started ({found['slide_on']})")
    print(f"   window shown          {found['window_s']:7.2f} s")
    print(f"   run of the metrics    {found['run_s']:7.1f} s for {found['units']} decks, {found['failed']} failed")
    print(f"   longest stall         {found['stall_ms']:7.0f} ms while it went on ({found['during']})")
    print(f"   99 % of {found['beats']:,} beats  {found['p99_ms']:7.1f} ms late at most")
    print(f"   longest stall at start{found['start_stall_ms']:7.0f} ms (imports, pages and the first look)")


class Heartbeat:
    """Notes how late each beat of a timer on the window's thread comes, and how much of that no processor was free."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.late_ms: list[tuple[float, str]] = []
        self.own_ms: list[float] = []
        """How late each beat came without the time in which the thread could run but other programs had the processors.

        As late as told where the system does not say.
        """
        self._waited_ms = _waited_for_a_processor_ms()
        self.doing = ""
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(BEAT_MS)

    def _beat(self) -> None:
        now = time.perf_counter()
        late_ms, waited_ms = max(0.0, (now - self._last) * 1000 - BEAT_MS), _waited_for_a_processor_ms()
        self.late_ms.append((late_ms, self.doing))
        self.own_ms.append(max(0.0, late_ms - (waited_ms - self._waited_ms)))
        self._last, self._waited_ms = now, waited_ms

    def take(self) -> list[tuple[float, str]]:
        """Return what was noted so far and begin anew."""
        taken, self.late_ms = self.late_ms, []
        return taken

    def stop(self) -> None:
        """Beat no more."""
        self._timer.stop()


def _waited_for_a_processor_ms() -> float:
    try:
        # Of this thread: nanoseconds on a processor, nanoseconds of waiting for one, turns.
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


def measure(study: Path) -> dict[str, Any]:
    """Open the window on a project, wait for a slide, run the metrics while pages are changed; return the figures."""
    import psutil

    began_s = time.time() - psutil.Process().create_time()
    clock = time.perf_counter()

    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from studio import settings as studio_settings
    from studio.gui import theme
    from studio.gui.background import Background
    from studio.gui.main_window import MainWindow
    from studio.gui.page_list import page_classes
    from studio.gui.pages.alignment import AlignmentPage
    from studio.gui.pages.runs import RunsPage
    from studio.gui.projects import studio_services
    from studio.gui.theme import Theme
    from studio.gui.widgets.slide_view import SlideState, SlideView
    from studio.model.runs import RunKind, RunSpec, RunState

    def since_start() -> float:
        return began_s + time.perf_counter() - clock

    def until(is_so: Any) -> None:
        loop, ask, patience = QEventLoop(), QTimer(), QTimer()
        ask.timeout.connect(lambda: is_so() and loop.quit())
        patience.setSingleShot(True)
        patience.timeout.connect(loop.quit)
        ask.start(2)
        patience.start(PATIENCE_MS)
        loop.exec()
        if not is_so():
            raise TimeoutError("the window did not get there")

    app = QApplication(sys.argv[:1])
    settings = studio_settings.load()
    shown = Theme(app, settings.theme)
    theme.install(shown)
    beat = Heartbeat()
    classes = {page.page_id: page for page in (*page_classes(), RunsPage, AlignmentPage)}
    if "compare" not in classes:
        classes["compare"] = slide_page()
    window = MainWindow(
        settings=settings, theme=shown, background=Background(), services=studio_services(),
        page_classes=list(classes.values()),
    )  # fmt: skip
    window.setProperty("quits_unasked", True)
    window.show()
    window_s = since_start()
    window.open_folder(study, page="compare", instance="i_instance-1")

    def has_slide() -> bool:
        return any(
            view.isVisible() and view.state == SlideState.SHOWN for view in window.findChildren(SlideView)
        )  # fmt: skip

    until(has_slide)
    slide_s = since_start()
    slide_on = type(window.page("compare")).__name__
    start_stall_ms = max(late for late, _ in beat.take())
    page = window.page("runs")
    page.start(RunSpec(kind=RunKind.METRICS))
    run_began = time.perf_counter()
    tour = [name for name in ("runs", "compare", "library", "alignment", "runs") if name in classes]
    step = {"number": 0}

    def go_on() -> None:
        step["number"] += 1
        beat.doing = tour[step["number"] % len(tour)]
        window.navigate(beat.doing)

    walk = QTimer()
    walk.timeout.connect(go_on)
    walk.start(400)
    until(lambda: any(row.state is RunState.DONE and row.total for row in page.runs.rows()))
    run_s = time.perf_counter() - run_began
    walk.stop()
    late = beat.take()
    beat.stop()
    row = next(row for row in page.runs.rows() if row.total)
    window.close()
    worst = max(late)
    ordered = sorted(each for each, _ in late)
    return {
        "window_s": window_s, "slide_s": slide_s, "slide_on": slide_on, "start_stall_ms": start_stall_ms,
        "run_s": run_s, "units": row.done, "failed": row.failed, "stall_ms": worst[0], "during": worst[1] or "runs",
        "beats": len(late), "p99_ms": ordered[int(len(ordered) * 0.99)],
    }  # fmt: skip


def slide_page() -> type:
    """Return a page with one slide, for as long as the window has no page that shows slides."""
    from PySide6.QtWidgets import QVBoxLayout

    from studio.gui.page import Page
    from studio.gui.widgets.slide_view import SlideView
    from studio.model.decks import slide_file_name, thumb_file_name
    from studio.store import decks as deck_store

    class SlidePage(Page):
        page_id, title, icon_name = "compare", "Slide", "columns-2"

        def open_project(self, context: Any) -> None:
            self.view = SlideView(context.background, context.images)
            QVBoxLayout(self).addWidget(self.view)
            context.background.query(
                lambda: deck_store.page_folder(context.project, "d_i_instance-1_alpha"), self._show, owner=self
            )

        def _show(self, folder: Path) -> None:
            self.view.show_slide(folder / slide_file_name(1), thumbnail=folder / thumb_file_name(1))

        def close_project(self) -> None:
            self.view.show_empty()

    return SlidePage


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1]))))
    else:
        main()
