"""Switches for what-ifs: whoever and whatever is unticked is left out, and the numbers follow at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from studio.actions.align import Evidence
from studio.actions.method_rows import title_of
from studio.actions.what_if import Droppable, WhatIf, components_of, judge_of, judges_of
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.metrics.buckets import Bucket

KEY_ROLE = Qt.ItemDataRole.UserRole
PANEL_PX = 288
LONGEST_NOTE = 3
"""Methods that a note names; more are counted."""

SECTIONS = {
    "annotators": "Annotators",
    "scenarios": "Scenarios",
    "judges": "Judges",
    "methods": "Metrics",
    "components": "Components of the total",
    "dimensions": "Checklist dimensions",
    "items": "Checklist items",
    "buckets": "Styles of decks",
}
"""Field of `WhatIf` → heading."""


class WhatIfPanel(Panel):
    """A tree of tick boxes; Space ticks, Reset brings everything back."""

    changed = Signal(object)
    """The `WhatIf` that the boxes say now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("What if", "untick to leave out", parent)
        self.reset = KeyCapButton("Reset")
        self.reset.clicked.connect(self.clear)
        self.head.add_control(self.reset)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.setAccessibleName("What to leave out")
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setUniformRowHeights(True)
        self.tree.itemChanged.connect(self._on_item_changed)
        self.note = toned_label("", "muted")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(12, 8, 12, 8)
        self.note.hide()
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tree, 1)
        column.addWidget(self.note)
        self.set_body(body)
        self.setFixedWidth(PANEL_PX)
        self._what_if = WhatIf()

    def what_if(self) -> WhatIf:
        """Return what is left out."""
        return self._what_if

    def show_choices(self, evidence: Evidence, material: Droppable | None) -> None:
        """Show what can be left out; what was unticked and is still there stays so.

        Args:
            evidence: with nothing left out.
            material: None while it is being read: what needs no reading is there at once.
        """
        choices: dict[str, dict[object, str]] = {
            "annotators": dict(sorted(evidence.annotators.items(), key=lambda each: each[1])),
            "scenarios": _scenarios(evidence),
            "judges": {judge: judge for judge in judges_of(evidence)},
            "methods": {name: title_of(name) for name in evidence.methods if not judge_of(name)},
            "components": {name: title_of(name) for name in components_of(evidence)},
        }
        if material is not None:
            choices |= {
                "dimensions": {each.value: each.value.capitalize() for each in material.dimensions},
                "items": dict(material.items),
                "buckets": {bucket: bucket.value.replace("_", " ").capitalize() for bucket in material.buckets},
            }
            kept = [title_of(name) for name in material.kept]
            more = f" and {len(kept) - LONGEST_NOTE} more" if len(kept) > LONGEST_NOTE else ""
            words = f"{', '.join(kept[:LONGEST_NOTE])}{more}"
            self.note.setText(f"Stay as stored when items go, since the verdicts do not add up to them: {words}.")
            self.note.setToolTip("\n".join(kept))
            self.note.setVisible(bool(kept))
        self._fill(choices)

    @Slot()
    def clear(self) -> None:
        """Bring everything back."""
        if not self._what_if.is_empty:
            self.tree.blockSignals(True)
            for section in self._sections():
                for place in range(section.childCount()):
                    section.child(place).setCheckState(0, Qt.CheckState.Checked)
            self.tree.blockSignals(False)
            self._on_item_changed()

    def box(self, field: str, key: object) -> QTreeWidgetItem | None:
        """Return the box of one thing, such as ``box("annotators", "ann_1")``."""
        for section in self._sections():
            if section.data(0, KEY_ROLE) == field:
                for place in range(section.childCount()):
                    if section.child(place).data(0, KEY_ROLE) == key:
                        return section.child(place)
        return None

    def words(self) -> str:
        """Return what is left out, such as "without Ada, Harmony"; empty if nothing is."""
        names = [
            section.child(place).text(0)
            for section in self._sections()
            for place in range(section.childCount())
            if section.child(place).checkState(0) == Qt.CheckState.Unchecked
        ]
        return f"without {', '.join(names)}" if names else ""

    def _sections(self) -> list[QTreeWidgetItem]:
        return [self.tree.topLevelItem(place) for place in range(self.tree.topLevelItemCount())]

    def _fill(self, choices: Mapping[str, Mapping[object, str]]) -> None:
        closed = {each.data(0, KEY_ROLE) for each in self._sections() if not each.isExpanded()}
        known = {each.data(0, KEY_ROLE) for each in self._sections()}
        before = self._what_if
        self.tree.blockSignals(True)
        self.tree.clear()
        for field, title in SECTIONS.items():
            rows = choices.get(field, {})
            if not rows:
                continue
            section = QTreeWidgetItem([title])
            section.setData(0, KEY_ROLE, field)
            section.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.tree.addTopLevelItem(section)
            for key, words in rows.items():
                box = QTreeWidgetItem([" ".join(words.split())])
                box.setData(0, KEY_ROLE, key)
                box.setToolTip(0, words)
                box.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
                is_dropped = key in getattr(before, field)
                box.setCheckState(0, Qt.CheckState.Unchecked if is_dropped else Qt.CheckState.Checked)
                section.addChild(box)
            is_long = field == "items"
            section.setExpanded(field not in closed if field in known else not is_long)
        self.tree.blockSignals(False)
        self._what_if = self._said()
        self.reset.setEnabled(not self._what_if.is_empty)
        if self._what_if != before:
            self.changed.emit(self._what_if)

    def _said(self) -> WhatIf:
        dropped: dict[str, frozenset[object]] = {}
        for section in self._sections():
            boxes = [section.child(place) for place in range(section.childCount())]
            field = section.data(0, KEY_ROLE)
            keys = _keys(boxes)
            # Qt gives a text enumeration back as the plain text.
            dropped[field] = frozenset(Bucket(str(key)) for key in keys) if field == "buckets" else keys
        return WhatIf(**dropped)

    @Slot()
    def _on_item_changed(self, *_: object) -> None:
        self._what_if = self._said()
        self.reset.setEnabled(not self._what_if.is_empty)
        self.changed.emit(self._what_if)


def _keys(boxes: Iterable[QTreeWidgetItem]) -> frozenset[object]:
    return frozenset(box.data(0, KEY_ROLE) for box in boxes if box.checkState(0) == Qt.CheckState.Unchecked)


def _scenarios(evidence: Evidence) -> dict[object, str]:
    names = dict.fromkeys(evidence.human.scenarios.get(each, "") for each in evidence.human.instance_ids)
    return {name: name or "(none)" for name in names} if len(names) > 1 else {}
