"""The ranking as it stands: slots with their decks, the tray of unranked ones, note, flag and submit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from studio.actions.viewing import DeckOnView
from studio.gui import theme
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.image_loader import ImageLoader
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCap, KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.model.decks import thumb_file_name
from studio.model.ids import DeckId
from studio.sessions.ranking import Slot as RankSlot

MIME = "application/x-podium-deck"
SLOT_THUMB_PX = 46
TIGHT_THUMB_PX = 32
TRAY_THUMB_PX = 62
TIGHT_FROM = 7
TIGHT_BELOW_PX = 340
"""From this many decks on, or below this width, slots are lower."""
CROWDED_THUMB_PX = 28
"""Height of thumbnails where three or more decks share a rank."""
SLOT_EXTRA_PX, SLOT_INDENT_PX = 20, 42
NOTE_PX = 76


@dataclass(frozen=True, kw_only=True)
class BoardState:
    """What the board shows."""

    slots: tuple[RankSlot, ...] = ()
    unranked: tuple[DeckId, ...] = ()
    focused: DeckId | None = None
    missing: str = ""
    """What keeps the ranking from being submitted, such as "2 decks unranked: C, E"."""
    status: str = ""
    status_tone: str = ""
    is_flagged: bool = False
    has_note: bool = False
    can_change: bool = True
    locked: str = ""
    """Why nothing can be changed."""
    pending: str = ""
    """A digit that waits for a second one."""


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


class JumpLabel(ElidedLabel):
    """Words that lead somewhere when they are clicked."""

    clicked = Signal()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # @override
        self.clicked.emit()


class NoteField(QPlainTextEdit):
    """A note that says when the cursor leaves it."""

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # @override
        super().focusOutEvent(event)
        self.left.emit()


class RankBoard(Panel):
    """Shows a ranking and says what the user asks for; it changes nothing by itself."""

    deck_picked = Signal(str)
    rank_asked = Signal(str, int)
    """Deck id and rank: it was dropped on a slot."""
    unrank_asked = Signal(str)
    missing_clicked = Signal()
    note_edited = Signal()
    note_left = Signal()

    def __init__(self, background: Background, images: ImageCache) -> None:
        super().__init__("Your ranking", "1 is best")
        self._loader = ImageLoader(background, images, self)
        self._decks: dict[DeckId, DeckOnView] = {}
        self._state: BoardState | None = None
        self._rows: list[SlotRow] = []
        self._note_is_shown = False
        self.status = Badge()
        self.head.add_control(self.status)
        self.caps = [KeyCap("T tie"), KeyCap("Alt+↑↓")]
        for cap in self.caps:
            self.head.add_control(cap)
        self._slots = QWidget()
        self._slot_column = QVBoxLayout(self._slots)
        self._slot_column.setContentsMargins(0, 0, 0, 0)
        self._slot_column.setSpacing(0)
        self._slot_column.addStretch(1)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(self._slots)
        self.set_body(self.scroll)
        self.tray = Tray()
        self.tray_scroll = QScrollArea()
        self.tray_scroll.setWidgetResizable(True)
        self.tray_scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tray_scroll.setMinimumHeight(TRAY_THUMB_PX + 46)
        self.tray_scroll.setWidget(self.tray)
        self.tray_head = self.add_section("Unranked", "", self.tray_scroll, stretch=1)
        self._column.setStretch(1, 4)
        self._build_foot()
        self.tray.dropped.connect(self._on_dropped)

    def _build_foot(self) -> None:
        self.note = NoteField()
        self.note.setPlaceholderText("Note on these decks")
        self.note.setAccessibleName("Note")
        self.note.setFixedHeight(NOTE_PX)
        self.note.setTabChangesFocus(True)
        self.note.textChanged.connect(self._on_note_changed)
        self.note.left.connect(self.note_left)
        self.note.hide()
        self.note_button = KeyCapButton("Note", "C")
        self.flag_button = KeyCapButton("Flag", "F")
        self.flag_button.setCheckable(True)
        self.cannot_button = KeyCapButton("Cannot judge", "U")
        self.missing = JumpLabel(mode=Qt.TextElideMode.ElideRight)
        self.missing.setProperty("tone", "muted")
        self.missing.clicked.connect(self.missing_clicked)
        self.submit = KeyCapButton("Submit and next", "Enter", is_primary=True)
        self.trouble = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.trouble.setProperty("tone", "bad")
        self.trouble.hide()
        foot = QWidget()
        self.foot_column = QVBoxLayout(foot)
        self.foot_column.setContentsMargins(12, 10, 12, 12)
        self.foot_column.setSpacing(8)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in (self.note_button, self.flag_button, self.cannot_button):
            row.addWidget(button)
        row.addStretch(1)
        self.missing_above = JumpLabel(mode=Qt.TextElideMode.ElideRight)
        self.missing_above.setProperty("tone", "muted")
        self.missing_above.clicked.connect(self.missing_clicked)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self.missing, 1)
        last.addStretch(0)
        last.addWidget(self.submit)
        self.foot_column.addWidget(self.note)
        self.foot_column.addWidget(self.buttons)
        self.foot_column.addWidget(self.trouble)
        self.foot_column.addWidget(self.missing_above)
        self.foot_column.addLayout(last)
        self._column.addWidget(hairline())
        self._column.addWidget(foot)

    def set_decks(self, decks: Mapping[DeckId, DeckOnView]) -> None:
        """Say which decks there are to rank."""
        self._decks = dict(decks)
        self._state = None

    def show_state(self, state: BoardState) -> None:
        """Show the ranking as it stands."""
        self.flag_button.setChecked(state.is_flagged)
        if state == self._state:
            return
        before, self._state = self._state, state
        if before is None or _parts(before) != _parts(state):
            self._show_decks(state)
        for thumb in self.findChildren(DeckThumb):
            thumb.set_focused(thumb.deck.id == state.focused)
        self.status.set_text(state.status, state.status_tone)
        for cap in self.caps:
            cap.setVisible(not state.status)
        self.note_button.setText("Note ✓" if state.has_note else "Note")
        for button in (self.note_button, self.flag_button, self.cannot_button):
            button.setEnabled(state.can_change)
        self.submit.setEnabled(state.can_change and not state.missing)
        self._show_missing()

    def _show_missing(self) -> None:
        """Say what is missing beside the button if it fits there, else above it."""
        words = (self._state.locked or self._state.missing) if self._state else ""
        room = self.width() - self.submit.sizeHint().width() - 24 - 16
        fits = self.fontMetrics().horizontalAdvance(words) <= room
        self.missing.set_text(words if fits else "")
        self.missing_above.set_text("" if fits else words)
        self.missing_above.setVisible(not fits)

    def set_asking(self, is_asking: bool) -> None:
        """Make room for a question below the slots."""
        for widget in (self.tray_head, self.tray_scroll, self.buttons):
            widget.setVisible(not is_asking)
        self.note.setVisible(not is_asking and (self._note_is_shown or bool(self.note.toPlainText())))

    def show_note(self, note: str, *, is_open: bool) -> None:
        """Show the stored note; the field is open if there is one or it was asked for."""
        if note != self.note.toPlainText() and not self.note.hasFocus():
            self.note.blockSignals(True)
            self.note.setPlainText(note)
            self.note.blockSignals(False)
        self._note_is_shown = is_open or bool(note)
        self.note.setVisible(self._note_is_shown and not self.buttons.isHidden())

    def say_trouble(self, words: str) -> None:
        """Say what went wrong with saving; empty takes it away."""
        self.trouble.set_text(words)
        self.trouble.setVisible(bool(words))

    def _show_decks(self, state: BoardState) -> None:
        for row in self._rows:
            # Hidden first: a layout shows its new widgets a moment later, and without a parent that is a window.
            row.hide()
            self._slot_column.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self._rows = []
        is_tight = len(self._decks) >= TIGHT_FROM or self.width() < TIGHT_BELOW_PX
        thumb_px = TIGHT_THUMB_PX if is_tight else SLOT_THUMB_PX
        first_empty = next((slot.rank for slot in state.slots if not slot.decks), 0)
        for place, slot in enumerate(state.slots):
            height = min(thumb_px, CROWDED_THUMB_PX) if len(slot.decks) > 2 else thumb_px
            thumbs = [self._thumb(deck, height, is_below=False) for deck in slot.decks if deck in self._decks]
            words = "empty"
            if slot.rank == first_empty and state.unranked and state.can_change:
                words = f"drop here, or press {slot.rank} on a deck"
            row = SlotRow(slot.rank, thumbs, words, thumb_px=thumb_px, has_focus=state.focused in slot.decks)
            row.dropped.connect(self._on_dropped)
            self._slot_column.insertWidget(place, row)
            self._rows.append(row)
            if state.pending and str(slot.rank).startswith(state.pending):
                row.setAccessibleDescription("waits for a second digit")
        self._fit_slots()
        self.tray_head.set_facts(str(len(state.unranked)) if state.unranked else "none")
        tray_px = TRAY_THUMB_PX if len(state.unranked) < TIGHT_FROM else TIGHT_THUMB_PX
        self.tray.set_thumbs(
            [self._thumb(deck, tray_px, is_below=True) for deck in state.unranked if deck in self._decks],
            "Every deck has a rank" if self._decks else "",
        )

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self._fit_slots()
        self._show_missing()

    def _fit_slots(self) -> None:
        """Let the slots take what they need, and the tray the rest."""
        width = self.width() - 2
        total = sum(row.height_at(width) for row in self._rows)
        self.scroll.setMaximumHeight(max(total, 1))

    def _thumb(self, deck: DeckId, thumb_px: int, *, is_below: bool) -> DeckThumb:
        can_drag = self._state is not None and self._state.can_change
        thumb = DeckThumb(self._decks[deck], self._loader, thumb_px, is_below=is_below, can_drag=can_drag)
        thumb.picked.connect(self.deck_picked)
        return thumb

    @Slot()
    def _on_note_changed(self) -> None:
        self.note_edited.emit()

    @Slot(str, int)
    def _on_dropped(self, deck: str, rank: int) -> None:
        if self._state is None or not self._state.can_change:
            return
        if rank:
            self.rank_asked.emit(deck, rank)
        else:
            self.unrank_asked.emit(deck)


def _parts(state: BoardState) -> tuple[object, ...]:
    """Return what decides which rows and thumbnails there are."""
    focused_slot = next((slot.rank for slot in state.slots if state.focused in slot.decks), 0)
    return (state.slots, state.unranked, focused_slot, state.can_change, state.pending)
