"""One unit of a judge run to look into: what was asked at the left, words and pictures; what came back at the right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from studio.actions.judge_xray import ShownCall, ShownReply, UnitView
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.slide_view import Box, SlideView
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.model.checklists import EvidenceBox
from studio.model.runs import UnitStatus

MOST_LETTERS = 200_000
"""Of one text on the screen; a longer one is cut there and says so."""
TONES = {
    UnitStatus.OK: "", UnitStatus.REFUSED: "warn", UnitStatus.INCOMPLETE: "warn", UnitStatus.SKIPPED: "",
    UnitStatus.PARSE_ERROR: "bad", UnitStatus.API_ERROR: "bad", UnitStatus.TIMED_OUT: "bad",
    UnitStatus.TOOL_ERROR: "bad",
}  # fmt: skip
_VERDICT_TONES = {"yes": "ok", "no": "bad"}
_HASH = re.compile(r"#[0-9a-f]+")
_SLIDE = re.compile(r"\bslide (\d+)")


class CallPane(QWidget):
    """Shows the calls of one unit. Left and Right (or the strip) change the picture."""

    shown = Signal()
    """A unit, or the words in its place, is on the screen."""

    def __init__(self, background: Background, images: ImageCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._calls: tuple[ShownCall, ...] = ()
        self._boxes: tuple[EvidenceBox, ...] = ()
        self._picture = 0
        self._note = ""
        self._build(background, images)

    def _build(self, background: Background, images: ImageCache) -> None:
        self.call = QComboBox()
        self.call.setAccessibleName("Call")
        self.call.activated.connect(self._on_call_chosen)
        self.strip = FilmStrip(background, images)
        self.strip.slide_picked.connect(self.show_picture)
        self.slide = SlideView(background, images)
        self.slide.page_asked.connect(self.step)
        self.caption = ElidedLabel()
        self.caption.setProperty("tone", "caption")
        pictures = QWidget()
        column = QVBoxLayout(pictures)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.slide, 1)
        column.addWidget(self.caption)
        column.addWidget(self.strip)
        self.pictures = pictures
        self.words = _text("Words of the request")
        asked = QSplitter(Qt.Orientation.Vertical)
        asked.setChildrenCollapsible(False)
        asked.addWidget(pictures)
        asked.addWidget(self.words)
        asked.setSizes([320, 180])
        self.asked = Panel("Asked", " ")
        self.asked.set_body(asked, margin=8)
        self.asked.head.add_control(self.call)
        self.reply_choice = QComboBox()
        self.reply_choice.setAccessibleName("Reply")
        self.reply_choice.activated.connect(self._show_reply)
        self.raw = KeyCapButton("Raw", is_compact=True)
        self.raw.setCheckable(True)
        self.raw.setToolTip("The answer's JSON as the server sent it; keys are never in it.")
        self.raw.toggled.connect(self._show_reply)
        self.badges = QHBoxLayout()
        self.badges.setSpacing(4)
        self.reply = _text("Reply")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self.badges)
        column.addWidget(self.reply, 1)
        self.answered = Panel("Answered", " ")
        self.answered.set_body(body, margin=8)
        for control in (self.reply_choice, self.raw):
            self.answered.head.add_control(control)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.asked)
        split.addWidget(self.answered)
        split.setSizes([520, 400])
        self.split = split
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("No unit chosen", "Choose a unit to see what it was asked.", icon_name="search")
        self.failed = FailedState("The unit could not be read")
        self._layers = QStackedLayout(self)
        for layer in (self.split, self.loading, self.empty, self.failed):
            self._layers.addWidget(layer)
        self._layers.setCurrentWidget(self.empty)

    # what is shown

    def show_loading(self) -> None:
        """Show that a unit is being read."""
        self._layers.setCurrentWidget(self.loading)

    def show_words(self, title: str, words: str = "") -> None:
        """Show why there is no unit."""
        self._calls = ()
        self.empty.set_words(title, words)
        self._layers.setCurrentWidget(self.empty)
        self.shown.emit()

    def show_failed(self, error: BaseException) -> None:
        """Show why the unit could not be read."""
        self.failed.set_words("The unit could not be read", str(error))
        self._layers.setCurrentWidget(self.failed)
        self.shown.emit()

    def show_unit(self, view: UnitView) -> None:
        """Show a unit that was asked."""
        records = [each.record for each in view.verdicts]
        self._boxes = tuple(box for record in records for box in record.boxes)
        badges = []
        for record in records[:6]:
            words = record.verdict or record.status.value.replace("_", " ")
            tone = _VERDICT_TONES.get(record.verdict, TONES[record.status])
            badges.append((f"{record.item_id} {words}".strip() if len(records) > 1 else words, tone))
        if len(records) > 6:
            badges.append((f"and {len(records) - 6} more", ""))
        slides = sorted({box.slide for box in self._boxes})
        if slides:
            badges.append((f"slide{'s' if len(slides) > 1 else ''} {', '.join(map(str, slides[:8]))}", ""))
        self._note = view.note
        if view.calls:
            reply = view.calls[-1].replies[0] if view.calls[-1].replies else None
            if reply is not None:
                usage = sum(call.replies[0].input_tokens + call.replies[0].output_tokens for call in view.calls
                            if call.replies)  # fmt: skip
                cost = sum(call.replies[0].cost for call in view.calls if call.replies)
                badges += [(f"{usage:,} tokens", ""), (f"${cost:.4f}" if cost else "", "")]
            self._set_badges(badges)
            self._show_calls(view.calls)
        else:
            self.show_words("Nothing was replied", view.note)

    def show_requests(self, calls: Sequence[ShownCall]) -> None:
        """Show requests that were not sent yet."""
        self._boxes, self._note = (), ""
        self._set_badges([])
        self._show_calls(tuple(calls))

    @Slot(int)
    def show_picture(self, number: int) -> None:
        """Show a picture of the request, counted from 1."""
        pictures = self._calls[self.call.currentIndex()].pictures if self._calls else ()
        if not 1 <= number <= len(pictures):
            return
        self._picture = number
        part = pictures[number - 1]
        self.strip.set_current(number)
        self.caption.set_text(f"{part.label} · {number} of {len(pictures)}")
        if part.picture is not None:
            self.slide.show_slide(part.picture, name=part.label)
            self.slide.set_boxes(self._drawn(part.label))
        else:
            self.slide.set_boxes(())
            self.slide.show_failed(part.label, part.missing or f"A whole file: {part.file}")

    @Slot(int)
    def step(self, by: int) -> None:
        """Show the next picture, or one before."""
        self.show_picture(self._picture + by)

    def _drawn(self, label: str) -> list[Box]:
        named = _SLIDE.search(label)
        if named is None or label.startswith("source"):
            return []
        return [
            Box(rect=QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0), tone="bad")
            for box in self._boxes
            if box.slide == int(named[1]) and (box.x0, box.y0, box.x1, box.y1) != (0.0, 0.0, 1.0, 1.0)
        ]

    def _show_calls(self, calls: tuple[ShownCall, ...]) -> None:
        self._calls = calls
        self.call.clear()
        self.call.addItems([f"call {number} of {len(calls)}" for number in range(1, len(calls) + 1)])
        self.call.setVisible(len(calls) > 1)
        self._layers.setCurrentWidget(self.split)
        self._on_call_chosen(0)
        self.shown.emit()

    @Slot(int)
    def _on_call_chosen(self, place: int) -> None:
        call = self._calls[place]
        pictures = call.pictures
        n = len(pictures)
        counted = f"{n} picture{'' if n == 1 else 's'}" if n else "words only"
        version = call.prompt_version.replace("+", " + ")
        self.asked.set_title("Asked", " · ".join(filter(None, [counted, _HASH.sub("", version), call.settings])))
        self.asked.head.facts_label.setToolTip(version)
        self.pictures.setVisible(bool(pictures))
        self.strip.set_slides([
            StripSlide(number=number, thumbnail=part.picture, failure=part.missing, name=part.label)
            for number, part in enumerate(pictures, start=1)
        ])  # fmt: skip
        self.words.setPlainText(_cut(call.words))
        evidence = {box.slide for box in self._boxes}
        first = next(
            (number for number, part in enumerate(pictures, 1)
             if (named := _SLIDE.search(part.label)) and int(named[1]) in evidence), 1,
        )  # fmt: skip
        self.show_picture(first)
        self.reply_choice.clear()
        self.reply_choice.addItems([f"{reply.at[:19].replace('T', ' ')} · {reply.ending}" for reply in call.replies])
        self.reply_choice.setVisible(len(call.replies) > 1)
        self.raw.setVisible(bool(call.replies))
        self.answered.setVisible(bool(call.replies) or bool(self._note))
        self._show_reply()

    @Slot()
    def _show_reply(self, *_: object) -> None:
        replies = self._calls[max(0, self.call.currentIndex())].replies if self._calls else ()
        if not replies:
            self.answered.set_title("Answered", "no reply")
            self.reply.setPlainText(self._note)
            return
        reply = replies[max(0, self.reply_choice.currentIndex())]
        self.answered.set_title("Answered", _facts(reply))
        self.reply.setPlainText(_cut(reply.raw if self.raw.isChecked() else reply.text or reply.why_blocked))

    def _set_badges(self, badges: Sequence[tuple[str, str]]) -> None:
        while (item := self.badges.takeAt(0)) is not None:
            if item.widget() is not None:
                item.widget().deleteLater()
        for words, tone in badges:
            self.badges.addWidget(Badge(words, tone))
        if badges:
            self.badges.addStretch(1)


def _facts(reply: ShownReply) -> str:
    parts = [reply.model, f"{reply.latency_s:.1f} s"]
    if reply.ending != "complete":
        parts.append(reply.ending.replace("_", " "))
    return " · ".join(part for part in parts if part)


def _text(name: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setReadOnly(True)
    field.setAccessibleName(name)
    field.setTabChangesFocus(True)
    return field


def _cut(text: str) -> str:
    if len(text) <= MOST_LETTERS:
        return text
    return f"{text[:MOST_LETTERS]}\n\n… and {len(text) - MOST_LETTERS:,} letters more"
