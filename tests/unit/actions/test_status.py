from __future__ import annotations

from dataclasses import replace

import pytest

from studio.actions.projects import new_project, status
from studio.model.ids import RunId
from studio.model.runs import Run, RunKind, RunState
from studio.store import runs as run_store


def spec(**values):
    return {"evaluators": [], "preset": "benchmark", "deck_ids": None} | values


CUT_SHORT = Run(
    id=RunId("run_1"), kind=RunKind.METRICS, title="x", spec=spec(deck_ids=["deck_1", "deck_2"]),
    state=RunState.INTERRUPTED, started_at="2025-01-01T00:00:00.000Z",
)  # fmt: skip
LATER = replace(CUT_SHORT, id=RunId("run_2"), state=RunState.DONE, started_at="2025-01-02T00:00:00.000Z")


@pytest.mark.parametrize(
    ("later", "is_open"),
    [
        (None, True),
        (LATER, False),
        (replace(LATER, spec=spec()), False),
        (replace(LATER, spec=spec(deck_ids=["deck_1"])), True),
        (replace(LATER, spec=spec(preset="paper-text")), True),
        (replace(LATER, kind=RunKind.RENDER), True),
        (replace(LATER, state=RunState.CANCELLED), True),
        (replace(LATER, started_at="2024-12-31T00:00:00.000Z"), True),
    ],
)
def test_that_an_interrupted_run_is_open_until_a_later_one_has_done_its_work(tmp_path, later, is_open):
    with new_project(tmp_path / "study") as project:
        run_store.add_run(project, CUT_SHORT)
        if later is not None:
            run_store.add_run(project, later)
        assert status(project)["open_runs"] == (["run_1"] if is_open else [])


def test_that_a_run_over_some_decks_does_not_finish_one_over_all(tmp_path):
    with new_project(tmp_path / "study") as project:
        run_store.add_run(project, replace(CUT_SHORT, spec=spec()))
        run_store.add_run(project, LATER)
        assert status(project)["open_runs"] == ["run_1"]
