"""Accuracies and what they are compared with: one table at a time, each with n and intervals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QStackedWidget, QVBoxLayout, QWidget

from studio.actions import quiz_results
from studio.actions.figures import figure, percent
from studio.actions.quiz_composite import LABEL, RULE, Weights
from studio.actions.quiz_results import ACCURACY_RULE, AccuracyRow
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.quiz.reader_row import ReaderRow
from studio.gui.quiz.reading import ResultsView
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import DecimalBox
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel

TABLES = {
    "system": "By system", "scenario": "By scenario", "difficulty": "By difficulty", "type": "By question type",
    "system_scenario": "System × scenario", "system_difficulty": "System × difficulty", "system_type": "System × type",
    "deck": "By deck", "all": "Readers and controls", "errors": "Errors by type", "backends": "Readers compared",
    "composite": "Composite",
}  # fmt: skip
CONDITIONS = {"slides": "slides", "oracle": "oracle", "closed_book": "closed book"}
RULES = {
    "errors": "Of the wrong answers about slides; a person's decision counts, else what the answer looks like to code.",
    "backends": "On the questions about decks that both readers answered; κ is on correct and wrong.",
    "composite": f"{LABEL}: {RULE}.",
}


class ResultsTab(QWidget):
    """A table chosen from the list; the composite's weights are set here."""

    weights_changed = Signal()
    run_asked = Signal(str)
    """A condition: the offline reader is to be asked."""
    deck_opened = Signal(str, str)
    """Instance and deck."""

    def __init__(self, context: AppContext, *, can_write: bool) -> None:
        super().__init__()
        self._context = context
        self.view: ResultsView | None = None
        self.which = QComboBox()
        self.which.setAccessibleName("Table")
        for key, words in TABLES.items():
            self.which.addItem(words, key)
        self.which.activated.connect(self._show)
        self.weights: dict[str, DecimalBox] = {}
        self.panel = Panel("Results", " ")
        for name in ("content", "aesthetics", "editability"):
            box = DecimalBox(0.0, 10.0, 1.0, decimals=1)
            box.setSingleStep(0.5)
            box.setFixedWidth(64)
            box.setAccessibleName(f"Weight of {name}")
            box.valueChanged.connect(self.weights_changed)
            label = QLabel(name)
            self.panel.head.add_control(label)
            self.panel.head.add_control(box)
            box.label = label
            self.weights[name] = box
        self.export = KeyCapButton("Export table", icon=icon("download"), is_compact=True)
        self.export.clicked.connect(self.ask_export)
        self.panel.head.add_control(self.which)
        self.panel.head.add_control(self.export)
        self.rule = toned_label("", "muted")
        self.rule.setWordWrap(True)
        self.panel.add_foot().row.addWidget(self.rule, 1)
        self.loading = LoadingState()
        self.empty = EmptyState(
            "No answers yet", "The offline reader answers every bank about every deck: free, the same every time, and "
            "no measure of what a model would see.", "Run offline reader", icon_name="play",
        )  # fmt: skip
        self.empty.button.setVisible(can_write)
        self.empty.button_clicked.connect(self._on_run)
        self.none = EmptyState("Nothing for this table", "", icon_name="info")
        self.body = QStackedWidget()
        for widget in (self.loading, self.empty, self.none):
            self.body.addWidget(widget)
        self.tables: dict[str, tuple[DataTable, RowModel[Any]]] = {}
        for key in TABLES:
            model: RowModel[Any] = RowModel(_columns(key), key=lambda row: row)
            table = DataTable()
            model.setParent(table)
            table.set_model(model)
            table.setAccessibleName(TABLES[key])
            if key == "deck":
                table.row_opened.connect(self._on_deck_opened)
            self.tables[key] = (table, model)
            self.body.addWidget(table)
        self.panel.set_body(self.body)
        self.readers = ReaderRow(can_write=can_write)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.readers)
        column.addWidget(self.panel)
        self._show()

    def chosen_weights(self) -> Weights | None:
        """Return the weights of the composite; None while all of them are zero."""
        values = {name: box.value() for name, box in self.weights.items()}
        return Weights(**values) if any(values.values()) else None

    def set_view(self, view: ResultsView) -> None:
        """Show the tables of these answers."""
        self.view = view
        for key, (_, model) in self.tables.items():
            model.set_rows(_rows(view, key))
        readers = {each.answer.reader for each in view.answered}
        missing = sum(view.missing.values())
        words = f"{len(view.answered):,} answers · {len(readers)} reader{'' if len(readers) == 1 else 's'}"
        self.panel.head.set_facts(words + (f" · {missing} decks not read" if missing else ""))
        self._show()

    def show_table(self, key: str) -> None:
        """Choose a table."""
        self.which.setCurrentIndex(self.which.findData(key))
        self._show()

    @Slot()
    def _show(self, *_: object) -> None:
        key = self.which.currentData()
        for box in self.weights.values():
            box.setVisible(key == "composite")
            box.label.setVisible(key == "composite")
        self.rule.setText(RULES.get(key, f"{ACCURACY_RULE[0].upper()}{ACCURACY_RULE[1:]}."))
        if self.view is None:
            self.body.setCurrentWidget(self.loading)
            return
        table, model = self.tables[key]
        self.export.setEnabled(model.rowCount() > 0)
        if not self.view.answered:
            self.body.setCurrentWidget(self.empty)
        elif not model.rowCount():
            self.none.set_words("Nothing for this table", _NOTHING.get(key, ""))
            self.body.setCurrentWidget(self.none)
        else:
            self.body.setCurrentWidget(table)

    @Slot()
    def _on_run(self) -> None:
        self.run_asked.emit("slides")

    @Slot(object)
    def _on_deck_opened(self, row: AccuracyRow) -> None:
        self.deck_opened.emit(row.instance_id, row.deck_id)

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write the table there."""
        name = f"quiz-{self.which.currentData()}.csv"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export table", name, "CSV (*.csv)")
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, path: Path) -> None:
        """Write the table that is shown as CSV."""
        if self.view is None:
            return
        rows, context = _rows(self.view, self.which.currentData()), self._context
        context.background.query(
            lambda: quiz_results.write_rows(path, rows), lambda _none: context.toast(f"Exported as {path.name}."),
            context.report, owner=self,
        )  # fmt: skip


_NOTHING = {
    "errors": "No wrong answer about slides.",
    "backends": "Let a second reader answer: “Ask a model…” above sets one up.",
}


def _rows(view: ResultsView, key: str) -> list[Any]:
    if key == "errors":
        return list(view.errors)
    if key == "backends":
        return list(view.comparisons)
    if key == "composite":
        return list(view.composite)
    return [row for row in view.rows if row.level == key]


def _text(title: str, value: Callable[[Any], Any], width: int = 0, *, is_strong: bool = False) -> Column[Any]:
    return Column(title=title, value=lambda row: value(row) or None, width=width, is_strong=is_strong,
                  reason=lambda row: "all")  # fmt: skip


def _number(
    title: str, value: Callable[[Any], Any], text: Callable[[Any], str] = figure, width: int = 84
) -> Column[Any]:
    return Column(title=title, value=value, text=lambda row: text(value(row)), is_number=True, width=width,
                  reason=lambda row: getattr(row, "undefined_reason", None) or "not defined")  # fmt: skip


def _whole(value: float | None) -> str:
    return f"{value:,.0f}" if value is not None else ""


def _interval(row: Any) -> str | None:
    return None if row.ci_low is None else f"{percent(row.ci_low)} … {percent(row.ci_high)}"


def _columns(key: str) -> list[Column[Any]]:
    match key:
        case "errors":
            kinds: list[Column[Any]] = [
                _text("Reader", lambda row: row.reader, 150), _text("System", lambda row: row.system),
                _text("Topic", lambda row: row.topic, 150),
                Column[Any](title="Type", value=lambda row: row.error_type.replace("_", " "), width=150),
            ]  # fmt: skip
            return [*kinds, _number("Answers", lambda row: row.n, _whole),
                    _number("Audited", lambda row: row.n_audited, _whole),
                    _number("Share, %", lambda row: row.share, percent)]  # fmt: skip
        case "backends":
            return [
                _text("First", lambda row: row.first), _text("Second", lambda row: row.second),
                _number("Questions", lambda row: row.n, _whole),
                _number("First, %", lambda row: row.first_accuracy, percent),
                _number("Second, %", lambda row: row.second_accuracy, percent),
                _number("Same answer, %", lambda row: row.same_answer, percent, 118),
                _number("κ", lambda row: row.kappa, width=64),
            ]  # fmt: skip
        case "composite":
            return [
                _text("System", lambda row: row.system, is_strong=True),
                _number("Composite, %", lambda row: row.composite, percent, 120),
                Column[Any](title="95 % interval", value=_interval, width=120, reason=lambda row: row.undefined_reason),
                _number("Content, %", lambda row: row.content, percent, 96),
                _number("Aesthetics, %", lambda row: row.aesthetics, percent, 120),
                _number("Editability, %", lambda row: row.editability, percent, 120),
                _number("Decks", lambda row: row.n_decks, _whole, 66),
                _number("Left out", lambda row: row.n_missing, _whole, 76),
            ]  # fmt: skip
    names = {
        "system": [("System", "system")], "scenario": [("Scenario", "scenario")],
        "difficulty": [("Difficulty", "difficulty")], "type": [("Type", "type")],
        "system_scenario": [("System", "system"), ("Scenario", "scenario")],
        "system_difficulty": [("System", "system"), ("Difficulty", "difficulty")],
        "system_type": [("System", "system"), ("Type", "type")],
        "deck": [("Instance", "instance"), ("System", "system")], "all": [],
    }[key]  # fmt: skip
    groups = [_text(title, _attribute(name), is_strong=place == 0) for place, (title, name) in enumerate(names)]
    return [
        *groups,
        _text("Reader", lambda row: row.reader, 0 if key == "all" else 150),
        Column[Any](title="Given", value=lambda row: CONDITIONS[row.condition], width=92),
        _number("Accuracy, %", lambda row: row.accuracy, percent, 112),
        Column[Any](
            title="95 % interval", value=_interval, width=120,
            text=lambda row: f"{_interval(row)}{' !' if row.is_optimistic else ''}",
            tip=lambda row: "Fewer than ten decks: the interval is too narrow." if row.is_optimistic else "",
        ),
        _number("Insufficient", lambda row: row.insufficient, _whole, 92),
        _number("n questions", lambda row: row.n_questions, _whole, 108),
        _number("n decks", lambda row: row.n_decks, _whole, 84),
    ]  # fmt: skip


def _attribute(name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row, name)
