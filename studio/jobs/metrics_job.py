"""Running the aesthetic metrics over rendered decks."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.font_flags import with_missing_fonts
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.measured_regions import input_of, shown
from studio.jobs.parameters import parameters_of
from studio.jobs.render_job import RASTER_PX, RENDER_VERSION, wanted_decks
from studio.metrics.aesthetics import DeckScores, deck_scores
from studio.metrics.cues import CUES, deck_cue, why_no_cue
from studio.metrics.parameters import PRESETS
from studio.metrics.registry import FROM_PICTURES, METRICS, Need
from studio.metrics.slides import NO_REGIONS, SlideMeasures
from studio.metrics.work import DeckMeasures, MeasureTask, SlideInput, measure_deck
from studio.model.decks import Deck, DeckStatus, Failure, RenderState, Slide, slide_file_name
from studio.model.ids import DeckId, RunId
from studio.model.protocols import CancelToken
from studio.model.regions import RegionsMode, RegionsOrigin, SlideRegions
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import regions as region_store
from studio.store import scores as score_store
from studio.store.project import Project
from studio.store.values import plain


class MetricsJob:
    """Measures every slide of each deck once and stores all aesthetic scores that come of it."""

    kind = RunKind.METRICS

    def __init__(self, spec: RunSpec, *, why_no_regions: Mapping[DeckId, str] | None = None) -> None:
        """Make the job.

        Args:
            spec: what is asked for.
            why_no_regions: for decks on whose pictures no text could be looked for, the reason.
        """
        self.spec = spec
        self._why_no_regions = why_no_regions or {}
        self._regions: dict[DeckId, dict[int, SlideRegions]] = {}
        self.title = f"Aesthetics · {spec.preset}"
        self._parameters = PRESETS["benchmark"]
        self._standing: dict[DeckId, set[str | None]] = {}
        """Reasons of each deck's current scores; None for those that have a value."""

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. Decks without pages are blocked, with the reason that stands on them."""
        self._parameters = parameters_of(project, self.spec.preset)
        units, blocked = [], []
        for deck in wanted_decks(project, self.spec):
            reason = why_not(deck)
            unit = self._unit(project, deck, () if reason else _shown_slides(project, deck.id))
            if reason:
                blocked.append(_blocked(unit, reason))
            else:
                units.append(unit)
        # Only what the current scores came of: asked for with other regions again, the scores must be those again.
        current = score_store.current_units(project)
        left = tuple(unit for unit in units if self.spec.force or (unit.key, unit.deck_id) not in current)
        for score in score_store.current_scores(project):
            if score.metric in METRICS and score.preset == self.spec.preset:
                self._standing.setdefault(score.deck_id, set()).add(score.undefined_reason)
        return Plan(units=left, cached=len(units) - len(left), blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ProcessExecutor(self.spec.workers or os.cpu_count() or 1)

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return measure_deck

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`. A deck that could not be measured gets undefined scores, never none.

        What was measured before stays: a program that is missing today says nothing against yesterday's values.
        """
        unit = result.unit
        if result.status is UnitStatus.OK:
            scores = self._scores(unit, result.value, RunId(run_id))
        else:
            reason = f"{result.failure.kind}: {result.failure.message}" if result.failure else "no_result"
            if {None, reason} & self._standing.get(unit.deck_id, set()):
                return
            scores = [
                Score(
                    run_id=RunId(run_id), metric=name, metric_version=METRICS[name].version,
                    preset=self.spec.preset, deck_id=unit.deck_id, instance_id=unit.instance_id, slide=None,
                    value=None, undefined_reason=reason,
                )
                for name in FROM_PICTURES
            ]  # fmt: skip
        scores = with_missing_fonts(scores, deck_store.list_slides(project, unit.deck_id))
        score_store.append_scores(project, scores, unit_key=unit.key)

    def _closeness(self, slide: SlideMeasures) -> float:
        """Return exp(-D² / 2σ²) of one slide, 0 to 1 (SlidesGen-Bench 2.3)."""
        return math.exp(-(slide.distance_deg**2) / (2 * self._parameters.harmony_sigma_deg**2))

    def _unit(self, project: Project, deck: Deck, slides: tuple[Slide, ...]) -> Unit:
        versions = {name: METRICS[name].version for name in FROM_PICTURES}
        folder = deck_store.page_folder(project, deck.id)
        regions = self._regions_of(project, deck.id, slides)
        inputs = tuple(
            input_of(slide, (folder or Path()) / slide_file_name(slide.number), regions.get(slide.number))
            for slide in slides
        )
        self._regions[deck.id] = regions
        key = unit_key(
            "metrics", deck.asset or deck.id, deck.render_reason, deck.reason, deck_store.renderer_of(project, deck.id),
            RENDER_VERSION, RASTER_PX, versions, self.spec.preset, asdict(self._parameters),
            *self._regions_identity(deck.id, inputs),
        )  # fmt: skip
        return Unit(
            key=key, deck_id=deck.id, instance_id=deck.instance_id, label=deck.system,
            payload=MeasureTask(slides=inputs, parameters=self._parameters),
        )  # fmt: skip

    def _regions_of(self, project: Project, deck_id: DeckId, slides: tuple[Slide, ...]) -> dict[int, SlideRegions]:
        """Return the regions to measure with instead of the file's own: imported ones, and detected if wanted."""
        is_own = {slide.number: slide.boxes is not None for slide in slides}
        return {
            number: regions
            for number, regions in region_store.slide_regions(project, deck_id).items()
            if number in is_own
            and (
                regions.origin is RegionsOrigin.IMPORTED
                or (self.spec.regions is RegionsMode.DETECT and not is_own[number])
            )
        }

    def _regions_identity(self, deck_id: DeckId, inputs: tuple[SlideInput, ...]) -> tuple[object, ...]:
        """Return what a value depends on beyond the file; nothing for decks that bring all regions themselves."""
        identities = [region_store.identity(regions) for regions in self._regions[deck_id].values()]
        is_lacking = any(slide.boxes is None and slide.boxes_px is None for slide in inputs)
        return (identities, self._why_lacking(deck_id) if is_lacking else "") if identities or is_lacking else ()

    def _why_lacking(self, deck_id: DeckId) -> str:
        if self.spec.regions is RegionsMode.NONE:
            return "text detection on pictures is switched off"
        return self._why_no_regions.get(deck_id, "")

    def _reason(self, deck_id: DeckId, reason: str | None, flags: tuple[str, ...]) -> str | None:
        why = self._why_lacking(deck_id)
        return f"{reason}: {why}" if reason and why and NO_REGIONS in flags and "text regions" in reason else reason

    def _scores(self, unit: Unit, measures: DeckMeasures, run_id: RunId) -> list[Score]:
        found = deck_scores(measures.slides, self._parameters, numbers=measures.numbers)
        raster = (measures.slides[0].width_px, measures.slides[0].height_px) if measures.slides else None
        detail = plain(found)
        regions = shown(self._regions.get(unit.deck_id, {}).values())

        def score(metric: str, value: Any, reason: str | None, slide: int | None, **more: Any) -> Score:
            return Score(
                run_id=run_id, metric=metric, metric_version=METRICS[metric].version, preset=self.spec.preset,
                deck_id=unit.deck_id, instance_id=unit.instance_id, slide=slide, value=value,
                undefined_reason=reason, raster_px=raster, **more,
            )  # fmt: skip

        scores = []
        for name in FROM_PICTURES:
            value = _deck_value(found, measures, name)
            extra = dict(detail) if name == "aesthetics.total" else {}
            if regions and Need.TEXT_REGIONS in METRICS[name].needs:
                extra["regions"] = regions
            reason = self._reason(unit.deck_id, value.undefined_reason, found.flags)
            scores.append(score(name, value.value, reason, None, flags=found.flags, detail=extra))
        for number, slide in zip(measures.numbers, measures.slides, strict=True):
            for cue in CUES:
                value = getattr(slide.cues, cue)
                scores.append(score(f"cues.{cue}", value, why_no_cue(cue) if value is None else None, number))
            scores += [
                score("aesthetics.harmony", self._closeness(slide), None, number, detail=plain(slide)),
                score("aesthetics.engagement", slide.colourfulness, None, number),
                score(
                    "aesthetics.usability", slide.contrast_mean,
                    None if slide.contrast_mean is not None else ", ".join(slide.flags) or "no_text", number,
                    flags=slide.flags,
                ),
                score(
                    "aesthetics.rhythm", slide.subband_entropy,
                    None if slide.subband_entropy is not None else "too_small", number,
                ),
            ]  # fmt: skip
        return scores


def why_not(deck: Deck) -> str:
    """Return why a deck has no pages to measure, as ``kind: message``; empty if it has."""
    if deck.status is not DeckStatus.PRESENT:
        return deck.reason or f"{deck.status.value}: the system has no deck for this instance"
    if deck.render_state is RenderState.RENDERED:
        return ""
    if deck.render_state is RenderState.NO_SLIDES:
        return "no_slides: the deck has no visible slide"
    return deck.render_reason or "not_rendered: the deck has no pages yet"


def _deck_value(scores: DeckScores, measures: DeckMeasures, metric: str) -> Any:
    family, _, name = metric.partition(".")
    if family == "cues":
        return deck_cue(name, [slide.cues for slide in measures.slides])
    return getattr(scores, name)


def _shown_slides(project: Project, deck_id: DeckId) -> tuple[Slide, ...]:
    return tuple(slide for slide in deck_store.list_slides(project, deck_id) if slide.page is not None)


def _blocked(unit: Unit, reason: str) -> UnitResult:
    kind, _, message = reason.partition(": ")
    failure = Failure(kind=kind, message=message) if message else Failure(kind="not_rendered", message=reason)
    return UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure, value=None)
