"""An interval on a line, drawn into a cell of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from studio.gui import theme

DOT_PX = 9


def scale_of(values: Iterable[float | None]) -> tuple[float, float]:
    """Return the ends of a scale for correlations: 0 to 1, or from the next half below the lowest value."""
    lowest = min((value for value in values if value is not None), default=0.0)
    return min(0.0, math.floor(lowest * 2) / 2), 1.0


def draw_interval(
    painter: QPainter,
    room: QRectF,
    *,
    scale: tuple[float, float],
    mean: float | None,
    low: float | None,
    high: float | None,
    ceiling: float | None,
    tone: str = "accent",
) -> None:
    """Draw a mean with its interval on a scale, with a dashed line for the human ceiling.

    Args:
        painter: in use; its state is restored.
        room: where to draw.
        scale: values at the left and the right end.
        mean: the dot; None draws none.
        low: left end of the interval.
        high: right end of the interval.
        ceiling: the dashed line; None draws none.
        tone: colour of dot and interval.
    """

    def x(value: float) -> float:
        share = (value - scale[0]) / (scale[1] - scale[0])
        return room.left() + min(1.0, max(0.0, share)) * room.width()

    middle = room.center().y()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("track"), 2))
    painter.drawLine(QPointF(room.left(), middle), QPointF(room.right(), middle))
    if scale[0] < 0:
        painter.setPen(QPen(theme.color("hairline_strong"), 1))
        painter.drawLine(QPointF(x(0), middle - 4), QPointF(x(0), middle + 4))
    if ceiling is not None:
        pen = QPen(theme.color("warn"), 1.4)
        pen.setDashPattern([3, 2])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(x(ceiling), room.top() + 5), QPointF(x(ceiling), room.bottom() - 5))
    if low is not None and high is not None:
        pen = QPen(theme.color(tone), 3)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(x(low), middle), QPointF(x(high), middle))
    if mean is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(tone))
        painter.drawEllipse(QPointF(x(mean), middle), DOT_PX / 2, DOT_PX / 2)
    painter.restore()
