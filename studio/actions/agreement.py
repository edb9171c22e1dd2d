"""How far people agree with each other: one row for each number, as agreement.csv has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from studio.actions.checklist_answers import human_replies
from studio.actions.checklist_stats import base_id
from studio.actions.human_answers import HumanAnswers, known_sides, rated_dimensions, read_human_side
from studio.exchange.settled import settled_answers
from studio.model.answers import AnswerKind, AnswerStatus, Preference
from studio.model.checklists import ItemAnswer
from studio.model.human_side import HumanSide, HumanSource
from studio.model.ids import AnnotatorId
from studio.stats.agreement import (
    Scale,
    Weighting,
    cohen_kappa,
    cross_table,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    label_counts,
    pabak,
    percent_agreement,
)
from studio.stats.ceiling import annotator_agreements, human_ceilings
from studio.stats.concordance import kendall_w
from studio.stats.correlation import kendall_tau_b, spearman
from studio.stats.identical import identical_ratio
from studio.stats.intervals import bootstrap_mean
from studio.stats.levels import Level
from studio.stats.rankings import Stacked, stacked
from studio.stats.statistic import Numbers, Reason, Statistic, rounded, undefined
from studio.store.project import Project

ALL, OTHERS = "all", "others"
"""Who a row is about, where it is no single annotator."""
MID_RANKS = "mid_ranks"
Case = Hashable
Labels = Mapping[Case, Mapping[AnnotatorId, Hashable]]
"""What everybody said to each case."""


@dataclass(frozen=True, kw_only=True)
class AgreementRow:
    """One number of people's agreement, or why there is none."""

    answers: str
    """Which answers: ``rankings``, ``pairs``, ``ratings:SET/DIMENSION`` or ``checklist``."""
    metric: str
    level: Level
    who_a: str
    """An annotator's id, or ``all``."""
    who_b: str
    """An annotator's id, ``others`` (the mean of all others, or each of them), or ``all``."""
    value: float | None
    n: int
    """Instances at the levels instance and scenario, systems or decks at system and pooled; for labels, cases."""
    ci_low: float | None = None
    ci_high: float | None = None
    tie_method: str | None = None
    undefined_reason: str | None = None
    about: str = ""
    """The scenario or checklist item that the number is of; empty for everything."""


def agreement_rows(
    project: Project, *, side: HumanSide | None = None, resamples: int = 1000, with_couples: bool = True
) -> list[AgreementRow]:
    """Return the agreement of people on everything that they were asked.

    Args:
        project: an open project.
        side: one kind of answers only, with its filters; None for all that there are.
        resamples: bootstrap resamples for the intervals; 0 leaves them out.
        with_couples: whether each annotator and each couple of them has rows of their own.
    """
    sides = [side] if side is not None else known_sides(project)
    rows: list[AgreementRow] = []
    for each in sides:
        answers = read_human_side(project, each)
        rows += rank_rows(answers, resamples=resamples, with_couples=with_couples)
        rows += label_rows(project, answers, with_couples=with_couples)
    return rows


def rank_rows(answers: HumanAnswers, *, resamples: int = 1000, with_couples: bool = True) -> list[AgreementRow]:
    """Return the agreement of people's orders of decks: Spearman, Kendall, identical ranks, W and alpha."""
    human, name = answers.rankings, answers_name(answers.side)
    if not human.instance_ids:
        return []
    ceilings, table = human_ceilings(human), stacked(human)
    rows: list[AgreementRow] = []
    instances = ceilings.instances
    overall = (
        ("spearman", ALL, ceilings.pairwise_mean, [each.pairwise_mean for each in instances]),
        ("spearman", OTHERS, ceilings.leave_one_out, [each.leave_one_out for each in instances]),
        ("identical", OTHERS, ceilings.identical, [each.identical for each in instances]),
    )
    reason = _most(each.reason for each in instances)
    for metric, who_b, value, values in overall:
        defined = sorted(each for each in values if each is not None)
        mean = bootstrap_mean(defined, resamples=max(1, resamples))
        rows.append(
            AgreementRow(
                answers=name, metric=metric, level=Level.INSTANCE, who_a=ALL, who_b=who_b, value=value, n=mean.n,
                ci_low=mean.low if resamples else None, ci_high=mean.high if resamples else None,
                tie_method=MID_RANKS, undefined_reason=None if value is not None else reason,
            )
        )  # fmt: skip
    rows += _scenario_rows(name, human.scenarios, instances)
    rows.append(_w_row(name, table))
    rows.append(_alpha_row(name, table))
    for each in annotator_agreements(human, resamples=max(1, resamples)) if with_couples else ():
        low, high = (each.ci_low, each.ci_high) if resamples else (None, None)
        rows += [
            AgreementRow(
                answers=name, metric=metric, level=Level.INSTANCE, who_a=each.annotator, who_b=each.other or OTHERS,
                value=value, n=each.n_defined, ci_low=low if metric == "spearman" else None,
                ci_high=high if metric == "spearman" else None, tie_method=ties,
                undefined_reason=None if each.n_defined else _most_of(each.undefined),
            )
            for metric, value, ties in (
                ("spearman", each.mean_rho, MID_RANKS), ("kendall_tau_b", each.mean_tau, "tau_b"),
                ("identical", each.identical, MID_RANKS),
            )
        ]  # fmt: skip
    if with_couples:
        rows += _couple_rows(name, answers, table)
    return rows


