"""Leaderboards: systems by category, difficulty, dimension and the like, as tables that say what is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from studio.actions.align import Evidence, gather
from studio.actions.figures import UNDEFINED, figure
from studio.errors import BadInput
from studio.exchange.files import csv_text, write_whole
from studio.exchange.table_formats import latex_text, markdown_text
from studio.model.decks import Deck, DeckStatus, Instance
from studio.model.ids import DeckId, InstanceId
from studio.stats.standings import Standing, standings
from studio.store.project import Project

ALL = "all"
GROUPS = ("scenario", "domain", "language", "difficulty")
DIMENSION = "dimension"
"""Not a group of instances: the parts of a method, such as a checklist's dimensions or a judge's criteria."""
RESAMPLES = 1000


@dataclass(frozen=True, kw_only=True)
class Absent:
    """What of a cell is not in its mean; the three last differ in every table."""

    unscored: int = 0
    """Decks that are there and have no value."""
    failed: int = 0
    missing: int = 0
    not_supported: int = 0

    @property
    def in_words(self) -> str:
        """Return such as "1 failed, 2 not supported"; empty if nothing is absent."""
        parts = (
            (self.unscored, "without a value"), (self.failed, "failed"), (self.missing, "missing"),
            (self.not_supported, "not supported"),
        )  # fmt: skip
        return ", ".join(f"{number} {words}" for number, words in parts if number)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One system, or method, in one column."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Decks, or instances, behind the value."""
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    reason: str = ""
    """Why there is no value."""
    absent: Absent = field(default_factory=Absent)
    failed_as_zero: int = 0
    """Failed generations that count as zero in the mean."""

    @property
    def rank_in_words(self) -> str:
        """Return such as "2 (1–3)"."""
        if self.rank is None:
            return UNDEFINED
        ends = "" if self.rank_low == self.rank_high else f" ({self.rank_low}–{self.rank_high})"
        return f"{self.rank}{ends}"


@dataclass(frozen=True, kw_only=True)
class BoardColumn:
    """One column of a board."""

    key: str
    title: str
    digits: int = 2


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One system or method."""

    key: str
    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Board:
    """A table with everything that has to be said about it."""

    view: str
    title: str
    columns: tuple[BoardColumn, ...]
    rows: tuple[BoardRow, ...]
    measure: str = ""
    """What the numbers are of: a method, or whose checklist answers."""
    row_word: str = "system"
    notes: tuple[str, ...] = ()
    sample_data: bool = False
    """Whether invented people are behind any of the numbers."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """The systems and instances of a project, and which decks there are."""

    instances: tuple[Instance, ...]
    systems: tuple[str, ...]
    decks: Mapping[tuple[InstanceId, str], Deck]
    evidence: Evidence

    @staticmethod
    def of(project: Project) -> Field:
        """Return what a project holds."""
        evidence = gather(project)
        decks = {(deck.instance_id, deck.system): deck for deck in evidence.decks.values()}
        return Field(
            instances=tuple(evidence.instances.values()), systems=tuple(sorted({system for _, system in decks})),
            decks=decks, evidence=evidence,
        )  # fmt: skip

    def groups(self, by: str) -> dict[str, tuple[Instance, ...]]:
        """Return the instances by scenario, domain, language or difficulty; those without one under "not given"."""
        found: dict[str, tuple[Instance, ...]] = {}
        for instance in self.instances:
            name = str(getattr(instance, by)) or "not given"
            found[name] = (*found.get(name, ()), instance)
        return dict(sorted(found.items(), key=lambda pair: (pair[0] == "not given", pair[0])))

    def column(
        self,
        values: Mapping[DeckId, float | None],
        *,
        instances: Sequence[Instance] | None = None,
        reasons: Mapping[DeckId, str] | None = None,
        zeros: Collection[DeckId] = (),
        with_ranks: bool = True,
        seed: int = 0,
    ) -> list[Cell]:
        """Return a cell for each system: its mean over instances, interval, rank, and what is absent.

        Args:
            values: by deck; None or nothing where there is none.
            instances: those that count; None for all.
            reasons: why decks have no value.
            zeros: decks whose generation failed and which count as zero, as in PresentBench.
            with_ranks: False where a higher value is no better one.
            seed: of the resamples.
        """
        chosen = self.instances if instances is None else instances
        table = np.full((len(chosen), len(self.systems)), np.nan)
        absent = [Counter[str]() for _ in self.systems]
        why = [Counter[str]() for _ in self.systems]
        n_zeros = [0] * len(self.systems)
        for row, instance in enumerate(chosen):
            for place, system in enumerate(self.systems):
                deck = self.decks.get((instance.id, system))
                status = deck.status if deck is not None else DeckStatus.MISSING
                value = values.get(deck.id) if deck is not None else None
                if deck is not None and deck.id in zeros:
                    table[row, place] = 0.0
                    n_zeros[place] += 1
                elif status is not DeckStatus.PRESENT:
                    absent[place][status.value] += 1
                elif value is None:
                    absent[place]["unscored"] += 1
                    if deck is not None:
                        why[place][(reasons or {}).get(deck.id, "not measured")] += 1
                else:
                    table[row, place] = value
        found = standings(table, resamples=RESAMPLES, seed=seed)
        return [
            _cell(standing, absent[place], why[place], n_zeros[place], with_ranks=with_ranks)
            for place, standing in enumerate(found)
        ]

    def rows(self, columns: Sequence[Sequence[Cell]]) -> tuple[BoardRow, ...]:
        """Return the systems with their cells, by the first column, those without a value last."""
        rows = [
            BoardRow(key=system, title=system, cells=tuple(column[place] for column in columns))
            for place, system in enumerate(self.systems)
        ]
        return tuple(sorted(rows, key=_standing_key))


def by_group(field_: Field, values: Mapping[DeckId, float | None], by: str, **more: Any) -> tuple[
    list[BoardColumn], list[list[Cell]]
]:  # fmt: skip
    """Return the columns of all instances and of each group, with the systems' cells.

    Raises:
        BadInput: for a group that instances do not have.
    """
    if by and by not in GROUPS:
        raise BadInput(f"Systems cannot be shown by {by}.", next_step=f"Known: {', '.join(GROUPS)}.")
    columns, cells = [BoardColumn(key=ALL, title="All")], [field_.column(values, **more)]
    for name, instances in field_.groups(by).items() if by else ():
        columns.append(BoardColumn(key=name, title=name))
        cells.append(field_.column(values, instances=instances, **more))
    return columns, cells


def board_json(board: Board) -> dict[str, Any]:
    """Return a board as `studio leaderboard --json` prints it."""
    return {
        "view": board.view, "title": board.title, "measure": board.measure or None, "row": board.row_word,
        "columns": [{"key": column.key, "title": column.title} for column in board.columns],
        "rows": [
            {
                board.row_word: row.key, "title": row.title,
                "cells": {
                    column.key: _flat(cell) for column, cell in zip(board.columns, row.cells, strict=True)
                },
            }
            for row in board.rows
        ],
        "notes": list(board.notes), "sample_data": board.sample_data,
    }  # fmt: skip


CSV_COLUMNS = (
    "view", "measure", "row", "column", "value", "ci_low", "ci_high", "n", "rank", "rank_low", "rank_high",
    "unscored", "failed", "missing", "not_supported", "failed_as_zero", "undefined_reason",
)  # fmt: skip


def as_csv(board: Board) -> str:
    """Return a board as CSV, one line for each cell, in full precision."""
    return csv_text(
        CSV_COLUMNS,
        [
            {"view": board.view, "measure": board.measure, "row": row.key, "column": column.key} | _flat(cell)
            for row in board.rows
            for column, cell in zip(board.columns, row.cells, strict=True)
        ],
    )


def as_markdown(board: Board) -> str:
    """Return a board as Markdown, rounded as in the window, with its notes."""
    keys, heads, rows = _printed(board)
    return "\n".join([markdown_text(keys, rows, heads=heads, right=keys[1:]), *board.notes, ""])


def as_latex(board: Board) -> str:
    """Return a board as LaTeX for ``booktabs``, rounded as in the window, with its notes as remarks."""
    keys, heads, rows = _printed(board)
    return latex_text(keys, rows, heads=heads, right=keys[1:], remarks=board.notes)


def _printed(board: Board) -> tuple[list[str], list[str], list[dict[str, object]]]:
    """Return keys, heads and rows as a paper prints them; a group and a column may have the same title."""
    keys = [str(place) for place in range(len(board.columns) + 1)]
    heads = [board.row_word.capitalize(), *(column.title for column in board.columns)]
    rows: list[dict[str, object]] = []
    for row in board.rows:
        cells = [cell_text(cell, column) for column, cell in zip(board.columns, row.cells, strict=True)]
        rows.append(dict(zip(keys, (row.title, *cells), strict=True)))
    return keys, heads, rows


def cell_text(cell: Cell, column: BoardColumn) -> str:
    """Return a cell's value as it is shown, "–" for none."""
    return figure(cell.value, column.digits)


