"""Plots of an explanation: figures along the deck, and how a score depends on one figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from studio.actions.explanation import Curve
from studio.gui import theme
from studio.gui.widgets.plot import Plot

POINT_PX, CURRENT_PX = 8, 12


@dataclass(frozen=True, kw_only=True)
class Band:
    """A stretch of an axis with a name."""

    low: float
    high: float
    words: str
    tone: str = "plot_axis"
    is_vertical: bool = False
    """True for a stretch of the horizontal axis."""


class _SmallPlot(Plot):
    """A plot that asks for little room and takes what there is."""

    least_px = 118

    def __init__(self, parent: QWidget | None, *, x_label: str, y_label: str) -> None:
        super().__init__(parent, x_label=x_label, y_label=y_label)
        self.setMinimumHeight(self.least_px)
        for side in ("left", "bottom"):
            self.plotItem.getAxis(side).enableAutoSIPrefix(False)

    def sizeHint(self) -> QSize:  # @override
        return QSize(160, self.least_px)


class SlidePlot(_SmallPlot):
    """One figure per slide as points on a line; a click on a point picks its slide."""

    slide_picked = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, y_label: str) -> None:
        self._numbers: list[int] = []
        self._values: list[float | None] = []
        self._bands: list[Band] = []
        self._marked: set[int] = set()
        self._current = 0
        self._unit = y_label
        self._items: list[object] = []
        self._line = pg.PlotDataItem(connect="finite")
        self._points = pg.ScatterPlotItem(hoverable=True, tip=None)
        # What the axes are is said above the plot, where it costs no height.
        super().__init__(parent, x_label="", y_label="")
        self.plotItem.addItem(self._line)
        self.plotItem.addItem(self._points)
        self.plotItem.scene().sigMouseClicked.connect(self._on_clicked)
        self._points.sigHovered.connect(self._on_hovered)

    def show_values(
        self,
        numbers: Sequence[int],
        values: Sequence[float | None],
        *,
        bands: Sequence[Band] = (),
        marked: Sequence[int] = (),
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        """Show one value per slide.

        Args:
            numbers: slide numbers.
            values: in their order; None leaves a gap.
            bands: stretches of the value axis, or of the slides.
            marked: slides whose points are drawn as warnings.
            low: least value that is in sight.
            high: largest value that is in sight.
        """
        self._numbers, self._values, self._bands = list(numbers), list(values), list(bands)
        self._marked = set(marked)
        self.set_table(["slide", self._unit], list(zip(numbers, values, strict=True)))
        known = [value for value in values if value is not None]
        least = min([*known, *([] if low is None else [low])], default=0.0)
        most = max([*known, *([] if high is None else [high])], default=1.0)
        most = most if most > least else least + 1.0
        room = 0.08 * (most - least)
        self.plotItem.setYRange(least - room, most + room, padding=0)
        self.plotItem.setXRange(min(numbers) - 0.5, max(numbers) + 0.5, padding=0)
        step = max(1, -(-(max(numbers) - min(numbers) + 1) // 14))
        ticks = [(number, str(number)) for number in range(min(numbers), max(numbers) + 1, step)]
        self.plotItem.getAxis("bottom").setTicks([ticks])
        self._draw()

    def set_current(self, number: int) -> None:
        """Draw the point of this slide larger."""
        self._current = number
        self._draw()

    def point_position(self, number: int) -> QPointF:
        """Return where a slide's point is drawn, in the coordinates of the viewport."""
        value = self._values[self._numbers.index(number)]
        scene = self.plotItem.getViewBox().mapViewToScene(QPointF(number, value))
        return QPointF(self.mapFromScene(scene))

    def _draw(self) -> None:
        for item in self._items:
            self.plotItem.removeItem(item)
        self._items = []
        for band in self._bands:
            self._items += _band_items(self.plotItem, band)
        pairs = [(number, value) for number, value in zip(self._numbers, self._values, strict=True)]
        self._line.setData(
            [number for number, _ in pairs],
            [float("nan") if value is None else value for _, value in pairs],
            pen=pg.mkPen(theme.color("accent"), width=1.6),
        )
        self._points.setData(
            [
                {
                    "pos": (number, value),
                    "data": number,
                    "size": (CURRENT_PX if number == self._current else POINT_PX) + 3 * (number in self._marked),
                    "symbol": "t" if number in self._marked else "o",
                    "brush": pg.mkBrush(theme.color("bad" if number in self._marked else "accent")),
                    "pen": pg.mkPen(theme.color("text" if number == self._current else "surface"), width=1.5),
                }
                for number, value in pairs
                if value is not None
            ]
        )

    @Slot(object)
    def _on_clicked(self, event: object) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._numbers:
            return
        at = self.plotItem.getViewBox().mapSceneToView(event.scenePos())
        # The nearest slide, so that a small point needs no steady hand.
        self.slide_picked.emit(min(self._numbers, key=lambda number: abs(number - at.x())))

    def _on_hovered(self, _item: object, points: Sequence[object], _event: object) -> None:
        words = "\n".join(f"slide {point.data()}: {point.pos().y():.3f} {self._unit}" for point in points[:4])
        self.viewport().setToolTip(words)

    @Slot()
    def _on_theme_changed(self) -> None:
        super()._on_theme_changed()
        if self._numbers:
            self._draw()


