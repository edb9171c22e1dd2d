"""What a line about a deck's content rests on, to be seen: the slides side by side, or what the section says."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from studio.actions.content import Content, Line
from studio.actions.viewing import DeckOnView
from studio.gui.context import AppContext
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.panel import Panel, toned_label
from studio.metrics.registry import METRICS
from studio.model.decks import thumb_file_name
from studio.model.reflex import ContentMetric

_THUMB_PX = 112
_MOST_WORDS = 260
_ABOUT = {
    ContentMetric.COVERAGE: "Cosine of the section and the slide that is nearest to it: low means that none is about "
    "it.",
    ContentMetric.REDUNDANCY: "Cosine of the words of the two slides; 1 is the same words.",
    ContentMetric.ALIGNMENT: "By how much the image's words fit the other slide better than its own.",
    ContentMetric.FLOW: "How much likelier the order of slides gets by the move, in log odds, by the model of what "
    "follows what.",
}
_UNSURE = "The slide may be out of place beside its neighbours, but too little speaks for a move to ask for one."


def strip_slides(view: DeckOnView, numbers: Sequence[int]) -> list[StripSlide]:
    """Return slides of a deck for a strip, in this order."""
    known = {slide.number for slide in view.slides}
    return [
        StripSlide(
            number=number,
            thumbnail=view.folder / thumb_file_name(number) if view.folder is not None and number in known else None,
        )
        for number in numbers
    ]  # fmt: skip


class EvidencePanel(Panel):
    """Shows one line's evidence."""

    slide_picked = Signal(int)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__("Evidence", " ", parent)
        self.figure = toned_label("", "heading")
        self.about = toned_label("", "muted")
        self.section = QLabel()
        self.section.setTextFormat(Qt.TextFormat.PlainText)
        self.section.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.strip = FilmStrip(context.background, context.images, thumb_px=_THUMB_PX, is_grid=True)
        self.strip.setAccessibleName("Slides of the evidence")
        self.strip.slide_picked.connect(self.slide_picked)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        for label in (self.figure, self.about, self.section):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            column.addWidget(label)
        column.addWidget(self.strip, 1)
        self.set_body(body)
        self.setMinimumWidth(230)

    def show_line(self, line: Line | None, content: Content, view: DeckOnView) -> None:
        """Show what a line rests on; nothing for a heading or a note."""
        if line is None:
            self.set_title("Evidence", " ")
            self.figure.setText("")
            self.about.setText("Choose a line to see what it rests on.")
            self.section.setText("")
            self.strip.set_slides([], aspect=view.aspect)
            self.strip.hide()
            return
        numbers = line.slides
        self.set_title("Evidence", METRICS[f"reflex.{line.metric.value}"].title)
        is_unsure_move = line.metric is ContentMetric.FLOW and not line.can_be_applied
        likelihood = "" if is_unsure_move else f" · likelihood {line.suggestion.chance:.2f}"
        self.figure.setText(f"{line.evidence[:1].upper()}{line.evidence[1:]}{likelihood}")
        self.about.setText(_UNSURE if is_unsure_move else _ABOUT[line.metric])
        words = content.summary(line.suggestion.topic) if line.suggestion.slide is None else ""
        short = words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS].rsplit(' ', 1)[0]} …"
        self.section.setText(f"{line.suggestion.topic}: {short}" if short else "")
        self.section.setVisible(bool(short))
        self.strip.setVisible(bool(numbers))
        self.strip.set_slides(strip_slides(view, numbers), aspect=view.aspect)
