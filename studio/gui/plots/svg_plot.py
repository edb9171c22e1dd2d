"""A plot that is made as SVG, in the colours of the window: what is seen is what is saved."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from studio.actions.reflex_tables import Colours
from studio.gui import theme

_MOST_SCALE = 1.4


class SvgPlot(QWidget):
    """Draws what `set_plot` was given, anew when the theme changes."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make: Callable[[Colours], str] | None = None
        self._renderer = QSvgRenderer(self)
        self.setMinimumHeight(190)
        self.setAccessibleName(name)
        theme.current().theme_changed.connect(self.restyle)

    def set_plot(self, make: Callable[[Colours], str]) -> None:
        """Draw what this returns for the colours of the window; called again when they change."""
        self._make = make
        self.restyle()

    def restyle(self) -> None:
        """Draw again in the present colours."""
        if self._make is not None:
            self._renderer.load(QByteArray(self._make(window_colours()).encode()))
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        size = self._renderer.defaultSize()
        if self._make is None or size.isEmpty():
            return
        scale = min(self.width() / size.width(), self.height() / size.height(), _MOST_SCALE)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(0, 0, size.width() * scale, size.height() * scale))


def window_colours() -> Colours:
    """Return the colours of the theme in use."""
    return Colours(
        ground=theme.color("surface").name(), ink=theme.color("text").name(), grid=theme.color("plot_grid").name(),
        zero=theme.color("plot_axis").name(),
        lines=tuple(theme.color(f"system_{number}").name() for number in range(1, 9)),
    )  # fmt: skip
