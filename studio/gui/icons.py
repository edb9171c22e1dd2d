"""The icons, drawn from vectors in the colours of the theme at whatever size and pixel ratio is asked for."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from studio import paths
from studio.gui import theme

_icons: dict[tuple[str, str], QIcon] = {}


def icon(name: str, tone: str = "text_muted") -> QIcon:
    """Return an icon of `resources/icons` that takes the theme's colour each time it is drawn.

    Args:
        name: the file's name without `.svg`.
        tone: the colour token of the resting state; disabled icons are drawn in `text_disabled`.

    Raises:
        FileNotFoundError: if no icon has this name.
    """
    key = (name, tone)
    if key not in _icons:
        _svg(name)
        _icons[key] = QIcon(_ThemedEngine(name, tone))
    return _icons[key]


def app_icon() -> QIcon:
    """Return the studio's own icon, in its own colours, for the desktop and for About."""
    result = QIcon()
    for pixels in (16, 24, 32, 48, 64, 128, 256):
        pixmap = QPixmap(pixels, pixels)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        _renderer("podium", "").render(painter, QRectF(0, 0, pixels, pixels))
        painter.end()
        result.addPixmap(pixmap)
    return result


def draw_icon(painter: QPainter, name: str, rect: QRectF, color: QColor) -> None:
    """Draw an icon in one colour into a rectangle of a painter that is in use."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _renderer(name, color.name()).render(painter, rect)
    painter.restore()


class _ThemedEngine(QIconEngine):
    """Looks its colour up at every drawing, so a change of theme needs no new icons."""

    def __init__(self, name: str, tone: str) -> None:
        super().__init__()
        self._name = name
        self._tone = tone

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:  # @override
        tone = self._tone
        if mode == QIcon.Mode.Disabled:
            tone = "text_disabled"
        elif state == QIcon.State.On:
            tone = "accent"
        draw_icon(painter, self._name, QRectF(rect), theme.color(tone))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:  # @override
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:  # @override
        return _ThemedEngine(self._name, self._tone)


@lru_cache(maxsize=256)
def _svg(name: str) -> str:
    return paths.resource(f"icons/{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _renderer(name: str, css_color: str) -> QSvgRenderer:
    text = _svg(name)
    if css_color:
        text = text.replace("currentColor", css_color)
    return QSvgRenderer(QByteArray(text.encode("utf-8")))
