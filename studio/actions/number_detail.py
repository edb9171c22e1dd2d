"""One number of the methods table opened: what it is, the instances behind it, and the rankings behind these."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from studio.actions.align import Evidence
from studio.actions.figures import figure, interval_in_words, p_in_words, percent
from studio.actions.judge_quality import JudgeQuality, judge_quality
from studio.actions.method_rows import LEVEL_WORDS, MethodRow, MethodsView, title_of
from studio.actions.what_if import judge_of
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.stats.alt_test import AltTest, CaseScore, alt_test
from studio.stats.ceiling import attenuation_corrected
from studio.stats.correlation import MINIMUM_PAIRS
from studio.stats.each_annotator import align_with_each
from studio.stats.levels import Level
from studio.stats.rankings import consensus, stacked
from studio.stats.ranks import mid_rank_rows
from studio.store.project import Project

EPSILON = 0.15
"""How much worse a judge may be for its price, in the alt-test: that of skilled annotators."""

RHO = (
    "Spearman's ρ: Pearson's correlation of the mid-ranks of the decks that both sides have, ranked among themselves. "
    "Undefined below three shared decks or where a side is constant; undefined instances are counted, never 0."
)
LEVEL_DEFINITIONS = {
    Level.INSTANCE: "The mean over the instances where it is defined.",
    Level.SCENARIO: "The mean within each scenario, and then over scenarios.",
    Level.SYSTEM: "One ρ over systems: their mean human rank or value against their mean score.",
    Level.POOLED: "One ρ over all decks of all instances in one list.",
}


class DeckLine(NamedTuple):
    """One deck behind an instance's ρ."""

    deck_id: DeckId
    system: str
    human: float | None
    """Mean rank, or mean value of a side on one scale."""
    human_rank: float | None
    """Mid-rank among the shared decks; None for a deck that one side lacks."""
    each: str
    """Everybody's rank or value, in the order of `DetailOfInstance.people`."""
    score: float | None
    method_rank: float | None
    reason: str
    """Why there is no score; empty if there is one."""

    @property
    def apart(self) -> float | None:
        """Return how many places the method puts the deck below the people; negative: above."""
        if self.human_rank is None or self.method_rank is None:
            return None
        return self.method_rank - self.human_rank


@dataclass(frozen=True, kw_only=True)
class DetailOfInstance:
    """The rankings behind one ρ."""

    instance_id: InstanceId
    people: tuple[str, ...]
    decks: tuple[DeckLine, ...]
    """Best human rank first."""


@dataclass(frozen=True, kw_only=True)
class NumberFacts:
    """What stands beside a method's ρ: the other ways to ask whether it can be trusted."""

    each_rho: float | None
    """Mean ρ with single annotators: to be read against `pairwise`."""
    pairwise: float | None
    leave_one_out: float | None
    corrected: float | None
    """ρ over the root of the reliability of the mean rank; may exceed 1."""
    alt: AltTest
    judge: tuple[JudgeQuality, ...]
    """For a judge's method: what is known of the judge by itself."""


def facts_of(project: Project, view: MethodsView, name: str) -> NumberFacts | None:
    """Return what stands beside a method's number; None for a row that is no method of the evidence."""
    evidence, row = view.evidence, view.row(name)
    if name not in evidence.methods or row is None:
        return None
    ceilings = view.table.ceilings
    each = align_with_each(evidence.human, evidence.methods[name], resamples=0)
    is_mean = view.table.level in (Level.INSTANCE, Level.SCENARIO)
    corrected = attenuation_corrected(row.mean_rho, ceilings.reliability) if row.mean_rho is not None else None
    humans, judge = _as_raters(evidence, name)
    found = judge_of(name)
    return NumberFacts(
        each_rho=each.mean_rho, pairwise=ceilings.pairwise_mean, leave_one_out=ceilings.leave_one_out,
        corrected=corrected if is_mean else None,
        alt=alt_test(humans, judge, epsilon=EPSILON, score=CaseScore.RMSE),
        judge=tuple(judge_quality(project, judge_id=found)) if found else (),
    )  # fmt: skip


def detail_of(evidence: Evidence, name: str, instance_id: InstanceId) -> DetailOfInstance:
    """Return the rankings and scores behind one instance's ρ; of people alone for a row that is no method."""
    human_of = replace(evidence.human, ranks={instance_id: evidence.human.ranks.get(instance_id, {})})
    table, side = stacked(human_of), consensus(human_of)
    scores = evidence.methods.get(name, {}).get(instance_id, {})
    reasons = evidence.reasons.get(name, {})
    if instance_id not in table.instance_ids:
        return DetailOfInstance(instance_id=instance_id, people=(), decks=())
    owner = table.instance_ids.index(instance_id)
    rows = np.flatnonzero(table.owners == owner)
    sign = -1.0 if evidence.human.is_on_one_scale else 1.0
    decks = table.deck_ids[owner]
    human = side.mean_ranks[owner, : len(decks)]
    given = np.array([_number(scores.get(deck)) for deck in decks])
    gap = np.isnan(human) | (np.isnan(given) if name in evidence.methods else False)
    human_ranks = mid_rank_rows(np.where(gap, np.nan, human)[None, :])[0]
    method_ranks = mid_rank_rows(np.where(gap, np.nan, -given)[None, :])[0]
    lines = [
        DeckLine(
            deck_id=deck, system=evidence.decks[deck].system if deck in evidence.decks else "",
            human=_or_none(sign * human[place]), human_rank=_or_none(human_ranks[place]),
            each=" · ".join(_short(sign * table.values[row, place]) for row in rows), score=_or_none(given[place]),
            method_rank=_or_none(method_ranks[place]),
            reason="" if not math.isnan(given[place]) else reasons.get(deck, "not scored"),
        )
        for place, deck in enumerate(decks)
    ]  # fmt: skip
    people = tuple(evidence.annotators.get(table.annotators[row], table.annotators[row]) for row in rows)
    return DetailOfInstance(
        instance_id=instance_id, people=people,
        decks=tuple(sorted(lines, key=lambda line: (line.human is None, sign * (line.human or 0.0), line.system))),
    )  # fmt: skip


