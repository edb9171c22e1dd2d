"""The choice of the human side on the Alignment page: the kind of answers, and a dialog for which of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import DecimalBox
from studio.gui.widgets.panel import toned_label
from studio.model.human_side import HumanSide

LONGEST_S = 36_000


class FilterDialog(QDialog):
    """Which people's answers count: groups, time on an instance, slides seen."""

    def __init__(self, side: HumanSide, groups: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Which answers count")
        self._side = side
        self.groups = {name: QCheckBox(name) for name in groups}
        for name, box in self.groups.items():
            box.setChecked(not side.groups or name in side.groups)
        self.least, self.most = _seconds(side.min_seconds), _seconds(side.max_seconds)
        self.seen = DecimalBox(0, 100, 100 * (side.min_slides_seen or 0), decimals=0)
        self.seen.setSuffix(" %")
        self.seen.setSpecialValueText("any")
        form = QFormLayout()
        if self.groups:
            column = QVBoxLayout()
            for box in self.groups.values():
                column.addWidget(box)
            form.addRow("Groups", column)
        form.addRow("At least, s on an instance", self.least)
        form.addRow("At most, s on an instance", self.most)
        form.addRow("Slides seen, at least", self.seen)
        note = toned_label("Answers without a recorded time, or without a record of slides, do not pass.", "muted")
        note.setWordWrap(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok
            | QDialogButtonBox.StandardButton.Reset
            | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Reset).clicked.connect(self.reset)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(16)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(buttons)
        self.setMinimumWidth(360)

    def side(self) -> HumanSide:
        """Return the side with the filters as they are set."""
        chosen = frozenset(name for name, box in self.groups.items() if box.isChecked())
        is_all = len(chosen) in (0, len(self.groups))
        return replace(
            self._side, groups=frozenset() if is_all else chosen, min_seconds=self.least.value() or None,
            max_seconds=self.most.value() or None, min_slides_seen=self.seen.value() / 100 or None,
        )  # fmt: skip

    @Slot()
    def reset(self) -> None:
        """Let every answer count."""
        for box in self.groups.values():
            box.setChecked(True)
        for number in (self.least, self.most, self.seen):
            number.setValue(0)


class SideControls(QObject):
    """A box with the sides that there are answers for, and a button for the filters; its parent places them."""

    side_chosen = Signal(object)
    """A `HumanSide`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._groups: tuple[str, ...] = ()
        self._side = HumanSide()
        self.dialog: FilterDialog | None = None
        self.box = QComboBox()
        self.box.setAccessibleName("Human side")
        self.box.setToolTip("What people said: the human side of every number")
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.setMaximumWidth(190)
        self.box.activated.connect(self._on_box_chosen)
        self.filter = KeyCapButton("Filter")
        self.filter.setToolTip("Which answers count: groups, time spent, slides seen")
        self.filter.clicked.connect(self.open_filter)

    def show_sides(self, sides: Sequence[HumanSide], chosen: HumanSide, groups: Sequence[str]) -> None:
        """Show what there is, with one chosen."""
        self._groups, self._side = tuple(groups), chosen
        plain = HumanSide(source=chosen.source, scale_set=chosen.scale_set, dimension=chosen.dimension)
        rows = list(sides) if plain in sides else [plain, *sides]
        self.box.blockSignals(True)
        self.box.clear()
        for side in rows:
            self.box.addItem(f"{side.words[0].upper()}{side.words[1:]}", side)
        self.box.setCurrentIndex(rows.index(plain))
        self.box.blockSignals(False)
        self.filter.setText("Filter •" if chosen.is_filtered else "Filter")
        self.filter.setAccessibleDescription(chosen.filter_words)

    @Slot()
    def open_filter(self) -> None:
        """Ask which answers count."""
        self.dialog = FilterDialog(self._side, self._groups, self.box.window())
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.accepted.connect(self._on_filter_accepted)
        self.dialog.open()

    @Slot()
    def _on_filter_accepted(self) -> None:
        if self.dialog is not None:
            self.side_chosen.emit(self.dialog.side())

    @Slot(int)
    def _on_box_chosen(self, _place: int) -> None:
        chosen: HumanSide = self.box.currentData()
        self.side_chosen.emit(
            replace(
                self._side, source=chosen.source, scale_set=chosen.scale_set, dimension=chosen.dimension,
            )
        )  # fmt: skip


def _seconds(value: float | None) -> DecimalBox:
    box = DecimalBox(0, LONGEST_S, value or 0, decimals=0)
    box.setSpecialValueText("any")
    return box
