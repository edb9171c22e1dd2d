"""The runs of a project as a table, kept up to date by their events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from studio.actions.figures import counted
from studio.gui import theme
from studio.gui.widgets.table import ROW_ROLE, Column, RowDelegate, RowModel
from studio.model.events import RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.ids import RunId
from studio.model.runs import Run, RunKind, RunState, UnitStatus

ROW_PX = 44
PROGRESS = 1
"""The column with the bar."""

_STATES = {
    RunState.RUNNING: "running",
    RunState.DONE: "done",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "stopped",
    RunState.PAUSED: "paused",
    RunState.INTERRUPTED: "interrupted",
}


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One run as the list shows it."""

    id: RunId
    kind: RunKind
    title: str
    state: RunState
    total: int
    cached: int
    done: int
    failed: int
    """Units that ended in a failure."""
    skipped: int
    """Units that could not be tried, such as decks that a system never delivered."""
    started_at: str
    ended_at: str = ""
    reason: str = ""
    cost: str = "free"
    """Such as "$1.84"; "?" where the price is not known."""
    run: Run | None = None
    """As stored; None for a run that began after the list was read."""

    @property
    def is_live(self) -> bool:
        """Whether it goes on."""
        return self.state is RunState.RUNNING

    @property
    def asks_model(self) -> bool:
        """Whether its units are calls to look into; such a run is called by its method, ``judge/protocol``."""
        return self.kind is RunKind.JUDGE and "/" in self.title


def row_of(run: Run, cost: str = "free") -> RunRow:
    """Return the row of a stored run that cost so much."""
    skipped = run.counts.get(UnitStatus.SKIPPED.value, 0)
    done = sum(run.counts.values())
    return RunRow(
        id=run.id, kind=run.kind, title=run.title, state=run.state, total=run.total, cached=run.cached, done=done,
        failed=done - skipped - run.counts.get(UnitStatus.OK.value, 0), skipped=skipped, started_at=run.started_at,
        ended_at=run.ended_at, reason=run.reason, cost=cost, run=run,
    )  # fmt: skip


def unit_word(row: RunRow) -> str:
    """Return what one unit of a run is called: a metrics run has more than one for each deck."""
    return "unit" if row.kind in {RunKind.METRICS, RunKind.JUDGE} else "deck"


def extent_in_words(row: RunRow) -> str:
    """Return "945 decks · 120 cached · 03-01 14:02"."""
    parts = [counted(row.total + row.cached, unit_word(row))]
    if row.cached:
        parts.append(f"{row.cached:,} cached")
    if row.skipped:
        parts.append(f"{row.skipped:,} skipped")
    if row.started_at:
        parts.append(local_time(row.started_at))
    return " · ".join(parts)


