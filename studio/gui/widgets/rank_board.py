"""The ranking as it stands: slots with their decks, the tray of unranked ones, note, flag and submit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from studio.actions.viewing import DeckOnView
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.image_loader import ImageLoader
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCap, KeyCapButton
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.rank_slots import SLOT_THUMB_PX, TIGHT_THUMB_PX, TRAY_THUMB_PX, DeckThumb, SlotRow, Tray
from studio.model.ids import DeckId
from studio.sessions.ranking import Slot as RankSlot

TIGHT_FROM = 7
TIGHT_BELOW_PX = 340
"""From this many decks on, or below this width, slots are lower."""
CROWDED_THUMB_PX = 28
"""Height of thumbnails where three or more decks share a rank."""
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
