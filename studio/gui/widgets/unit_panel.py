"""The units of the chosen run, and every state there is without one to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from studio.gui.models.run_table import RunRow
from studio.gui.models.unit_table import UnitTable
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
        self.failed_only = KeyCapButton("Failed only", is_compact=True)
        self.failed_only.setCheckable(True)
        self.failed_only.toggled.connect(self._on_failed_only_toggled)
        self.head.add_control(self.failed_only)
        self.loading = LoadingState()
        self.empty = EmptyState("No units", icon_name="list-checks")
        self.failed = FailedState("The units could not be read")
        self.failed.retried.connect(self.retried)
        self.states = QStackedWidget()
        for widget in (self.table, self.loading, self.empty, self.failed):
            self.states.addWidget(widget)
        self.set_body(self.states)

    def set_names(self, names: Mapping[InstanceId, str]) -> None:
        """Say what the instances are called."""
        self.units.set_names(names)

    def begin(self, run: RunRow | None) -> None:
        """Show that the units of this run are being read; None: there is no run to show."""
        self._run = run
        self._is_loading, self._late = run is not None, []
        self.units.set_units([])
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

    def _show_empty(self) -> None:
        run, ended = self._run, len(self.units.units)
        if ended:
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

    @Slot(bool)
    def _on_failed_only_toggled(self, is_on: bool) -> None:
        self.units.set_failed_only(is_on)
        if not self._is_loading:
            self._show()
