"""What a verdict rests on, beside what people marked: words, slides and places in sources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from studio.actions.checklist_evidence import Said
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.question_panel import quote_words

WORDS = {
    "yes": "✓ yes", "no": "✗ no", "cannot_tell": "? cannot tell", "not_applicable": "– not applicable",
    "split": "split", "": "no answer",
}  # fmt: skip
TONES = {"yes": "ok", "no": "bad", "cannot_tell": "warn", "split": "warn"}


class EvidencePanel(Panel):
    """One block for the judge and one for each person."""

    slide_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__("Evidence", " ")
        self._holder = QWidget()
        self._blocks = QVBoxLayout(self._holder)
        self._blocks.setContentsMargins(14, 10, 14, 10)
        self._blocks.setSpacing(6)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(self._holder)
        self.set_body(self.scroll)
        self.said: tuple[Said, ...] = ()

    def show_waiting(self, words: str) -> None:
        """Say why there is nothing to see yet."""
        self.said = ()
        self._clear()
        self._blocks.addWidget(_text(words, "muted"))
        self._blocks.addStretch(1)

    def show_said(self, item: str, said: Sequence[Said]) -> None:
        """Show what everybody says about one item of one deck."""
        self.said = tuple(said)
        self._clear()
        self._blocks.addWidget(_text(item, ""))
        for each in said:
            self._blocks.addWidget(hairline())
            self._blocks.addWidget(self._head(each))
            if each.words:
                self._blocks.addWidget(_text(each.words, "muted"))
            if each.slides:
                self._blocks.addWidget(self._slides(each))
            for quote in each.quotes:
                self._blocks.addWidget(_text(quote_words(quote), "muted"))
        self._blocks.addStretch(1)

    def _head(self, said: Said) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        answer = WORDS.get(said.answer, said.answer.replace("_", " "))
        if said.is_suggestion:
            answer += " (a suggestion)"
        row.addWidget(toned_label(said.who, "heading"))
        row.addWidget(
            toned_label(answer + (" (a suggestion)" if said.is_suggestion else ""), TONES.get(said.answer, "muted"))
        )
        row.addStretch(1)
        return line

    def _slides(self, said: Said) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for slide in said.slides[:8]:
            button = KeyCapButton(f"slide {slide}", is_compact=True)
            button.setToolTip("Open the deck at this slide")
            button.clicked.connect(partial(self._ask, slide))
            row.addWidget(button)
        if len(said.slides) > 8:
            row.addWidget(toned_label(f"and {len(said.slides) - 8} more", "muted"))
        row.addStretch(1)
        return line

    def _ask(self, slide: int, _is_checked: bool = False) -> None:
        self.slide_asked.emit(slide)

    def _clear(self) -> None:
        while (item := self._blocks.takeAt(0)) is not None:
            if item.widget() is not None:
                item.widget().hide()
                item.widget().deleteLater()


def _text(words: str, tone: str) -> QLabel:
    label = toned_label(words, tone)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
