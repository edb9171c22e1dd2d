"""A run that is killed in the middle, twice, comes to the same as one that is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store.project import Project
from tests.fake_judge_server import FakeJudgeServer
from tests.projects import make_project

UNITS = 2000
ROOT = Path(__file__).resolve().parents[3]
IN_FLIGHT = 16
BATCH = 50
"""Results that may wait for their transaction, at most; see `studio.jobs.engine`."""


def start(folder: Path, port: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.unit.judges.killed_run", str(folder), port, str(UNITS)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def kill_at(folder: Path, port: str, done: int) -> None:
    """Let a run go on until so many of its own units are stored, then kill it."""
    process = start(folder, port)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == str(done):
            os.kill(process.pid, signal.SIGKILL)
            break
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_that_a_run_killed_at_30_and_60_percent_has_each_unit_once_and_the_same_totals(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_project(folder, instances=2, systems=("Aster", "Birch")).close()
    with FakeJudgeServer(latency_s=0.005) as server:
        port = server.url.rpartition(":")[2]
        kill_at(folder, port, UNITS * 30 // 100)
        kill_at(folder, port, UNITS * 30 // 100)
        last = start(folder, port)
        said, _ = last.communicate(timeout=100)
        assert "ended done" in said
        calls, asked = server.n_calls, Counter(call.text for call in server.calls)
        again = start(folder, port)
        again.communicate(timeout=100)
        assert server.n_calls == calls
    project = Project.open(folder)
    done = Counter(
        unit.key for each in run_store.list_runs(project) for unit in run_store.units_of(project, each.id)
    )  # fmt: skip
    verdicts = judging_store.verdicts_with_evidence(project)
    totals = [judging_store.call_totals(project, each.id) for each in run_store.list_runs(project)]
    states = [each.state.value for each in reversed(run_store.list_runs(project))]
    project.close()
    assert (len(done), set(done.values())) == (UNITS, {1})
    assert len(verdicts) == len({verdict.unit_key for verdict in verdicts}) == UNITS
    # 100 tokens in and 27 out for each unit, as in a run that nobody kills.
    assert sum(each.calls for each in totals) == UNITS
    assert sum(each.input_tokens for each in totals) == UNITS * 100
    assert sum(each.output_tokens for each in totals) == UNITS * 27
    assert states == ["interrupted", "interrupted", "done", "done"]
    # What was in flight or not yet written when the program was killed was asked twice, and nothing else.
    assert len(asked) == UNITS
    assert calls - UNITS <= 2 * (IN_FLIGHT * 5 + BATCH)
