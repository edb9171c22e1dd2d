"""Asks into which lists items are copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from studio.gui.widgets.panel import toned_label
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.checklists import Dimension, Item
from studio.model.decks import Instance


class ChooseLists(QDialog):
    """Every other list with a tick; Space ticks, Enter copies."""

    lists_chosen = Signal(list)

    def __init__(
        self, instances: Sequence[Instance], here: Scope, items: Sequence[Item],
        own_lists: Mapping[str, frozenset[Dimension]], parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._dimensions, self._own_lists = {item.dimension for item in items}, own_lists
        count = len(items)
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
        self.lists.itemChanged.connect(self._warn)
        self.warning = toned_label("", "warn")
        self.warning.setWordWrap(True)
        self.warning.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.AcceptRole)
        copy.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(toned_label(f"Copy {count} item{'s' * (count != 1)} into:", "heading"))
        column.addWidget(self.lists, 1)
        column.addWidget(self.warning)
        column.addWidget(buttons)

    def chosen(self) -> list[Scope]:
        """Return the ticked lists."""
        lines = [self.lists.item(row) for row in range(self.lists.count())]
        return [
            Scope.of_key(line.data(Qt.ItemDataRole.UserRole))
            for line in lines
            if line.checkState() == Qt.CheckState.Checked
        ]

    @Slot(object)
    def _warn(self, *_: object) -> None:
        """Say where the copies would take the place of a common list."""
        fresh = [
            scope for scope in self.chosen()
            if scope != EVERYWHERE and self._dimensions - self._own_lists.get(scope.key, frozenset())
        ]  # fmt: skip
        names = ", ".join(dimension.value for dimension in Dimension if dimension in self._dimensions)
        self.warning.setText(
            f"{len(fresh)} of these lists have no items of their own for {names}: from then on theirs count there "
            "and the common ones do not."
        )
        self.warning.setVisible(bool(fresh))

    @Slot()
    def accept(self) -> None:  # @override
        scopes = self.chosen()
        super().accept()
        if scopes:
            self.lists_chosen.emit(scopes)
