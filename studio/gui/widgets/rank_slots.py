"""The parts of a ranking board: a deck as a small picture, rank slots and the tray, which take dragged decks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QSizePolicy, QWidget
from shiboken6 import isValid

from studio.actions.viewing import DeckOnView
from studio.gui import theme
from studio.gui.image_loader import ImageLoader
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.panel import toned_label
from studio.model.decks import thumb_file_name

MIME = "application/x-podium-deck"
"""A dragged deck: its id."""
SLOT_THUMB_PX = 46
TIGHT_THUMB_PX = 32
TRAY_THUMB_PX = 62
SLOT_EXTRA_PX, SLOT_INDENT_PX = 20, 42


class DeckThumb(QWidget):
    """A deck as a small picture with its letter; a click focuses it, a drag carries it."""

    picked = Signal(str)
    """Deck id."""

    def __init__(self, deck: DeckOnView, loader: ImageLoader, thumb_px: int, *, is_below: bool, can_drag: bool) -> None:
        super().__init__()
        self.deck = deck
        self._loader = loader
        self._thumb_px = thumb_px
        self._is_below = is_below
        self._can_drag = can_drag
        self._is_focused = False
        self._pressed_at: QPoint | None = None
        self._pixmap: QPixmap | None = None
        self.setFixedSize(self.sizeHint())
        self.setCursor(Qt.CursorShape.OpenHandCursor if can_drag else Qt.CursorShape.PointingHandCursor)
        self._load()

    def set_focused(self, is_focused: bool) -> None:
        """Draw the picture's frame in the accent colour."""
        if is_focused != self._is_focused:
            self._is_focused = is_focused
            self.update()

    def sizeHint(self) -> QSize:  # @override
        width = round(self._thumb_px * min(2.0, self.deck.aspect))
        metrics = self.fontMetrics()
        name = min(metrics.horizontalAdvance(self.deck.name) + 4, 90)
        if self._is_below:
            return QSize(width + 6, self._thumb_px + metrics.height() + 10)
        return QSize(width + 6 + 8 + name, self._thumb_px + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(3, 3, round(self._thumb_px * min(2.0, self.deck.aspect)), self._thumb_px)
        if self._pixmap is not None:
            painter.drawPixmap(box, self._pixmap, QRectF(self._pixmap.rect()))
        else:
            painter.fillRect(box, theme.color("skeleton"))
        painter.setPen(QPen(theme.color("slide_edge"), 1))
        painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))
        if self._is_focused:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 3, 3)
        painter.setFont(theme.sized_font(theme.BODY_PX, bold=True))
        painter.setPen(theme.color("accent" if self._is_focused else "text"))
        metrics = painter.fontMetrics()
        if self._is_below:
            room = QRectF(3, box.bottom() + 4, self.width() - 6, metrics.height())
        else:
            room = QRectF(box.right() + 8, 0, self.width() - box.right() - 8, self.height())
        words = metrics.elidedText(self.deck.name, Qt.TextElideMode.ElideMiddle, int(room.width()))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # @override
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position().toPoint()
            self.picked.emit(self.deck.id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # @override
        if self._pressed_at is None or not self._can_drag:
            return
        if (event.position().toPoint() - self._pressed_at).manhattanLength() < QApplication.startDragDistance():
            return
        self._pressed_at = None
        drag = QDrag(self)
        data = QMimeData()
        data.setData(MIME, str(self.deck.id).encode())
        drag.setMimeData(data)
        drag.setPixmap(self.grab())
        drag.setHotSpot(event.position().toPoint())
        drag.exec(Qt.DropAction.MoveAction)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # @override
        self._pressed_at = None

    def _load(self) -> None:
        first = next((slide for slide in self.deck.slides if slide.page is not None), None)
        if self.deck.folder is None or first is None:
            return
        path = self.deck.folder / thumb_file_name(first.number)
        ratio = self.devicePixelRatioF()
        target = QSize(round(self._thumb_px * 2 * ratio), round(self._thumb_px * ratio))
        self._pixmap = self._loader.cached(path, target)
        if self._pixmap is None:
            self._loader.load(path, target, self._on_picture, self._on_picture_failed)

    def _on_picture(self, pixmap: QPixmap, _native: QSize) -> None:
        # The board makes its thumbnails anew with each act; the picture may come after this one is gone.
        if isValid(self):
            self._pixmap = pixmap
            self.update()

    def _on_picture_failed(self, _error: BaseException) -> None:
        """The pane of this deck says why; here the grey shape stays."""


class _DropZone(QFrame):
    """A place that takes a dragged deck."""

    dropped = Signal(str, int)
    """Deck id and rank; 0 is the tray."""

    def __init__(self, rank: int) -> None:
        super().__init__()
        self.rank = rank
        self._is_over = False
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # @override
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()
            self._is_over = True
            self.update()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:  # @override
        self._is_over = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:  # @override
        event.acceptProposedAction()
        self._is_over = False
        self.update()
        self.dropped.emit(bytes(event.mimeData().data(MIME)).decode(), self.rank)

    def _paint_ground(self, painter: QPainter, *, is_selected: bool) -> None:
        if self._is_over or is_selected:
            painter.fillRect(self.rect(), theme.color("surface_selected"))
        if self._is_over:
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class SlotRow(_DropZone):
    """One rank: its number, the decks that hold it side by side, or how to fill it."""

    def __init__(self, rank: int, thumbs: Sequence[DeckThumb], words: str, *, thumb_px: int, has_focus: bool) -> None:
        super().__init__(rank)
        self._has_focus = has_focus
        self._has_large_gap = False
        self._least_px = thumb_px + SLOT_EXTRA_PX
        self._number = QLabel(str(rank), self)
        self._number.setFont(theme.sized_font(16, bold=True, tabular=True))
        self._number.adjustSize()
        self._items: list[QWidget] = []
        for thumb in thumbs:
            if self._items:
                self._items.append(Badge("tie", parent=self))
            thumb.setParent(self)
            self._items.append(thumb)
        if not thumbs:
            label = toned_label(words, "muted")
            label.setParent(self)
            self._items.append(label)
        held = ", ".join(thumb.deck.name for thumb in thumbs)
        self.setAccessibleName(f"Rank {rank}: {held or 'empty'}")
        self.setFixedHeight(self._least_px)

    def set_large_gap(self, is_large: bool) -> None:
        """Draw the gap to the next rank as a large one (≫)."""
        if is_large != self._has_large_gap:
            self._has_large_gap = is_large
            self.setAccessibleDescription("much better than the next rank" if is_large else "")
            self.update()

    def height_at(self, width: int) -> int:
        """Place number and decks in this width, in rows if they need them, and return the height they take."""
        x, y, tallest = SLOT_INDENT_PX, 0, 0
        rows: list[list[tuple[QWidget, int]]] = [[]]
        for item in self._items:
            item.resize(item.sizeHint())
            if rows[-1] and x + item.width() > width - 8:
                rows.append([])
                x = SLOT_INDENT_PX
            rows[-1].append((item, x))
            x += item.width() + 6
            tallest = max(tallest, item.height())
        height = max(self._least_px, len(rows) * (tallest + 4) + SLOT_EXTRA_PX - 8)
        y = (height - len(rows) * (tallest + 4)) // 2
        for row in rows:
            for item, left in row:
                item.move(left, y + (tallest + 4 - item.height()) // 2)
            y += tallest + 4
        self._number.move(12, (height - self._number.height()) // 2)
        self.setFixedHeight(height)
        return height

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        self._paint_ground(painter, is_selected=self._has_focus)
        painter.setPen(theme.color("hairline"))
        painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))
        if self._has_large_gap:
            painter.fillRect(QRectF(0, self.height() - 3, self.width(), 3), theme.color("accent"))
            painter.setPen(theme.color("accent"))
            painter.setFont(theme.sized_font(13, bold=True))
            box = QRectF(0, self.height() - 22, self.width() - 10, 18)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), "≫ much better")
        painter.end()


class Tray(_DropZone):
    """The unranked decks, in rows as wide as there is room."""

    def __init__(self) -> None:
        super().__init__(0)
        self._thumbs: list[DeckThumb] = []
        self._words = QLabel("", self)
        self._words.setProperty("tone", "muted")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_thumbs(self, thumbs: Sequence[DeckThumb], words: str) -> None:
        """Show these decks, or words where there are none."""
        for old in self._thumbs:
            old.setParent(None)
            old.deleteLater()
        self._thumbs = list(thumbs)
        for thumb in self._thumbs:
            thumb.setParent(self)
            thumb.show()
        self._words.setText("" if thumbs else words)
        self._words.adjustSize()
        self._place()

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        self._paint_ground(painter, is_selected=False)
        painter.end()

    def _place(self) -> None:
        x, y, tallest = 9, 9, 0
        for thumb in self._thumbs:
            if x > 9 and x + thumb.width() > self.width() - 9:
                x, y = 9, y + tallest + 6
            thumb.move(x, y)
            x += thumb.width() + 8
            tallest = max(tallest, thumb.height())
        self._words.move(12, 12)
        self.setMinimumHeight(y + max(tallest, 24) + 9)
