"""The V-E matrix as a plot: aesthetics total across, editability level up, lines that part the quadrants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from studio.actions.figures import figure, percent
from studio.actions.ve_matrix import LEVELS, QUADRANT_WORDS, DeckPoint, Quadrant, SystemPoint, VEMatrix, as_csv
from studio.gui import theme
from studio.gui.plots.picture import add_picture_actions
from studio.gui.plots.scatter import THIN_MARKERS, SystemLegend, system_styles
from studio.gui.widgets.plot import Plot

DECK_PX, SYSTEM_PX = 8, 17
THIN_EXTRA_PX = 3
MOST_TIPS = 6
SPREAD = 0.3
"""Decks of one level are spread this far up and down, by system, so that they do not lie on each other."""
_ANCHORS = (1.5, -0.5, 2.5, -1.5)
"""Where the names of systems of one level stand, in heights of the name: above, below, further above and below."""
_CORNERS = {
    Quadrant.LOW_HIGH: (0.0, 0.0), Quadrant.HIGH_HIGH: (1.0, 0.0),
    Quadrant.LOW_LOW: (0.0, 1.0), Quadrant.HIGH_LOW: (1.0, 1.0),
}  # fmt: skip


class VEPlot(QWidget):
    """The plot and its legend. Systems are large marks with names, decks small ones."""

    deck_opened = Signal(str)
    """The id of the deck that was clicked."""
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._matrix: VEMatrix | None = None
        self._heights: dict[str, float] = {}
        self._colour_by = ""
        self.plot = Plot()
        self.plot.setFrameShape(Plot.Shape.NoFrame)
        self.plot.setAntialiasing(True)
        # A cached background would come out as one big bitmap in an SVG.
        self.plot.setCacheMode(Plot.CacheModeFlag.CacheNone)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._decks = pg.ScatterPlotItem(hoverable=True, tip=None, hoverSize=DECK_PX + 4, useCache=False)
        self._decks.sigClicked.connect(self._on_clicked)
        self._decks.sigHovered.connect(self._on_hovered)
        self._systems = pg.ScatterPlotItem(hoverable=True, tip=None, useCache=False)
        self._systems.sigHovered.connect(self._on_hovered)
        self._across = pg.InfiniteLine(angle=90, movable=False)
        self._up = pg.InfiniteLine(angle=0, movable=False)
        for item in (self._across, self._up, self._systems, self._decks):
            self.plot.addItem(item)
        self._labels: list[pg.TextItem] = []
        self._words = {each: pg.TextItem(anchor=_CORNERS[each]) for each in Quadrant}
        for item in self._words.values():
            self.plot.addItem(item, ignoreBounds=True)
        self.plot.getPlotItem().getViewBox().sigRangeChanged.connect(self._on_range_changed)
        self.plot.viewport().installEventFilter(self)
        self.legend = SystemLegend()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 12, 8)
        column.setSpacing(4)
        column.addWidget(self.plot, 1)
        column.addWidget(self.legend)
        theme.current().theme_changed.connect(self.restyle)

    def set_matrix(self, matrix: VEMatrix) -> None:
        """Show a matrix."""
        self._matrix = matrix
        self.setAccessibleName(f"Aesthetics total against editability level, {len(matrix.decks):,} decks")
        self.restyle()

    def colour_by(self, method: str) -> None:
        """Colour decks by their content accuracy by this method; by their system for an empty name."""
        self._colour_by = method
        self.restyle()

    @Slot()
    def restyle(self) -> None:
        """Draw everything in the present colours."""
        matrix = self._matrix
        if matrix is None:
            return
        names = sorted({each.system for each in matrix.decks})
        styles = system_styles(names)
        for side, words in (("bottom", "aesthetics total"), ("left", "editability (PEI level)")):
            axis = self.plot.getAxis(side)
            axis.setPen(theme.color("plot_axis"))
            axis.setLabel(words, color=theme.color("text_muted").name(), **{"font-size": "11px"})
        self.plot.getAxis("left").setTicks([[(level, f"L{level}") for level in range(LEVELS)]])
        self._draw_decks(matrix.decks, names, styles)
        self._draw_systems(matrix.systems, styles)
        pen = pg.mkPen(theme.color("text_muted"), width=1.2, style=Qt.PenStyle.DashLine)
        for line, item in ((matrix.looks_line, self._across), (matrix.edits_line, self._up)):
            item.setVisible(line is not None)
            if line is not None:
                item.setValue(line.at)
                item.setPen(pen)
        counts = matrix.counts
        for each, item in self._words.items():
            item.setText(f"{QUADRANT_WORDS[each]} · {counts[each]:,}", color=theme.color("text_muted"))
            item.setFont(theme.sized_font(theme.CAPTION_PX))
        self.legend.set_entries([(name, *styles[name]) for name in names])
        self._fit()

    def _draw_decks(self, decks: Sequence[DeckPoint], names: Sequence[str], styles: dict[str, tuple]) -> None:
        middle = (len(names) - 1) / 2
        step = SPREAD / max(1.0, middle) if len(names) > 1 else 0.0
        offset = {name: (place - middle) * step for place, name in enumerate(names)}
        self._heights = {each.deck_id: each.level + offset[each.system] for each in decks}
        brushes = {}
        for name, (colour, _) in styles.items():
            faint = pg.mkColor(colour)
            faint.setAlpha(150)
            brushes[name] = pg.mkBrush(faint)
        accuracies = self._matrix.accuracies.get(self._colour_by) if self._matrix is not None else None
        symbols = [styles[each.system][1] for each in decks]
        self._decks.setData(
            x=[each.total for each in decks],
            y=[self._heights[each.deck_id] for each in decks],
            data=list(decks),
            symbol=symbols,
            size=[DECK_PX + THIN_EXTRA_PX if symbol in THIN_MARKERS else DECK_PX for symbol in symbols],
            brush=[
                brushes[each.system]
                if accuracies is None
                else pg.mkBrush(accuracy_colour(accuracies.get(each.deck_id)))
                for each in decks
            ],
            pen=pg.mkPen(None) if accuracies is None else pg.mkPen(theme.color("text_muted"), width=0.8),
        )
        self._decks.opts["hoverPen"] = pg.mkPen(theme.color("text"), width=1.5)

    def _draw_systems(self, systems: Sequence[SystemPoint], styles: dict[str, tuple]) -> None:
        symbols = [styles[each.system][1] for each in systems]
        self._systems.setData(
            x=[each.total for each in systems],
            y=[each.level for each in systems],
            data=list(systems),
            symbol=symbols,
            size=[SYSTEM_PX + THIN_EXTRA_PX if symbol in THIN_MARKERS else SYSTEM_PX for symbol in symbols],
            brush=[pg.mkBrush(styles[each.system][0]) for each in systems],
            pen=pg.mkPen(theme.color("surface"), width=1.5),
        )
        for label in self._labels:
            self.plot.removeItem(label)
        self._labels = []
        ground = pg.mkColor(theme.color("surface"))
        ground.setAlpha(190)
        taken: dict[int, int] = {}
        for each in sorted(systems, key=lambda item: item.total):
            # Systems of one level often stand close: their names take turns above and below.
            turn = taken.get(each.level, 0)
            taken[each.level] = turn + 1
            label = pg.TextItem(
                _short(each.system), color=theme.color("text"), anchor=(0.5, _ANCHORS[turn % len(_ANCHORS)]),
                fill=pg.mkBrush(ground),
            )  # fmt: skip
            label.setFont(theme.sized_font(theme.CAPTION_PX, bold=True))
            label.setPos(each.total, each.level)
            self.plot.addItem(label, ignoreBounds=True)
            self._labels.append(label)

    def _fit(self) -> None:
        matrix = self._matrix
        if matrix is None or not matrix.decks:
            return
        totals = [each.total for each in matrix.decks]
        ends = [*totals, *([matrix.looks_line.at] if matrix.looks_line else [])]
        room = max(0.5, (max(ends) - min(ends)) * 0.08)
        self.plot.setXRange(min(ends) - room, max(ends) + room, padding=0)
        self.plot.setYRange(-0.75, LEVELS - 0.25, padding=0)

    @Slot()
    def _on_range_changed(self, *_: object) -> None:
        (left, right), (bottom, top) = self.plot.getPlotItem().getViewBox().viewRange()
        for each, item in self._words.items():
            at_right, at_bottom = _CORNERS[each]
            item.setPos(right if at_right else left, bottom if at_bottom else top)

    def mark_position(self, deck_id: str) -> QPoint:
        """Return where a deck is drawn, in the coordinates of the plot's viewport."""
        assert self._matrix is not None
        deck = next(each for each in self._matrix.decks if each.deck_id == deck_id)
        scene = self.plot.getPlotItem().getViewBox().mapViewToScene(QPointF(deck.total, self._heights[deck_id]))
        return self.plot.mapFromScene(scene)

    def menu(self) -> QMenu:
        """Return the menu that takes picture and values out."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        csv: Callable[[], str] = lambda: as_csv(self._matrix) if self._matrix is not None else ""  # noqa: E731
        add_picture_actions(menu, self, name="ve-matrix", failed=self.failed.emit, csv=csv)
        return menu

    def _on_clicked(self, _item: object, points: Sequence[pg.SpotItem], _event: object) -> None:
        if len(points):
            self.deck_opened.emit(points[0].data().deck_id)

    def _on_hovered(self, item: object, points: Sequence[pg.SpotItem], _event: object) -> None:
        viewport = self.plot.viewport()
        words = "\n".join(_tip(point.data()) + self._accuracy_words(point.data()) for point in points[:MOST_TIPS])
        if len(points) > MOST_TIPS:
            words += f"\nand {len(points) - MOST_TIPS:,} more"
        viewport.setToolTip(words)
        can_open = len(points) and item is self._decks
        viewport.setCursor(Qt.CursorShape.PointingHandCursor if can_open else Qt.CursorShape.ArrowCursor)

    def _accuracy_words(self, point: DeckPoint | SystemPoint) -> str:
        values = self._matrix.accuracies.get(self._colour_by) if self._matrix is not None else None
        if values is None or not isinstance(point, DeckPoint):
            return ""
        value = values.get(point.deck_id)
        return f"\n{self._colour_by} {percent(value)} %" if value is not None else f"\n{self._colour_by} not measured"

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.ContextMenu:
            self.menu().popup(event.globalPos())
            return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._on_range_changed()


def accuracy_colour(value: float | None) -> QColor:
    """Return the colour of an accuracy of 0 to 1: from the neutral tone to the accent; see-through without one."""
    if value is None:
        return QColor(0, 0, 0, 0)
    low, high = theme.color("track"), theme.color("system_1")
    return QColor(*(round(a + (b - a) * value) for a, b in zip(low.getRgb()[:3], high.getRgb()[:3], strict=True)), 255)


def _tip(point: DeckPoint | SystemPoint) -> str:
    if isinstance(point, DeckPoint):
        return f"{point.system} · {point.instance}\ntotal {figure(point.total)}, level L{point.level}"
    shares = ", ".join(f"L{level} {100 * share:.0f} %" for level, share in enumerate(point.shares) if share)
    means = f"mean total {figure(point.total)}, median level L{point.level}"
    return f"{point.system}, {point.n_decks:,} decks\n{means}\n{shares}"


def _short(name: str) -> str:
    return name if len(name) <= 22 else f"{name[:12]}…{name[-8:]}"
