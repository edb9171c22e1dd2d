"""What verdicts come to: one value for each deck and protocol, and one for each of its parts (decision 24)."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np

from studio.judges.arena import Slot
from studio.judges.listwise import REPEATS
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import JudgingProtocol, VerdictRecord
from studio.model.runs import UnitStatus
from studio.stats.paired import Comparison, bradley_terry, elo, plackett_luce
from studio.stats.ranks import mid_rank_rows

Key = TypeVar("Key")

ELO_START = 1500.0
ELO_SHUFFLES = 100
_ELO_OWN_START = 1000.0
PULL = 0.01
"""Keeps strengths finite where a deck won or lost everything; said beside the value."""
NOT_JUDGED = "not_judged"


class Subject(NamedTuple):
    """One thing that was to be asked, whether or not it was."""

    deck_id: DeckId
    item_id: str
    slide: int | None
    sample: int
    order_index: int
    against: tuple[DeckId, ...]


@dataclass(frozen=True, kw_only=True)
class DeckValue:
    """A deck's value under a name, or the reason why it has none."""

    deck_id: DeckId
    instance_id: InstanceId
    part: str
    """Empty for the whole."""
    value: float | None
    reason: str | None = None
    flags: tuple[str, ...] = ()
    detail: Mapping[str, object] = field(default_factory=dict)


def subject_of(record: VerdictRecord) -> Subject:
    """Return what a record is about."""
    return Subject(
        record.deck_id, record.item_id, record.slide, record.sample, record.order_index, record.against
    )  # fmt: skip


def deck_values(
    protocol: JudgingProtocol, asked: Sequence[VerdictRecord], said: Mapping[Subject, VerdictRecord], *, seed: int
) -> list[DeckValue]:
    """Return the values of all decks that were asked about; for every protocol but the checklist.

    Args:
        protocol: whose verdicts they are.
        asked: a record without a verdict for each thing that the plan asks after.
        said: the newest record of each of them, with or without a verdict; what is not there was not asked yet.
        seed: of the order in which Elo plays its games.
    """
    match protocol:
        case JudgingProtocol.RATING | JudgingProtocol.GEVAL | JudgingProtocol.FEWSHOT:
            return _scored(asked, said, by_slide=False)
        case JudgingProtocol.PPTEVAL:
            return _scored(asked, said, by_slide=True)
        case JudgingProtocol.ARENA:
            return _by_instance(asked, said, lambda group: _arena(group, said, seed))
        case JudgingProtocol.LISTWISE:
            return _by_instance(asked, said, lambda group: _listwise(group, said))
        case JudgingProtocol.CHECKLIST:
            raise ValueError("a checklist's total is made of its items; see judge_checklist_scores")
        case JudgingProtocol.QUIZ_BUILD | JudgingProtocol.QUIZ_TEXT | JudgingProtocol.QUIZ_ANSWERS:
            raise ValueError("question banks have accuracies of their own; see quiz_run")


def why_none(records: Sequence[VerdictRecord | None], what: str) -> str:
    """Return why things have no value, such as ``parse_error: usability``; the most frequent reason counts."""
    counts = Counter(NOT_JUDGED if record is None else record.status.value for record in records)
    kind = counts.most_common(1)[0][0]
    return f"{kind}: {what}"


def _scored(
    asked: Sequence[VerdictRecord], said: Mapping[Subject, VerdictRecord], *, by_slide: bool
) -> list[DeckValue]:
    """Return a value for each criterion, the mean of its repeats and slides, and the mean of the criteria."""
    values: list[DeckValue] = []
    for deck_id, of_deck in _grouped(asked, lambda record: record.deck_id).items():
        instance_id = of_deck[0].instance_id
        parts: dict[str, DeckValue] = {}
        for criterion, of_criterion in _grouped(of_deck, lambda record: record.item_id).items():
            found = [said.get(subject_of(record)) for record in of_criterion]
            scores = [record.score for record in found if _is_ok(record) and record is not None]
            kept = [score for score in scores if score is not None]
            # Slides without a score are left out of the mean; slides that nobody asked about yet are not.
            is_open = None in found if by_slide else not kept
            detail = {"n": len(kept), "of": len(found), **_first_detail(found)}
            value = None if is_open or not kept else math.fsum(kept) / len(kept)
            parts[criterion] = DeckValue(
                deck_id=deck_id, instance_id=instance_id, part=criterion, value=value, detail=detail,
                reason=None if value is not None else why_none([each for each in found if not _is_ok(each)], criterion),
            )  # fmt: skip
        values += [_mean_of(deck_id, instance_id, parts), *parts.values()]
    return values


