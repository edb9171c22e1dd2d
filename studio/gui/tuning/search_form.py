"""What is searched: parameters, method, answers, folds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFormLayout, QListView, QVBoxLayout, QWidget

from studio.actions.tuning import TuningSpec
from studio.actions.tuning_data import Answers
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import toned_label
from studio.metrics.parameter_ranges import RANGES, WEIGHTS
from studio.metrics.parameters import reference_name
from studio.stats.search import Method

_METHODS = ((Method.BAYES, "Bayesian (TPE)"), (Method.GRID, "Grid"))
_SAME = "same"
LEAVE_ONE_OUT = 0


class SearchForm(QWidget):
    """The choices; `changed` is sent when one of them changes."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start = QComboBox()
        self.method = QComboBox()
        for method, words in _METHODS:
            self.method.addItem(words, method.value)
        self.parameters = QListView()
        self.parameters.setUniformItemSizes(True)
        self.parameters.setAccessibleName("Parameters to search")
        self._model = QStandardItemModel(self)
        for name, each in RANGES.items():
            item = QStandardItem(reference_name(name))
            item.setData(name)
            item.setCheckable(True)
            item.setEditable(False)
            item.setCheckState(Qt.CheckState.Checked if name in WEIGHTS else Qt.CheckState.Unchecked)
            item.setToolTip(f"{name}: {each.low:g} to {each.high:g}{' by logarithm' if each.is_log else ''}")
            self._model.appendRow(item)
        self.parameters.setModel(self._model)
        self.trials, self.levels = WholeBox(2, 5000, 100), WholeBox(2, 50, 7)
        self.trials.setToolTip("Points to try at most in each fit")
        self.levels.setToolTip("Values of each parameter on the grid")
        self.folds = QComboBox()
        for count in (5, 10, 3, 2):
            self.folds.addItem(f"{count} folds", count)
        self.folds.addItem("Leave one out", LEAVE_ONE_OUT)
        self.seed = WholeBox(0, 999_999, 0)
        self.fit_on = QComboBox()
        self.fit_on.addItem("Rankings", Answers.RANKINGS.value)
        self.fit_on.addItem("Pairs", Answers.PAIRS.value)
        self.test_on = QComboBox()
        self._scenarios: tuple[str, ...] = ()
        self._fill_tests()
        self.count = toned_label("", "muted")
        self.count.setWordWrap(True)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.addRow("Start from", self.start)
        form.addRow("Method", self.method)
        form.addRow("Points", self.trials)
        form.addRow("Levels", self.levels)
        form.addRow("Fit on", self.fit_on)
        form.addRow("Folds", self.folds)
        form.addRow("Test on", self.test_on)
        form.addRow("Seed", self.seed)
        self._form = form
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(toned_label("Parameters", "muted"))
        column.addWidget(self.parameters, 1)
        column.addWidget(self.count)
        for box in (self.start, self.method, self.folds, self.fit_on, self.test_on):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
            box.currentIndexChanged.connect(self._on_changed)
        for spin in (self.trials, self.levels, self.seed):
            spin.valueChanged.connect(self._on_changed)
        self._model.itemChanged.connect(self._on_changed)
        self._on_changed()

    def set_choices(self, presets: Sequence[str], scenarios: Sequence[str]) -> None:
        """Offer a project's presets and scenarios; what is chosen stays."""
        chosen = self.start.currentText()
        self.start.blockSignals(True)
        self.start.clear()
        self.start.addItems(list(presets))
        self.start.setCurrentIndex(max(0, self.start.findText(chosen)))
        self.start.blockSignals(False)
        if tuple(scenarios) != self._scenarios:
            self._scenarios = tuple(scenarios)
            self._fill_tests()

    def spec(self) -> TuningSpec:
        """Return the search as it is chosen now."""
        fit_on = Answers(self.fit_on.currentData())
        kind, _, scenario = str(self.test_on.currentData()).partition(":")
        return TuningSpec(
            start=self.start.currentText() or "benchmark",
            parameters=tuple((name, RANGES[name]) for name in self.chosen()),
            method=Method(self.method.currentData()),
            trials=self.trials.value(),
            levels=self.levels.value(),
            folds=int(self.folds.currentData()),
            seed=self.seed.value(),
            fit_on=fit_on,
            test_on=Answers(kind) if kind in list(Answers) else fit_on,
            test_scenarios=(scenario,) if kind == "scenario" else (),
        )

    def chosen(self) -> list[str]:
        """Return the parameters that are ticked."""
        items = [self._model.item(row) for row in range(self._model.rowCount())]
        return [item.data() for item in items if item.checkState() == Qt.CheckState.Checked]

    def choose(self, names: Sequence[str]) -> None:
        """Tick these parameters and no others."""
        for row in range(self._model.rowCount()):
            item = self._model.item(row)
            item.setCheckState(Qt.CheckState.Checked if item.data() in names else Qt.CheckState.Unchecked)

    def _fill_tests(self) -> None:
        self.test_on.blockSignals(True)
        self.test_on.clear()
        self.test_on.addItem("Held-out folds", _SAME)
        self.test_on.addItem("Rankings", Answers.RANKINGS.value)
        self.test_on.addItem("Pairs", Answers.PAIRS.value)
        if len(self._scenarios) > 1:
            for name in self._scenarios:
                self.test_on.addItem(f"Scenario {name}", f"scenario:{name}")
        self.test_on.blockSignals(False)

    @Slot()
    def _on_changed(self, *_: object) -> None:
        is_grid = self.method.currentData() == Method.GRID.value
        self._form.setRowVisible(self.levels, is_grid)
        self._form.setRowVisible(self.seed, True)
        k = len(self.chosen())
        words = f"{k} parameter{'' if k == 1 else 's'}"
        if is_grid and k:
            n = self.levels.value() ** k
            words += (
                f": {n + 1:,} combinations" if n < self.trials.value() else ": one at a time, round after round"
            )  # fmt: skip
        self.count.setText(words if k else "Tick a parameter to search")
        self.changed.emit()
