"""Judge runs: what one would ask and cost, starting one, going on with one, and what it came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Any

from studio.actions import judge_price
from studio.actions.judge_access import check_key, connected
from studio.actions.judge_scores import standing, write_code_scores, write_scores
from studio.actions.judge_wish import CODE, JudgeWish, read_wish, spec_of_wish, wish_of_run
from studio.actions.taken_over import TakenUnit, take_over, taken_units
from studio.checklists.pages import Mode
from studio.decks.render import RenderTools
from studio.errors import BadInput
from studio.jobs.code_judge_job import CodeJudgeJob
from studio.jobs.engine import run_job
from studio.jobs.judge_conversations import plan_conversations
from studio.jobs.judge_job import Again, JudgeJob
from studio.jobs.judge_material import Material
from studio.jobs.judge_work import JudgeTask
from studio.jobs.keys import unit_key
from studio.jobs.render_job import RenderJob
from studio.judges.checklist_batch import BatchConversation
from studio.judges.connect import read_setup
from studio.judges.identity import judge_version
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Failure
from studio.model.events import RunEnded
from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.judging import Conversation, JudgingProtocol, PlannedConversation, VerdictRecord
from studio.model.judging_options import Pairs
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import Run, RunKind, RunSpec, RunState, Unit, UnitStatus
from studio.store import checklist_lists
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project

ALWAYS_COUNTED = ("ok", "parse_error", "api_error", "refused", "skipped")
"""Statuses that a summary names also where no unit has them."""
SECOND_STAGE = {JudgingProtocol.PPTEVAL: 2}
"""Calls of a unit where the second one depends on the reply to the first."""


@dataclass(frozen=True, kw_only=True)
class JudgePreview:
    """What a judge run would do and cost now."""

    units: int
    """To do."""
    cached: int
    blocked: int
    calls: int
    """At least: unreadable replies are asked for again."""
    pictures: int
    input_tokens: int
    output_tokens: int
    price_usd: float | None
    """None: the price of the model is not known."""
    rule: str
    """How it was estimated."""


@dataclass(frozen=True, kw_only=True)
class PlannedUnit:
    """One unit as a run would do it."""

    key: str
    label: str
    deck_id: DeckId
    instance_id: InstanceId
    conversation: Conversation | None
    """None where code rules judge: they ask nobody."""
    blocked: str = ""
    """``kind: reason`` where it cannot be done."""


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """The units of a run with what they would cost."""

    preview: JudgePreview
    units: tuple[PlannedUnit, ...]
    """Those to do, then those that cannot be done."""
    to_render: int = 0
    """Decks without pages, which are rendered before they are asked about; they count as blocked until then."""


def preview(project: Project, wish: JudgeWish, *, tools: RenderTools, emit: Emit, cancel: CancelToken) -> JudgePreview:
    """Return what starting the run would mean; decks without pages are rendered for it, nothing is asked."""
    if not wish.is_code:
        _render(project, wish, tools, emit, cancel, None)
    return planned_run(project, wish, tools=tools, cancel=cancel).preview


def planned_run(project: Project, wish: JudgeWish, *, tools: RenderTools, cancel: CancelToken) -> PlannedRun:
    """Return what starting the run would do and send, with the decks as they are; nothing is rendered or asked.

    Raises:
        BadInput: for a budget that cannot be kept.
    """
    rendering = RenderJob(RunSpec(kind=RunKind.RENDER, deck_ids=wish.deck_ids), tools, None)
    to_render = len(rendering.plan(project).units)
    if wish.is_code:
        plan = _code_job(project, wish).plan(project)
        found = JudgePreview(
            units=len(plan.units), cached=plan.cached, blocked=len(plan.blocked), calls=0, pictures=0, input_tokens=0,
            output_tokens=0, price_usd=0.0, rule="code rules ask nobody",
        )  # fmt: skip
    else:
        planned: list[PlannedConversation] = []
        job = _job(project, wish, cancel, planned=planned, takes_over=False)
        plan = job.plan(project)
        taken = {unit.key for unit in _taken(project, wish, planned, job.version) if unit.is_whole}
        plan = replace(
            plan, units=tuple(unit for unit in plan.units if unit.key not in taken),
            cached=plan.cached + sum(unit.key in taken for unit in plan.units),
        )  # fmt: skip
        expected = judge_price.estimate(
            project, wish.setup, [unit.payload.conversation for unit in plan.units],
            stages=SECOND_STAGE.get(wish.protocol, 1), asks_anew=wish.force,
        )  # fmt: skip
        found = JudgePreview(
            units=len(plan.units), cached=plan.cached, blocked=len(plan.blocked), calls=expected.calls,
            pictures=expected.images, input_tokens=expected.input_tokens, output_tokens=expected.output_tokens,
            price_usd=expected.cost,
            rule=f"{expected.basis}; replies that are stored cost nothing{_rounds_words(wish)}",
        )  # fmt: skip
    units = [_planned(unit) for unit in plan.units]
    units += [_planned(result.unit, result.failure) for result in plan.blocked]
    return PlannedRun(preview=found, units=tuple(units), to_render=to_render)


def _rounds_words(wish: JudgeWish) -> str:
    if wish.protocol is not JudgingProtocol.ARENA or wish.options.pairs is not Pairs.SWISS:
        return ""
    return "; this round only, since the next one depends on who wins"


def planned_units(project: Project, wish: JudgeWish) -> list[PlannedUnit]:
    """Return the units that a run of a model's judge would do, without their price."""
    return [_planned(unit) for unit in _job(project, wish, Event()).plan(project).units]


