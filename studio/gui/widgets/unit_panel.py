"""The units of the chosen run, and every state there is without one to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from studio.gui.models.run_table import RunRow
from studio.gui.models.unit_table import ALL, UnitTable, group_words
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import DataTable
from studio.model.ids import InstanceId
from studio.model.runs import UnitRecord


class UnitPanel(Panel):
    """A panel over a `UnitTable`, with a switch for the failed units."""

    unit_opened = Signal(object)
    """The `UnitRow` that was chosen with Enter or a double click."""
    unit_selected = Signal(object)
    """The `UnitRow` that the user moved to."""
    retried = Signal()
    """The user wants the units to be read again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("No run chosen", " ", parent)
        self._run: RunRow | None = None
        self._is_loading = False
        self._late: list[UnitRecord] = []
        """Units that ended while the stored ones of the same run were being read."""
        self.units = UnitTable(self)
        self.table = DataTable()
        self.table.set_model(self.units)
        self.table.setAccessibleName("Units of the run")
        self.table.row_opened.connect(self.unit_opened)
        self.table.row_selected.connect(self.unit_selected)
        self.failed_only = KeyCapButton("Failed only", is_compact=True)
        self.failed_only.setCheckable(True)
        self.failed_only.toggled.connect(self._on_failed_only_toggled)
        self.head.add_control(self.failed_only)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Deck, item or reason")
        self.search.setAccessibleName("Find units")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_filter_changed)
        self.group = QComboBox()
        self.group.setAccessibleName("How units ended")
        # Of one width: its words grow while a run goes on.
        self.group.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.group.setMinimumContentsLength(20)
        self.group.activated.connect(self._on_filter_changed)
        self.filters = QWidget()
        row = QHBoxLayout(self.filters)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self.search, 1)
        row.addWidget(self.group)
        self.loading = LoadingState()
        self.empty = EmptyState("No units", icon_name="list-checks")
        self.failed = FailedState("The units could not be read")
        self.failed.retried.connect(self.retried)
        self.states = QStackedWidget()
        for widget in (self.table, self.loading, self.empty, self.failed):
            self.states.addWidget(widget)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filters)
        column.addWidget(self.states, 1)
        self.set_body(body)
        self._show_count()

    def set_names(self, names: Mapping[InstanceId, str]) -> None:
        """Say what the instances are called."""
        self.units.set_names(names)

    def begin(self, run: RunRow | None) -> None:
        """Show that the units of this run are being read; None: there is no run to show."""
        self._run = run
        self._is_loading, self._late = run is not None, []
        self.units.set_units([])
        self.search.clear()
        if run is None:
            self.set_title("No run chosen", " ")
            self._show_empty()
        else:
            self.states.setCurrentWidget(self.loading)
        self._show_count()

    def show_units(self, records: Iterable[UnitRecord]) -> None:
        """Show the stored units of the run, and those that ended meanwhile."""
        self._is_loading = False
        self.units.set_units([*records, *self._late])
        self._late = []
        self._show()

    def add_units(self, records: Iterable[UnitRecord]) -> None:
        """Show further units of the run."""
        if self._is_loading:
            self._late.extend(records)
        else:
            self.units.add_units(records)
            self._show()

    def show_failed(self, error: BaseException) -> None:
        """Show why the units could not be read."""
        self._is_loading = False
        self.failed.set_words("The units could not be read", str(error))
        self.states.setCurrentWidget(self.failed)

    def tell(self, run: RunRow, facts: str) -> None:
        """Show the present state of the run in the head, and where there is no unit, why."""
        self._run = run
        self.set_title(run.title, facts)
        if self.states.currentWidget() is self.empty:
            self._show_empty()

    def _show(self) -> None:
        self._show_count()
        if self.units.rowCount():
            self.states.setCurrentWidget(self.table)
        else:
            self._show_empty()

    def _show_count(self) -> None:
        count = self.units.n_failed
        self.failed_only.setText(f"Failed only ({count:,})" if count else "Failed only")
        groups = self.units.groups()
        self.filters.setVisible(bool(groups))
        entries = [(f"All {sum(groups.values()):,}", ALL)]
        entries += [(f"{group_words(name)} · {number:,}", name) for name, number in groups.items()]
        chosen = self.group.currentData()
        for place, (words, name) in enumerate(entries):
            if place < self.group.count():
                self.group.setItemText(place, words)
                self.group.setItemData(place, name)
            else:
                self.group.addItem(words, name)
        while self.group.count() > len(entries):
            self.group.removeItem(self.group.count() - 1)
        place = self.group.findData(chosen)
        self.group.setCurrentIndex(max(0, place))
        if place < 0 and chosen:
            self._on_filter_changed()

    def _show_empty(self) -> None:
        run, ended = self._run, len(self.units.units)
        if ended and (self.search.text().strip() or self.group.currentData()):
            words = ("No such unit", f"None of {ended:,} units fits what you look for.")
        elif ended:
            words = ("No failed units", f"{ended:,} units ended well or were skipped.")
        elif run is None:
            words = ("No run chosen", "Choose a run at the left.")
        elif run.is_live:
            words = ("No unit has ended yet", "Units appear here as they end.")
        elif run.cached:
            words = ("Nothing was left to do", f"{run.cached:,} units had a result already.")
        else:
            words = ("No units", run.reason)
        self.empty.set_words(*words)
        self.states.setCurrentWidget(self.empty)

    @Slot()
    def _on_filter_changed(self, *_: object) -> None:
        self.units.set_filter(group=self.group.currentData() or ALL, words=self.search.text())
        if not self._is_loading and self._run is not None:
            self._show()

    @Slot(bool)
    def _on_failed_only_toggled(self, is_on: bool) -> None:
        self.units.set_failed_only(is_on)
        if not self._is_loading:
            self._show()
