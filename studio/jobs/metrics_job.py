"""Running the aesthetic metrics over rendered decks."""

from __future__ import annotations

import math
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.parameters import parameters_of
from studio.jobs.render_job import RASTER_PX, RENDER_VERSION, wanted_decks
from studio.metrics.aesthetics import DeckScores, deck_scores
from studio.metrics.cues import CUES, deck_cue, why_no_cue
from studio.metrics.parameters import PRESETS
from studio.metrics.registry import METRICS
from studio.metrics.slides import SlideMeasures
from studio.metrics.work import DeckMeasures, MeasureTask, SlideInput, measure_deck
from studio.model.decks import Deck, DeckStatus, Failure, RenderState, Slide, slide_file_name
from studio.model.ids import DeckId, RunId
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from studio.store.values import plain


class MetricsJob:
    """Measures every slide of each deck once and stores all aesthetic scores that come of it."""

    kind = RunKind.METRICS

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
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
        known = score_store.scored_units(project)
        left = tuple(unit for unit in units if self.spec.force or (unit.key, unit.deck_id) not in known)
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
                for name in METRICS
            ]  # fmt: skip
        score_store.append_scores(project, scores, unit_key=unit.key)

    def _closeness(self, slide: SlideMeasures) -> float:
        """Return exp(-D² / 2σ²) of one slide, 0 to 1 (SlidesGen-Bench 2.3)."""
        return math.exp(-(slide.distance_deg**2) / (2 * self._parameters.harmony_sigma_deg**2))

    def _unit(self, project: Project, deck: Deck, slides: tuple[Slide, ...]) -> Unit:
        versions = {name: spec.version for name, spec in METRICS.items()}
        folder = deck_store.page_folder(project, deck.id)
        inputs = tuple(
            SlideInput(
                number=slide.number,
                image_path=str((folder or Path()) / slide_file_name(slide.number)),
                boxes=None
                if slide.boxes is None
                else tuple((box.label, box.x0, box.y0, box.x1, box.y1) for box in slide.boxes),
            )
            for slide in slides
        )
        key = unit_key(
            "metrics", deck.asset or deck.id, deck.render_reason, deck.reason, deck_store.renderer_of(project, deck.id),
            RENDER_VERSION, RASTER_PX, versions, self.spec.preset, asdict(self._parameters),
        )  # fmt: skip
        return Unit(
            key=key, deck_id=deck.id, instance_id=deck.instance_id, label=deck.system,
            payload=MeasureTask(slides=inputs, parameters=self._parameters),
        )  # fmt: skip

    def _scores(self, unit: Unit, measures: DeckMeasures, run_id: RunId) -> list[Score]:
        found = deck_scores(measures.slides, self._parameters, numbers=measures.numbers)
        raster = (measures.slides[0].width_px, measures.slides[0].height_px) if measures.slides else None
        detail = plain(found)

        def score(metric: str, value: Any, reason: str | None, slide: int | None, **more: Any) -> Score:
            return Score(
                run_id=run_id, metric=metric, metric_version=METRICS[metric].version, preset=self.spec.preset,
                deck_id=unit.deck_id, instance_id=unit.instance_id, slide=slide, value=value,
                undefined_reason=reason, raster_px=raster, **more,
            )  # fmt: skip

        scores = []
        for name in METRICS:
            value = _deck_value(found, measures, name)
            extra = {"detail": detail} if name == "aesthetics.total" else {}
            scores.append(score(name, value.value, value.undefined_reason, None, flags=found.flags, **extra))
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
