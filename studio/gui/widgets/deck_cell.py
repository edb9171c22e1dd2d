"""How one deck looks in a matrix: its first slide with pages and marks, or one of the ways of having none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QHelpEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from studio.actions.library import Cell, CellState
from studio.gui import theme
from studio.gui.icons import draw_icon
from studio.gui.image_loader import ImageLoader
from studio.gui.models.instance_matrix import CELL_ROLE, marks_in_words

PAD = 10
CAPTION_PX = 26
ASPECT = 16 / 9
MARK_ICONS = {"warnings": "triangle-alert", "hidden": "eye-off", "fonts": "fonts", "stale": "rotate-ccw"}


def row_height(column_px: int) -> int:
    """Return the height of a row whose cells have this width, in logical pixels."""
    return round((column_px - 2 * PAD) / ASPECT) + PAD + CAPTION_PX + 6


class DeckCellDelegate(QStyledItemDelegate):
    """Draws the cells of an `InstanceMatrix`. Pictures are decoded elsewhere; until then there is a grey shape."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._loader: ImageLoader | None = None
        self._failed: set[Path] = set()

    def set_loader(self, loader: ImageLoader | None) -> None:
        """Take pictures from this loader, or from none."""
        self._loader = loader
        self._failed.clear()

    def forget_failures(self) -> None:
        """Try again what could not be shown."""
        self._failed.clear()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        cell: Cell = index.data(CELL_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_ground(painter, option)
        picture, caption = cell_parts(option.rect)
        if cell.state is CellState.RENDERED and cell.thumb is not None and cell.thumb not in self._failed:
            self._paint_slide(painter, picture, cell.thumb)
        else:
            is_going = index.data() == "rendering"
            self._paint_absence(painter, picture, cell, is_going=is_going)
        self._paint_caption(painter, caption, cell, str(index.data()))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # @override
        return QSize(176, row_height(176))

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: QModelIndex
    ) -> bool:  # @override
        if event.type() == QHelpEvent.Type.ToolTip and index.isValid():
            QToolTip.showText(event.globalPos(), self._tip_at(event.pos(), option.rect, index), view)
            return True
        return super().helpEvent(event, view, option, index)

    def _tip_at(self, place: QPoint, rect: QRect, index: QModelIndex) -> str:
        cell: Cell = index.data(CELL_ROLE)
        _, caption = cell_parts(rect)
        for (_, box), words in zip(mark_boxes(caption, cell), marks_in_words(cell), strict=True):
            if box.contains(place):
                return words
        return str(index.data(Qt.ItemDataRole.ToolTipRole))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_current:
            painter.fillRect(option.rect, theme.color("surface_selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, theme.color("surface_hover"))
        painter.fillRect(
            QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme.color("hairline")
        )
        if is_current and self._view.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(option.rect).adjusted(2, 2, -2, -3), 4, 4)

    def _paint_slide(self, painter: QPainter, room: QRect, thumb: Path) -> None:
        pixmap = self._pixmap(thumb, room.size())
        if pixmap is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("skeleton"))
            painter.drawRoundedRect(QRectF(room), 3, 3)
            return
        shown = pixmap.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        target = QRect(QPoint(0, 0), shown)
        target.moveCenter(room.center())
        painter.drawPixmap(target, pixmap)
        painter.setPen(QPen(theme.color("slide_edge"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(target).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _pixmap(self, thumb: Path, room: QSize) -> QPixmap | None:
        if self._loader is None:
            return None
        target = room * self._view.devicePixelRatioF()
        found = self._loader.cached(thumb, target)
        if found is None:
            self._loader.load(thumb, target, self._on_ready, partial(self._on_failed, thumb))
            found = self._loader.largest_cached(thumb)
        return found

    def _on_ready(self, _pixmap: QPixmap, _native: QSize) -> None:
        self._view.viewport().update()

    def _on_failed(self, thumb: Path, _error: BaseException) -> None:
        # Kept until the next reload, or every repaint would ask for it again.
        self._failed.add(thumb)
        self._view.viewport().update()

    def _paint_absence(self, painter: QPainter, room: QRect, cell: Cell, *, is_going: bool) -> None:
        look = _LOCKED if cell.needs_password else _LOOKS[cell.state]
        if cell.state is CellState.RENDERED:
            look = _PICTURE_GONE
        box = QRectF(room).adjusted(0.5, 0.5, -0.5, -0.5)
        pen = QPen(theme.color(look.edge), 1, look.line)
        if look.line is Qt.PenStyle.DashLine:
            pen.setDashPattern([4, 4])
        painter.setPen(pen)
        painter.setBrush(theme.color(look.fill) if look.fill else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 3, 3)
        if look.is_hatched:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(theme.color("hairline_strong"), Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(box, 3, 3)
            self._paint_plate(painter, box)
        icon = "refresh-cw" if is_going else look.icon
        if icon:
            side = 20.0
            place = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
            draw_icon(painter, icon, place, theme.color("accent" if is_going else look.ink))

    def _paint_plate(self, painter: QPainter, box: QRectF) -> None:
        painter.setBrush(theme.color("surface"))
        painter.drawEllipse(box.center(), 17, 17)

    def _paint_caption(self, painter: QPainter, room: QRect, cell: Cell, words: str) -> None:
        boxes = mark_boxes(room, cell)
        right = boxes[-1][1].left() - 6 if boxes else room.right()
        tone = "warn" if cell.needs_password else _TONES.get(cell.state, "text_muted")
        painter.setFont(theme.sized_font(12, tabular=True))
        painter.setPen(theme.color(tone))
        left = QRect(room.left(), room.top(), max(0, right - room.left()), room.height())
        metrics = painter.fontMetrics()
        if cell.state is CellState.RENDERED and metrics.horizontalAdvance(words) > left.width():
            words = words.split(" ")[0]  # the number alone says more than "1…"
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, left.width())
        painter.drawText(left, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
        for name, box in boxes:
            paint_mark(painter, box, name, mark_count(cell, name))


def cell_parts(rect: QRect) -> tuple[QRect, QRect]:
    """Return where the picture and the caption of a cell are."""
    picture = QRect(rect.left() + PAD, rect.top() + PAD, rect.width() - 2 * PAD, rect.height() - PAD - CAPTION_PX - 6)
    caption = QRect(picture.left(), picture.bottom() + 3, picture.width(), CAPTION_PX)
    return picture, caption


def mark_count(cell: Cell, name: str) -> int:
    """Return the number that a mark shows."""
    deck = cell.deck
    if deck is None:
        return 0
    return {
        "warnings": len(deck.warnings), "hidden": deck.hidden_slides, "fonts": len(deck.missing_fonts),
        "stale": cell.stale.total,
    }[name]  # fmt: skip


def mark_boxes(caption: QRect, cell: Cell) -> list[tuple[str, QRect]]:
    """Return the marks of a cell and where they are, in the order of `marks_in_words`, from right to left."""
    found = []
    right = caption.right() + 1
    for name in MARK_ICONS:
        count = mark_count(cell, name)
        if not count:
            continue
        width = 16 + 7 * len(str(count))
        found.append((name, QRect(right - width, caption.top(), width, caption.height())))
        right -= width + 6
    return found


def paint_mark(painter: QPainter, box: QRect, name: str, count: int) -> None:
    """Draw one small mark with its number."""
    ink = theme.color("warn" if name in {"warnings", "stale"} else "text_muted")
    middle = QRectF(box).center().y()
    place = QRectF(box.left(), middle - 6, 12, 12)
    if name == "fonts":
        # Two letters say "fonts" at this size; a drawn icon does not.
        painter.setFont(theme.sized_font(11, bold=True))
        painter.setPen(ink)
        painter.drawText(place.adjusted(-2, -2, 2, 2), int(Qt.AlignmentFlag.AlignCenter), "Aa")
    else:
        draw_icon(painter, MARK_ICONS[name], place, ink)
    painter.setFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
    painter.setPen(ink)
    number = QRect(box.left() + 14, box.top(), box.width() - 12, box.height())
    painter.drawText(number, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), str(count))


@dataclass(frozen=True)
class _Look:
    """How an absence is drawn: edge, fill and icon together, so that no two are alike without colour."""

    edge: str
    fill: str
    icon: str
    ink: str
    line: Qt.PenStyle = Qt.PenStyle.SolidLine
    is_hatched: bool = False


_PICTURE_GONE = _Look("hairline_strong", "skeleton", "image-off", "text_muted")

_LOCKED = _Look("warn", "warn_surface", "lock", "warn")

_LOOKS = {
    CellState.RENDERED: _PICTURE_GONE,
    CellState.PENDING: _Look("hairline", "skeleton", "", "text_muted"),
    CellState.RENDER_FAILED: _Look("bad", "bad_surface", "image-off", "bad"),
    CellState.NO_SLIDES: _Look("hairline_strong", "", "presentation", "text_muted"),
    CellState.FILE_GONE: _Look("warn", "warn_surface", "file", "warn"),
    CellState.FAILED: _Look("bad", "bad_surface", "x", "bad"),
    CellState.MISSING: _Look("hairline_strong", "", "", "text_muted", line=Qt.PenStyle.DashLine),
    CellState.NOT_SUPPORTED: _Look("hairline", "", "ban", "text_muted", is_hatched=True),
}

_TONES = {
    CellState.RENDER_FAILED: "bad",
    CellState.FAILED: "bad",
    CellState.FILE_GONE: "warn",
}