def local_time(at: str) -> str:
    """Return an ISO time as the user's own clock shows it, without the year: "03-01 14:02"."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%m-%d %H:%M")
    except ValueError:
        return at


def state_in_words(row: RunRow) -> str:
    """Return "running", "done, 2 failed", "interrupted"."""
    return ", ".join(filter(None, [_STATES[row.state], _failed_in_words(row)]))


def _failed_in_words(row: RunRow) -> str:
    return f"{row.failed:,} failed" if row.failed else ""


def units_in_words(row: RunRow) -> str:
    """Return "412 / 945"; a run whose units were all cached says so."""
    if not row.total and row.cached:
        return "cached"
    return f"{row.done:,} / {row.total:,}"


def _tone(row: RunRow) -> str:
    if row.state in {RunState.FAILED, RunState.INTERRUPTED}:
        return "bad" if row.state is RunState.FAILED else "warn"
    if row.failed:
        return "warn"
    return "accent" if row.is_live else "text_muted"


_COST_TIPS = {
    "free": "Nothing was paid: computed on this machine",
    "?": "The price of this model is not known; New judge run, Prices",
}


class RunTable(RowModel[RunRow]):
    """Newest first. A batch of events costs one update for each run in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="Run", value=lambda row: row.title, second_line=extent_in_words, is_strong=True,
                   tip=lambda row: f"{row.title}\n{extent_in_words(row)}"),
            Column(title="", value=lambda row: row.done / row.total if row.total else 1.0, text=lambda _row: "",
                   tip=units_in_words, width=92),
            Column(title="units", value=lambda row: row.done, text=units_in_words, is_number=True, width=100),
            Column(title="cost", value=lambda row: row.cost, is_number=True, width=76,
                   tip=lambda row: _COST_TIPS.get(row.cost, f"{row.cost}, from the tokens that the server counted")),
            Column(title="state", value=lambda row: _STATES[row.state], second_line=_failed_in_words, tone=_tone,
                   is_number=True, width=104,
                   tip=lambda row: "\n".join(filter(None, [state_in_words(row), row.reason]))),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.id)

    def set_runs(self, runs: Iterable[Run], costs: Mapping[RunId, str] | None = None) -> None:
        """Show the runs as stored; a live row that has counted further than the store stays as it is.

        Args:
            runs: newest first.
            costs: what those that ask a model cost.
        """
        known = {row.id: row for row in self.rows()}
        rows = []
        for run in runs:
            row, old = row_of(run, (costs or {}).get(run.id, "free")), known.get(run.id)
            if old is not None and row.is_live and old.done > row.done:
                row = replace(old, run=run)
            rows.append(row)
        stored = {row.id for row in rows}
        self.set_rows([*(row for row in known.values() if row.is_live and row.id not in stored), *rows])

    def take(self, events: Iterable[Any], *, now: str) -> bool:
        """Look at a batch of events.

        Args:
            events: in order; those that are not about runs are passed over.
            now: ISO time, for a run that begins in this batch.

        Returns:
            Whether a run began or ended.
        """
        rows = {row.id: row for row in self.rows()}
        before = dict(rows)
        began: list[RunId] = []
        is_turn = False
        for event in events:
            if isinstance(event, RunStarted):
                is_turn = True
                began.append(event.run_id)
                rows[event.run_id] = RunRow(
                    id=event.run_id, kind=event.kind, title=event.title, state=RunState.RUNNING, total=event.total,
                    cached=event.cached, done=0, failed=0, skipped=0, started_at=now,
                )  # fmt: skip
            elif isinstance(event, UnitDone | UnitFailed) and event.run_id in rows:
                row = rows[event.run_id]
                is_skipped = event.record.status is UnitStatus.SKIPPED
                is_failed = isinstance(event, UnitFailed) and not is_skipped
                rows[event.run_id] = replace(
                    row, done=max(row.done, event.done), total=event.total, failed=row.failed + is_failed,
                    skipped=row.skipped + is_skipped,
                )  # fmt: skip
            elif isinstance(event, RunEnded) and event.run_id in rows:
                is_turn = True
                rows[event.run_id] = replace(
                    rows[event.run_id], state=event.state, ended_at=now, reason=event.reason
                )  # fmt: skip
        fresh = [rows[run_id] for run_id in reversed(began) if run_id not in before]
        if fresh:
            self.set_rows([*fresh, *self.rows()])
        for number, row in enumerate(self.rows()):
            if rows[row.id] is not row:
                self.replace(number, rows[row.id])
        return is_turn

    def set_cost(self, run_id: str, cost: str) -> None:
        """Show what a run has cost so far."""
        for number, row in enumerate(self.rows()):
            if row.id == run_id and row.cost != cost:
                self.replace(number, replace(row, cost=cost))

    def row_with(self, run_id: str) -> RunRow | None:
        """Return the row of a run, or None."""
        return next((row for row in self.rows() if row.id == run_id), None)


class RunDelegate(RowDelegate):
    """Draws the bar of a run in the progress column."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        if index.column() != PROGRESS:
            super().paint(painter, option, index)
            return
        self.paint_ground(painter, option)
        row: RunRow = index.data(ROW_ROLE)
        room = option.rect.adjusted(10, 0, -10, 0)
        bar = QRect(room.left(), room.center().y() - 2, room.width(), 6)
        share = row.done / row.total if row.total else 1.0
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(bar, 3, 3)
        if share > 0:
            painter.setBrush(theme.color("accent" if row.is_live or row.state is RunState.DONE else "warn"))
            painter.drawRoundedRect(QRect(bar.left(), bar.top(), max(6, round(bar.width() * share)), 6), 3, 3)
        painter.restore()
