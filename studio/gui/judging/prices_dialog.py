"""The prices of models, to look at and to change; the user's own stand in a file of the settings folder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from studio.actions import price_table
from studio.actions.price_table import PriceRow
from studio.errors import BadInput, StudioError
from studio.gui.context import AppContext
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.judges.pricing import Price


class PriceTableModel(RowModel[PriceRow]):
    """One row for each model."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Model", value=lambda row: row.model, is_strong=True),
                Column(title="input, $/M", value=lambda row: row.price.input, text=lambda row: f"{row.price.input:g}",
                       is_number=True, width=92),
                Column(title="cached, $/M", value=lambda row: row.price.cached_input,
                       text=lambda row: f"{row.price.cached_input:g}", is_number=True, width=100),
                Column(title="output, $/M", value=lambda row: row.price.output,
                       text=lambda row: f"{row.price.output:g}", is_number=True, width=100),
                Column(title="seen so on", value=lambda row: row.price.as_of or None,
                       reason=lambda row: f"Nobody says to have looked: {row.price.origin}.", width=100,
                       tip=lambda row: row.price.origin),
                Column(title="entered", value=lambda row: row.price.entered or None,
                       reason=lambda _row: "No date is given.", width=100, tip=lambda row: row.price.origin),
                Column(title="from", value=lambda row: "yours" if row.is_own else "shipped", width=80,
                       tone=lambda row: "accent" if row.is_own else "text_muted"),
            ],
            parent,
            key=lambda row: row.model,
        )  # fmt: skip


class PricesDialog(QDialog):
    """A table and one line to change the chosen price or to add one."""

    prices_changed = Signal()
    loaded = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None, *, model: str = "") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._wanted = model
        self.setWindowTitle("Prices")
        self.resize(880, 480)
        self.rows = PriceTableModel(self)
        self.table = DataTable()
        self.table.set_model(self.rows)
        self.table.row_selected.connect(self._on_row_selected)
        panel = Panel("Prices", "US dollars for a million tokens, entered by hand: check with your provider")
        panel.set_body(self.table)
        self.model, self.input, self.cached, self.output, self.as_of = (QLineEdit() for _ in range(5))
        form = QHBoxLayout()
        form.setSpacing(8)
        for words, field, width in (
            ("Model", self.model, 0), ("Input", self.input, 72), ("Cached", self.cached, 72),
            ("Output", self.output, 72), ("Seen so on", self.as_of, 100),
        ):  # fmt: skip
            label = QLabel(words)
            label.setProperty("tone", "muted")
            label.setBuddy(field)
            field.setAccessibleName(words)
            if width:
                field.setFixedWidth(width)
            form.addWidget(label)
            form.addWidget(field, 0 if width else 1)
        self.said = toned_label("", "bad")
        self.said.setWordWrap(True)
        self.remove = KeyCapButton("Remove yours")
        self.close_button = KeyCapButton("Close", "Esc")
        self.set = KeyCapButton("Set price", "Enter", is_primary=True)
        self.set.setDefault(True)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.remove)
        foot.addWidget(self.said, 1)
        foot.addWidget(self.close_button)
        foot.addWidget(self.set)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        column.addWidget(panel, 1)
        column.addLayout(form)
        column.addWidget(hairline())
        column.addLayout(foot)
        self.remove.setEnabled(False)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.remove.setAutoDefault(False)
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.reject)
        self.set.clicked.connect(self._on_set_clicked)
        self.model.setText(model)
        # A table that gets the focus first would choose its first row.
        (self.input if model else self.model).setFocus()
        self._query(price_table.price_rows, self._on_read)

    def _query(self, fn: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._context.background.query(fn, done, self._on_failed, owner=self)

    def _on_read(self, rows: list[PriceRow]) -> None:
        self.rows.set_rows(rows)
        for number, row in enumerate(self.rows.rows()):
            if row.model == self._wanted:
                self.table.selectRow(number)
                self._on_row_selected(row)
        self.loaded.emit()

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._context.report(error)
        self.said.setText(str(error))

    @Slot(object)
    def _on_row_selected(self, row: PriceRow) -> None:
        self.model.setText(row.model)
        for field, value in (
            (self.input, row.price.input), (self.cached, row.price.cached_input), (self.output, row.price.output),
        ):  # fmt: skip
            field.setText(f"{value:g}")
        self.as_of.setText(row.price.as_of)
        self.remove.setEnabled(row.is_own)

    @Slot()
    def _on_set_clicked(self) -> None:
        model = self._wanted = self.model.text().strip()
        try:
            price = Price(
                input=_number(self.input, "Input"), output=_number(self.output, "Output"),
                cached_input=_number(self.cached if self.cached.text().strip() else self.input, "Cached"),
                as_of=self.as_of.text().strip(), entered=date.today().isoformat(),
            )  # fmt: skip
        except BadInput as error:
            self.said.setText(str(error))
            return

        def write() -> list[PriceRow]:
            price_table.set_price(model, price)
            return price_table.price_rows()

        self._query(write, self._on_written)

    @Slot()
    def _on_remove_clicked(self) -> None:
        model = self._wanted = self.model.text().strip()

        def write() -> list[PriceRow]:
            price_table.remove_price(model)
            return price_table.price_rows()

        self._query(write, self._on_written)

    def _on_written(self, rows: list[PriceRow]) -> None:
        self.said.setText("")
        self.remove.setEnabled(False)
        self._on_read(rows)
        self.prices_changed.emit()


def _number(field: QLineEdit, what: str) -> float:
    words = field.text().strip()
    try:
        return float(words)
    except ValueError:
        raise BadInput(f"{what} cannot be “{words}”.", next_step="Give US dollars for a million tokens.") from None
