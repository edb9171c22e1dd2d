"""One phase of asking a judge about question banks: run it, and read what is stored of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from studio.actions.judge_access import connected
from studio.actions.judge_price import price_of
from studio.jobs.engine import run_job
from studio.jobs.judge_job import Again, JudgeJob
from studio.jobs.keys import unit_key
from studio.judges.budget import Budget
from studio.judges.identity import judge_version
from studio.model.events import RunEnded
from studio.model.judging import JudgeSetup, PlannedConversation, VerdictRecord
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec, RunState, UnitStatus
from studio.store import judging as judging_store
from studio.store.project import Project

_BLAMES_REPLY = frozenset({UnitStatus.PARSE_ERROR, UnitStatus.REFUSED, UnitStatus.INCOMPLETE})
"""Statuses of units that are passed over: the model said nothing of use, and would not if it were asked again."""


@dataclass
class Asking:
    """A judge and what may be spent on it, over several phases."""

    setup: JudgeSetup
    emit: Emit
    cancel: CancelToken
    budget_usd: float | None = None
    force: bool = False
    spent_usd: float = 0.0
    calls: int = 0
    reused: int = 0
    ended: list[RunEnded] = field(default_factory=list)
    on_job: Callable[[JudgeJob], None] = lambda job: None

    @property
    def version(self) -> str:
        """The judge's identity."""
        return judge_version(self.setup)

    @property
    def is_halted(self) -> bool:
        """Whether nothing more can be asked now: stopped by the user, by a limit or by a wrong key."""
        return self.cancel.is_set() or (bool(self.ended) and self.ended[-1].state is not RunState.DONE)


@dataclass(frozen=True, kw_only=True)
class Phase:
    """What a phase came to."""

    name: str
    units: int
    records: tuple[tuple[PlannedConversation, tuple[VerdictRecord, ...]], ...]
    """The readable answers of each conversation that has some."""
    passed_over: tuple[str, ...]
    """Units whose replies could not be read, with the reason."""
    stopped: str = ""
    """Why the phase is not complete: a limit, a wrong key, a server that does not answer; empty if it is."""


def run_phase(project: Project, asking: Asking, name: str, planned: Sequence[PlannedConversation]) -> Phase:
    """Hold the conversations of a phase that are not held yet, and return all of them with their answers."""
    job = _job(asking, name, planned)
    asking.on_job(job)
    ended = run_job(project, job, emit=asking.emit, cancel=asking.cancel)
    asking.ended.append(ended)
    totals = judging_store.call_totals(project, ended.run_id)
    asking.spent_usd += totals.cost
    asking.calls += totals.calls
    asking.reused += totals.reused
    return read_phase(project, asking, name, planned, stopped=_why_stopped(ended))


def _why_stopped(ended: RunEnded) -> str:
    if ended.state is not RunState.DONE:
        return ended.reason or ended.state.value
    blocking = {status: n for status, n in ended.counts.items() if status not in {"ok", *_BLAMES_REPLY} and n}
    return ", ".join(f"{n} {status}" for status, n in blocking.items() if status != UnitStatus.SKIPPED)


def read_phase(
    project: Project, asking: Asking, name: str, planned: Sequence[PlannedConversation], *, stopped: str = ""
) -> Phase:
    """Return what is stored of a phase; nothing is asked."""
    found, passed_over = [], []
    for each in planned:
        key = unit_key("judge", asking.version, each.protocol.value, each.conversation.key_parts())
        stored = [
            one.record for one in judging_store.verdicts_with_evidence(project, unit_key=key)
            if one.record.deck_id == each.deck_id
        ]  # fmt: skip
        newest = {record.item_id: record for record in stored}
        records = tuple(record for record in newest.values() if record.status is UnitStatus.OK)
        if records:
            found.append((each, records))
        elif newest:
            reason = next(iter(newest.values())).reason
            passed_over.append(f"{each.label}: {reason}")
    return Phase(name=name, units=len(planned), records=tuple(found), passed_over=tuple(passed_over), stopped=stopped)


def _job(asking: Asking, name: str, planned: Sequence[PlannedConversation]) -> JudgeJob:
    left = None if asking.budget_usd is None else max(0.0, asking.budget_usd - asking.spent_usd)
    spec = RunSpec(
        kind=RunKind.JUDGE, evaluators=(asking.setup.id,), preset="quiz", force=asking.force,
        options={"quiz_phase": name, "endpoint": asking.setup.base_url, "settings": dict(asking.setup.settings)},
    )  # fmt: skip
    return JudgeJob(
        spec, asking.setup, lambda project: planned, partial(connected, asking.setup), price=price_of(asking.setup),
        budget=Budget(usd=left) if left is not None else None, again=Again.ALL if asking.force else Again.LEFT,
        title=f"{asking.setup.id} · question banks · {name}",
    )  # fmt: skip