def _planned(unit: Unit, failure: Failure | None = None) -> PlannedUnit:
    return PlannedUnit(
        key=unit.key, label=unit.label, deck_id=unit.deck_id, instance_id=unit.instance_id,
        conversation=unit.payload.conversation if isinstance(unit.payload, JudgeTask) else None,
        blocked=f"{failure.kind}: {failure.message}" if failure is not None else "",
    )  # fmt: skip


def start_judging(
    project: Project,
    wish: JudgeWish,
    *,
    tools: RenderTools,
    emit: Emit,
    cancel: CancelToken,
    passwords: PasswordVault | None = None,
    again: Again | None = None,
    failed_of: RunId | None = None,
    on_job: Callable[[JudgeJob], None] = lambda job: None,
) -> tuple[RunEnded, Changes]:
    """Work a judge run off to its end, write what its verdicts come to, and return how it ended.

    Decks without pages are rendered first. Starting the same again asks only what has no verdict yet.

    Args:
        project: open for writing.
        wish: what is asked for.
        tools: the programs to draw with.
        emit: told each step, from other threads.
        cancel: stops the run.
        passwords: of protected decks.
        again: which units; None: those that are left, or all where the wish is forced.
        failed_of: with `Again.FAILED` the run whose failed units are meant.
        on_job: given the job before it starts, so that it can be paused and watched.

    Raises:
        BadInput: if a key is needed and missing, or a budget cannot be kept; before anything is run.
    """
    topics = (Topic.DECKS, Topic.SCORES, Topic.RUNS)
    if not wish.is_code and again is not Again.REPARSE:
        check_key(wish.setup)
        judge_price.checked_budget(wish.setup, usd=wish.budget_usd, tokens=wish.budget_tokens)
    rendered = _render(project, wish, tools, emit, cancel, passwords)
    if rendered is not None and rendered.state is not RunState.DONE:
        return rendered, changed(*topics)
    if wish.is_code:
        ended = run_job(project, _code_job(project, wish), emit=emit, cancel=cancel)
        write_code_scores(project, run_id=ended.run_id)
        return ended, changed(*topics)
    if wish.protocol is JudgingProtocol.CHECKLIST and not wish.item_ids:
        # Free, and a total without them would lack items.
        code = _code_job(project, wish)
        if code.plan(project).units:
            run_job(project, code, emit=emit, cancel=cancel)
    planned: list[PlannedConversation] = []
    job = _job(project, wish, cancel, again=again, failed_of=failed_of, planned=planned)
    on_job(job)
    ended = run_job(project, job, emit=emit, cancel=cancel)
    if wish.options.pairs is Pairs.SWISS and again is not Again.REPARSE:
        ended, job = _later_rounds(project, wish, ended, job, planned, emit=emit, cancel=cancel, on_job=on_job)
    stand = standing(project, wish, planned, partial(key_of, job.version))
    write_scores(project, wish, stand, run_id=ended.run_id, version=job.version)
    return ended, changed(*topics)