def _mean_of(deck_id: DeckId, instance_id: InstanceId, parts: Mapping[str, DeckValue]) -> DeckValue:
    lacking = [part.reason or "" for part in parts.values() if part.value is None]
    kept = [part.value for part in parts.values() if part.value is not None]
    return DeckValue(
        deck_id=deck_id, instance_id=instance_id, part="",
        value=None if lacking else math.fsum(kept) / len(kept), reason="; ".join(lacking) or None,
        detail={
            "parts": {name: part.value for name, part in parts.items()},
            **{key: value for part in parts.values() for key, value in part.detail.items() if key in _KEPT},
        },
    )  # fmt: skip


# ---- arena


class _Met(NamedTuple):
    """Two decks that met in both orders."""

    first: DeckId
    second: DeckId
    points: float
    """Of the first: 1, 0, or ½ for a tie and for two verdicts that contradict each other."""
    is_inconsistent: bool
    is_tie: bool


def reconciled(there: VerdictRecord, back: VerdictRecord) -> _Met:
    """Return what two verdicts on the same pair, shown in both orders, come to."""
    first, second = there.deck_id, back.deck_id
    turned = {Slot.FIRST: Slot.SECOND, Slot.SECOND: Slot.FIRST, Slot.TIE: Slot.TIE}
    one, other = Slot(there.verdict), turned[Slot(back.verdict)]
    points = {Slot.FIRST: 1.0, Slot.SECOND: 0.0, Slot.TIE: 0.5}[one] if one is other else 0.5
    return _Met(first, second, points, one is not other, one is other and one is Slot.TIE)


def _arena(group: Sequence[VerdictRecord], said: Mapping[Subject, VerdictRecord], seed: int) -> list[DeckValue]:
    instance_id = group[0].instance_id
    decks = list(dict.fromkeys(record.deck_id for record in group))
    met, undecided = meetings(group, said)
    games = [Comparison(first=each.first, second=each.second, score=each.points) for each in met]
    strengths = bradley_terry(games)
    flags: tuple[str, ...] = ()
    if strengths.undefined_reason == "separated":
        strengths, flags = bradley_terry(games, alpha=PULL), ("regularised",)
    ratings = shown_elo(games, seed=seed) if games else {}
    values = []
    for deck in decks:
        own = [each for each in met if deck in (each.first, each.second)]
        won = [each.points if each.first == deck else 1 - each.points for each in own]
        lost_pairs = [each for each in undecided if deck in (each.deck_id, *each.against)]
        detail = {
            "pairs": len(own), "undecided": len(lost_pairs),
            "won": sum(1 for points in won if points == 1), "lost": sum(1 for points in won if points == 0),
            "ties": sum(each.is_tie for each in own), "inconsistent": sum(each.is_inconsistent for each in own),
            "elo": ratings.get(deck), "regularised_by": PULL if flags else 0.0,
            **_first_detail([record for record in group if record.deck_id == deck]),
        }  # fmt: skip
        value = strengths.theta.get(deck) if strengths.theta is not None else None
        reason = None
        if value is None and (lost_pairs or not own):
            mine = [record for record in group if deck in (record.deck_id, *record.against)]
            found = [said.get(subject_of(record)) for record in mine]
            reason = why_none([each for each in found if not _is_ok(each)] or [None], "pairs")
        elif value is None:
            reason = strengths.undefined_reason or NOT_JUDGED
        values.append(
            DeckValue(
                deck_id=deck, instance_id=instance_id, part="", value=value, reason=reason, flags=flags, detail=detail
            )
        )
    return values


