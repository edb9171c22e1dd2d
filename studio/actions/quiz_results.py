"""What the answers to question banks come to: accuracies with n and intervals by deck, comparisons, errors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from studio.actions import review
from studio.actions.quiz_banks import difficulties
from studio.actions.quiz_run import current_answers
from studio.actions.review_quiz import case_of_answer
from studio.actions.source_index import SourceShelf
from studio.errors import BadInput
from studio.exchange.files import csv_text, write_whole
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import DeckStatus
from studio.model.ids import DeckId, InstanceId
from studio.model.protocols import CancelToken
from studio.model.quiz import CHANCE, INSUFFICIENT, AuditedError, Condition, ErrorType, QuizAnswer
from studio.model.reviews import Decision
from studio.stats.agreement import cohen_kappa, cross_table
from studio.stats.intervals import OPTIMISTIC_BELOW, bootstrap_weights, percentile_interval, resampled_means
from studio.stats.statistic import FloatArray
from studio.store import decks as deck_store
from studio.store import quiz_answers as answer_store
from studio.store import quizzes
from studio.store.checklists import as_curated
from studio.store.project import Project

RESAMPLES = 1000
ACCURACY_RULE = (
    "accuracy: mean over decks of correct answers over the questions really asked about the deck; insufficient and "
    "unreadable answers are wrong; interval: 95 % percentile bootstrap over decks, 1000 resamples"
)
_LEVELS = ("low", "medium", "high")


@dataclass(frozen=True, kw_only=True)
class Answered:
    """One answer with what it is grouped by."""

    answer: QuizAnswer
    instance: str
    system: str
    """Empty where no deck was read."""
    scenario: str
    difficulty: str
    error: ErrorType | None
    """Of a wrong answer: what a person decided, else what it looks like."""
    is_audited: bool = False
    topic: str = ""


@dataclass(frozen=True, kw_only=True)
class AccuracyRow:
    """One group's accuracy."""

    level: str
    """``all``, ``deck``, ``system``, ``scenario``, ``difficulty``, ``type``, ``system_scenario`` …"""
    reader: str
    condition: str
    text_from: str
    system: str = ""
    instance: str = ""
    instance_id: str = ""
    deck_id: str = ""
    scenario: str = ""
    difficulty: str = ""
    type: str = ""
    n_questions: int
    """Questions really asked: the denominator."""
    n_decks: int
    correct: int
    insufficient: int
    accuracy: float | None
    """0 to 1."""
    ci_low: float | None
    ci_high: float | None
    is_optimistic: bool
    """Fewer than ten decks: the interval is too narrow."""
    undefined_reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class ErrorShare:
    """How many wrong answers are of one type."""

    reader: str
    system: str
    """Empty: all systems."""
    topic: str
    error_type: str
    n: int
    n_audited: int
    share: float
    """Of the wrong answers of the group."""


GROUPS: Mapping[str, tuple[str, ...]] = {
    "all": (),
    "system": ("system",),
    "scenario": ("scenario",),
    "difficulty": ("difficulty",),
    "type": ("type",),
    "system_scenario": ("system", "scenario"),
    "system_difficulty": ("system", "difficulty"),
    "system_type": ("system", "type"),
    "instance": ("instance",),
    "deck": ("instance", "system"),
}
"""Groupings; the published tables 1 and 24 are by system, 20 by scenario, 21 by difficulty, 23 the error types, as
far as their numbers tell what stands in them."""


def gather(project: Project, *, shelf: SourceShelf | None = None, cancel: CancelToken | None = None) -> list[Answered]:
    """Return all answers that count, each with its groups and the type of its error."""
    instances = {item.id: item for item in deck_store.list_instances(project)}
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    levels = _difficulty_levels(project, shelf, cancel)
    audited = {
        (each.deck_id, each.bank_id, each.question_id, each.reader): each for each in answer_store.audits(project)
    }
    found = []
    for answer in current_answers(project):
        instance = instances.get(answer.instance_id)
        if instance is None:
            continue
        deck = decks.get(answer.deck_id)
        verdict = audited.get((answer.deck_id, answer.bank_id, answer.question_id, answer.reader))
        found.append(
            Answered(
                answer=answer, instance=instance.name, system=deck.system if deck is not None else "",
                scenario=instance.scenario, difficulty=levels.get(instance.id, ""), **_error(answer, verdict),
            )
        )  # fmt: skip
    return found


