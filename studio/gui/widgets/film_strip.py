"""The slides of a deck as a strip of thumbnails, loaded as they come into sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from studio.gui import theme
from studio.gui.background import Background
from studio.gui.icons import draw_icon
from studio.gui.image_cache import ImageCache
from studio.gui.image_loader import ImageLoader
from studio.gui.widgets.badge import GLYPHS

THUMB_PX = 34
"""Height of a thumbnail."""
PADDING_PX = 4
SLIDE_ROLE = Qt.ItemDataRole.UserRole + 1
STATE_ROLE = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, kw_only=True)
class StripSlide:
    """One slide of the strip."""

    number: int
    """Counts from 1."""
    thumbnail: Path | None = None
    is_hidden: bool = False
    """Hidden in the presentation."""
    mark: str = ""
    """ok, bad, warn or alert: drawn as ✓, ✗, ? or ! in the corner."""
    failure: str = ""
    """Why there is no picture."""
    name: str = ""
    """What it is called where it is no slide of the deck."""


class StripModel(QAbstractListModel):
    """The slides of one deck. A thumbnail is read when the view first asks for it."""

    def __init__(self, background: Background, cache: ImageCache, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loader = ImageLoader(background, cache, self)
        self._slides: list[StripSlide] = []
        self._failed: dict[Path, str] = {}
        self._pixels = QSize(256, 256)

    def set_slides(self, slides: Sequence[StripSlide]) -> None:
        """Show another deck."""
        self._loader.drop_all()
        self.beginResetModel()
        self._slides = list(slides)
        self._failed = {}
        self.endResetModel()

    def replace(self, slide: StripSlide) -> None:
        """Show a new state of the slide with this number, such as a thumbnail that is ready now."""
        for row, old in enumerate(self._slides):
            if old.number == slide.number:
                self._slides[row] = slide
                self._tell(row)

    def set_device_pixels(self, size: QSize) -> None:
        """Say how many device pixels a thumbnail may take."""
        self._pixels = size

    def slides(self) -> list[StripSlide]:
        """Return the slides."""
        return list(self._slides)

    def row_of(self, number: int) -> int:
        """Return the row of a slide number, or -1."""
        return next((row for row, slide in enumerate(self._slides) if slide.number == number), -1)

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._slides)

    def data(self, index: QModelIndex, role: int = 0) -> Any:  # @override
        if not index.isValid():
            return None
        slide = self._slides[index.row()]
        if role == Qt.ItemDataRole.DecorationRole:
            return self._pixmap(slide)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._tip(slide)
        if role == SLIDE_ROLE:
            return slide
        if role == STATE_ROLE:
            return slide.failure or self._failed.get(slide.thumbnail, "")
        return None

    def _tip(self, slide: StripSlide) -> str:
        words = (slide.name or f"Slide {slide.number}") + (", hidden" if slide.is_hidden else "")
        failure = slide.failure or self._failed.get(slide.thumbnail, "")
        return f"{words}: {failure}" if failure else words

    def _pixmap(self, slide: StripSlide) -> QPixmap | None:
        path = slide.thumbnail
        if path is None or path in self._failed:
            return None
        pixmap = self._loader.cached(path, self._pixels)
        if pixmap is None:
            self._loader.load(
                path,
                self._pixels,
                lambda _pixmap, _native: self._tell_path(path),
                lambda error: self._on_failed(path, error),
            )
        return pixmap

    def _on_failed(self, path: Path, error: BaseException) -> None:
        self._failed[path] = str(error)
        self._tell_path(path)

    def _tell_path(self, path: Path) -> None:
        for row, slide in enumerate(self._slides):
            if slide.thumbnail == path:
                self._tell(row)

    def _tell(self, row: int) -> None:
        index = self.index(row, 0)
        self.dataChanged.emit(index, index)


class _Thumbnail(QStyledItemDelegate):
    def __init__(self, strip: FilmStrip) -> None:
        super().__init__(strip)
        self._strip = strip

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:  # @override
        return self._strip.cell_size()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        slide: StripSlide = index.data(SLIDE_ROLE)
        pixmap: QPixmap | None = index.data(Qt.ItemDataRole.DecorationRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(option.rect).adjusted(PADDING_PX, PADDING_PX, -PADDING_PX, -PADDING_PX)
        if pixmap is not None:
            ratio = pixmap.width() / max(1, pixmap.height())
            width = min(box.width(), box.height() * ratio)
            shown = QRectF(0, 0, width, width / ratio)
            shown.moveCenter(box.center())
            painter.setOpacity(0.35 if slide.is_hidden else 1.0)
            painter.drawPixmap(shown, pixmap, QRectF(pixmap.rect()))
            painter.setOpacity(1.0)
            box = shown
        else:
            painter.fillRect(box, theme.color("skeleton"))
            self._paint_number(painter, box, slide, failure=index.data(STATE_ROLE))
        is_current = slide.number == self._strip.current()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if is_current:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 3, 3)
        else:
            painter.setPen(QPen(theme.color("slide_edge"), 1))
            painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))
        if slide.is_hidden:
            self._paint_hidden(painter, box)
        if slide.mark in GLYPHS:
            self._paint_mark(painter, box, slide.mark)
        painter.restore()

    def _paint_number(self, painter: QPainter, box: QRectF, slide: StripSlide, *, failure: str) -> None:
        painter.setFont(theme.sized_font(theme.CAPTION_PX))
        painter.setPen(theme.color("bad" if failure else "text_muted"))
        words = f"{slide.number} ✗" if failure else str(slide.number)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), words)

    def _paint_hidden(self, painter: QPainter, box: QRectF) -> None:
        plate = QRectF(box.left() + 2, box.top() + 2, 14, 14)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(plate, 3, 3)
        draw_icon(painter, "eye-off", plate.adjusted(1.5, 1.5, -1.5, -1.5), theme.color("text"))

    def _paint_mark(self, painter: QPainter, box: QRectF, mark: str) -> None:
        plate = QRectF(box.right() - 15, box.top() + 1, 14, 14)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(plate, 3, 3)
        painter.setPen(theme.color("warn" if mark == "alert" else mark))
        painter.setFont(theme.sized_font(theme.CAPTION_PX, bold=True))
        painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), GLYPHS[mark])


class FilmStrip(QListView):
    """A horizontal strip; the wheel scrolls it, a click asks for a slide, Shift+click for it in all decks."""

    slide_picked = Signal(int)
    """Slide number."""
    slide_picked_for_all = Signal(int)

    def __init__(
        self,
        background: Background,
        cache: ImageCache,
        parent: QWidget | None = None,
        *,
        thumb_px: int = THUMB_PX,
        is_grid: bool = False,
    ) -> None:
        super().__init__(parent)
        self._thumb_px = thumb_px
        self._aspect = 16 / 9
        self._current = 0
        self._is_grid = is_grid
        self.setModel(StripModel(background, cache, self))
        self.setItemDelegate(_Thumbnail(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(is_grid)
        self.setResizeMode(QListView.ResizeMode.Adjust if is_grid else QListView.ResizeMode.Fixed)
        self.setUniformItemSizes(True)
        self.setSpacing(0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setAccessibleName("Slides")
        if not is_grid:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setFixedHeight(self.cell_size().height() + 2 * PADDING_PX)
            self.setViewportMargins(PADDING_PX, PADDING_PX, PADDING_PX, PADDING_PX)
        self._fit_pixels()

    def set_slides(self, slides: Sequence[StripSlide], *, aspect: float = 16 / 9) -> None:
        """Show another deck, whose slides have this width ÷ height."""
        self._aspect = aspect
        self._current = 0
        self._fit_pixels()
        self.model().set_slides(slides)

    def replace(self, slide: StripSlide) -> None:
        """Show a new state of one slide."""
        self.model().replace(slide)

    def set_current(self, number: int) -> None:
        """Frame a slide and bring it into sight, with its neighbour; 0 frames none."""
        if number == self._current:
            return
        self._current = number
        row = self.model().row_of(number)
        if row >= 0:
            for near in (row + 1, row - 1, row):
                if 0 <= near < self.model().rowCount():
                    self.scrollTo(self.model().index(near, 0), QAbstractItemView.ScrollHint.EnsureVisible)
        self.viewport().update()

    def current(self) -> int:
        """Return the number of the framed slide, 0 for none."""
        return self._current

    def cell_size(self) -> QSize:
        """Return the room of one thumbnail, in logical pixels."""
        return QSize(round(self._thumb_px * self._aspect) + 2 * PADDING_PX, self._thumb_px + 2 * PADDING_PX)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # @override
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            number = index.data(SLIDE_ROLE).number
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.slide_picked_for_all.emit(number)
            else:
                self.slide_picked.emit(number)
            return
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # @override
        if self._is_grid:
            super().wheelEvent(event)
            return
        turned = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turned.x() or turned.y()))
        event.accept()

    @Slot()
    def _fit_pixels(self) -> None:
        ratio = self.devicePixelRatioF()
        width = round(self._thumb_px * self._aspect * ratio)
        self.model().set_device_pixels(QSize(max(1, width), max(1, round(self._thumb_px * ratio))))