def meetings(
    asked: Sequence[VerdictRecord], said: Mapping[Subject, VerdictRecord]
) -> tuple[list[_Met], list[VerdictRecord]]:
    """Return the pairs that have a verdict in both orders, and the others by their first order."""
    by_pair: dict[tuple[frozenset[DeckId], int], list[VerdictRecord]] = {}
    for record in asked:
        if record.against:
            by_pair.setdefault((frozenset((record.deck_id, *record.against)), record.sample), []).append(record)
    met, undecided = [], []
    for both in by_pair.values():
        found = [said.get(subject_of(record)) for record in sorted(both, key=lambda record: record.order_index)]
        decided = [record for record in found if record is not None and _is_ok(record)]
        if len(decided) == 2:
            met.append(reconciled(*decided))
        else:
            undecided.append(both[0])
    return met, undecided


def shown_elo(games: Sequence[Comparison[DeckId]], *, seed: int) -> dict[DeckId, float]:
    """Return Elo ratings from 1500, the mean over 100 shuffled orders of the games: for show, not for statistics."""
    rng = random.Random(f"elo|{seed}")
    sums: dict[DeckId, float] = {}
    for _ in range(ELO_SHUFFLES):
        for deck, rating in elo(rng.sample(list(games), len(games))).items():
            sums[deck] = sums.get(deck, 0.0) + rating
    return {deck: total / ELO_SHUFFLES + ELO_START - _ELO_OWN_START for deck, total in sums.items()}


# ---- listwise


def _listwise(group: Sequence[VerdictRecord], said: Mapping[Subject, VerdictRecord]) -> list[DeckValue]:
    instance_id = group[0].instance_id
    lists = _grouped(group, lambda record: record.sample)
    ranks: dict[DeckId, list[float]] = {record.deck_id: [] for record in group}
    shares: dict[DeckId, list[float]] = {record.deck_id: [] for record in group}
    orders: list[list[DeckId]] = []
    for listed in lists.values():
        found = [said.get(subject_of(record)) for record in listed]
        scores = [record.score for record in found if record is not None and _is_ok(record) and record.score]
        if len(scores) < len(listed) or len(listed) < 2:
            continue
        mids = mid_rank_rows(np.array([scores]))[0]
        for record, mid in zip(listed, mids, strict=True):
            ranks[record.deck_id].append(float(mid))
            shares[record.deck_id].append((len(listed) - float(mid)) / (len(listed) - 1))
        if len(set(scores)) == len(scores):
            orders.append(
                [record.deck_id for _, record in sorted(zip(scores, listed, strict=True), key=lambda x: x[0])]
            )
    strengths = plackett_luce(orders, alpha=PULL).theta if orders else None
    values = []
    for deck, own in shares.items():
        mine = [record for record in group if record.deck_id == deck]
        found = [said.get(subject_of(record)) for record in mine]
        flags = ("few_repeats",) if own and len(own) < REPEATS else ()
        values.append(
            DeckValue(
                deck_id=deck, instance_id=instance_id, part="", value=math.fsum(own) / len(own) if own else None,
                reason=None if own else why_none([each for each in found if not _is_ok(each)] or [None], "list"),
                flags=flags,
                detail={
                    "lists": len(own), "of": len(mine), "ranks": ranks[deck],
                    "plackett_luce": strengths.get(deck) if strengths else None, "regularised_by": PULL,
                    **_first_detail(mine),
                },
            )
        )  # fmt: skip
    return values


def _by_instance(
    asked: Sequence[VerdictRecord],
    said: Mapping[Subject, VerdictRecord],
    values: Callable[[Sequence[VerdictRecord]], list[DeckValue]],
) -> list[DeckValue]:
    return [value for group in _grouped(asked, lambda record: record.instance_id).values() for value in values(group)]


def _grouped(records: Sequence[VerdictRecord], key: Callable[[VerdictRecord], Key]) -> dict[Key, list[VerdictRecord]]:
    groups: dict[Key, list[VerdictRecord]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


def _is_ok(record: VerdictRecord | None) -> bool:
    return record is not None and record.status is UnitStatus.OK


_KEPT = ("pages", "mode")
"""What a value keeps of the detail of the verdicts that it was made of."""


def _first_detail(records: Sequence[VerdictRecord | None]) -> dict[str, object]:
    for record in records:
        kept = {name: record.detail[name] for name in _KEPT if name in record.detail} if record is not None else {}
        if kept:
            return kept
    return {}
