"""Calls of judge runs: throughput, cost for each unit, memory with pictures, and a cluster: ``-m tests.bench judges``.

The server runs in a process of its own and takes 200 ms for each answer; 32 calls may be in flight, so that 160 a
second are the most there can be.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from PIL import Image

from studio.__main__ import take_short_turns
from studio.jobs.engine import run_job
from studio.judges.connect import connect, read_setup
from studio.long_lived import keep_what_is_loaded
from studio.model.events import UnitDone
from studio.model.ids import Sha256
from studio.model.judging import ImagePart, JudgeRequest
from studio.store.project import Project
from tests.projects import make_project
from tests.unit.judges.asked import NEVER, digest
from tests.unit.judges.killed_run import the_talks
from tests.unit.judges.talks import Talk, judge_job

LATENCY_S, IN_FLIGHT, UNITS = 0.2, 32, 2000
IDEAL = IN_FLIGHT / LATENCY_S
SHOWN_INSTANCES, SHOWN_SYSTEMS = 25, ("alpha", "beta", "gamma", "delta", "omega")
"""Of the project that the window is measured with: 125 decks, four criteria, four repeats are 2,000 units."""
PICTURE_BYTES, PICTURES = 2 << 20, 100


@contextmanager
def server(latency_s: float) -> Iterator[str]:
    """Yield the address of a server in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fake_judge_server", "--latency", str(latency_s)],
        stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.stdin.close()
        process.wait()


def throughput(judge: str, folder: Path) -> None:
    """Print calls a second of a run and of a bare loop over the same client, and the processor time of each."""
    settings: dict[str, object] = {"max_in_flight": IN_FLIGHT}
    with server(LATENCY_S) as url:
        base_url = url if judge.startswith("gemini") else f"{url}/v1"
        project = make_project(folder, instances=2)
        talks = the_talks(project, UNITS)
        bare_s, bare_cpu = _bare(judge, base_url, [talk.requests()[0] for talk in talks])
        stored_at: list[float] = []
        started, cpu = time.perf_counter(), time.process_time()
        ended = run_job(
            project, judge_job(talks, base_url, judge=judge, settings=settings), cancel=NEVER,
            emit=lambda event: stored_at.append(time.perf_counter()) if isinstance(event, UnitDone) else None,
        )  # fmt: skip
        run_s, run_cpu = time.perf_counter() - started, time.process_time() - cpu
        project.close()
    rate, sustained = ended.counts["ok"] / run_s, _sustained(stored_at)
    print(
        f"  {judge}: {sustained:.1f} calls/s = {100 * sustained / IDEAL:.1f} % of {IDEAL:.0f} once running; "
        f"whole run with planning and the first call that goes alone {rate:.1f} = {100 * rate / IDEAL:.1f} %; "
        f"bare loop {UNITS / bare_s:.1f}; "
        f"CPU {1000 * run_cpu / UNITS:.2f} ms a unit, bare {1000 * bare_cpu / UNITS:.2f} ms, "
        f"beyond it {1000 * (run_cpu - bare_cpu) / UNITS:.2f} ms (limit 3)"
    )


def _sustained(stored_at: list[float]) -> float:
    """Return units stored a second between the first tenth and the last tenth of a run."""
    tenth = len(stored_at) // 10
    return (len(stored_at) - 2 * tenth) / (stored_at[-1 - tenth] - stored_at[tenth - 1])


def _bare(judge: str, base_url: str, requests: list[JudgeRequest]) -> tuple[float, float]:
    client = connect(read_setup(judge, base_url=base_url), key="k")
    client.ask(requests[0], NEVER)
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        started, cpu = time.perf_counter(), time.process_time()
        list(pool.map(lambda request: client.ask(request, NEVER), requests))
        taken = time.perf_counter() - started, time.process_time() - cpu
    client.close()
    return taken


def memory(folder: Path) -> None:
    """Print how much memory a run takes that sends 200 MB of pictures."""
    folder.mkdir()
    talks = []
    with server(LATENCY_S) as url:
        project = make_project(folder / "study", instances=1)
        first = the_talks(project, 1)[0]
        for number in range(PICTURES):
            path = folder / f"{number}.png"
            noise = np.random.default_rng(number).integers(0, 256, (720, 970, 3), np.uint8)
            Image.fromarray(noise).save(path, compress_level=0)
            part = ImagePart(path=path, sha256=Sha256(digest(path)), label=f"deck slide {number}", size_px=(970, 720))
            talks.append(
                Talk(deck_id=first.deck_id, instance_id=first.instance_id, words=f"Look {number}", parts=(part,))
            )
        sent = sum(talk.parts[0].path.stat().st_size for talk in talks)  # type: ignore[union-attr]
        for judge in ("openai:m-1", "gemini:g-1"):
            base_url = url if judge.startswith("gemini") else f"{url}/v1"
            before, peak, over = psutil.Process().memory_info().rss, [0], threading.Event()

            def watch(peak: list[int] = peak, over: threading.Event = over) -> None:
                while not over.wait(0.005):
                    peak[0] = max(peak[0], psutil.Process().memory_info().rss)

            watcher = threading.Thread(target=watch)
            watcher.start()
            started = time.perf_counter()
            job = judge_job(talks, base_url, judge=judge, settings={"max_in_flight": IN_FLIGHT})
            ended = run_job(project, job, emit=lambda event: None, cancel=NEVER)
            taken = time.perf_counter() - started
            over.set()
            watcher.join()
            print(
                f"  {judge}: {ended.counts['ok']} pictures, {sent / 1e6:.0f} MB in {taken:.1f} s "
                f"({60 * sent / 1e6 / taken:.0f} MB a minute); memory grew by {(peak[0] - before) / 1e6:.0f} MB at most"
            )
        project.close()


