from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from studio.gui.projects import studio_services
from studio.model.events import ImportProgress
from studio.model.runs import RunState
from studio.store import runs as run_store
from tests.gui import projects

ROOT = Path(__file__).resolve().parents[2]

ALLOWED_ON_STDERR = (
    # The offscreen platform has no window manager to tell the size hints to.
    "propagateSizeHints",
    # There is no session bus in a container; Qt says so once when it looks for the desktop's settings.
    "Failed to connect to the session bus",
)


def open_and_close(folder: Path, cycles: int, *more: str, timeout_s: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.gui.open_and_close", str(folder), str(cycles), *more],
        cwd=ROOT, capture_output=True, text=True, timeout=timeout_s, check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def assert_quiet(done: subprocess.CompletedProcess[str]) -> None:
    said = [
        line
        for line in done.stderr.splitlines()
        if line.strip() and not any(allowed in line for allowed in ALLOWED_ON_STDERR)
    ]
    assert not said, said
    assert done.returncode == 0, done.returncode


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_that_fifty_windows_open_and_close_during_a_run_without_a_word(tmp_path):
    projects.make_project(tmp_path / "study", instances=1, slides=1).close()
    done = open_and_close(tmp_path / "study", 50, timeout_s=280)
    assert_quiet(done)
    assert done.stdout == "50 cycles\n"
    with studio_services().open(tmp_path / "study") as project:
        runs = run_store.list_runs(project)
        assert len(runs) == 50
        assert {run.state for run in runs} == {RunState.CANCELLED}
        # What was finished when the window closed is kept.
        assert all(0 < sum(run.counts.values()) < run.total for run in runs)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_that_a_window_closes_during_real_metrics_and_keeps_what_is_finished(tmp_path):
    projects.make_project(tmp_path / "study", instances=20, slides=6).close()
    done = open_and_close(tmp_path / "study", 1, "real", timeout_s=150)
    assert_quiet(done)
    with studio_services().open(tmp_path / "study") as project:
        run = run_store.list_runs(project)[0]
        assert run.state is RunState.CANCELLED
        assert run.counts["ok"] == len(run_store.units_of(project, run.id)) > 0


def test_that_fifty_thousand_events_from_four_threads_arrive_in_order(qtbot, background):
    n_threads, n_each = 4, 12_500
    got: list[ImportProgress] = []
    background.events.connect(got.extend)

    def post(name: str) -> None:
        for number in range(n_each):
            background.post(ImportProgress(done=number, total=n_each, name=name))

    threads = [threading.Thread(target=post, args=(f"t{number}",)) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    qtbot.waitUntil(lambda: len(got) == n_threads * n_each, timeout=60_000)
    for thread in threads:
        thread.join()
    for number in range(n_threads):
        mine = [event.done for event in got if event.name == f"t{number}"]
        assert mine == list(range(n_each))
    # Many events share a wake-up, or the main thread would do nothing else.
    assert background.wakeups < n_threads * n_each / 10
