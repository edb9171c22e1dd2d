"""The decks of an instance side by side: panes that move together, focus, zoom, contact sheet, wall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QVBoxLayout, QWidget

from studio.actions.viewing import DeckOnView
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.widgets.deck_pane import TEXT_PX, DeckPane, strip_slides
from studio.gui.widgets.film_strip import FilmStrip
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.pane_grid import GAP_PX, Chrome, Grid, PaneGrid, best_grid
from studio.gui.widgets.panel import Panel
from studio.model.ids import DeckId
from studio.sessions.viewing import NEXT_MODE, SyncMode, Viewing, Zoom

SMALLEST_SLIDE_PX, SMALLEST_SHARE = 340, 0.42
"""Where slides would be narrower than both this and this share of the stage, fewer decks are shown at once."""
TIGHT_SLIDE_PX, STRIP_PX = 200, 51
"""Below this width of a slide the film strips, of this height, are left out."""
SHEET_THUMB_PX = 150
COMPACT_CHROME = Chrome(14, 36 + 12)
FOCUS_KEYS = 6
SYNC_WORDS = {SyncMode.OFF: "off", SyncMode.SLIDE: "slide", SyncMode.SLIDE_AND_ZOOM: "slide + zoom"}
Run = Callable[[], None]


class DeckStage(QWidget):
    """Shows decks in panes and keeps where each stands.

    Args:
        background: for pictures.
        images: the window's picture cache.
        shows_all: every deck has a pane, however small; else decks that do not fit wait behind the others, and
            come forward when they are focused.
    """

    focus_changed = Signal(str)
    """The deck id that keys go to now."""
    moved = Signal()
    """A slide, an offset, a zoom or the sync changed."""
    phrase_picked = Signal(str, int, str)
    """Deck id, slide number and text that the user selected on it."""
    retried = Signal(str)

    def __init__(self, background: Background, images: ImageCache, *, shows_all: bool) -> None:
        super().__init__()
        self._background, self._images = background, images
        self._shows_all = shows_all
        self._decks: dict[DeckId, DeckOnView] = {}
        self._panes: dict[DeckId, DeckPane] = {}
        self._spare: list[DeckPane] = []
        self._ranks: dict[DeckId, str] = {}
        self._marks: dict[DeckId, dict[int, str]] = {}
        self._latest: list[DeckId] = []
        self._focused: DeckId | None = None
        self._extra: QWidget | None = None
        self._extra_seat: QWidget | None = None
        self._is_wall = False
        self._is_solo = False
        self._with_text, self._with_notes, self._with_steps = False, False, False
        self._steps: dict[DeckId, tuple[Mapping[int, Sequence[str]] | None, str]] = {}
        self._is_arranging = False
        self._is_tight = False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewing = Viewing({})
        self.grid = PaneGrid()
        self.sheet = Panel("Contact sheet", " ")
        self.sheet.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.sheet_strip = FilmStrip(background, images, thumb_px=SHEET_THUMB_PX, is_grid=True)
        self.sheet.set_body(self.sheet_strip, margin=8)
        self.sheet_close = KeyCapButton("Close", "Esc", is_compact=True)
        self.sheet.head.add_control(self.sheet_close)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.sheet)
        self.sheet_close.clicked.connect(self.close_sheet)
        self.sheet_strip.slide_picked.connect(self._on_sheet_picked)
        self.sheet_strip.slide_picked_for_all.connect(self._on_sheet_picked)

    # what is shown

    @property
    def decks(self) -> tuple[DeckOnView, ...]:
        """The decks in their order."""
        return tuple(self._decks.values())

    @property
    def focused(self) -> DeckId | None:
        """The deck that keys go to."""
        return self._focused

    @property
    def shown(self) -> tuple[DeckId, ...]:
        """The decks that have a pane now."""
        return tuple(self._panes)

    @property
    def is_wall(self) -> bool:
        """Whether every deck is shown at once, one slide each."""
        return self._is_wall

    @property
    def shows_text(self) -> bool:
        """Whether the slides' text is shown below them."""
        return self._with_text

    @property
    def shows_notes(self) -> bool:
        """Whether the speaker notes are shown."""
        return self._with_notes

    @property
    def has_sheet(self) -> bool:
        """Whether the contact sheet is open."""
        return self._stack.currentWidget() is self.sheet

    def deck(self, deck_id: DeckId | str | None) -> DeckOnView | None:
        """Return a deck on the stage."""
        return self._decks.get(DeckId(deck_id)) if deck_id else None

    def pane(self, deck_id: DeckId) -> DeckPane | None:
        """Return the pane of a deck, if it has one now."""
        return self._panes.get(deck_id)

    def show_decks(self, decks: Sequence[DeckOnView], *, keeps_place: bool = False) -> None:
        """Show these decks from their first slide, or where they stood if `keeps_place`."""
        old, focused = self.viewing, self._focused
        self._decks = {deck.id: deck for deck in decks}
        self._ranks = {}
        self._marks = {}
        self._steps = {deck: steps for deck, steps in self._steps.items() if keeps_place and deck in self._decks}
        mode = old.mode
        self.viewing = Viewing({deck.id: len(deck.slides) for deck in decks}, mode)
        if keeps_place:
            self.viewing.position = old.position
            for deck in set(old.decks) & set(self._decks):
                here = old.slide(deck)
                if here is not None:
                    self.viewing.show_alone(deck, here)
                self.viewing.set_zoom(deck, old.zoom(deck))
        self._latest = list(self._decks)
        self._focused = focused if keeps_place and focused in self._decks else next(iter(self._decks), None)
        aspects = [deck.aspect for deck in decks if not deck.failure]
        self.grid.set_aspect(max(aspects, default=16 / 9))
        self.close_sheet()
        self._rebuild()
        if self._focused is not None:
            self.focus_changed.emit(self._focused)

    def clear(self) -> None:
        """Show no deck."""
        self.show_decks(())

    def set_extra(self, panel: QWidget | None) -> None:
        """Give a further panel, such as the source, a place among the panes; it stays the caller's."""
        if panel is not self._extra:
            self._free_extra()
            self._extra = panel
            self._arrange()

    def set_rank(self, ranks: dict[DeckId, str]) -> None:
        """Show these ranks in the heads of the panes."""
        self._ranks = dict(ranks)
        for deck_id, pane in self._panes.items():
            pane.set_rank(self._ranks.get(deck_id, ""))

    def set_marks(self, marks: Mapping[DeckId, Mapping[int, str]]) -> None:
        """Mark slides in strips and contact sheet, by deck and number: ok, bad, warn or alert."""
        found = {deck: dict(of_deck) for deck, of_deck in marks.items()}
        if found == self._marks:
            return
        self._marks = found
        for deck_id, pane in self._panes.items():
            pane.set_marks(self._marks.get(deck_id, {}))
        if self.has_sheet and self._focused is not None:
            for slide in strip_slides(self._decks[self._focused], self._marks.get(self._focused)):
                self.sheet_strip.replace(slide)

    # what keys and buttons do

    def focus(self, deck_id: DeckId, *, takes_keyboard: bool = True) -> None:
        """Send keys to a deck and bring its pane into sight."""
        if deck_id not in self._decks:
            return
        has_changed = deck_id != self._focused
        self._focused = deck_id
        if deck_id in self._latest:
            self._latest.remove(deck_id)
        self._latest.insert(0, deck_id)
        if deck_id not in self._panes or self._is_solo:
            self._arrange()
        self._mark_focus()
        if takes_keyboard and deck_id in self._panes and not self._panes[deck_id].hasFocus():
            self._panes[deck_id].setFocus(Qt.FocusReason.OtherFocusReason)
        if has_changed:
            if self.has_sheet:
                self.open_sheet()
            self.focus_changed.emit(deck_id)

    def focus_place(self, place: int) -> None:
        """Focus the deck at a place, from 0."""
        if place < len(self._decks):
            self.focus(list(self._decks)[place])

    def focus_step(self, by: int) -> None:
        """Focus the next (+1) or the previous (−1) deck, round and round."""
        order = list(self._decks)
        if self._focused in order:
            self.focus(order[(order.index(self._focused) + by) % len(order)])

    def step(self, by: int) -> None:
        """Go some slides on or back."""
        if self._focused is not None:
            self.viewing.step(self._focused, by)
            self._show_places()

    def first(self) -> None:
        """Go to the first slide."""
        if self._focused is not None:
            self.viewing.first(self._focused)
            self._show_places()

    def last(self) -> None:
        """Go to the last slide of the focused deck."""
        if self._focused is not None:
            self.viewing.last(self._focused)
            self._show_places()

    def show_slide(self, deck_id: DeckId, number: int) -> None:
        """Go to a slide of a deck, which gets the focus; the others follow as the sync says."""
        if deck_id in self._decks:
            self.focus(deck_id)
            self.viewing.show(deck_id, number)
            self._show_places()

    def next_sync(self) -> None:
        """Go to the next sync mode."""
        if self._focused is not None:
            self.viewing.choose(NEXT_MODE[self.viewing.mode], self._focused)
            self._show_zooms()
            self._show_places()

    def align(self) -> None:
        """Bring all decks to the slide number of the focused one."""
        if self._focused is not None:
            self.viewing.align(self._focused)
            self._show_places()

    def zoom_by(self, factor: float) -> None:
        """Zoom the focused deck, and the others with it if the sync says so."""
        pane = self._panes.get(self._focused)
        if pane is not None:
            pane.view.zoom_by(factor)

    def zoom_fit(self) -> None:
        """Show whole slides."""
        self._zoom_to(1.0)

    def zoom_actual(self) -> None:
        """Show the focused slide with one pixel of its picture on one of the screen; the others by the same factor."""
        pane = self._panes.get(self._focused)
        if pane is None or pane.deck is None:
            return
        slide = next((slide for slide in pane.deck.slides if slide.number == pane.number), None)
        width_px = (slide.width_px if slide else 0) or 1280
        self._zoom_to(width_px / (pane.view.fit_rect().width() * pane.view.devicePixelRatioF()))

    def toggle_wall(self) -> None:
        """Show every deck at once with one slide each, or go back to panes."""
        self._is_wall = not self._is_wall
        self._is_solo = False
        self._rebuild()
        self.moved.emit()

    def toggle_solo(self) -> None:
        """Give the whole room to the focused deck, or show the others again."""
        self._is_solo = not self._is_solo
        self._arrange()

    def toggle_text(self) -> None:
        """Show or hide the slides' text."""
        self._with_text = not self._with_text
        self._show_texts()

    def toggle_notes(self) -> None:
        """Show or hide the speaker notes."""
        self._with_notes = not self._with_notes
        self._show_texts()

    @property
    def shows_steps(self) -> bool:
        """Whether the animation steps are shown."""
        return self._with_steps

    def toggle_steps(self) -> None:
        """Show or hide the animation steps; what they are is said with `set_steps`."""
        self._with_steps = not self._with_steps
        self._show_texts()
        self.moved.emit()

    def set_steps(self, deck_id: DeckId, steps: Mapping[int, Sequence[str]] | None, why_none: str = "") -> None:
        """Take the animation steps of a deck by slide number, or why there are none."""
        self._steps[deck_id] = (steps, why_none)
        if deck_id in self._panes:
            self._panes[deck_id].set_steps(steps, why_none)

    def has_steps(self, deck_id: DeckId) -> bool:
        """Return whether the steps of a deck were said."""
        return deck_id in self._steps

    def toggle_sheet(self) -> None:
        """Open or close the contact sheet of the focused deck."""
        if self.has_sheet:
            self.close_sheet()
        else:
            self.open_sheet()

    def open_sheet(self) -> None:
        """Show all slides of the focused deck."""
        deck = self.deck(self._focused)
        if deck is None or not deck.slides:
            return
        self.sheet.set_title(deck.name, f"{len(deck.slides)} slides")
        self.sheet_strip.set_slides(strip_slides(deck, self._marks.get(deck.id)), aspect=deck.aspect)
        self._stack.setCurrentWidget(self.sheet)
        self.sheet.setFocus(Qt.FocusReason.OtherFocusReason)
        self.sheet_strip.set_current(self.viewing.slide(deck.id) or 0)

    @Slot()
    def close_sheet(self) -> None:
        """Go back to the panes."""
        if self.has_sheet:
            self._stack.setCurrentWidget(self.grid)
            self._refocus()

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._arrange()

    # arranging

    def _chrome(self) -> Chrome:
        if self._is_wall:
            return COMPACT_CHROME
        usual = Chrome()
        return Chrome(
            usual.width, usual.height + (TEXT_PX if self._with_text or self._with_notes or self._with_steps else 0)
        )

    def _seats(self) -> int:
        """Return how many decks fit with slides of a fair size."""
        total = len(self._decks)
        if self._shows_all or self._is_wall:
            return total
        extra = 1 if self._extra is not None else 0
        least = min(SMALLEST_SLIDE_PX, SMALLEST_SHARE * self.width())
        for seats in range(total, 2, -1):
            chrome = self._chrome()
            grid = best_grid(seats + extra, self.width(), self.height(), chrome=chrome)
            width, height = self._room(grid, chrome)
            if min(width, height * 16 / 9) >= least:
                return seats
        return min(total, 2)

    def _rebuild(self) -> None:
        """Give every deck a pane anew; panes of the same kind are used again, which is far quicker."""
        had_keyboard = self._has_keyboard()
        self._spare = [pane for pane in self._panes.values() if pane.is_compact == self._is_wall]
        self._panes = {}
        self._arrange(had_keyboard=had_keyboard)
        self._spare = []

    def _has_keyboard(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or any(pane.isAncestorOf(focus) or pane is focus
                                                           for pane in self._panes.values()))  # fmt: skip

    def _arrange(self, *, had_keyboard: bool = False) -> None:
        """Give the decks that fit a pane each, keeping those that have one."""
        had_keyboard = had_keyboard or self._has_keyboard()
        if had_keyboard:
            # Else Qt hands the focus of a pane that goes to the next one, as if the user had chosen it.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        wanted = self._wanted()
        if wanted != list(self._panes):
            self._panes = {deck: self._panes.get(deck) or self._new_pane(deck) for deck in wanted}
        extra = [self._seat_of_extra()] if self._extra is not None else []
        panes = [*self._panes.values(), *extra]
        if panes:
            self._choose_chrome(len(panes))
        if panes != self.grid.panes():
            self.grid.set_panes(panes)
        self._show_places()
        self._show_zooms()
        self._mark_focus()
        if had_keyboard:
            self._refocus()

    def _wanted(self) -> list[DeckId]:
        if self._is_solo and self._focused is not None:
            return [self._focused]
        staying = [deck for deck in self._latest if deck in self._panes]
        order = [deck for deck in (self._focused, *staying, *self._latest) if deck is not None]
        chosen = set(list(dict.fromkeys(order))[: self._seats()])
        return [deck for deck in self._decks if deck in chosen]

    def _choose_chrome(self, panes: int) -> None:
        """Where slides would come out tiny, film strips make room for them."""
        chrome = self._chrome()
        grid = best_grid(panes, self.width(), self.height(), chrome=chrome)
        width, height = self._room(grid, chrome)
        self._is_tight = not self._is_wall and min(width, height * 16 / 9) < TIGHT_SLIDE_PX
        for pane in self._panes.values():
            pane.set_tight(self._is_tight)
        self.grid.set_chrome(Chrome(chrome.width, chrome.height - STRIP_PX) if self._is_tight else chrome)

    def _room(self, grid: Grid, chrome: Chrome) -> tuple[float, float]:
        """Return width and height that a slide has in such a grid, in logical pixels."""
        width = (self.width() - GAP_PX * (grid.columns - 1)) / grid.columns - chrome.width
        return width, (self.height() - GAP_PX * (grid.rows - 1)) / grid.rows - chrome.height

    def _seat_of_extra(self) -> QWidget:
        # The grid deletes what it no longer shows; the seat may go, the panel in it is the caller's.
        if self._extra_seat is None:
            self._extra_seat = QWidget()
            column = QVBoxLayout(self._extra_seat)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(self._extra)
            self._extra.show()
        return self._extra_seat

    def _free_extra(self) -> None:
        if self._extra is not None:
            self._extra.hide()
            self._extra.setParent(self)
        self._extra_seat = None

    def _new_pane(self, deck_id: DeckId) -> DeckPane:
        place = list(self._decks).index(deck_id)
        pane = self._spare.pop(0) if self._spare else self._made_pane()
        pane.set_key(f"Ctrl+{place + 1}" if place < FOCUS_KEYS else "")
        pane.show_deck(self._decks[deck_id])
        pane.set_rank(self._ranks.get(deck_id, ""))
        pane.set_marks(self._marks.get(deck_id, {}))
        pane.set_steps(*self._steps.get(deck_id, (None, "")))
        pane.set_text_shown(with_text=self._with_text, with_notes=self._with_notes, with_steps=self._with_steps)
        return pane

    def _made_pane(self) -> DeckPane:
        pane = DeckPane(self._background, self._images, is_compact=self._is_wall)
        pane.focus_gained.connect(self._on_focus_gained)
        pane.slide_picked.connect(self._on_slide_picked)
        pane.slide_picked_for_all.connect(self._on_slide_picked_for_all)
        pane.step_asked.connect(self._on_step_asked)
        pane.zoom_picked.connect(self._on_zoom_picked)
        pane.phrase_picked.connect(self.phrase_picked)
        pane.retried.connect(self.retried)
        return pane

    def _refocus(self) -> None:
        pane = self._panes.get(self._focused)
        if pane is not None and self.isVisible():
            pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def _mark_focus(self) -> None:
        for deck_id, pane in self._panes.items():
            pane.set_focused(deck_id == self._focused)

    def _show_places(self) -> None:
        for deck_id, pane in self._panes.items():
            pane.show_slide(self.viewing.slide(deck_id))
            pane.set_offset(self.viewing.offset(deck_id) if self.viewing.mode is not SyncMode.OFF else 0)
        if self.has_sheet and self._focused is not None:
            self.sheet_strip.set_current(self.viewing.slide(self._focused) or 0)
        self.moved.emit()

    def _show_zooms(self) -> None:
        for deck_id, pane in self._panes.items():
            zoom = self.viewing.zoom(deck_id)
            pane.view.set_zoom(zoom.factor, QPointF(zoom.x, zoom.y))

    def _show_texts(self) -> None:
        for pane in self._panes.values():
            pane.set_text_shown(with_text=self._with_text, with_notes=self._with_notes, with_steps=self._with_steps)
        self._arrange()

    def _zoom_to(self, factor: float) -> None:
        if self._focused is not None:
            self.viewing.set_zoom(self._focused, Zoom(factor=factor))
            self._show_zooms()
            self.moved.emit()

    # what panes tell

    @Slot(str)
    def _on_focus_gained(self, deck_id: str) -> None:
        self.focus(DeckId(deck_id))

    @Slot(str, int)
    def _on_slide_picked(self, deck_id: str, number: int) -> None:
        self.viewing.show_alone(DeckId(deck_id), number)
        self._show_places()

    @Slot(str, int)
    def _on_slide_picked_for_all(self, deck_id: str, number: int) -> None:
        self.viewing.show(DeckId(deck_id), number)
        self._show_places()

    @Slot(str, int)
    def _on_step_asked(self, deck_id: str, by: int) -> None:
        self.viewing.step(DeckId(deck_id), by)
        self._show_places()

    @Slot(str, float, QPointF)
    def _on_zoom_picked(self, deck_id: str, factor: float, centre: QPointF) -> None:
        zoom = Zoom(factor=factor, x=centre.x(), y=centre.y())
        for other in self.viewing.set_zoom(DeckId(deck_id), zoom):
            if other in self._panes:
                self._panes[other].view.set_zoom(factor, centre)
        self.moved.emit()

    @Slot(int)
    def _on_sheet_picked(self, number: int) -> None:
        focused = self._focused
        self.close_sheet()
        if focused is not None:
            self.viewing.show(focused, number)
            self._show_places()
