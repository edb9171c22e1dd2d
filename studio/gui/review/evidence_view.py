"""Both sides' evidence side by side: the slides that each cites, and below them the pages of the sources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from studio.actions.review_evidence import OpenCase, Place
from studio.actions.sources import SourceReader
from studio.gui.context import AppContext
from studio.gui.review.words import SAID_GLYPHS, SAID_WORDS, tone_of
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.deck_pane import DeckPane
from studio.gui.widgets.slide_view import ZOOM_STEP, Box
from studio.gui.widgets.source_panel import SourcePanel
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import DeckId
from studio.model.reviews import CaseKind

SIDES = 2


class EvidenceView(QWidget):
    """Two panes and the sources; it shows places and says what the user draws."""

    slide_shown = Signal(int, int)
    """The pane, from 0, and the slide that it shows now."""
    box_drawn = Signal(int, QRectF)
    """The pane, and a box in shares of the slide."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._project: Any = context.project
        self.opened: OpenCase | None = None
        self._numbers = [0] * SIDES
        self._focused = 0
        self._own: tuple[EvidenceBox, ...] = ()
        self._drafts: QRectF | None = None
        self.panes = [DeckPane(context.background, context.images) for _ in range(SIDES)]
        self.badges = [Badge() for _ in range(SIDES)]
        reader = SourceReader(context.project, context.passwords)
        self.sources = [SourcePanel(context.background, reader, search_key="Ctrl+F") for _ in range(SIDES)]
        decks, pages = QWidget(), QWidget()
        for holder, widgets in ((decks, self.panes), (pages, self.sources)):
            row = QHBoxLayout(holder)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(12)
            for widget in widgets:
                row.addWidget(widget, 1)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(12)
        self.split.addWidget(decks)
        self.split.addWidget(pages)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self.split.setSizes([460, 300])
        column = QHBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.split)
        for place, pane in enumerate(self.panes):
            pane.head.add_badge(self.badges[place])
            pane.set_key(f"Ctrl+{place + 1}")
            pane.focus_gained.connect(partial(self._on_focus_gained, place))
            pane.slide_picked.connect(partial(self._on_slide_picked, place))
            pane.slide_picked_for_all.connect(partial(self._on_slide_picked, place))
            pane.step_asked.connect(partial(self._on_step_asked, place))
            pane.zoom_picked.connect(partial(self._on_zoom_picked, place))
            pane.phrase_picked.connect(self._on_phrase_picked)
            pane.view.box_drawn.connect(partial(self.box_drawn.emit, place))

    # what is shown

    @property
    def focused(self) -> int:
        """The pane that keys go to, from 0."""
        return self._focused

    def slide(self, pane: int) -> int:
        """Return the slide that a pane shows, from 1; 0 if none."""
        return self._numbers[pane]

    def deck(self, pane: int) -> DeckId | None:
        """Return the deck of a pane."""
        return self.opened.panes[pane].id if self.opened is not None else None

    def show_case(self, opened: OpenCase, own: Sequence[EvidenceBox]) -> None:
        """Show a case at the places that its sides cite; the case that is shown already keeps its slides."""
        is_same = self.opened is not None and self.opened.entry.case.id == opened.entry.case.id
        self.opened, self._own, self._drafts = opened, tuple(own), None
        is_pair = opened.entry.case.kind is CaseKind.PAIR
        for place, pane in enumerate(self.panes):
            pane.show_deck(opened.panes[place])
            if not is_same:
                self._numbers[place] = opened.slides[place]
            side = opened.sides[place] if not is_pair and place < len(opened.sides) else None
            badge = self.badges[place]
            badge.set_text(SAID_WORDS.get(side.says, side.says) if side is not None else "", self._tone(side))
            badge.setVisible(side is not None)
            pane.set_marks(self._marks(place))
            self._show(place)
        # Who alone says something has nobody at the other side: one pane is enough.
        self.panes[1].setVisible(is_pair or len(opened.sides) > 1)
        names = {pane.id: pane.name for pane in opened.panes}
        quotes = [self._quotes(place) for place in range(SIDES)]
        self.sources[1].setVisible(bool(quotes[1]))
        for place, source in enumerate(self.sources):
            # A long source takes its reader a while. A panel that is not shown does not wait for it beside the other:
            # all that the window reads shares a few threads.
            is_shown = place == 0 or bool(quotes[place])
            source.show_instance(self._project, opened.entry.case.instance_id if is_shown else None, names)
        if not is_same:
            for place, of_side in enumerate(quotes):
                if of_side:
                    self.sources[place].show_quote(of_side[0])
            self.focus(0, takes_keyboard=False)

    def set_own(self, boxes: Sequence[EvidenceBox]) -> None:
        """Outline the places that the reviewer marked."""
        self._own = tuple(boxes)
        for place in range(SIDES):
            self._show_boxes(place)

    def set_draft(self, box: QRectF | None) -> None:
        """Outline a box that is being placed on the focused pane."""
        self._drafts = box
        self._show_boxes(self._focused)

    def show_place(self, pane: int, number: int) -> None:
        """Show a slide in a pane, which gets the focus."""
        if self.opened is None:
            return
        self._numbers[pane] = number
        self.focus(pane, takes_keyboard=False)
        self._show(pane)

    def show_quote(self, pane: int, quote: SourceQuote) -> None:
        """Show where a side's quote stands in its source."""
        panel = self.sources[pane] if not self.sources[pane].isHidden() else self.sources[0]
        panel.show_quote(quote)

    def clear(self) -> None:
        """Let go of what is read."""
        self.opened = None
        for source in self.sources:
            source.stop()

    # what keys do

    def focus(self, pane: int, *, takes_keyboard: bool = True) -> None:
        """Send keys to a pane."""
        self._focused = pane if not self.panes[pane].isHidden() else 0
        for place, each in enumerate(self.panes):
            each.set_focused(place == self._focused)
        if takes_keyboard and not self.panes[self._focused].hasFocus():
            self.panes[self._focused].setFocus(Qt.FocusReason.OtherFocusReason)

    def step(self, by: int) -> None:
        """Go some slides on or back in the focused pane."""
        self._on_step_asked(self._focused, "", by)

    def to_end(self, by: int) -> None:
        """Go to the first (−1) or the last (+1) slide."""
        numbers = self._all_numbers(self._focused)
        if numbers:
            self.show_place(self._focused, numbers[0 if by < 0 else -1])

    def zoom_in(self) -> None:
        """Zoom the focused pane in."""
        self.panes[self._focused].view.zoom_by(ZOOM_STEP)

    def zoom_out(self) -> None:
        """Zoom the focused pane out."""
        self.panes[self._focused].view.zoom_by(1 / ZOOM_STEP)

    def zoom_fit(self) -> None:
        """Show whole slides in both panes."""
        for pane in self.panes:
            pane.view.set_zoom(1.0)

    def find(self) -> None:
        """Search decks and sources."""
        self.sources[0].focus_search()

    # inside

    def _all_numbers(self, pane: int) -> list[int]:
        return [slide.number for slide in self.opened.panes[pane].slides] if self.opened is not None else []

    def _quotes(self, pane: int) -> list[SourceQuote]:
        sides = self.opened.sides if self.opened is not None else ()
        return [quote for each in sides[pane].statements for quote in each.quotes] if pane < len(sides) else []

    def _tone(self, side: Any) -> str:
        tone = tone_of(side.says) if side is not None else ""
        return tone if tone in SAID_GLYPHS else ""

    def _marks(self, pane: int) -> dict[int, str]:
        assert self.opened is not None
        return {place.box.slide: "alert" for place in self.opened.places_on(pane)}

    def _show(self, pane: int) -> None:
        numbers = self._all_numbers(pane)
        number = self._numbers[pane]
        self.panes[pane].show_slide(number if number in numbers else None)
        self._show_boxes(pane)
        self.slide_shown.emit(pane, number)

    def _show_boxes(self, pane: int) -> None:
        if self.opened is None:
            return
        number, opened = self._numbers[pane], self.opened
        is_pair = opened.entry.case.kind is CaseKind.PAIR
        tone = "overlay_box"
        if not is_pair and pane < len(opened.sides):
            tone = tone_of(opened.sides[pane].says) or tone
        places: tuple[Place, ...] = opened.places_on(pane)
        boxes = [Box(rect=_rect(each.box), tone=tone) for each in places if each.box.slide == number]
        if not is_pair or pane == 0:
            boxes += [
                Box(rect=_rect(box), tone="accent", label="review") for box in self._own if box.slide == number
            ]  # fmt: skip
        if self._drafts is not None and pane == self._focused:
            boxes.append(Box(rect=self._drafts, tone="accent", label="Enter keeps"))
        self.panes[pane].view.set_boxes(boxes)

    def _on_focus_gained(self, pane: int, _deck: str) -> None:
        self.focus(pane)

    def _on_slide_picked(self, pane: int, _deck: str, number: int) -> None:
        self.show_place(pane, number)

    def _on_step_asked(self, pane: int, _deck: str, by: int) -> None:
        numbers = self._all_numbers(pane)
        if not numbers:
            return
        here = numbers.index(self._numbers[pane]) if self._numbers[pane] in numbers else 0
        self.show_place(pane, numbers[max(0, min(here + by, len(numbers) - 1))])

    def _on_zoom_picked(self, pane: int, _deck: str, factor: float, centre: QPointF) -> None:
        self.panes[pane].view.set_zoom(factor, centre)

    @Slot(str, int, str)
    def _on_phrase_picked(self, _deck: str, number: int, phrase: str) -> None:
        self.sources[0].find_phrase(phrase, f"slide {number}")


def _rect(box: EvidenceBox) -> QRectF:
    return QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
