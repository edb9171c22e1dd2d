"""What a run would do before it is started, and the runs that finish what another one left undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.actions.runs import check_evaluators, looks_at_pictures, measuring
from studio.decks.render import RenderTools
from studio.jobs.regions_job import RegionsJob
from studio.jobs.render_job import RenderJob, wanted_decks
from studio.model.decks import DeckStatus
from studio.model.ids import DeckId, InstanceId
from studio.model.regions import RegionsMode
from studio.model.runs import Run, RunKind, RunSpec, RunState, UnitRecord, UnitResult, UnitStatus
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store.project import Project

NOTHING_THERE = frozenset({*(status.value for status in DeckStatus), "no_slides"})
"""Why units are skipped that no retry can change: there is no deck, or no slide in it."""


@dataclass(frozen=True, kw_only=True)
class Blocked:
    """A deck that a run cannot do."""

    deck_id: DeckId
    instance_id: InstanceId
    system: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class RunPreview:
    """What starting a run would mean now."""

    units: int
    """Decks to do, wholly or in part: a metrics run has a unit for the pictures and one for the editability."""
    cached: int
    """Decks that have all their results already."""
    to_render: int
    """Decks that are rendered first because they have no pages; for a render run, the units themselves."""
    blocked: tuple[Blocked, ...]

    @property
    def decks(self) -> int:
        """All decks that were asked for and can be counted."""
        return self.units + self.cached + len(self.blocked)


def preview(project: Project, spec: RunSpec, *, tools: RenderTools) -> RunPreview:
    """Return what `start_run` with this specification would do.

    Raises:
        BadInput: for an unknown metric or preset.
    """
    rendering = RenderJob(RunSpec(kind=RunKind.RENDER, deck_ids=spec.deck_ids, force=_is_render(spec)), tools)
    to_render = rendering.plan(project)
    if spec.kind is RunKind.RENDER:
        return RunPreview(
            units=len(to_render.units), cached=to_render.cached, to_render=len(to_render.units),
            blocked=_without_file(project, spec),
        )  # fmt: skip
    if spec.kind is RunKind.REGIONS:
        looking = RegionsJob(spec).plan(project)
        return RunPreview(
            units=len(looking.units), cached=looking.cached, to_render=0,
            blocked=tuple(_blocked(result) for result in looking.blocked),
        )  # fmt: skip
    check_evaluators(project, spec.evaluators, spec.preset)
    plan = measuring(spec, why_no_regions={}).plan(project)
    rendered_first = {unit.deck_id for unit in to_render.units} if looks_at_pictures(spec) else set()
    to_do = {unit.deck_id for unit in plan.units} | rendered_first
    unable = {result.unit.deck_id: _blocked(result) for result in plan.blocked if result.unit.deck_id not in to_do}
    return RunPreview(
        units=len(to_do),
        cached=len(wanted_decks(project, spec)) - len(to_do) - len(unable),
        to_render=len(rendered_first),
        blocked=tuple(unable.values()),
    )


def _blocked(result: UnitResult) -> Blocked:
    return Blocked(
        deck_id=result.unit.deck_id, instance_id=result.unit.instance_id, system=result.unit.label,
        reason=result.failure.message if result.failure else "",
    )  # fmt: skip


def spec_of(run: Run) -> RunSpec:
    """Return the specification that a stored run was started with."""
    stored: dict[str, Any] = run.spec
    deck_ids = stored.get("deck_ids")
    return RunSpec(
        kind=run.kind,
        evaluators=tuple(stored.get("evaluators") or ()),
        preset=str(stored.get("preset") or "benchmark"),
        deck_ids=None if deck_ids is None else tuple(DeckId(deck) for deck in deck_ids),
        force=bool(stored.get("force")),
        workers=stored.get("workers"),
        regions=RegionsMode(stored.get("regions") or RegionsMode.DETECT),
    )


def can_retry(unit: UnitRecord) -> bool:
    """Return whether doing a unit again could end differently."""
    if unit.status is UnitStatus.SKIPPED:
        return unit.failure_kind not in NOTHING_THERE
    return unit.status is not UnitStatus.OK


def retry_spec(run: Run, units: Sequence[UnitRecord]) -> RunSpec | None:
    """Return the run that does a run's failed units again, or None if there is nothing to gain.

    It is forced, because a failure is stored like a result and would be taken for one.
    """
    decks = tuple(dict.fromkeys(unit.deck_id for unit in units if can_retry(unit)))
    if not decks or not _is_startable(run.kind):
        return None
    old = spec_of(run)
    return replace(old, deck_ids=decks, force=True)


def resume_spec(project: Project, run: Run) -> RunSpec | None:
    """Return the run that does what a stopped or interrupted run left undone, or None if it ended.

    Planning leaves out what has a result; a forced run's own finished decks are left out by name.
    """
    if run.state in {RunState.RUNNING, RunState.DONE} or not _is_startable(run.kind):
        return None
    old = spec_of(run)
    if not old.force:
        return old
    done = {unit.deck_id for unit in run_store.units_of(project, run.id) if unit.status is UnitStatus.OK}
    left = tuple(deck.id for deck in wanted_decks(project, old) if deck.id not in done)
    return replace(old, deck_ids=left, force=True)


def _is_render(spec: RunSpec) -> bool:
    return spec.kind is RunKind.RENDER and spec.force


def _is_startable(kind: RunKind) -> bool:
    return kind in {RunKind.METRICS, RunKind.REGIONS, RunKind.RENDER}


def _without_file(project: Project, spec: RunSpec) -> tuple[Blocked, ...]:
    chosen = None if spec.deck_ids is None else set(spec.deck_ids)
    return tuple(
        Blocked(
            deck_id=deck.id, instance_id=deck.instance_id, system=deck.system,
            reason=f"{deck.status.value}: {deck.reason}" if deck.reason else deck.status.value,
        )
        for deck in deck_store.list_decks(project)
        if deck.status is not DeckStatus.PRESENT and (chosen is None or deck.id in chosen)
    )  # fmt: skip