DEMO_RUNS: tuple[tuple[str, JudgingProtocol], ...] = (
    (CODE, JudgingProtocol.CHECKLIST), ("scripted:demo", JudgingProtocol.CHECKLIST),
    ("scripted:demo", JudgingProtocol.RATING),
)  # fmt: skip
"""What fills the demo without any key."""


def judge_demo(project: Project, *, tools: RenderTools, emit: Emit, cancel: CancelToken) -> list[RunEnded]:
    """Run what needs no key over the demo: the code rules, and the scripted judge, which its name says it is.

    The scripted judge reads text, so that its numbers are the same on every machine.
    """
    ended = []
    for judge, protocol in DEMO_RUNS:
        if cancel.is_set():
            break
        settings = () if judge == CODE else ("input=text",)
        wish = read_wish(judge, protocol=protocol.value, settings=settings)
        ended.append(start_judging(project, wish, tools=tools, emit=emit, cancel=cancel)[0])
    return ended


def fill_demo(project: Project, *, tools: RenderTools, emit: Emit, cancel: CancelToken) -> Changes:
    """Run `judge_demo` unless all of it was done before, and return what changed."""
    wanted = {f"{judge}/{protocol.value}" for judge, protocol in DEMO_RUNS}
    known = {score.metric for score in score_store.current_scores(project) if score.value is not None}
    if wanted <= known:
        return changed()
    judge_demo(project, tools=tools, emit=emit, cancel=cancel)
    return changed(Topic.DECKS, Topic.SCORES, Topic.RUNS)


def key_of(version: str, planned: PlannedConversation) -> str:
    """Return the key of a conversation's unit."""
    return unit_key("judge", version, planned.protocol.value, planned.conversation.key_parts())


def resume_judging(project: Project, run: Run, **how: Any) -> tuple[RunEnded, Changes]:
    """Do what a judge run left undone; see `start_judging` for what else it takes.

    Raises:
        BadInput: if the run is no judge run.
    """
    if _is_code_run(run):
        return start_judging(project, code_wish(run), **how)
    return start_judging(project, replace(wish_of_run(run), force=False), **how)


def retry_failed(project: Project, run: Run, **how: Any) -> tuple[RunEnded, Changes]:
    """Ask again what failed in a run, and only that.

    Raises:
        BadInput: if the run is no judge run.
    """
    if _is_code_run(run):
        return start_judging(project, code_wish(run), **how)
    wish = replace(wish_of_run(run), force=False)
    return start_judging(project, wish, again=Again.FAILED, failed_of=run.id, **how)


def reparse(project: Project, run: Run, **how: Any) -> tuple[RunEnded, Changes]:
    """Read the stored replies of a run's units again, without a call.

    Raises:
        BadInput: if the run is no run of a judge that replies in words.
    """
    if _is_code_run(run):
        raise BadInput("Code rules give no replies to read again.", next_step="Start the code judge again.")
    return start_judging(project, replace(wish_of_run(run), force=False), again=Again.REPARSE, **how)


def _is_code_run(run: Run) -> bool:
    return run.kind is RunKind.JUDGE and list(run.spec.get("evaluators") or ()) == [CODE]  # type: ignore[call-overload]


