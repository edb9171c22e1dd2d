"""One question as a judge reads it, with the answer, what it rests on, a comment, and how far everything is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from studio.actions.figures import counted
from studio.checklists.prompts import PARTLY_MET, item_words, language_of
from studio.gui.widgets.answer_board import JumpLabel, NoteField
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.question_list import DIMENSION_WORDS
from studio.gui.widgets.reason_list import ReasonList
from studio.model.checklists import EvidenceBox, Item, ItemAnswer, SourceQuote, Tier
from studio.sessions.checklist import ItemReply

ANSWER_BUTTONS = (
    (ItemAnswer.YES, "Yes", "yes", "ok"),
    (ItemAnswer.NO, "No", "no", "bad"),
    (ItemAnswer.CANNOT_TELL, "Cannot tell", "cannot_tell", "warn"),
    (ItemAnswer.NOT_APPLICABLE, "Not applicable", "not_applicable", ""),
)
COMMENT_PX = 68


@dataclass(frozen=True, kw_only=True)
class QuestionState:
    """What the panel shows."""

    item: Item
    number: int
    """The item's place in its dimension, from 1."""
    reply: ItemReply
    needs_place: bool = False
    """The answer does not count before a place is named."""
    progress: str = ""
    missing: str = ""
    """What keeps the deck from being submitted."""
    status: str = ""
    """Of the deck, such as "submitted"."""
    is_recognised: bool = False
    can_change: bool = True
    submit_words: str = "Submit and next"