def _error(answer: QuizAnswer, verdict: AuditedError | None) -> dict[str, Any]:
    if answer.is_correct:
        return {"error": None}
    if verdict is not None:
        return {"error": verdict.error_type, "is_audited": True, "topic": verdict.topic}
    return {"error": answer.presort or ErrorType.OTHER}


def _difficulty_levels(
    project: Project, shelf: SourceShelf | None, cancel: CancelToken | None
) -> dict[InstanceId, str]:
    """Return each instance's level: as curation or record says it where that is one of the three, else by richness."""
    instances = as_curated(project, deck_store.list_instances(project))
    stated = {item.id: item.difficulty.casefold() for item in instances if item.difficulty.casefold() in _LEVELS}
    if len(stated) == len(instances):
        return stated
    known, _ = difficulties(project, shelf=shelf, cancel=cancel)
    return {key: value.level.value for key, value in known.items() if value.level is not None} | stated


@dataclass
class _Cell:
    """The answers of one reader about one deck, of one type of question."""

    groups: dict[str, str]
    unit: tuple[str, str]
    """Instance and deck."""
    asked: int = 0
    correct: int = 0
    insufficient: int = 0


def accuracy_rows(answered: Sequence[Answered], levels: Iterable[str] = GROUPS, *, seed: int = 0) -> list[AccuracyRow]:
    """Return one row for each reader, condition and group; groups without a question are not there."""
    runs: dict[tuple[str, str, str], dict[tuple[str, str, str], _Cell]] = {}
    for each in answered:
        answer = each.answer
        cells = runs.setdefault((answer.reader, answer.condition.value, answer.text_from), {})
        unit = (str(answer.instance_id), str(answer.deck_id))
        cell = cells.get((*unit, answer.type.value))
        if cell is None:
            groups = {
                "system": each.system, "scenario": each.scenario, "difficulty": each.difficulty,
                "instance": each.instance, "type": answer.type.value,
            }  # fmt: skip
            cell = cells[(*unit, answer.type.value)] = _Cell(groups=groups, unit=unit)
        cell.asked += 1
        cell.correct += answer.is_correct
        cell.insufficient += answer.answer == INSUFFICIENT
    rows = []
    weights: dict[int, FloatArray] = {}
    wanted = list(levels)
    for (reader, condition, text_from), of_run in runs.items():
        for level in wanted:
            if condition != Condition.SLIDES and ("system" in level or level == "deck"):
                continue
            grouped: dict[tuple[str, ...], list[_Cell]] = {}
            for cell in of_run.values():
                grouped.setdefault(tuple(cell.groups[name] for name in GROUPS[level]), []).append(cell)
            for values, members in grouped.items():
                named = dict(zip(GROUPS[level], values, strict=True))
                if level in {"deck", "instance"}:
                    named["instance_id"] = members[0].unit[0]
                if level == "deck":
                    named["deck_id"] = members[0].unit[1]
                rows.append(
                    _row(
                        members, seed, weights, level=level, reader=reader, condition=condition, text_from=text_from,
                        **named,
                    )
                )  # fmt: skip
    return rows


