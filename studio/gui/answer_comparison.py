"""The window that compares people's answers with code's and judges', item by item, down to the slide."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.checklist_comparison import AnswerView, ComparedCase, ComparedItem, answer_view, judge_by_code
from studio.actions.checklist_evidence import Said, evidence_of
from studio.actions.figures import counted, percent
from studio.gui.background import Ticket
from studio.gui.checklist_evidence import TONES, WORDS, EvidencePanel
from studio.gui.checklist_score_tab import ChecklistScores
from studio.gui.context import AppContext
from studio.gui.judging.xray import XrayWindow
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.changes import Changes
from studio.stats.statistic import Statistic

WORK = "Code judge"
_WHY = {
    "too_few": "no deck on which both said yes or no",
    "none_predicted": "the judge never said no",
    "no_support": "people never said no",
}


class ItemModel(RowModel[ComparedItem]):
    """Each item beside each judge."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Item", value=lambda row: row.text, is_strong=True, tip=lambda row: row.text),
                Column(title="judge", value=lambda row: row.comparison.judge_id, width=110),
                Column(title="decks", value=lambda row: row.comparison.same.n, is_number=True, width=64),
                Column(title="people yes", value=lambda row: row.n_yes, is_number=True, width=100),
                Column(title="people no", value=lambda row: row.n_no, is_number=True, width=100),
                _share("same %", lambda row: row.comparison.same),
                _share("no: precision %", lambda row: row.comparison.no.precision, 136),
                _share("no: recall %", lambda row: row.comparison.no.recall, 116),
            ],
            parent,
            key=lambda row: (row.comparison.item_id, row.comparison.judge_id),
        )  # fmt: skip


