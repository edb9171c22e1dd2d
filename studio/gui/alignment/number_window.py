"""One number opened: its definition, the instances behind it, and the rankings and scores behind each of these."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QDialog, QSplitter, QVBoxLayout, QWidget

from studio.actions.figures import counted, figure
from studio.actions.method_rows import InstanceCell, MethodRow, MethodsView
from studio.actions.number_detail import (
    DeckLine,
    DetailOfInstance,
    NumberFacts,
    copied,
    detail_of,
    facts_in_words,
    facts_of,
)
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel


class InstancesTable(RowModel[InstanceCell]):
    """The instances behind a number."""

    def __init__(self, names: dict[str, str], parent: QObject | None = None) -> None:
        columns = [
            Column(title="Instance", value=lambda row: names.get(row.instance_id, row.instance_id), is_strong=True),
            Column(title="ρ", value=lambda row: row.rho, text=lambda row: figure(row.rho, 3),
                   reason=lambda row: row.reason, is_number=True, is_strong=True, width=84),
            Column(title="decks", value=lambda row: row.n or None, reason=lambda _row: "People among themselves",
                   is_number=True, width=64),
            Column(title="people", value=lambda row: row.n_annotators, is_number=True, width=68),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.instance_id)


class DecksTable(RowModel[DeckLine]):
    """The decks of one instance on both sides."""

    def __init__(self, human_words: str, parent: QObject | None = None) -> None:
        columns = [
            Column(title="System", value=lambda row: row.system, is_strong=True),
            Column(title="people", value=lambda row: row.human, text=lambda row: figure(row.human),
                   tip=lambda _row: human_words, is_number=True, width=70),
            Column(title="each", value=lambda row: row.each, tip=lambda row: row.each, width=110),
            Column(title="score", value=lambda row: row.score, text=lambda row: figure(row.score, 3),
                   reason=lambda row: row.reason, is_number=True, width=84),
            Column(title="rank", value=lambda row: row.human_rank, text=_ranks,
                   reason=lambda _row: "Not on both sides", tip=lambda _row: "Among the shared decks: people → method",
                   is_number=True, width=92),
            Column(title="apart", value=lambda row: row.apart, text=_apart, reason=lambda _row: "Not on both sides",
                   tip=lambda _row: "Places that the method puts the deck below (+) or above (−) the people",
                   tone=lambda row: "warn" if row.apart and abs(row.apart) >= 2 else "", is_number=True, width=68),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.deck_id)


class NumberWindow(QDialog):
    """A method's number down to the rankings. Enter on a deck opens it; Ctrl+C copies number and definition."""

    deck_opened = Signal(str)
    facts_shown = Signal()

    def __init__(
        self, context: AppContext, view: MethodsView, row: MethodRow, what_if: str, parent: QWidget | None = None
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._view, self._row, self._what_if = view, row, what_if
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{row.title}: what the number is made of")
        self.resize(1080, 680)
        self.words = toned_label(copied(view, row, what_if=what_if), "body")
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.facts = toned_label("" if row.is_people else "Reading what stands beside it …", "muted")
        self.facts.setWordWrap(True)
        self.facts.setVisible(not row.is_people)
        self.copy = KeyCapButton("Copy", "Ctrl+C")
        self.copy.clicked.connect(self.copy_number)
        top = Panel(row.title, f"{row.n_defined:,} of {row.n_total:,} instances")
        top.head.add_control(self.copy)
        text = QWidget()
        column = QVBoxLayout(text)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.words)
        column.addWidget(self.facts)
        top.set_body(text)
        names = {str(key): item.title or item.name for key, item in view.evidence.instances.items()}
        self.instances = InstancesTable(names, self)
        self.instance_table = _table(self.instances, "Instances behind the number")
        self.instance_table.row_selected.connect(self._on_instance_selected)
        self.instances.set_rows(sorted(row.cells, key=lambda cell: (cell.rho is None, cell.rho or 0.0)))
        self.decks = DecksTable(view.evidence.people.side.axis_words, self)
        self.deck_table = _table(self.decks, "Decks of the instance")
        self.deck_table.row_opened.connect(self._on_deck_opened)
        self.deck_table.clicked.connect(self._on_deck_clicked)
        left = Panel("Instances", f"{counted(len(row.cells), 'instance')}, worst first")
        left.set_body(self.instance_table)
        self.right = Panel("Decks", " ")
        self.right.set_body(self.deck_table)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(self.right)
        split.setSizes([430, 620])
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(top)
        column.addWidget(split, 1)
        top.setMaximumHeight(280)
        action = QAction("Copy", self)
        action.setShortcut(QKeySequence("Ctrl+C"))
        action.triggered.connect(self.copy_number)
        self.addAction(action)
        if row.cells:
            self.instance_table.selectRow(0)
            self._on_instance_selected(self.instances.row(0))
        self.instance_table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._ticket: Ticket | None = None
        if not row.is_people:
            project = context.project
            self._ticket = context.background.query(
                lambda: facts_of(project, view, row.name), self._on_facts, context.report, owner=self
            )

    @Slot()
    def copy_number(self) -> None:
        """Put the number and its definition on the clipboard."""
        QGuiApplication.clipboard().setText(copied(self._view, self._row, what_if=self._what_if))

    def _on_facts(self, facts: NumberFacts | None) -> None:
        self.facts.setText(facts_in_words(facts) if facts is not None else "")
        self.facts_shown.emit()

    @Slot(object)
    def _on_instance_selected(self, cell: InstanceCell) -> None:
        found = detail_of(self._view.evidence, self._row.name, cell.instance_id)
        self._show(found)

    def _show(self, found: DetailOfInstance) -> None:
        self.decks.set_rows(found.decks)
        instance = self._view.evidence.instances.get(found.instance_id)
        title = (instance.title or instance.name) if instance is not None else ""
        self.right.set_title(title, f"each: {' · '.join(found.people)}")

    @Slot(object)
    def _on_deck_opened(self, line: DeckLine) -> None:
        self.deck_opened.emit(line.deck_id)

    @Slot(object)
    def _on_deck_clicked(self, index: Any) -> None:
        self.deck_opened.emit(self.decks.row(index).deck_id)


def _ranks(row: DeckLine) -> str:
    return f"{_short(row.human_rank)} → {_short(row.method_rank)}"


def _apart(row: DeckLine) -> str:
    apart = row.apart or 0.0
    words = _short(abs(apart))
    return f"+{words}" if apart > 0 else f"−{words}" if apart < 0 else "0"


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _table(model: Any, words: str) -> DataTable:
    table = DataTable()
    table.set_model(model)
    table.setAccessibleName(words)
    return table
