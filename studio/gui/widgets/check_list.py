"""A list of things to tick, or all of them: fast with tens of thousands, found by typing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QSortFilterProxyModel, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QListView, QVBoxLayout, QWidget

from studio.gui.widgets.panel import toned_label

FILTER_FROM = 8
"""A shorter list needs no filter."""


class CheckModel(QAbstractListModel):
    """Keys with words, each ticked or not."""

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[tuple[Hashable, str]] = []
        self._checked: set[Hashable] = set()

    def set_items(self, items: Sequence[tuple[Hashable, str]]) -> None:
        """Show other things; ticks of those that are still there stay."""
        self.beginResetModel()
        self._items = list(items)
        self._checked &= {key for key, _ in self._items}
        self.endResetModel()

    def set_checked(self, keys: Sequence[Hashable]) -> None:
        """Tick these and no others."""
        self.beginResetModel()
        self._checked = {key for key, _ in self._items} & set(keys)
        self.endResetModel()

    def checked(self) -> tuple[Hashable, ...]:
        """Return what is ticked, in the order of the list."""
        return tuple(key for key, _ in self._items if key in self._checked)

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._items)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:  # @override
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: QModelIndex, role: int = 0) -> Any:  # @override
        if not index.isValid():
            return None
        key, words = self._items[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return words
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if key in self._checked else Qt.CheckState.Unchecked
        return None

    def setData(self, index: QModelIndex, value: Any, role: int = 0) -> bool:  # @override
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        key = self._items[index.row()][0]
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self._checked.add(key)
        else:
            self._checked.discard(key)
        self.dataChanged.emit(index, index, [role])
        self.ticked.emit()
        return True


class CheckList(QWidget):
    """`chosen` is None for all, also those that come later."""

    changed = Signal()

    def __init__(self, all_words: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.every = QCheckBox(all_words)
        self.every.setChecked(True)
        self.count = toned_label("", "muted")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName(f"Filter {name.lower()}")
        self.filter.setClearButtonEnabled(True)
        self.model = CheckModel(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.view = QListView()
        self.view.setModel(self._proxy)
        self.view.setAccessibleName(name)
        self.view.setUniformItemSizes(True)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setFrameShape(QListView.Shape.StyledPanel)
        self.view.setFixedHeight(132)
        head = QHBoxLayout()
        head.addWidget(self.every, 1)
        head.addWidget(self.count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.filter)
        column.addWidget(self.view)
        self.every.toggled.connect(self._on_every_toggled)
        self.filter.textChanged.connect(self._proxy.setFilterFixedString)
        self.model.ticked.connect(self._on_ticked)
        self._show()

    def set_items(self, items: Sequence[tuple[Hashable, str]]) -> None:
        """Show what there is to choose from; the choice stays as far as it can."""
        self.model.set_items(items)
        self._show()

    def choose(self, keys: Sequence[Hashable] | None) -> None:
        """Choose these, or all of them with None."""
        self.every.blockSignals(True)
        self.every.setChecked(keys is None)
        self.every.blockSignals(False)
        self.model.set_checked(keys or ())
        self._show()

    def chosen(self) -> tuple[Any, ...] | None:
        """Return what is chosen; None for all, also those that come later."""
        return None if self.every.isChecked() else self.model.checked()

    @Slot(bool)
    def _on_every_toggled(self, is_on: bool) -> None:
        if not is_on and not self.model.checked():
            # Whoever unticks "all" means to take some out.
            self.model.set_checked([key for key, _ in self.model._items])
        self._show()
        self.changed.emit()

    @Slot()
    def _on_ticked(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        is_all, number = self.every.isChecked(), self.model.rowCount()
        self.view.setVisible(not is_all)
        self.filter.setVisible(not is_all and number >= FILTER_FROM)
        self.count.setText(str(number) if is_all else f"{len(self.model.checked())} of {number}")
