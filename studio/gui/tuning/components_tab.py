"""Components: which of them are needed, and what other weights would give, while the slider moves."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSlider, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.ablation import AblationTable, short_name
from studio.actions.method_rows import figure
from studio.gui.tuning.tables import AblationModel, signed
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, LoadingState
from studio.gui.widgets.table import DataTable
from studio.stats.components import SumAlignment

STEPS = 60
MOST_WEIGHT = 3.0
"""A slider goes from 0 to this; 1 is the component as it stands in the total."""


class Readout(QWidget):
    """One number with its name above and a remark below."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number = toned_label("–", "title")
        self.remark = toned_label("", "muted")
        self.remark.setToolTip("Against the plain sum of all components")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(toned_label(name, "muted"))
        column.addWidget(self.number)
        column.addWidget(self.remark)


class ComponentsTab(QWidget):
    """The ablation table on the left, the sliders on the right."""

    weights_changed = Signal()
    """The numbers stand for the present weights."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: AblationTable | None = None
        self._plain: SumAlignment | None = None
        self.sliders: dict[str, QSlider] = {}
        self._labels: dict[str, QLabel] = {}
        self.model = AblationModel(self)
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setAccessibleName("Subsets of the components")
        self.table.row_selected.connect(self._on_row_selected)
        panel = Panel("Subsets", "each a plain sum")
        panel.set_body(self.table)
        self.facts = panel.head
        self.reset = KeyCapButton("Reset")
        self.reset.clicked.connect(self._on_reset)
        weights = Panel("Weights", "what if")
        weights.head.add_control(self.reset)
        body = QWidget()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(12)
        self.rho, self.std, self.identical = Readout("mean ρ"), Readout("std"), Readout("identical %")
        numbers = QHBoxLayout()
        numbers.setSpacing(16)
        for each in (self.rho, self.std, self.identical):
            numbers.addWidget(each, 1)
        self.note = toned_label("", "muted")
        self.note.setWordWrap(True)
        inner = QVBoxLayout(body)
        inner.setContentsMargins(16, 16, 16, 16)
        inner.setSpacing(24)
        inner.addLayout(numbers)
        inner.addLayout(self._grid)
        inner.addWidget(self.note)
        inner.addStretch(1)
        weights.set_body(body)
        weights.setFixedWidth(344)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(panel, 1)
        row.addWidget(weights)
        self.content = content
        self.loading = LoadingState()
        self.empty = EmptyState("No components to combine", icon_name="chart-scatter")
        self.states = QStackedWidget()
        for widget in (self.loading, content, self.empty):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.states)

    def show_table(self, table: AblationTable) -> None:
        """Show a project's components; sliders that are there already keep their place."""
        kept = self.weights() if self._table is not None and self._table.components == table.components else {}
        self._table = table
        self.model.set_rows(table.rows)
        n = table.rows[-1].alignment.n_total
        self.facts.set_facts(f"each a plain sum · {n:,} ranked instance{'' if n == 1 else 's'}")
        if list(self.sliders) != list(table.components):
            self._build_sliders(table.components)
        self._plain = table.rows[-1].alignment
        self.set_weights({name: kept.get(name, 1.0) for name in table.components})
        self.states.setCurrentWidget(self.content)

    def show_nothing(self, words: str) -> None:
        """Say why there is nothing to combine."""
        self._table = None
        self.empty.set_words("No components to combine", words)
        self.states.setCurrentWidget(self.empty)

    def weights(self) -> dict[str, float]:
        """Return the weights as the sliders stand."""
        return {name: slider.value() * MOST_WEIGHT / STEPS for name, slider in self.sliders.items()}

    def set_weights(self, weights: dict[str, float]) -> None:
        """Put the sliders at these weights, rounded to their steps."""
        for name, slider in self.sliders.items():
            slider.blockSignals(True)
            slider.setValue(round(weights.get(name, 0.0) * STEPS / MOST_WEIGHT))
            slider.blockSignals(False)
        self._on_weight_moved()

    def _build_sliders(self, names: tuple[str, ...]) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            if item.widget() is not None:
                item.widget().deleteLater()
        self.sliders, self._labels = {}, {}
        for row, name in enumerate(names):
            slider = QSlider(Qt.Orientation.Horizontal)
            slider.setRange(0, STEPS)
            slider.setPageStep(STEPS // 6)
            slider.setAccessibleName(f"Weight of {short_name(name)}")
            slider.setToolTip("0 leaves the component out; 1 is its weight in the total")
            slider.valueChanged.connect(self._on_weight_moved)
            label = QLabel()
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            label.setMinimumWidth(44)
            title = QLabel(short_name(name))
            title.setBuddy(slider)
            self._grid.addWidget(title, row, 0)
            self._grid.addWidget(slider, row, 1)
            self._grid.addWidget(label, row, 2)
            self.sliders[name], self._labels[name] = slider, label
        self._grid.setColumnStretch(1, 1)

    @Slot()
    def _on_weight_moved(self, *_: object) -> None:
        if self._table is None or self._plain is None:
            return
        weights = self.weights()
        for name, weight in weights.items():
            self._labels[name].setText(f"× {weight:.2f}" if weight else "left out")
        found = self._table.with_weights(weights)
        self.rho.number.setText(figure(found.mean_rho, 3))
        self.std.number.setText(figure(found.std_rho, 3))
        identical = None if found.identical is None else 100 * found.identical
        self.identical.number.setText(figure(identical, 1))
        self.rho.remark.setText(_against(found.mean_rho, self._plain.mean_rho))
        self.std.remark.setText(_against(found.std_rho, self._plain.std_rho))
        plain = None if self._plain.identical is None else 100 * self._plain.identical
        self.identical.remark.setText(_against(identical, plain, 1))
        self.note.setText(_note(found))
        self.weights_changed.emit()

    @Slot()
    def _on_reset(self) -> None:
        self.set_weights(dict.fromkeys(self.sliders, 1.0))

    @Slot(object)
    def _on_row_selected(self, row: Any) -> None:
        self.set_weights(dict.fromkeys(row.alignment.components, 1.0))


def _against(value: float | None, plain: float | None, digits: int = 3) -> str:
    if value is None or plain is None:
        return ""
    return "as the total" if round(value - plain, digits) == 0 else signed(value - plain, digits)


def _note(found: SumAlignment) -> str:
    if not found.weights:
        return "Every component is left out: all decks are equal, so there is no order to compare."
    left = found.n_total - found.n_defined
    instances = f"{found.n_defined:,} of {found.n_total:,} instances"
    why = (
        f"; {found.undefined['too_few']:,} have fewer than three decks with all of these, "
        f"{found.undefined['constant']:,} give every deck the same value"
    )
    return (
        f"Over {instances}{why if left else ''}. Weights chosen by looking at ρ fit these people; try them by Search."
    )
