"""Scores against ranks: one mark for each deck, one colour and marker for each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from studio.gui import theme
from studio.gui.widgets.plot import Plot

MARK_PX = 10
THIN_MARKERS = frozenset({"+", "x", "d", "star"})
THIN_MARK_PX = 13
"""Markers with little surface are drawn larger, so that all weigh the same."""
LABELS_UP_TO = 12
"""Points that are labelled directly; more than that and a legend is clearer."""
MOST_LEGEND_ROWS = 3
MOST_TIPS = 6
"""Decks that a tooltip names where several lie on one place."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """One deck."""

    key: str
    system: str
    x: float
    y: float
    tip: str


def system_styles(systems: Sequence[str]) -> dict[str, tuple[QColor, str]]:
    """Return colour and marker of each system; the pair repeats after 64 systems only."""
    markers = theme.SYSTEM_MARKERS
    count = len(markers)
    return {
        name: (theme.color(f"system_{place % count + 1}"), markers[(place + place // count) % count])
        for place, name in enumerate(systems)
    }


class Scatter(QWidget):
    """The plot and its legend."""

    mark_opened = Signal(str)
    """The key of the mark that was clicked."""
    disagreements_asked = Signal(str)
    """The key of the mark that was clicked with Shift."""
    menu_asked = Signal(QPoint)
    """Where, on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._marks: tuple[Mark, ...] = ()
        self._styles: dict[str, tuple[QColor, str]] = {}
        self._words = ("", "")
        self._systems: tuple[str, ...] = ()
        self.pointed = ""
        """The key of the mark under the pointer; empty where there is none."""
        self.plot = Plot()
        self.plot.setFrameShape(Plot.Shape.NoFrame)
        self.plot.setAntialiasing(True)
        # A cached background would come out as one big bitmap in an SVG.
        self.plot.setCacheMode(Plot.CacheModeFlag.CacheNone)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._points = pg.ScatterPlotItem(
            size=MARK_PX, hoverable=True, tip=None, hoverSize=MARK_PX + 4, useCache=False
        )  # fmt: skip
        self._points.sigClicked.connect(self._on_clicked)
        self._points.sigHovered.connect(self._on_hovered)
        self.plot.addItem(self._points)
        self._labels: list[pg.TextItem] = []
        self.plot.viewport().installEventFilter(self)
        self.legend = SystemLegend()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 12, 8)
        column.setSpacing(4)
        column.addWidget(self.plot, 1)
        column.addWidget(self.legend)

    def set_marks(self, marks: Sequence[Mark], systems: Sequence[str], *, x_words: str, y_words: str) -> None:
        """Show these decks.

        Args:
            marks: one for each deck.
            systems: all systems of the project in their order, so that colours stay the same in every plot.
            x_words: what the horizontal axis is.
            y_words: what the vertical axis is.
        """
        self._marks, self._words = tuple(marks), (x_words, y_words)
        self.pointed = ""
        self._systems = tuple(systems)
        self.setAccessibleName(f"{y_words} against {x_words}, {len(marks):,} decks")
        self.restyle()

    @Slot()
    def restyle(self) -> None:
        """Draw everything in the present colours."""
        self._styles = system_styles(self._systems)
        for side, words in (("bottom", self._words[0]), ("left", self._words[1])):
            axis = self.plot.getAxis(side)
            axis.setPen(theme.color("plot_axis"))
            axis.setLabel(words, color=theme.color("text_muted").name(), **{"font-size": "11px"})
        # One brush for each system: making one for each of 9,000 decks would hold the window up for 0.2 s.
        brushes = {name: pg.mkBrush(colour) for name, (colour, _) in self._styles.items()}
        symbols = [self._styles[mark.system][1] for mark in self._marks]
        self._points.setData(
            x=[mark.x for mark in self._marks],
            y=[mark.y for mark in self._marks],
            data=self._marks,
            symbol=symbols,
            size=[THIN_MARK_PX if symbol in THIN_MARKERS else MARK_PX for symbol in symbols],
            brush=[brushes[mark.system] for mark in self._marks],
            pen=pg.mkPen(theme.color("surface"), width=0.8),
        )
        self._points.opts["hoverPen"] = pg.mkPen(theme.color("text"), width=1.5)
        for label in self._labels:
            self.plot.removeItem(label)
        self._labels = []
        is_direct = 0 < len(self._marks) <= LABELS_UP_TO
        if is_direct:
            for mark in self._marks:
                label = pg.TextItem(f"  {_short(mark.system)}", color=theme.color("text_muted"), anchor=(0, 0.5))
                label.setFont(theme.sized_font(theme.CAPTION_PX))
                label.setPos(mark.x, mark.y)
                self.plot.addItem(label, ignoreBounds=True)
                self._labels.append(label)
        shown = {mark.system for mark in self._marks}
        self.legend.set_entries([] if is_direct else [(n, *self._styles[n]) for n in self._systems if n in shown])
        self.plot.getPlotItem().getViewBox().setDefaultPadding(0.06)
        self.plot.autoRange()

    def mark_position(self, key: str) -> QPoint:
        """Return where a mark is drawn, in the coordinates of the plot's viewport."""
        mark = next(mark for mark in self._marks if mark.key == key)
        scene = self.plot.getPlotItem().getViewBox().mapViewToScene(QPointF(mark.x, mark.y))
        return self.plot.mapFromScene(scene)

    def _on_clicked(self, _item: object, points: Sequence[pg.SpotItem], event: object) -> None:
        if len(points):
            is_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.disagreements_asked if is_shift else self.mark_opened).emit(points[0].data().key)

    def _on_hovered(self, _item: object, points: Sequence[pg.SpotItem], _event: object) -> None:
        viewport = self.plot.viewport()
        self.pointed = points[0].data().key if len(points) else ""
        words = "\n".join(point.data().tip for point in points[:MOST_TIPS])
        if len(points) > MOST_TIPS:
            words += f"\nand {len(points) - MOST_TIPS:,} more"
        viewport.setToolTip(words)
        viewport.setCursor(Qt.CursorShape.PointingHandCursor if len(points) else Qt.CursorShape.ArrowCursor)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.ContextMenu:
            self.menu_asked.emit(event.globalPos())
            return True
        return super().eventFilter(watched, event)

    def contextMenuEvent(self, event: object) -> None:  # @override
        self.menu_asked.emit(event.globalPos())


