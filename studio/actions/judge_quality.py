"""How good a judge is by itself: whether it agrees with itself, and what it prefers that is no quality."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from studio.actions.align import gather
from studio.jobs.judge_scores import Subject, subject_of
from studio.judges.arena import Slot
from studio.judges.worse import DETAIL
from studio.model.ids import DeckId
from studio.model.judging import QUIZ_PROTOCOLS, JudgingProtocol, VerdictRecord
from studio.model.runs import UnitStatus
from studio.stats.correlation import partial_spearman, spearman
from studio.stats.judges import (
    PositionBias,
    SelfConsistency,
    Sensitivity,
    position_bias,
    self_consistency,
    sensitivity,
    slot_bias,
)
from studio.stats.judges import Slot as StatSlot
from studio.stats.rankings import consensus
from studio.stats.statistic import Reason, Statistic, undefined
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class JudgeQuality:
    """One version of a judge under one protocol; a number is there only where its verdicts allow it."""

    judge_id: str
    judge_version: str
    protocol: JudgingProtocol
    n_verdicts: int
    failed_rate: float
    """Share of what was asked that has no verdict, 0 to 1."""
    flip_rate: Statistic
    """Share of pairs of repeats that say something else, over things asked more than once."""
    consistency: SelfConsistency
    """Of repeated scores."""
    position: PositionBias | None
    """For the arena: what swapping does."""
    slot: Statistic
    """For lists: mean correlation of the place shown with the rank; 0 is unbiased."""
    length: Statistic
    """Spearman's rho of a deck's mean score with its number of slides; for lists, of better places."""
    length_given_people: Statistic
    """The same with people's mean rank held equal."""
    sensitivity: Mapping[tuple[str, str], Sensitivity] = field(default_factory=dict)
    """Criterion and defect → which degree is noticed, where decks made worse were judged."""


def judge_quality(
    project: Project, *, judge_id: str | None = None, people: Mapping[DeckId, float] | None = None
) -> list[JudgeQuality]:
    """Return the quality of every version of every judge, newest verdict of each thing asked.

    Args:
        project: an open project.
        judge_id: only this judge.
        people: mean human rank of decks (1 is best), to hold equal for the bias of length.
    """
    groups: dict[tuple[str, str, JudgingProtocol], dict[tuple[str, Subject], VerdictRecord]] = {}
    for stored in judging_store.verdicts_with_evidence(project, judge_id=judge_id):
        if stored.protocol in QUIZ_PROTOCOLS:
            continue
        group = groups.setdefault((stored.judge_id, stored.judge_version, stored.protocol), {})
        group[stored.unit_key, subject_of(stored.record)] = stored.record
    slides = {deck.id: deck.slides - deck.hidden_slides for deck in deck_store.list_decks(project)}
    return [
        _quality(judge, version, protocol, list(records.values()), slides, people or {})
        for (judge, version, protocol), records in groups.items()
    ]


def _quality(
    judge_id: str, version: str, protocol: JudgingProtocol, records: Sequence[VerdictRecord],
    slides: Mapping[DeckId, int], people: Mapping[DeckId, float],
) -> JudgeQuality:  # fmt: skip
    noticed = noticed_defects(records)
    records = [record for record in records if DETAIL not in record.detail]
    good = [record for record in records if record.status is UnitStatus.OK]
    is_list = protocol is JudgingProtocol.LISTWISE
    repeats: dict[tuple[object, ...], list[VerdictRecord]] = {}
    for record in records:
        # Lists differ in their order by design, so that a deck's ranks over them are its repeats.
        place = (record.deck_id, record.item_id, record.slide, record.against if not is_list else (),
                 record.order_index if not is_list else 0)  # fmt: skip
        repeats.setdefault(place, []).append(record)
    several = [group for group in repeats.values() if len(group) > 1]
    return JudgeQuality(
        judge_id=judge_id, judge_version=version, protocol=protocol, n_verdicts=len(good),
        failed_rate=1 - len(good) / len(records) if records else 0.0, flip_rate=flip_rate(several),
        consistency=self_consistency(
            [[each.score if each.status is UnitStatus.OK else None for each in group] for group in several]
        ),
        position=position_bias(_swapped(good)) if protocol is JudgingProtocol.ARENA else None,
        slot=_slot(good) if is_list else undefined(Reason.TOO_FEW, 0),
        **_length(good, slides, people, lower_is_better=is_list), sensitivity=noticed,
    )  # fmt: skip


def noticed_defects(records: Sequence[VerdictRecord]) -> dict[tuple[str, str], Sensitivity]:
    """Return for each criterion and defect which degree lowers the scores; repeats of a deck count by their mean."""
    scores: dict[tuple[str, str, int], dict[Hashable, list[float]]] = {}
    for record in records:
        told: Any = record.detail.get(DETAIL)
        if told is None or record.score is None or record.status is not UnitStatus.OK:
            continue
        place = (str(told["of"]), str(told["metric"]), int(told["degree"]))
        scores.setdefault(place, {}).setdefault(record.deck_id, []).append(record.score)
    means = {
        place: {deck: sum(each) / len(each) for deck, each in decks.items()} for place, decks in scores.items()
    }  # fmt: skip
    found: dict[tuple[str, str], Sensitivity] = {}
    for criterion, metric in sorted({(place[0], place[1]) for place in means if place[1]}):
        by_degree: dict[int, Mapping[Hashable, float | None]] = {0: means.get((criterion, "", 0), {})}
        by_degree |= {place[2]: decks for place, decks in means.items() if place[:2] == (criterion, metric)}
        found[criterion, metric] = sensitivity(by_degree)
    return found


