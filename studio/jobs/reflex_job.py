"""Scoring the content of decks from their words, with a trained model."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from studio.decks.slide_objects import from_text, read_slide_objects
from studio.decks.sources import read_source
from studio.errors import DeckUnreadable
from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.render_job import wanted_decks
from studio.metrics.registry import FROM_WORDS, METRICS
from studio.model.decks import Deck, DeckFormat, DeckStatus, Failure, SourceFormat
from studio.model.ids import RunId
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject, DocumentObject, SlideObject
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.model.scores import Score
from studio.perturb.topics import document_of
from studio.reflex.explanations import suggestion_json
from studio.reflex.scorer import ContentScore
from studio.reflex.shipped import model_digest, model_file, scorer_of
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

_MAX_SECONDS = 300.0
MODEL = "content_model"
"""Option of a run: a model file, or the name of a shipped model; the default one if left out."""
_OWN_WORDS = frozenset({DeckFormat.HTML, DeckFormat.IMAGES, DeckFormat.PPT})
"""Formats whose words come from the rendering, not from the file."""


@dataclass(frozen=True, kw_only=True)
class ReflexTask:
    """One deck, everything by path and text, for a worker process."""

    deck_id: str
    path: Path
    rendered: tuple[SlideObject, ...] | None
    """Words found when the deck was rendered, for formats that have none in the file."""
    sources: tuple[tuple[Path, SourceFormat], ...]
    metrics: tuple[ContentMetric, ...]
    model: Path | None = None


def score_task(task: ReflexTask) -> list[ContentScore]:
    """Return the scores of one deck; runs in a worker process."""
    scorer = scorer_of(task.model)
    deck = deck_object(task)
    return [scorer.score(deck, metric) for metric in task.metrics]


def deck_object(task: ReflexTask) -> DeckObject:
    """Return the deck of a task as the scorers see it."""
    slides = read_slide_objects(task.path) if task.rendered is None else task.rendered
    return DeckObject(id=task.deck_id, slides=slides, document=_document(task.sources))


@lru_cache(maxsize=16)
def _document(sources: tuple[tuple[Path, SourceFormat], ...]) -> DocumentObject | None:
    texts = []
    for path, format in sources:
        try:
            texts.append(read_source(path, format))
        except DeckUnreadable:
            # What cannot be read is missing from the topics; coverage says so if nothing is left.
            continue
    document = document_of(texts) if texts else None
    return document if document is not None and document.sections else None


def task_of(project: Project, deck: Deck, metrics: tuple[ContentMetric, ...]) -> ReflexTask | None:
    """Return what a worker needs to score a deck; None for a deck without a file."""
    if deck.status is not DeckStatus.PRESENT or deck.asset is None or deck.format is None:
        return None
    rendered = None
    if deck.format in _OWN_WORDS:
        slides = [slide for slide in deck_store.list_slides(project, deck.id) if not slide.is_hidden]
        rendered = tuple(from_text(slide.number, slide.text, notes=slide.notes, source="rendering") for slide in slides)
    sources = tuple(
        (project.asset_path(source.asset, source.extension), source.format)
        for source in deck_store.list_sources(project, deck.instance_id)
    )
    return ReflexTask(
        deck_id=deck.id, path=project.asset_path(deck.asset, deck.extension), rendered=rendered, sources=sources,
        metrics=metrics,
    )  # fmt: skip


class ReflexJob:
    """Scores the words of each deck once, with every metric that is asked for."""

    kind = RunKind.METRICS

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.metrics = tuple(
            ContentMetric(name.removeprefix("reflex.")) for name in FROM_WORDS if name in spec.evaluators
        )
        asked = str(spec.options.get(MODEL, ""))
        self.model = model_file(Path(asked)) if asked else None
        of = f" · {self.model.stem}" if self.model is not None else ""
        self.title = f"Content of the slides (REFLEX){of}"

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. Decks that were not delivered are blocked with the reason."""
        model = model_digest(self.model)
        units, blocked = [], []
        for deck in wanted_decks(project, self.spec):
            task = task_of(project, deck, self.metrics)
            task = replace(task, model=self.model) if task is not None else None
            key = unit_key(
                "reflex", METRICS[FROM_WORDS[0]].version, model, deck.asset or deck.id, deck.reason,
                [slide.text for slide in task.rendered or ()] if task else [],
                [str(path.name) for path, _ in task.sources] if task else [],
                [metric.value for metric in self.metrics], self.spec.preset,
            )  # fmt: skip
            unit = Unit(key=key, deck_id=deck.id, instance_id=deck.instance_id, label=deck.system, payload=task)
            if task is None:
                kind, _, message = deck.reason.partition(": ")
                failure = Failure(kind=kind or deck.status.value, message=message or deck.reason or deck.status.value)
                blocked.append(UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure, value=None))
            else:
                units.append(unit)
        # Scores of another model since then are newer: this one is asked again, so that its scores count.
        known = score_store.current_units(project)
        left = tuple(unit for unit in units if self.spec.force or (unit.key, unit.deck_id) not in known)
        return Plan(units=left, cached=len(units) - len(left), blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ProcessExecutor(self.spec.workers or os.cpu_count() or 1, limit_s=_MAX_SECONDS)

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return score_task

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`. A deck without a score gets an undefined one with the reason, never none."""
        unit = result.unit
        reason = f"{result.failure.kind}: {result.failure.message}" if result.failure else "no result"
        found: list[ContentScore] = result.value if result.status is UnitStatus.OK else [
            ContentScore(metric=metric, value=None, undefined_reason=reason) for metric in self.metrics
        ]  # fmt: skip
        score_store.append_scores(
            project,
            [
                Score(
                    run_id=RunId(run_id), metric=f"reflex.{each.metric.value}",
                    metric_version=METRICS[f"reflex.{each.metric.value}"].version, preset=self.spec.preset,
                    deck_id=unit.deck_id, instance_id=unit.instance_id, slide=None, value=each.value,
                    undefined_reason=each.undefined_reason, flags=each.flags,
                    detail={
                        "model": model_file(self.model).name,
                        "explanation": each.explanation,
                        "suggestions": [suggestion_json(suggestion) for suggestion in each.suggestions],
                    },
                )
                for each in found
            ],
            unit_key=unit.key,
        )  # fmt: skip
