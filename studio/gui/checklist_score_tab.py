"""Scores of checklists: the mean of each system, by domain, source, language or difficulty, with what is missing."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from studio.actions.checklist_scores import project_scores, score_sources
from studio.actions.figures import counted, figure
from studio.checklists.scoring import DIMENSION_ORDER, GROUPS, Scores, TableRow, table
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.question_list import DIMENSION_WORDS
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.checklists import Dimension

TOGETHER = "All decks"


class ScoreModel(RowModel[TableRow]):
    """One row for each system, or for each system of a group."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="System", value=lambda row: row.system, is_strong=True, tip=lambda row: row.system),
                Column(title="group", value=lambda row: row.group or "all", width=110),
                _mean("total", lambda row: row.total, 72),
                *(_mean(DIMENSION_WORDS[name].split()[0], partial(_of, name), 104) for name in DIMENSION_ORDER),
                Column(title="decks", value=lambda row: row.n, is_number=True, width=64),
                Column(title="failed", value=lambda row: row.n_failed, is_number=True, width=64,
                       tip=lambda row: "Generation failed: counts as 0" if row.n_failed else ""),
                Column(title="missing", value=lambda row: len(row.missing), is_number=True, width=72,
                       tip=lambda row: ", ".join(row.missing[:20])),
            ],
            parent,
            key=lambda row: (row.system, row.group),
        )  # fmt: skip


class ChecklistScores(QWidget):
    """Whose answers, grouped by what, of which group; never two judges in one mean."""

    loaded = Signal()
    """What was read is shown."""
    filtered = Signal()
    """The table shows what the filter lets through."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._scores: Scores | None = None
        self.who, self.by, self.only = QComboBox(), QComboBox(), QComboBox()
        for box, name in ((self.who, "Whose answers"), (self.by, "Grouped by"), (self.only, "Only")):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMaximumWidth(260)
        self.by.addItem("All together", "")
        for name in GROUPS:
            self.by.addItem(f"By {name}", name)
        self.facts = toned_label("", "muted")
        head = QHBoxLayout()
        for widget in (self.who, self.by, self.only, self.facts):
            head.addWidget(widget)
        head.addStretch(1)
        self.rows = ScoreModel(self)
        self.table = DataTable()
        self.table.set_model(self.rows)
        self.table.setAccessibleName("Scores of systems")
        panel = Panel("Scores", "mean percent of items that are met")
        panel.set_body(self.table)
        self.loading = LoadingState()
        self.empty = EmptyState("No scores yet", "", icon_name="list-checks", is_primary=False)
        self.empty.button.hide()
        self.failed = FailedState("The scores cannot be read")
        self.failed.retried.connect(self.reload)
        body = QWidget()
        self._layers = QStackedLayout(body)
        self._panel = panel
        for layer in (panel, self.loading, self.empty, self.failed):
            self._layers.addWidget(layer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(body, 1)
        self.who.activated.connect(self._on_who)
        self.by.activated.connect(self._on_by)
        self.only.activated.connect(self._filter)

    @Slot()
    def reload(self) -> None:
        """Read whose answers there are, and the scores of those that are chosen."""
        if self._scores is None:
            self._layers.setCurrentWidget(self.loading)
        self._read(self.who.currentData() or "")

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def _read(self, who: str) -> None:
        self.stop()
        read = partial(_read_scores, self._context.project, who)
        self._ticket = self._context.background.query(read, self._on_read, self._on_failed, owner=self)

    def _on_read(self, read: tuple[list[str], str, Scores | None]) -> None:
        self._ticket = None
        self.show_scores(*read)

    def show_scores(self, sources: list[str], chosen: str, scores: Scores | None) -> None:
        """Show scores, and whose else there are."""
        self._scores = scores
        if [self.who.itemData(place) for place in range(self.who.count())] != sources:
            self.who.clear()
            for name in sources:
                self.who.addItem("People" if name == "people" else name, name)
        self.who.setCurrentIndex(max(0, self.who.findData(chosen)))
        if self._scores is None:
            self.empty.set_words("No scores yet", "Nobody has answered a checklist, and no judge has either.")
            self._layers.setCurrentWidget(self.empty)
        else:
            self._layers.setCurrentWidget(self._panel)
            self._offer_groups()
            self._filter()
        self.loaded.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if not isinstance(error, StudioError):
            self._context.report(error)
        self.failed.set_words("The scores cannot be read", str(error))
        self._layers.setCurrentWidget(self.failed)
        self.loaded.emit()

    @Slot(int)
    def _on_who(self, _place: int = 0) -> None:
        self._read(self.who.currentData())

    @Slot(int)
    def _on_by(self, _place: int = 0) -> None:
        self._offer_groups()
        self._filter()

    def _offer_groups(self) -> None:
        by, before = self.by.currentData(), self.only.currentText()
        names = sorted({str(getattr(deck, by)) for deck in self._scores.decks}) if by and self._scores else []
        self.only.clear()
        self.only.addItem(TOGETHER, None)
        for name in names:
            self.only.addItem(name or "(none)", name)
        self.only.setCurrentIndex(max(0, self.only.findText(before)))
        self.only.setEnabled(bool(names))

    @Slot()
    def _filter(self, _place: int = 0) -> None:
        if self._scores is None:
            return
        by, only = self.by.currentData() or None, self.only.currentData()
        mask = None
        if by is not None and only is not None:
            mask = np.array([getattr(deck, by) == only for deck in self._scores.decks], dtype=np.bool_)
        rows = table(self._scores, by=by, mask=mask)
        self.rows.set_rows(rows)
        n = len(self._scores.decks) if mask is None else int(mask.sum())
        self.facts.setText(f"{counted(n, 'deck')} · {counted(len(rows), 'row')}")
        self.filtered.emit()


def _read_scores(project: Any, who: str) -> tuple[list[str], str, Scores | None]:
    sources = score_sources(project)
    if not sources:
        return [], "", None
    chosen = who if who in sources else sources[0]
    return sources, chosen, project_scores(project, chosen)


def _of(name: Dimension, row: TableRow) -> float | None:
    return row.dimensions.get(name)


def _mean(title: str, value: Any, width: int) -> Column[TableRow]:
    return Column(
        title=title, value=value, text=lambda row: figure(value(row), 1), is_number=True, width=width,
        reason=lambda _row: "no deck of the group has an answered item",
    )  # fmt: skip
