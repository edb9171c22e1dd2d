"""How long the window's thread is ever held up while thirty decks are imported and drawn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.bench_window import Heartbeat

ROOT = Path(__file__).resolve().parents[2]
DECKS, SLIDES = 30, 12
PATIENCE_MS = 600_000
LIMIT_MS = 100


def main() -> None:
    """Print the longest stall in milliseconds, and what the bound is."""
    with tempfile.TemporaryDirectory(prefix="bench-import-") as folder:
        made = Path(folder) / "in"
        make_decks(made)
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_import", str(made), str(Path(folder) / "study")],
            cwd=ROOT, capture_output=True, text=True, check=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PODIUM_HOME": str(Path(folder) / "home")},
        )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    print(f"   {DECKS} PDF decks of {SLIDES} slides, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, offscreen")
    print(f"   imported in           {found['import_s']:7.1f} s, drawn in {found['draw_s']:.1f} s more")
    print(f"   longest stall         {found['stall_ms']:7.0f} ms of at most {LIMIT_MS} ms ({found['during']})")
    print(f"   99 % of {found['beats']:,} beats  {found['p99_ms']:7.1f} ms late at most")
    print(f"   window's thread busy  {found['own_ms']:7.0f} ms at most in one go (its own processor time)")


def make_decks(folder: Path) -> None:
    """Write instances with five PDF decks each, none like another."""
    import pymupdf

    for number in range(DECKS):
        decks = folder / f"task-{number // 5 + 1}" / "decks"
        decks.mkdir(parents=True, exist_ok=True)
        with pymupdf.open() as pdf:
            for slide in range(SLIDES):
                page = pdf.new_page(width=960, height=540)
                page.insert_text((72, 90), f"Deck {number}, slide {slide + 1}", fontsize=32)
                for line in range(8):
                    page.insert_text((72, 150 + 36 * line), f"Line {line} of {number}-{slide}", fontsize=20)
                page.draw_rect((600, 200, 640 + 10 * slide, 400), fill=(0.2, 0.4, number / DECKS))
            pdf.save(decks / f"system-{number % 5 + 1}.pdf")


def measure(decks: Path, study: Path) -> dict[str, Any]:
    """Open an empty project in the window, import the decks, wait until they are drawn; return the figures."""
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from studio import settings as studio_settings
    from studio.actions.decks import preview_import
    from studio.actions.library import CellState
    from studio.gui import theme
    from studio.gui.background import Background
    from studio.gui.main_window import MainWindow
    from studio.gui.page_list import page_classes
    from studio.gui.projects import studio_services
    from studio.gui.theme import Theme
    from studio.store.project import Project

    Project.create(study).close()
    app = QApplication(sys.argv[:1])
    settings = studio_settings.load()
    settings.update({"profile_role": "engineer"})
    shown = Theme(app, settings.theme)
    theme.install(shown)
    window = MainWindow(
        settings=settings, theme=shown, background=Background(), services=studio_services(),
        page_classes=list(page_classes()),
    )  # fmt: skip
    window.setProperty("quits_unasked", True)
    window.resize(1440, 900)
    window.show()
    window.open_folder(study, page="library")

    def until(is_so: Any) -> None:
        loop, ask, patience = QEventLoop(), QTimer(), QTimer()
        ask.timeout.connect(lambda: is_so() and loop.quit())
        patience.setSingleShot(True)
        patience.timeout.connect(loop.quit)
        ask.start(50)
        patience.start(PATIENCE_MS)
        loop.exec()
        if not is_so():
            raise TimeoutError("the window did not get there")

    def states() -> Any:
        return page.matrix.library.states()

    until(lambda: window.page("library") is not None)
    page = window.page("library")
    until(page.is_empty)
    plan = preview_import([decks])
    beat = Heartbeat()
    own = OwnTime()
    beat.doing = "importing"
    began = time.perf_counter()
    page.imports.start(plan)
    until(lambda: sum(states().values()) == DECKS)
    import_s = time.perf_counter() - began
    beat.doing = "drawing"
    until(lambda: states()[CellState.RENDERED] == DECKS)
    draw_s = time.perf_counter() - began - import_s
    until(lambda: not window._background.busy)
    late = beat.take()
    beat.stop()
    own_ms = own.stop()
    window.close()
    worst = max(late)
    ordered = sorted(each for each, _ in late)
    return {
        "import_s": import_s, "draw_s": draw_s, "stall_ms": worst[0], "during": worst[1], "beats": len(late),
        "p99_ms": ordered[int(len(ordered) * 0.99)], "own_ms": own_ms,
    }  # fmt: skip


class OwnTime:
    """Notes the most processor time that the window's thread takes between two beats.

    On a machine that is busy with other programs a beat comes late although the window did nothing; this does not
    count such waiting.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._most_s = 0.0
        self._last = time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(10)

    def _beat(self) -> None:
        now = time.thread_time()
        self._most_s = max(self._most_s, now - self._last)
        self._last = now

    def stop(self) -> float:
        """Beat no more and return the most in milliseconds."""
        self._timer.stop()
        return self._most_s * 1000


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1]), Path(sys.argv[2]))))
    else:
        main()
