"""The hits of a search as a list: where, and the match among its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from studio.actions.sources import Hit
from studio.gui import theme

ROW_PX = 26
PLACE_PX = 118


class HitModel(QAbstractListModel):
    """The hits of a search, one a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[str, Hit]] = []

    def set_rows(self, rows: Sequence[tuple[str, Hit]]) -> None:
        """Show other hits, each with the words for its place."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def hit(self, row: int) -> Hit:
        """Return the hit of a row."""
        return self._rows[row][1]

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex, role: int = 0) -> Any:  # @override
        if not index.isValid():
            return None
        place, hit = self._rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return f"{place}: {hit.snippet.before}{hit.snippet.match}{hit.snippet.after}"
        return None


class HitRow(QStyledItemDelegate):
    """Draws a hit: its place in muted words, and the match in bold with what stands around it."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:  # @override
        return QSize(120, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        place, hit = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.color("surface_selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, theme.color("surface_hover"))
        rect = option.rect.adjusted(12, 0, -12, 0)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(theme.sized_font(theme.BODY_PX))
        painter.setPen(theme.color("text_muted"))
        words = painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideMiddle, PLACE_PX - 8)
        painter.drawText(QRect(rect.left(), rect.top(), PLACE_PX - 8, rect.height()), middle, words)
        left = rect.left() + PLACE_PX
        bold = theme.sized_font(theme.BODY_PX, bold=True)
        room = rect.right() - left
        painter.setFont(bold)
        match = painter.fontMetrics().elidedText(hit.snippet.match, Qt.TextElideMode.ElideMiddle, room)
        match_px = painter.fontMetrics().horizontalAdvance(match)
        painter.setFont(theme.sized_font(theme.BODY_PX))
        metrics = painter.fontMetrics()
        before_px = max(0, min(metrics.horizontalAdvance(hit.snippet.before), (room - match_px) // 2))
        before = metrics.elidedText(hit.snippet.before, Qt.TextElideMode.ElideLeft, before_px)
        before_px = metrics.horizontalAdvance(before)
        after = metrics.elidedText(hit.snippet.after, Qt.TextElideMode.ElideRight, room - before_px - match_px)
        painter.drawText(QRect(left, rect.top(), before_px + 2, rect.height()), middle, before)
        painter.drawText(
            QRect(left + before_px + match_px, rect.top(), room - before_px - match_px, rect.height()), middle, after
        )
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        painter.drawText(QRect(left + before_px, rect.top(), match_px + 2, rect.height()), middle, match)
        painter.restore()
