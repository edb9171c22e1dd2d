"""What the answers say of each annotator: consistency, speed, known answers, self-agreement, distance from others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from studio.actions.human_answers import HumanAnswers
from studio.actions.quality import quality_rows
from studio.actions.studies import list_studies
from studio.exchange.settled import settled_answers
from studio.model.answers import AnswerKind, Preference
from studio.model.human_side import HumanSource
from studio.model.ids import AnnotatorId
from studio.stats.ceiling import annotator_agreements, means_of_others
from studio.stats.consensus_orders import consistent_triads
from studio.stats.rankings import stacked
from studio.stats.ranks import mid_rank_rows
from studio.store import people as people_store
from studio.store.project import Project
from studio.store.studies import event_study


@dataclass(frozen=True, kw_only=True)
class AnnotatorReport:
    """One annotator on the chosen side; every number without a basis is None."""

    annotator_id: AnnotatorId
    name: str
    group: str
    is_sample: bool
    n_instances: int
    rho: float | None
    """Mean Spearman's rho with the mean of the others."""
    n_rho: int
    """Instances behind `rho`."""
    distance: float | None
    """Mean places between this annotator's ranks and those of the others' mean, over decks; 0 is the same order."""
    consistency: float | None
    """Share 0 to 1 of triads of decks decided without going in a circle; ¾ by chance."""
    n_triads: int
    seconds: float | None
    """Median active seconds on an instance."""
    gold: int
    gold_right: int
    attention: int
    attention_right: int
    self_agreement: float | None
    """Mean share of what was asked again and answered as before."""
    n_repeats: int


def annotator_reports(project: Project, answers: HumanAnswers) -> list[AnnotatorReport]:
    """Return one report for each annotator whose answers count, by name."""
    human = answers.rankings
    alone = {each.annotator: each for each in annotator_agreements(human, resamples=1) if each.other is None}
    apart, counts = _distances(answers)
    triads = _triads(project, answers)
    seconds = _seconds(answers)
    known = _known_answers(project, answers)
    people = {person.id: person for person in people_store.list_annotators(project)}
    reports = []
    for person, name in answers.annotators.items():
        good, decided = triads.get(person, (0, 0))
        against, quality = alone.get(person), known.get(person, {})
        spent = seconds.get(person, [])
        reports.append(
            AnnotatorReport(
                annotator_id=person, name=name, group=answers.groups.get(person, ""),
                is_sample=people[person].is_sample, n_instances=counts.get(person, 0),
                rho=against.mean_rho if against is not None else None,
                n_rho=against.n_defined if against is not None else 0, distance=apart.get(person),
                consistency=good / decided if decided else None, n_triads=decided,
                seconds=median(spent) if spent else None, gold=quality.get("gold", 0),
                gold_right=quality.get("gold_right", 0), attention=quality.get("attention", 0),
                attention_right=quality.get("attention_right", 0),
                self_agreement=quality["same"] / quality["repeats"] if quality.get("repeats") else None,
                n_repeats=quality.get("repeats", 0),
            )
        )  # fmt: skip
    return sorted(reports, key=lambda each: each.name)


def report_json(reports: Sequence[AnnotatorReport]) -> list[dict[str, Any]]:
    """Return the reports as JSON values."""
    return [dict(vars(report)) for report in reports]


def _distances(answers: HumanAnswers) -> tuple[dict[AnnotatorId, float], dict[AnnotatorId, int]]:
    """Return each annotator's mean distance in ranks from the mean of the others, and how many instances they did."""
    table = stacked(answers.rankings)
    others = means_of_others(table.owners, table.values)
    gap = np.isnan(table.values) | np.isnan(others)
    own, rest = (mid_rank_rows(np.where(gap, np.nan, side)) for side in (table.values, others))
    apart = np.abs(own - rest)
    found: dict[AnnotatorId, list[float]] = {}
    counts: dict[AnnotatorId, int] = {}
    for row, person in enumerate(table.annotators):
        counts[person] = counts.get(person, 0) + 1
        found.setdefault(person, []).extend(apart[row][~np.isnan(apart[row])].tolist())
    return {person: math.fsum(values) / len(values) for person, values in found.items() if values}, counts


def _triads(project: Project, answers: HumanAnswers) -> dict[AnnotatorId, tuple[int, int]]:
    """Return how many triads each annotator decided without a circle, of how many, in pairwise answers."""
    if answers.side.source is not HumanSource.PAIRS:
        return {}
    decided: dict[tuple[AnnotatorId, str], dict[tuple[str, str], float]] = {}
    for event in settled_answers(project, AnswerKind.PAIR, answers.side.study):
        first, _, second = event.item_key.partition("|")
        said = event.state.get("preference")
        if event.annotator_id in answers.annotators and said in (Preference.A.value, Preference.B.value):
            won = float(said == Preference.A.value)
            of = decided.setdefault((event.annotator_id, event.instance_id), {})
            of[first, second], of[second, first] = won, 1 - won
    found: dict[AnnotatorId, tuple[int, int]] = {}
    for (person, _), pairs in decided.items():
        items = sorted({item for pair in pairs for item in pair})
        wins = np.array([[pairs.get((a, b), math.nan) for b in items] for a in items])
        good, all_ = consistent_triads(wins)
        before = found.get(person, (0, 0))
        found[person] = (before[0] + good, before[1] + all_)
    return found


def _seconds(answers: HumanAnswers) -> dict[AnnotatorId, list[float]]:
    found: dict[AnnotatorId, list[float]] = {}
    for (_, person), seconds in answers.seconds.items():
        if seconds is not None and person in answers.annotators:
            found.setdefault(person, []).append(seconds)
    return found


def _known_answers(project: Project, answers: HumanAnswers) -> dict[AnnotatorId, dict[str, Any]]:
    """Return known answers and repeats of each annotator, summed over the studies of the side."""
    sums: dict[AnnotatorId, dict[str, Any]] = {}
    for study in list_studies(project):
        if answers.side.study not in (None, event_study(study.id)):
            continue
        for row in quality_rows(project, study):
            of = sums.setdefault(row["annotator_id"], {})
            for name in ("gold", "gold_right", "attention", "attention_right", "repeats"):
                of[name] = of.get(name, 0) + row[name]
            of["same"] = of.get("same", 0.0) + (row["self_agreement"] or 0.0) * row["repeats"]
    return sums