def label_rows(project: Project, answers: HumanAnswers, *, with_couples: bool = True) -> list[AgreementRow]:
    """Return the agreement on labels: preferences, points of a scale, or answers to checklist items."""
    side = answers.side
    name, counted = answers_name(side), frozenset(answers.annotators)
    match side.source:
        case HumanSource.RANKINGS:
            return []
        case HumanSource.PAIRS:
            labels = _only(_preferences(project, side), counted)
            return _nominal(name, labels, [each.value for each in Preference], with_couples=with_couples)
        case HumanSource.RATINGS:
            points, low, high = _points(project, side)
            return _scaled(name, _only(points, counted), range(low, high + 1), with_couples=with_couples)
        case HumanSource.CHECKLIST:
            labels = _only(_item_answers(project), counted)
            known = [each.value for each in ItemAnswer]
            rows = _nominal(name, labels, known, with_couples=with_couples)
            by_item: dict[str, dict[Case, Mapping[AnnotatorId, Hashable]]] = {}
            for case, said in labels.items():
                by_item.setdefault(base_id(str(case[1])), {})[case] = said  # type: ignore[index]  # deck and item
            for item, of_item in by_item.items():
                rows += _nominal(name, of_item, known, with_couples=False, about=item)
            return rows


def answers_name(side: HumanSide) -> str:
    """Return how rows name a side: ``rankings``, ``pairs``, ``checklist`` or ``ratings:SET/DIMENSION``."""
    if side.source is not HumanSource.RATINGS:
        return side.source.value
    return f"{side.source.value}:{side.scale_set}/{side.dimension}" if side.scale_set else f"ratings:{side.dimension}"


def as_json(rows: Sequence[AgreementRow]) -> list[dict[str, Any]]:
    """Return the rows under the columns of agreement.csv, as `studio agree --json` prints them."""
    return [
        {
            "metric": row.metric, "level": row.level.value, "who_a": row.who_a, "who_b": row.who_b,
            "value": row.value, "ci_low": row.ci_low, "ci_high": row.ci_high, "n": row.n,
            "tie_method": row.tie_method, "undefined_reason": row.undefined_reason, "answers": row.answers,
            "about": row.about,
        }
        for row in rows
    ]  # fmt: skip


def _row(
    name: str, metric: str, level: Level, who: tuple[str, str], found: Statistic, *, tie_method: str | None = None,
    about: str = "",
) -> AgreementRow:  # fmt: skip
    return AgreementRow(
        answers=name, metric=metric, level=level, who_a=who[0], who_b=who[1], value=found.value, n=found.n,
        tie_method=tie_method, undefined_reason=found.undefined_reason, about=about,
    )  # fmt: skip


def _scenario_rows(name: str, scenarios: Mapping[Any, str], instances: Iterable[Any]) -> list[AgreementRow]:
    """Return the mean over scenarios, and each scenario's own mean where there are several."""
    by_scenario: dict[str, list[Any]] = {}
    for each in instances:
        by_scenario.setdefault(scenarios.get(each.instance_id, ""), []).append(each)
    rows, means = [], []
    for scenario, group in by_scenario.items():
        values = [each.pairwise_mean for each in group if each.pairwise_mean is not None]
        if values:
            found = Statistic(value=math.fsum(values) / len(values), n=len(values))
            means.append(found.value)
        else:
            found = Statistic(value=None, n=0, undefined_reason=_most(each.reason for each in group))
        if len(by_scenario) > 1:
            rows.append(_row(name, "spearman", Level.SCENARIO, (ALL, ALL), found, tie_method=MID_RANKS,
                             about=scenario))  # fmt: skip
    kept = [mean for mean in means if mean is not None]
    whole = (
        Statistic(value=math.fsum(kept) / len(kept), n=len(kept))
        if kept
        else Statistic(value=None, n=0, undefined_reason=_most(each.reason for each in instances))
    )
    return [_row(name, "spearman", Level.SCENARIO, (ALL, ALL), whole, tie_method=MID_RANKS), *rows]


