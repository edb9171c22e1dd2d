"""Editability: how far people who tried decks out agree with the parser, by gate, by system and by deck."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.figures import counted, figure, percent
from studio.actions.people_and_parser import (
    FormRow,
    GateAgreement,
    SystemAgreement,
    agreement_of,
    system_agreement,
)
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.editability import Gate
from studio.stats.statistic import Statistic

GATE_WORDS = {
    Gate.TEXT: "text", Gate.VECTOR: "vector", Gate.STRUCTURE: "structure", Gate.DATA: "data", Gate.TIME: "motion",
}  # fmt: skip
_WHY = {
    "too_few": "no form on which both decided",
    "constant": "both always say the same one thing, so chance explains it",
}


class GateModel(RowModel[GateAgreement]):
    """Agreement by gate."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Gate", value=lambda row: row.what, text=_gate_words, is_strong=True),
                Column(title="forms", value=lambda row: row.same.n, is_number=True, width=60),
                Column(title="same %", value=lambda row: row.same.value, text=lambda row: percent(row.same.value),
                       reason=lambda row: _why(row.same), is_number=True, width=76),
                Column(title="κ", value=lambda row: row.kappa.value, text=lambda row: figure(row.kappa.value),
                       reason=lambda row: _why(row.kappa), is_number=True, width=60),
            ],
            parent, key=lambda row: row.what,
        )  # fmt: skip


class SystemModel(RowModel[SystemAgreement]):
    """Agreement by system."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="System", value=lambda row: row.system, is_strong=True),
                Column(title="forms", value=lambda row: row.n_forms, is_number=True, width=60),
                Column(title="same gates %", value=lambda row: row.same.value,
                       text=lambda row: percent(row.same.value), reason=lambda row: _why(row.same), is_number=True,
                       width=112),
                Column(title="same level %", value=lambda row: row.same_level.value,
                       text=lambda row: percent(row.same_level.value), reason=lambda row: _why(row.same_level),
                       is_number=True, width=108),
            ],
            parent, key=lambda row: row.system,
        )  # fmt: skip


class FormModel(RowModel[FormRow]):
    """Every form beside the parser."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Instance", value=lambda row: row.instance, width=180),
                Column(title="System", value=lambda row: row.system, is_strong=True, width=150),
                Column(title="Person", value=lambda row: row.person, width=150),
                Column(title="person", value=lambda row: row.people_level, text=lambda row: f"L{row.people_level}",
                       reason=lambda row: "a gate is open", is_number=True, width=70),
                Column(title="parser", value=lambda row: row.parser_level, text=lambda row: f"L{row.parser_level}",
                       reason=lambda row: "not measured yet, or the file has no level", is_number=True, width=70),
                Column(title="same", value=lambda row: row.n_same, text=lambda row: f"{row.n_same} / {row.n_compared}",
                       is_number=True, width=64),
                Column(title="Where they differ", value=difference_in_words, tip=difference_in_words),
            ],
            parent, key=lambda row: (row.deck_id, row.person),
        )  # fmt: skip


class AgreementTab(QWidget):
    """Gates and systems above, decks below; a deck opens on the Compare page."""

    deck_opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gates, self.systems, self.forms = GateModel(self), SystemModel(self), FormModel(self)
        self.gate_panel, _ = _panel("By gate", self.gates)
        self.system_panel, _ = _panel("By system", self.systems)
        self.form_panel, self.form_table = _panel("By deck", self.forms)
        self.form_table.row_opened.connect(self._on_row_opened)
        above = QSplitter(Qt.Orientation.Horizontal)
        above.setChildrenCollapsible(False)
        above.addWidget(self.gate_panel)
        above.addWidget(self.system_panel)
        self.body = QSplitter(Qt.Orientation.Vertical)
        self.body.setChildrenCollapsible(False)
        self.body.addWidget(above)
        self.body.addWidget(self.form_panel)
        self.loading = LoadingState()
        self.empty = EmptyState(
            "Nobody has tried a deck out yet",
            "Open a deck in Compare and press P: protocols A to C ask eight questions about it.",
            icon_name="list-checks",
        )
        self.states = QStackedWidget()
        for widget in (self.loading, self.body, self.empty):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.states)

    def show_forms(self, rows: Sequence[FormRow]) -> None:
        """Show the agreement over these forms."""
        if not rows:
            self.states.setCurrentWidget(self.empty)
            return
        self.gates.set_rows(agreement_of(rows))
        self.systems.set_rows(system_agreement(rows))
        self.forms.set_rows(rows)
        self.gate_panel.set_title("By gate", f"{counted(len(rows), 'form')} against the studio rules")
        self.form_panel.set_title("By deck", "a row opens the deck")
        self.states.setCurrentWidget(self.body)

    @Slot(object)
    def _on_row_opened(self, row: FormRow) -> None:
        self.deck_opened.emit(row.deck_id)


def difference_in_words(row: FormRow) -> str:
    """Return on which gates a person and the parser differ, such as "T4 data: person no, parser yes"."""
    said = {True: "yes", False: "no"}
    return "; ".join(
        f"{gate.value} {GATE_WORDS[gate]}: person {said[bool(row.people[gate])]}, parser {said[bool(row.parser[gate])]}"
        for gate in row.different
    )


def _gate_words(row: GateAgreement) -> str:
    return "Level" if row.what == "level" else f"{row.what} {GATE_WORDS[Gate(row.what)]}"


def _why(found: Statistic) -> str:
    return _WHY.get(str(found.undefined_reason), str(found.undefined_reason or ""))


def _panel(title: str, model: RowModel[object]) -> tuple[Panel, DataTable]:
    table = DataTable()
    table.set_model(model)
    table.setAccessibleName(title)
    panel = Panel(title, " ")
    panel.set_body(table)
    return panel, table
