"""A pill with a word or a number in it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.gui import theme

GLYPHS = {"ok": "✓", "bad": "✗", "warn": "?", "alert": "!"}
"""A colour never says it alone."""

HEIGHT_PX = 18


class Badge(QWidget):
    """A pill: plain, accent, or ok ✓, bad ✗, warn ? (cannot tell) and alert ! (look at this)."""

    def __init__(self, text: str = "", tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._tone = tone
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_text(text, tone)

    def set_text(self, text: str, tone: str | None = None) -> None:
        """Change the words, and the tone if one is given. An empty badge hides itself."""
        self._text = text
        self._tone = self._tone if tone is None else tone
        self.setAccessibleName(text)
        if self.parentWidget() is not None or not text:  # a widget without a parent would become a window
            self.setHidden(not text)
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Return the words."""
        return self._text

    def sizeHint(self) -> QSize:  # @override
        self.setFont(theme.sized_font(theme.CAPTION_PX))
        return QSize(self.fontMetrics().horizontalAdvance(self._shown()) + 16, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # @override
        hint = self.sizeHint()
        return QSize(min(hint.width(), 120), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        draw_badge(painter, QRectF(self.rect()), self._shown(), self._tone)
        painter.end()

    def _shown(self) -> str:
        return shown_text(self._text, self._tone)


def shown_text(text: str, tone: str) -> str:
    """Return the words of a badge with the glyph of its tone before them."""
    return f"{GLYPHS[tone]} {text}" if tone in GLYPHS else text


def draw_badge(painter: QPainter, rect: QRectF, text: str, tone: str = "") -> None:
    """Draw a pill into a rectangle of a painter in use, for delegates."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    fill, ink = {
        "ok": ("ok_surface", "ok"),
        "bad": ("bad_surface", "bad"),
        "warn": ("warn_surface", "warn"),
        "alert": ("warn_surface", "warn"),
        "accent": ("surface_selected", "accent"),
    }.get(tone, ("pill", "pill_text"))
    painter.setBrush(theme.color(fill))
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setPen(theme.color(ink))
    painter.setFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
    words = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, int(rect.width() - 12))
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), words)
    painter.restore()
