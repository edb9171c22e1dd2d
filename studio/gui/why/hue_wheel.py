"""The hue wheel: which hues a slide has, the template that fits them best, and the hues outside it."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QConicalGradient, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from studio.actions.explanation import SlideWhy
from studio.gui import theme
from studio.metrics.harmony import TEMPLATES, stray_hues

RING_PX = 14
BAR_DEG = 2


class HueWheel(QWidget):
    """Hues run counter-clockwise from red at the right, as in the templates' paper."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._slide: SlideWhy | None = None
        self._strays: dict[int, float] = {}
        self.setMinimumSize(180, 180)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        theme.current().theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:  # @override
        return QSize(280, 280)

    def show_slide(self, slide: SlideWhy) -> None:
        """Show the hues of a slide."""
        self._slide = slide
        self._strays = {stray.hue_deg: stray.distance_deg for stray in stray_hues(slide.measures.harmony)}
        best = slide.measures.best_template
        self.setAccessibleName(
            "No hue"
            if best is None
            else f"Template {best} at {slide.measures.best_rotation_deg}°, {len(self._strays)} hues outside"
        )
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width() - 76, self.height() - 40)
        centre = QPointF(self.width() / 2, self.height() / 2)
        outer = side / 2
        self._paint_ring(painter, centre, outer)
        if self._slide is not None:
            self._paint_sectors(painter, centre, outer - RING_PX - 2)
            self._paint_bars(painter, centre, outer - RING_PX - 4)
            if self._slide.measures.is_achromatic:
                painter.setPen(theme.color("text_muted"))
                painter.setFont(theme.sized_font(theme.BODY_PX))
                painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), "no hue")
        painter.end()

    def _paint_ring(self, painter: QPainter, centre: QPointF, outer: float) -> None:
        gradient = QConicalGradient(centre, 0)
        for step in range(0, 361, 15):
            gradient.setColorAt(step / 360, QColor.fromHsvF((step % 360) / 360, 0.85, 0.92))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        ring = QPainterPath()
        ring.addEllipse(centre, outer, outer)
        hole = QPainterPath()
        hole.addEllipse(centre, outer - RING_PX, outer - RING_PX)
        painter.drawPath(ring - hole)
        painter.setFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
        painter.setPen(theme.color("text_muted"))
        for degrees in range(0, 360, 90):
            at = _on_circle(centre, outer + 13, degrees)
            painter.drawText(QRectF(at.x() - 20, at.y() - 8, 40, 16), int(Qt.AlignmentFlag.AlignCenter), f"{degrees}°")

    def _paint_sectors(self, painter: QPainter, centre: QPointF, radius: float) -> None:
        measures = self._slide.measures
        if measures.best_template is None:
            return
        fill = theme.color("accent")
        fill.setAlphaF(0.16)
        painter.setBrush(fill)
        painter.setPen(QPen(theme.color("accent"), 1.2))
        box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        for middle, width_tenths in TEMPLATES[measures.best_template]:
            width = width_tenths / 10
            start = middle + measures.best_rotation_deg - width / 2
            painter.drawPie(box, round(start * 16), round(width * 16))

    def _paint_bars(self, painter: QPainter, centre: QPointF, longest: float) -> None:
        weights = self._slide.measures.harmony.hue_weights
        most = max(weights, default=0.0)
        if most <= 0:
            return
        for place, weight in enumerate(weights):
            if weight <= 0:
                continue
            hue = BAR_DEG * place
            # The square root keeps hues visible that have little weight: they are the ones that cost.
            length = max(5.0, longest * math.sqrt(weight / most))
            is_stray = hue in self._strays
            colour = QColor.fromHsvF(hue / 360, 0.8, 0.85)
            painter.setPen(QPen(colour, 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            end = _on_circle(centre, length, hue)
            painter.drawLine(_on_circle(centre, 3, hue), end)
            if is_stray:
                painter.setPen(QPen(theme.color("overlay_box"), 1.5))
                painter.setBrush(theme.color("surface"))
                painter.drawEllipse(_on_circle(centre, length + 5, hue), 3.5, 3.5)

    def mouseMoveEvent(self, event: object) -> None:  # @override
        if self._slide is None:
            return
        at = event.position() - QPointF(self.width() / 2, self.height() / 2)
        hue = round(math.degrees(math.atan2(-at.y(), at.x())) % 360 / BAR_DEG) % 180 * BAR_DEG
        weights = self._slide.measures.harmony.hue_weights
        total = math.fsum(weights)
        if total <= 0:
            return
        words = f"{hue}°: {weights[hue // BAR_DEG] / total:.1%} of the saturation"
        if hue in self._strays:
            words += f", {self._strays[hue]:.1f}° outside the template"
        QToolTip.showText(event.globalPosition().toPoint(), words, self)


def _on_circle(centre: QPointF, radius: float, degrees: float) -> QPointF:
    angle = math.radians(degrees)
    return QPointF(centre.x() + radius * math.cos(angle), centre.y() - radius * math.sin(angle))
