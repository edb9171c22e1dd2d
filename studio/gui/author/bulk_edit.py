"""Asks what to change of many items at once; only ticked fields are changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from studio.actions.figures import counted
from studio.gui.widgets.number_box import DecimalBox
from studio.gui.widgets.panel import toned_label
from studio.model.checklists import Dimension, Item


class BulkEdit(QDialog):
    """One line for each field, with a tick; the value of the items where all have the same stands there at first."""

    chosen = Signal(object, object, object)
    """Fields of `Item` with their new values, tags to add, tags to take away."""

    def __init__(self, items: Sequence[Item], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Edit items together")
        self.setMinimumWidth(520)
        self.dimension = QComboBox()
        for dimension in Dimension:
            self.dimension.addItem(f"{dimension.value.capitalize()} · {dimension.tier.value}", dimension)
        self.weight = DecimalBox(0, 1000)
        self.evidence = QComboBox()
        self.evidence.addItem("needed", True)
        self.evidence.addItem("not needed", False)
        self.note = QPlainTextEdit()
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(64)
        self.no_when = QLineEdit()
        self.add_tags, self.remove_tags = QLineEdit(), QLineEdit()
        for line in (self.add_tags, self.remove_tags):
            line.setPlaceholderText("with commas between them")
        self.fields: dict[str, tuple[QCheckBox, QWidget]] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, words, editor) in enumerate(
            (
                ("dimension", "Dimension", self.dimension), ("weight", "Weight", self.weight),
                ("needs_evidence", "Evidence", self.evidence), ("note", "Note", self.note),
                ("no_when", "No when", self.no_when), ("add_tags", "Add tags", self.add_tags),
                ("remove_tags", "Take tags away", self.remove_tags),
            )
        ):  # fmt: skip
            tick = QCheckBox(words)
            tick.toggled.connect(self._enable)
            tick.toggled.connect(editor.setEnabled)
            editor.setEnabled(False)
            editor.setAccessibleName(words)
            grid.addWidget(tick, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(editor, row, 1)
            self.fields[name] = (tick, editor)
        self._fill(items)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go: QPushButton = buttons.addButton("Change", QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(toned_label(f"Change {counted(len(items), 'item')}", "heading"))
        column.addWidget(toned_label("Ticked fields are changed, as one step that undo takes back.", "muted"))
        column.addLayout(grid)
        column.addStretch(1)
        column.addWidget(buttons)
        self._enable()

    def _fill(self, items: Sequence[Item]) -> None:
        def common(name: str) -> Any:
            values = {getattr(item, name) for item in items}
            return values.pop() if len(values) == 1 else None

        if (dimension := common("dimension")) is not None:
            self.dimension.setCurrentIndex(self.dimension.findData(dimension))
        self.weight.setValue(weight if (weight := common("weight")) is not None else 1.0)
        self.evidence.setCurrentIndex(1 if common("needs_evidence") else 0)
        self.note.setPlainText(common("note") or "")
        self.no_when.setText(common("no_when") or "")

    def changes(self) -> tuple[dict[str, Any], list[str], list[str]]:
        """Return the ticked fields with their values, and the tags to add and to take away."""
        values: dict[str, Any] = {
            "dimension": Dimension(self.dimension.currentData()), "weight": self.weight.value(),
            "needs_evidence": bool(self.evidence.currentData()), "note": self.note.toPlainText(),
            "no_when": self.no_when.text(),
        }  # fmt: skip
        ticked = {name for name, (tick, _) in self.fields.items() if tick.isChecked()}
        return (
            {name: value for name, value in values.items() if name in ticked},
            tags_of(self.add_tags.text()) if "add_tags" in ticked else [],
            tags_of(self.remove_tags.text()) if "remove_tags" in ticked else [],
        )

    @Slot()
    def _enable(self, *_: object) -> None:
        self.go.setEnabled(any(tick.isChecked() for tick, _ in self.fields.values()))

    @Slot()
    def accept(self) -> None:  # @override
        fields, added, removed = self.changes()
        super().accept()
        if fields or added or removed:
            self.chosen.emit(fields, added, removed)


def tags_of(text: str) -> list[str]:
    """Return tags from words with commas (Chinese ones too) between them, each once, in their order."""
    parts = text.replace("，", ",").replace("、", ",").split(",")
    return list(dict.fromkeys(" ".join(part.split()) for part in parts if part.strip()))
