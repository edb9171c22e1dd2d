"""The human side of every comparison: who ranked which deck where, and the mean of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.model.answers import Comparison, Preference
from studio.model.ids import AnnotatorId, DeckId, InstanceId, SystemId
from studio.stats.adjudicated import adjudicated_ranks
from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, rounded

Scores = Mapping[InstanceId, Mapping[DeckId, float | None]]
"""One method's value for each deck of each instance; None where it has none."""


@dataclass(frozen=True, kw_only=True)
class HumanRankings:
    """The submitted rankings to compare with; 1 is best, equal numbers are ties.

    Only the order within one annotator's ranking counts, so competition ranks, mid-ranks and any other
    increasing numbers give the same results. A deck that an annotator left unranked is simply absent.
    """

    ranks: Mapping[InstanceId, Mapping[AnnotatorId, Mapping[DeckId, float]]]
    scenarios: Mapping[InstanceId, str] = field(default_factory=dict)
    """For the level ``scenario``; an instance without one belongs to the scenario named by an empty text."""
    systems: Mapping[DeckId, SystemId] = field(default_factory=dict)
    """For the level ``system``; decks without one are left out there."""
    is_on_one_scale: bool = False
    """The numbers are values of one scale, the lowest best (ratings with their sign turned), and not ranks: the
    consensus is their mean as they are, and comparable between instances."""
    adjudicated: Mapping[InstanceId, Sequence[Comparison]] = field(default_factory=dict)
    """Pairs of decks that a reviewer decided: they bind the consensus, and are nobody's ranking."""

    @property
    def instance_ids(self) -> tuple[InstanceId, ...]:
        """Return the instances with at least one ranked deck, in the order given."""
        return tuple(
            instance_id
            for instance_id, by_annotator in self.ranks.items()
            if any(ranks for ranks in by_annotator.values())
        )

    def without(
        self,
        *,
        annotators: Collection[AnnotatorId] = (),
        instances: Collection[InstanceId] = (),
        scenarios: Collection[str] = (),
        decks: Collection[DeckId] = (),
    ) -> HumanRankings:
        """Return the rankings without these annotators, instances, scenarios and decks: a what-if.

        Decks that stay keep their order; they are ranked among themselves.
        """

        def kept(ranks: Mapping[DeckId, float]) -> Mapping[DeckId, float]:
            return {deck: rank for deck, rank in ranks.items() if deck not in decks} if decks else ranks

        return replace(
            self,
            ranks={
                instance_id: {name: kept(ranks) for name, ranks in by_annotator.items() if name not in annotators}
                for instance_id, by_annotator in self.ranks.items()
                if instance_id not in instances and self.scenarios.get(instance_id, "") not in scenarios
            },
        )

    @property
    def annotator_ids(self) -> tuple[AnnotatorId, ...]:
        """Return everybody who ranked a deck, in the order of first appearance."""
        return tuple(
            dict.fromkeys(name for by_annotator in self.ranks.values() for name, ranks in by_annotator.items() if ranks)
        )


class Consensus(NamedTuple):
    """The human side of each instance as one matrix, padded with NaN to the largest number of decks."""

    instance_ids: tuple[InstanceId, ...]
    deck_ids: tuple[tuple[DeckId, ...], ...]
    """The decks of each row, in the order of its columns."""
    mean_ranks: FloatArray
    """(instances, decks): the mean over annotators of their mid-ranks; of their values where these are on one scale,
    the lowest best."""
    n_annotators: tuple[int, ...]
    """Annotators with at least one ranked deck."""


class Stacked(NamedTuple):
    """Everybody's answers to every instance as rows of one matrix, those of an instance one after another."""

    instance_ids: tuple[InstanceId, ...]
    deck_ids: tuple[tuple[DeckId, ...], ...]
    """The decks of each instance, in the order of the columns."""
    owners: NDArray[np.int64]
    """(rows,) index of the instance."""
    annotators: tuple[AnnotatorId, ...]
    """Whose row it is."""
    values: FloatArray
    """(rows, decks): mid-ranks within the row, or the values themselves where these are on one scale; NaN for a gap."""