class QuestionPanel(Panel):
    """Shows a question and says what the user asks for; it changes nothing by itself."""

    box_dropped = Signal(int)
    """The place of a slide among the evidence, from 0: it is to be taken away."""
    quote_dropped = Signal(int)
    slide_asked = Signal(int)
    missing_clicked = Signal()
    comment_edited = Signal()
    comment_left = Signal()

    def __init__(self) -> None:
        super().__init__("Question", " ")
        self._evidence: object = None
        self.question = toned_label("", "question")
        self.note = toned_label("", "muted")
        self.rule = toned_label("", "muted")
        for label in (self.question, self.note, self.rule):
            label.setTextFormat(Qt.TextFormat.MarkdownText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.answers: dict[ItemAnswer, KeyCapButton] = {}
        grid = QGridLayout()
        grid.setSpacing(8)
        for place, (answer, words, _name, tone) in enumerate(ANSWER_BUTTONS):
            button = KeyCapButton(words, tone=tone)
            button.setCheckable(True)
            # Two in a row share the width that there is, however narrow.
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self.answers[answer] = button
            grid.addWidget(button, place // 2, place % 2)
        self.slide_button = KeyCapButton("Slide", is_compact=True)
        self.box_button = KeyCapButton("Box", is_compact=True)
        self.quote_button = KeyCapButton("Source", is_compact=True)
        head = QHBoxLayout()
        head.setSpacing(6)
        for button in (self.slide_button, self.box_button, self.quote_button):
            head.addWidget(button)
        head.addStretch(1)
        self.evidence_words = toned_label("", "muted")
        self.evidence_words.setWordWrap(True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        self.comment = NoteField()
        self.comment.setPlaceholderText("Comment on this answer")
        self.comment.setAccessibleName("Comment")
        self.comment.setTabChangesFocus(True)
        self.comment.setFixedHeight(COMMENT_PX)
        self.comment.textChanged.connect(self.comment_edited)
        self.comment.left.connect(self.comment_left)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(10)
        for label in (self.question, self.note, self.rule):
            column.addWidget(label)
        column.addLayout(grid)
        column.addWidget(toned_label("Evidence", "heading"))
        column.addLayout(head)
        column.addWidget(self.evidence_words)
        column.addLayout(self._rows)
        column.addWidget(self.comment)
        column.addStretch(1)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(inner)
        self.set_body(self.scroll)
        self._build_foot()

    def _build_foot(self) -> None:
        self.comment_button = KeyCapButton("Comment")
        self.flag_button = KeyCapButton("Flag")
        self.flag_button.setCheckable(True)
        self.cannot_button = KeyCapButton("Cannot judge")
        self.recognised_button = KeyCapButton("I recognised a system")
        self.recognised_button.setCheckable(True)
        for button in (self.comment_button, self.flag_button, self.cannot_button, self.recognised_button):
            button.setProperty("compact", True)
        self.reasons = ReasonList()
        self.reasons.hide()
        self.trouble = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.trouble.setProperty("tone", "bad")
        self.again = KeyCapButton("Try again", is_compact=True)
        self.trouble_row = QWidget()
        line = QHBoxLayout(self.trouble_row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.trouble, 1)
        line.addWidget(self.again)
        self.trouble_row.hide()
        self.progress = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.missing = JumpLabel(mode=Qt.TextElideMode.ElideRight)
        self.missing.setProperty("tone", "muted")
        self.missing.clicked.connect(self.missing_clicked)
        self.submit = KeyCapButton("Submit and next", is_primary=True)
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        self.buttons = QWidget()
        row = QGridLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.comment_button, 0, 0)
        row.addWidget(self.flag_button, 0, 1)
        row.addWidget(self.cannot_button, 1, 0, 1, 2)
        row.addWidget(self.recognised_button, 2, 0, 1, 2)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.submit)
        for widget in (self.reasons, self.buttons, self.trouble_row, self.progress, self.missing):
            column.addWidget(widget)
        column.addLayout(last)
        self._column.addWidget(hairline())
        self._column.addWidget(foot)

    def show_state(self, state: QuestionState, *, keeps_comment: bool) -> None:
        """Show a question and its answer; a comment that is being typed stays if `keeps_comment`."""
        item, reply = state.item, state.reply
        where = "with the sources" if item.dimension.tier is Tier.DEPENDENT else "from the deck alone"
        slide = f" · slide {item.slide}" if item.slide is not None else ""
        self.set_title(f"{DIMENSION_WORDS[item.dimension]} {state.number}", f"{where}{slide}")
        self.question.setText(item.text.strip())
        more = item_words(item)[len(item.text) :].strip()
        self.note.setText(more)
        self.note.setVisible(bool(more))
        self.rule.setText(PARTLY_MET[language_of(item.text)])
        for answer, button in self.answers.items():
            button.setChecked(reply.answer is answer)
            button.setEnabled(state.can_change)
        self._show_evidence(state)
        if not keeps_comment and self.comment.toPlainText() != reply.comment:
            self.comment.blockSignals(True)
            self.comment.setPlainText(reply.comment)
            self.comment.blockSignals(False)
        self.comment.setReadOnly(not state.can_change)
        self.flag_button.setChecked(reply.is_flagged)
        self.recognised_button.setChecked(state.is_recognised)
        for button in (self.comment_button, self.flag_button, self.cannot_button, self.recognised_button):
            button.setEnabled(state.can_change)
        self.progress.set_text(state.progress)
        self.missing.set_text(state.missing or state.status)
        self.submit.setText(state.submit_words)

    def say_trouble(self, words: str) -> None:
        """Say what went wrong with saving; empty takes it away."""
        self.trouble.set_text(words)
        self.trouble_row.setVisible(bool(words))

    def set_asking(self, is_asking: bool) -> None:
        """Ask why a deck cannot be judged, or stop asking."""
        self.reasons.setVisible(is_asking)
        self.buttons.setVisible(not is_asking)

    def _show_evidence(self, state: QuestionState) -> None:
        self.quote_button.setVisible(state.item.dimension.tier is Tier.DEPENDENT)
        for button in (self.slide_button, self.box_button, self.quote_button):
            button.setEnabled(state.can_change)
        words = "Name the place: this answer needs one." if state.needs_place else "No place named."
        tone = "warn" if state.needs_place else "muted"
        if self.evidence_words.property("tone") != tone:
            self.evidence_words.setProperty("tone", tone)
            self.evidence_words.style().polish(self.evidence_words)
        self.evidence_words.setText(words)
        self.evidence_words.setVisible(not state.reply.boxes and not state.reply.quotes)
        shown = (state.reply.boxes, state.reply.quotes, state.can_change)
        if shown == self._evidence:
            return
        self._evidence = shown
        while self._rows.count():
            old = self._rows.takeAt(0).widget()
            old.hide()
            old.setParent(None)
            old.deleteLater()
        for place, box in enumerate(state.reply.boxes):
            self._rows.addWidget(
                self._row(box_words(box), partial(self.box_dropped.emit, place), state.can_change, slide=box.slide)
            )
        for place, quote in enumerate(state.reply.quotes):
            self._rows.addWidget(
                self._row(quote_words(quote), partial(self.quote_dropped.emit, place), state.can_change)
            )

    def _row(self, words: str, drop: partial[None], can_change: bool, *, slide: int = 0) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        label: QLabel = JumpLabel(mode=Qt.TextElideMode.ElideRight)
        label.set_text(words)
        if slide:
            label.clicked.connect(partial(self.slide_asked.emit, slide))
            label.setToolTip("Go to this slide")
        remove = KeyCapButton("×", is_compact=True)
        remove.setAccessibleName(f"Remove {words}")
        remove.setEnabled(can_change)
        remove.clicked.connect(lambda: drop())
        remove.setFixedWidth(28)
        line.addWidget(label, 1)
        line.addStretch(1)
        line.addWidget(remove)
        return row


def box_words(box: EvidenceBox) -> str:
    """Return a place on a slide in words."""
    is_whole = (box.x0, box.y0, box.x1, box.y1) == (0.0, 0.0, 1.0, 1.0)
    return f"slide {box.slide}" if is_whole else f"slide {box.slide}, box"


def quote_words(quote: SourceQuote) -> str:
    """Return a place in a source in words."""
    page = f", page {quote.page}" if quote.page is not None else ""
    return f"{quote.source}{page}" + (f": “{' '.join(quote.quote.split())}”" if quote.quote else "")


def change_words(reply: ItemReply) -> str:
    """Return what an answer is now, in words that are read aloud."""
    places = len(reply.boxes) + len(reply.quotes)
    words = next((words for answer, words, _, _ in ANSWER_BUTTONS if answer is reply.answer), "open")
    return words + (f", {counted(places, 'place')}" if places else "")
