"""What a run tells while it goes on. Exactly one `RunStarted` and one `RunEnded`, whatever happens."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.model.ids import RunId
from studio.model.runs import RunKind, RunState, UnitRecord


@dataclass(frozen=True, kw_only=True)
class RunStarted:
    """The plan is made and its row stored."""

    run_id: RunId
    kind: RunKind
    title: str
    total: int
    """Units to do, without the cached ones."""
    cached: int


@dataclass(frozen=True, kw_only=True)
class UnitDone:
    """One unit's result is stored."""

    run_id: RunId
    record: UnitRecord
    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class UnitFailed:
    """One unit failed, and the failure is stored."""

    run_id: RunId
    record: UnitRecord
    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """Nothing more comes from this run."""

    run_id: RunId
    kind: RunKind
    state: RunState
    counts: dict[str, int] = field(default_factory=dict)
    cached: int = 0
    seconds: float = 0.0
    reason: str = ""
    peak_rss_bytes: int = 0
    earlier: tuple[RunId, ...] = ()
    """Runs that this one went on from, such as the earlier rounds of a tournament; its counts hold theirs."""


@dataclass(frozen=True, kw_only=True)
class ImportProgress:
    """One file of an import was looked at."""

    done: int
    total: int
    name: str
    failed: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchProgress:
    """A search over parameters tried another point."""

    done: int
    total: int
    """Points at most; a grid may need fewer."""
    stage: str
    """What is fitted, such as "all instances" or "fold 2 of 5"."""
    best: float
    """Best mean of this stage so far, −1 to 1."""


Event = RunStarted | UnitDone | UnitFailed | RunEnded | ImportProgress | SearchProgress
