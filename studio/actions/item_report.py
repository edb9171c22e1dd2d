"""The per-item report: which items people and judges dispute, which are ambiguous, and which tell decks apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from studio.actions import checklist_stats
from studio.actions.adjudication import decided_items, standing_reviews
from studio.actions.checklist_answers import human_replies
from studio.actions.checklist_stats import ItemComparison, ItemStatistics, base_id
from studio.actions.review_items import item_cases, words_of
from studio.exchange.files import csv_text, write_whole
from studio.model.checklists import Item, ItemAnswer
from studio.model.reviews import DisputeKind
from studio.stats.calibration import FEW_POSITIVES_BELOW
from studio.store import checklist_lists as list_store
from studio.store.project import Project

SAME_BELOW, UNSURE_FROM = 0.75, 0.25
"""An item is ambiguous where fewer pairs of people than this say the same, or this many answers are no verdict."""
DISCRIMINATION_FROM = 0.1
"""Below this correlation with the rest of the checklist an item does not tell good decks from bad ones."""
FEWEST_DECKS = 5
"""Of fewer decks nothing is said about telling them apart."""
DISPUTED_BELOW = 0.8
"""A judge disputes an item where it says as people do on a smaller share of decks."""


class ItemFlag(StrEnum):
    """What is conspicuous about an item."""

    DISPUTED = "disputed"
    AMBIGUOUS = "ambiguous"
    SAME_FOR_ALL = "same_for_all"
    NOT_DISCRIMINATING = "not_discriminating"
    FEW_NO = "few_no"


FLAG_WORDS = {
    ItemFlag.DISPUTED: f"a judge says otherwise than people on more than {100 * (1 - DISPUTED_BELOW):.0f} % of decks",
    ItemFlag.AMBIGUOUS: f"fewer than {100 * SAME_BELOW:.0f} % of pairs of people say the same, "
    f"or {100 * UNSURE_FROM:.0f} % cannot tell",
    ItemFlag.SAME_FOR_ALL: "every deck gets the same answer",
    ItemFlag.NOT_DISCRIMINATING: f"correlates with the other items below {DISCRIMINATION_FROM:g}",
    ItemFlag.FEW_NO: f"people say no fewer than {FEW_POSITIVES_BELOW} times, so precision and recall say little",
}


@dataclass(frozen=True, kw_only=True)
class ItemReport:
    """One item over all decks that people answered it for."""

    item_id: str
    text: str
    dimension: str
    statistics: ItemStatistics
    answers: dict[str, int]
    """How often people gave each answer."""
    n_split: int
    """Decks about which people disagree."""
    n_disputed: int
    """Decks about which some judge says otherwise than most people."""
    n_adjudicated: int
    judges: tuple[ItemComparison, ...]
    flags: tuple[ItemFlag, ...]


def item_report(project: Project, *, judges: Sequence[str] | None = None) -> list[ItemReport]:
    """Return every item that people answered, the most conspicuous first.

    Args:
        project: an open project.
        judges: whose verdicts are compared; None for all that have any.
    """
    statistics = {each.item_id: each for each in checklist_stats.item_statistics(project)}
    compared: dict[str, list[ItemComparison]] = {}
    for each in checklist_stats.compare(project, judges):
        compared.setdefault(each.item_id, []).append(each)
    answers: dict[str, Counter[str]] = {}
    for case, replies in human_replies(project).items():
        said = [reply.answer.value for reply in replies.values() if reply.answer is not None]
        answers.setdefault(base_id(case[1]), Counter()).update(said)
    split: Counter[str] = Counter()
    disputed: Counter[str] = Counter()
    for found in item_cases(project):
        kinds = {
            each.kind for each in found.disputes
            if each.kind is not DisputeKind.PEOPLE_MACHINE or judges is None or each.who_b in judges
        }  # fmt: skip
        split[base_id(found.item_id)] += DisputeKind.PEOPLE in kinds
        disputed[base_id(found.item_id)] += DisputeKind.PEOPLE_MACHINE in kinds
    decided = Counter(base_id(item) for _, item in decided_items(standing_reviews(project).values()))
    items: dict[str, Item] = {
        base_id(item.id): item for checklist in list_store.checklists(project).values() for item in checklist.items
    }
    reports = []
    for item_id, counts in answers.items():
        item, of = items.get(item_id), tuple(compared.get(item_id, ()))
        one = statistics[item_id]
        reports.append(
            ItemReport(
                item_id=item_id, text=words_of(item, item_id), dimension=item.dimension.value if item else "",
                statistics=one, answers=dict(counts), n_split=split[item_id], n_disputed=disputed[item_id],
                n_adjudicated=decided[item_id], judges=of, flags=tuple(_flags(one, counts, of)),
            )
        )  # fmt: skip
    return sorted(reports, key=lambda each: (-len(_serious(each)), -each.n_disputed, -each.n_split, each.item_id))


COLUMNS = (
    "item_id", "dimension", "text", "judge_id", "n_decks", "prevalence", "alpha", "same_people", "discrimination",
    "n_split", "n_disputed", "n_adjudicated", "n_compared", "same", "no_precision", "no_recall", "no_f1",
    "no_precision_low", "no_precision_high", "no_recall_low", "no_recall_high", "kappa", "ac1", "support", "coverage",
    "flags", "undefined",
)  # fmt: skip


def report_rows(reports: Sequence[ItemReport]) -> list[dict[str, Any]]:
    """Return one row for each item and judge, or one without a judge where none answered; undefined is None."""
    rows = []
    for each in reports:
        own = each.statistics
        shared = {
            "item_id": each.item_id, "dimension": each.dimension, "text": each.text, "n_decks": own.n,
            "prevalence": own.prevalence.value, "alpha": own.agreement.value, "same_people": own.same.value,
            "discrimination": own.discrimination.value, "n_split": each.n_split, "n_disputed": each.n_disputed,
            "n_adjudicated": each.n_adjudicated, "flags": [flag.value for flag in each.flags],
        }  # fmt: skip
        why = {
            "prevalence": own.prevalence.undefined_reason, "alpha": own.agreement.undefined_reason,
            "same_people": own.same.undefined_reason, "discrimination": own.discrimination.undefined_reason,
        }  # fmt: skip
        for judge in each.judges or (None,):
            row: dict[str, Any] = {column: None for column in COLUMNS} | shared
            reasons = dict(why)
            if judge is not None:
                no = judge.no
                row |= {
                    "judge_id": judge.judge_id, "n_compared": no.n, "same": judge.same.value,
                    "no_precision": no.precision.value, "no_recall": no.recall.value, "no_f1": no.f1.value,
                    "no_precision_low": no.precision_interval.low, "no_precision_high": no.precision_interval.high,
                    "no_recall_low": no.recall_interval.low, "no_recall_high": no.recall_interval.high,
                    "kappa": no.kappa.value, "ac1": no.ac1.value, "support": no.support, "coverage": no.coverage,
                }  # fmt: skip
                reasons |= {
                    "same": judge.same.undefined_reason, "no_precision": no.precision.undefined_reason,
                    "no_recall": no.recall.undefined_reason, "no_f1": no.f1.undefined_reason,
                    "kappa": no.kappa.undefined_reason, "ac1": no.ac1.undefined_reason,
                }  # fmt: skip
            row["undefined"] = {name: str(reason) for name, reason in reasons.items() if reason}
            rows.append(row)
    return rows


def as_csv(reports: Sequence[ItemReport]) -> str:
    """Return the report as CSV; lists and reasons as JSON in their cells."""
    return csv_text(COLUMNS, report_rows(reports))


def export_items(reports: Sequence[ItemReport], out: Path) -> Path:
    """Write the report into a CSV file and return the file.

    Raises:
        BadInput: if it cannot be written.
    """
    write_whole(out, as_csv(reports))
    return out


def _flags(one: ItemStatistics, answers: Counter[str], judges: Sequence[ItemComparison]) -> list[ItemFlag]:
    found = []
    total = sum(answers.values())
    if any(each.same.value is not None and each.same.value < DISPUTED_BELOW for each in judges):
        found.append(ItemFlag.DISPUTED)
    unsure = answers[ItemAnswer.CANNOT_TELL.value] / total if total else 0.0
    if (one.same.value is not None and one.same.value < SAME_BELOW) or unsure >= UNSURE_FROM:
        found.append(ItemFlag.AMBIGUOUS)
    if one.n >= FEWEST_DECKS and one.prevalence.value in (0.0, 1.0):
        found.append(ItemFlag.SAME_FOR_ALL)
    elif one.n >= FEWEST_DECKS and _is_below(one.discrimination.value, DISCRIMINATION_FROM):
        found.append(ItemFlag.NOT_DISCRIMINATING)
    if judges and max(each.no.support for each in judges) < FEW_POSITIVES_BELOW:
        found.append(ItemFlag.FEW_NO)
    return found


def _is_below(value: float | None, limit: float) -> bool:
    return value is not None and value < limit


def _serious(report: ItemReport) -> list[ItemFlag]:
    return [flag for flag in report.flags if flag is not ItemFlag.FEW_NO]
