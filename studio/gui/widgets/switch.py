"""A switch: on or off at once, with words beside it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from studio.gui import theme

TRACK = QSize(26, 14)
GAP_PX = 8


class Switch(QCheckBox):
    """A check box drawn as a switch, for what takes effect at once and needs no Save."""

    def __init__(self, words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # @override
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self.text()) + GAP_PX if self.text() else 0
        return QSize(TRACK.width() + words + 2, max(22, metrics.height() + 4))

    def minimumSizeHint(self) -> QSize:  # @override
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:  # @override
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = (self.height() - TRACK.height()) / 2
        track = QRectF(1, top, TRACK.width(), TRACK.height())
        is_on, can = self.isChecked(), self.isEnabled()
        painter.setPen(QPen(theme.color("accent"), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent" if is_on and can else "hairline_strong" if can else "track"))
        painter.drawRoundedRect(track, 7, 7)
        knob = QRectF(track.right() - 12 if is_on else track.left() + 2, top + 2, 10, 10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("surface"))
        painter.drawEllipse(knob)
        painter.setPen(theme.color("text" if can else "text_disabled"))
        room = self.rect().adjusted(TRACK.width() + 1 + GAP_PX, 0, 0, 0)
        words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
        painter.end()
