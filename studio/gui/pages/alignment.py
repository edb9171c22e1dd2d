"""Alignment: how well each method agrees with the people, in numbers, by instance and by deck."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.align import Evidence, gather
from studio.actions.care import left_out_in_words
from studio.actions.method_rows import (
    LEVEL_WORDS,
    MethodRow,
    MethodsView,
    as_csv,
    as_markdown,
    compared,
    export_methods,
    title_of,
    view_of,
)
from studio.errors import StudioError
from studio.gui.answer_comparison import AnswerComparison
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.models.methods_table import INTERVAL, STD, MethodsDelegate, MethodsTable
from studio.gui.page import Page
from studio.gui.plots.method_plots import MethodPlots
from studio.gui.shortcuts import Action
from studio.gui.tuning.window import TuningWindow
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import HEAD_PX, ROW_PX, DataTable
from studio.model.changes import Changes, Topic

NARROW_PX = 1060
MOST_SHARE = 0.46
"""Of the page's height for the table; more methods than fit there are scrolled to."""


class AlignmentPage(Page):
    """The methods table above, the heat map and the scatter plot of the chosen method below."""

    page_id = "alignment"
    title = "Align"
    icon_name = "chart-scatter"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context: AppContext | None = None
        self._tickets: list[Ticket] = []
        self._evidence: Evidence | None = None
        self._view: MethodsView | None = None
        self._chosen = ""
        self._is_stale = False
        self._is_loading = False
        self._is_shown = False
        self.tuning: TuningWindow | None = None
        self.answers: AnswerComparison | None = None
        self._empty_place: tuple[str, dict[str, str]] = ("library", {})
        self._build()

    def _build(self) -> None:
        self.head = PageHead("Alignment with people")
        self.sample = Badge("", "alert")
        self.sample.setToolTip("The rankings include those of invented people: no finding, only an example.")
        self.level = QComboBox()
        self.level.setAccessibleName("Level")
        for level, words in LEVEL_WORDS.items():
            self.level.addItem(words.capitalize(), level.value)
        self.level.setToolTip("What one correlation is computed over")
        self.level.activated.connect(self._on_level_chosen)
        self.base = QComboBox()
        self.base.setAccessibleName("Compare with")
        self.base.setToolTip("The method that the paired tests are against")
        self.base.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.base.setMaximumWidth(280)
        self.base.activated.connect(self._on_base_chosen)
        self.export = KeyCapButton("Export", icon=icon("download"))
        self.export.clicked.connect(self._on_export_clicked)
        self.tune = KeyCapButton("Tune")
        self.tune.setToolTip("Components, weights, search over parameters, V-E matrix")
        self.tune.clicked.connect(self.open_tuning)
        self.head.layout().insertWidget(1, self.sample)
        self.checklists = KeyCapButton("Checklists")
        self.checklists.setToolTip("People, code and judges item by item, and the scores of checklists")
        self.checklists.clicked.connect(self.open_answers)
        for control in (self.level, self.base, self.checklists, self.tune, self.export):
            self.head.add_control(control)
        self.warning = ElidedLabel("")
        self.warning.setProperty("tone", "warn")
        self.methods = MethodsTable(self)
        self.table = DataTable()
        self.table.setItemDelegate(MethodsDelegate(self.table))
        self.table.set_model(self.methods)
        self.table.setAccessibleName("Methods")
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_table_menu_asked)
        self.table.row_selected.connect(self._on_method_selected)
        self.table_panel = Panel()
        self.table_panel.set_body(self.table)
        self.plots = MethodPlots()
        self.plots.instance_opened.connect(self._on_instance_opened)
        self.plots.deck_opened.connect(self._on_deck_opened)
        self.plots.failed.connect(self._on_plot_failed)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(12)
        inner.addWidget(self.table_panel)
        inner.addWidget(self.plots, 1)
        self.body = body
        self.loading = LoadingState()
        self.empty = EmptyState("", icon_name="chart-scatter")
        self.empty.button_clicked.connect(self._on_empty_clicked)
        self.failed = FailedState("The alignment could not be computed")
        self.failed.retried.connect(self._load)
        self.states = QStackedWidget()
        for widget in (self.loading, self.body, self.empty, self.failed):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(self.head)
        column.addWidget(self.warning)
        column.addWidget(self.states, 1)
        self.warning.hide()

    # the window's side

    def open_project(self, context: AppContext) -> None:
        self._context = context
        context.theme.theme_changed.connect(self._on_theme_changed)
        self._show_state(self.loading)
        self._is_stale = True

    def close_project(self) -> None:
        if self._context is not None:
            self._context.theme.theme_changed.disconnect(self._on_theme_changed)
        for ticket in self._tickets:
            ticket.drop()
        self._tickets, self._evidence, self._view, self._context = [], None, None, None
        if self.tuning is not None:
            self.tuning.close_project()
            self.tuning = None
        if self.answers is not None:
            self.answers.close()
            self.answers = None
        self.plots.clear()

    def go_to(self, **place: str) -> None:
        if place.get("method"):
            self._chosen = place["method"]
            self._select(self._chosen)

    def on_shown(self) -> None:
        self._is_shown = True
        if self._is_stale:
            self._load()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def on_hidden(self) -> None:
        self._is_shown = False

    def on_changes(self, changes: Changes) -> None:
        if changes.topics & {Topic.ANSWERS, Topic.SCORES, Topic.DECKS, Topic.PEOPLE}:
            self._is_stale = True
            if self._is_shown:
                self._load()
            if self.tuning is not None:
                self.tuning.reload()

    def actions(self) -> list[Action]:  # type: ignore[override]
        return [
            Action(id="alignment.copy_csv", words="Copy table as CSV", run=self.copy_csv, page=self.page_id),
            Action(id="alignment.copy_markdown", words="Copy table as Markdown", run=self.copy_markdown,
                   page=self.page_id),
            Action(id="alignment.tune", words="Tune to people…", run=self.open_tuning, page=self.page_id),
            Action(id="alignment.ve_matrix", words="V-E matrix…", run=self.open_matrix, page=self.page_id),
            Action(id="alignment.styles", words="Alignment by style…", run=self.open_styles, page=self.page_id),
            Action(id="alignment.people_and_parser", words="Editability: people and parser…",
                   run=self.open_agreement, page=self.page_id),
            Action(id="alignment.checklists", words="Checklists: people, code and judges…", run=self.open_answers,
                   page=self.page_id),
            Action(id="alignment.export", words="Export table…", run=self.ask_export, page=self.page_id),
        ]  # fmt: skip

    # what a user can do

    @Slot()
    def copy_csv(self) -> None:
        """Put the table on the clipboard as CSV in full precision."""
        if self._view is not None:
            # A spreadsheet takes the mark for a part of the first cell when text is pasted.
            QGuiApplication.clipboard().setText(as_csv(self._view).removeprefix("\ufeff"))

    @Slot()
    def copy_markdown(self) -> None:
        """Put the table on the clipboard as Markdown, rounded as it is shown."""
        if self._view is not None:
            QGuiApplication.clipboard().setText(as_markdown(self._view))

    @Slot()
    def open_tuning(self) -> None:
        """Show the tuning window: components, weights, search, V-E matrix."""
        if self._context is None:
            return
        if self.tuning is None:
            self.tuning = TuningWindow(self._context, self.window())
        self.tuning.show()
        self.tuning.activateWindow()

    @Slot()
    def open_matrix(self) -> None:
        """Show the tuning window at its V-E matrix."""
        self.open_tuning()
        if self.tuning is not None:
            self.tuning.show_tab("matrix")

    @Slot()
    def open_styles(self) -> None:
        """Show the tuning window at its styles of decks."""
        self.open_tuning()
        if self.tuning is not None:
            self.tuning.show_tab("styles")

    @Slot()
    def open_agreement(self) -> None:
        """Show the tuning window at how people and the parser agree on editability."""
        self.open_tuning()
        if self.tuning is not None:
            self.tuning.show_tab("agreement")

    @Slot()
    def open_answers(self) -> None:
        """Show people's answers to checklists beside code's and judges', item by item."""
        if self._context is None or self._context.is_blind:
            return
        if self.answers is None:
            self.answers = AnswerComparison(self._context, self.window())
        self.answers.show_fresh()

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write the table there."""
        if self._view is None or self._context is None:
            return
        folder = self._context.project.exports_folder if not self._context.project.is_read_only else Path.home()
        name = str(folder / f"alignment-{self._view.table.level.value}.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, "Export table", name, "CSV (*.csv);;Markdown (*.md)")
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, path: Path) -> None:
        """Write the table into a file, as CSV or Markdown by its name."""
        view, context = self._view, self._context
        if view is None or context is None:
            return
        context.background.query(
            lambda: export_methods(view, path),
            lambda written: context.toast(f"Exported as {written}."),
            context.report,
            owner=self,
        )

    # loading

    def _query(
        self, fn: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[BaseException], None]
    ) -> Ticket:
        assert self._context is not None
        ticket = self._context.background.query(fn, done, failed, owner=self)
        self._tickets = [*self._tickets, ticket][-20:]
        return ticket

    def _drop_reads(self) -> None:
        for ticket in self._tickets:
            ticket.drop()
        self._tickets = []

    @Slot()
    def _load(self) -> None:
        if self._context is None:
            return
        self._is_stale, self._is_loading = False, True
        self._drop_reads()
        project, level, base = self._context.project, self.level.currentData(), self._base_name()

        def read() -> tuple[Evidence, MethodsView | None]:
            evidence = gather(project)
            is_enough = bool(evidence.methods) and bool(evidence.human.instance_ids)
            return evidence, view_of(evidence, level=level, compare_with=base) if is_enough else None

        if self._view is None:
            self._show_state(self.loading)
        self._query(read, self._on_read, self._on_failed)

    def _on_read(self, found: tuple[Evidence, MethodsView | None]) -> None:
        self._is_loading = False
        self._evidence, view = found
        if view is None:
            self._view = None
            self._show_empty(self._evidence)
        else:
            self._on_view(view)

    def _on_failed(self, error: BaseException) -> None:
        self._is_stale, self._is_loading = True, False
        if not isinstance(error, StudioError) and self._context is not None:
            self._context.report(error)
        self.failed.set_words("The alignment could not be computed", str(error))
        self._show_state(self.failed)

    @Slot()
    def _on_level_chosen(self, *_: object) -> None:
        evidence, level, base = self._evidence, self.level.currentData(), self._base_name()
        if evidence is None or self._view is None or self._context is None:
            return
        if self._is_loading:
            # What changed is being read for the old level; it must not get lost.
            self._load()
            return
        self._drop_reads()
        self.head.facts_label.set_text("Computing …")
        self._query(
            lambda: view_of(evidence, level=level, compare_with=base), self._on_view, self._on_failed
        )  # fmt: skip

    @Slot()
    def _on_base_chosen(self, *_: object) -> None:
        view, base = self._view, self._base_name()
        if view is None or self._context is None:
            return
        if self._is_loading or view.table.level.value != self.level.currentData():
            self._on_level_chosen()
            return
        self._drop_reads()
        self._query(lambda: compared(view.table, base), self._on_view, self._on_failed)

    # showing

    def _on_view(self, view: MethodsView) -> None:
        self._view = view
        self._evidence = view.evidence
        self._show_facts(view)
        names = [row.name for row in view.rows if not row.is_people]
        self.base.blockSignals(True)
        self.base.clear()
        for name in names:
            self.base.addItem(f"Compare with: {title_of(name)}", name)
        self.base.setCurrentIndex(max(0, self.base.findData(view.compared_with)))
        self.base.blockSignals(False)
        self.methods.set_view(view)
        self._fit_table()
        self.plots.set_view(view)
        self._show_state(self.body)
        if self._chosen not in names:
            self._chosen = view.compared_with
        self._select(self._chosen)
        self.plots.show_method(self._chosen)

    def _show_facts(self, view: MethodsView) -> None:
        evidence = view.evidence
        ranked = len(evidence.human.instance_ids)
        total = len(evidence.instances)
        instances = f"{ranked:,} instances" if ranked == total else f"{ranked:,} of {total:,} instances ranked"
        systems = len({deck.system_id for deck in evidence.decks.values()})
        people = len(evidence.annotators)
        annotators = f"{people:,} annotator{'' if people == 1 else 's'}"
        missed = left_out_in_words(evidence.left_out)
        facts = [instances, f"{systems:,} systems", annotators]
        if missed:
            facts.append(missed[0].lower() + missed[1:].removesuffix("."))
        self.head.facts_label.set_text(" · ".join(facts))
        self.sample.set_text("sample data" if evidence.has_sample_people else "", "alert")
        disagreeing = [row for row in view.rows if row.signs_disagree]
        words = "; ".join(f"{row.title}: {row.levels_in_words}" for row in disagreeing)
        self.warning.set_text(f"! Levels disagree in sign, so say which one a number is from: {words}")
        self.warning.setVisible(bool(disagreeing))

    def _show_empty(self, evidence: Evidence) -> None:
        self.head.facts_label.set_text("")
        self.sample.set_text("")
        has_rankings = bool(evidence.human.instance_ids)
        if not evidence.instances:
            words = (
                "No decks yet",
                "Import decks first; then people rank them and metrics measure them.",
                "Import decks",
            )
            self._empty_place = ("library", {})
        elif not has_rankings:
            words = ("No rankings yet", "Alignment compares scores with what people submitted.", "Rank decks")
            self._empty_place = ("rank", {})
        else:
            words = ("No scores yet", "The people have ranked; now measure the decks.", "Run the metrics")
            self._empty_place = ("runs", {"new": "metrics"})
        self.empty.set_words(*words[:2])
        self.empty.button.setText(words[2])
        self.empty.button.show()
        self._show_state(self.empty)

    def _show_state(self, widget: QWidget) -> None:
        self.states.setCurrentWidget(widget)
        is_body = widget is self.body
        self.checklists = KeyCapButton("Checklists")
        self.checklists.setToolTip("People, code and judges item by item, and the scores of checklists")
        self.checklists.clicked.connect(self.open_answers)
        for control in (self.level, self.base, self.checklists, self.tune, self.export):
            control.setVisible(is_body)
        if not is_body:
            self.warning.hide()

    def _select(self, name: str) -> None:
        for number, row in enumerate(self.methods.rows()):
            if row.name == name:
                self.table.selectRow(number)
                return

    def _fit_table(self) -> None:
        needed = HEAD_PX + ROW_PX * self.methods.rowCount() + 4
        self.table_panel.setFixedHeight(int(min(needed, max(160, self.height() * MOST_SHARE))))

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW_PX
        self.table.setColumnWidth(INTERVAL, 214 if is_narrow else 260)
        self.table.setColumnHidden(STD, is_narrow)
        self.base.setMaximumWidth(232 if is_narrow else 280)
        self._fit_table()

    def _base_name(self) -> str:
        return str(self.base.currentData() or "")

    # signals

    @Slot(object)
    def _on_method_selected(self, row: MethodRow) -> None:
        if row.is_people or row.name == self._chosen:
            return
        self._chosen = row.name
        self.plots.show_method(self._chosen)

    @Slot(str)
    def _on_instance_opened(self, instance_id: str) -> None:
        if self._context is not None:
            self._context.navigate("compare", instance=instance_id)

    @Slot(str)
    def _on_deck_opened(self, deck_id: str) -> None:
        deck = self._evidence.decks.get(deck_id) if self._evidence is not None else None
        if deck is not None and self._context is not None:
            self._context.navigate("compare", instance=deck.instance_id, deck=deck_id)

    @Slot(object)
    def _on_plot_failed(self, error: BaseException) -> None:
        if self._context is not None:
            self._context.report(error)

    @Slot()
    def _on_empty_clicked(self) -> None:
        if self._context is not None:
            page_id, place = self._empty_place
            self._context.navigate(page_id, **place)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.plots.restyle()

    def _table_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy table as CSV", self.copy_csv)
        menu.addAction("Copy table as Markdown", self.copy_markdown)
        menu.addSeparator()
        menu.addAction("Export table…", self.ask_export)
        return menu

    @Slot()
    def _on_export_clicked(self) -> None:
        self._table_menu().popup(self.export.mapToGlobal(QPoint(0, self.export.height() + 2)))

    @Slot(QPoint)
    def _on_table_menu_asked(self, place: QPoint) -> None:
        self._table_menu().popup(self.table.viewport().mapToGlobal(place))
