"""A plot as a picture: to the clipboard, as PNG or as SVG, and the menu that offers it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from studio.errors import BadInput
from studio.gui import theme

PNG_SCALE = 2
"""Pixels of a PNG for each logical pixel of the window, so that print is sharp."""


def picture_of(widget: QWidget) -> QImage:
    """Return a widget as a picture of twice its logical size."""
    image = QImage(widget.size() * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(PNG_SCALE)
    painter = QPainter(image)
    _draw(widget, painter)
    painter.end()
    return image


def save_picture(widget: QWidget, path: Path) -> Path:
    """Write a widget as SVG or PNG, as the file's name ends, and return the file.

    Raises:
        BadInput: if it cannot be written.
    """
    if path.suffix.lower() == ".svg":
        is_written = _save_svg(widget, path)
    else:
        path = path if path.suffix else path.with_suffix(".png")
        is_written = picture_of(widget).save(str(path))
    if not is_written:
        raise BadInput(f"{path} cannot be written.", next_step="Choose another place, and a name with .svg or .png.")
    return path


def _save_svg(widget: QWidget, path: Path) -> bool:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(QSize(widget.size()))
    generator.setViewBox(QRect(QPoint(), widget.size()))
    generator.setTitle(widget.accessibleName() or "Plot")
    painter = QPainter()
    if not painter.begin(generator):
        return False
    _draw(widget, painter)
    return painter.end()


def _draw(widget: QWidget, painter: QPainter) -> None:
    painter.fillRect(widget.rect(), theme.color("surface"))
    widget.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)


def add_picture_actions(
    menu: QMenu, widget: QWidget, *, name: str, failed: Callable[[BaseException], None], csv: Callable[[], str]
) -> None:
    """Add the entries that every plot has to its context menu.

    Args:
        menu: the menu.
        widget: what is drawn.
        name: suggested file name without an ending.
        failed: shows an error.
        csv: returns the data behind the plot.
    """
    clipboard = QGuiApplication.clipboard()

    def save(ending: str) -> None:
        words = f"{ending.upper()} (*.{ending})"
        chosen, _ = QFileDialog.getSaveFileName(widget, "Save plot", f"{name}.{ending}", words)
        if chosen:
            target = Path(chosen)
            try:
                save_picture(widget, target if target.suffix else target.with_suffix(f".{ending}"))
            except BadInput as error:
                failed(error)

    menu.addAction("Copy plot", lambda: clipboard.setImage(picture_of(widget)))
    menu.addAction("Save plot as SVG…", lambda: save("svg"))
    menu.addAction("Save plot as PNG…", lambda: save("png"))
    menu.addSeparator()
    menu.addAction("Copy values as CSV", lambda: clipboard.setText(csv().removeprefix("\ufeff")))
