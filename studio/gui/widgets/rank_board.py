"""The ranking as it stands: slots with their decks, and the tray of unranked ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from studio.actions.viewing import DeckOnView
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.image_loader import ImageLoader
from studio.gui.widgets.answer_board import AnswerBoard, FootState
from studio.gui.widgets.keycap import KeyCap
from studio.gui.widgets.rank_slots import SLOT_THUMB_PX, TIGHT_THUMB_PX, TRAY_THUMB_PX, DeckThumb, SlotRow, Tray
from studio.model.ids import DeckId
from studio.sessions.ranking import Slot as RankSlot

TIGHT_FROM = 7
TIGHT_BELOW_PX = 340
"""From this many decks on, or below this width, slots are lower."""
CROWDED_THUMB_PX = 28
"""Height of thumbnails where three or more decks share a rank."""


@dataclass(frozen=True, kw_only=True)
class BoardState:
    """What the board shows above its foot."""

    slots: tuple[RankSlot, ...] = ()
    unranked: tuple[DeckId, ...] = ()
    focused: DeckId | None = None
    can_change: bool = True
    pending: str = ""
    """A digit that waits for a second one."""


class RankBoard(AnswerBoard):
    """Shows a ranking and says what the user asks for; it changes nothing by itself."""

    deck_picked = Signal(str)
    rank_asked = Signal(str, int)
    """Deck id and rank: it was dropped on a slot."""
    unrank_asked = Signal(str)

    def __init__(self, background: Background, images: ImageCache) -> None:
        super().__init__("Your ranking", "1 is best")
        self._loader = ImageLoader(background, images, self)
        self._decks: dict[DeckId, DeckOnView] = {}
        self._state: BoardState | None = None
        self._rows: list[SlotRow] = []
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
        self._hidden_while_asking += [self.tray_head, self.tray_scroll]
        self.tray.dropped.connect(self._on_dropped)

    def set_decks(self, decks: Mapping[DeckId, DeckOnView]) -> None:
        """Say which decks there are to rank."""
        self._decks = dict(decks)
        self._state = None

    def show_state(self, state: BoardState) -> None:
        """Show the ranking as it stands."""
        if state == self._state:
            return
        before, self._state = self._state, state
        if before is None or _parts(before) != _parts(state):
            self._show_decks(state)
        for thumb in self.findChildren(DeckThumb):
            thumb.set_focused(thumb.deck.id == state.focused)

    def show_foot(self, state: FootState) -> None:  # @override
        super().show_foot(state)
        for cap in self.caps:
            cap.setVisible(not state.status)

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
            row.set_large_gap(slot.has_large_gap)
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
