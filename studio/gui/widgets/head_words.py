"""Name, badges and facts in one line of a head; where room is short, facts give way first and the name last."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel

GAP_PX = 8
BADGE_GAP_PX = 4
LEAST_FACTS_PX = 40
"""Facts that would get less than that are left out: a lone "…" says nothing."""


class HeadWords(QWidget):
    """The name in semibold, badges, muted facts, from left to right.

    Facts may come in several wordings; the longest that stands whole is shown, else the shortest, cut. A minimum width
    of the facts' label is kept before the name is whole.
    """

    def __init__(
        self, title: str = "", facts: str = "", parent: QWidget | None = None, *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.title_label = ElidedLabel(title, self, mode=mode)
        self.title_label.setProperty("tone", "heading")
        self.facts_label = ElidedLabel(facts, self, mode=mode)
        self.facts_label.setProperty("tone", "muted")
        self._wordings: tuple[str, ...] = ()
        self._badges: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def set_wordings(self, *facts: str) -> None:
        """Say the facts in several wordings, from the longest to the shortest."""
        self._wordings = facts
        self.facts_label.set_text(facts[0])
        self._place()

    def add_badge(self, badge: QWidget) -> None:
        """Put a badge behind the others."""
        is_shown = not (badge.isHidden() and badge.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide))
        badge.setParent(self)
        badge.setVisible(is_shown)
        self._badges.append(badge)
        self._place()

    def set_badges(self, *words: str) -> None:
        """Show these words as badges, in place of those that were there."""
        for badge in self._badges:
            badge.hide()
            badge.deleteLater()
        self._badges = []
        for text in words:
            self.add_badge(Badge(text))

    def wanted_px(self, most_facts_px: int) -> int:
        """Return the width at which name and badges are whole, and the facts whole or as wide as said."""
        facts = self.facts_label.sizeHint().width() if self.facts_label.full_text() else 0
        if self._wordings:
            widths = [self._px_of(wording) for wording in self._wordings]
            facts = next((width for width in widths if width <= most_facts_px), widths[-1])
        least = max(self.facts_label.minimumWidth(), min(facts, most_facts_px))
        return self.title_label.sizeHint().width() + self._badges_px() + (GAP_PX + least if least else 0)

    def sizeHint(self) -> QSize:  # @override
        return QSize(self.wanted_px(10_000), self.title_label.sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # @override
        least = self.facts_label.minimumWidth()
        name = self.title_label.minimumSizeHint()
        return QSize(name.width() + (GAP_PX + least if least else 0), name.height())

    def event(self, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:  # @override
        super().showEvent(event)
        self._place()

    def _px_of(self, facts: str) -> int:
        return self.facts_label.fontMetrics().horizontalAdvance(facts) + 2

    def _badges_px(self) -> int:
        widths = [badge.sizeHint().width() for badge in self._badges if not badge.isHidden()]
        return GAP_PX + sum(widths) + BADGE_GAP_PX * (len(widths) - 1) if widths else 0

    def _place(self) -> None:
        room, floor = self.width(), self.facts_label.minimumWidth()
        kept = GAP_PX + floor if floor else 0
        name = min(self.title_label.sizeHint().width(), max(0, room - kept))
        self._put(self.title_label, 0, name)
        left, all_fit = name, True
        for badge in self._badges:
            if badge.isHidden():
                continue
            hint = badge.sizeHint()
            gap = GAP_PX if left == name else BADGE_GAP_PX
            fits = all_fit = all_fit and left + gap + hint.width() + kept <= room
            badge.setGeometry(QRect(left + gap, (self.height() - hint.height()) // 2, hint.width() if fits else 0,
                                    hint.height()))  # fmt: skip
            left += gap + hint.width() if fits else 0
        rest = room - left - GAP_PX
        if self._wordings:
            whole = [facts for facts in self._wordings if self._px_of(facts) <= rest]
            said = whole[0] if whole else self._wordings[-1]
            self.facts_label.set_text(said, tip=self._wordings[0] if said != self._wordings[0] else "")
            self.facts_label.setAccessibleName(self._wordings[0])
        facts = min(self.facts_label.sizeHint().width(), rest) if all_fit or floor else 0
        is_shown = facts >= min(LEAST_FACTS_PX, self.facts_label.sizeHint().width()) or bool(floor)
        self._put(self.facts_label, left + GAP_PX, max(facts, 0) if is_shown else 0)

    def _put(self, label: ElidedLabel, left: int, width: int) -> None:
        label.setGeometry(left, 0, width, self.height())
