"""The benchmark in numbers and figures: instances by domain and by source, with their sizes and items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from studio.actions import benchmark_exports as exports
from studio.actions import benchmark_facts as facts
from studio.gui import theme
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.plots.figure_view import FigureView
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.checklists import Dimension

Row = dict[str, Any]
TABLES = {
    "domains": "By domain", "sources": "By data source", "languages": "By language",
    "difficulties": "By difficulty", "instances": "By instance",
}  # fmt: skip
EXPORTED = {
    "domains": "2", "sources": "7", "languages": "language", "difficulties": "difficulty", "instances": "instances"
}  # fmt: skip
"""As which table of `benchmark_exports` each is written."""
FIGURE = "figure-"
KEYS = ("domain", "source", "language", "difficulty", "name")


class BenchmarkTab(QWidget):
    """A table or a figure of facts; read when it is first looked at, as sources are opened for it."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._facts: list[facts.InstanceFacts] = []
        self._is_reading = False
        self.is_stale = True
        self.which = QComboBox()
        self.which.setAccessibleName("Table or figure")
        for key, words in TABLES.items():
            self.which.addItem(words, key)
        for key, words in exports.FIGURES.items():
            self.which.addItem(words, f"{FIGURE}{key}")
        self.which.activated.connect(self._show)
        self.export = KeyCapButton("Export…", icon=icon("download"), is_compact=True)
        self.export.clicked.connect(self.ask_export)
        self.export_all = KeyCapButton("Export all…", is_compact=True)
        self.export_all.setToolTip("Every table as CSV, every figure as CSV, SVG and PNG")
        self.export_all.clicked.connect(self.ask_export_all)
        self.panel = Panel("Benchmark", "")
        self.panel.head.add_control(self.which)
        self.panel.head.add_control(self.export)
        self.panel.head.add_control(self.export_all)
        self.loading = LoadingState()
        self.empty = EmptyState("No instances yet", "Import decks or a benchmark first.", icon_name="library")
        self.failed = FailedState("The benchmark could not be read")
        self.failed.retried.connect(self._read)
        self.tables: dict[str, tuple[DataTable, RowModel[Row]]] = {}
        self.body = QStackedWidget()
        for widget in (self.loading, self.empty, self.failed):
            self.body.addWidget(widget)
        for key, columns in _columns().items():
            model: RowModel[Row] = RowModel(columns, key=lambda row: tuple(str(row.get(name)) for name in KEYS))
            table = DataTable()
            model.setParent(table)
            table.set_model(model)
            table.setAccessibleName(TABLES[key])
            self.tables[key] = (table, model)
            self.body.addWidget(table)
        self.rule = toned_label("", "caption")
        self.rule.setWordWrap(True)
        self.panel.add_foot().row.addWidget(self.rule, 1)
        self.figure = FigureView()
        self.scroll = QScrollArea()
        self.scroll.setWidget(self.figure)
        self.scroll.setWidgetResizable(True)
        self.scroll.setAccessibleName("Figure")
        self.body.addWidget(self.scroll)
        context.theme.theme_changed.connect(self._show)
        self.panel.set_body(self.body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.panel)

    def show_facts(self) -> None:
        """Show the facts, read anew where they may have changed."""
        if self.is_stale and not self._is_reading:
            self._read()

    @Slot()
    def _read(self) -> None:
        self.is_stale, self._is_reading = False, True
        project = self._context.project
        if not self._facts:
            self.body.setCurrentWidget(self.loading)
        self._context.background.query(
            lambda: facts.instance_facts(project), self._on_read, self._on_failed, owner=self
        )

    def _on_read(self, found: list[facts.InstanceFacts]) -> None:
        self._is_reading, self._facts = False, found
        self.rule.setText(f"Tokens are an estimate: {facts.TOKEN_RULE}")
        accepted = sum(each.is_accepted is True for each in found)
        faults = sum(bool(each.faults) for each in found)
        words = [f"{len(found):,} instances", f"{accepted:,} accepted"] + [f"{faults} with unreadable sources"] * bool(
            faults
        )
        self.panel.head.set_facts(" · ".join(words))
        for key, (_table, model) in self.tables.items():
            model.set_rows(self.rows(key))
        self._show()

    def _on_failed(self, error: BaseException) -> None:
        self._is_reading, self.is_stale = False, True
        self.failed.set_words("The benchmark could not be read", str(error))
        self.body.setCurrentWidget(self.failed)

    def rows(self, key: str) -> list[Row]:
        """Return the rows of a table."""
        if not self._facts:
            return []
        if key == "domains":
            return facts.table_2(self._facts)
        if key == "sources":
            return facts.table_7(self._facts)
        if key in ("languages", "difficulties"):
            return facts.table_by(self._facts, EXPORTED[key])
        return [
            {
                "name": each.name, "domain": each.domain, "source": each.source, "language": each.language,
                "difficulty": each.difficulty, "licence": each.licence, "address": each.address,
                "pages": each.pages, "images": each.images, "tokens": each.tokens,
                "items": sum(each.items.values()), "accepted": each.is_accepted, "why": each.why,
            }
            for each in self._facts
        ]  # fmt: skip

    @Slot()
    def _show(self, *_: object) -> None:
        if self._is_reading:
            return
        self.export.setEnabled(bool(self._facts))
        self.export_all.setEnabled(bool(self._facts))
        key = self.which.currentData()
        if not self._facts:
            self.body.setCurrentWidget(self.empty)
        elif key.startswith(FIGURE):
            number = key.removeprefix(FIGURE)
            self.figure.show_svg(exports.figure_svg(self._facts, number, _palette()), exports.FIGURES[number])
            self.body.setCurrentWidget(self.scroll)
        else:
            self.body.setCurrentWidget(self.tables[key][0])

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write the table or the figure there."""
        key = self.which.currentData()
        endings = "CSV (*.csv);;Excel workbook (*.xlsx)"
        name = f"benchmark-{key}.csv"
        if key.startswith(FIGURE):
            endings, name = "SVG (*.svg);;PNG (*.png);;CSV (*.csv)", f"{key}.svg"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", name, endings)
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, path: Path) -> None:
        """Write the table that is shown as CSV or workbook, or the figure as SVG, PNG or CSV."""
        key, context, found = self.which.currentData(), self._context, self._facts

        def write() -> None:
            if key.startswith(FIGURE):
                exports.write_figure(found, key.removeprefix(FIGURE), path)
            else:
                exports.write_table(found, EXPORTED[key], path)

        context.background.query(
            write, lambda _none: context.toast(f"Exported as {path.name}."), context.report, owner=self
        )

    @Slot()
    def ask_export_all(self) -> None:
        """Ask for a folder and write all tables and figures there."""
        chosen = QFileDialog.getExistingDirectory(self, "Export all tables and figures")
        if chosen:
            self.export_all_to(Path(chosen))

    def export_all_to(self, folder: Path) -> None:
        """Write all tables and figures into a folder."""
        context, found = self._context, self._facts
        context.background.query(
            lambda: exports.write_all(found, folder),
            lambda files: context.toast(f"Exported {len(files)} files."), context.report, owner=self,
        )  # fmt: skip


def _palette() -> exports.Palette:
    now = theme.current()
    return exports.Palette(
        ground=now.css("surface"), ink=now.css("text"), muted=now.css("text_muted"), line=now.css("hairline"),
        bar=now.css("accent"),
    )  # fmt: skip


def _columns() -> dict[str, list[Column[Row]]]:
    def text(title: str, key: str, width: int = 0) -> Column[Row]:
        return Column(title=title, value=lambda row: row[key] or None, text=lambda row: str(row[key]),
                      reason=lambda row: "not known", width=width)  # fmt: skip

    def number(title: str, key: str, form: str = "{:,.1f}", width: int = 96) -> Column[Row]:
        return Column(title=title, value=lambda row: row[key], text=lambda row: form.format(row[key]), is_number=True,
                      reason=lambda row: "no source of this kind, or one cannot be read", width=width)  # fmt: skip

    whole = "{:,.0f}"
    languages = Column[Row](
        title="Languages", value=lambda row: ", ".join(f"{name or '?'} {n}" for name, n in row["languages"].items())
    )
    share = Column[Row](
        title="Share", value=lambda row: row["share"], text=lambda row: f"{row['share']:.1%}", is_number=True, width=80
    )
    licences = Column[Row](title="Licences", value=lambda row: ", ".join(row["licences"]) or None)

    def grouped(title: str, key: str) -> list[Column[Row]]:
        return [
            text(title, key, 130), number("Instances", "instances", whole, 84), languages,
            number("Tokens", "tokens", whole, 84), number("Pages", "pages", width=72),
            number("Images", "images", whole, 72),
            *(
                number(each.value.capitalize(), each.value, width=122)
                for each in Dimension
                if each is not Dimension.FIDELITY
            ),
            number("Items", "items", width=72),
        ]  # fmt: skip

    return {
        "domains": grouped("Domain", "domain"),
        "languages": grouped("Language", "language"),
        "difficulties": grouped("Difficulty", "difficulty"),
        "sources": [
            text("Domain", "domain", 160), text("Data source", "source"), number("Instances", "instances", whole),
            share, licences,
        ],
        "instances": [
            text("Instance", "name"), text("Domain", "domain", 120), text("Source", "source", 110),
            text("Language", "language", 80), text("Difficulty", "difficulty", 84), text("Licence", "licence", 90),
            number("Pages", "pages", whole, 70), number("Images", "images", whole, 70),
            number("Tokens", "tokens", whole, 84), number("Items", "items", whole, 64),
        ],
    }  # fmt: skip
