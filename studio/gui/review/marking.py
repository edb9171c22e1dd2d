"""Marking where on the slides and in the sources a decision rests, by keys or by mouse."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRectF, Qt, Slot

from studio.gui.box_draft import BoxDraft, box_on
from studio.gui.review.decision_panel import DecisionPanel
from studio.gui.review.evidence_view import EvidenceView
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.reviews import Review

Store = Callable[[tuple[EvidenceBox, ...], tuple[SourceQuote, ...]], object]


class Marking(QObject):
    """Keeps the box that is being placed; what is marked is stored by the page.

    Args:
        evidence: the panes on which places are marked.
        panel: lists the marked places and takes them away.
        review: what stands about the case that is shown.
        store: stores the places of the decision in place of those that it had.
        set_placing: told whether a box is being placed, so that keys mean another thing.
        say: shows one short line.
        parent: the page.
    """

    def __init__(
        self,
        evidence: EvidenceView,
        panel: DecisionPanel,
        *,
        review: Callable[[], Review | None],
        store: Store,
        set_placing: Callable[[bool], None],
        say: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._evidence, self._review, self._store = evidence, review, store
        self._set_placing, self._say = set_placing, say
        self._box = BoxDraft()
        self.is_locked = False
        """Whether nothing can be marked, since the project is read-only."""
        panel.slide_button.clicked.connect(self.add_slide)
        panel.place_dropped.connect(self._on_place_dropped, Qt.ConnectionType.QueuedConnection)
        panel.quote_dropped.connect(self._on_quote_dropped, Qt.ConnectionType.QueuedConnection)
        evidence.box_drawn.connect(self._on_box_drawn)

    @property
    def is_placing(self) -> bool:
        """Whether a box is being placed."""
        return self._box.rect is not None

    @Slot()
    def add_slide(self) -> None:
        """Name the slide that the focused pane shows as what the decision rests on."""
        number = self._slide()
        if number:
            self._store((*self._boxes(), EvidenceBox(slide=number)), self._quotes())

    def begin_box(self) -> None:
        """Place a box: a drag draws it, or arrow keys move and Shift with arrow keys stretch it; Enter keeps it."""
        if not self.is_locked and self._slide():
            self._box.begin()
            self._set_placing(True)
            self._evidence.panes[self._evidence.focused].view.set_drawing(True)
            self._evidence.set_draft(self._box.rect)

    def move_box(self, x: int, y: int) -> None:
        """Move the box that is being placed, within the slide."""
        if self.is_placing:
            self._box.move(x, y)
            self._evidence.set_draft(self._box.rect)

    def size_box(self, x: int, y: int) -> None:
        """Stretch the box that is being placed, within the slide."""
        if self.is_placing:
            self._box.stretch(x, y)
            self._evidence.set_draft(self._box.rect)

    def keep_box(self) -> None:
        """Store the box that is being placed."""
        box, number = self._box.rect, self._slide()
        self.end_box()
        if box is not None and number:
            self._store((*self._boxes(), box_on(number, box)), self._quotes())

    def end_box(self) -> None:
        """Let go of the box that is being placed."""
        if not self.is_placing:
            return
        self._box.take()
        for pane in self._evidence.panes:
            pane.view.set_drawing(False)
        self._evidence.set_draft(None)
        self._set_placing(False)

    def add_quote(self) -> None:
        """Name the source page that is shown, with the words selected on it, as what the decision rests on."""
        place = self._evidence.sources[0].place_shown() if self._evidence.opened is not None else None
        if place is None:
            self._say("No source page is shown.")
            return
        quote = SourceQuote(source=place[0], page=place[1], quote=place[2])
        self._store(self._boxes(), (*self._quotes(), quote))

    def drop_last(self) -> None:
        """Take the last box away, or else the last quote."""
        if self._boxes():
            self._store(self._boxes()[:-1], self._quotes())
        elif self._quotes():
            self._store((), self._quotes()[:-1])

    def _boxes(self) -> tuple[EvidenceBox, ...]:
        review = self._review()
        return review.boxes if review is not None else ()

    def _quotes(self) -> tuple[SourceQuote, ...]:
        review = self._review()
        return review.quotes if review is not None else ()

    def _slide(self) -> int:
        """Return the slide that can be marked, 0 for none; of a pair places are marked on A alone."""
        opened, pane = self._evidence.opened, self._evidence.focused
        if opened is None:
            return 0
        if self._evidence.deck(pane) != opened.entry.case.deck_id:
            self._say("Places are marked on deck A. Ctrl+1 goes there.")
            return 0
        return self._evidence.slide(pane)

    @Slot(int, QRectF)
    def _on_box_drawn(self, pane: int, box: QRectF) -> None:
        if self.is_placing:
            self._evidence.focus(pane)
            self._box.begin(box)
            self.keep_box()

    @Slot(int)
    def _on_place_dropped(self, number: int) -> None:
        boxes = self._boxes()
        self._store((*boxes[:number], *boxes[number + 1 :]), self._quotes())

    @Slot(int)
    def _on_quote_dropped(self, number: int) -> None:
        quotes = self._quotes()
        self._store(self._boxes(), (*quotes[:number], *quotes[number + 1 :]))