def flip_rate(repeats: Sequence[Sequence[VerdictRecord]]) -> Statistic:
    """Return the share of pairs of repeats with different verdicts, the mean over things asked more than once."""
    rates = []
    for group in repeats:
        said = [each.verdict for each in group if each.status is UnitStatus.OK]
        pairs = list(combinations(said, 2))
        if pairs:
            rates.append(sum(one != other for one, other in pairs) / len(pairs))
    return Statistic(value=sum(rates) / len(rates), n=len(rates)) if rates else undefined(Reason.TOO_FEW, 0)


def _swapped(records: Sequence[VerdictRecord]) -> list[tuple[StatSlot, StatSlot]]:
    """Return for each pair that has a verdict in both orders what was said as planned and swapped."""
    by_pair: dict[tuple[frozenset[DeckId], int], dict[int, Slot]] = {}
    for record in records:
        pair = by_pair.setdefault((frozenset((record.deck_id, *record.against)), record.sample), {})
        pair[record.order_index] = Slot(record.verdict)
    return [
        (StatSlot(both[0].value), StatSlot(both[1].value)) for both in by_pair.values() if set(both) == {0, 1}
    ]  # fmt: skip


def _slot(records: Sequence[VerdictRecord]) -> Statistic:
    lists: dict[tuple[object, int], list[VerdictRecord]] = {}
    for record in records:
        lists.setdefault((record.instance_id, record.sample), []).append(record)
    shown = [[float(str(each.detail.get("slot", 0))) for each in group] for group in lists.values()]
    return slot_bias(shown, [[each.score for each in group] for group in lists.values()])


def _length(
    records: Sequence[VerdictRecord], slides: Mapping[DeckId, int], people: Mapping[DeckId, float], *,
    lower_is_better: bool,
) -> dict[str, Statistic]:  # fmt: skip
    scores: dict[DeckId, list[float]] = {}
    for record in records:
        if record.score is None:
            continue
        scores.setdefault(record.deck_id, []).append(-record.score if lower_is_better else record.score)
        for other in record.against if not lower_is_better else ():
            scores.setdefault(other, []).append(1 - record.score)
    decks = [deck for deck in scores if deck in slides]
    means = [sum(scores[deck]) / len(scores[deck]) for deck in decks]
    lengths = [float(slides[deck]) for deck in decks]
    ranked = [place for place, deck in enumerate(decks) if deck in people]
    return {
        "length": spearman(means, lengths),
        "length_given_people": partial_spearman(
            [means[place] for place in ranked], [lengths[place] for place in ranked],
            [-people[decks[place]] for place in ranked],
        ),
    }  # fmt: skip


def quality_row(quality: JudgeQuality) -> dict[str, Any]:
    """Return a judge's quality as JSON values; None where it cannot be said."""
    position, same = quality.position, quality.consistency
    return {
        "judge_id": quality.judge_id, "judge_version": quality.judge_version, "protocol": quality.protocol.value,
        "verdicts": quality.n_verdicts, "failed_rate": quality.failed_rate, "flip_rate": quality.flip_rate.value,
        "repeated": quality.flip_rate.n, "mean_sd": same.mean_sd.value, "all_identical": same.all_identical.value,
        "pairwise_agreement": same.pairwise_agreement.value, "icc_1_1": same.icc_1_1.value,
        "swap_consistency": position.swap_consistency if position else None,
        "always_first": position.always_first if position else None,
        "always_second": position.always_second if position else None,
        "first_slot_rate": position.first_slot_rate.value if position else None,
        "first_slot_p": position.first_slot_rate.p if position else None, "slot_rho": quality.slot.value,
        "length_rho": quality.length.value, "length_n": quality.length.n,
        "length_rho_given_people": quality.length_given_people.value,
        "sensitivity": [
            {
                "criterion": criterion, "defect": defect, "noticed_from": found.noticed_from,
                "degrees": [
                    {"degree": each.degree, "fall": each.fall.difference, "low": each.fall.low, "high": each.fall.high,
                     "p": each.fall.p, "lower": each.lower, "n": each.fall.n}
                    for each in found.degrees
                ],
            }
            for (criterion, defect), found in quality.sensitivity.items()
        ],
    }  # fmt: skip


def quality_rows(project: Project, judge_id: str | None = None) -> list[dict[str, Any]]:
    """Return the quality of judges beside people's mean ranks, as `studio judge --quality --json` prints it."""
    side = consensus(gather(project).human)
    people = {
        deck: float(rank)
        for decks, ranks in zip(side.deck_ids, side.mean_ranks, strict=True)
        for deck, rank in zip(decks, ranks, strict=False)
    }
    return [quality_row(each) for each in judge_quality(project, judge_id=judge_id, people=people)]
