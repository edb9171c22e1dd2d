"""A figure that comes as SVG, drawn as large as there is room, with its picture to copy."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Slot
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QWidget

from studio.gui.plots.picture import picture_of

MARGIN = 12
LARGEST = 1.5
"""Beyond this a figure is not made larger: its words would dwarf those of the window."""


class FigureView(QWidget):
    """Keeps the figure's proportions and stands at the left top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._renderer = QSvgRenderer(self)

    def show_svg(self, svg: str, name: str) -> None:
        """Show a figure."""
        self._renderer.load(QByteArray(svg.encode("utf-8")))
        self.setAccessibleName(name)
        size = self._renderer.defaultSize()
        self.setMinimumSize(size + QSize(2 * MARGIN, 2 * MARGIN))
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        if not self._renderer.isValid():
            return
        size = self._renderer.defaultSize()
        room = self.size() - QSize(2 * MARGIN, 2 * MARGIN)
        scale = min(room.width() / size.width(), room.height() / size.height(), LARGEST)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(MARGIN, MARGIN, size.width() * scale, size.height() * scale))
        painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # @override
        menu = QMenu(self)
        menu.addAction("Copy figure", self.copy)
        menu.popup(event.globalPos())

    @Slot()
    def copy(self) -> None:
        """Put the figure on the clipboard as a picture."""
        QGuiApplication.clipboard().setImage(picture_of(self))
