"""Going on from result files: verdicts that came from a file count for a judge run of the same model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.actions.judge_wish import JudgeWish, spec_of_wish
from studio.exchange.presentbench_files import file_prefix
from studio.exchange.presentbench_verdicts import JUDGE, judge_id_of
from studio.judges.evidence import slides_named, source_quotes
from studio.model.checklists import EvidenceBox
from studio.model.ids import DeckId, InstanceId, RunId, new_id
from studio.model.judging import JudgingProtocol, ParseStatus, PlannedConversation, VerdictRecord
from studio.model.runs import Run, RunKind, RunState, UnitRecord, UnitStatus
from studio.model.scores import Verdict
from studio.store import checklist_lists as list_store
from studio.store import checklist_replies as reply_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project, utc_now
from studio.store.values import plain

TAKEN_FROM = "taken_from"
"""Detail of a verdict: the result file that it came from."""
KeyOf = Callable[[PlannedConversation], str]
_Place = tuple[DeckId, str, int]
"""Deck, item, repeat."""


@dataclass(frozen=True, kw_only=True)
class TakenUnit:
    """A conversation that need not be held, or not about all of its items."""

    planned: PlannedConversation
    key: str
    records: tuple[VerdictRecord, ...]
    """Verdicts that came from files."""
    replies: tuple[reply_store.Reply, ...]
    """What stood in the files."""
    is_whole: bool
    """Whether nothing of it is left to ask."""


def taken_units(
    project: Project, wish: JudgeWish, planned: Sequence[PlannedConversation], key_of: KeyOf
) -> list[TakenUnit]:
    """Return what result files of the wish's model and thinking level already answer, and is not taken over yet.

    A verdict counts only while what it is about stands as it was: the deck's file, the item's words and rules, and
    the words that judges read before it. What a file leaves open is not among them.
    """
    if wish.protocol is not JudgingProtocol.CHECKLIST:
        return []
    verdicts = _verdicts(project, wish)
    if not verdicts:
        return []
    files = _files(project, {verdict.run_id for verdict in verdicts.values()})
    since = _Since(project)
    replies: dict[tuple[RunId | None, DeckId, str, int], reply_store.Reply]
    replies = {(one.run_id, one.deck_id, one.item_id, one.repeat): one for one in reply_store.newest(project)}
    before = {
        (stored.unit_key, stored.record.deck_id, stored.record.item_id)
        for stored in judging_store.verdicts_with_evidence(project, judge_id=wish.setup.id)
        if stored.record.status is UnitStatus.OK
    }
    found = []
    for each in planned:
        if each.blocked:
            continue
        key = key_of(each)
        subjects = each.conversation.subjects()
        records, raw = [], []
        n_before = 0
        for about in subjects:
            if (key, about.deck_id, about.item_id) in before:
                n_before += 1
                continue
            verdict = verdicts.get((about.deck_id, about.item_id, about.sample))
            if verdict is None:
                continue
            file, at = files.get((verdict.run_id, verdict.deck_id), ("", ""))
            if not file or since.of(each.instance_id, about.item_id) > at:
                continue
            reply = replies.get((verdict.run_id, verdict.deck_id, verdict.item_id, verdict.repeat))
            records.append(_record(about, verdict, reply, file, shown=tuple(getattr(each.conversation, "shown", ()))))
            if reply is not None:
                raw.append(reply)
        if records:
            found.append(
                TakenUnit(
                    planned=each, key=key, records=tuple(records), replies=tuple(raw),
                    is_whole=len(records) + n_before == len(subjects),
                )
            )  # fmt: skip
    return found


def take_over(project: Project, wish: JudgeWish, units: Sequence[TakenUnit], version: str) -> RunId | None:
    """Store what result files answer as verdicts of the judge, in one run of its own; None if there is nothing."""
    if not units:
        return None
    run_id, now = RunId(new_id("run")), utc_now()
    prefix = prefix_of(wish)
    with project.writing(is_durable=True):
        run_store.add_run(
            project,
            Run(
                id=run_id, kind=RunKind.JUDGE, title=f"Taken over from results of {prefix}",
                spec=plain(spec_of_wish(wish)) | {TAKEN_FROM: judge_id_of(prefix)}, state=RunState.DONE,
                started_at=now, ended_at=now, total=sum(unit.is_whole for unit in units),
            ),
        )  # fmt: skip
        for unit in units:
            judging_store.append_outcome(
                project,
                judging_store.UnitOutcome(
                    run_id=run_id, unit_key=unit.key, judge_id=wish.setup.id, judge_version=version,
                    protocol=wish.protocol, prompt_version=JUDGE, model=wish.setup.model, verdicts=unit.records,
                ),
            )  # fmt: skip
        reply_store.append(project, [replace(reply, run_id=run_id) for unit in units for reply in unit.replies])
        run_store.add_units(
            project,
            [
                UnitRecord(
                    run_id=run_id, key=unit.key, deck_id=unit.planned.deck_id, instance_id=unit.planned.instance_id,
                    label=unit.planned.label, status=UnitStatus.OK, at=now,
                )
                for unit in units
                if unit.is_whole
            ],
        )  # fmt: skip
        run_store.end_run(project, run_id, RunState.DONE, {UnitStatus.OK.value: sum(unit.is_whole for unit in units)})
    return run_id


def prefix_of(wish: JudgeWish) -> str:
    """Return how result files of the wish's model and thinking level begin."""
    return file_prefix(wish.setup.model, str(wish.setup.settings.get("thinking", "")))