def copied(view: MethodsView, row: MethodRow, *, what_if: str = "") -> str:
    """Return a method's number with what it is and what it is of, ready to be pasted into a text."""
    side, level = view.evidence.people.side, view.table.level
    is_people = row.is_people
    number = f"{'mean ' if level in (Level.INSTANCE, Level.SCENARIO) else ''}ρ"
    lines = [f"{row.title}: {number} = {figure(row.mean_rho, 4)}"]
    if row.ci_low is not None:
        lines[0] += f" (95 % interval {interval_in_words(row.ci_low, row.ci_high)}, bootstrap over instances)"
    if row.mean_rho is None and row.reason:
        lines[0] += f" ({row.reason})"
    if row.alignment is not None:
        lines.append(
            f"std {figure(row.std_rho, 4)} (population), mean τ-b {figure(row.alignment.mean_tau, 4)}, "
            f"identical {percent(row.identical)} % (by chance {percent(row.alignment.chance_identical)} %)."
        )
    against = "each annotator against the mean of the others" if is_people else f"against {side.words}"
    where = "per instance" if is_people else LEVEL_WORDS[level]
    lines.append(f"{against[0].upper()}{against[1:]}, {where}; {row.n_defined:,} of {row.n_total:,} instances.")
    if side.filter_words:
        lines.append(f"Only answers: {side.filter_words}.")
    if what_if:
        lines.append(f"What if: {what_if}.")
    if row.undefined_in_words:
        lines.append(f"Left out: {'; '.join(row.undefined_in_words.splitlines())}.")
    if row.paired is not None:
        lines.append(
            f"{title_of(view.compared_with)} minus this, paired: {figure(row.paired.difference, 4)}, "
            f"p {p_in_words(row.paired.p)} (sign flips), Holm {p_in_words(row.p_holm)}, n = {row.paired.n:,}."
        )
    lines.append(f"{RHO} {LEVEL_DEFINITIONS[Level.INSTANCE if is_people else level]}")
    if not is_people and level in (Level.INSTANCE, Level.SCENARIO):
        lines.append(
            f"Human ceiling, leave one out: {figure(view.table.ceilings.leave_one_out)}; "
            f"couples: {figure(view.table.ceilings.pairwise_mean)}."
        )
    if view.evidence.has_sample_people:
        lines.append("The answers include invented sample data.")
    return "\n".join(lines)


def facts_in_words(facts: NumberFacts) -> str:
    """Return the facts as lines for a reader."""
    alt = facts.alt
    lines = [
        f"Against single annotators: ρ {figure(facts.each_rho)} (couples of annotators {figure(facts.pairwise)}; "
        f"against their mean, leave one out {figure(facts.leave_one_out)})",
        f"Corrected for the annotators' own disagreement: {figure(facts.corrected)} (may exceed 1)",
    ]
    if alt.winning_rate is None:
        lines.append("Alt-test: undefined, nobody shares 30 decks with others")
    else:
        lines.append(
            f"Alt-test (ε {EPSILON:g}, squared error of ranks): winning rate {figure(alt.winning_rate)}, "
            f"advantage {figure(alt.advantage)}, {'passes' if alt.passes else 'does not pass'}"
        )
    for judge in facts.judge:
        parts = []
        if judge.flip_rate.value is not None:
            parts.append(f"flips between repeats {percent(judge.flip_rate.value)} %")
        if judge.position is not None:
            parts.append(f"same after swapping {percent(judge.position.swap_consistency)} %")
        if judge.slot.value is not None:
            parts.append(f"ρ with the place shown {figure(judge.slot.value)}")
        if judge.length.value is not None:
            parts.append(f"ρ with the number of slides {figure(judge.length.value)}")
        if parts:
            lines.append(f"Judge, {judge.protocol.value}: {', '.join(parts)}")
    return "\n".join(lines)


def _as_raters(
    evidence: Evidence, name: str
) -> tuple[Mapping[AnnotatorId, Mapping[Hashable, Hashable]], Mapping[Hashable, Hashable]]:  # fmt: skip
    """Return everybody's ranks, and the method's, of the decks that have a score; ranked anew among these."""
    humans: dict[AnnotatorId, dict[Hashable, Hashable]] = {}
    judge: dict[Hashable, Hashable] = {}
    for instance_id, by_person in evidence.human.ranks.items():
        scores = evidence.methods[name].get(instance_id, {})
        decks = [deck for deck, score in scores.items() if score is not None and math.isfinite(score)]
        if len(decks) < MINIMUM_PAIRS:
            continue
        rows = [[-_number(scores[deck]) for deck in decks]]
        rows += [[ranks.get(deck, math.nan) for deck in decks] for ranks in by_person.values()]
        placed = mid_rank_rows(np.array(rows, dtype=np.float64))
        judge |= dict(zip(decks, placed[0].tolist(), strict=True))
        for person, row in zip(by_person, placed[1:].tolist(), strict=True):
            own: dict[Hashable, Hashable] = {
                deck: rank for deck, rank in zip(decks, row, strict=True) if not math.isnan(rank)
            }
            humans.setdefault(person, {}).update(own)
    return humans, judge


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _short(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:g}".replace("-", "−")
