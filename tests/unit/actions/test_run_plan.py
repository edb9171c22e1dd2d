from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from studio.actions import run_plan, runs
from studio.decks.render import RenderTools, find_tools
from studio.errors import BadInput
from studio.metrics.registry import EDITABILITY, FROM_PICTURES
from studio.model.decks import DeckStatus, RenderState
from studio.model.ids import DeckId
from studio.model.runs import RunKind, RunSpec, RunState, UnitRecord, UnitStatus
from studio.store import runs as run_store
from tests.gui import projects
from tests.gui.evidence import add_run

TOOLS: RenderTools = find_tools()
METRICS = RunSpec(kind=RunKind.METRICS, workers=1)


@pytest.fixture
def project(tmp_path):
    # Three decks: one with pictures, one whose rendering failed, one that its system never delivered.
    made = projects.make_project(tmp_path / "study", instances=0)
    projects.add_instance(made, "one", title="One")
    projects.add_deck(made, "i_one", "alpha", slides=2)
    projects.add_deck(made, "i_one", "beta", render=RenderState.FAILED, render_reason="render_failed: broken")
    projects.add_deck(made, "i_one", "gamma", status=DeckStatus.MISSING, reason="no file came")
    yield made
    made.close()


def unit(status: UnitStatus, kind: str = "", deck: str = "d_i_one_alpha") -> UnitRecord:
    return UnitRecord(
        run_id="run_1", key=f"{deck}-{kind}", deck_id=DeckId(deck), instance_id="i_one", label="alpha", status=status,
        failure_kind=kind,
    )  # fmt: skip


def test_that_a_preview_counts_what_will_be_rendered_first_as_to_do(project):
    found = run_plan.preview(project, METRICS, tools=TOOLS)
    # alpha is measured, beta is rendered and then measured, gamma does not exist.
    assert (found.units, found.cached, found.to_render) == (2, 0, 1)
    assert [(item.deck_id, item.reason) for item in found.blocked] == [("d_i_one_gamma", "no file came")]
    assert found.decks == 3


def test_that_a_preview_of_editability_alone_draws_nothing(project):
    found = run_plan.preview(project, replace(METRICS, evaluators=(EDITABILITY,)), tools=TOOLS)
    # alpha and beta have a file, whether they could be drawn or not.
    assert (found.units, found.cached, found.to_render) == (2, 0, 0)
    assert [item.deck_id for item in found.blocked] == ["d_i_one_gamma"]


def test_that_a_deck_is_to_do_while_one_of_its_metrics_is(project):
    pictures = replace(METRICS, deck_ids=(DeckId("d_i_one_alpha"),), evaluators=("aesthetics.total",))
    runs.start_run(project, pictures, tools=TOOLS, emit=lambda _event: None, cancel=threading.Event())
    assert run_plan.preview(project, pictures, tools=TOOLS).cached == 1
    both = run_plan.preview(project, replace(pictures, evaluators=()), tools=TOOLS)
    assert (both.units, both.cached) == (1, 0)


def test_that_what_a_run_has_done_is_cached_in_the_next_preview(project):
    # Only the metrics of pictures: the decks of this project have no file whose editability could be read.
    spec = RunSpec(
        kind=RunKind.METRICS, evaluators=tuple(FROM_PICTURES), deck_ids=(DeckId("d_i_one_alpha"),), workers=1
    )
    assert run_plan.preview(project, spec, tools=TOOLS).units == 1
    ended, _ = runs.start_run(project, spec, tools=TOOLS, emit=lambda _event: None, cancel=threading.Event())
    assert (ended.state, ended.counts) == (RunState.DONE, {"ok": 1})
    after = run_plan.preview(project, spec, tools=TOOLS)
    assert (after.units, after.cached) == (0, 1)
    forced = replace(spec, force=True)
    assert run_plan.preview(project, forced, tools=TOOLS).units == 1


def test_that_a_deck_counts_once_however_many_kinds_of_metrics_it_gets(project):
    spec = RunSpec(kind=RunKind.METRICS, deck_ids=(DeckId("d_i_one_alpha"),), workers=1)
    assert run_plan.preview(project, spec, tools=TOOLS).units == 1
    ended, _ = runs.start_run(project, spec, tools=TOOLS, emit=lambda _event: None, cancel=threading.Event())
    # Its pictures are measured; its file, whose editability would be read, does not exist in this project.
    assert ended.counts == {"ok": 1, "tool_error": 1}
    after = run_plan.preview(project, spec, tools=TOOLS)
    assert (after.units, after.cached, after.decks) == (1, 0, 1)


def test_that_a_render_preview_names_systems_without_a_deck(project):
    found = run_plan.preview(project, RunSpec(kind=RunKind.RENDER), tools=TOOLS)
    assert (found.units, found.cached) == (1, 1)
    assert [item.reason for item in found.blocked] == ["missing: no file came"]


def test_that_an_unknown_preset_is_refused(project):
    with pytest.raises(BadInput, match="There is no preset best"):
        run_plan.preview(project, RunSpec(kind=RunKind.METRICS, preset="best"), tools=TOOLS)


def test_that_a_retry_is_forced_and_only_about_units_that_may_change(project):
    add_run(project, "run_1", spec={"kind": "metrics", "preset": "paper-text", "deck_ids": None, "workers": 2})
    run = run_store.list_runs(project)[0]
    units = [
        unit(UnitStatus.OK),
        unit(UnitStatus.TOOL_ERROR, "failed", "d_1"),
        unit(UnitStatus.TIMED_OUT, "timed_out", "d_2"),
        unit(UnitStatus.SKIPPED, "missing", "d_3"),
        unit(UnitStatus.SKIPPED, "failed", "d_4"),
        unit(UnitStatus.SKIPPED, "render_failed", "d_5"),
    ]
    spec = run_plan.retry_spec(run, units)
    assert spec is not None
    assert spec.deck_ids == ("d_1", "d_2", "d_5")
    assert (spec.force, spec.preset, spec.workers) == (True, "paper-text", 2)
    assert run_plan.retry_spec(run, units[:1]) is None


def test_that_a_finished_run_cannot_be_gone_on_with(project):
    add_run(project, "run_1", units=[("one", "alpha", UnitStatus.OK, "")])
    assert run_plan.resume_spec(project, run_store.list_runs(project)[0]) is None


def test_that_going_on_with_a_forced_run_leaves_out_what_it_has_done(project):
    add_run(
        project, "run_1", state=RunState.INTERRUPTED, total=3, units=[("one", "alpha", UnitStatus.OK, "")],
        spec={"kind": "metrics", "preset": "benchmark", "force": True, "deck_ids": None},
    )  # fmt: skip
    spec = run_plan.resume_spec(project, run_store.list_runs(project)[0])
    assert spec is not None
    assert spec.deck_ids == ("d_i_one_beta", "d_i_one_gamma")


def test_that_an_interrupted_run_is_planned_again_as_it_was(project):
    add_run(
        project, "run_1", state=RunState.INTERRUPTED, total=3,
        spec={"kind": "metrics", "preset": "paper-text", "force": False, "deck_ids": ["d_i_one_alpha"], "workers": 2},
    )  # fmt: skip
    spec = run_plan.resume_spec(project, run_store.list_runs(project)[0])
    assert spec == RunSpec(kind=RunKind.METRICS, preset="paper-text", deck_ids=(DeckId("d_i_one_alpha"),), workers=2)
