"""Makes methods of verdicts that came by table or result file: what they come to stands in Align as a judge's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.actions.judge_scores import SCORE_VERSION, Standing, checklist_values, write_code_scores
from studio.actions.judge_wish import CODE
from studio.jobs.judge_scores import subject_of
from studio.model.decks import DeckStatus
from studio.model.ids import DeckId
from studio.model.judging import JudgingProtocol, VerdictRecord
from studio.model.runs import RunKind, UnitStatus
from studio.model.scores import Score, Verdict
from studio.store import checklist_lists
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project

ORIGIN = "imported verdicts"
"""Stands in a value's detail, so that a later table of verdicts may replace it."""


@dataclass(frozen=True, kw_only=True)
class ScoredVerdicts:
    """What the verdicts of one judge came to."""

    method: str
    values: int
    """New values, those of dimensions and undefined ones among them."""


def score_imported(project: Project) -> list[ScoredVerdicts]:
    """Write the checklist scores of every judge whose verdicts were brought in, as `judge_scores` writes its own.

    A deck counts once every item has a verdict; before that its value is undefined and says how many lack one. A
    method that has values from elsewhere (a run here, a table of scores) keeps them. Doing it twice adds nothing.
    """
    imported = {run.id for run in run_store.list_runs(project) if run.kind is RunKind.IMPORTED}
    by_judge: dict[str, list[Verdict]] = {}
    for verdict in score_store.list_verdicts(project):
        if verdict.run_id is None or verdict.run_id in imported:
            by_judge.setdefault(verdict.judge_id, []).append(verdict)
    found = []
    for judge, verdicts in by_judge.items():
        method = f"{judge}/{JudgingProtocol.CHECKLIST.value}"
        n = write_code_scores(project, run_id=None) if judge == CODE else _write(project, judge, method, verdicts)
        if n:
            found.append(ScoredVerdicts(method=method, values=n))
    return found


def _write(project: Project, judge: str, method: str, verdicts: Sequence[Verdict]) -> int:
    current = {(each.metric, each.deck_id): each for each in score_store.current_scores(project)}
    scores = []
    for value in checklist_values(project, judge, _standing(project, verdicts)):
        metric = method + (f".{value.part}" if value.part else "")
        before = current.get((metric, value.deck_id))
        if before is not None and before.detail.get("origin") != ORIGIN:
            continue
        if before is not None and (before.value, before.undefined_reason) == (value.value, value.reason):
            continue
        scores.append(
            Score(
                run_id=None, metric=metric, metric_version=SCORE_VERSION, preset="benchmark", deck_id=value.deck_id,
                instance_id=value.instance_id, slide=None, value=value.value, undefined_reason=value.reason,
                flags=value.flags, detail={"judge": judge, "origin": ORIGIN, **value.detail},
            )
        )  # fmt: skip
    if scores:
        score_store.append_scores(project, scores)
    return len(scores)


def _standing(project: Project, verdicts: Sequence[Verdict]) -> Standing:
    """Return the verdicts as if every item of the decks that they are about had been asked as often as any was."""
    newest = {(each.deck_id, each.item_id, each.repeat): each for each in verdicts}
    repeats: dict[DeckId, set[int]] = {}
    for deck_id, _, repeat in newest:
        repeats.setdefault(deck_id, set()).add(repeat)
    merged = checklist_lists.checklists(project)
    asked: list[VerdictRecord] = []
    said = {}
    for deck in deck_store.list_decks(project):
        if deck.status is not DeckStatus.PRESENT or deck.id not in repeats:
            continue
        checklist, _ = checklist_lists.checklist_of_deck(project, deck, known=merged[deck.instance_id])
        if not any((deck.id, item.id, repeat) in newest for item in checklist.items for repeat in repeats[deck.id]):
            continue
        for item in checklist.items:
            for repeat in sorted(repeats[deck.id]):
                record = VerdictRecord(
                    instance_id=deck.instance_id, deck_id=deck.id, item_id=item.id, sample=repeat,
                    dimension=item.dimension.value,
                )  # fmt: skip
                asked.append(record)
                verdict = newest.get((deck.id, item.id, repeat))
                if verdict is not None:
                    said[subject_of(record)] = VerdictRecord(
                        instance_id=deck.instance_id, deck_id=deck.id, item_id=item.id, sample=repeat,
                        verdict=verdict.verdict, status=UnitStatus(verdict.status),
                    )  # fmt: skip
    return Standing(asked=tuple(asked), said=said)