def _verdicts(project: Project, wish: JudgeWish) -> dict[_Place, Verdict]:
    """Return the newest verdict of each place in files of this model; one without a yes or no hides earlier ones."""
    judge = judge_id_of(prefix_of(wish))
    newest = {
        (each.deck_id, each.item_id, each.repeat): each
        for each in score_store.list_verdicts(project)
        if each.judge_id == judge
    }
    return {
        place: each
        for place, each in newest.items()
        if each.status == UnitStatus.OK.value and each.verdict in {"yes", "no"}
    }


def _files(project: Project, run_ids: set[RunId | None]) -> dict[tuple[RunId | None, DeckId], tuple[str, str]]:
    """Return for each imported run and deck the file that came last, and when."""
    return {
        (run_id, unit.deck_id): (unit.label.rpartition(" · ")[2], unit.at)
        for run_id in run_ids
        if run_id is not None
        for unit in run_store.units_of(project, run_id)
    }


def _record(
    about: VerdictRecord, verdict: Verdict, reply: reply_store.Reply | None, file: str, *, shown: tuple[int, ...]
) -> VerdictRecord:
    words = (reply.explanation or "") if reply is not None else ""
    detail: Mapping[str, Any] = {**about.detail, TAKEN_FROM: file}
    return replace(
        about, verdict=verdict.verdict, score=float(verdict.verdict == "yes"), scale=(0.0, 1.0), parse=ParseStatus.OK,
        reason=words.strip(), boxes=tuple(EvidenceBox(slide=slide) for slide in slides_named(words, shown)),
        quotes=source_quotes(words), detail=detail,
    )  # fmt: skip


class _Since:
    """Since when an item of an instance is asked in the words that it has now."""

    def __init__(self, project: Project) -> None:
        self._items = {item.id: item.at for item in checklist_store.list_items(project)}
        instances = deck_store.list_instances(project)
        self._prefixes: dict[InstanceId, str] = {
            instance.id: max(
                (checklist_store.prefixes_since(project, scope) for scope in list_store.scopes_of(instance)), default=""
            )
            for instance in instances
        }

    def of(self, instance_id: InstanceId, item_id: str) -> str:
        """Return a time as ISO 8601 in UTC; empty where nothing is known to have changed."""
        items: Mapping[str, str] = self._items  # type: ignore[assignment]  # ids are text
        return max(items.get(item_id.partition("@")[0], ""), self._prefixes.get(instance_id, ""))
