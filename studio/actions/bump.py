"""Where people and each method put the systems, or the decks of one instance: the ranks of a bump chart."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from studio.actions.align import Evidence
from studio.actions.method_rows import PEOPLE, title_of
from studio.exchange.files import csv_text
from studio.model.ids import DeckId, InstanceId, SystemId
from studio.stats.rankings import consensus, method_matrix
from studio.stats.ranks import mid_rank_rows
from studio.stats.statistic import FloatArray, rounded


@dataclass(frozen=True, kw_only=True)
class Bump:
    """Ranks of the lines in every column, people first."""

    columns: tuple[str, ...]
    """Method names; the first is `PEOPLE`."""
    titles: tuple[str, ...]
    lines: tuple[str, ...]
    """Names of the systems."""
    deck_ids: tuple[DeckId, ...]
    """Of each line, where the chart is of one instance; empty else."""
    ranks: FloatArray
    """(lines, columns): mid-ranks, NaN where the column has no value."""


def bump_of(evidence: Evidence, instance_id: InstanceId | None = None) -> Bump:
    """Return the ranks of one instance's decks, or of all systems by the mean of their ranks within instances.

    A column ranks the lines that it has a value for among themselves.
    """
    side = consensus(evidence.human)
    names = list(evidence.methods)
    sides = [side.mean_ranks, *(-method_matrix(side, evidence.methods[name]) for name in names)]
    columns, titles = (PEOPLE, *names), ("People", *map(title_of, names))
    if instance_id is not None:
        if instance_id not in side.instance_ids:
            return Bump(columns=columns, titles=titles, lines=(), deck_ids=(), ranks=np.zeros((0, len(columns))))
        row = side.instance_ids.index(instance_id)
        decks = side.deck_ids[row]
        values = np.array([each[row, : len(decks)] for each in sides])
        lines = tuple(evidence.decks[deck].system if deck in evidence.decks else str(deck) for deck in decks)
        return Bump(
            columns=columns, titles=titles, lines=lines, deck_ids=decks, ranks=mid_rank_rows(values).T
        )  # fmt: skip
    systems: dict[SystemId, str] = {}
    cells: list[tuple[int, int, SystemId]] = []
    for row, decks in enumerate(side.deck_ids):
        for column, deck in enumerate(decks):
            if deck in evidence.decks:
                systems[evidence.decks[deck].system_id] = evidence.decks[deck].system
                cells.append((row, column, evidence.decks[deck].system_id))
    place = {system: index for index, system in enumerate(systems)}
    means = np.array([_means(mid_rank_rows(each), cells, place) for each in sides]).reshape(len(sides), len(place))
    return Bump(
        columns=columns, titles=titles, lines=tuple(systems.values()), deck_ids=(), ranks=mid_rank_rows(means).T
    )  # fmt: skip


def bump_csv(bump: Bump) -> str:
    """Return the ranks as CSV, one row for each line."""
    return csv_text(
        ("system", *bump.columns),
        [
            {
                "system": line,
                **{
                    name: None if math.isnan(rank) else float(rank)
                    for name, rank in zip(bump.columns, bump.ranks[row], strict=True)
                },
            }
            for row, line in enumerate(bump.lines)
        ],
    )


def _means(ranks: FloatArray, cells: list[tuple[int, int, SystemId]], place: dict[SystemId, int]) -> FloatArray:
    sums, counts = np.zeros(len(place)), np.zeros(len(place))
    for row, column, system in cells:
        if not math.isnan(ranks[row, column]):
            sums[place[system]] += ranks[row, column]
            counts[place[system]] += 1
    with np.errstate(invalid="ignore"):
        return rounded(np.where(counts > 0, sums / counts, np.nan))