class SystemLegend(QWidget):
    """Names with their markers, in as many lines as they need, three at most."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[tuple[str, QColor, str]] = []
        self._places: list[QRectF] = []
        self.setFixedHeight(0)

    def set_entries(self, entries: Sequence[tuple[str, QColor, str]]) -> None:
        """Show these systems: name, colour and marker."""
        self._entries = list(entries)
        self.setToolTip("\n".join(name for name, _, _ in entries))
        self._arrange()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        self.setFont(theme.sized_font(theme.CAPTION_PX))
        x, y, line_px = 0.0, 0.0, 18.0
        self._places = []
        for name, _, _ in self._entries:
            width = min(180.0, 18.0 + self.fontMetrics().horizontalAdvance(_short(name)) + 10)
            if x and x + width > self.width():
                x, y = 0.0, y + line_px
            if y >= MOST_LEGEND_ROWS * line_px:
                break
            self._places.append(QRectF(x, y, width, line_px))
            x += width
        self.setFixedHeight(int(min(MOST_LEGEND_ROWS, y // line_px + 1) * line_px) if self._entries else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.sized_font(theme.CAPTION_PX))
        for (name, colour, marker), box in zip(self._entries, self._places, strict=False):
            painter.save()
            painter.translate(box.left() + 7, box.center().y())
            drawSymbol(painter, marker, MARK_PX, pg.mkPen(None), pg.mkBrush(colour))
            painter.restore()
            painter.setPen(theme.color("text_muted"))
            words = painter.fontMetrics().elidedText(_short(name), Qt.TextElideMode.ElideMiddle, int(box.width() - 22))
            painter.drawText(box.adjusted(18, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), words)
        painter.end()


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:12]}…{name[-9:]}"
