"""A plot in the colours of the theme, whose picture and numbers can be taken out."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pyqtgraph as pg
from pyqtgraph.exporters import ImageExporter
from PySide6.QtCore import Slot
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from studio.gui import theme

PNG_WIDTH_PX = 1600


class Plot(pg.PlotWidget):
    """A plot with a light grid; pages draw into `plotItem` and draw again after `theme.theme_changed`."""

    def __init__(self, parent: QWidget | None = None, *, x_label: str = "", y_label: str = "") -> None:
        super().__init__(parent)
        self._labels = {"bottom": x_label, "left": y_label}
        self._headers: list[str] = []
        self._rows: list[Sequence[object]] = []
        self.plotItem.setMenuEnabled(False)
        self.plotItem.hideButtons()
        self.plotItem.setMouseEnabled(x=False, y=False)
        theme.current().theme_changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_table(self, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Give the numbers behind the plot, for "Copy as CSV"; None is an undefined number."""
        self._headers, self._rows = list(headers), list(rows)

    def csv(self) -> str:
        """Return the numbers behind the plot as CSV (RFC 4180); undefined numbers are empty."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(self._headers)
        writer.writerows([["" if value is None else value for value in row] for row in self._rows])
        return out.getvalue()

    def image(self) -> QImage:
        """Return the plot as a picture, 1,600 pixels wide."""
        exporter = ImageExporter(self.plotItem)
        exporter.parameters()["width"] = PNG_WIDTH_PX
        return exporter.export(toBytes=True)

    def save_svg(self, target: Path) -> None:
        """Write the plot as SVG."""
        # WORKAROUND(pyqtgraph 0.14): its own SVG exporter cannot read the paths that Qt 6.11 writes.
        generator = QSvgGenerator()
        generator.setFileName(str(target))
        generator.setSize(self.size())
        generator.setViewBox(self.rect())
        painter = QPainter(generator)
        self.render(painter)
        painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # @override
        menu = QMenu(self)
        menu.addAction("Copy as PNG", self._on_copy_png)
        menu.addAction("Save as SVG…", self._on_save_svg)
        if self._rows:
            menu.addAction("Copy as CSV", self._on_copy_csv)
        menu.popup(event.globalPos())

    @Slot()
    def _on_copy_png(self) -> None:
        QGuiApplication.clipboard().setImage(self.image())

    @Slot()
    def _on_copy_csv(self) -> None:
        QGuiApplication.clipboard().setText(self.csv())

    @Slot()
    def _on_save_svg(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, "Save the plot", "plot.svg", "SVG (*.svg)")
        if chosen:
            self.save_svg(Path(chosen))

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setBackground(theme.color("surface"))
        for side, words in self._labels.items():
            axis = self.plotItem.getAxis(side)
            axis.setPen(pg.mkPen(theme.color("hairline_strong")))
            axis.setTextPen(theme.color("text_muted"))
            axis.setTickFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
            axis.setLabel(words, color=theme.color("text_muted").name())
        self.plotItem.showGrid(x=True, y=True, alpha=0.12)
