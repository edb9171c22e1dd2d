"""Asking for a judge run: the form at the left; the price, the units and the exact request of one at the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from studio.actions import judge_keys, judge_names, page_rule
from studio.actions.judge_wish import JudgeWish
from studio.actions.judge_xray import ShownCall, request_view
from studio.actions.judging import PlannedRun, PlannedUnit, planned_run
from studio.actions.page_rule import PageRule
from studio.actions.programs import render_tools
from studio.gui.context import AppContext
from studio.gui.judging.call_pane import CallPane
from studio.gui.judging.judge_form import JudgeForm
from studio.gui.judging.priced_dialog import PricedDialog
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.changes import Changes
from studio.model.protocols import CancelToken
from studio.store import decks as deck_store

SAMPLE = 6
"""Units of a measured sample: five replies are needed, and one may fail."""


class PlannedUnits(RowModel[PlannedUnit]):
    """The units that a run would do, and those that it cannot."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="unit", value=lambda row: row.label, tip=lambda row: row.label),
                Column(title="", value=lambda row: row.blocked, text=lambda row: row.blocked or "to do",
                       tone=lambda row: "warn" if row.blocked else "text_muted", width=190,
                       tip=lambda row: row.blocked or "to do"),
            ],
            parent,
            key=lambda row: (row.key, row.deck_id),
        )  # fmt: skip
        self._all: tuple[PlannedUnit, ...] = ()
        self._wanted = ""

    def set_units(self, units: tuple[PlannedUnit, ...]) -> None:
        """Show these units."""
        self._all = units
        self._show()

    def set_wanted(self, words: str) -> None:
        """Show only units whose names hold all these words."""
        self._wanted = words.casefold()
        self._show()

    def _show(self) -> None:
        words = self._wanted.split()
        self.set_rows([unit for unit in self._all if all(word in unit.label.casefold() for word in words)])


