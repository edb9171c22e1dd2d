"""Judging the editability of decks from their files; no pictures are needed."""

from __future__ import annotations

import os

from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.render_job import wanted_decks
from studio.metrics.editability import RULES, EditabilityTask, assess_task, editability_json
from studio.metrics.registry import EDITABILITY, METRICS
from studio.model.decks import Deck, DeckStatus, Failure
from studio.model.editability import Editability
from studio.model.ids import DeckId, RunId
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.model.scores import Score
from studio.store import scores as score_store
from studio.store.project import Project

RULES_OF_PRESET = {"paper-text": "paper"}
"""Preset of a metrics run → editability rules; ``studio`` for every other preset."""

_MAX_SECONDS = 120.0


def rules_of_preset(preset: str) -> str:
    """Return the name of the editability rules that go with a preset."""
    return RULES_OF_PRESET.get(preset, "studio")


class EditabilityJob:
    """Reads the structure of each deck once and stores its level with all the evidence."""

    kind = RunKind.METRICS

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.rules = rules_of_preset(spec.preset)
        self.title = f"Editability · {self.rules} rules"
        self._standing: dict[DeckId, str | None] = {}

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. Decks that were not delivered, or cannot be read, are blocked with the reason."""
        units, blocked = [], []
        for deck in wanted_decks(project, self.spec):
            unit = self._unit(project, deck)
            if unit.payload is None:
                blocked.append(_blocked(unit, deck))
            else:
                units.append(unit)
        known = score_store.scored_units(project)
        self._standing = {
            score.deck_id: score.undefined_reason
            for score in score_store.current_scores(project)
            if score.metric == EDITABILITY and score.preset == self.spec.preset
        }
        left = tuple(unit for unit in units if self.spec.force or (unit.key, unit.deck_id) not in known)
        return Plan(units=left, cached=len(units) - len(left), blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ProcessExecutor(self.spec.workers or os.cpu_count() or 1, limit_s=_MAX_SECONDS)

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return assess_task

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`. A deck without a level gets an undefined score with the reason, never none."""
        unit = result.unit
        level: int | None = None
        reason: str | None = f"{result.failure.kind}: {result.failure.message}" if result.failure else "no result"
        detail: dict[str, object] = {}
        if result.status is UnitStatus.OK:
            found: Editability = result.value
            level, reason, detail = found.level, found.undefined_reason, editability_json(found)
        elif self._standing.get(unit.deck_id, "") in {None, reason}:
            # A level found before stands, and the same reason need not be said twice.
            return
        score = Score(
            run_id=RunId(run_id), metric=EDITABILITY, metric_version=METRICS[EDITABILITY].version,
            preset=self.spec.preset, deck_id=unit.deck_id, instance_id=unit.instance_id, slide=None,
            value=None if level is None else float(level), undefined_reason=reason, detail=detail,
        )  # fmt: skip
        score_store.append_scores(project, [score], unit_key=unit.key)

    def _unit(self, project: Project, deck: Deck) -> Unit:
        task = None
        if deck.status is DeckStatus.PRESENT and deck.asset is not None and deck.format is not None:
            task = EditabilityTask(
                path=project.asset_path(deck.asset, deck.extension), format=deck.format,
                n_slides=deck.slides - deck.hidden_slides, rules=RULES[self.rules],
            )  # fmt: skip
        key = unit_key(
            EDITABILITY, METRICS[EDITABILITY].version, deck.asset or deck.id, deck.reason, self.spec.preset,
            RULES[self.rules].to_json(),
        )  # fmt: skip
        return Unit(key=key, deck_id=deck.id, instance_id=deck.instance_id, label=deck.system, payload=task)


def _blocked(unit: Unit, deck: Deck) -> UnitResult:
    kind, _, message = deck.reason.partition(": ")
    failure = Failure(kind=kind or deck.status.value, message=message or deck.reason or deck.status.value)
    return UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure, value=None)
