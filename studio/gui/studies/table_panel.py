"""A table in a panel, with what can be done to its rows in the foot."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedLayout, QWidget

from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import ROW_PX, Column, DataTable, RowModel


class TablePanel(Panel):
    """Rows, words in their place while there are none, and buttons; some of them need a selected row."""

    row_opened = Signal(object)

    def __init__(
        self,
        title: str,
        columns: Sequence[Column[Any]],
        *,
        key: Callable[[Any], Hashable],
        nothing: str,
        row_px: int = ROW_PX,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, "", parent)
        self.model = RowModel(columns, parent=self, key=key)
        self.table = DataTable(row_px=row_px)
        self.table.set_model(self.model)
        self.table.setAccessibleName(title)
        self.table.row_opened.connect(self.row_opened)
        self.nothing = toned_label(nothing, "muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setWordWrap(True)
        self.nothing.setContentsMargins(24, 24, 24, 24)
        self._title = title
        self._can_change = True
        self._on_rows: list[KeyCapButton] = []
        self._buttons: list[KeyCapButton] = []
        holder = QWidget()
        self._layers = QStackedLayout(holder)
        self._layers.addWidget(self.nothing)
        self._layers.addWidget(self.table)
        self.set_body(holder)
        self.foot = self.add_foot()
        self.foot.row.addStretch(1)
        self.table.selectionModel().selectionChanged.connect(self._show_buttons)

    def add_button(
        self, words: str, run: Callable[[], object], *, needs_row: bool = False, is_primary: bool = False
    ) -> KeyCapButton:
        """Add a button to the foot and return it."""
        button = KeyCapButton(words, is_primary=is_primary)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: run())
        self.foot.row.addWidget(button)
        self._buttons.append(button)
        if needs_row:
            self._on_rows.append(button)
        self._show_buttons()
        return button

    def show_rows(self, rows: Sequence[Any], facts: str = "") -> None:
        """Show these rows; what was selected stays so."""
        self.model.set_rows(rows)
        self.set_title(self._title, facts)
        self._layers.setCurrentWidget(self.table if rows else self.nothing)
        self._show_buttons()

    def set_can_change(self, can_change: bool) -> None:
        """Switch the buttons off where nothing may be changed."""
        self._can_change = can_change
        self._show_buttons()

    def selected(self) -> Any | None:
        """Return the selected row, the first of several, or None."""
        return next(iter(self.table.selected_rows()), None)

    @Slot()
    def _show_buttons(self, *_: object) -> None:
        has_row = self.selected() is not None
        for button in self._buttons:
            button.setEnabled(self._can_change and (has_row or button not in self._on_rows))
