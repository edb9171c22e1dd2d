"""Asks into which lists items are copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from studio.gui.widgets.panel import toned_label
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.decks import Instance


class ChooseLists(QDialog):
    """Every other list with a tick; Space ticks, Enter copies."""

    lists_chosen = Signal(list)

    def __init__(self, instances: Sequence[Instance], here: Scope, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Copy items")
        self.resize(420, 440)
        self.lists = QListWidget()
        self.lists.setAccessibleName("Lists")
        scopes = [("Everywhere", EVERYWHERE)]
        scopes += [
            (f"Domain: {name}", Scope(domain=name)) for name in sorted({each.domain for each in instances} - {""})
        ]
        scopes += [(each.title or each.name, Scope(instance_id=each.id)) for each in instances]
        for words, scope in scopes:
            if scope != here:
                line = QListWidgetItem(words)
                line.setData(Qt.ItemDataRole.UserRole, scope.key)
                line.setCheckState(Qt.CheckState.Unchecked)
                self.lists.addItem(line)
        self.lists.setCurrentRow(0)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.AcceptRole)
        copy.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(toned_label(f"Copy {count} item{'s' * (count != 1)} into:", "heading"))
        column.addWidget(self.lists, 1)
        column.addWidget(buttons)

    def chosen(self) -> list[Scope]:
        """Return the ticked lists."""
        lines = [self.lists.item(row) for row in range(self.lists.count())]
        return [
            Scope.of_key(line.data(Qt.ItemDataRole.UserRole))
            for line in lines
            if line.checkState() == Qt.CheckState.Checked
        ]

    @Slot()
    def accept(self) -> None:  # @override
        scopes = self.chosen()
        super().accept()
        if scopes:
            self.lists_chosen.emit(scopes)
