"""The same units on a local Dask cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.jobs.engine import run_job
from studio.judges.budget import Budget
from studio.model.runs import RunState
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store.project import Project
from tests.fake_judge_server import KEY, FakeJudgeServer, Fault
from tests.projects import make_project
from tests.unit.judges.asked import NEVER, picture
from tests.unit.judges.killed_run import the_talks
from tests.unit.judges.talks import judge_job

pytest.importorskip("distributed", reason="Dask is not installed")
ROOT = Path(__file__).resolve().parents[3]


def start(arguments: list[str]) -> subprocess.Popen[str]:
    """Start a program of Dask; the key is in its environment, as it would be on another machine."""
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]], cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "OPENAI_API_KEY": KEY, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.stderr is not None:
        process.stderr.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    scheduler = start(["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"])
    address = ""
    assert scheduler.stderr is not None
    for line in scheduler.stderr:
        if "tcp://" in line:
            address = "tcp://" + line.partition("tcp://")[2].split()[0]
            break
    workers = [
        start(["worker", address, "--nthreads", "4", "--nworkers", "1", "--no-dashboard", "--no-nanny"])
        for _ in range(2)
    ]
    from distributed import Client

    with Client(address, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
    yield address, workers
    for process in [*workers, scheduler]:
        stop(process)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = make_project(tmp_path / "study", instances=1, systems=("Aster", "Birch"))
    yield made
    made.close()


def run(project: Project, server: FakeJudgeServer, number: int, scheduler: str, **more: Any) -> Any:
    job = judge_job(the_talks(project, number), server.openai_url, scheduler=scheduler, **more)
    return run_job(project, job, emit=lambda event: None, cancel=NEVER)


@pytest.mark.slow
def test_that_a_cluster_comes_to_the_same_records_as_threads(
    project: Project, tmp_path: Path, cluster: tuple[str, Any]
) -> None:
    other = make_project(tmp_path / "other", instances=1, systems=("Aster", "Birch"))
    with FakeJudgeServer() as server:
        there = run(project, server, 120, cluster[0])
        calls = server.n_calls
        here = run(other, server, 120, "")
        assert (there.state, there.counts, calls) == (RunState.DONE, {"ok": 120}, 120)
        assert run(project, server, 120, cluster[0]).cached == 120
        assert server.n_calls == 240

    def records(of: Project) -> set[tuple[object, ...]]:
        return {
            (each.unit_key, each.record.deck_id, each.record.score, each.reply_keys, each.model)
            for each in judging_store.verdicts_with_evidence(of)
        }

    assert records(project) == records(other)
    totals = [judging_store.call_totals(of, ended.run_id) for of, ended in ((project, there), (other, here))]
    assert totals[0] == totals[1]
    other.close()


@pytest.mark.slow
def test_that_pictures_are_sent_to_workers_that_cannot_see_them(
    project: Project, tmp_path: Path, cluster: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from studio.jobs import dask_executor

    monkeypatch.setattr(dask_executor._Sees, "all", lambda self, files: False)
    shown = picture(tmp_path, 77)
    talks = [replace(talk, parts=(shown,)) for talk in the_talks(project, 4)]
    hidden = shown.path.with_name("moved.png")
    with FakeJudgeServer() as server:
        job = judge_job(talks, server.openai_url, scheduler=cluster[0])
        original = dask_executor.DaskExecutor._parcel

        def sent(self: Any, *arguments: Any) -> Any:
            parcel = original(self, *arguments)
            # On another machine there is nothing under this path.
            gone = [replace(shown, path=hidden)]
            return replace(
                parcel, task=replace(parcel.task, conversation=replace(parcel.task.conversation, parts=tuple(gone)))
            )

        monkeypatch.setattr(dask_executor.DaskExecutor, "_parcel", sent)
        ended = run_job(project, job, emit=lambda event: None, cancel=NEVER)
    assert ended.counts == {"ok": 4}
    assert {call.images for call in server.calls} == {(shown.sha256,)}


@pytest.mark.slow
def test_that_a_wrong_key_on_the_workers_fails_the_run(project: Project, cluster: tuple[str, Any]) -> None:
    with FakeJudgeServer(rule=lambda call: Fault.BAD_KEY) as server:
        ended = run(project, server, 50, cluster[0])
    assert ended.state is RunState.FAILED
    assert KEY not in ended.reason
    # The first call of each worker; whatever else was under way asks nobody.
    assert server.n_calls <= 2


@pytest.mark.slow
def test_that_a_budget_holds_on_a_cluster_too(project: Project, cluster: tuple[str, Any]) -> None:
    with FakeJudgeServer(latency_s=0.02) as server:
        budget = Budget(tokens=12_700)
        job = judge_job(the_talks(project, 400), server.openai_url, scheduler=cluster[0], budget=budget)
        ended = run_job(project, job, emit=lambda event: None, cancel=NEVER)
    # 127 tokens each, as the fake server counts: 12,700 are 100 units. All requests are estimated alike and all replies
    # counted alike, so that from the first reply on each unit reserves exactly what it takes, in whatever order and
    # however late the others come back; a unit that does not fit is asked after again until nothing is in flight.
    assert (ended.state, ended.counts, server.n_calls) == (RunState.PAUSED, {"ok": 100}, 100)
    assert "budget of 12700 tokens is used up" in ended.reason
    spent = job.live().spent
    assert spent.input_tokens + spent.output_tokens == 127 * server.n_calls


@pytest.mark.slow
def test_that_a_worker_that_is_lost_costs_nothing_but_its_units(project: Project, cluster: tuple[str, Any]) -> None:
    address, _ = cluster
    doomed = start(["worker", address, "--nthreads", "4", "--nworkers", "1", "--no-dashboard", "--no-nanny"])
    from distributed import Client

    with Client(address, timeout=30) as client:
        client.wait_for_workers(3, timeout=60)

    def kill_at_40(call: Any) -> Fault:
        if call.number == 40:
            os.killpg(doomed.pid, signal.SIGKILL)
        return Fault.NONE

    with FakeJudgeServer(rule=kill_at_40, latency_s=0.02) as server:
        ended = run(project, server, 150, address)
        again = run(project, server, 150, address)
    stop(doomed)
    failed = {unit.failure_kind for unit in run_store.units_of(project, ended.run_id) if unit.status.value != "ok"}
    assert failed <= {"worker_died"}
    assert ended.counts["ok"] + again.counts.get("ok", 0) == 150
    assert len({each.unit_key for each in judging_store.verdicts_with_evidence(project)}) == 150


def test_that_no_scheduler_is_one_clear_line(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    from studio.jobs import dask_executor

    monkeypatch.setattr(dask_executor, "_CONNECT_S", 1)
    with FakeJudgeServer() as server:
        ended = run(project, server, 1, "tcp://127.0.0.1:9")
    assert ended.state is RunState.FAILED
    assert "no Dask scheduler at tcp://127.0.0.1:9" in ended.reason
