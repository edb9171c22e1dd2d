"""Shows items that were changed here and, differently, in a table, and asks for each which side counts."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from studio.actions.checklist_exchange import ItemConflict, differing_fields
from studio.actions.figures import counted
from studio.gui.author.words import title_and_question
from studio.gui.widgets.panel import toned_label
from studio.model.checklists import ItemId

NAMES = {
    "text": "Question", "note": "Note", "no_when": "No when", "rule": "Rule", "dimension": "Dimension",
    "kind": "Answered by", "weight": "Weight", "position": "Place", "needs_evidence": "Evidence needed",
    "is_retired": "Retired", "tags": "Tags",
}  # fmt: skip


class ConflictsDialog(QDialog):
    """A tick takes the table's side of an item; without one the item stays as it is here."""

    decided = Signal(object)
    """Items whose table's side counts, by file."""

    def __init__(self, conflicts: Mapping[Path, Sequence[ItemConflict]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Both sides changed")
        self.resize(820, 520)
        self._found = [(path, each) for path, of_file in conflicts.items() for each in of_file]
        self.items = QListWidget()
        self.items.setAccessibleName("Items that both sides changed")
        for path, each in self._found:
            title, question = title_and_question(each.ours)
            line = QListWidgetItem(f"{title or question}\n{path.name}, line {each.line}")
            line.setCheckState(Qt.CheckState.Unchecked)
            line.setToolTip(each.ours.text)
            self.items.addItem(line)
        self.items.currentRowChanged.connect(self._show)
        self.sides = QTextBrowser()
        self.sides.setAccessibleName("What both sides say")
        self.sides.setTabChangesFocus(True)
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(self.items)
        split.addWidget(self.sides)
        split.setSizes([280, 540])
        buttons = QDialogButtonBox()
        self.take = buttons.addButton("Take the ticked ones", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton("Keep all as they are here", QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.items.itemChanged.connect(self._enable)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(toned_label(f"{counted(len(self._found), 'item')} changed here and in the table", "heading"))
        column.addWidget(toned_label("Space ticks an item to take the table's side. Undo takes it back.", "muted"))
        column.addWidget(split, 1)
        column.addWidget(buttons)
        self.items.setCurrentRow(0)
        self._enable()

    def chosen(self) -> dict[Path, list[ItemId]]:
        """Return the ticked items by file."""
        found: dict[Path, list[ItemId]] = {}
        for row, (path, each) in enumerate(self._found):
            if self.items.item(row).checkState() == Qt.CheckState.Checked:
                found.setdefault(path, []).append(each.item_id)
        return found

    @Slot(int)
    def _show(self, row: int) -> None:
        if not 0 <= row < len(self._found):
            return
        conflict = self._found[row][1]
        parts = []
        for name, base, ours, theirs in differing_fields(conflict):
            cells = (("Before", base), ("Here", ours), ("In the table", theirs))
            lines = "".join(
                f"<tr><td style='padding-right:12px'>{words}</td><td>{_html(value)}</td></tr>" for words, value in cells
            )
            parts.append(f"<h4>{NAMES.get(name, name)}</h4><table>{lines}</table>")
        self.sides.setHtml("".join(parts))

    @Slot()
    def _enable(self, *_: object) -> None:
        self.take.setEnabled(bool(self.chosen()))

    @Slot()
    def accept(self) -> None:  # @override
        chosen = self.chosen()
        super().accept()
        if chosen:
            self.decided.emit(chosen)


def _html(value: str) -> str:
    return html.escape(value).replace("\n", "<br>") or "<i>nothing</i>"