class NewJudgeRun(PricedDialog):
    """`wish_chosen` is sent when the user starts the run or a sample of it; the window stays for the sample."""

    wish_chosen = Signal(object)
    """The `JudgeWish`."""
    previewed = Signal()
    """Units and price are counted and shown, or why they cannot be."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, JudgeForm(), parent)
        self._planned: PlannedRun | None = None
        self._busy = ""
        self.setWindowTitle("New judge run")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._build()
        self._connect()
        self._read_project()
        self.resize(1280, 800)

    def _build(self) -> None:
        area = self.scrolled_form()
        area.setMinimumWidth(420)
        self.units = PlannedUnits(self)
        self.table = DataTable(is_sortable=False)
        self.table.set_model(self.units)
        self.table.setAccessibleName("Units that would be asked")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Deck or item")
        self.search.setAccessibleName("Find units")
        self.search.setFixedWidth(180)
        unit_panel = Panel("Units", " ")
        unit_panel.set_body(self.table)
        unit_panel.head.add_control(self.search)
        self.unit_panel = unit_panel
        self.calls = CallPane(self._context.background, self._context.images)
        self.calls.show_words("No unit chosen", "Choose a unit to see the exact request.")
        right = QSplitter(Qt.Orientation.Vertical)
        right.setChildrenCollapsible(False)
        right.addWidget(unit_panel)
        right.addWidget(self.calls)
        right.setSizes([200, 440])
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.count)
        column.addWidget(self.details)
        column.addWidget(right, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(area)
        split.addWidget(holder)
        split.setStretchFactor(1, 1)
        split.setSizes([440, 800])
        self.sample = KeyCapButton(f"Ask {SAMPLE} first", "Ctrl+Shift+Enter")
        self.sample.setToolTip("Their replies are kept and count, and measure the price of the rest.")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        column.addWidget(split, 1)
        column.addWidget(hairline())
        column.addLayout(self.foot(self.sample))

    def _connect(self) -> None:
        self.form.rule_chosen.connect(self._on_rule_chosen)
        self.table.row_selected.connect(self._on_unit_selected)
        self.search.textChanged.connect(self.units.set_wanted)
        self.sample.clicked.connect(self._on_sample_clicked)
        QShortcut(QKeySequence("Ctrl+Shift+Return"), self, self._on_sample_clicked)
        for keys, by in (("PgDown", 1), ("PgUp", -1)):
            QShortcut(QKeySequence(keys), self, lambda by=by: self.calls.step(by))

    # what it is told

    def set_busy(self, reason: str) -> None:
        """Say why no run can start now; empty if one can. When the work ends, everything is counted anew."""
        was_busy, self._busy = self._busy, reason
        self._enable()
        if was_busy and not reason:
            self._on_changed()

    # reading

    def _read_project(self) -> None:
        project = self._context.project
        self._query(
            lambda: (
                deck_store.list_instances(project), deck_store.list_decks(project), judge_names.saved_judges(project),
                page_rule.page_rule(project), judge_keys.key_states(),
            ),
            self._on_project_read,
        )  # fmt: skip

    def _on_project_read(self, found: Any) -> None:
        instances, decks, saved, rule, keys = found
        self.form.choice.set_decks(instances, decks)
        self.form.set_page_rule(rule)
        self.form.set_keys(keys)
        self.show_saved(saved)
        self._on_changed()

    def wish(self) -> JudgeWish:  # @override
        return self.form.wish()

    def counting(self, wish: JudgeWish, cancel: CancelToken) -> Callable[[], PlannedRun]:  # @override
        return partial(
            planned_run, self._context.project, wish, tools=render_tools(self._context.settings), cancel=cancel
        )

    def begin_count(self) -> None:  # @override
        self._planned = None
        self._enable()

    def show_uncounted(self, error: BaseException) -> None:  # @override
        self.units.set_units(())
        self.unit_panel.set_title("Units", " ")
        self.previewed.emit()

    def show_counted(self, found: PlannedRun) -> None:  # @override
        self._planned = found
        told = found.preview
        price = "price not known" if told.price_usd is None else _dollars(told.price_usd)
        parts = [f"{told.units:,} unit{'' if told.units == 1 else 's'} to do", f"{told.cached:,} done before"]
        if told.blocked:
            parts.append(f"{told.blocked:,} cannot be done")
        self.count.setText(" · ".join([*parts, price]))
        lines = [
            f"{told.calls:,} calls at least, {told.pictures:,} pictures, {told.input_tokens:,} tokens in, "
            f"{told.output_tokens:,} out."
        ] if told.calls else []  # fmt: skip
        lines.append(f"{told.rule[:1].upper()}{told.rule[1:]}.")
        if found.to_render:
            lines.append(f"{found.to_render:,} decks have no pages yet: they are rendered first, then counted.")
        self.details.setText("\n".join(lines))
        self.unit_panel.set_title("Units", f"{len(found.units):,}")
        self.units.set_units(found.units)
        if self.units.rowCount():
            self.table.selectRow(0)
            self._on_unit_selected(self.units.row(0))
        else:
            self.calls.show_words("Nothing is left to ask", "Every unit has a verdict." if told.cached else "")
        self._enable()
        self.previewed.emit()

    @Slot(object)
    def _on_unit_selected(self, unit: PlannedUnit) -> None:
        if unit.blocked:
            self.calls.show_words("This unit cannot be asked", unit.blocked)
        elif unit.conversation is None:
            self.calls.show_words("Code rules ask nobody", "They read the deck's file, and say the same every time.")
        else:
            conversation = unit.conversation
            self._query(lambda: [request_view(each) for each in conversation.requests()], self._on_requests_read)

    def _on_requests_read(self, calls: list[ShownCall]) -> None:
        self.calls.show_requests(calls)

    def _enable(self) -> None:
        planned = self._planned
        has_units = planned is not None and bool(planned.preview.units or planned.to_render)
        can = has_units and not self._busy
        self.start.setEnabled(can)
        self.sample.setEnabled(
            can and planned is not None and planned.preview.units > SAMPLE and planned.preview.calls > 0
        )
        self.start.setToolTip(self._busy)

    # what the user does

    def begin_run(self) -> None:  # @override
        self.wish_chosen.emit(self.form.wish())

    @Slot()
    def _on_sample_clicked(self) -> None:
        if self.sample.isEnabled():
            wish: JudgeWish = replace(self.form.wish(), first=SAMPLE)
            self.wish_chosen.emit(wish)

    @Slot(object)
    def _on_rule_chosen(self, rule: PageRule) -> None:
        project = self._context.project
        self._query(lambda: page_rule.set_page_rule(project, rule), self._on_rule_set)

    def _on_rule_set(self, changes: Changes) -> None:
        self._context.announce(changes)
        self._on_changed()


def _dollars(usd: float) -> str:
    if usd == 0:
        return "free"
    return f"about ${usd:,.2f}" if usd >= 0.1 else f"about ${usd:.4f}"
