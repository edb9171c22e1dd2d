"""The head of the Alignment page: what the numbers are of, and the controls that choose it."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QWidget

from studio.actions.method_rows import LEVEL_WORDS, MethodsView, title_of
from studio.gui.alignment.side_controls import SideControls
from studio.gui.icons import icon
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead


class AlignmentHead(PageHead):
    """Title, facts, human side, level, method to compare with, and the buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Alignment with people", parent=parent)
        self.sample = Badge("", "alert")
        self.sample.setToolTip("The answers include those of invented people: no finding, only an example.")
        self.side = SideControls(self)
        self.level = QComboBox()
        self.level.setAccessibleName("Level")
        for level, words in LEVEL_WORDS.items():
            self.level.addItem(words.capitalize(), level.value)
        self.level.setToolTip("What one correlation is computed over")
        self.base = QComboBox()
        self.base.setAccessibleName("Compare with")
        self.base.setToolTip("The method that the paired tests are against")
        self.base.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.base.setMaximumWidth(280)
        self.base.setMinimumContentsLength(10)
        self.what_if = KeyCapButton("What if", "W")
        self.what_if.setToolTip("Leave somebody or something out and see what changes")
        self.disagreements = KeyCapButton("Disagreements", "D")
        self.disagreements.setToolTip("Look at where people and the chosen method disagree, the widest first")
        self.checklists = KeyCapButton("Checklists")
        self.checklists.setToolTip("People, code and judges item by item, and the scores of checklists")
        self.tune = KeyCapButton("Tune")
        self.tune.setToolTip("Components, weights, search over parameters, V-E matrix")
        self.export = KeyCapButton("Export", icon=icon("download"))
        self.add_badge(self.sample)
        for control, gives_way in (
            (self.side.box, 3), (self.side.filter, 5), (self.level, 2), (self.base, 0), (self.what_if, 1),
            (self.disagreements, 4), (self.checklists, 6), (self.tune, 7), (self.export, 0),
        ):  # fmt: skip
            self.add_control(control, gives_way=gives_way)

    def show_methods(self, view: MethodsView) -> None:
        """Offer the methods of a table to compare with."""
        self.base.blockSignals(True)
        self.base.clear()
        for row in view.rows:
            if not row.is_people:
                self.base.addItem(f"Compare with: {title_of(row.name)}", row.name)
        self.base.setCurrentIndex(max(0, self.base.findData(view.compared_with)))
        self.base.blockSignals(False)
