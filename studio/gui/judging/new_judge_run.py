"""Asking for a judge run: the form at the left; the price, the units and the exact request of one at the right."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QScrollArea,
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
from studio.errors import BadInput, Cancelled
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.judging.call_pane import CallPane
from studio.gui.judging.judge_form import JudgeForm
from studio.gui.judging.key_dialog import ask_for_key
from studio.gui.judging.prices_dialog import PricesDialog
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.changes import Changes
from studio.store import decks as deck_store

WAIT_MS = 300
"""Choices in quick succession cost one plan only."""
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


class NewJudgeRun(QDialog):
    """`wish_chosen` is sent when the user starts the run or a sample of it; the window stays for the sample."""

    wish_chosen = Signal(object)
    """The `JudgeWish`."""
    previewed = Signal()
    """Units and price are counted and shown, or why they cannot be."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._cancel = threading.Event()
        self._planned: PlannedRun | None = None
        self._busy = ""
        self.setWindowTitle("New judge run")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._build()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._on_waited)
        self._connect()
        self._read_project()
        self.resize(1280, 800)

    def _build(self) -> None:
        self.form = JudgeForm()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        area.setMinimumWidth(420)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.count = toned_label("Counting …", "heading")
        self.details = QLabel()
        self.details.setProperty("tone", "muted")
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.count, self.details):
            label.setWordWrap(True)
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
        self.prices = KeyCapButton("Prices")
        self.sample = KeyCapButton(f"Ask {SAMPLE} first", "Ctrl+Shift+Enter")
        self.sample.setToolTip("Their replies are kept and count, and measure the price of the rest.")
        self.cancel = KeyCapButton("Cancel", "Esc")
        self.start = KeyCapButton("Start", "Ctrl+Enter", is_primary=True)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.prices)
        foot.addStretch(1)
        for button in (self.cancel, self.sample, self.start):
            foot.addWidget(button)
        for button in (self.prices, self.cancel, self.sample, self.start, self.form.save, self.form.forget,
                       self.form.keep_key):  # fmt: skip
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        column.addWidget(split, 1)
        column.addWidget(hairline())
        column.addLayout(foot)

    def _connect(self) -> None:
        self.form.changed.connect(self._on_changed)
        self.form.save_asked.connect(self._on_save_asked)
        self.form.forget_asked.connect(self._on_forget_asked)
        self.form.key_asked.connect(self._on_key_asked)
        self.form.rule_chosen.connect(self._on_rule_chosen)
        self.table.row_selected.connect(self._on_unit_selected)
        self.search.textChanged.connect(self.units.set_wanted)
        self.prices.clicked.connect(self._on_prices_clicked)
        self.sample.clicked.connect(self._on_sample_clicked)
        self.start.clicked.connect(self._on_start_clicked)
        self.cancel.clicked.connect(self.reject)
        QShortcut(QKeySequence("Ctrl+Return"), self, self._on_start_clicked)
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

    def _query(self, fn: Callable[[], Any], done: Callable[[Any], None]) -> Ticket:
        return self._context.background.query(fn, done, self._context.report, owner=self)

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
        self.form.set_saved(saved)
        self.form.set_page_rule(rule)
        self.form.set_keys(keys)
        if saved:
            self.form.saved.setCurrentIndex(1)
            self.form.show_setup(saved[0].setup)
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self._planned = None
        self._drop()
        self.count.setText("Counting …")
        self._enable()
        self._wait.start()

    def _drop(self) -> None:
        self._cancel.set()
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    @Slot()
    def _on_waited(self) -> None:
        try:
            wish = self.form.wish()
        except BadInput as error:
            self._show_wrong(error)
            return
        self.form.wrong.setText("")
        project, tools = self._context.project, render_tools(self._context.settings)
        cancel = self._cancel = threading.Event()
        self._ticket = self._context.background.query(
            lambda: planned_run(project, wish, tools=tools, cancel=cancel), self._on_planned, self._on_plan_failed,
            owner=self,
        )  # fmt: skip

    def _show_wrong(self, error: BaseException) -> None:
        self.count.setText("Nothing to count yet")
        self.details.setText(str(error))
        self.units.set_units(())
        self.unit_panel.set_title("Units", " ")
        self.previewed.emit()

    def _on_plan_failed(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, BadInput):
            self._context.report(error)
        self._show_wrong(error)

    def _on_planned(self, found: PlannedRun) -> None:
        self._ticket = None
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

    @Slot()
    def _on_start_clicked(self) -> None:
        if self.start.isEnabled():
            self.wish_chosen.emit(self.form.wish())
            self.accept()

    @Slot()
    def _on_sample_clicked(self) -> None:
        if self.sample.isEnabled():
            wish: JudgeWish = replace(self.form.wish(), first=SAMPLE)
            self.wish_chosen.emit(wish)

    @Slot()
    def _on_prices_clicked(self) -> None:
        dialog = PricesDialog(self._context, self, model=self.form.model.text().strip())
        dialog.prices_changed.connect(self._on_changed)
        dialog.open()

    @Slot()
    def _on_save_asked(self) -> None:
        try:
            setup = self.form.setup()
        except BadInput as error:
            self.form.wrong.setText(str(error))
            return
        proposed = self.form.saved.currentData() or setup.model or setup.provider
        name, is_given = QInputDialog.getText(self, "Save judge", "Name", text=proposed.replace(":", " "))
        if is_given:
            self.save_as(name)

    def save_as(self, name: str) -> None:
        """Keep the judge of the form under a name."""
        project, setup = self._context.project, self.form.setup()

        def keep() -> Any:
            changes = judge_names.save_judge(project, name, setup)
            return changes, judge_names.saved_judges(project), " ".join(name.split())

        self._query(keep, self._on_names_changed)

    @Slot(str)
    def _on_forget_asked(self, name: str) -> None:
        project = self._context.project
        self._query(
            lambda: (judge_names.forget_judge(project, name), judge_names.saved_judges(project), ""),
            self._on_names_changed,
        )

    def _on_names_changed(self, found: Any) -> None:
        changes, saved, chosen = found
        self.form.set_saved(saved, chosen=chosen)
        self._context.announce(changes)

    @Slot(object)
    def _on_rule_chosen(self, rule: PageRule) -> None:
        project = self._context.project
        self._query(lambda: page_rule.set_page_rule(project, rule), self._on_rule_set)

    def _on_rule_set(self, changes: Changes) -> None:
        self._context.announce(changes)
        self._on_changed()

    @Slot(str)
    def _on_key_asked(self, provider: str) -> None:
        ask_for_key(self._context, self, provider, self.form.set_keys)

    def done(self, result: int) -> None:  # @override
        self._drop()
        self._wait.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        self._drop()
        self._wait.stop()
        super().closeEvent(event)


def _dollars(usd: float) -> str:
    if usd == 0:
        return "free"
    return f"about ${usd:,.2f}" if usd >= 0.1 else f"about ${usd:.4f}"
