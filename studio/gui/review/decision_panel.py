"""What the sides of a case say, and what is decided: answer, kind of error, confidence, places, comment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from studio.actions.review import CaseState
from studio.actions.review_evidence import OpenCase, Place, Side, Statement
from studio.gui.review.case_list import STATE_TONES, STATE_WORDS
from studio.gui.review.words import BUTTONS, CONFIDENCE_WORDS, SAID_WORDS, tone_of
from studio.gui.widgets.answer_board import NoteField
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.question_panel import box_words, quote_words
from studio.model.reviews import DECISIONS, ERROR_TYPES, CaseKind, Confidence, Decision, Review

COMMENT_PX = 64


@dataclass(frozen=True, kw_only=True)
class PanelState:
    """What the panel shows."""

    opened: OpenCase
    review: Review | None
    state: CaseState
    names_shown: bool
    can_change: bool = True
    locked: str = ""
    """Why nothing can be changed."""
    reviewer: str = ""
    """Who decided; empty while nobody did."""


class StatementRow(QFrame):
    """What one person or machine says; a click goes to what it rests on."""

    clicked = Signal()

    def __init__(self, statement: Statement, letters: Mapping[str, str], *, names_shown: bool) -> None:
        super().__init__()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(2)
        words = _statement_words(statement, names_shown=names_shown)
        if words:
            column.addWidget(_wrapped(words))
        places = [_place_words(place, letters, statement, names_shown=names_shown) for place in statement.places]
        quotes = [quote_words(each) for each in statement.quotes]
        lines = list(dict.fromkeys((*places, *quotes))) or ["no place given"]
        column.addWidget(_wrapped("\n".join(lines), tone="caption"))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # @override
        self.clicked.emit()


class DecisionPanel(Panel):
    """Shows a case and what stands about it; it changes nothing by itself."""

    evidence_asked = Signal(int, int)
    """Number of a side and of one of its statements, from 0: show what it rests on."""
    error_chosen = Signal(str)
    place_dropped = Signal(int)
    quote_dropped = Signal(int)
    comment_edited = Signal()
    comment_left = Signal()

    def __init__(self) -> None:
        super().__init__("Decide", " ")
        self.state_badge = Badge()
        self.head.add_control(self.state_badge)
        self._shown: object = None
        self.question = toned_label("", "question")
        self.question.setWordWrap(True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.about = _wrapped("", tone="muted")
        self._sides = QVBoxLayout()
        self._sides.setSpacing(4)
        self.names_button = KeyCapButton("Show who said what", is_compact=True)
        self.names_button.setCheckable(True)
        self.decisions: dict[Decision, KeyCapButton] = {}
        grid = QGridLayout()
        grid.setSpacing(8)
        for decision, (words, _name, tone) in BUTTONS.items():
            button = KeyCapButton(words, tone=tone)
            button.setCheckable(True)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self.decisions[decision] = button
        self._grid = grid
        self._kind: CaseKind | None = None
        self.confidence: dict[Confidence, KeyCapButton] = {}
        sure = QHBoxLayout()
        sure.setSpacing(6)
        for level, words in CONFIDENCE_WORDS.items():
            button = KeyCapButton(words, is_compact=True)
            button.setCheckable(True)
            button.setAccessibleName(f"Confidence: {words}")
            self.confidence[level] = button
            sure.addWidget(button)
        sure.addStretch(1)
        self.error = QComboBox()
        self.error.setAccessibleName("Kind of error")
        self.error.activated.connect(self._on_error_chosen)
        self.error_key = KeyCapButton("Error", is_compact=True)
        error = QHBoxLayout()
        error.setSpacing(6)
        error.addWidget(self.error_key)
        error.addWidget(self.error, 1)
        self.slide_button = KeyCapButton("Slide", is_compact=True)
        self.box_button = KeyCapButton("Box", is_compact=True)
        self.quote_button = KeyCapButton("Source", is_compact=True)
        marks = QHBoxLayout()
        marks.setSpacing(6)
        for button in (self.slide_button, self.box_button, self.quote_button):
            marks.addWidget(button)
        marks.addStretch(1)
        self._places = QVBoxLayout()
        self._places.setSpacing(2)
        self.comment = NoteField()
        self.comment.setPlaceholderText("Comment, or what should be looked at again")
        self.comment.setAccessibleName("Comment")
        self.comment.setTabChangesFocus(True)
        self.comment.setFixedHeight(COMMENT_PX)
        self.comment.textChanged.connect(self.comment_edited)
        self.comment.left.connect(self.comment_left)
        self.comment_button = KeyCapButton("Comment", is_compact=True)
        self.trouble = _wrapped("", tone="bad")
        self.trouble.hide()
        self.decided_by = _wrapped("", tone="caption")
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(10)
        column.addWidget(self.question)
        column.addWidget(self.about)
        column.addLayout(self._sides)
        column.addWidget(self.names_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(hairline())
        column.addLayout(grid)
        column.addWidget(toned_label("How sure", "heading"))
        column.addLayout(sure)
        column.addLayout(error)
        column.addWidget(toned_label("Evidence of the decision", "heading"))
        column.addLayout(marks)
        column.addLayout(self._places)
        column.addWidget(self.comment_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.comment)
        column.addWidget(self.trouble)
        column.addWidget(self.decided_by)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        self.set_body(scroll)
        foot = self.add_foot()
        self.return_button = KeyCapButton("Return", is_compact=True)
        self.next_button = KeyCapButton("Next open", is_primary=True)
        foot.row.addWidget(self.return_button)
        foot.row.addStretch(1)
        foot.row.addWidget(self.next_button)

    def show_state(self, state: PanelState, *, keeps_comment: bool) -> None:
        """Show a case and what stands about it; a comment that is being written is left alone if asked."""
        case, review = state.opened.entry.case, state.review
        self.question.setText(case.text)
        about = [state.opened.entry.instance]
        if state.names_shown:
            about.append(
                " against ".join(name for name in (state.opened.entry.system, state.opened.entry.against) if name)
            )
        self.about.setText(" · ".join(about))
        self.state_badge.set_text("" if state.state is CaseState.OPEN else STATE_WORDS[state.state],
                                  STATE_TONES[state.state])  # fmt: skip
        self.state_badge.setVisible(state.state is not CaseState.OPEN)
        self._show_sides(state)
        self.names_button.setChecked(state.names_shown)
        self._show_kind(case.kind)
        for decision, button in self.decisions.items():
            button.setChecked(review is not None and review.decision is decision)
            button.setEnabled(state.can_change)
        for level, button in self.confidence.items():
            button.setChecked(review is not None and review.confidence is level)
            button.setEnabled(state.can_change)
        with QSignalBlocker(self.error):
            self.error.setCurrentIndex(max(0, self.error.findData(review.error_type if review else "")))
        for widget in (
            self.error, self.error_key, self.slide_button, self.box_button, self.quote_button, self.comment_button,
            self.return_button,
        ):  # fmt: skip
            widget.setEnabled(state.can_change)
        self.box_button.setVisible(case.kind is not CaseKind.PAIR)
        self.comment.setReadOnly(not state.can_change)
        if not keeps_comment:
            with QSignalBlocker(self.comment):
                self.comment.setPlainText(review.comment if review is not None else "")
        self._show_places(review, can_change=state.can_change)
        self.decided_by.setText(state.locked or _decided_words(state))

    def say_trouble(self, words: str) -> None:
        """Say what could not be done; empty takes it away."""
        self.trouble.setText(words)
        self.trouble.setVisible(bool(words))

    def _show_kind(self, kind: CaseKind) -> None:
        if kind is self._kind:
            return
        self._kind = kind
        for button in self.decisions.values():
            self._grid.removeWidget(button)
            button.hide()
        for place, decision in enumerate(DECISIONS[kind]):
            self._grid.addWidget(self.decisions[decision], place // 2, place % 2)
            self.decisions[decision].show()
        with QSignalBlocker(self.error):
            self.error.clear()
            self.error.addItem("No kind of error", "")
            for code, words in ERROR_TYPES[kind].items():
                self.error.addItem(words, code)

    def _show_sides(self, state: PanelState) -> None:
        shown = (state.opened.entry.case.id, state.opened.sides, state.names_shown)
        if shown == self._shown:
            return
        self._shown = shown
        _clear(self._sides)
        is_pair = state.opened.entry.case.kind is CaseKind.PAIR
        letters = (
            {str(pane.id): letter for pane, letter in zip(state.opened.panes, "AB", strict=True)} if is_pair else {}
        )
        for number, side in enumerate(state.opened.sides):
            self._sides.addWidget(_side_head(side, names_shown=state.names_shown))
            told = side.told(is_blind=not state.names_shown)
            if not told:
                self._sides.addWidget(_wrapped("No reason given, no place marked", tone="muted"))
            for place, statement in told:
                row = StatementRow(statement, letters, names_shown=state.names_shown)
                row.clicked.connect(partial(self.evidence_asked.emit, number, place))
                self._sides.addWidget(row)

    def _show_places(self, review: Review | None, *, can_change: bool) -> None:
        _clear(self._places)
        if review is None or not (review.boxes or review.quotes):
            self._places.addWidget(toned_label("No place marked", "muted"))
            return
        for number, box in enumerate(review.boxes):
            self._places.addWidget(
                self._place_row(box_words(box), partial(self.place_dropped.emit, number), can_change)
            )
        for number, quote in enumerate(review.quotes):
            words = quote_words(quote)
            self._places.addWidget(self._place_row(words, partial(self.quote_dropped.emit, number), can_change))

    def _place_row(self, words: str, drop: partial[None], can_change: bool) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        label = ElidedLabel(words)
        line.addWidget(label)
        line.addStretch(1)
        if can_change:
            button = KeyCapButton("Remove", is_compact=True)
            # Queued, since the row that holds the button goes away.
            button.clicked.connect(drop, Qt.ConnectionType.QueuedConnection)
            line.addWidget(button)
        return row

    @Slot(int)
    def _on_error_chosen(self, _place: int) -> None:
        self.error_chosen.emit(str(self.error.currentData() or ""))


def _side_head(side: Side, *, names_shown: bool) -> QWidget:
    head = QWidget()
    row = QHBoxLayout(head)
    row.setContentsMargins(0, 6, 0, 0)
    row.setSpacing(8)
    badge = Badge(SAID_WORDS.get(side.says, side.says), tone_of(side.says))
    row.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)
    if names_shown:
        people = sum(each.is_person for each in side.statements)
        machines = len(side.statements) - people
        parts = [f"{people} of the people" if people else "", f"{machines} by machine" if machines else ""]
        row.addWidget(toned_label(" · ".join(part for part in parts if part), "muted"))
    row.addStretch(1)
    return head


def _statement_words(statement: Statement, *, names_shown: bool) -> str:
    words = statement.words.strip()
    if names_shown:
        said = ". ".join(part for part in (statement.facts, words) if part)
        return f"{statement.who}: {said}" if said else statement.who
    return words


def _place_words(place: Place, letters: Mapping[str, str], statement: Statement, *, names_shown: bool) -> str:
    """Return such as "B, slide 5: the weakest slide of the deck (Engagement 21.17)"."""
    where = ", ".join(part for part in (letters.get(place.deck_id, ""), box_words(place.box)) if part)
    # A judge's reason stands above already.
    words = place.words if place.words != statement.words else ""
    facts = f"({place.facts})" if names_shown and place.facts else ""
    said = " ".join(part for part in (words, facts) if part)
    return f"{where}: {said}" if said else where


def _decided_words(state: PanelState) -> str:
    review = state.review
    if review is None or (review.decision is None and not review.returned):
        return ""
    blind = "" if review.was_blind else ", with the names shown"
    by = f"{state.reviewer} " if state.reviewer else ""
    when = review.at[:16].replace("T", " ")
    if review.decision is None:
        return f"Returned by {by}· {when} UTC"
    if review.threshold is not None:
        return f"Accepted by {by}since {100 * review.threshold:.0f} % of the people agree · {when} UTC"
    return f"Decided by {by}· {when} UTC{blind}"


def _wrapped(words: str, *, tone: str = "") -> QLabel:
    label = toned_label(words, tone)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _clear(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if item.widget() is not None:
            item.widget().hide()
            item.widget().deleteLater()
