"""Several jobs as one run: one plan, one progress, one end; each stores its own results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from studio.jobs.executors import Executor, Work
from studio.jobs.job import Job, Plan
from studio.model.protocols import CancelToken
from studio.model.runs import RunSpec, Unit, UnitResult
from studio.store.project import Project


class _Part(NamedTuple):
    """A payload and the job that it belongs to."""

    job: int
    payload: Any


class JoinedJob:
    """Runs the units of several jobs of one kind side by side, where the first job's units run.

    Args:
        spec: what was asked for.
        jobs: at least one; their work functions must be picklable if the first one uses processes.
    """

    def __init__(self, spec: RunSpec, jobs: Sequence[Job]) -> None:
        self.spec = spec
        self.kind = jobs[0].kind
        self.title = " + ".join(job.title for job in jobs)
        self._jobs = tuple(jobs)

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. The units of the jobs follow each other."""
        plans = [job.plan(project) for job in self._jobs]
        return Plan(
            units=tuple(_marked(unit, index) for index, plan in enumerate(plans) for unit in plan.units),
            cached=sum(plan.cached for plan in plans),
            blocked=tuple(
                replace(result, unit=_marked(result.unit, index))
                for index, plan in enumerate(plans)
                for result in plan.blocked
            ),
        )

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return self._jobs[0].executor()

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return partial(_work, tuple(job.work(cancel) for job in self._jobs))

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`."""
        part: _Part = result.unit.payload
        own = replace(result, unit=replace(result.unit, payload=part.payload))
        self._jobs[part.job].save(project, own, run_id)


def _marked(unit: Unit, job: int) -> Unit:
    return replace(unit, payload=_Part(job, unit.payload))


def _work(works: tuple[Work, ...], part: _Part) -> Any:
    return works[part.job](part.payload)