def stacked(human: HumanRankings) -> Stacked:
    """Return everybody's answers as one matrix; annotators without a ranked deck have no row."""
    instance_ids = human.instance_ids
    columns = [_columns(human.ranks[instance_id]) for instance_id in instance_ids]
    owners: list[int] = []
    annotators: list[AnnotatorId] = []
    width = max((len(decks) for decks in columns), default=0)
    rows: list[list[float]] = []
    for owner, instance_id in enumerate(instance_ids):
        for annotator, ranks in human.ranks[instance_id].items():
            if ranks:
                owners.append(owner)
                annotators.append(annotator)
                row = [ranks.get(deck, math.nan) for deck in columns[owner]]
                rows.append(row + [math.nan] * (width - len(row)))
    given = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    return Stacked(
        instance_ids=instance_ids, deck_ids=tuple(columns), owners=np.array(owners, dtype=np.int64),
        annotators=tuple(annotators), values=given if human.is_on_one_scale else mid_rank_rows(given),
    )  # fmt: skip


def consensus(human: HumanRankings) -> Consensus:
    """Return the mean over annotators of their mid-ranks for every deck that somebody ranked.

    Each annotator's mid-ranks are those within that annotator's own ranking; a deck's mean is over the
    annotators who ranked it. Mid-ranks are multiples of ½, so the sums are exact, and decks of equal
    standing stay exactly equal whatever the annotators' order. Values on one scale are taken as they are, and
    their means rounded to twelve digits for the same reason. Where a reviewer decided pairs, ranks in the order that
    keeps them stand in place of the means.
    """
    rows = stacked(human)
    shape = (len(rows.instance_ids), rows.values.shape[1])
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, rows.owners, np.nan_to_num(rows.values))
    np.add.at(counts, rows.owners, ~np.isnan(rows.values))
    with np.errstate(invalid="ignore"):
        means = np.where(counts > 0, sums / counts, np.nan)
    if human.is_on_one_scale:
        means = rounded(means)
    for place, instance_id in enumerate(rows.instance_ids):
        if human.adjudicated.get(instance_id):
            means[place] = _settled(means[place], rows.deck_ids[place], human.adjudicated[instance_id])
    people = np.bincount(rows.owners, minlength=len(rows.instance_ids))
    return Consensus(
        instance_ids=rows.instance_ids,
        deck_ids=rows.deck_ids,
        mean_ranks=means,
        n_annotators=tuple(int(count) for count in people),
    )


def method_matrix(side: Consensus, scores: Scores) -> FloatArray:
    """Return a method's values in the cells of `side.mean_ranks`; NaN where it has none."""
    values = np.full(side.mean_ranks.shape, np.nan)
    for row, (instance_id, decks) in enumerate(zip(side.instance_ids, side.deck_ids, strict=True)):
        of_instance = scores.get(instance_id)
        if of_instance:
            cells = [of_instance.get(deck) for deck in decks]
            values[row, : len(decks)] = [math.nan if value is None else value for value in cells]
    return np.where(np.isfinite(values), values, np.nan)


def _columns(by_annotator: Mapping[AnnotatorId, Mapping[DeckId, float]]) -> tuple[DeckId, ...]:
    return tuple(dict.fromkeys(deck for ranks in by_annotator.values() for deck in ranks))


def _settled(means: FloatArray, decks: Sequence[DeckId], decided: Sequence[Comparison]) -> FloatArray:
    place = {deck: number for number, deck in enumerate(decks)}
    before, ties = [], []
    for each in decided:
        if each.first not in place or each.second not in place:
            continue
        pair = (place[each.first], place[each.second])
        if each.said is Preference.TIE:
            ties.append(pair)
        else:
            before.append(pair if each.said is Preference.A else pair[::-1])
    return adjudicated_ranks(means, before=before, ties=ties) if before or ties else means