def code_wish(run: Run) -> JudgeWish:
    """Return what a stored run of the code judge was asked for."""
    decks: Any = run.spec.get("deck_ids")
    return JudgeWish(setup=read_setup(CODE), deck_ids=None if decks is None else tuple(DeckId(one) for one in decks))


def summary(project: Project, ended: RunEnded) -> dict[str, Any]:
    """Return what a run came to, as `studio judge --json` prints it."""
    parts = [judging_store.call_totals(project, run_id) for run_id in (*ended.earlier, ended.run_id)]
    totals = judging_store.CallTotals(
        calls=sum(each.calls for each in parts), reused=sum(each.reused for each in parts),
        faults=dict(sum((Counter(each.faults) for each in parts), Counter())),
        input_tokens=sum(each.input_tokens for each in parts),
        output_tokens=sum(each.output_tokens for each in parts), cost=sum(each.cost for each in parts),
    )  # fmt: skip
    counts = dict.fromkeys(ALWAYS_COUNTED, 0) | ended.counts
    return {
        "run_id": ended.run_id, "state": ended.state.value, "reason": ended.reason, "units": counts,
        "calls": totals.calls, "cached": ended.cached, "replies_reused": totals.reused,
        "input_tokens": totals.input_tokens, "output_tokens": totals.output_tokens, "cost": totals.cost,
        "faults": totals.faults, "seconds": round(ended.seconds, 3),
    }  # fmt: skip


def run_rows(project: Project) -> list[dict[str, Any]]:
    """Return one row for each run, newest first, as `studio runs --json` prints them."""
    rows = []
    for run in run_store.list_runs(project):
        row: dict[str, Any] = {
            "run_id": run.id, "kind": run.kind.value, "title": run.title, "state": run.state.value,
            "started_at": run.started_at, "ended_at": run.ended_at, "total": run.total, "cached": run.cached,
            "units": run.counts, "reason": run.reason,
        }  # fmt: skip
        if run.kind is RunKind.JUDGE:
            totals = judging_store.call_totals(project, run.id)
            row |= {
                "calls": totals.calls, "input_tokens": totals.input_tokens, "output_tokens": totals.output_tokens,
                "cost": totals.cost,
            }  # fmt: skip
        rows.append(row)
    return rows


def run_named(project: Project, run_id: str) -> Run:
    """Return a run by its id, or by letters that only its id begins with.

    Raises:
        BadInput: if there is none, or several.
    """
    found = [run for run in run_store.list_runs(project) if run.id == run_id or run.id.startswith(run_id)]
    exact = [run for run in found if run.id == run_id] or found
    if len(exact) != 1:
        what = "several runs" if exact else "no run"
        raise BadInput(f"There is {what} {run_id}.", next_step="studio runs PROJECT lists them.")
    return exact[0]


def _job(
    project: Project,
    wish: JudgeWish,
    cancel: CancelToken,
    *,
    again: Again | None = None,
    failed_of: RunId | None = None,
    planned: list[PlannedConversation] | None = None,
    takes_over: bool = True,
) -> JudgeJob:
    kept: list[PlannedConversation] = [] if planned is None else planned

    def plan(source: Project) -> Sequence[PlannedConversation]:
        mode = Mode.COMPAT if wish.options.compat else Mode.DEFAULT
        material = Material(source, input=wish.options.input, mode=mode, cancel=cancel)
        wanted = wish.wanted
        if wish.options.pairs is Pairs.SWISS:
            wanted = replace(wanted, verdict_of=_verdicts_of(source, wish))
        kept[:] = plan_conversations(source, wanted, material)
        if takes_over and chosen is not Again.ALL:
            take_over(source, wish, _taken(source, wish, kept, version), version)
        return kept if chosen is Again.ALL else [_without_answered(source, wish, each) for each in kept]

    chosen, version = again or (Again.ALL if wish.force else Again.LEFT), judge_version(wish.setup)
    return JudgeJob(
        spec_of_wish(wish), wish.setup, plan, partial(connected, wish.setup), price=judge_price.price_of(wish.setup),
        budget=judge_price.checked_budget(wish.setup, usd=wish.budget_usd, tokens=wish.budget_tokens), again=chosen,
        first=wish.first, failed_of=failed_of, scheduler=wish.scheduler if wish.executor == "dask" else "",
        title=f"{wish.method}",
    )  # fmt: skip