def cluster(folder: Path) -> None:
    """Print whether two workers of a local cluster come to the same records, and how fast."""
    try:
        from distributed import LocalCluster
    except ImportError:
        print("  Dask is not installed")
        return
    from studio.store import judging as judging_store

    os.environ["OPENAI_API_KEY"] = "k"

    def records(project: Project) -> set[tuple[object, ...]]:
        return {
            (each.unit_key, each.record.score, each.reply_keys)
            for each in judging_store.verdicts_with_evidence(project)
        }

    with server(LATENCY_S) as url:
        found = []
        with LocalCluster(n_workers=2, threads_per_worker=16, dashboard_address=None, host="127.0.0.1") as local:
            for scheduler in (local.scheduler_address, ""):
                project = make_project(folder / (scheduler.rpartition(":")[2] or "here"), instances=2)
                job = judge_job(
                    the_talks(project, UNITS), f"{url}/v1", settings={"max_in_flight": IN_FLIGHT}, scheduler=scheduler
                )
                started = time.perf_counter()
                ended = run_job(project, job, emit=lambda event: None, cancel=NEVER)
                rate = ended.counts.get("ok", 0) / (time.perf_counter() - started)
                found.append(records(project))
                print(f"  {'Dask, 2 workers' if scheduler else 'threads'}: {ended.counts}, {rate:.1f} units/s")
                project.close()
    print(f"  same records: {found[0] == found[1]} ({len(found[0])})")


def window(folder: Path) -> None:
    """Print the longest stall of the window's thread while a judge is asked and units are looked through."""
    from tests.gui import projects

    study = folder / "study"
    projects.make_project(study, instances=SHOWN_INSTANCES, systems=SHOWN_SYSTEMS, slides=4).close()
    with server(LATENCY_S) as url:
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_judges", str(study), f"{url}/v1"],
            capture_output=True, text=True, check=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PODIUM_HOME": str(folder / "home")},
        )  # fmt: skip
    print(f"  window: {done.stdout.splitlines()[-1]}")


def measure_window(study: Path, url: str) -> None:
    """Ask a judge from the Runs page, move through its units all the while, and print how late the beats came."""
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from studio import settings as studio_settings
    from studio.actions.judge_wish import read_wish
    from studio.gui import theme
    from studio.gui.background import Background
    from studio.gui.main_window import MainWindow
    from studio.gui.pages.runs import RunsPage
    from studio.gui.projects import studio_services
    from studio.gui.theme import Theme
    from tests.bench.bench_window import Heartbeat

    app = QApplication(sys.argv[:1])
    settings = studio_settings.load()
    shown = Theme(app, settings.theme)
    theme.install(shown)
    shown_window = MainWindow(
        settings=settings, theme=shown, background=Background(), services=studio_services(), page_classes=[RunsPage]
    )
    shown_window.setProperty("quits_unasked", True)
    shown_window.resize(1440, 900)
    keep_what_is_loaded()
    shown_window.show()

    def until(is_so: Callable[[], object]) -> None:
        loop, ask = QEventLoop(), QTimer()
        ask.timeout.connect(lambda: is_so() and loop.quit())
        ask.start(20)
        loop.exec()

    shown_window.open_folder(study, page="runs")
    until(lambda: shown_window.page("runs") is not None and not shown_window.background.busy)
    page: Any = shown_window.page("runs")
    wish = read_wish("openai:m-1", protocol="rating", base_url=url, settings=(f"max_in_flight={IN_FLIGHT}",), repeats=4)
    page.start_judge(wish)
    until(lambda: page.detail.units.rowCount() > 0)
    beat, at = Heartbeat(), 0

    def look() -> None:
        nonlocal at
        at = (at + 1) % page.detail.units.rowCount()
        page.detail.table.selectRow(at)

    moving = QTimer()
    moving.timeout.connect(look)
    moving.start(150)
    until(lambda: not shown_window.background.busy)
    moving.stop()
    late, own = sorted(ms for ms, _ in beat.take()), sorted(beat.own_ms)
    beat.stop()
    row = page.runs.row(0)
    print(
        f"{row.done} units from the window, longest stall {late[-1]:.0f} ms (limit 100), "
        f"{own[-1]:.0f} ms without waiting for a processor that others had; "
        f"99 % of {len(late)} beats {late[int(0.99 * len(late))]:.0f} ms late at most, "
        f"{own[int(0.99 * len(own))]:.0f} ms without that wait; load {os.getloadavg()[0]:.1f}"
    )
    shown_window.close()
    shown_window.background.shutdown()
    theme.install(None)


def main() -> None:
    """Print all figures."""
    take_short_turns()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        throughput("openai:m-1", folder / "openai")
        throughput("gemini:g-1", folder / "gemini")
        memory(folder / "memory")
        (folder / "window").mkdir()
        window(folder / "window")
        (folder / "dask").mkdir()
        cluster(folder / "dask")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        # As the program itself does before it opens its window.
        take_short_turns()
        measure_window(Path(sys.argv[1]), sys.argv[2])
    else:
        main()
