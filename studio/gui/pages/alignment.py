"""Alignment: how well each method agrees with the people, in numbers, by instance and by deck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from studio.actions.align import Evidence
from studio.actions.alignment_view import (
    RESAMPLES,
    LoadedAlignment,
    Missing,
    facts_in_words,
    load_alignment,
    recomputed,
    what_is_missing,
)
from studio.actions.method_rows import MethodRow, MethodsView, compared
from studio.actions.number_detail import copied
from studio.actions.what_if import Droppable, WhatIf, droppable
from studio.errors import StudioError
from studio.gui.alignment.head import AlignmentHead
from studio.gui.alignment.number_window import NumberWindow
from studio.gui.alignment.table_out import Shown, TableOut
from studio.gui.alignment.what_if_panel import PANEL_PX, WhatIfPanel
from studio.gui.answer_comparison import AnswerComparison
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.framed_page import FramedPage
from studio.gui.models.methods_table import CHANGE, IDENTICAL, INTERVAL, STD, TAU, MethodsDelegate, MethodsTable
from studio.gui.plots.method_plots import MethodPlots
from studio.gui.shortcuts import Action
from studio.gui.tuning.window import TuningWindow
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.page_head import pop_up_below
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import HEAD_PX, ROW_PX, DataTable
from studio.model.changes import Changes, Topic
from studio.model.human_side import HumanSide
from studio.stats.levels import Level

NARROW_PX, TIGHT_PX = 1060, 760
"""Room below which the table does without its lesser columns."""
MOST_SHARE = 0.46
"""Of the page's height for the table; more methods than fit there are scrolled to."""