def _row(members: Sequence[_Cell], seed: int, weights: dict[int, FloatArray], **named: Any) -> AccuracyRow:
    asked: dict[tuple[str, str], list[int]] = {}
    for cell in members:
        counts = asked.setdefault(cell.unit, [0, 0])
        counts[0] += cell.asked
        counts[1] += cell.correct
    values = np.array([correct / n for n, correct in asked.values()])
    n = len(values)
    low = high = mean = float(values.mean())
    if np.ptp(values) > 0:
        if n not in weights:
            # The same draws serve every group of as many decks.
            weights[n] = bootstrap_weights(n, resamples=RESAMPLES, seed=seed)
        interval = percentile_interval(resampled_means(values, weights[n]))
        assert interval.low is not None
        assert interval.high is not None
        low, high = interval.low, interval.high
    return AccuracyRow(
        n_questions=sum(cell.asked for cell in members), n_decks=n, correct=sum(cell.correct for cell in members),
        insufficient=sum(cell.insufficient for cell in members), accuracy=mean, ci_low=low, ci_high=high,
        is_optimistic=n < OPTIMISTIC_BELOW, **named,
    )  # fmt: skip


def error_shares(answered: Sequence[Answered], *, by: str = "") -> list[ErrorShare]:
    """Return the types of wrong answers about slides.

    Args:
        answered: from `gather`.
        by: ``system``, ``topic`` (what auditors wrote; else the scenario) or empty for all together.
    """
    groups: dict[tuple[str, str, str], list[Answered]] = {}
    for each in answered:
        if each.error is None or each.answer.condition is not Condition.SLIDES:
            continue
        system = each.system if by == "system" else ""
        topic = (each.topic or each.scenario or each.instance) if by == "topic" else ""
        groups.setdefault((each.answer.reader, system, topic), []).append(each)
    return [
        ErrorShare(
            reader=reader, system=system, topic=topic, error_type=kind.value, n=len(of_kind),
            n_audited=sum(each.is_audited for each in of_kind), share=len(of_kind) / len(members),
        )
        for (reader, system, topic), members in groups.items()
        for kind in ErrorType
        if (of_kind := [each for each in members if each.error is kind]) or not (system or topic)
    ]  # fmt: skip


def generation_accuracy(answered: Sequence[Answered], *, reader: str) -> dict[str, float | None]:
    """Return the accuracy of slides apart from that of reading them, 0 to 1: means over decks, as in `accuracy_rows`.

    ``as_read``: of all questions; ``without_extraction_failures``: of those questions that were not lost in turning
    slides into words. None where there is no such question.
    """
    own = [each for each in answered if each.answer.reader == reader and each.answer.condition is Condition.SLIDES]
    kept = [each for each in own if each.error is not ErrorType.EXTRACTION]
    return {"as_read": _mean_over_decks(own), "without_extraction_failures": _mean_over_decks(kept)}


def _mean_over_decks(of: Sequence[Answered]) -> float | None:
    by_deck: dict[tuple[InstanceId, DeckId], list[bool]] = {}
    for each in of:
        by_deck.setdefault((each.answer.instance_id, each.answer.deck_id), []).append(each.answer.is_correct)
    return sum(sum(right) / len(right) for right in by_deck.values()) / len(by_deck) if by_deck else None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two readers, or two conditions, on the questions that both answered."""

    first: str
    second: str
    n: int
    """Questions (about a deck) that both were asked."""
    first_accuracy: float | None
    second_accuracy: float | None
    same_answer: float | None
    """Share with the same answer."""
    kappa: float | None
    """Cohen's, on correct and wrong; None where one of them is always the same."""


def compare_backends(answered: Sequence[Answered]) -> list[Comparison]:
    """Return every pair of readers on slides, on what both were asked."""
    by_reader: dict[str, dict[tuple[str, str, str], QuizAnswer]] = {}
    for each in answered:
        if each.answer.condition is Condition.SLIDES:
            name = each.answer.reader
            if each.answer.text_from != each.answer.reader:
                name = f"{each.answer.reader} (text by {each.answer.text_from})"
            key = (each.answer.bank_id, each.answer.question_id, str(each.answer.deck_id))
            by_reader.setdefault(name, {})[key] = each.answer
    names = sorted(by_reader)
    return [
        _compared(one, other, by_reader[one], by_reader[other])
        for place, one in enumerate(names)
        for other in names[place + 1 :]
    ]


