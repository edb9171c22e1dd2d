"""V-E matrix: how good decks look against how far they can be edited."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.method_rows import figure
from studio.actions.ve_matrix import LEVELS, ON_LINE_RULE, SYSTEM_RULE, VEMatrix
from studio.gui.icons import icon
from studio.gui.plots.ve_matrix import VEPlot
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import DecimalBox
from studio.gui.widgets.page_head import pop_up_below
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, LoadingState


class MatrixTab(QWidget):
    """The plot, where its lines lie, and why."""

    lines_changed = Signal()
    """Ask for the matrix again, with `lines()`."""
    deck_opened = Signal(str)
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.medians = QCheckBox("Lines at the medians")
        self.medians.setChecked(True)
        self.medians.toggled.connect(self._on_medians_toggled)
        self.looks, self.edits = DecimalBox(), DecimalBox()
        for box, low, high, step, name in (
            (self.looks, -50.0, 100.0, 0.5, "Line of the aesthetics total"),
            (self.edits, 0.0, float(LEVELS), 0.5, "Line of the editability level"),
        ):
            box.setRange(low, high)
            box.setSingleStep(step)
            box.setDecimals(2 if box is self.looks else 1)
            box.setAccessibleName(name)
            box.setFixedWidth(84)
            box.setEnabled(False)
            box.valueChanged.connect(self._on_line_moved)
        self.colour = QComboBox()
        self.colour.setAccessibleName("Colour decks by")
        self.colour.setToolTip("What the small marks are coloured by")
        self.colour.addItem("Colour: system", "")
        self.colour.activated.connect(self._on_colour_chosen)
        self.export = KeyCapButton("Export", icon=icon("download"))
        self.export.clicked.connect(self._on_export)
        self.panel = Panel("V-E matrix")
        for control in (
            self.colour,
            self.medians,
            QLabel("total"),
            self.looks,
            QLabel("level"),
            self.edits,
            self.export,
        ):
            self.panel.head.add_control(control)
        self.plot = VEPlot()
        self.plot.deck_opened.connect(self.deck_opened)
        self.plot.failed.connect(self.failed)
        self.rule = toned_label("", "muted")
        self.rule.setWordWrap(True)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.plot, 1)
        self.panel.set_body(body)
        foot = self.panel.add_foot()
        foot.row.addWidget(self.rule, 1)
        self.loading = LoadingState()
        self.empty = EmptyState("No matrix yet", icon_name="chart-scatter")
        self.states = QStackedWidget()
        for widget in (self.loading, self.panel, self.empty):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.states)

    def lines(self) -> tuple[float | None, float | None]:
        """Return where the lines are set by hand; None for the medians."""
        if self.medians.isChecked():
            return None, None
        return self.looks.value(), self.edits.value()

    def show_matrix(self, matrix: VEMatrix) -> None:
        """Show a matrix with its lines, and what has no place in it."""
        self._fill_colours(list(matrix.accuracies))
        self.plot.set_matrix(matrix)
        n, missing = len(matrix.decks), len(matrix.missing)
        without = f" · {missing:,} without a place" if missing else ""
        self.panel.set_title("V-E matrix", f"n = {n:,} deck{'' if n == 1 else 's'}{without}")
        self.panel.head.facts_label.setToolTip(
            "\n".join(f"{each.instance} · {each.system}: {each.reason}" for each in matrix.missing[:20])
        )
        lines = ((self.looks, matrix.looks_line), (self.edits, matrix.edits_line))
        if self.medians.isChecked():
            for box, line in lines:
                if line is not None:
                    box.blockSignals(True)
                    box.setValue(line.at)
                    box.blockSignals(False)
        words = [
            f"{name} {figure(line.at, 2)} ({line.rule})"
            for name, line in (("total", matrix.looks_line), ("level", matrix.edits_line))
            if line is not None
        ]
        self.rule.setText(
            f"Lines: {', '.join(words)}; {ON_LINE_RULE}. Large marks are systems: {SYSTEM_RULE}. "
            "Decks of a level are spread a little by system."
        )
        self.states.setCurrentWidget(self.panel)

    def _fill_colours(self, methods: list[str]) -> None:
        before = self.colour.currentData()
        self.colour.clear()
        self.colour.addItem("Colour: system", "")
        for method in methods:
            self.colour.addItem(f"Colour: {method}", method)
        self.colour.setCurrentIndex(max(0, self.colour.findData(before)))
        self.plot.colour_by(self.colour.currentData())

    @Slot()
    def _on_colour_chosen(self, *_: object) -> None:
        self.plot.colour_by(self.colour.currentData())

    def show_nothing(self, words: str) -> None:
        """Say why there is no matrix."""
        self.empty.set_words("No matrix yet", words)
        self.states.setCurrentWidget(self.empty)

    @Slot(bool)
    def _on_medians_toggled(self, is_on: bool) -> None:
        for box in (self.looks, self.edits):
            box.setEnabled(not is_on)
        self.lines_changed.emit()

    @Slot()
    def _on_line_moved(self, *_: object) -> None:
        if not self.medians.isChecked():
            self.lines_changed.emit()

    @Slot()
    def _on_export(self) -> None:
        pop_up_below(self.plot.menu(), self.export)
