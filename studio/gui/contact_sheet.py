"""All slides of a deck on paper: drawn onto a PDF or a printer, away from the window's thread."""

from __future__ import annotations

import math
import os
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPagedPaintDevice, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen

from studio.actions.viewing import DeckOnView
from studio.errors import BadInput, StudioError
from studio.gui.image_cache import read_picture
from studio.model.decks import slide_file_name

COLUMNS, ROWS = 3, 3
DPI = 200
INK, MUTED, EDGE = QColor("#1f2430"), QColor("#5d6675"), QColor("#b9c0cc")
"""Paper is white whatever the theme of the window is."""


def write_pdf(deck: DeckOnView, path: Path, *, title: str) -> Path:
    """Write a deck's contact sheet as a PDF, whole or not at all, and return its path.

    Raises:
        BadInput: if the file cannot be written.
        StudioError: if a picture of a slide cannot be read.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        writer = QPdfWriter(str(part))
        writer.setResolution(DPI)
        writer.setTitle(title)
        set_page(writer)
        paint_sheets(writer, deck, title=title)
        del writer
        os.replace(part, path)
    except OSError as error:
        raise BadInput(
            f"{path.name} cannot be written ({error.strerror or error}).", next_step="Choose another place."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return path


def set_page(device: QPagedPaintDevice) -> None:
    """Take A4 paper, landscape, with margins of 12 mm."""
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    device.setPageOrientation(QPageLayout.Orientation.Landscape)
    device.setPageMargins(QMarginsF(12, 12, 12, 12), QPageLayout.Unit.Millimeter)


def paint_sheets(device: QPagedPaintDevice, deck: DeckOnView, *, title: str) -> int:
    """Draw all slides, nine on a page, and return the number of pages.

    Raises:
        StudioError: if nothing can be drawn on the device, or a picture cannot be read.
    """
    painter = QPainter()
    if not painter.begin(device):
        raise StudioError("The contact sheet cannot be drawn there.", next_step="Check the printer or choose a PDF.")
    try:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        per_page = COLUMNS * ROWS
        pages = max(1, math.ceil(len(deck.slides) / per_page))
        for page in range(pages):
            if page:
                device.newPage()
            _paint_page(painter, deck, title, page, pages)
    finally:
        painter.end()
    return pages


def _paint_page(painter: QPainter, deck: DeckOnView, title: str, page: int, pages: int) -> None:
    room = QRectF(painter.viewport())
    room.moveTo(0, 0)
    unit = room.height() / 100
    head = QRectF(0, 0, room.width(), 5 * unit)
    painter.setFont(_font(2.4 * unit, is_bold=True))
    painter.setPen(INK)
    painter.drawText(head, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)
    painter.setFont(_font(1.8 * unit))
    painter.setPen(MUTED)
    painter.drawText(head, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), f"{page + 1} / {pages}")
    gap, caption = 2 * unit, 3 * unit
    width = (room.width() - gap * (COLUMNS - 1)) / COLUMNS
    height = (room.height() - head.height() - gap * ROWS) / ROWS
    for place, slide in enumerate(deck.slides[page * COLUMNS * ROWS : (page + 1) * COLUMNS * ROWS]):
        left, top = (place % COLUMNS) * (width + gap), head.height() + gap + (place // COLUMNS) * (height + gap)
        box = QRectF(left, top, width, height - caption)
        has_picture = deck.folder is not None and (slide.page is not None or slide.number in deck.drawn_hidden)
        target = _fitted(box, slide.width_px / slide.height_px if slide.height_px else deck.aspect)
        if has_picture and deck.folder is not None:
            painter.drawImage(target, read_picture(deck.folder / slide_file_name(slide.number)).image)
        painter.setPen(QPen(EDGE, unit / 10))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(target)
        painter.setPen(MUTED)
        if not has_picture:
            painter.drawText(target, int(Qt.AlignmentFlag.AlignCenter), "hidden" if slide.is_hidden else "no picture")
        words = f"{slide.number}{' · hidden' if slide.is_hidden else ''}"
        below = QRectF(target.left(), target.bottom(), target.width(), caption)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)


def _fitted(box: QRectF, aspect: float) -> QRectF:
    width = min(box.width(), box.height() * aspect)
    return QRectF(box.left() + (box.width() - width) / 2, box.top(), width, width / aspect)


def _font(height: float, *, is_bold: bool = False) -> QFont:
    font = QFont()
    font.setPixelSize(max(1, round(height)))
    font.setWeight(QFont.Weight.DemiBold if is_bold else QFont.Weight.Normal)
    return font
