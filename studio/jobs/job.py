"""What the engine needs to know of a kind of run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from studio.jobs.executors import Executor, Work
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec, RunState, Unit, UnitResult
from studio.store.project import Project

STOPPED = "stopped"
"""Failure kind of a unit that was under way when its run was stopped; it is planned again."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The units that a run has to do, those it need not, and those it cannot."""

    units: tuple[Unit, ...]
    cached: int
    """Units whose key has a good result already."""
    blocked: tuple[UnitResult, ...] = ()
    """Units that cannot be done, with the reason."""


class Job(Protocol):
    """One kind of run."""

    kind: RunKind
    title: str
    spec: RunSpec

    def plan(self, project: Project) -> Plan:
        """Return what is left to do."""
        ...

    def executor(self) -> Executor:
        """Return where the units are worked off."""
        ...

    def work(self, cancel: CancelToken) -> Work:
        """Return the function that does one unit: picklable for processes, aware of `cancel` for threads."""
        ...

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """Store one unit's value; called inside the transaction that stores its row."""
        ...


@runtime_checkable
class StopsItself(Protocol):
    """A job that may end its run before all units are done: a wrong key, a quota, a budget."""

    def stopped(self) -> tuple[RunState, str] | None:
        """Return how and why it ended its run; None if it did not."""
        ...