FORMATS: Mapping[str, Callable[[Board], str]] = {".csv": as_csv, ".md": as_markdown, ".tex": as_latex}


def export_board(board: Board, out: Path) -> Path:
    """Write a board into a file: Markdown or LaTeX by its name, else CSV. Returns the file.

    Raises:
        BadInput: if it cannot be written.
    """
    write_whole(out, FORMATS.get(out.suffix.lower(), as_csv)(board))
    return out


def _cell(
    standing: Standing, absent: Counter[str], why: Counter[str], zeros: int, *, with_ranks: bool
) -> Cell:  # fmt: skip
    gone = Absent(
        unscored=absent["unscored"], failed=absent[DeckStatus.FAILED.value],
        missing=absent[DeckStatus.MISSING.value], not_supported=absent[DeckStatus.NOT_SUPPORTED.value],
    )  # fmt: skip
    reason = ""
    if standing.mean is None:
        kinds = why.most_common(1)
        reason = "; ".join(part for part in (gone.in_words, kinds[0][0] if kinds else "") if part) or "no instance"
    return Cell(
        value=standing.mean, low=standing.low, high=standing.high, n=standing.n,
        rank=standing.rank if with_ranks else None, rank_low=standing.rank_low if with_ranks else None,
        rank_high=standing.rank_high if with_ranks else None, reason=reason, absent=gone, failed_as_zero=zeros,
    )  # fmt: skip


def _standing_key(row: BoardRow) -> tuple[bool, float, str]:
    value = row.cells[0].value if row.cells else None
    return value is None, -(value or 0.0), row.title


def _flat(cell: Cell) -> dict[str, Any]:
    return {
        "value": cell.value, "ci_low": cell.low, "ci_high": cell.high, "n": cell.n, "rank": cell.rank,
        "rank_low": cell.rank_low, "rank_high": cell.rank_high, "unscored": cell.absent.unscored,
        "failed": cell.absent.failed, "missing": cell.absent.missing, "not_supported": cell.absent.not_supported,
        "failed_as_zero": cell.failed_as_zero, "undefined_reason": cell.reason or None,
    }  # fmt: skip