class CaseModel(RowModel[ComparedCase]):
    """What people and one judge say about each deck."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.judge = ""
        super().__init__(
            [
                Column(title="Deck", value=lambda row: row.system, is_strong=True, width=150),
                Column(title="instance", value=lambda row: row.instance, width=190),
                Column(title="item", value=lambda row: row.text, tip=lambda row: row.text),
                Column(title="people", value=lambda row: row.people, text=lambda row: _words(row.people),
                       tone=lambda row: TONES.get(row.people, ""), width=124),
                Column(title="n", value=lambda row: row.n_people, is_number=True, width=40),
                Column(title="judge", value=self._said, text=lambda row: _words(self._said(row) or ""),
                       reason=lambda _row: "no verdict", tone=lambda row: TONES.get(self._said(row) or "", ""),
                       width=124),
                Column(title="slide", value=lambda row: row.slide, reason=lambda _row: "no place marked",
                       is_number=True, width=52),
            ],
            parent,
            key=lambda row: (row.deck_id, row.item_id),
        )  # fmt: skip

    def _said(self, row: ComparedCase) -> str | None:
        return row.machine.get(self.judge)


class AnswerComparison(QDialog):
    """Items with agreement and precision and recall of no; the cases of the chosen one; a case opens its slide."""

    loaded = Signal()
    """What was read is shown."""
    evidence_shown = Signal()
    """What the chosen verdict rests on is shown, or why that cannot be."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._evidence_ticket: Ticket | None = None
        self._looking_up = threading.Event()
        self._case: ComparedCase | None = None
        self._view: AnswerView | None = None
        self._is_judging = False
        self.setWindowTitle("Compare answers")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.resize(1120, 720)
        self.items, self.cases = ItemModel(self), CaseModel(self)
        self.item_table, self.case_table = DataTable(), DataTable()
        self.item_table.set_model(self.items)
        self.case_table.set_model(self.cases)
        self.item_panel, self.case_panel = Panel("Items", " "), Panel("Decks", " ")
        self.item_panel.set_body(self.item_table)
        self.case_panel.set_body(self.case_table)
        self.evidence = EvidencePanel()
        self.evidence.show_waiting("Choose a deck to see what was said about it, and why.")
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self.case_panel)
        below.addWidget(self.evidence)
        below.setChildrenCollapsible(False)
        below.setSizes([720, 400])
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.item_panel)
        split.addWidget(below)
        split.setChildrenCollapsible(False)
        split.setSizes([340, 300])
        self.code_button = KeyCapButton("Judge by code")
        self.code_button.setToolTip("Let the code rules answer every code item; nothing is sent anywhere.")
        self.code_button.setEnabled(False)
        head = QHBoxLayout()
        head.addWidget(toned_label("People, code and judges", "heading"))
        head.addWidget(toned_label("“No” is what a judge should find. Enter opens a deck at its slide.", "muted"))
        head.addStretch(1)
        self.xray_button = KeyCapButton("X-ray", "X")
        self.xray_button.setToolTip("What the judge was asked for the chosen deck, and what it replied.")
        self.xray_button.setEnabled(False)
        head.addWidget(self.xray_button)
        head.addWidget(self.code_button)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter items")
        self.filter.setAccessibleName("Filter items")
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(240)
        self.judge_box = QComboBox()
        self.judge_box.setAccessibleName("Judge")
        self.judge_box.setMaximumWidth(300)
        self.judge_box.addItem("All judges", "")
        filters = QHBoxLayout()
        filters.addWidget(self.filter)
        filters.addWidget(self.judge_box)
        filters.addStretch(1)
        self.loading = LoadingState()
        self.empty = EmptyState("Nothing to compare yet", "", icon_name="list-checks", is_primary=False)
        self.empty.button.hide()
        self.failed = FailedState("The answers cannot be read")
        body = QWidget()
        self._layers = QStackedLayout(body)
        self._tables = split
        for layer in (split, self.loading, self.empty, self.failed):
            self._layers.addWidget(layer)
        self.scores = ChecklistScores(context)
        agreement = QWidget()
        inner = QVBoxLayout(agreement)
        inner.setContentsMargins(0, 12, 0, 0)
        inner.setSpacing(12)
        inner.addLayout(filters)
        inner.addWidget(body, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(agreement, "Agreement")
        self.tabs.addTab(self.scores, "Scores")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.tabs, 1)
        self.item_table.row_selected.connect(self._on_item)
        self.case_table.row_opened.connect(self._on_case)
        self.case_table.row_selected.connect(self._on_case_selected)
        self.evidence.slide_asked.connect(self._on_slide_asked)
        self.filter.textEdited.connect(self._show_items)
        self.judge_box.activated.connect(self._show_items)
        self.code_button.clicked.connect(self.judge)
        self.xray_button.clicked.connect(self.open_xray)
        QShortcut(QKeySequence("X"), self, self.open_xray)
        self.xray: XrayWindow | None = None
        self.failed.retried.connect(self.reload)

    def show_fresh(self) -> None:
        """Show the window with what the project holds now."""
        self.show()
        self.activateWindow()
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Read the answers and verdicts anew."""
        if self._ticket is not None:
            self._ticket.drop()
        if self._view is None:
            self._layers.setCurrentWidget(self.loading)
        self.scores.reload()
        project = self._context.project
        self._ticket = self._context.background.query(
            lambda: answer_view(project), self._on_read, self._on_failed, owner=self
        )

    @Slot()
    def judge(self) -> None:
        """Let the code rules answer, in the background; Runs shows how far it is."""
        if self._is_judging or self._context.project.is_read_only:
            return
        self._is_judging = True
        self.code_button.setEnabled(False)
        self._context.background.start(
            judge_by_code, self._context.project, name=WORK, done=self._on_judged, failed=self._on_judge_failed,
            owner=self,
        )  # fmt: skip

    @Slot()
    def open_xray(self) -> None:
        """Show the call that the judge's verdict on the chosen deck comes from."""
        rows = self.case_table.selected_rows()
        if not rows or not self.xray_button.isEnabled():
            return
        if self.xray is None:
            self.xray = XrayWindow(self._context, self)
        self.xray.show_verdict(self.cases.judge, rows[0].deck_id, rows[0].item_id)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        if self._is_judging:
            self._context.background.stop(WORK)
        if self.xray is not None:
            self.xray.close()
        self._drop_evidence()
        self.scores.stop()
        super().closeEvent(event)

    def _on_read(self, view: AnswerView) -> None:
        self._ticket = None
        self._view = view
        self.code_button.setEnabled(
            not self._is_judging and bool(view.n_code_items) and not self._context.project.is_read_only
        )
        if not view.n_answered:
            nobody = "Nobody has answered a checklist of this project."
            self.empty.set_words("Nothing to compare yet", f"{view.left_out}." if view.left_out else nobody)
            self._layers.setCurrentWidget(self.empty)
        elif not view.judges:
            words = f"People answered {counted(view.n_answered, 'question')}, but neither code nor a judge has yet."
            self.empty.set_words("No judge yet", words)
            self._layers.setCurrentWidget(self.empty)
        else:
            self._offer_judges(view.judges)
            self._layers.setCurrentWidget(self._tables)
            self._show_items()
        self.loaded.emit()

    def _offer_judges(self, judges: Sequence[str]) -> None:
        before = self.judge_box.currentData()
        while self.judge_box.count() > 1:
            self.judge_box.removeItem(1)
        for name in judges:
            self.judge_box.addItem(name, name)
        self.judge_box.setCurrentIndex(max(0, self.judge_box.findData(before)))
        self.judge_box.setVisible(len(judges) > 1)

    @Slot()
    def _show_items(self, _changed: object = None) -> None:
        """Show the items that the filter lets through, and the decks of the first."""
        if self._view is None:
            return
        wanted, judge = self.filter.text().strip().casefold(), self.judge_box.currentData()
        rows = [
            row
            for row in self._view.items
            if (not judge or row.comparison.judge_id == judge) and (not wanted or wanted in row.text.casefold())
        ]
        self.items.set_rows(rows)
        n_items = len({each.comparison.item_id for each in rows} - {""})
        judges = dict.fromkeys(row.comparison.judge_id for row in rows)
        self.item_panel.set_title(
            "Items", " · ".join(filter(None, [counted(n_items, "item"), *judges, self._view.left_out]))
        )
        if rows:
            self.item_table.selectRow(0)
            self._on_item(self.items.row(0))
        else:
            self.cases.set_rows([])
            self.case_panel.set_title("Decks", "no item has these words")

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self.failed.set_words("The answers cannot be read", str(error))
        self._layers.setCurrentWidget(self.failed)

    def _on_judged(self, changes: Changes) -> None:
        self._is_judging = False
        self._context.announce(changes)
        self.reload()

    def _on_judge_failed(self, error: BaseException) -> None:
        self._is_judging = False
        self.code_button.setEnabled(True)
        self._context.report(error)

    @Slot(object)
    def _on_item(self, row: ComparedItem | None) -> None:
        if row is None or self._view is None:
            return
        wanted, self.cases.judge = row.comparison.item_id, row.comparison.judge_id
        rows = self._view.cases_of.get((self.cases.judge, wanted), ())
        self.cases.set_rows(rows)
        self.xray_button.setEnabled(bool(self.case_table.selected_rows()))
        self.case_panel.set_title("Decks", f"{counted(len(rows), 'answer')} of people and {self.cases.judge}")

    @Slot(object)
    def _on_case(self, row: ComparedCase) -> None:
        slides = self.evidence.said[0].slides if self.evidence.said and row is self._case else ()
        self._open_deck(row, row.slide if row.slide is not None else next(iter(slides), None))

    @Slot(int)
    def _on_slide_asked(self, slide: int) -> None:
        if self._case is not None:
            self._open_deck(self._case, slide)

    def _open_deck(self, row: ComparedCase, slide: int | None) -> None:
        place = {"instance": str(row.instance_id), "deck": str(row.deck_id)}
        self._context.navigate("compare", **place, **({"slide": str(slide)} if slide is not None else {}))

    @Slot(object)
    def _on_case_selected(self, row: ComparedCase | None) -> None:
        """Look up what the verdict rests on; rules are run again for it, so this may take a while."""
        self.xray_button.setEnabled(row is not None and bool(self.cases.judge))
        if row is None or row is self._case:
            return
        self._drop_evidence()
        self._case, self._looking_up = row, threading.Event()
        self.evidence.show_waiting("Looking up what was said, and why.")
        self.evidence.set_title("Evidence", f"{row.system} · {row.instance}")
        read = partial(
            evidence_of, self._context.project, row.deck_id, row.item_id, self.cases.judge, cancel=self._looking_up
        )
        self._evidence_ticket = self._context.background.query(
            read, partial(self._on_evidence, row), self._on_no_evidence, owner=self
        )

    def _on_evidence(self, row: ComparedCase, said: tuple[Said, ...]) -> None:
        self._evidence_ticket = None
        self.evidence.show_said(row.text, said)
        self.evidence_shown.emit()

    def _on_no_evidence(self, error: BaseException) -> None:
        self._evidence_ticket = None
        self.evidence.show_waiting(str(error))
        self.evidence_shown.emit()

    def _drop_evidence(self) -> None:
        self._case = None
        self._looking_up.set()
        if self._evidence_ticket is not None:
            self._evidence_ticket.drop()
            self._evidence_ticket = None


def _words(answer: str) -> str:
    return WORDS.get(answer, answer.replace("_", " ")) if answer else ""


def _share(title: str, statistic: Callable[[ComparedItem], Statistic], width: int = 80) -> Column[ComparedItem]:
    def found(row: ComparedItem) -> Statistic:
        return statistic(row)

    return Column(
        title=title, value=lambda row: found(row).value, text=lambda row: percent(found(row).value),
        reason=lambda row: _WHY.get(found(row).undefined_reason or "", found(row).undefined_reason or ""),
        is_number=True, width=width,
    )  # fmt: skip