class AlignmentPage(FramedPage):
    """The methods table above, the heat map and the scatter plot of the chosen method below."""

    page_id = "alignment"
    title = "Align"
    icon_name = "chart-scatter"
    topics = frozenset({Topic.ANSWERS, Topic.SCORES, Topic.DECKS, Topic.PEOPLE})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tickets: list[Ticket] = []
        self._evidence: Evidence | None = None
        """With nothing left out."""
        self._view: MethodsView | None = None
        self._whole: MethodsView | None = None
        """The table with nothing left out, at the present level."""
        self._material: Droppable | None = None
        self._side = HumanSide()
        self._chosen = ""
        self._is_loading = False
        self.tuning: TuningWindow | None = None
        self.number_window: NumberWindow | None = None
        self._missing: Missing | None = None
        self.answers: AnswerComparison | None = None
        self._build()

    def _build(self) -> None:
        self.out = TableOut(self._shown_table, self)
        self.head = AlignmentHead()
        self.sample, self.side, self.level = self.head.sample, self.head.side, self.head.level
        self.base, self.what_if, self.tune, self.export = (
            self.head.base, self.head.what_if, self.head.tune, self.head.export,
        )  # fmt: skip
        self.side.side_chosen.connect(self._on_side_chosen)
        self.level.activated.connect(self._on_level_chosen)
        self.base.activated.connect(self._on_base_chosen)
        self.what_if.clicked.connect(self.toggle_what_if)
        self.tune.clicked.connect(self.open_tuning)
        self.disagreements, self.checklists = self.head.disagreements, self.head.checklists
        self.disagreements.clicked.connect(self.open_disagreements)
        self.checklists.clicked.connect(self.open_answers)
        self.export.clicked.connect(self._on_export_clicked)
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
        self.table.row_opened.connect(self._open_row)
        self.table.setColumnHidden(CHANGE, True)
        self.table_panel = Panel()
        self.table_panel.set_body(self.table)
        self.plots = MethodPlots()
        self.plots.instance_opened.connect(self._on_instance_opened)
        self.plots.deck_opened.connect(self._on_deck_opened)
        self.plots.disagreements_asked.connect(self._on_disagreements_asked)
        self.plots.number_asked.connect(self._on_number_asked)
        self.plots.failed.connect(self._on_plot_failed)
        self.what_if_panel = WhatIfPanel()
        self.what_if_panel.changed.connect(self._on_what_if_changed)
        self.what_if_panel.hide()
        body = QWidget()
        inner = QVBoxLayout()
        inner.setSpacing(12)
        inner.addWidget(self.table_panel)
        inner.addWidget(self.plots, 1)
        beside = QHBoxLayout(body)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(12)
        beside.addLayout(inner, 1)
        beside.addWidget(self.what_if_panel)
        self.body = body
        self.empty = EmptyState("", icon_name="chart-scatter")
        self.empty.button_clicked.connect(self._on_empty_clicked)
        column = self.build_frame(self.head, self.body, self.empty, failed="The alignment could not be computed")
        column.insertWidget(1, self.warning)
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
        self._whole, self._material = None, None
        if self.number_window is not None:
            self.number_window.close()
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

    def focus_first(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def on_changes(self, changes: Changes) -> None:
        super().on_changes(changes)
        if changes.topics & self.topics and self.tuning is not None:
            self.tuning.reload()

    def actions(self) -> list[Action]:  # type: ignore[override]
        return [
            Action(id="alignment.disagreements", words="Look at disagreements of this method",
                   run=self.open_disagreements, keys=("D",), page=self.page_id),
            Action(id="alignment.copy_csv", words="Copy table as CSV", run=self.out.copy_csv, page=self.page_id),
            Action(id="alignment.copy_markdown", words="Copy table as Markdown", run=self.out.copy_markdown,
                   page=self.page_id),
            Action(id="alignment.copy_number", words="Copy number with its definition", keys=("Ctrl+C",),
                   run=self.copy_number, page=self.page_id),
            Action(id="alignment.open_number", words="Open number down to its rankings", run=self.open_number,
                   page=self.page_id),
            Action(id="alignment.what_if", words="What if…", keys=("W",), run=self.toggle_what_if, page=self.page_id),
            Action(id="alignment.reset_what_if", words="Leave nothing out", run=self.what_if_panel.clear,
                   page=self.page_id),
            Action(id="alignment.ranks", words="Show ranks side by side", run=self.plots.show_bump,
                   page=self.page_id),
            Action(id="alignment.filter", words="Filter whose answers count…", run=self.side.open_filter,
                   page=self.page_id),
            Action(id="alignment.tune", words="Tune to people…", run=self.open_tuning, page=self.page_id),
            Action(id="alignment.ve_matrix", words="V-E matrix…", run=self.open_matrix, page=self.page_id),
            Action(id="alignment.dimensions", words="Subsets of a checklist's dimensions…", run=self.open_dimensions,
                   page=self.page_id),
            Action(id="alignment.styles", words="Alignment by style…", run=self.open_styles, page=self.page_id),
            Action(id="alignment.people_and_parser", words="Editability: people and parser…",
                   run=self.open_agreement, page=self.page_id),
            Action(id="alignment.checklists", words="Checklists: people, code and judges…", run=self.open_answers,
                   page=self.page_id),
            Action(id="alignment.plots", words="Write plots…", run=self.out.ask_plots, page=self.page_id),
            Action(id="alignment.export", words="Export table…", run=self.out.ask_table, page=self.page_id),
        ]  # fmt: skip

    # what a user can do

    @Slot()
    def copy_number(self) -> None:
        """Put the numbers of the selected rows on the clipboard, with what they are and what they are of."""
        view = self._view
        if view is not None:
            rows = self.table.selected_rows() or list(view.rows[:1])
            words = self.what_if_panel.words()
            QGuiApplication.clipboard().setText("\n\n".join(copied(view, row, what_if=words) for row in rows))

    @Slot()
    def open_number(self) -> None:
        """Open the number of the selected row: definition, instances, rankings."""
        rows = self.table.selected_rows()
        if rows:
            self._open_row(rows[0])

    @Slot()
    def toggle_what_if(self) -> None:
        """Show or hide the switches; what is left out stays so while they are hidden."""
        is_shown = self.what_if_panel.isHidden()
        if not is_shown:
            # Before it goes: focus in a hidden widget would jump to the rail.
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.what_if_panel.setVisible(is_shown)
        self._fit_width()
        if is_shown:
            self._read_material()
            self.what_if_panel.tree.setFocus(Qt.FocusReason.OtherFocusReason)

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
    def open_disagreements(self) -> None:
        """Go to the widest disagreement of people and the chosen method, or behind the cell with the focus."""
        if self.plots.ask_for_current():
            return
        if self._context is not None and self._view is not None:
            rows = self.table.selected_rows()
            is_people = bool(rows) and rows[0].is_people
            self._context.navigate("review", **({"dispute": "people"} if is_people else {"who": self._chosen}))

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
    def load(self) -> None:
        if self._context is None:
            return
        self._is_stale, self._is_loading = False, True
        self._drop_reads()
        project, level, base = self._context.project, self.level.currentData(), self._base_name()
        side, what_if, is_open = self._side, self.what_if_panel.what_if(), not self.what_if_panel.isHidden()

        def read() -> LoadedAlignment:
            return load_alignment(
                project, side, level=level, compare_with=base, what_if=what_if,
                with_material=is_open or not what_if.is_empty,
            )  # fmt: skip

        if self._view is None:
            self._show_state(self.loading)
        self._query(read, self._on_read, self._on_failed)

    def _on_read(self, found: LoadedAlignment) -> None:
        self._is_loading = False
        self._evidence, self._material, self._whole = found.evidence, found.material, found.whole
        self._side = found.evidence.people.side
        self.side.show_sides(found.sides, self._side, found.groups)
        if found.view is None:
            self._view = None
            self._show_empty(self._evidence)
        else:
            self._on_view(found.view)
            self.what_if_panel.show_choices(found.evidence, found.material)

    def _read_material(self) -> None:
        evidence, context = self._evidence, self._context
        if evidence is None or context is None or self._view is None:
            return
        self.what_if_panel.show_choices(evidence, self._material)
        if self._material is None:
            project = context.project
            self._query(lambda: droppable(project, evidence), self._on_material, context.report)

    def _on_material(self, material: Droppable) -> None:
        self._material = material
        if self._evidence is not None:
            self.what_if_panel.show_choices(self._evidence, material)

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
            self.load()
            return
        self._drop_reads()
        self.head.facts_label.set_text("Computing …")
        self._compute(evidence, level, base)

    def _compute(self, evidence: Evidence, level: str, base: str) -> None:
        """Compute the table anew: the numbers at once, and where intervals take longer, these after them."""
        what_if, material, whole = self.what_if_panel.what_if(), self._material, self._whole

        def compute(resamples: int) -> LoadedAlignment:
            return recomputed(
                evidence, material, what_if, level=level, compare_with=base, resamples=resamples,
                whole=whole,
            )  # fmt: skip

        def whole_table() -> None:
            self._query(lambda: compute(RESAMPLES), self._on_computed, self._on_failed)

        def numbers_first(found: LoadedAlignment) -> None:
            self._on_computed(found)
            whole_table()

        if level == Level.INSTANCE.value or what_if.is_empty:
            whole_table()
        else:
            self._query(lambda: compute(0), numbers_first, self._on_failed)

    def _on_computed(self, found: LoadedAlignment) -> None:
        self._whole = found.whole
        if found.view is not None:
            self._on_view(found.view)

    @Slot(object)
    def _on_what_if_changed(self, _what_if: WhatIf) -> None:
        if self._evidence is None or self._view is None or self._is_loading:
            return
        self._drop_reads()
        self._compute(self._evidence, self.level.currentData(), self._base_name())

    @Slot(object)
    def _on_side_chosen(self, side: HumanSide) -> None:
        if side != self._side:
            self._side, self._material = side, None
            self.load()

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
        self._show_facts(view)
        names = [row.name for row in view.rows if not row.is_people]
        self.head.show_methods(view)
        is_what_if = not self.what_if_panel.what_if().is_empty
        self.methods.set_view(view, self._whole if is_what_if else None)
        self.table.setColumnHidden(CHANGE, not is_what_if)
        self._fit_table()
        self.plots.set_view(view)
        self._show_state(self.body)
        if self._chosen not in names:
            self._chosen = view.compared_with
        self._select(self._chosen)
        self.plots.show_method(self._chosen)

    def _show_facts(self, view: MethodsView) -> None:
        evidence = view.evidence
        self.head.facts_label.set_text(facts_in_words(evidence, self.what_if_panel.words()))
        self.sample.set_text("sample data" if evidence.has_sample_people else "", "alert")
        disagreeing = [row for row in view.rows if row.signs_disagree]
        levels = [f"{row.title}: {row.levels_in_words}" for row in disagreeing]
        # The numbers of several methods would not fit on the line.
        of = ", ".join(levels if len(levels) == 1 else (row.title for row in disagreeing))
        self.warning.set_text(
            f"! Levels disagree in sign, so say which one a number is from: {of}",
            tip="\n".join(levels),
        )
        self.warning.setVisible(bool(disagreeing))

    def _show_empty(self, evidence: Evidence) -> None:
        self.head.facts_label.set_text("")
        self.sample.set_text("")
        self._missing = what_is_missing(evidence)
        self.empty.set_words(self._missing.title, self._missing.words)
        self.empty.button.setText(self._missing.button)
        self.empty.button.show()
        self._show_state(self.empty)

    def _show_state(self, widget: QWidget) -> None:
        self.states.setCurrentWidget(widget)
        is_body = widget is self.body
        for control in (
            self.level, self.base, self.what_if, self.disagreements, self.checklists, self.tune, self.export,
        ):  # fmt: skip
            control.setVisible(is_body)
        self._fit_width()
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
        self._fit_width()
        self._fit_table()

    def _fit_width(self) -> None:
        room = self.width() - (0 if self.what_if_panel.isHidden() else PANEL_PX)
        is_narrow = room < NARROW_PX
        self.table.setColumnWidth(INTERVAL, 130 if room < TIGHT_PX else 214 if is_narrow else 260)
        for column in (STD, TAU):
            self.table.setColumnHidden(column, is_narrow)
        self.table.setColumnHidden(IDENTICAL, room < TIGHT_PX)

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

    @Slot(str, str, str)
    def _on_disagreements_asked(self, method: str, instance_id: str, deck_id: str) -> None:
        row = self._view.row(method) if self._view is not None else None
        if self._context is not None and row is not None:
            whose = {"dispute": "people"} if row.is_people else {"who": method}
            self._context.navigate("review", **whose, instance=instance_id, deck=deck_id)

    @Slot()
    def open_dimensions(self) -> None:
        """Show how well each subset of a checklist's dimensions agrees with people, on the Leaderboard."""
        if self._context is not None:
            self._context.navigate("leaderboard", view="presentbench-6")

    @Slot(object)
    def _open_row(self, row: MethodRow) -> None:
        view, context = self._view, self._context
        if view is None or context is None:
            return
        if self.number_window is not None:
            self.number_window.close()
        self.number_window = NumberWindow(context, view, row, self.what_if_panel.words(), self.window())
        self.number_window.deck_opened.connect(self._on_deck_opened)
        self.number_window.finished.connect(self._on_number_window_closed)
        self.number_window.show()
        self.number_window.activateWindow()

    @Slot(str)
    def _on_number_asked(self, name: str) -> None:
        row = self._view.row(name) if self._view is not None else None
        if row is not None:
            self._open_row(row)

    @Slot(int)
    def _on_number_window_closed(self, _result: int) -> None:
        self.number_window = None

    @Slot(object)
    def _on_plot_failed(self, error: BaseException) -> None:
        if self._context is not None:
            self._context.report(error)

    @Slot()
    def _on_empty_clicked(self) -> None:
        if self._context is not None and self._missing is not None:
            if self._missing.page:
                self._context.navigate(self._missing.page, **self._missing.place)
            else:
                self._on_side_chosen(HumanSide())

    @Slot()
    def _on_theme_changed(self) -> None:
        self.plots.restyle()

    def _shown_table(self) -> Shown | None:
        return (self._view, self._context) if self._view is not None and self._context is not None else None

    def _table_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open number", self.open_number)
        menu.addAction("Copy number with its definition", self.copy_number)
        menu.addSeparator()
        menu.addAction("Copy table as CSV", self.out.copy_csv)
        menu.addAction("Copy table as Markdown", self.out.copy_markdown)
        menu.addSeparator()
        menu.addAction("Export table…", self.out.ask_table)
        menu.addAction("Write plots…", self.out.ask_plots)
        menu.addSeparator()
        menu.addAction("Tune to people…", self.open_tuning)
        menu.addAction("Subsets of a checklist's dimensions…", self.open_dimensions)
        return menu

    @Slot()
    def _on_export_clicked(self) -> None:
        pop_up_below(self._table_menu(), self.export)

    @Slot(QPoint)
    def _on_table_menu_asked(self, place: QPoint) -> None:
        self._table_menu().popup(self.table.viewport().mapToGlobal(place))
