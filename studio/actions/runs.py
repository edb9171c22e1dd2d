"""Starting runs: rendering and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from studio.actions.page_cache import trim_cache
from studio.decks.render import RenderTools
from studio.errors import BadInput
from studio.jobs.editability_job import EditabilityJob
from studio.jobs.engine import run_job
from studio.jobs.job import Job
from studio.jobs.joined_job import JoinedJob
from studio.jobs.metrics_job import MetricsJob
from studio.jobs.parameters import parameters_of
from studio.jobs.reflex_job import MODEL as CONTENT_MODEL
from studio.jobs.reflex_job import ReflexJob
from studio.jobs.regions_job import RegionsJob
from studio.jobs.render_job import RenderJob
from studio.metrics.registry import EDITABILITY, FROM_PICTURES, FROM_WORDS, metric
from studio.model.changes import Changes, Topic, changed
from studio.model.events import RunEnded
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.regions import RegionsMode
from studio.model.runs import RunKind, RunSpec, RunState
from studio.reflex.shipped import model_file, scorer_of
from studio.store.project import Project


def start_run(
    project: Project,
    spec: RunSpec,
    *,
    tools: RenderTools,
    emit: Emit,
    cancel: CancelToken,
    passwords: PasswordVault | None = None,
) -> tuple[RunEnded, Changes]:
    """Work a run off to its end and return how it ended.

    A metrics run that looks at pictures first renders the decks that have no pages; if that is stopped or fails,
    nothing is measured and the rendering's end is returned. Then it looks for text on pictures of which nobody
    knows where their text is, unless the specification says otherwise. Runs what is left to do only: starting the
    same run again is how one resumes it.

    Args:
        project: open for writing.
        spec: what is to be done.
        tools: the programs to draw with.
        emit: told each step, from other threads.
        cancel: stops the run.
        passwords: of protected decks, kept in memory.

    Raises:
        BadInput: for an unknown metric or preset.
    """
    if spec.kind is RunKind.RENDER:
        ended = run_job(project, RenderJob(spec, tools, passwords), emit=emit, cancel=cancel)
        trim_cache(project)
        return ended, changed(Topic.DECKS, Topic.RUNS)
    if spec.kind is RunKind.REGIONS:
        return run_job(project, RegionsJob(spec), emit=emit, cancel=cancel), changed(Topic.DECKS, Topic.RUNS)
    if spec.kind is not RunKind.METRICS:
        raise BadInput(f"A run of kind {spec.kind.value} cannot be started here.")
    check_evaluators(project, spec.evaluators, spec.preset)
    why_no_regions: Mapping[DeckId, str] = {}
    if looks_at_pictures(spec):
        render = RunSpec(kind=RunKind.RENDER, deck_ids=spec.deck_ids, workers=spec.workers)
        rendering = RenderJob(render, tools, passwords)
        if rendering.plan(project).units:
            rendered = run_job(project, rendering, emit=emit, cancel=cancel)
            if rendered.state is not RunState.DONE:
                # Measuring now would give every deck that was not reached an undefined score.
                return rendered, changed(Topic.DECKS, Topic.RUNS)
        regions = RegionsJob(RunSpec(kind=RunKind.REGIONS, deck_ids=spec.deck_ids, workers=spec.workers))
        if spec.regions is RegionsMode.DETECT:
            plan = regions.plan(project)
            if plan.units or plan.blocked:
                looked = run_job(project, regions, emit=emit, cancel=cancel)
                if looked.state is not RunState.DONE:
                    return looked, changed(Topic.DECKS, Topic.RUNS)
        why_no_regions = regions.failures
    ended = run_job(project, measuring(spec, why_no_regions=why_no_regions), emit=emit, cancel=cancel)
    return ended, changed(Topic.DECKS, Topic.SCORES, Topic.RUNS)


def looks_at_pictures(spec: RunSpec) -> bool:
    """Return whether a metrics run needs the slides' pictures."""
    return not spec.evaluators or bool(set(spec.evaluators) & set(FROM_PICTURES))


def measuring(spec: RunSpec, *, why_no_regions: Mapping[DeckId, str]) -> Job:
    """Return the job of a metrics run once its decks are rendered: one unit for each deck and kind of metric.

    Args:
        spec: what was asked for.
        why_no_regions: why text could not be looked for on a deck's pictures.
    """
    jobs: list[Job] = []
    if looks_at_pictures(spec):
        jobs.append(MetricsJob(spec, why_no_regions=why_no_regions))
    if not spec.evaluators or EDITABILITY in spec.evaluators:
        jobs.append(EditabilityJob(spec))
    if set(spec.evaluators) & set(FROM_WORDS):
        jobs.append(ReflexJob(spec))
    return JoinedJob(spec, jobs)


def content_model(model: Path | None) -> dict[str, object]:
    """Return the options of a run that scores content with this model; none for the default one.

    Args:
        model: a file, or the name of a shipped model.

    Raises:
        BadInput: if it is no model.
        ToolMissing: if its encoder is not installed.
    """
    if model is None:
        return {}
    found = model_file(model)
    scorer_of(found)
    # The worker's folder may be another one; the name of a shipped model stays a name, wherever it is installed.
    return {CONTENT_MODEL: str(model if found != model else model.absolute())}


def check_evaluators(project: Project, names: Sequence[str], preset: str) -> None:
    """Raise `BadInput` unless all metrics and the preset are known; the message names the known ones."""
    for name in names:
        metric(name)
    parameters_of(project, preset)
