"""Starting runs: rendering and metrics."""

from __future__ import annotations

from collections.abc import Sequence

from studio.decks.render import RenderTools
from studio.errors import BadInput
from studio.jobs.engine import run_job
from studio.jobs.metrics_job import MetricsJob
from studio.jobs.parameters import parameters_of
from studio.jobs.render_job import RenderJob
from studio.metrics.registry import metric
from studio.model.changes import Changes, Topic, changed
from studio.model.events import RunEnded
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec, RunState
from studio.store.project import Project


def start_run(
    project: Project, spec: RunSpec, *, tools: RenderTools, emit: Emit, cancel: CancelToken
) -> tuple[RunEnded, Changes]:
    """Work a run off to its end and return how it ended.

    A metrics run first renders the decks that have no pages; if that is stopped or fails, nothing is measured and
    the rendering's end is returned. Runs what is left to do only: starting the same run again is how one resumes it.

    Raises:
        BadInput: for an unknown metric or preset.
    """
    if spec.kind is RunKind.RENDER:
        return run_job(project, RenderJob(spec, tools), emit=emit, cancel=cancel), changed(Topic.DECKS, Topic.RUNS)
    if spec.kind is not RunKind.METRICS:
        raise BadInput(f"A run of kind {spec.kind.value} cannot be started here.")
    check_evaluators(project, spec.evaluators, spec.preset)
    render = RunSpec(kind=RunKind.RENDER, deck_ids=spec.deck_ids, workers=spec.workers)
    rendering = RenderJob(render, tools)
    if rendering.plan(project).units:
        rendered = run_job(project, rendering, emit=emit, cancel=cancel)
        if rendered.state is not RunState.DONE:
            # Measuring now would give every deck that was not reached an undefined score.
            return rendered, changed(Topic.DECKS, Topic.RUNS)
    ended = run_job(project, MetricsJob(spec), emit=emit, cancel=cancel)
    return ended, changed(Topic.DECKS, Topic.SCORES, Topic.RUNS)


def check_evaluators(project: Project, names: Sequence[str], preset: str) -> None:
    """Raise `BadInput` unless all metrics and the preset are known; the message names the known ones."""
    for name in names:
        metric(name)
    parameters_of(project, preset)
