"""One slide: a hairline around it, zoom relative to fit, the thumbnail first and the sharp picture after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.errors import StudioError
from studio.gui import theme
from studio.gui.background import Background
from studio.gui.icons import draw_icon
from studio.gui.image_cache import ImageCache
from studio.gui.image_loader import ImageLoader

MARGIN_PX = 12
SMALLEST_ZOOM, LARGEST_ZOOM = 0.25, 8.0
ZOOM_STEP = 1.25
SETTLE_MS = 80
SMALLEST_BOX = 0.004


class SlideState(StrEnum):
    """What the view shows."""

    EMPTY = "empty"
    LOADING = "loading"
    SHOWN = "shown"
    CLAMPED = "clamped"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Box:
    """A rectangle on a slide."""

    rect: QRectF
    """Fractions of the slide's width and height, 0–1, origin at the top left."""
    tone: str = "overlay_box"
    """A colour token."""
    label: str = ""
    is_filled: bool = False
    """Marks text, as a highlighter does, in place of drawing an outline."""
    corners: tuple[QPointF, ...] = ()
    """Of a turned shape: what to outline in place of the rectangle, likewise in 0–1."""


class SlideView(QWidget):
    """Shows one slide from a picture file.

    Zoom 1.0 is "the whole slide fits"; zoom and centre survive a change of slide. The view asks for the
    sharp picture at exactly the device pixels it needs, and again when zoom or size have settled.
    """

    zoom_changed = Signal(float)
    """The user zoomed: the new zoom relative to fit."""
    centre_changed = Signal(QPointF)
    """The user dragged: the point of the slide in the middle of the view, in 0–1."""
    box_drawn = Signal(QRectF)
    """The user drew a box, in 0–1."""
    clicked = Signal()
    point_clicked = Signal(QPointF)
    """Where on the slide, in 0–1."""
    page_asked = Signal(int)
    """The wheel asks for the next (+1) or the previous (−1) slide."""
    picture_shown = Signal()
    """The sharp picture is on the screen."""
    retried = Signal()

    def __init__(
        self,
        background: Background,
        cache: ImageCache,
        parent: QWidget | None = None,
        *,
        margin: int = MARGIN_PX,
    ) -> None:
        super().__init__(parent)
        self._loader = ImageLoader(background, cache, self)
        self._margin = margin
        self._state = SlideState.EMPTY
        self._words = ""
        self._reason = ""
        self._path: Path | None = None
        self._thumbnail: Path | None = None
        self._pixmap: QPixmap | None = None
        self._is_sharp = False
        self._aspect = 16 / 9
        self._zoom = 1.0
        self._centre = QPointF(0.5, 0.5)
        self._boxes: tuple[Box, ...] = ()
        self._pressed_at: QPointF | None = None
        self._dragged_from: QPointF | None = None
        self._has_moved = False
        self._is_drawing = False
        self._drawn: QRectF | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        self._wheel = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMinimumSize(80, 60)

    # what is shown

    @property
    def state(self) -> SlideState:
        """What the view shows now."""
        return self._state

    @property
    def is_sharp(self) -> bool:
        """Whether the picture has all the pixels that the screen can show."""
        return self._is_sharp

    @property
    def words(self) -> str:
        """What is said in place of a slide."""
        return "—" if self._state is SlideState.CLAMPED else f"{self._words} {self._reason}".strip()

    def show_slide(
        self, picture: Path, *, thumbnail: Path | None = None, aspect: float | None = None, name: str = ""
    ) -> None:
        """Show a slide; the thumbnail at once if it is in the cache, the sharp picture as soon as it is read.

        Args:
            picture: the file of the slide as it was drawn.
            thumbnail: a smaller file of the same slide.
            aspect: width ÷ height, if known, so that nothing jumps when the picture comes.
            name: for screen readers, such as "B, slide 4".
        """
        self.setAccessibleName(name)
        if picture == self._path and self._state in (SlideState.SHOWN, SlideState.LOADING):
            return
        self._loader.drop_all()
        self._path, self._thumbnail = picture, thumbnail
        self._pixmap, self._is_sharp = None, False
        if aspect:
            self._aspect = aspect
        self._state = SlideState.LOADING
        first = self._loader.largest_cached(picture)
        if first is None and thumbnail is not None:
            first = self._loader.largest_cached(thumbnail)
        if first is not None:
            self._show(first, self._loader.native_size(picture) or first.size(), is_sharp=False)
        elif thumbnail is not None:
            self._loader.load(thumbnail, None, self._on_thumbnail, self._on_thumbnail_failed)
        self._request()
        self.update()

    def show_clamped(self) -> None:
        """Show "—": this deck has no slide at this place."""
        self._show_words(SlideState.CLAMPED, "")

    def show_empty(self, words: str = "") -> None:
        """Show that there is nothing to show yet."""
        self._show_words(SlideState.EMPTY, words)

    def show_failed(self, words: str, reason: str = "") -> None:
        """Say why there is no picture; a click on it sends `retried`."""
        self._show_words(SlideState.FAILED, words, reason)

    def set_boxes(self, boxes: Sequence[Box]) -> None:
        """Draw these boxes over the slide."""
        self._boxes = tuple(boxes)
        self.update()

    def set_drawing(self, is_drawing: bool) -> None:
        """Let the next drag draw a box (sends `box_drawn`) in place of moving the slide."""
        self._is_drawing = is_drawing
        self._drawn = None
        self.setCursor(Qt.CursorShape.CrossCursor if is_drawing else Qt.CursorShape.ArrowCursor)
        self.update()

    # zoom and centre

    @property
    def zoom(self) -> float:
        """Zoom relative to fit."""
        return self._zoom

    @property
    def centre(self) -> QPointF:
        """The point of the slide in the middle of the view, in 0–1."""
        return QPointF(self._centre)

    def set_zoom(self, zoom: float, centre: QPointF | None = None) -> None:
        """Zoom to a factor of fit, around a point of the slide; tells nobody (for views that follow)."""
        self._zoom = min(LARGEST_ZOOM, max(SMALLEST_ZOOM, zoom))
        self._centre = self._kept_inside(centre if centre is not None else self._centre)
        self._settle.start()
        self.update()

    def zoom_by(self, factor: float, around: QPointF | None = None) -> None:
        """Zoom as the user does, keeping the point under `around` (view coordinates) where it is."""
        before = self.slide_rect()
        at = around if around is not None else QPointF(self.rect().center())
        held = self._to_slide(at, before)
        self.set_zoom(self._zoom * factor)
        after = self.slide_rect()
        if after.width() > 0:
            shift = self._to_slide(at, after)
            self._centre = self._kept_inside(self._centre + held - shift)
        self.update()
        self.zoom_changed.emit(self._zoom)
        self.centre_changed.emit(self._centre)

    def fit(self) -> None:
        """Show the whole slide."""
        self.set_zoom(1.0, QPointF(0.5, 0.5))
        self.zoom_changed.emit(self._zoom)

    def fit_rect(self) -> QRectF:
        """Return where the slide lies at zoom 1.0, in logical pixels."""
        room_w, room_h = self.width() - 2 * self._margin, self.height() - 2 * self._margin
        width = max(1.0, min(room_w, room_h * self._aspect))
        height = width / self._aspect
        return QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)

    def slide_rect(self) -> QRectF:
        """Return where the slide lies now, in logical pixels, on whole device pixels."""
        fit = self.fit_rect()
        width, height = fit.width() * self._zoom, fit.height() * self._zoom
        left = self.width() / 2 - self._centre.x() * width
        top = self.height() / 2 - self._centre.y() * height
        ratio = self.devicePixelRatioF()
        return QRectF(
            round(left * ratio) / ratio,
            round(top * ratio) / ratio,
            round(width * ratio) / ratio,
            round(height * ratio) / ratio,
        )

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        if self._pixmap is not None:
            self._paint_slide(painter)
        elif self._state is SlideState.LOADING:
            painter.fillRect(self.slide_rect(), theme.color("skeleton"))
        elif self._state is SlideState.CLAMPED:
            self._paint_clamped(painter)
        else:
            self._paint_words(painter)
        painter.end()

    def _paint_slide(self, painter: QPainter) -> None:
        slide = self.slide_rect()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
        painter.drawPixmap(slide, self._pixmap, QRectF(self._pixmap.rect()))
        painter.setPen(QPen(theme.color("slide_edge"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(slide.adjusted(-0.5, -0.5, 0.5, 0.5))
        for box in self._boxes:
            self._paint_box(painter, slide, box)
        if self._drawn is not None:
            self._paint_box(painter, slide, Box(rect=self._drawn, tone="accent"))

    def _paint_box(self, painter: QPainter, slide: QRectF, box: Box) -> None:
        rect = _scaled(box.rect, slide)
        ink = theme.color(box.tone)
        if box.is_filled:
            ink.setAlphaF(0.35)
            painter.fillRect(rect, ink)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap, Qt.PenJoinStyle.MiterJoin))
        if box.corners:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolygon(QPolygonF([_scaled_point(corner, slide) for corner in box.corners]))
        else:
            painter.drawRect(rect)
        if not box.label:
            return
        painter.setFont(theme.sized_font(theme.CAPTION_PX, bold=True))
        width = painter.fontMetrics().horizontalAdvance(box.label) + 10
        tag = QRectF(rect.left() - 1.5, max(slide.top(), rect.top() - 18), width, 18)
        painter.fillRect(tag, ink)
        painter.setPen(theme.color("on_status"))
        painter.drawText(tag, int(Qt.AlignmentFlag.AlignCenter), box.label)

    def _paint_clamped(self, painter: QPainter) -> None:
        pen = QPen(theme.color("hairline"), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRect(self.fit_rect())
        painter.setPen(theme.color("text_muted"))
        painter.setFont(theme.sized_font(20))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), "—")

    def _paint_words(self, painter: QPainter) -> None:
        rect = self.fit_rect()
        is_failed = self._state is SlideState.FAILED
        painter.setPen(QPen(theme.color("hairline"), 1))
        painter.drawRect(rect)
        room = rect.adjusted(12, 12, -12, -12)
        middle = room.center().y()
        if is_failed and room.height() > 90:
            draw_icon(painter, "image-off", QRectF(room.center().x() - 12, middle - 44, 24, 24), theme.color("bad"))
        flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
        painter.setFont(theme.sized_font(theme.BODY_PX, bold=is_failed))
        painter.setPen(theme.color("text" if is_failed else "text_muted"))
        top = QRectF(room.left(), middle - 12, room.width(), room.bottom() - middle + 12)
        used = painter.boundingRect(top, flags, self._words)
        painter.drawText(top, flags, self._words)
        if self._reason:
            painter.setFont(theme.sized_font(theme.BODY_PX))
            painter.setPen(theme.color("text_muted"))
            painter.drawText(top.adjusted(0, used.height() + 4, 0, 0), flags, self._reason)

    # mouse and wheel

    def mousePressEvent(self, event: QMouseEvent) -> None:  # @override
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._pressed_at = event.position()
        self._dragged_from = self.centre
        self._has_moved = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # @override
        if self._pressed_at is None or self._pixmap is None:
            return
        moved = event.position() - self._pressed_at
        if not self._has_moved and moved.manhattanLength() < 4:
            return
        self._has_moved = True
        slide = self.slide_rect()
        if self._is_drawing:
            self._drawn = _between(self._to_slide(self._pressed_at, slide), self._to_slide(event.position(), slide))
        elif self._zoom > 1.0:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            shift = QPointF(moved.x() / slide.width(), moved.y() / slide.height())
            self._centre = self._kept_inside(self._dragged_from - shift)
            self.centre_changed.emit(self._centre)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # @override
        if event.button() != Qt.MouseButton.LeftButton or self._pressed_at is None:
            super().mouseReleaseEvent(event)
            return
        drawn, self._drawn, self._pressed_at = self._drawn, None, None
        if self._is_drawing and drawn is not None:
            self.set_drawing(False)
            if drawn.width() > SMALLEST_BOX and drawn.height() > SMALLEST_BOX:
                self.box_drawn.emit(drawn)
        elif not self._has_moved:
            self.clicked.emit()
            if self._state is SlideState.FAILED:
                self.retried.emit()
            at = self._to_slide(event.position(), self.slide_rect())
            if self._pixmap is not None and 0 <= at.x() <= 1 and 0 <= at.y() <= 1:
                self.point_clicked.emit(at)
        if not self._is_drawing:
            self.setCursor(Qt.CursorShape.ArrowCursor)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # @override
        if event.button() == Qt.MouseButton.LeftButton and not self._is_drawing:
            self.zoom_by(2.0 if self._zoom <= 1.0 else 1.0 / self._zoom, event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:  # @override
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(math.pow(ZOOM_STEP, event.angleDelta().y() / 120), event.position())
        else:
            self._wheel += event.angleDelta().y()
            while abs(self._wheel) >= 120:
                self.page_asked.emit(-1 if self._wheel > 0 else 1)
                self._wheel -= 120 if self._wheel > 0 else -120
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        if event.key() == Qt.Key.Key_Escape and self._is_drawing:
            self.set_drawing(False)
            return
        super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:  # @override
        self._wheel = 0
        super().enterEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        if self._path is not None:
            self._settle.start()

    def sizeHint(self) -> QSize:  # @override
        return QSize(480, 270)

    # loading

    def _target(self) -> QSize:
        """Return the device pixels that the slide takes at the present zoom."""
        fit, ratio = self.fit_rect(), self.devicePixelRatioF()
        scale = ratio * max(1.0, self._zoom)
        return QSize(max(1, round(fit.width() * scale)), max(1, round(fit.height() * scale)))

    def _request(self) -> None:
        if self._path is None:
            return
        target = self._target()
        native = self._loader.native_size(self._path)
        if native is not None and native.width() < target.width():
            target = native
        cached = self._loader.cached(self._path, target)
        if cached is not None:
            self._show(cached, native or cached.size(), is_sharp=True)
        else:
            self._loader.load(self._path, target, self._on_picture, self._on_picture_failed)

    @Slot()
    def _on_settled(self) -> None:
        if self._path is not None and self._state is not SlideState.FAILED:
            self._request()

    def _on_thumbnail(self, pixmap: QPixmap, native: QSize) -> None:
        if not self._is_sharp and self._state is SlideState.LOADING:
            self._show(pixmap, native, is_sharp=False)

    def _on_thumbnail_failed(self, _error: BaseException) -> None:
        """The sharp picture is on its way; if that fails too, its reason is shown."""

    def _on_picture(self, pixmap: QPixmap, native: QSize) -> None:
        self._show(pixmap, native, is_sharp=True)

    def _on_picture_failed(self, error: BaseException) -> None:
        if isinstance(error, StudioError):
            self._show_words(SlideState.FAILED, error.message, error.next_step)
        else:
            self._show_words(SlideState.FAILED, f"This slide cannot be shown: {error}.")
            raise error

    def _show(self, pixmap: QPixmap, native: QSize, *, is_sharp: bool) -> None:
        aspect = native.width() / max(1, native.height())
        # A thumbnail's rounded size must not shift the slide by a pixel.
        if abs(aspect / self._aspect - 1) > 0.01:
            self._aspect = aspect
        self._pixmap, self._is_sharp = pixmap, is_sharp
        self._state = SlideState.SHOWN if is_sharp else self._state
        self.update()
        if is_sharp:
            self.picture_shown.emit()

    def _show_words(self, state: SlideState, words: str, reason: str = "") -> None:
        self._loader.drop_all()
        self._settle.stop()
        self._path = self._thumbnail = self._pixmap = None
        self._is_sharp = False
        self._state, self._words, self._reason = state, words, reason
        self.update()

    def _to_slide(self, point: QPointF, slide: QRectF) -> QPointF:
        return QPointF((point.x() - slide.left()) / slide.width(), (point.y() - slide.top()) / slide.height())

    def _kept_inside(self, centre: QPointF) -> QPointF:
        """Return the nearest centre that leaves no empty room beside a slide larger than the view."""
        fit = self.fit_rect()
        return QPointF(
            _clamped(centre.x(), self.width() / (fit.width() * self._zoom)),
            _clamped(centre.y(), self.height() / (fit.height() * self._zoom)),
        )


def _clamped(centre: float, seen: float) -> float:
    if seen >= 1.0:
        return 0.5
    return min(1.0 - seen / 2, max(seen / 2, centre))


def _scaled(part: QRectF, whole: QRectF) -> QRectF:
    return QRectF(
        whole.left() + part.left() * whole.width(),
        whole.top() + part.top() * whole.height(),
        part.width() * whole.width(),
        part.height() * whole.height(),
    )


def _scaled_point(part: QPointF, whole: QRectF) -> QPointF:
    return QPointF(whole.left() + part.x() * whole.width(), whole.top() + part.y() * whole.height())


def _between(one: QPointF, other: QPointF) -> QRectF:
    """Return the rectangle between two points, cut to the slide."""
    left, right = sorted(min(1.0, max(0.0, point.x())) for point in (one, other))
    top, bottom = sorted(min(1.0, max(0.0, point.y())) for point in (one, other))
    return QRectF(left, top, right - left, bottom - top)
