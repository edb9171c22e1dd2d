"""Runs: what was asked for, the units it became, and how each ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from studio.model.decks import Failure
from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.regions import RegionsMode


class RunKind(StrEnum):
    """What the units of a run are."""

    RENDER = "render"
    REGIONS = "regions"
    METRICS = "metrics"
    JUDGE = "judge"
    QUIZ = "quiz"
    IMPORTED = "imported"


class RunState(StrEnum):
    """Where a run stands; a run found running at start was interrupted."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    PAUSED = "paused"
    """By the user, by a budget that is spent, or by a quota; the reason says which."""
    INTERRUPTED = "interrupted"


class UnitStatus(StrEnum):
    """How one unit ended."""

    OK = "ok"
    PARSE_ERROR = "parse_error"
    API_ERROR = "api_error"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    TIMED_OUT = "timed_out"
    TOOL_ERROR = "tool_error"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """What a run is asked to do; the same value from the window and from the terminal."""

    kind: RunKind
    evaluators: tuple[str, ...] = ()
    """Metric or judge names; for render runs empty."""
    preset: str = "benchmark"
    deck_ids: tuple[DeckId, ...] | None = None
    """None: every deck of the project."""
    force: bool = False
    """Do units again that have a good result."""
    workers: int | None = None
    """Worker processes; None: one per core."""
    regions: RegionsMode = RegionsMode.DETECT
    """For metrics: what to do with slides of which nobody knows where their text is."""
    options: dict[str, object] = field(default_factory=dict)
    """For judges: the judge's setup, the protocol, the budget; JSON values, never a key."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One piece of work: everything a worker needs, and nothing of the project."""

    key: str
    """Content hash + evaluator + version + parameters; equal keys have equal results."""
    deck_id: DeckId
    instance_id: InstanceId
    label: str
    """What a person calls it, such as ``storage · B``."""
    payload: Any = None
    """Picklable argument of the run's work function."""


@dataclass(frozen=True, kw_only=True)
class UnitResult:
    """How one unit ended: a value from the work function, or a failure."""

    unit: Unit
    status: UnitStatus
    value: Any = None
    failure: Failure | None = None
    seconds: float = 0.0
    peak_rss_bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class Run:
    """One batch of units as stored."""

    id: RunId
    kind: RunKind
    title: str
    spec: dict[str, object]
    state: RunState
    started_at: str
    ended_at: str = ""
    total: int = 0
    cached: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    """Units by `UnitStatus`."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class UnitRecord:
    """One unit of a run as stored."""

    run_id: RunId
    key: str
    deck_id: DeckId
    instance_id: InstanceId
    label: str
    status: UnitStatus
    failure_kind: str = ""
    message: str = ""
    seconds: float = 0.0
    at: str = ""