class CurvePlot(_SmallPlot):
    """Points earned against one figure, with the deck's place on the curve."""

    least_px = 150

    def __init__(self, parent: QWidget | None = None, *, x_label: str) -> None:
        self._curve: Curve | None = None
        self._bands: Sequence[Band] = ()
        self._what = x_label
        self._line = pg.PlotDataItem()
        self._items: list[object] = []
        super().__init__(parent, x_label=x_label, y_label="points")
        self.plotItem.addItem(self._line)

    def show_curve(self, curve: Curve, *, bands: Sequence[Band] = ()) -> None:
        """Show a curve and the deck on it."""
        self._curve, self._bands = curve, tuple(bands)
        self.set_table([self._what, "points"], list(zip(curve.x, curve.y, strict=True)))
        self.plotItem.setXRange(0, curve.x[-1], padding=0.01)
        self.plotItem.setYRange(0, 1.28 * curve.most, padding=0)
        self._draw()

    def _draw(self) -> None:
        curve = self._curve
        for item in self._items:
            self.plotItem.removeItem(item)
        self._items = []
        for band in self._bands:
            self._items += _band_items(self.plotItem, band)
        self._line.setData(curve.x, curve.y, pen=pg.mkPen(theme.color("accent"), width=1.8))
        self._add_line(curve.best, "text_muted", Qt.PenStyle.DotLine)
        self._add_words(f"best {curve.best:g}", curve.best, 1.27 * curve.most, "text_muted")
        if curve.at is None:
            self._add_words("undefined for this deck", curve.x[-1] / 2, 0.6 * curve.most, "text_muted")
            return
        self._add_line(curve.at, "system_2", Qt.PenStyle.DashLine)
        point = pg.ScatterPlotItem(
            [{"pos": (curve.at, curve.earned)}], symbol="d", size=13, brush=pg.mkBrush(theme.color("system_2")),
            pen=pg.mkPen(theme.color("surface"), width=1.5),
        )  # fmt: skip
        # Above its words, whose ground would hide it.
        point.setZValue(20)
        self.plotItem.addItem(point)
        self._items.append(point)
        words = f"{curve.at:.3g} → {curve.earned:.2f} points"
        self._add_words(words, curve.at, curve.earned, "system_2", is_point=True)

    def _add_line(self, at: float, tone: str, style: Qt.PenStyle) -> None:
        line = pg.InfiniteLine(at, angle=90, pen=pg.mkPen(theme.color(tone), width=1, style=style))
        self.plotItem.addItem(line, ignoreBounds=True)
        self._items.append(line)

    def _add_words(self, words: str, x: float, y: float, tone: str, *, is_point: bool = False) -> None:
        is_right = x > 0.5 * self._curve.x[-1]
        anchor = (1 if is_right else 0, 0.5 if is_point else 0)
        ground = theme.color("surface")
        ground.setAlphaF(0.85)
        # The words lie on curves and lines; a ground of their own keeps them legible.
        text = pg.TextItem(
            words.strip() + "  " if is_right else f"  {words.strip()}", anchor=anchor,
            fill=ground if is_point else None,
        )  # fmt: skip
        text.setColor(theme.color(tone))
        text.setFont(theme.sized_font(theme.CAPTION_PX, bold=is_point))
        text.setPos(x, y)
        self.plotItem.addItem(text, ignoreBounds=True)
        self._items.append(text)

    @Slot()
    def _on_theme_changed(self) -> None:
        super()._on_theme_changed()
        if self._curve is not None:
            self._draw()


def _band_items(plot: object, band: Band) -> list[object]:
    fill, edge = theme.color(band.tone), theme.color(band.tone)
    fill.setAlphaF(0.10)
    edge.setAlphaF(0.35)
    region = pg.LinearRegionItem(
        (band.low, band.high), orientation="vertical" if band.is_vertical else "horizontal", movable=False,
        brush=fill, pen=pg.mkPen(edge, width=1),
    )  # fmt: skip
    region.setZValue(-10)
    plot.addItem(region, ignoreBounds=True)
    items: list[object] = [region]
    if band.words:
        label = pg.TextItem(
            band.words, color=theme.color("text_muted"), anchor=(0.5, 1) if band.is_vertical else (0, 1)
        )
        label.setFont(theme.sized_font(theme.CAPTION_PX))
        view = plot.getViewBox().viewRange()
        if band.is_vertical:
            label.setPos((band.low + min(band.high, view[0][1])) / 2, view[1][0])
        else:
            label.setPos(view[0][0], band.low)
        plot.addItem(label, ignoreBounds=True)
        items.append(label)
    return items
