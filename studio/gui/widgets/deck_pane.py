"""One deck in a pane: head, slide, what is wrong with it, its text if asked for, and the film strip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QPolygonF, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from studio.actions.viewing import DeckOnView
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.keycap import KeyCap
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.restyle import set_style_property
from studio.gui.widgets.slide_view import Box, SlideView
from studio.model.decks import Slide, slide_file_name, thumb_file_name
from studio.model.ids import DeckId

TEXT_PX = 84
"""Height of the slide's text below the picture."""
PICK_MS = 300
"""A selection that has not changed for this long is what the user wants to find."""
NARROW_PX = 260
"""Below this width the head shows "4 / 14" in place of "slide 4 / 14", and no key cap."""


class DeckPane(Panel):
    """Shows one slide of one deck. Where it stands is said by others; it only tells what the user asks for."""

    focus_gained = Signal(str)
    """Deck id: the pane was clicked, or Tab came here."""
    slide_picked = Signal(str, int)
    """Deck id and slide number that this deck alone should show."""
    slide_picked_for_all = Signal(str, int)
    step_asked = Signal(str, int)
    """Deck id and +1 or -1."""
    zoom_picked = Signal(str, float, QPointF)
    """Deck id, zoom relative to fit and the point in the middle, 0 to 1."""
    phrase_picked = Signal(str, int, str)
    """Deck id, slide number and the text that was selected."""
    retried = Signal(str)

    def __init__(self, background: Background, images: ImageCache, *, is_compact: bool = False) -> None:
        super().__init__(" ")
        self.deck: DeckOnView | None = None
        self._number: int | None = None
        self.is_compact = is_compact
        self._with_text, self._with_notes, self._with_steps = False, False, False
        self._steps: Mapping[int, Sequence[str]] | None = None
        self._why_no_steps = ""
        self._is_tight = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.rank_badge = Badge()
        self.hidden_badge = Badge()
        self.offset_badge = Badge()
        self.head.add_badge(self.rank_badge)
        self.head.add_control(self.hidden_badge)
        self.head.add_control(self.offset_badge)
        self._key = ""
        self._cap = KeyCap("")
        self.head.add_control(self._cap)
        self.view = SlideView(background, images, margin=6 if is_compact else 12)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.notice = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.notice.setProperty("tone", "caption")
        self.notice.setContentsMargins(12, 0, 12, 4)
        self.notice.setFixedHeight(22)
        self.notice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFixedHeight(TEXT_PX)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setStyleSheet("border: 0; padding: 4px 8px;")
        self.text.setTabChangesFocus(True)
        self.text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.strip = FilmStrip(background, images)
        self._strip_line, self._text_line = hairline(), hairline()
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.notice)
        column.addWidget(self._text_line)
        column.addWidget(self.text)
        column.addWidget(self._strip_line)
        column.addWidget(self.strip)
        self.set_body(body)
        self._pick = QTimer(self)
        self._pick.setSingleShot(True)
        self._pick.setInterval(PICK_MS)
        self._pick.timeout.connect(self._on_selection_settled)
        self.text.selectionChanged.connect(self._pick.start)
        self.view.clicked.connect(self._on_view_clicked)
        self.view.point_clicked.connect(self._on_point_clicked)
        self.view.zoom_changed.connect(self._on_zoomed)
        self.view.centre_changed.connect(self._on_centred)
        self.view.page_asked.connect(self._on_page_asked)
        self.view.retried.connect(self._on_retried)
        self.strip.slide_picked.connect(self._on_slide_picked)
        self.strip.slide_picked_for_all.connect(self._on_slide_picked_for_all)
        self.set_text_shown(with_text=False, with_notes=False)

    def set_key(self, key: str) -> None:
        """Show the key that focuses this pane."""
        self._key = key
        self._cap.set_text("" if self.width() < NARROW_PX else key)

    @property
    def number(self) -> int | None:
        """The slide shown, or None where this deck has none."""
        return self._number

    def show_deck(self, deck: DeckOnView) -> None:
        """Show another deck; the slide is said by `show_slide`."""
        self.deck = deck
        self._number = -1
        self.head.set_title(deck.name)
        self.setAccessibleName(f"Deck {deck.name}")
        self.strip.set_slides([_strip_slide(deck, slide) for slide in deck.slides], aspect=deck.aspect)
        self._show_extras()

    def show_slide(self, number: int | None) -> None:
        """Show the slide with this number; None where the deck has none at the common place."""
        if self.deck is None or number == self._number:
            return
        self._number = number
        total = len(self.deck.slides)
        shown = "—" if number is None else str(number)
        narrow = self.width() < NARROW_PX
        facts = (f"{shown} / {total}" if narrow else f"slide {shown} / {total}") if total else ""
        self.head.set_facts(facts)
        # A long name gives way to the slide number, not the other way round.
        self.head.facts_label.setMinimumWidth(self.fontMetrics().horizontalAdvance(facts) + 2)
        slide = self._slide()
        self.hidden_badge.set_text("hidden" if slide is not None and slide.is_hidden else "")
        self.hidden_badge.setToolTip("This slide is hidden in the presentation.")
        self.strip.set_current(number or 0)
        self._show_picture(slide)
        self._show_words(slide)
        self.view.set_boxes(())

    def set_offset(self, offset: int) -> None:
        """Say how many slides this deck is ahead (+) or behind (−)."""
        self.offset_badge.set_text(f"offset {offset:+d}".replace("-", "−") if offset else "")
        self.offset_badge.setToolTip("Slides ahead of the others. Shift+L aligns them.")

    def set_rank(self, rank: str) -> None:
        """Show the rank that this deck has; empty if none."""
        self.rank_badge.set_text(rank)
        self.rank_badge.setToolTip(f"Ranked {rank}" if rank else "")

    def set_text_shown(self, *, with_text: bool, with_notes: bool, with_steps: bool = False) -> None:
        """Show or hide the slide's text, its speaker notes and its animation steps below the picture."""
        self._with_text, self._with_notes, self._with_steps = with_text, with_notes, with_steps
        self._show_extras()
        self._show_words(self._slide())

    def set_steps(self, steps: Mapping[int, Sequence[str]] | None, why_none: str = "") -> None:
        """Take the animation steps of the deck's slides by number; None with the reason where nothing is known."""
        self._steps, self._why_no_steps = steps, why_none
        self._show_words(self._slide())

    def set_tight(self, is_tight: bool) -> None:
        """Leave the film strip out, so that the slide has more room."""
        if is_tight != self._is_tight:
            self._is_tight = is_tight
            self._show_extras()

    def mark(self, phrase_box: QRectF | None) -> None:
        """Highlight a region of the slide, 0 to 1; None takes the mark away."""
        self.view.set_boxes([Box(rect=phrase_box, tone="highlight", is_filled=True)] if phrase_box else [])

    def outline(self, shapes: Sequence[Sequence[tuple[float, float]]]) -> None:
        """Outline shapes on the slide, each given by its corners, 0 to 1; none takes the outlines away."""
        boxes = []
        for shape in shapes:
            corners = tuple(QPointF(x, y) for x, y in shape)
            boxes.append(Box(rect=QPolygonF(corners).boundingRect(), tone="accent", corners=corners))
        self.view.set_boxes(boxes)

    def select_text(self, start: int, end: int, *, is_note: bool) -> None:
        """Select a part of the slide's text (offsets in it), where it is shown."""
        at = self._notes_start() if is_note else 0
        cursor = self.text.textCursor()
        cursor.setPosition(min(at + start, len(self.text.toPlainText())))
        cursor.setPosition(min(at + end, len(self.text.toPlainText())), QTextCursor.MoveMode.KeepAnchor)
        self.text.blockSignals(True)
        self.text.setTextCursor(cursor)
        self.text.blockSignals(False)

    def focusInEvent(self, event: QFocusEvent) -> None:  # @override
        super().focusInEvent(event)
        if self.deck is not None:
            self.focus_gained.emit(self.deck.id)

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self._cap.set_text("" if self.width() < NARROW_PX else self._key)

    def _slide(self) -> Slide | None:
        if self.deck is None or self._number is None:
            return None
        return next((slide for slide in self.deck.slides if slide.number == self._number), None)

    def _show_picture(self, slide: Slide | None) -> None:
        deck = self.deck
        if deck.failure:
            self.view.show_failed(deck.failure, deck.reason)
        elif slide is None:
            self.view.show_clamped()
        elif deck.folder is None or (slide.page is None and slide.number not in deck.drawn_hidden):
            words = "This slide is hidden and was not drawn" if slide.is_hidden else "This slide has no picture"
            self.view.show_empty(words)
        else:
            ratio = slide.width_px / slide.height_px if slide.width_px and slide.height_px else deck.aspect
            self.view.show_slide(
                deck.folder / slide_file_name(slide.number),
                thumbnail=deck.folder / thumb_file_name(slide.number),
                aspect=ratio,
                name=f"{deck.name}, slide {slide.number}",
            )
        self._show_notice()

    def _show_notice(self) -> None:
        deck = self.deck
        said = []
        for warning in deck.warnings:
            if warning.slide is None:
                said.append(warning.message)
            elif warning.slide == self._number:
                said.append(f"slide {warning.slide}: {warning.message}")
        if deck.missing_fonts:
            fonts = ", ".join(deck.missing_fonts)
            said.append(f"{'fonts' if len(deck.missing_fonts) > 1 else 'font'} replaced: {fonts}")
        self.notice.set_text(f"! {' · '.join(said)}" if said else "")
        set_style_property(self.notice, "tone", "caption")
        self.notice.setVisible(bool(said) and not self.is_compact)
        if self.is_compact:
            self.view.setToolTip(" · ".join(said))

    def _show_words(self, slide: Slide | None) -> None:
        parts = []
        if slide is not None and self._with_text:
            parts.append(slide.text or "No text on this slide")
        if slide is not None and self._with_notes:
            parts.append(f"Notes: {slide.notes}" if slide.notes else "No speaker notes")
        if slide is not None and self._with_steps:
            parts.append(self._steps_in_words(slide.number))
        words = "\n\n".join(parts)
        if words != self.text.toPlainText():
            self.text.blockSignals(True)
            self.text.setPlainText(words)
            self.text.blockSignals(False)

    def _steps_in_words(self, number: int) -> str:
        if self._steps is None:
            return self._why_no_steps or "Animation steps are being read"
        steps = self._steps.get(number, ())
        if not steps:
            return "No animation on this slide"
        return "\n".join(f"{place}. {step}" for place, step in enumerate(steps, start=1))

    def _notes_start(self) -> int:
        slide = self._slide()
        if slide is None or not self._with_notes:
            return 0
        text = f"{slide.text or 'No text on this slide'}\n\n" if self._with_text else ""
        return len(text) + len("Notes: ")

    def _show_extras(self) -> None:
        has_slides = self.deck is not None and bool(self.deck.slides)
        is_bare = self.is_compact or self._is_tight or (self.deck is not None and bool(self.deck.failure))
        with_strip = has_slides and not is_bare
        for widget in (self.strip, self._strip_line):
            widget.setVisible(with_strip)
        for widget in (self.text, self._text_line):
            widget.setVisible(self._shows_words() and not self.is_compact)

    def _shows_words(self) -> bool:
        return self._with_text or self._with_notes or self._with_steps

    def _deck_id(self) -> DeckId:
        return self.deck.id

    @Slot()
    def _on_view_clicked(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    @Slot(QPointF)
    def _on_point_clicked(self, at: QPointF) -> None:
        slide = self._slide()
        if slide is None or not slide.boxes or not self._with_text or self.is_compact:
            return
        for box in slide.boxes:
            if box.text and box.x0 <= at.x() <= box.x1 and box.y0 <= at.y() <= box.y1:
                start = slide.text.find(box.text)
                if start >= 0:
                    self.select_text(start, start + len(box.text), is_note=False)
                self.mark(QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0))
                self.phrase_picked.emit(self._deck_id(), slide.number, box.text)
                return

    @Slot()
    def _on_selection_settled(self) -> None:
        phrase = self.text.textCursor().selectedText().replace("\u2029", "\n").strip()
        if phrase and self._number is not None:
            self.phrase_picked.emit(self._deck_id(), self._number, phrase)

    @Slot(float)
    def _on_zoomed(self, zoom: float) -> None:
        self.zoom_picked.emit(self._deck_id(), zoom, self.view.centre)

    @Slot(QPointF)
    def _on_centred(self, centre: QPointF) -> None:
        self.zoom_picked.emit(self._deck_id(), self.view.zoom, centre)

    @Slot(int)
    def _on_page_asked(self, by: int) -> None:
        self.step_asked.emit(self._deck_id(), by)

    @Slot()
    def _on_retried(self) -> None:
        self.retried.emit(self._deck_id())

    @Slot(int)
    def _on_slide_picked(self, number: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.slide_picked.emit(self._deck_id(), number)

    @Slot(int)
    def _on_slide_picked_for_all(self, number: int) -> None:
        self.slide_picked_for_all.emit(self._deck_id(), number)


def strip_slides(deck: DeckOnView) -> Sequence[StripSlide]:
    """Return a deck's slides for a film strip or a contact sheet."""
    return [_strip_slide(deck, slide) for slide in deck.slides]


def _strip_slide(deck: DeckOnView, slide: Slide) -> StripSlide:
    has_picture = deck.folder is not None and (slide.page is not None or slide.number in deck.drawn_hidden)
    marks = {warning.slide for warning in deck.warnings}
    return StripSlide(
        number=slide.number,
        thumbnail=deck.folder / thumb_file_name(slide.number) if has_picture else None,
        is_hidden=slide.is_hidden,
        mark="alert" if slide.number in marks else "",
        failure="" if has_picture or slide.is_hidden else "not drawn",
    )