def _compared(
    one: str, other: str, first: Mapping[tuple[str, str, str], QuizAnswer],
    second: Mapping[tuple[str, str, str], QuizAnswer],
) -> Comparison:  # fmt: skip
    both = [(first[key], second[key]) for key in first if key in second]
    n = len(both)
    if not n:
        return Comparison(
            first=one, second=other, n=0, first_accuracy=None, second_accuracy=None, same_answer=None, kappa=None
        )
    left = sum(each.is_correct for each, _ in both) / n
    right = sum(each.is_correct for _, each in both) / n
    table = cross_table(
        [each.is_correct for each, _ in both], [each.is_correct for _, each in both], labels=[False, True]
    )  # fmt: skip
    return Comparison(
        first=one, second=other, n=n, first_accuracy=left, second_accuracy=right,
        same_answer=sum(a.answer == b.answer for a, b in both) / n,
        kappa=cohen_kappa(table).value if 0 < left < 1 and 0 < right < 1 else None,
    )  # fmt: skip


def chance_test(answered: Sequence[Answered], *, reader: str) -> dict[str, Any]:
    """Return how a reader's closed-book run stands to chance (one in four): accuracy, n and the two-sided exact p."""
    from scipy.stats import binomtest

    own = [
        each.answer for each in answered
        if each.answer.reader == reader and each.answer.condition is Condition.CLOSED_BOOK
    ]  # fmt: skip
    n, correct = len(own), sum(each.is_correct for each in own)
    p = float(binomtest(correct, n, CHANCE).pvalue) if n else math.nan
    return {
        "reader": reader, "n": n, "correct": correct, "accuracy": correct / n if n else None, "chance": CHANCE,
        "p": p if n else None, "undefined_reason": None if n else "no closed-book run",
    }  # fmt: skip


def rows_json(rows: Sequence[AccuracyRow]) -> list[dict[str, Any]]:
    """Return accuracy rows as JSON values."""
    return [asdict(row) for row in rows]


def rows_csv(rows: Sequence[Any]) -> str:
    """Return rows of one kind as CSV; undefined values are empty, the reason beside them."""
    values = [asdict(row) for row in rows]
    return csv_text(tuple(values[0]) if values else ("level",), values)


def audit_errors(project: Project, decided: Sequence[AuditedError]) -> Changes:
    """Store what a person decided about wrong answers.

    Raises:
        BadInput: without a person's name.
    """
    if any(not each.audited_by.strip() for each in decided):
        raise BadInput("Nobody is named who decides.", next_step="Give a name in the settings.")
    asked = {(bank.id, each.id): each for bank in quizzes.list_banks(project) for each in bank.asked}
    answers = {
        (each.deck_id, each.bank_id, each.question_id, each.reader): each
        for each in current_answers(project, condition=Condition.SLIDES)
    }
    with project.writing(is_durable=True):
        for each in decided:
            answer_store.append_audit(project, each)
            answer = answers.get((each.deck_id, each.bank_id, each.question_id, each.reader))
            if answer is not None and not answer.is_correct:
                # The same decision as on the review desk, so that it is open on neither.
                case = case_of_answer(answer, asked[each.bank_id, each.question_id])
                reviewer = review.reviewer_named(project, each.audited_by).id
                review.decide(
                    project, case, Decision.WRONG, reviewer=reviewer, error_type=each.error_type.value, is_blind=False
                )
    return changed(Topic.QUIZ, Topic.ANSWERS)


def write_rows(path: Path, rows: Sequence[Any]) -> Path:
    """Write rows of one kind as CSV and return the file."""
    write_whole(path, rows_csv(rows))
    return path


def missing_decks(project: Project, answered: Sequence[Answered]) -> dict[str, int]:
    """Return by system how many decks that are there were not answered about."""
    known: set[DeckId] = {each.answer.deck_id for each in answered if each.answer.condition is Condition.SLIDES}
    asked = {each.answer.instance_id for each in answered}
    return dict(
        Counter(
            deck.system for deck in deck_store.list_decks(project)
            if deck.status is DeckStatus.PRESENT and deck.instance_id in asked and deck.id not in known
        )
    )  # fmt: skip
