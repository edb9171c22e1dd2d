"""Judging decks by code items: offline, free, and the same every time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from studio.checklists.rules import UnknownRule, rule_named
from studio.checklists.rules.work import CodeOutcome, CodeTask, judge_task
from studio.decks.evidence.drawn import DRAWS_ITSELF
from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.render_job import wanted_decks
from studio.model.checklists import Finding, Item, ItemKind
from studio.model.decks import Deck, DeckStatus, Failure
from studio.model.ids import InstanceId, RunId
from studio.model.judging import JudgingProtocol, VerdictRecord
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.model.scores import Verdict
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project

JUDGE_ID = "code"
_MODEL = "rules"
_MAX_SECONDS = 300.0
_EVIDENCE_VERSION = 1
"""Goes up when the same file would be read as other evidence."""


@dataclass(frozen=True, kw_only=True)
class CodeVerdict:
    """A verdict with the finding that it rests on, for those who keep reasons and places too."""

    verdict: Verdict
    finding: Finding | None
    """None for a call that could not be run; `error` says why."""
    error: str = ""
    unit_key: str = ""
    dimension: str = ""


Keep = Callable[[Project, Sequence[CodeVerdict]], None]
"""Stores verdicts, inside the transaction that stores their unit."""


def keep_verdicts(project: Project, verdicts: Sequence[CodeVerdict]) -> None:
    """Store the verdicts with their reasons and places."""
    with project.writing() as db:
        numbers = score_store.append_verdicts(project, [each.verdict for each in verdicts])
        for number, each in zip(numbers, verdicts, strict=True):
            verdict, finding = each.verdict, each.finding
            record = VerdictRecord(
                instance_id=verdict.instance_id, deck_id=verdict.deck_id, item_id=verdict.item_id,
                verdict=verdict.verdict, status=UnitStatus(verdict.status), dimension=each.dimension,
                reason=finding.reason if finding is not None else each.error,
                boxes=finding.boxes if finding is not None else (),
                quotes=finding.quotes if finding is not None else (),
                detail={"is_suggestion": True} if finding is not None and finding.is_suggestion else {},
            )  # fmt: skip
            judging_store.append_details(
                db.conn, number, record, unit_key=each.unit_key, protocol=JudgingProtocol.CHECKLIST,
                judge_version=verdict.prompt_version,
            )  # fmt: skip


class CodeJudgeJob:
    """Judges each deck by the code items of its instance, all of them at once, since reading it is the work."""

    kind = RunKind.JUDGE
    title = "Code judge"

    def __init__(
        self, spec: RunSpec, items: Mapping[InstanceId, Sequence[Item]], *, keep: Keep = keep_verdicts
    ) -> None:
        """Set the job up.

        Args:
            spec: which decks, how many workers.
            items: what each instance's decks are asked; only code items count, retired ones do not.
            keep: what to do with the verdicts of a deck.
        """
        self.spec = spec
        self._items = {
            instance_id: tuple(item for item in asked if item.rule is not None and not item.is_retired
                               and item.kind in {ItemKind.CODE, ItemKind.TOOL_ERROR})
            for instance_id, asked in items.items()
        }  # fmt: skip
        self._keep = keep

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. Equal files, rules, versions and parameters are judged once."""
        units, blocked = [], []
        for deck in wanted_decks(project, self.spec):
            if not self._items.get(deck.instance_id):
                continue
            unit = self._unit(project, deck)
            if unit.payload is None:
                blocked.append(_blocked(unit, deck))
            else:
                units.append(unit)
        done = run_store.done_units(project, self.kind)
        left = tuple(unit for unit in units if self.spec.force or (unit.key, unit.deck_id) not in done)
        return Plan(units=left, cached=len(units) - len(left), blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ProcessExecutor(self.spec.workers or os.cpu_count() or 1, limit_s=_MAX_SECONDS)

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return judge_task

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`. A deck that could not be judged leaves no verdicts, only its unit."""
        if result.status is not UnitStatus.OK:
            return
        outcomes: tuple[CodeOutcome, ...] = result.value
        items = self._items[result.unit.instance_id]
        self._keep(
            project,
            [
                _verdict(result.unit, item, outcome, run_id, index)
                for index, (item, outcome) in enumerate(zip(items, outcomes, strict=True))
            ],
        )

    def _unit(self, project: Project, deck: Deck) -> Unit:
        items = self._items[deck.instance_id]
        task, pages = None, ""
        if deck.status is DeckStatus.PRESENT and deck.asset is not None and deck.format is not None:
            folder = deck_store.page_folder(project, deck.id)
            pdf = folder / "deck.pdf" if folder is not None else None
            is_drawn = pdf is not None and pdf.is_file()
            pages = folder.name if folder is not None and is_drawn else ""
            task = CodeTask(
                path=project.asset_path(deck.asset, deck.extension), format=deck.format,
                pdf=pdf if is_drawn and deck.format not in DRAWS_ITSELF else None,
                why_no_pages=deck.render_reason or "the deck's pages were not drawn; render it first",
                calls=tuple(item.rule for item in items if item.rule is not None),
            )  # fmt: skip
        calls = [(item.id, item.version, *_call_key(item)) for item in items]
        key = unit_key("code", _EVIDENCE_VERSION, deck.asset or deck.id, deck.reason, pages, calls)
        return Unit(key=key, deck_id=deck.id, instance_id=deck.instance_id, label=deck.system, payload=task)


def _call_key(item: Item) -> tuple[object, ...]:
    if item.rule is None:
        return ()
    return (item.rule.rule, _version(item.rule.rule), item.rule.parameters)


def _version(name: str) -> int:
    try:
        return rule_named(name).version
    except UnknownRule:
        return 0


def _verdict(unit: Unit, item: Item, outcome: CodeOutcome, run_id: str, index: int) -> CodeVerdict:
    finding = outcome.finding
    status = UnitStatus.OK
    if finding is None:
        status = UnitStatus.TOOL_ERROR
    elif finding.answer is None:
        status = UnitStatus.INCOMPLETE
    verdict = Verdict(
        run_id=RunId(run_id), judge_id=JUDGE_ID, model=_MODEL,
        prompt_version=f"{outcome.call.rule}@{_version(outcome.call.rule)}", instance_id=unit.instance_id,
        deck_id=unit.deck_id, item_id=item.id, status=status.value, order_index=index,
        verdict=finding.answer.value if finding is not None and finding.answer is not None else "",
    )  # fmt: skip
    return CodeVerdict(
        verdict=verdict, finding=finding, error=outcome.error, unit_key=unit.key, dimension=item.dimension.value
    )


def _blocked(unit: Unit, deck: Deck) -> UnitResult:
    kind, _, message = deck.reason.partition(": ")
    failure = Failure(kind=kind or deck.status.value, message=message or deck.reason or deck.status.value)
    return UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure, value=None)