def _taken(project: Project, wish: JudgeWish, planned: Sequence[PlannedConversation], version: str) -> list[TakenUnit]:
    return [] if wish.force else taken_units(project, wish, planned, partial(key_of, version))


def _later_rounds(
    project: Project, wish: JudgeWish, ended: RunEnded, job: JudgeJob, planned: list[PlannedConversation], *,
    emit: Emit, cancel: CancelToken, on_job: Callable[[JudgeJob], None],
) -> tuple[RunEnded, JudgeJob]:  # fmt: skip
    """Run the further rounds of a Swiss tournament, each a run of its own, as long as they end well."""
    asked = len(planned)
    while ended.state is RunState.DONE and not cancel.is_set() and wish.first is None:
        following = _job(project, replace(wish, force=False), cancel, planned=planned)
        following.plan(project)
        if len(planned) <= asked:
            # No further round, or one that is still open because units of it failed.
            break
        asked = len(planned)
        on_job(following)
        later = run_job(project, following, emit=emit, cancel=cancel)
        ended, job = replace(
            later, counts=dict(Counter(ended.counts) + Counter(later.counts)), cached=ended.cached,
            seconds=ended.seconds + later.seconds, earlier=(*ended.earlier, ended.run_id),
        ), following  # fmt: skip
    return ended, job


def _verdicts_of(project: Project, wish: JudgeWish) -> Callable[[PlannedConversation], VerdictRecord | None]:
    """Return what finds the newest record of a conversation by the key of its unit."""
    version = judge_version(wish.setup)
    known = {
        (stored.unit_key, stored.record.deck_id): stored.record
        for stored in judging_store.verdicts_with_evidence(project, judge_id=wish.setup.id)
        if stored.protocol is wish.protocol
    }
    return lambda planned: known.get((key_of(version, planned), planned.deck_id))


def _without_answered(project: Project, wish: JudgeWish, planned: PlannedConversation) -> PlannedConversation:
    """Return a batch that asks only for the items that have no verdict of it yet; anything else as it is."""
    conversation = planned.conversation
    if not isinstance(conversation, BatchConversation):
        return planned
    key = key_of(judge_version(wish.setup), planned)
    known = frozenset(
        stored.record.item_id
        for stored in judging_store.verdicts_with_evidence(project, unit_key=key)
        if stored.record.deck_id == planned.deck_id and stored.record.status is UnitStatus.OK
    )
    return replace(planned, conversation=replace(conversation, answered_before=known)) if known else planned


def _render(
    project: Project, wish: JudgeWish, tools: RenderTools, emit: Emit, cancel: CancelToken,
    passwords: PasswordVault | None,
) -> RunEnded | None:  # fmt: skip
    """Render the decks that have no pages; None if there is nothing to render."""
    job = RenderJob(RunSpec(kind=RunKind.RENDER, deck_ids=wish.deck_ids), tools, passwords)
    return run_job(project, job, emit=emit, cancel=cancel) if job.plan(project).units else None


def _code_job(project: Project, wish: JudgeWish) -> CodeJudgeJob:
    lists = checklist_lists.checklists(project)
    items = {
        instance: [item for item in merged.items if not wish.item_ids or item.id in wish.item_ids]
        for instance, merged in lists.items()
    }
    spec = RunSpec(kind=RunKind.JUDGE, evaluators=(CODE,), deck_ids=wish.deck_ids, force=wish.force)
    return CodeJudgeJob(spec, items)
