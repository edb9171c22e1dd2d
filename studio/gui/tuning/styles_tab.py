"""Styles: how well methods agree with people among the decks of each style, and with each style left out."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLabel, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.bucket_align import BucketAlignment, BucketTable
from studio.actions.figures import counted, figure, percent
from studio.actions.method_rows import title_of
from studio.gui.tuning.tables import signed
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.metrics.buckets import RULES
from studio.stats.alignment import MethodAlignment

USUAL = "aesthetics.total"
_WHY = {"constant": "every deck gets the same value", "too_few": "fewer than three ranked decks in every instance"}


@dataclass(frozen=True, kw_only=True)
class StyleRow:
    """One style for one method."""

    bucket: BucketAlignment
    within: MethodAlignment
    without: MethodAlignment
    overall: MethodAlignment

    @property
    def change(self) -> float | None:
        """How the mean ρ changes when the style is left out."""
        if self.without.mean_rho is None or self.overall.mean_rho is None:
            return None
        return self.without.mean_rho - self.overall.mean_rho


class StyleModel(RowModel[StyleRow]):
    """Each style of deck (the paper's buckets)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Style", value=lambda row: bucket_words(row.bucket.bucket.value), is_strong=True,
                       tip=lambda row: RULES[row.bucket.bucket]),
                Column(title="decks", value=lambda row: row.bucket.n_decks, is_number=True, width=62),
                Column(title="share %", value=lambda row: row.bucket.share,
                       text=lambda row: percent(row.bucket.share), is_number=True, width=76),
                Column(title="mean rank", value=lambda row: row.bucket.mean_human_rank,
                       text=lambda row: figure(row.bucket.mean_human_rank), reason=lambda row: "no ranked deck",
                       is_number=True, width=100),
                Column(title="ρ among them", value=lambda row: row.within.mean_rho,
                       text=lambda row: figure(row.within.mean_rho, 3), reason=lambda row: _why(row.within),
                       tip=lambda row: _interval(row.within), is_number=True, is_strong=True, width=116),
                Column(title="defined", value=lambda row: row.within.n_defined,
                       text=lambda row: f"{row.within.n_defined:,} / {row.within.n_total:,}", is_number=True,
                       width=80),
                Column(title="ρ without", value=lambda row: row.without.mean_rho,
                       text=lambda row: figure(row.without.mean_rho, 3), reason=lambda row: _why(row.without),
                       tip=lambda row: _interval(row.without), is_number=True, width=90),
                Column(title="Δ to all", value=lambda row: row.change, text=lambda row: signed(row.change),
                       reason=lambda row: "undefined on one side", is_number=True, width=80),
            ],
            parent, key=lambda row: row.bucket.bucket,
        )  # fmt: skip


class StylesTab(QWidget):
    """A table of styles for one method, which is chosen above."""

    level_changed = Signal()
    """Ask for the table again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: BucketTable | None = None
        self.method = QComboBox()
        self.method.setAccessibleName("Method")
        self.method.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.method.setMaximumWidth(300)
        self.method.activated.connect(self._on_method_chosen)
        self.model = StyleModel(self)
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setAccessibleName("Styles of decks")
        self.panel = Panel("Styles of decks", " ")
        self.panel.head.add_control(QLabel("method"))
        self.panel.head.add_control(self.method)
        self.panel.set_body(self.table)
        self.rule = toned_label("", "muted")
        self.rule.setWordWrap(True)
        self.panel.add_foot().row.addWidget(self.rule, 1)
        self.loading = LoadingState()
        self.empty = EmptyState("No styles yet", icon_name="chart-scatter")
        self.states = QStackedWidget()
        for widget in (self.loading, self.panel, self.empty):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.states)

    def show_table(self, table: BucketTable) -> None:
        """Show a table; the method that was chosen stays."""
        if not table.overall:
            self.show_nothing("No method has scores yet: run the metrics first.")
            return
        self._table = table
        chosen = self.method.currentData()
        names = list(table.overall)
        self.method.clear()
        for name in names:
            self.method.addItem(title_of(name), name)
        usual = USUAL if USUAL in names else names[0]
        self.method.setCurrentIndex(names.index(chosen if chosen in names else usual))
        self._show()

    def show_nothing(self, words: str) -> None:
        """Say why there is no table."""
        self.empty.set_words("No styles yet", words)
        self.states.setCurrentWidget(self.empty)

    @Slot()
    def _on_method_chosen(self, *_: object) -> None:
        self._show()

    def _show(self) -> None:
        table, method = self._table, self.method.currentData()
        if table is None:
            return
        overall = table.overall[method]
        self.model.set_rows(
            [
                StyleRow(bucket=row, within=row.within[method], without=row.without[method], overall=overall)
                for row in table.buckets
            ]
        )
        unknown = f" · {counted(len(table.unknown), 'ranked deck')} not measured" if table.unknown else ""
        self.panel.set_title(
            "Styles of decks", f"{counted(len(table.styles), 'deck')}, all: ρ {figure(overall.mean_rho, 3)}{unknown}"
        )
        self.rule.setText(
            "A deck is dark or light and may have other styles too, by rules over its slides: point at a style to "
            "read its rule. Among a style's decks ranks are given anew."
        )
        self.states.setCurrentWidget(self.panel)


def bucket_words(value: str) -> str:
    """Return such as "Data-heavy" for ``data_heavy``."""
    return value.replace("_", "-").capitalize()


def _why(item: MethodAlignment) -> str:
    return _WHY.get(item.undefined_reason or "", "no ranked instance")


def _interval(item: MethodAlignment) -> str:
    if item.ci_low is None or item.ci_high is None:
        return _why(item)
    return f"95 % interval {signed(item.ci_low)} … {signed(item.ci_high)} over {counted(item.n_defined, 'instance')}"
