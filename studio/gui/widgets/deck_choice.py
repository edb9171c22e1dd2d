"""Choosing decks for a run: all, those of one instance, or some of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFormLayout, QListView

from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId

ALL, INSTANCE, CHOSEN = "all", "instance", "chosen"


class DeckChoice(QObject):
    """Three rows of a form: the scope, the instance and the list of decks; those of no use hide themselves."""

    changed = Signal()

    def __init__(self, form: QFormLayout, parent: QObject) -> None:
        super().__init__(parent)
        self.names: dict[str, str] = {}
        """Deck id → "instance · system"."""
        self._form = form
        self.scope = QComboBox()
        for words, scope in (("All decks", ALL), ("One instance", INSTANCE), ("Chosen decks", CHOSEN)):
            self.scope.addItem(words, scope)
        self.instance = QComboBox()
        self.instance.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.instance.setMinimumContentsLength(24)
        self.decks = QListView()
        self.decks.setUniformItemSizes(True)
        self.decks.setMinimumHeight(160)
        self.decks.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._model = QStandardItemModel(self)
        self.decks.setModel(self._model)
        form.addRow("Decks", self.scope)
        form.addRow("Instance", self.instance)
        form.addRow("Chosen", self.decks)
        self.scope.currentIndexChanged.connect(self._on_changed)
        self.instance.currentIndexChanged.connect(self._on_changed)
        self._model.itemChanged.connect(self._on_changed)
        self._show_rows()

    def set_decks(self, instances: Sequence[Instance], decks: Sequence[Deck], *, wanted_instance: str = "") -> None:
        """Offer these; with an instance, its decks are chosen."""
        titles = {instance.id: instance.title or instance.name for instance in instances}
        self.names = {deck.id: f"{titles.get(deck.instance_id, '')} · {deck.system}" for deck in decks}
        blocked = self._model.blockSignals(True)
        for deck in decks:
            item = QStandardItem(self.names[deck.id])
            item.setData((deck.id, deck.instance_id))
            item.setToolTip(self.names[deck.id])
            item.setCheckable(True)
            item.setEditable(False)
            self._model.appendRow(item)
        self._model.blockSignals(blocked)
        self._model.layoutChanged.emit()
        for instance in instances:
            self.instance.addItem(titles[instance.id], instance.id)
        if wanted_instance:
            self.scope.setCurrentIndex(self.scope.findData(INSTANCE))
            self.instance.setCurrentIndex(max(0, self.instance.findData(wanted_instance)))

    def choose(self, deck_ids: Sequence[str]) -> None:
        """Choose these decks one by one."""
        self.scope.setCurrentIndex(self.scope.findData(CHOSEN))
        wanted = set(deck_ids)
        for item in self._items():
            is_wanted = item.data()[0] in wanted
            item.setCheckState(Qt.CheckState.Checked if is_wanted else Qt.CheckState.Unchecked)

    def deck_ids(self) -> tuple[DeckId, ...] | None:
        """Return the chosen decks; None for all."""
        scope = self.scope.currentData()
        if scope == ALL:
            return None
        if scope == INSTANCE:
            return tuple(item.data()[0] for item in self._items() if item.data()[1] == self.instance.currentData())
        return tuple(item.data()[0] for item in self._items() if item.checkState() == Qt.CheckState.Checked)

    def _items(self) -> list[QStandardItem]:
        return [self._model.item(number) for number in range(self._model.rowCount())]

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        scope = self.scope.currentData()
        self._form.setRowVisible(self.instance, scope == INSTANCE)
        self._form.setRowVisible(self.decks, scope == CHOSEN)
