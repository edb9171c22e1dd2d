"""Methods × instances: one cell for each correlation, on a diverging scale that colour-blind people can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from studio.gui import theme

LABEL_MIN_PX = 72
LABEL_SHARE = 0.3
"""Of the width, for the longest name; longer ones are cut in the middle."""
CELL_MIN_PX, CELL_MAX_PX = 10, 44
ROW_MIN_PX, ROW_MAX_PX = 16, 40
GAP_PX = 2
MARGIN_PX = 12
KEY_PX = 30
"""Room for the key of colours below the rows."""


@dataclass(frozen=True, kw_only=True)
class HeatCell:
    """One correlation."""

    value: float | None
    """−1 to 1; None is drawn as an empty box with a stroke."""
    tip: str


@dataclass(frozen=True, kw_only=True)
class HeatRow:
    """One row, its cells in the order of the columns."""

    key: str
    title: str
    cells: tuple[HeatCell, ...]
    is_strong: bool = False


def cell_colour(value: float) -> QColor:
    """Return the colour of a correlation: blue above 0, orange below, the deeper the further from 0."""
    neutral = theme.color("track")
    end = theme.color("system_1" if value >= 0 else "system_2")
    share = min(1.0, abs(value))
    parts = [
        round(a + (b - a) * share)
        for a, b in zip(neutral.getRgb()[:3], end.getRgb()[:3], strict=True)
    ]  # fmt: skip
    return QColor(*parts)


def ink_on(ground: QColor) -> QColor:
    """Return black or white, whichever is read better on a colour."""
    luminance = 0.2126 * ground.redF() ** 2.2 + 0.7152 * ground.greenF() ** 2.2 + 0.0722 * ground.blueF() ** 2.2
    return QColor("#10151d" if luminance > 0.2 else "#ffffff")


class HeatMap(QAbstractScrollArea):
    """Draws what is visible only, so that thousands of instances cost nothing."""

    cell_opened = Signal(str, str)
    """Row key and column key."""
    disagreements_asked = Signal(str, str)
    """Row key and column key of a cell that was clicked, or entered, with Shift."""
    cell_pointed = Signal(str)
    """What is told about the cell that the keyboard came to; the pointer gets it as a tooltip."""
    menu_asked = Signal(QPoint)
    """Where, on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Correlation of every method on every instance")
        self._rows: tuple[HeatRow, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._current: tuple[int, int] | None = None
        self._hovered: tuple[int, int] | None = None

    def set_rows(self, rows: Sequence[HeatRow], columns: Sequence[str]) -> None:
        """Show these rows.

        Args:
            rows: from top to bottom.
            columns: key of each column, such as an instance id.
        """
        self._rows, self._columns = tuple(rows), tuple(columns)
        self._hovered = None
        if self._current is not None:
            row, column = self._current
            is_there = row < len(self._rows) and column < len(self._columns)
            self._current = self._current if is_there else None
        self._fit()
        self.viewport().update()

    def current(self) -> tuple[int, int] | None:
        """Return row and column of the cell that the keyboard is on."""
        return self._current

    def current_keys(self) -> tuple[str, str] | None:
        """Return row key and column key of the cell that the keyboard is on."""
        return self._keys(self._current) if self._current is not None else None

    def keys_at(self, place: QPoint) -> tuple[str, str] | None:
        """Return row key and column key of the cell at a place on the screen; beside the cells the keyboard's."""
        found = self._at(self.viewport().mapFromGlobal(place))
        return self._keys(found) if found is not None else self.current_keys()

    def cell_rect(self, row: int, column: int) -> QRect:
        """Return where a cell is drawn in the viewport."""
        left = self._label_px() - self.horizontalScrollBar().value() + column * self._cell_px()
        top = MARGIN_PX - self.verticalScrollBar().value() + row * self._row_px()
        return QRect(int(left), int(top), max(1, int(self._cell_px()) - GAP_PX), int(self._row_px()) - GAP_PX)

    def _label_px(self) -> int:
        metrics = QFontMetrics(theme.sized_font(12, bold=True))
        longest = max((metrics.horizontalAdvance(row.title) for row in self._rows), default=0) + 24
        return int(max(LABEL_MIN_PX, min(longest, LABEL_SHARE * self.viewport().width())))

    def _cell_px(self) -> float:
        room = self.viewport().width() - self._label_px() - MARGIN_PX
        return min(CELL_MAX_PX, max(CELL_MIN_PX, room / max(1, len(self._columns))))

    def _row_px(self) -> float:
        room = self.viewport().height() - MARGIN_PX - KEY_PX
        return min(ROW_MAX_PX, max(ROW_MIN_PX, room / max(1, len(self._rows))))

    def _fit(self) -> None:
        view = self.viewport()
        width = self._label_px() + MARGIN_PX + self._cell_px() * len(self._columns)
        height = MARGIN_PX + KEY_PX + self._row_px() * len(self._rows)
        for bar, needed, page in (
            (self.horizontalScrollBar(), width, view.width()), (self.verticalScrollBar(), height, view.height()),
        ):  # fmt: skip
            bar.setRange(0, max(0, int(needed) - page))
            bar.setPageStep(page)
            bar.setSingleStep(20)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._fit()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # @override
        self.viewport().update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), theme.color("surface"))
        view, label_px = self.viewport().rect(), self._label_px()
        painter.save()
        painter.setClipRect(QRect(label_px, 0, view.width() - label_px, view.height() - KEY_PX))
        first = max(0, int(self.horizontalScrollBar().value() / self._cell_px()))
        last = min(len(self._columns), first + int((view.width() - label_px) / self._cell_px()) + 2)
        for row in range(len(self._rows)):
            for column in range(first, last):
                self._draw_cell(painter, row, column)
        painter.restore()
        painter.setClipRect(QRect(0, 0, view.width(), view.height() - KEY_PX))
        for number, row in enumerate(self._rows):
            box = self.cell_rect(number, 0)
            painter.setFont(theme.sized_font(12, bold=row.is_strong))
            painter.setPen(theme.color("text" if row.is_strong else "text_muted"))
            words = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideMiddle, label_px - 20)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRect(0, box.top(), label_px - 8, box.height()), int(right), words)
        painter.setClipping(False)
        self._draw_key(painter)
        painter.end()

    def _draw_cell(self, painter: QPainter, row: int, column: int) -> None:
        cell, box = self._rows[row].cells[column], QRectF(self.cell_rect(row, column))
        radius = 2 if box.width() > 8 else 0
        if cell.value is None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("hairline_strong"), 1))
            inner = box.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(inner, radius, radius)
            painter.drawLine(inner.bottomLeft(), inner.topRight())
        else:
            ground = cell_colour(cell.value)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(box, radius, radius)
            if box.width() >= 32:
                painter.setPen(ink_on(ground))
                painter.setFont(theme.sized_font(10, tabular=True))
                words = f"{cell.value:.2f}".replace("0.", ".", 1).replace("-", "−")
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), words)
        is_current = self._current == (row, column) and self.hasFocus()
        if is_current or self._hovered == (row, column):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), 2 if is_current else 1))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _draw_key(self, painter: QPainter) -> None:
        below = MARGIN_PX + self._row_px() * len(self._rows) + KEY_PX / 2 + 2
        middle = min(self.viewport().height() - KEY_PX / 2 - 2, below)
        left, steps, step_px = self._label_px(), 21, 7
        painter.setFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
        metrics = QFontMetrics(painter.font())
        painter.setPen(theme.color("text_muted"))
        painter.drawText(QPointF(left, middle + 4), "ρ −1")
        left += metrics.horizontalAdvance("ρ −1") + 6
        painter.setPen(Qt.PenStyle.NoPen)
        for step in range(steps):
            painter.setBrush(cell_colour(step * 2 / (steps - 1) - 1))
            painter.drawRect(QRectF(left + step * step_px, middle - 4, step_px, 8))
        painter.setPen(theme.color("text_muted"))
        left += steps * step_px + 6
        painter.drawText(QPointF(left, middle + 4), "1")
        left += 24
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("hairline_strong"), 1))
        box = QRectF(left + 0.5, middle - 4.5, 12, 9)
        painter.drawRect(box)
        painter.drawLine(box.bottomLeft(), box.topRight())
        painter.setPen(theme.color("text_muted"))
        painter.drawText(QPointF(left + 18, middle + 4), "undefined")

    def _at(self, place: QPoint) -> tuple[int, int] | None:
        if place.x() < self._label_px() or place.y() < MARGIN_PX or not self._rows or not self._columns:
            return None
        column = int((place.x() - self._label_px() + self.horizontalScrollBar().value()) / self._cell_px())
        row = int((place.y() - MARGIN_PX + self.verticalScrollBar().value()) / self._row_px())
        return (row, column) if row < len(self._rows) and column < len(self._columns) else None

    def viewportEvent(self, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self._at(event.pos())
            if found is None:
                QToolTip.hideText()
            else:
                box = self.cell_rect(*found)
                QToolTip.showText(event.globalPos(), self.tip(*found), self.viewport(), box)
            return True
        if event.type() == QEvent.Type.Leave and self._hovered is not None:
            self._hovered = None
            self.viewport().update()
        return super().viewportEvent(event)

    def tip(self, row: int, column: int) -> str:
        """Return what is told about a cell."""
        return self._rows[row].cells[column].tip

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # @override
        found = self._at(event.position().toPoint())
        if found != self._hovered:
            self._hovered = found
            pointing, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(pointing if found else arrow)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # @override
        found = self._at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and found is not None:
            self._current = found
            self.viewport().update()
            self._open(found, event.modifiers())

    def contextMenuEvent(self, event: object) -> None:  # @override
        self.menu_asked.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        steps = {
            Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
        }  # fmt: skip
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self._open(self._current, event.modifiers())
        elif event.key() in steps and self._rows and self._columns:
            self._move(*steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _move(self, down: int, right: int) -> None:
        row, column = self._current or (-down, -right)
        row = min(len(self._rows) - 1, max(0, row + down))
        column = min(len(self._columns) - 1, max(0, column + right))
        self._current = (row, column)
        box, bar = self.cell_rect(row, column), self.horizontalScrollBar()
        if box.right() > self.viewport().width():
            bar.setValue(bar.value() + box.right() - self.viewport().width() + MARGIN_PX)
        elif box.left() < self._label_px():
            bar.setValue(bar.value() - (self._label_px() - box.left()))
        self.viewport().update()
        self.cell_pointed.emit(self.tip(row, column))

    def _open(self, cell: tuple[int, int], modifiers: Qt.KeyboardModifier) -> None:
        is_shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        (self.disagreements_asked if is_shift else self.cell_opened).emit(*self._keys(cell))

    def _keys(self, cell: tuple[int, int]) -> tuple[str, str]:
        return self._rows[cell[0]].key, self._columns[cell[1]]
