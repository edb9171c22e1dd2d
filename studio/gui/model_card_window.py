"""The model card of the content scores: the paper's tables and figures, from the figures that the model carries."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QSizePolicy, QTabWidget, QVBoxLayout, QWidget

from studio.actions.figures import figure
from studio.actions.reflex_tables import CardTable, CardTables, Cell, card_tables, figures, write_tables
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.plots.svg_plot import SvgPlot
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel

_FIGURES = {"sensitivity": "Sensitivity plot", "mean-score": "Score plot"}


class ModelCardWindow(QDialog):
    """Shows the shipped model's card, one tab a table; Esc closes."""

    shown = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self.tables: CardTables | None = None
        self.setWindowTitle("Model card of the content scores")
        self.resize(1200, 560)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        self.save = KeyCapButton("Save tables and figures…")
        self.save.setAutoDefault(False)
        self.save.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.save.setEnabled(False)
        self.save.clicked.connect(self._on_save)
        self.said = ElidedLabel()
        self.said.setProperty("tone", "muted")
        foot = QHBoxLayout()
        foot.addWidget(self.said, 1)
        foot.addStretch()
        foot.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.tabs, 1)
        column.addLayout(foot)
        self._ticket = context.background.query(card_tables, self._on_read, self._on_failed, owner=self)

    def drop(self) -> None:
        """Drop what is still being read."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def _on_read(self, tables: CardTables) -> None:
        self.tables = tables
        for table in tables.tables:
            self.tabs.addTab(_tab(table), table.title)
        for name in figures(tables):
            plot = SvgPlot(_FIGURES[name])
            plot.set_plot(partial(_figure, tables, name))
            panel = Panel(_FIGURES[name])
            panel.set_body(plot, margin=12)
            self.tabs.addTab(panel, _FIGURES[name])
        self.save.setEnabled(True)
        self.shown.emit()

    def _on_failed(self, error: BaseException) -> None:
        self.said.set_text(str(error))
        if not isinstance(error, StudioError):
            self._context.report(error)
        self.shown.emit()

    @Slot()
    def _on_save(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Save tables and figures")
        if chosen and self.tables is not None:
            self.save_to(chosen)

    def save_to(self, folder: str) -> None:
        """Write every table and figure into a folder."""
        tables = self.tables
        assert tables is not None
        self._ticket = self._context.background.query(
            lambda: write_tables(tables, Path(folder)),
            lambda files: self.said.set_text(f"Saved {len(files)} files in {Path(folder).name}."), self._on_failed,
            owner=self,
        )  # fmt: skip


def _figure(tables: CardTables, name: str, colours: object) -> str:
    return figures(tables, colours)[name]


def _tab(table: CardTable) -> QWidget:
    model: RowModel[tuple[Cell, ...]] = RowModel(
        [
            Column(title=title.replace("_", " "), value=lambda row, at=at: row[at],
                   text=lambda row, at=at: _words(row[at]), is_number=at > 1 or (table.name == "defects" and at > 0),
                   is_strong=at == 0, width=_width(table, at))
            for at, title in enumerate(table.columns)
        ],
        key=lambda row: row[:2],
    )  # fmt: skip
    model.set_rows(table.rows)
    rows = DataTable()
    model.setParent(rows)
    rows.set_model(model)
    rows.setAccessibleName(table.title)
    panel = Panel()
    panel.set_body(rows)
    note = toned_label(table.note, "muted")
    note.setWordWrap(True)
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 12, 0, 0)
    column.addWidget(panel, 1)
    column.addWidget(note)
    return whole


def _width(table: CardTable, at: int) -> int:
    if table.name == "data" and at:
        return 0
    return 130 if at < 2 else max(88, 9 * len(table.columns[at]) + 20)


def _words(cell: Cell) -> str:
    return figure(cell, 3) if isinstance(cell, float) or cell is None else str(cell)
