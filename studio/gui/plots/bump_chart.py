"""Ranks side by side: one line for each system from the people through every method."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from studio.actions.bump import Bump
from studio.actions.figures import figure
from studio.gui import theme
from studio.gui.plots.scatter import system_styles

TOP_PX, BOTTOM_PX, LEFT_PX, RIGHT_PX = 34, 14, 30, 12
LABEL_SHARE = 0.28
"""Of the width, for the names at the right end."""
MARK_PX = 11
NEAR_PX = 12


class BumpChart(QWidget):
    """Draws the ranks; arrow keys go from mark to mark, Enter opens one."""

    mark_opened = Signal(int, int)
    """Line and column."""
    mark_pointed = Signal(str)
    """What is told about the mark that the keyboard came to."""
    menu_asked = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._bump: Bump | None = None
        self._styles: dict[str, tuple[QColor, str]] = {}
        self._strong = ""
        self._current: tuple[int, int] | None = None
        self._hovered: tuple[int, int] | None = None
        self.setAccessibleName("Ranks by people and by every method")

    def minimumSizeHint(self) -> QSize:  # @override
        return QSize(200, 140)

    def set_bump(self, bump: Bump, systems: Sequence[str], *, strong: str = "") -> None:
        """Show these ranks.

        Args:
            bump: lines and columns.
            systems: all systems of the project in their order, so that colours stay the same in every plot.
            strong: the column of the chosen method.
        """
        self._bump, self._strong = bump, strong
        self._styles = system_styles(list(systems))
        self._hovered = None
        if self._current is not None and not self._has(*self._current):
            self._current = None
        self.setAccessibleName(f"Ranks of {len(bump.lines):,} systems by {', '.join(bump.titles)}")
        self.update()

    def restyle(self) -> None:
        """Draw everything in the present colours."""
        if self._bump is not None:
            self._styles = system_styles(list(self._styles))
        self.update()

    def place_of(self, line: int, column: int) -> QPointF:
        """Return where a mark is drawn."""
        bump = self._bump
        assert bump is not None
        room = self._room()
        step = room.width() / max(1, len(bump.columns) - 1)
        most = max(2.0, float(len(bump.lines)))
        height = room.height() * (float(bump.ranks[line, column]) - 1) / (most - 1)
        return QPointF(room.left() + column * step, room.top() + height)

    def tip(self, line: int, column: int) -> str:
        """Return what is told about a mark."""
        bump = self._bump
        assert bump is not None
        rank, people = float(bump.ranks[line, column]), float(bump.ranks[line, 0])
        beside = "" if column == 0 or math.isnan(people) else f", people {_rank(people)}"
        return f"{bump.lines[line]} · {bump.titles[column]}: rank {_rank(rank)}{beside}"

    def current(self) -> tuple[int, int] | None:
        """Return line and column of the mark that the keyboard is on."""
        return self._current

    def _room(self) -> QRectF:
        names = QFontMetrics(theme.sized_font(11))
        longest = max((names.horizontalAdvance(line) for line in (self._bump.lines if self._bump else ())), default=0)
        label = min(longest + 18, LABEL_SHARE * self.width())
        width = max(20.0, self.width() - LEFT_PX - RIGHT_PX - label)
        return QRectF(LEFT_PX, TOP_PX + 8, width, max(20.0, self.height() - TOP_PX - BOTTOM_PX - 16))

    def _has(self, line: int, column: int) -> bool:
        bump = self._bump
        if bump is None or not 0 <= line < len(bump.lines) or not 0 <= column < len(bump.columns):
            return False
        return not math.isnan(bump.ranks[line, column])

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("surface"))
        bump = self._bump
        if bump is None or not bump.lines:
            painter.setPen(theme.color("text_muted"))
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), "No ranks to draw")
            painter.end()
            return
        self._draw_grid(painter, bump)
        for line in range(len(bump.lines)):
            self._draw_line(painter, bump, line)
        self._draw_names(painter, bump)
        painter.end()

    def _draw_grid(self, painter: QPainter, bump: Bump) -> None:
        room = self._room()
        painter.setFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
        most = max(2, len(bump.lines))
        for rank in range(1, len(bump.lines) + 1):
            y = room.top() + room.height() * (rank - 1) / (most - 1)
            painter.setPen(QPen(theme.color("hairline"), 1))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(theme.color("text_muted"))
            painter.drawText(QRectF(0, y - 8, LEFT_PX - 12, 16), int(Qt.AlignmentFlag.AlignRight), str(rank))
        step = room.width() / max(1, len(bump.columns) - 1)
        for column, title in enumerate(bump.titles):
            is_strong = bump.columns[column] == self._strong or column == 0
            painter.setFont(theme.sized_font(theme.CAPTION_PX, bold=is_strong))
            painter.setPen(theme.color("text" if is_strong else "text_muted"))
            left = room.left() + (column - 0.5) * step
            box = QRectF(max(0.0, left + 2), 4, min(step, self.width()) - 4, TOP_PX - 12)
            if column == 0:
                box = QRectF(2, 4, LEFT_PX + step / 2 - 4, TOP_PX - 12)
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignHCenter
            words = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideMiddle, int(box.width()))
            painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), words)

    def _draw_line(self, painter: QPainter, bump: Bump, line: int) -> None:
        colour, symbol = self._styles.get(bump.lines[line], (theme.color("text_muted"), "o"))
        is_pointed = self._hovered is not None and self._hovered[0] == line
        is_current = self._current is not None and self._current[0] == line and self.hasFocus()
        before: QPointF | None = None
        for column in range(len(bump.columns)):
            if not self._has(line, column):
                before = None
                continue
            place = self.place_of(line, column)
            if before is not None:
                painter.setPen(QPen(colour, 3 if is_pointed or is_current else 1.5))
                painter.drawLine(before, place)
            before = place
        for column in range(len(bump.columns)):
            if not self._has(line, column):
                continue
            painter.save()
            painter.translate(self.place_of(line, column))
            drawSymbol(painter, symbol, MARK_PX, QPen(theme.color("surface"), 1 / MARK_PX), colour)
            painter.restore()
            if self._current == (line, column) and self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.color("text"), 1.5))
                painter.drawEllipse(self.place_of(line, column), MARK_PX, MARK_PX)

    def _draw_names(self, painter: QPainter, bump: Bump) -> None:
        """Write each system beside its last mark; names of marks on one place share a line."""
        room = self._room()
        painter.setFont(theme.sized_font(11))
        ends: dict[float, list[str]] = {}
        for line, name in enumerate(bump.lines):
            last = next((column for column in reversed(range(len(bump.columns))) if self._has(line, column)), None)
            if last is not None:
                ends.setdefault(self.place_of(line, last).y(), []).append(name)
        left = room.right() + 12
        painter.setPen(theme.color("text"))
        for y, names in ends.items():
            box = QRectF(left, y - 9, self.width() - left - 4, 18)
            words = painter.fontMetrics().elidedText(", ".join(names), Qt.TextElideMode.ElideMiddle, int(box.width()))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)

    def _at(self, place: QPointF) -> tuple[int, int] | None:
        bump = self._bump
        if bump is None:
            return None
        near = [
            ((self.place_of(line, column) - place).manhattanLength(), (line, column))
            for line in range(len(bump.lines))
            for column in range(len(bump.columns))
            if self._has(line, column)
        ]
        found = min(near, default=None)
        return found[1] if found is not None and found[0] <= NEAR_PX else None

    def event(self, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.tip(*found) if found else "", self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # @override
        found = self._at(event.position())
        if found != self._hovered:
            self._hovered = found
            self.setCursor(Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:  # @override
        super().leaveEvent(event)
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # @override
        found = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and found is not None:
            self._current = found
            self.update()
            self.mark_opened.emit(*found)

    def contextMenuEvent(self, event: object) -> None:  # @override
        self.menu_asked.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        steps = {
            Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
        }  # fmt: skip
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.mark_opened.emit(*self._current)
        elif event.key() in steps and self._bump is not None and self._bump.lines:
            self._move(*steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _move(self, down: int, right: int) -> None:
        """Go to the next mark of the line, or to the one that is next above or below in the column."""
        bump = self._bump
        assert bump is not None
        if self._current is None:
            marks = [(float(bump.ranks[line, 0]), line) for line in range(len(bump.lines)) if self._has(line, 0)]
            if not marks:
                return
            self._current = (min(marks)[1], 0)
        else:
            line, column = self._current
            if right:
                while self._has(line, column + right) or 0 <= column + right < len(bump.columns):
                    column += right
                    if self._has(line, column):
                        self._current = (line, column)
                        break
            else:
                order = sorted(
                    (float(bump.ranks[other, column]), other)
                    for other in range(len(bump.lines))
                    if self._has(other, column)
                )
                place = [other for _, other in order].index(line) + down
                if 0 <= place < len(order):
                    self._current = (order[place][1], column)
        self.update()
        self.mark_pointed.emit(self.tip(*self._current))


def _rank(rank: float) -> str:
    return figure(rank, 0 if rank == round(rank) else 1)
