"""What one verdict on one item rests on, beside what people marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.actions import checklist_answers
from studio.checklists.rules.work import judge_task
from studio.decks.workers import in_worker
from studio.jobs.code_judge_job import JUDGE_ID, CodeJudgeJob
from studio.judges.evidence import slides_named, source_quotes
from studio.model.checklists import EvidenceBox, Item, SourceQuote
from studio.model.ids import DeckId
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec
from studio.store import checklist_lists as list_store
from studio.store import checklist_replies as reply_store
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import people as people_store
from studio.store import runs as run_store
from studio.store.project import Project

_TIMEOUT_S = 300.0


@dataclass(frozen=True, kw_only=True)
class Said:
    """What one person or one judge says about one item of one deck, and what it rests on."""

    who: str
    answer: str
    """As `ItemAnswer` has it; empty where there is none."""
    words: str = ""
    """A comment, a judge's reply, or the reason of a rule."""
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    is_suggestion: bool = False
    """A rule that only approximates the question."""

    @property
    def slides(self) -> tuple[int, ...]:
        """The slides that it rests on, in order."""
        return tuple(sorted({box.slide for box in self.boxes}))


def evidence_of(
    project: Project, deck_id: DeckId, item_id: str, judge_id: str, *, cancel: CancelToken
) -> tuple[Said, ...]:
    """Return what a judge says about an item of a deck, then what each person says, with what each rests on.

    The code rules are run again on the deck's file, which gives what they gave: they have no chance in them.
    """
    machine = _judge(project, deck_id, item_id, judge_id, cancel)
    names = {person.id: person.name for person in people_store.list_annotators(project)}
    people = [
        Said(
            who=names.get(person, person), answer=reply.answer.value if reply.answer is not None else "",
            words=reply.comment, boxes=reply.boxes, quotes=reply.quotes,
        )
        for person, reply in checklist_answers.human_replies(project, deck_id).get((deck_id, item_id), {}).items()
    ]  # fmt: skip
    return (machine, *people)


def _judge(project: Project, deck_id: DeckId, item_id: str, judge_id: str, cancel: CancelToken) -> Said:
    if judge_id == JUDGE_ID:
        return _rule(project, deck_id, item_id, cancel)
    for stored in reversed(judging_store.verdicts_with_evidence(project, judge_id=judge_id)):
        record = stored.record
        if (record.deck_id, record.item_id, record.sample) == (deck_id, item_id, 0):
            return Said(
                who=judge_id, answer=record.verdict, words=record.reason, boxes=record.boxes, quotes=record.quotes
            )
    runs = {run.id for run in run_store.list_runs(project) if run.spec.get("judge_id") == judge_id}
    found = [
        reply
        for reply in reply_store.newest(project, deck_id=deck_id)
        if reply.item_id == item_id and reply.repeat == 0 and reply.run_id in runs
    ]
    if not found:
        return Said(who=judge_id, answer="", words="Nothing more than the answer is kept of this verdict.")
    words = found[-1].explanation or found[-1].log or ""
    shown = [slide.number for slide in deck_store.list_slides(project, deck_id)]
    said = (found[-1].answer or "").strip().lower()
    return Said(
        who=judge_id, answer=said if said in {"yes", "no"} else "", words=words.strip(),
        boxes=tuple(EvidenceBox(slide=slide) for slide in slides_named(words, shown)), quotes=source_quotes(words),
    )  # fmt: skip


def _rule(project: Project, deck_id: DeckId, item_id: str, cancel: CancelToken) -> Said:
    deck = next((each for each in deck_store.list_decks(project) if each.id == deck_id), None)
    asked: Sequence[Item] = list_store.checklist_of(project, deck.instance_id).items if deck is not None else ()
    item = next((each for each in asked if each.id == item_id), None)
    if deck is None or item is None:
        return Said(who=JUDGE_ID, answer="", words="This item is not asked of the deck any more.")
    if item.rule is None:
        return Said(who=JUDGE_ID, answer="", words="No rule answers this item.")
    job = CodeJudgeJob(RunSpec(kind=RunKind.JUDGE, deck_ids=(deck_id,), force=True), {deck.instance_id: [item]})
    plan = job.plan(project)
    if not plan.units or plan.units[0].payload is None:
        return Said(who=JUDGE_ID, answer="", words="The deck cannot be read by the code rules.")
    outcome = in_worker(judge_task, plan.units[0].payload, timeout_s=_TIMEOUT_S, cancel=cancel)[0]
    finding = outcome.finding
    if finding is None:
        return Said(who=JUDGE_ID, answer="", words=outcome.error)
    return Said(
        who=JUDGE_ID, answer=finding.answer.value if finding.answer is not None else "", words=finding.reason,
        boxes=finding.boxes, quotes=finding.quotes, is_suggestion=finding.is_suggestion,
    )  # fmt: skip
