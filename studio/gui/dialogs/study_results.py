"""What known answers, repeats and the training say of the people of a study; for its author, never for annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from studio.gui.widgets.panel import toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel

Row = dict[str, Any]


def _share(title: str, right: str, asked: str, why_none: str) -> Column[Row]:
    return Column(
        title=title,
        width=124,
        value=lambda row: row[right] if row[asked] else None,
        text=lambda row: f"{row[right]} of {row[asked]}",
        reason=lambda _: why_none,
    )


COLUMNS: tuple[Column[Row], ...] = (
    Column(title="person", value=lambda row: row["annotator"]),
    Column(title="done", value=lambda row: row["done"], is_number=True, width=60),
    _share("known answers", "gold_right", "gold", "no known answer was asked"),
    _share("attention", "attention_right", "attention", "no attention item was asked"),
    Column(
        title="agrees with self",
        width=124,
        value=lambda row: row["self_agreement"],
        text=lambda row: f"{row['self_agreement']:.0%} of {row['repeats']}",
        reason=lambda _: "nothing was asked twice",
    ),
    Column(
        title="time, s",
        value=lambda row: row["median_s"],
        text=lambda row: f"{row['median_s']:.0f}",
        tip=lambda row: "median of the active seconds of an answer",
        reason=lambda _: "answers came without times",
        is_number=True,
        width=80,
    ),
    Column(
        title="hasty",
        value=lambda row: row["hasty"],
        tip=lambda row: "answers that took less than a third of the median of the study",
        reason=lambda _: "answers came without times",
        is_number=True,
        width=70,
    ),
    _share("training", "training_right", "training_items", "the study has no training"),
)


class StudyResults(QDialog):
    """One row for each person."""

    def __init__(self, study: str, rows: Sequence[Row], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Results of {study}")
        self.resize(820, 420)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(toned_label("Annotators never see which questions have a known answer.", "muted"))
        self.model = RowModel(COLUMNS, parent=self)
        self.model.set_rows(list(rows))
        self.table = DataTable()
        self.table.set_model(self.model)
        column.addWidget(self.table, 1)
