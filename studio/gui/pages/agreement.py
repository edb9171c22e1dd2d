"""Agreement: how far people agree with each other, by coefficient, annotator and instance, and their consensus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QMenu, QSplitter, QWidget

from studio.actions.agreement_view import (
    AgreementItem,
    AgreementView,
    agreement_view,
    copied,
    export_agreement,
    rows_csv,
)
from studio.actions.consensus import InstanceConsensus, all_consensus, export_consensus
from studio.actions.figures import counted
from studio.actions.studies import rounds
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.framed_page import FramedPage
from studio.gui.icons import icon
from studio.gui.models.agreement_tables import (
    CIRCLES,
    COEFFICIENT,
    KNOWN,
    LEVEL,
    SELF,
    AnnotatorTable,
    CoefficientTable,
    ConsensusTable,
    ItemTable,
)
from studio.gui.shortcuts import Action
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead, pop_up_below
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import DataTable
from studio.model.changes import Topic
from studio.model.human_side import HumanSource
from studio.model.ids import InstanceId

NARROW_PX = 1060


class AgreementPage(FramedPage):
    """Four tables: coefficients and annotators above, instances and the consensus of the chosen one below."""

    page_id = "agreement"
    title = "Agree"
    icon_name = "users"
    topics = frozenset({Topic.ANSWERS, Topic.DECKS, Topic.PEOPLE})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ticket: Ticket | None = None
        self._consensus_ticket: Ticket | None = None
        self._view: AgreementView | None = None
        self._chosen = ""
        self._build()

    def _build(self) -> None:
        self.head = PageHead("Agreement of people")
        self.sample = Badge("", "alert")
        self.sample.setToolTip("The answers include those of invented people: no finding, only an example.")
        self.head.add_badge(self.sample)
        self.side, self.study = QComboBox(), QComboBox()
        for control, name, tip in (
            (self.side, "Answers", "What people said"), (self.study, "Study", "Whose round of answers"),
        ):  # fmt: skip
            control.setAccessibleName(name)
            control.setToolTip(tip)
            control.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            control.setMaximumWidth(240)
            control.activated.connect(self.load)
            self.head.add_control(control, gives_way=1 if control is self.study else 0)
        self.export = KeyCapButton("Export", icon=icon("download"))
        self.export.clicked.connect(self._on_export_clicked)
        self.head.add_control(self.export)
        self.coefficients, self.people = CoefficientTable(self), AnnotatorTable(self)
        self.items, self.orders = ItemTable(self), ConsensusTable(self)
        self.tables = {
            name: _table(model, words)
            for name, model, words in (
                ("coefficients", self.coefficients, "Coefficients of agreement"),
                ("people", self.people, "Annotators"),
                ("items", self.items, "Instances or items"),
                ("orders", self.orders, "Consensus of the instance"),
            )
        }
        self.panels = {
            "coefficients": Panel("Everybody together", "Ctrl+C copies a number with its definition"),
            "people": Panel("Annotators", " "),
            "items": Panel("Every instance", " "),
            "orders": Panel("Consensus", " "),
        }
        for name, panel in self.panels.items():
            panel.set_body(self.tables[name])
        self.tables["items"].row_selected.connect(self._on_item_selected)
        self.tables["items"].row_opened.connect(self._on_item_opened)
        self.tables["orders"].row_opened.connect(self._on_deck_opened)
        body = QSplitter(Qt.Orientation.Vertical)
        for left, right, sizes in (("coefficients", "people", [640, 660]), ("items", "orders", [660, 640])):
            row = QSplitter(Qt.Orientation.Horizontal)
            row.setChildrenCollapsible(False)
            row.addWidget(self.panels[left])
            row.addWidget(self.panels[right])
            row.setSizes(sizes)
            body.addWidget(row)
        body.setChildrenCollapsible(False)
        self.body = body
        self.empty = EmptyState("", icon_name="users")
        self.empty.button_clicked.connect(self._on_empty_clicked)
        self.build_frame(self.head, self.body, self.empty, failed="The agreement could not be computed")

    # the window's side

    def open_project(self, context: AppContext) -> None:
        self._context = context
        self._show_state(self.loading)
        self._is_stale = True

    def close_project(self) -> None:
        for ticket in (self._ticket, self._consensus_ticket):
            if ticket is not None:
                ticket.drop()
        self._context, self._view = None, None

    def focus_first(self) -> None:
        self.tables["coefficients"].setFocus(Qt.FocusReason.OtherFocusReason)

    def actions(self) -> list[Action]:  # type: ignore[override]
        return [
            Action(id="agreement.copy_number", words="Copy number with its definition", keys=("Ctrl+C",),
                   run=self.copy_number, page=self.page_id),
            Action(id="agreement.copy_csv", words="Copy agreement as CSV", run=self.copy_csv, page=self.page_id),
            Action(id="agreement.export", words="Export agreement…", run=self.ask_export, page=self.page_id),
            Action(id="agreement.export_consensus", words="Export consensus rankings…",
                   run=self.ask_export_consensus, page=self.page_id),
        ]  # fmt: skip

    # what a user can do

    @Slot()
    def copy_number(self) -> None:
        """Put the chosen coefficient on the clipboard, with what it is and what it is of."""
        rows = self.tables["coefficients"].selected_rows() or self.coefficients.rows()[:1]
        if self._view is not None and rows:
            answers = self._view.answers
            QGuiApplication.clipboard().setText("\n\n".join(copied(row, answers) for row in rows))

    @Slot()
    def copy_csv(self) -> None:
        """Put the coefficients on the clipboard as CSV in full precision."""
        if self._view is not None:
            QGuiApplication.clipboard().setText(rows_csv(self._view).removeprefix("\ufeff"))

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write every row of agreement there, couples too."""
        path = self._asked_path("agreement.csv")
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write every row of agreement on the chosen answers."""
        view, context = self._view, self._context
        if view is not None and context is not None:
            project, side = context.project, view.answers.side
            context.background.query(
                lambda: export_agreement(project, side, path), self._on_exported, context.report, owner=self
            )

    @Slot()
    def ask_export_consensus(self) -> None:
        """Ask for a file and write the consensus rankings of all instances there."""
        path = self._asked_path("consensus.csv")
        if path is not None:
            self.export_consensus_to(path)

    def export_consensus_to(self, path: Path) -> None:
        """Write the consensus rankings of all instances, as CSV or JSONL by the file's name."""
        view, context = self._view, self._context
        if view is not None and context is not None:
            project, answers = context.project, view.answers
            context.background.query(
                lambda: export_consensus(all_consensus(project, answers), path), self._on_exported, context.report,
                owner=self,
            )  # fmt: skip

    def _asked_path(self, name: str) -> Path | None:
        if self._view is None or self._context is None:
            return None
        folder = self._context.project.exports_folder if not self._context.project.is_read_only else Path.home()
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", str(folder / name), "CSV (*.csv);;JSONL (*.jsonl)")
        return Path(chosen) if chosen else None

    def _on_exported(self, written: Path) -> None:
        if self._context is not None:
            self._context.toast(f"Exported as {written}.")

    # loading

    @Slot()
    def load(self, *_: object) -> None:  # @override
        if self._context is None:
            return
        self._is_stale = False
        if self._ticket is not None:
            self._ticket.drop()
        project, side, study = self._context.project, self.side.currentData(), self.study.currentData()
        wanted = side if side is None or side.source is HumanSource.CHECKLIST else replace(side, study=study)

        def read() -> tuple[AgreementView, list[tuple[str, str]]]:
            return agreement_view(project, wanted), rounds(project)

        if self._view is None:
            self._show_state(self.loading)
        self._ticket = self._context.background.query(read, self._on_read, self._on_failed, owner=self)

    def _on_read(self, found: tuple[AgreementView, list[tuple[str, str]]]) -> None:
        view, studies = found
        self._view = view
        if not view.sides:
            self._show_empty(view)
            return
        self._fill(self.side, [(f"{side.words[0].upper()}{side.words[1:]}", side) for side in view.sides],
                   replace(view.answers.side, study=None))  # fmt: skip
        several: list[tuple[str, str | None]] = [("All studies", None), *(studies if len(studies) > 1 else ())]
        self._fill(self.study, list(several), view.answers.side.study)
        self.study.setVisible(len(several) > 1 and view.answers.side.source is not HumanSource.CHECKLIST)
        self._show(view)

    def _fill(self, box: QComboBox, rows: list[tuple[str, object]], chosen: object) -> None:
        box.blockSignals(True)
        box.clear()
        for words, value in rows:
            box.addItem(words, value)
        places = [place for place, (_, value) in enumerate(rows) if value == chosen]
        box.setCurrentIndex(places[0] if places else 0)
        box.blockSignals(False)

    def _on_failed(self, error: BaseException) -> None:
        self._is_stale = True
        if not isinstance(error, StudioError) and self._context is not None:
            self._context.report(error)
        self.failed.set_words("The agreement could not be computed", str(error))
        self._show_state(self.failed)

    # showing

    def _show(self, view: AgreementView) -> None:
        self.coefficients.set_rows(view.rows)
        self.people.set_rows(view.reports)
        self.items.set_items(view.items, is_by_item=view.is_by_item)
        answers = view.answers
        n = len(answers.rankings.instance_ids)
        facts = [answers.side.words, counted(n, "instance"), counted(len(view.reports), "annotator")]
        if answers.filtered_in_words:
            facts.append(f"left out: {answers.filtered_in_words}")
        self.head.facts_label.set_text(" · ".join(facts))
        self.sample.set_text("sample data" if answers.has_sample_people else "", "alert")
        self.panels["people"].set_title("Annotators", counted(len(view.reports), "annotator"))
        what = "item" if view.is_by_item else "instance"
        self.panels["items"].set_title(f"Every {what}", counted(len(view.items), what))
        self._show_state(self.body)
        known = [item.key for item in view.items]
        if not view.is_by_item:
            if self._chosen not in known:
                self._chosen = known[0] if known else ""
            self._select(self._chosen)
            self._read_consensus()
        else:
            self._show_consensus(None)

    def _select(self, key: str) -> None:
        for number, row in enumerate(self.items.rows()):
            if row.key == key:
                self.tables["items"].selectRow(number)
                return

    def _read_consensus(self) -> None:
        view, chosen, context = self._view, self._chosen, self._context
        if view is None or context is None or not chosen:
            self._show_consensus(None)
            return
        if self._consensus_ticket is not None:
            self._consensus_ticket.drop()
        self._consensus_ticket = context.background.query(
            lambda: view.consensus(InstanceId(chosen)), self._show_consensus, context.report, owner=self
        )

    def _show_consensus(self, found: InstanceConsensus | None) -> None:
        self.orders.set_rows(found.decks if found is not None else [])
        if found is None:
            self.panels["orders"].set_title("Consensus", "choose an instance")
            return
        kemeny = found.orders.kemeny
        facts = []
        if kemeny.distance is not None:
            several = f", {kemeny.n_orders} orders equally near" if kemeny.n_orders > 1 else ""
            facts.append(f"Kemeny distance {kemeny.distance:g}{several}")
        facts.append("Bradley–Terry of the pairs, since some tied" if found.orders.has_ties else "Plackett–Luce")
        if found.orders.is_regularised:
            facts[-1] += ", regularised"
        self.panels["orders"].set_title(f"Consensus on {found.instance}", " · ".join(facts))

    def _show_empty(self, view: AgreementView) -> None:
        self.head.facts_label.set_text("")
        self.sample.set_text("")
        if view.instances:
            self.empty.set_words("No answers yet", "Agreement needs two people who answered the same.")
            self.empty.button.setText("Rank decks")
        else:
            self.empty.set_words("No decks yet", "Import decks first; then people rank them.")
            self.empty.button.setText("Import decks")
        self.empty.button.show()
        self._show_state(self.empty)

    def _show_state(self, widget: QWidget) -> None:
        self.states.setCurrentWidget(widget)
        is_body = widget is self.body
        for control in (self.side, self.export):
            control.setVisible(is_body or (control is self.side and widget is self.failed and self.side.count() > 1))
        if not is_body:
            self.study.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW_PX
        self.tables["coefficients"].setColumnHidden(LEVEL, is_narrow)
        self.tables["coefficients"].setColumnWidth(COEFFICIENT, 140 if is_narrow else 176)
        for column in (KNOWN, SELF, CIRCLES):
            self.tables["people"].setColumnHidden(column, is_narrow)

    # signals

    @Slot(object)
    def _on_item_selected(self, item: AgreementItem) -> None:
        if self._view is not None and not self._view.is_by_item and item.key != self._chosen:
            self._chosen = item.key
            self._read_consensus()

    @Slot(object)
    def _on_item_opened(self, item: AgreementItem) -> None:
        if self._context is not None and self._view is not None and not self._view.is_by_item:
            self._context.navigate("compare", instance=item.key)

    @Slot(object)
    def _on_deck_opened(self, deck: object) -> None:
        if self._context is not None and self._chosen:
            self._context.navigate("compare", instance=self._chosen, deck=deck.deck_id)

    @Slot()
    def _on_empty_clicked(self) -> None:
        if self._context is not None and self._view is not None:
            self._context.navigate("rank" if self._view.instances else "library")

    @Slot()
    def _on_export_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy number with its definition", self.copy_number)
        menu.addAction("Copy as CSV", self.copy_csv)
        menu.addSeparator()
        menu.addAction("Export agreement…", self.ask_export)
        menu.addAction("Export consensus rankings…", self.ask_export_consensus)
        pop_up_below(menu, self.export)


def _table(model: object, words: str) -> DataTable:
    table = DataTable()
    table.set_model(model)
    table.setAccessibleName(words)
    return table
