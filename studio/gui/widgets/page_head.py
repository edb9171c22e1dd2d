"""The line above a page's panels: what it is about at the left, what can be done with it at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel

HEIGHT_PX = 32


class PageHead(QWidget):
    """Title in semibold, badges, muted facts, controls."""

    def __init__(self, title: str = "", facts: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT_PX)
        self.title_label = ElidedLabel(title)
        self.title_label.setProperty("tone", "heading")
        self.facts_label = ElidedLabel(facts)
        self.facts_label.setProperty("tone", "muted")
        self._badges = QHBoxLayout()
        self._badges.setSpacing(4)
        self._controls = QHBoxLayout()
        self._controls.setSpacing(8)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title_label)
        row.addLayout(self._badges)
        row.addWidget(self.facts_label)
        row.addStretch(1)
        row.addLayout(self._controls)

    def set_title(self, title: str, facts: str = "") -> None:
        """Change title and facts."""
        self.title_label.set_text(title)
        self.facts_label.set_text(facts)

    def set_badges(self, *words: str) -> None:
        """Show these words as badges, in place of those that were there."""
        while (item := self._badges.takeAt(0)) is not None:
            item.widget().deleteLater()
        for text in words:
            self._badges.addWidget(Badge(text), 0, Qt.AlignmentFlag.AlignVCenter)

    def add_control(self, control: QWidget) -> None:
        """Put a control at the right end."""
        self._controls.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
