"""A judge run: conversations with one judge, each a unit, with all their replies stored."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from studio.jobs.call_executor import CallExecutor
from studio.jobs.dask_executor import DaskExecutor, Sending
from studio.jobs.executors import Executor, Work
from studio.jobs.job import STOPPED, Plan
from studio.jobs.judge_work import AskerParts, CloseOnce, JudgeTask, stored_only
from studio.jobs.keys import unit_key
from studio.judges.asking import Held, RetryRules, RunStop
from studio.judges.budget import Budget, Ledger, Reserve, Spent
from studio.judges.identity import judge_version, request_json, request_key
from studio.judges.limits import Limits
from studio.judges.pricing import Price, estimated_input_tokens
from studio.judges.re_asking import MOST_ASKS
from studio.judges.settings import DEFAULT_ATTEMPTS
from studio.model.decks import Failure
from studio.model.ids import DeckId, RunId
from studio.model.judging import (
    CallFault,
    JudgeClient,
    JudgeReply,
    JudgeSetup,
    ParseStatus,
    PlannedConversation,
    Usage,
    VerdictRecord,
)
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec, RunState, Unit, UnitResult, UnitStatus
from studio.store import judging as judging_store
from studio.store.project import Project

_BLAMES_REPLY = frozenset({UnitStatus.PARSE_ERROR, UnitStatus.REFUSED, UnitStatus.INCOMPLETE, UnitStatus.TOOL_ERROR})
"""Statuses where trying again means asking again, though there is a reply."""


class Again(StrEnum):
    """Which units a run does."""

    LEFT = "left"
    """Those without a good result; stored replies are read again, only what is missing is asked."""
    FAILED = "failed"
    """Those that failed before; replies that could not be read are asked for anew."""
    REPARSE = "reparse"
    """All whose replies are stored, read again; nothing is asked."""
    ALL = "all"
    """All, asked anew."""


@dataclass(frozen=True, kw_only=True)
class Live:
    """How a run stands now."""

    calls: int = 0
    reused: int = 0
    spent: Spent
    price_known: bool
    faults: dict[str, int]
    units_done: int = 0


Planner = Callable[[Project], Sequence[PlannedConversation]]


class JudgeJob:
    """Holds the conversations that have no result yet.

    Args:
        spec: what was asked for; its options are stored with the run.
        setup: the judge.
        plan_conversations: returns everything that is asked, also what was asked before.
        connect: makes the judge's client; called on a worker thread when the first call is due.
        price: of the model; None: not known.
        budget: limits of the run.
        again: which units.
        failed_of: with `Again.FAILED`: the run whose failed units are meant; None: of all runs.
        first: only so many of the units that are left, spread over the plan; None: all of them.
        scheduler: address of a Dask scheduler; empty: threads of this program.
        rules: how failed calls are tried again; None: as the judge's settings say.
    """

    kind = RunKind.JUDGE
    stores_at_once = True

    def __init__(
        self, spec: RunSpec, setup: JudgeSetup, plan_conversations: Planner, connect: Callable[[], JudgeClient], *,
        price: Price | None, budget: Budget | None = None, again: Again = Again.LEFT, failed_of: RunId | None = None,
        first: int | None = None, scheduler: str = "", title: str = "", rules: RetryRules | None = None,
    ) -> None:  # fmt: skip
        self.spec = spec
        self.setup = setup
        self.title = title or f"Judge {setup.id}"
        self.version = judge_version(setup)
        self.stop = RunStop()
        self.budget = budget or Budget()
        self.price = price
        self.ledger = Ledger(self.budget, price)
        self._plan_conversations = plan_conversations
        self._connect = connect
        self._again = again
        self._failed_of = failed_of
        self._first = first
        self._scheduler = scheduler
        self._rules = rules or RetryRules(attempts=int(str(setup.settings.get("max_attempts", DEFAULT_ATTEMPTS))))
        self._project: Project | None = None
        self._known: set[str] = set()
        self._reserved: dict[tuple[str, DeckId], Reserve] = {}
        """What was set aside for the units that are on a cluster."""
        self._closing = CloseOnce()
        self._counted = threading.Lock()
        self._calls = self._reused = self._done = 0
        self._faults: Counter[str] = Counter()

    # --- the engine's side

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`."""
        self._project = project
        # First: planning may take over verdicts that came from files, which are done from then on.
        conversations = self._plan_conversations(project)
        done = judging_store.done_units(project)
        last = judging_store.last_statuses(project, self._failed_of) if self._again is Again.FAILED else {}
        self._known = set() if self._again is Again.ALL else judging_store.reply_keys(project, self.version)
        units, blocked, cached, seen = [], [], 0, set()
        for planned in conversations:
            unit = self._unit(planned)
            place = (unit.key, unit.deck_id)
            if place in seen:
                # The same question twice: one answer serves both.
                cached += 1
                continue
            seen.add(place)
            if planned.blocked:
                blocked.append(_blocked(unit, planned.blocked))
            elif self._is_wanted(planned, unit, place in done, last.get(place)):
                units.append(self._with_status(unit, last.get(place)))
            else:
                cached += place in done
        return Plan(units=_spread(units, self._first), cached=cached, blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        if self._scheduler:
            return DaskExecutor(
                self._scheduler, parts=self._parts(), finish=self._finish, drain=self.stop, before=self._may_send,
                stored=self._stored_for,
            )  # fmt: skip
        return CallExecutor(
            Limits.of(self.setup).max_in_flight, finish=self._finish, drain=self.stop, close=self._closing.close
        )

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`. On a cluster the workers have their own."""
        if self._scheduler:
            return _nothing
        parts, connect = self._parts(), self._connect
        chosen = stored_only if self._again is Again.REPARSE else connect
        asker = self._closing.keep(lambda: parts.asker(chosen(), self.stop, self.ledger))
        none = _no_replies

        def hold(task: JudgeTask) -> Held:
            return asker.hold(task.conversation, cancel, none if task.asks_anew else self._stored)

        return hold

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`."""
        task: JudgeTask | None = result.unit.payload
        held: Held | None = result.value
        if task is None or held is None:
            return
        if held.result is not None:
            verdicts = held.result.verdicts
        elif result.status is UnitStatus.SKIPPED:
            # Only some of its replies came before the run stopped; nothing can be said yet.
            verdicts = ()
        else:
            verdicts = _without_verdict(task, result)
        judging_store.append_outcome(
            project,
            judging_store.UnitOutcome(
                run_id=RunId(run_id), unit_key=result.unit.key, judge_id=self.setup.id, judge_version=self.version,
                protocol=task.protocol, prompt_version=task.prompt_version, model=held.model or self.setup.model,
                verdicts=verdicts, reply_keys=held.used, calls=held.calls, reused=held.reused, faults=held.faults,
                usage=held.usage, cost=held.cost, latency_s=held.latency_s,
                replies=tuple(
                    judging_store.NewReply(
                        key=each.key, request=(asked := request_json(each.request))[0], texts=asked[1],
                        reply=each.reply, cost=each.cost,
                    )
                    for each in held.answered
                ),
            ),
        )  # fmt: skip

    def stopped(self) -> tuple[RunState, str] | None:
        """See `StopsItself.stopped`: a wrong key fails the run, anything else pauses it."""
        if not self.stop.is_set():
            return None
        state = RunState.FAILED if self.stop.fault is CallFault.AUTH else RunState.PAUSED
        return state, self.stop.reason

    # --- the user's side

    def pause(self) -> None:
        """Let what is in flight finish and ask nothing new; starting again goes on from there."""
        self.stop.stop("paused by the user")

    def live(self) -> Live:
        """Return how the run stands; from any thread."""
        with self._counted:
            return Live(
                calls=self._calls, reused=self._reused, spent=self.ledger.spent(), price_known=self.price is not None,
                faults=dict(self._faults), units_done=self._done,
            )  # fmt: skip

    # --- inside

    def _parts(self) -> AskerParts:
        return AskerParts(setup=self.setup, version=self.version, rules=self._rules)

    def _unit(self, planned: PlannedConversation) -> Unit:
        requests = planned.conversation.requests()
        task = JudgeTask(
            conversation=planned.conversation, protocol=planned.protocol,
            prompt_version=requests[0].prompt_version if requests else "",
        )  # fmt: skip
        key = unit_key("judge", self.version, planned.protocol.value, planned.conversation.key_parts())
        return Unit(
            key=key, deck_id=planned.deck_id, instance_id=planned.instance_id, label=planned.label, payload=task
        )

    def _is_wanted(self, planned: PlannedConversation, unit: Unit, is_done: bool, last: UnitStatus | None) -> bool:
        match self._again:
            case Again.ALL:
                return True
            case Again.FAILED:
                return not is_done and last is not None and last not in {UnitStatus.OK, UnitStatus.SKIPPED}
            case Again.REPARSE:
                requests = planned.conversation.requests()
                return all(request_key(self.version, request) in self._known for request in requests)
            case _:
                return not is_done or self.spec.force

    def _with_status(self, unit: Unit, last: UnitStatus | None) -> Unit:
        if self._again is Again.ALL or (self._again is Again.FAILED and last in _BLAMES_REPLY):
            return replace(unit, payload=replace(unit.payload, asks_anew=True))
        return unit

    def _stored(self, key: str) -> Sequence[JudgeReply]:
        if key not in self._known or self._project is None:
            return ()
        found = judging_store.replies_to(self._project, key)
        # Nothing is asked then: the oldest one stands in for every further reply.
        return [*found, *found[-1:] * MOST_ASKS] if self._again is Again.REPARSE else found

    def _stored_for(self, task: JudgeTask, key: str) -> dict[str, Sequence[JudgeReply]]:
        """Return the replies that a unit on a cluster will look for, as far as they can be known beforehand."""
        if task.asks_anew or self._project is None or not self._known:
            return {}
        keys = {request_key(self.version, request) for request in task.conversation.requests()}
        keys |= judging_store.reply_keys_of_unit(self._project, key)
        return {each: self._stored(each) for each in keys & self._known}

    def _may_send(self, unit: Unit) -> Sending:
        """Return whether another unit may go to the cluster: its likely price is set aside here, workers know none."""
        if self.stop.is_set():
            return Sending.NEVER
        task: JudgeTask = unit.payload
        stored: Collection[str] = () if task.asks_anew else self._known
        asked = [
            (request, estimated_input_tokens(request, provider=self.setup.provider))
            for request in task.conversation.requests()
            if request_key(self.version, request) not in stored
        ]
        if not asked:
            return Sending.NOW
        reserve = self.ledger.reserve_unit(asked)
        if reserve is not None:
            self._reserved[unit.key, unit.deck_id] = reserve
            return Sending.NOW
        why = self.ledger.why_not(asked)
        if why is None:
            return Sending.LATER
        self.stop.stop(why)
        return Sending.NEVER

    def _finish(self, result: UnitResult) -> UnitResult | None:
        """Give a unit the status of its conversation, and count what it took; None: it is as if never begun."""
        held: Held | None = result.value
        if self._scheduler:
            self._release(result.unit, held)
        if result.failure is not None or held is None:
            return result
        if self._scheduler:
            held = self._priced(held)
            result = replace(result, value=held)
        self._count(held)
        if held.result is not None:
            message = held.result.message
            failure = None if held.result.status is UnitStatus.OK else Failure(
                kind=held.result.status.value, message=message or held.result.status.value
            )  # fmt: skip
            return replace(result, status=held.result.status, failure=failure)
        if held.fault in {CallFault.CANCELLED, CallFault.QUOTA}:
            if not held.answered and not held.calls:
                return None
            failure = Failure(kind=STOPPED, message=self.stop.reason or "the run was stopped")
            return replace(result, status=UnitStatus.SKIPPED, failure=failure)
        if held.fault is None:
            return replace(result, status=UnitStatus.TOOL_ERROR, failure=Failure(kind="fault", message=held.message))
        status = UnitStatus.TIMED_OUT if held.fault is CallFault.TIMEOUT else UnitStatus.API_ERROR
        return replace(result, status=status, failure=Failure(kind=held.fault.value, message=held.message))

    def _release(self, unit: Unit, held: Held | None) -> None:
        reserve = self._reserved.pop((unit.key, unit.deck_id), None)
        if reserve is not None:
            usage = held.usage if held is not None else Usage()
            self.ledger.release(reserve, usage, calls=len(held.answered) if held is not None else 0)

    def _priced(self, held: Held) -> Held:
        """Return what a worker did with its cost; workers know no prices."""
        price = self.price
        if price is None:
            return held
        answered = tuple(replace(each, cost=price.cost(each.reply.usage)) for each in held.answered)
        return replace(held, answered=answered, cost=sum(each.cost for each in answered))

    def _count(self, held: Held) -> None:
        if self._scheduler and held.fault in {CallFault.AUTH, CallFault.QUOTA}:
            self.stop.stop(held.message, held.fault)
        with self._counted:
            self._calls += held.calls
            self._reused += held.reused
            self._faults.update(held.faults)
            self._done += held.result is not None


def _spread(units: list[Unit], number: int | None) -> tuple[Unit, ...]:
    """Return so many units at equal distances: the first few alone would all be of one deck."""
    if number is None or number >= len(units):
        return tuple(units)
    return tuple(units[place * len(units) // number] for place in range(number))


def _nothing(task: JudgeTask) -> None:
    """Stand in for work that is done on a cluster."""
    del task


def _no_replies(key: str) -> Sequence[JudgeReply]:
    del key
    return ()


def _without_verdict(task: JudgeTask, result: UnitResult) -> tuple[VerdictRecord, ...]:
    reason = result.failure.message if result.failure else ""
    return tuple(
        replace(record, verdict="", score=None, status=result.status, parse=ParseStatus.NONE, reason=reason)
        for record in task.conversation.subjects()
    )


def _blocked(unit: Unit, reason: str) -> UnitResult:
    kind, _, message = reason.partition(": ")
    failure = Failure(kind=kind if message else "blocked", message=message or reason)
    return UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure)