def _w_row(name: str, table: Stacked) -> AgreementRow:
    """Return the mean of Kendall's W over the instances where everybody ranked every deck."""
    values, reasons = [], []
    for owner, decks in enumerate(table.deck_ids):
        found = kendall_w(table.values[table.owners == owner][:, : len(decks)])
        if found.w is not None:
            values.append(found.w)
        elif found.undefined_reason is not None:
            reasons.append(found.undefined_reason)
    mean = (
        Statistic(value=math.fsum(values) / len(values), n=len(values))
        if values
        else Statistic(value=None, n=0, undefined_reason=_most(reasons))
    )
    return _row(name, "kendall_w", Level.INSTANCE, (ALL, ALL), mean, tie_method=MID_RANKS)


def _alpha_row(name: str, table: Stacked) -> AgreementRow:
    """Return Krippendorff's ordinal alpha over all decks, each a case that everybody gave a rank or value."""
    cases = [(owner, column) for owner, decks in enumerate(table.deck_ids) for column in range(len(decks))]
    people = sorted(set(table.annotators))
    place = {
        (person, owner): row
        for row, (person, owner) in enumerate(zip(table.annotators, table.owners.tolist(), strict=True))
    }
    ratings = [
        [_cell(table, place.get((person, owner)), column) for owner, column in cases] for person in people
    ]  # fmt: skip
    found = krippendorff_alpha(ratings, scale=Scale.ORDINAL)
    return _row(name, "krippendorff_alpha_ordinal", Level.POOLED, (ALL, ALL), found, tie_method=MID_RANKS)


def _cell(table: Stacked, row: int | None, column: int) -> float | None:
    value = math.nan if row is None else float(table.values[row, column])
    return None if math.isnan(value) else value


def _couple_rows(name: str, answers: HumanAnswers, table: Stacked) -> list[AgreementRow]:
    """Return each couple's agreement per system and pooled over all decks that both ranked."""
    systems = answers.rankings.systems
    cells: dict[AnnotatorId, dict[tuple[int, int], float]] = {}
    for person, owner, values in zip(table.annotators, table.owners.tolist(), table.values, strict=True):
        for column in range(len(table.deck_ids[owner])):
            if not math.isnan(values[column]):
                cells.setdefault(person, {})[owner, column] = float(values[column])
    rows = []
    for first, second in combinations(cells, 2):
        shared = [cell for cell in cells[first] if cell in cells[second]]
        if not shared:
            continue
        sides = [[cells[person][cell] for cell in shared] for person in (first, second)]
        of_system: dict[str, list[int]] = {}
        for place, (owner, column) in enumerate(shared):
            system = systems.get(table.deck_ids[owner][column])
            if system is not None:
                of_system.setdefault(system, []).append(place)
        means = [
            rounded(
                np.array([math.fsum(side[place] for place in places) / len(places) for places in of_system.values()])
            )
            for side in sides
        ]
        who = (first, second)
        couples: tuple[tuple[Level, Numbers, Numbers], ...] = (
            (Level.SYSTEM, means[0], means[1]), (Level.POOLED, sides[0], sides[1]),
        )  # fmt: skip
        for level, left, right in couples:
            rows.append(_row(name, "spearman", level, who, spearman(left, right), tie_method=MID_RANKS))
            rows.append(_row(name, "kendall_tau_b", level, who, kendall_tau_b(left, right), tie_method="tau_b"))
            same = identical_ratio(left, right)
            rows.append(_row(name, "identical", level, who, same, tie_method=MID_RANKS))
    return rows


def _only(labels: Labels, people: frozenset[AnnotatorId]) -> dict[Case, dict[AnnotatorId, Hashable]]:
    kept = {case: {who: label for who, label in said.items() if who in people} for case, said in labels.items()}
    return {case: said for case, said in kept.items() if said}


def _preferences(project: Project, side: HumanSide) -> Labels:
    found: dict[Case, dict[AnnotatorId, Hashable]] = {}
    for event in settled_answers(project, AnswerKind.PAIR, side.study):
        said = event.state.get("preference")
        if said in set(Preference):
            found.setdefault((event.instance_id, event.item_key), {})[event.annotator_id] = str(said)
    return found


