"""Drawn slides for tests and for the gallery: no two alike, in any size."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

LOOKS = (
    ("#ffffff", "#1f2a3a", "#5b82e0"),
    ("#0f172a", "#e2e8f0", "#2f9bd0"),
    ("#fff7ea", "#7c2d12", "#ee8248"),
    ("#f1f8f4", "#14532d", "#3cb46a"),
    ("#fafafa", "#333333", "#c94c4c"),
)


def draw_slide(path: Path, *, look: int = 0, number: int = 1, width: int = 1600, aspect: float = 16 / 9) -> Path:
    """Write a slide with a title bar, lines and bars, and return its path."""
    ground, ink, colour = LOOKS[look % len(LOOKS)]
    height = round(width / aspect)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    painter = QPainter(image)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ink))
    unit = width / 100
    painter.drawRoundedRect(QRectF(6 * unit, 5 * unit, 45 * unit, 4 * unit), unit / 2, unit / 2)
    for line in range(4):
        grey = QColor(ink)
        grey.setAlphaF(0.6)
        painter.setBrush(grey)
        length = 22 + (line * 7 + number * 11) % 24
        painter.drawRect(QRectF(6 * unit, (16 + line * 7) * unit, length * unit, 2 * unit))
    painter.setBrush(QColor(colour))
    if number % 2:
        painter.drawEllipse(QRectF(62 * unit, 16 * unit, 22 * unit, 22 * unit))
    else:
        for bar in range(5):
            tall = 6 + (bar * 5 + number * 3) % 20
            painter.drawRect(QRectF((58 + bar * 7) * unit, (42 - tall) * unit, 5 * unit, tall * unit))
    painter.end()
    assert image.save(str(path))
    return path


def draw_deck(folder: Path, *, look: int, slides: int, aspect: float = 16 / 9) -> list[tuple[Path, Path]]:
    """Write pictures and thumbnails of a deck; return (picture, thumbnail) for each slide."""
    return [
        (
            draw_slide(folder / f"{look}-{number}.png", look=look, number=number, aspect=aspect),
            draw_slide(folder / f"{look}-{number}-t.png", look=look, number=number, width=256, aspect=aspect),
        )
        for number in range(1, slides + 1)
    ]
