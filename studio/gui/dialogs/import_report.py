"""What an import or a table that was read in did, with the reason for each thing that was not taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from studio.actions.decks import ImportReport
from studio.actions.figures import counted
from studio.actions.tables import TableReport
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel


class NotTaken(NamedTuple):
    """One thing that was not taken in."""

    place: str
    """Path of a file, or "line 12"."""
    kind: str
    reason: str


class ReportDialog(QDialog):
    """Says in one line what was done, and lists what was not."""

    def __init__(self, title: str, words: str, rows: Sequence[NotTaken], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(720, 420 if rows else 160)
        self.words = words
        self.model: RowModel[NotTaken] = RowModel(
            [
                Column(
                    title="File" if not rows or not rows[0].place.startswith("line ") else "Line",
                    value=lambda row: row.place.replace("\\", "/").rsplit("/", 1)[-1],
                    tip=lambda row: row.place,
                    width=220,
                ),
                Column(title="Kind", value=lambda row: row.kind.replace("_", " "), width=130),
                Column(title="Reason", value=lambda row: row.reason),
            ],
            self,
        )
        said = toned_label(words, "")
        said.setWordWrap(True)
        said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        said.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close = KeyCapButton("Close", "Esc", is_primary=True)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 0)
        column.setSpacing(12)
        column.addWidget(said)
        if rows:
            table = DataTable()
            table.set_model(self.model)
            self.model.set_rows(list(rows))
            panel = Panel(f"Not taken · {len(rows):,}")
            panel.set_body(table)
            column.addWidget(panel, 1)
        else:
            column.addStretch(1)
        column.addWidget(hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 12)
        foot.addStretch(1)
        foot.addWidget(close)
        column.addLayout(foot)


def import_words(report: ImportReport) -> str:
    """Return such as "2 instances, 1 source and 5 decks added · 3 there already · 1 failed"."""
    parts = [
        counted(number, name)
        for number, name in ((report.instances, "instance"), (report.sources, "source"), (report.decks, "deck"))
        if number
    ]
    words = [f"{_listed(parts)} added" if parts else "Nothing added"]
    if report.skipped:
        words.append(f"{report.skipped:,} there already")
    if report.failed:
        words.append(f"{len(report.failed):,} failed")
    return " · ".join(words)


def import_rows(report: ImportReport) -> list[NotTaken]:
    """Return the files that failed."""
    return [NotTaken(failure.detail, failure.kind, failure.message) for failure in report.failed]


def table_words(report: TableReport) -> str:
    """Return such as "rankings: 12 rows new · 3 the same · 1 in conflict · 2 refused"."""
    words = [f"{report.table}: {counted(report.new, 'row')} new"]
    for number, name in (
        (report.same, "the same"), (report.conflicting, "in conflict"), (len(report.refused), "refused")
    ):  # fmt: skip
        if number:
            words.append(f"{number:,} {name}")
    return " · ".join([*words, *report.notes])


def table_rows(report: TableReport) -> list[NotTaken]:
    """Return the lines that were refused."""
    return [NotTaken(f"line {row['line']}", "refused", str(row["reason"])) for row in report.refused]


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