def _points(project: Project, side: HumanSide) -> tuple[Labels, int, int]:
    """Return the points given to decks and slides, and the ends of the scale; of the points where it is not stored."""
    scale_set = side.scale_set or next((a for a, b in rated_dimensions(project) if b == side.dimension), "")
    found: dict[Case, dict[AnnotatorId, Hashable]] = {}
    ends: list[int] = []
    for event in settled_answers(project, AnswerKind.RATING, side.study):
        state = event.state
        values, scales = state.get("values"), state.get("scales")
        if (
            state.get("status") != AnswerStatus.SUBMITTED.value
            or str(state.get("target") or "deck") != "deck"
            or str(state.get("scale_set") or "") != scale_set
            or not isinstance(values, dict)
            or not isinstance(values.get(side.dimension), int)
        ):
            continue
        found.setdefault((event.deck_id, event.item_key), {})[event.annotator_id] = values[side.dimension]
        ends.append(values[side.dimension])
        if isinstance(scales, dict) and isinstance(scales.get(side.dimension), list):
            ends += [int(end) for end in scales[side.dimension]]
    return found, min(ends, default=0), max(ends, default=0)


def _item_answers(project: Project) -> Labels:
    return {
        case: {person: reply.answer.value for person, reply in said.items() if reply.answer is not None}
        for case, said in human_replies(project).items()
    }


def _ratings_of(labels: Labels) -> dict[AnnotatorId, list[Hashable | None]]:
    people = list(dict.fromkeys(person for said in labels.values() for person in said))
    return {person: [said.get(person) for said in labels.values()] for person in people}


def _nominal(
    name: str, labels: Labels, known: Sequence[Hashable], *, with_couples: bool, about: str = ""
) -> list[AgreementRow]:  # fmt: skip
    """Return alpha and Fleiss' kappa of everybody, and percent, kappa, AC1 and PABAK of each couple."""
    if not labels:
        return []
    by_person = _ratings_of(labels)
    everybody = list(by_person.values())
    together = {
        "krippendorff_alpha_nominal": krippendorff_alpha(everybody, scale=Scale.NOMINAL, labels=known),
        "fleiss_kappa": fleiss_kappa(_of_two_or_more(label_counts(everybody, labels=known))),
        "percent_agreement": _same(labels),
    }
    rows = [
        _row(name, metric, Level.POOLED, (ALL, ALL), found, about=about) for metric, found in together.items()
    ]  # fmt: skip
    measures: dict[str, Callable[[Any], Statistic]] = {
        "percent_agreement": percent_agreement, "cohen_kappa": cohen_kappa, "gwet_ac1": gwet_ac1, "pabak": pabak,
    }  # fmt: skip
    for first, second in combinations(by_person, 2) if with_couples else ():
        table = cross_table(by_person[first], by_person[second], labels=known)
        if table.counts.sum():
            rows += [
                _row(name, metric, Level.POOLED, (first, second), measure(table), about=about)
                for metric, measure in measures.items()
            ]
    return rows


def _scaled(name: str, labels: Labels, known: Sequence[Hashable], *, with_couples: bool) -> list[AgreementRow]:
    """Return ordinal and interval alpha of everybody, and percent and weighted kappas of each couple."""
    if not labels:
        return []
    by_person = _ratings_of(labels)
    everybody = list(by_person.values())
    rows = [
        _row(name, f"krippendorff_alpha_{scale.value}", Level.POOLED, (ALL, ALL),
             krippendorff_alpha(everybody, scale=scale, labels=known))
        for scale in (Scale.ORDINAL, Scale.INTERVAL)
    ]  # fmt: skip
    rows.append(_row(name, "percent_agreement", Level.POOLED, (ALL, ALL), _same(labels)))
    for first, second in combinations(by_person, 2) if with_couples else ():
        table = cross_table(by_person[first], by_person[second], labels=known)
        if not table.counts.sum():
            continue
        who = (first, second)
        rows.append(_row(name, "percent_agreement", Level.POOLED, who, percent_agreement(table)))
        for weighting in (Weighting.LINEAR, Weighting.QUADRATIC):
            found = cohen_kappa(table, weighting=weighting)
            rows.append(_row(name, f"weighted_kappa_{weighting.value}", Level.POOLED, who, found))
    return rows


def _of_two_or_more(counts: Any) -> Any:
    """Return the cases that at least two people labelled; if none was, all, so that the reason is one rater."""
    shared = counts[counts.sum(axis=1) >= 2]
    return shared if len(shared) else counts


def _same(labels: Labels) -> Statistic:
    """Return the share of equal labels over all couples of people and cases."""
    couples = [pair for said in labels.values() for pair in combinations(said.values(), 2)]
    if not couples:
        return undefined(Reason.ONE_RATER, 0)
    return Statistic(value=sum(a == b for a, b in couples) / len(couples), n=len(couples))


def _most(reasons: Iterable[str | None]) -> str:
    counts: dict[str, int] = {}
    for reason in reasons:
        if reason is not None:
            counts[str(reason)] = counts.get(str(reason), 0) + 1
    return _most_of(counts)


def _most_of(counts: Mapping[str, int]) -> str:
    return max(counts, key=lambda reason: counts[reason]) if any(counts.values()) else Reason.TOO_FEW.value
