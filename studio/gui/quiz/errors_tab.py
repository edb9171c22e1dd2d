"""Wrong answers, one by one: what was asked, what the reader said, the slide that it went by; a person says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from studio.actions import quiz_results
from studio.actions.quiz_results import Answered
from studio.gui.context import AppContext
from studio.gui.quiz.reading import ResultsView
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.gui.writes import Writes
from studio.model.decks import slide_file_name
from studio.model.ids import DeckId
from studio.model.quiz import LETTERS, AuditedError, Condition, ErrorType, Question
from studio.store import decks as deck_store

WORDS = {
    ErrorType.MISSING: "Missing content", ErrorType.VALUE: "Value mismatch",
    ErrorType.EXTRACTION: "Extraction failure", ErrorType.OTHER: "Other",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ErrorRow:
    """One wrong answer."""

    answered: Answered
    question: Question | None

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it apart."""
        answer = self.answered.answer
        return (answer.reader, answer.deck_id, answer.bank_id, answer.question_id)


class ErrorsTab(QWidget):
    """The list at the left; question, reader's words and slide at the right; digits give the type."""

    slide_opened = Signal(str, str, int)
    """Instance, deck, slide."""

    def __init__(self, context: AppContext, writes: Writes, *, name: Callable[[], str], can_write: bool) -> None:
        super().__init__()
        self._context, self._writes, self._name, self._can_write = context, writes, name, can_write
        self._shown: ErrorRow | None = None
        self._picture: QPixmap | None = None
        self.rows: RowModel[ErrorRow] = RowModel(
            [
                Column(title="Type", value=lambda row: WORDS[row.answered.error] if row.answered.error else None,
                       text=lambda row: ("✓ " if row.answered.is_audited else "? ") + WORDS[row.answered.error],
                       tone=lambda row: "" if row.answered.is_audited else "text_muted",
                       tip=lambda row: "decided by a person" if row.answered.is_audited else "sorted by code",
                       width=148),
                Column(title="System", value=lambda row: row.answered.system, width=132),
                Column(title="Question", value=lambda row: row.question.question if row.question else None,
                       reason=lambda row: "the question is not there any more",
                       tip=lambda row: row.question.question if row.question else ""),
                Column(title="Said", value=lambda row: _said(row), width=92),
            ],
            key=lambda row: row.key,
        )  # fmt: skip
        self.rows.setParent(self)
        self.table = DataTable()
        self.table.set_model(self.rows)
        self.table.setAccessibleName("Wrong answers")
        self.table.row_selected.connect(self._on_selected)
        self.empty = EmptyState("No wrong answers", "Let a reader answer the banks first.", icon_name="check")
        self.left = QStackedWidget()
        self.left.addWidget(self.table)
        self.left.addWidget(self.empty)
        self.reader = QComboBox()
        self.reader.setAccessibleName("Reader")
        self.reader.activated.connect(self._fill)
        self.panel = Panel("Wrong answers", " ")
        self.panel.head.add_control(self.reader)
        self.panel.set_body(self.left)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setContentsMargins(12, 12, 12, 4)
        self.slide = QLabel()
        self.slide.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.slide.setMinimumHeight(120)
        self.slide.setProperty("tone", "muted")
        self.slide.setWordWrap(True)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.words)
        column.addWidget(self.slide, 1)
        self.answer_panel = Panel("Answer", " ")
        self.open_slide = KeyCapButton("Open slide", is_compact=True)
        self.open_slide.clicked.connect(self._on_open)
        self.answer_panel.head.add_control(self.open_slide)
        self.answer_panel.set_body(body)
        foot = self.answer_panel.add_foot()
        self.kinds: dict[ErrorType, KeyCapButton] = {}
        for number, kind in enumerate(ErrorType, start=1):
            button = KeyCapButton(WORDS[kind], is_compact=True)
            button.follow(context.shortcuts, f"quiz.error_{number}")
            button.clicked.connect(partial(self.decide, kind))
            button.setEnabled(can_write)
            self.kinds[kind] = button
            foot.row.addWidget(button)
        self.topic = QLineEdit()
        self.topic.setPlaceholderText("Topic")
        self.topic.setAccessibleName("Topic")
        self.topic.setMaximumWidth(160)
        foot.row.addWidget(self.topic)
        foot.row.addStretch(1)
        self.rule = toned_label("", "muted")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.panel)
        split.addWidget(self.answer_panel)
        split.setSizes([640, 760])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 12, 0, 0)
        row.addWidget(split)
        self._view: ResultsView | None = None
        self._show(None)

    def set_view(self, view: ResultsView) -> None:
        """Show the wrong answers about slides."""
        self._view = view
        readers = sorted({each.answer.reader for each in view.answered if each.answer.condition is Condition.SLIDES})
        before = self.reader.currentText()
        self.reader.clear()
        self.reader.addItems(readers)
        self.reader.setCurrentIndex(max(0, self.reader.findText(before)))
        self._fill()

    @Slot()
    def _fill(self, *_: object) -> None:
        view = self._view
        if view is None:
            return
        rows = [
            ErrorRow(answered=each, question=view.questions.get((each.answer.bank_id, each.answer.question_id)))
            for each in view.answered
            if each.error is not None and each.answer.condition is Condition.SLIDES
            and each.answer.reader == self.reader.currentText()
        ]  # fmt: skip
        self.rows.set_rows(rows)
        audited = sum(row.answered.is_audited for row in rows)
        self.panel.head.set_facts(f"{len(rows):,} · {audited:,} decided by a person" if rows else " ")
        self.left.setCurrentWidget(self.table if rows else self.empty)
        here = self._shown.key if self._shown is not None else None
        found = next((number for number, row in enumerate(self.rows.rows()) if row.key == here), 0)
        if rows:
            self._show(self.rows.row(found))
            self.table.selectRow(found)
        else:
            self._show(None)

    def decide(self, kind: ErrorType, *_: object) -> None:
        """Say why the chosen answers are wrong, and go to the next one that nobody has decided."""
        chosen = self.table.selected_rows() or ([self._shown] if self._shown is not None else [])
        if not chosen or not self._can_write:
            return
        context, who, topic = self._context, self._name(), self.topic.text().strip()
        decided = [
            AuditedError(
                deck_id=DeckId(row.answered.answer.deck_id), bank_id=row.answered.answer.bank_id,
                question_id=row.answered.answer.question_id, reader=row.answered.answer.reader, error_type=kind,
                audited_by=who, topic=topic,
            )
            for row in chosen
        ]  # fmt: skip
        listed = self.rows.rows()
        last = max(listed.index(row) for row in chosen)
        later = next((row for row in listed[last + 1 :] if not row.answered.is_audited), None)
        if later is not None:
            self._show(later)
        self._writes.add(lambda: quiz_results.audit_errors(context.project, decided), context.announce, context.report)

    def _show(self, row: ErrorRow | None) -> None:
        self._shown = row
        self._picture = None
        for button in self.kinds.values():
            button.setEnabled(self._can_write and row is not None)
        self.open_slide.setEnabled(bool(row and row.answered.answer.cited_slides))
        if row is None:
            self.words.setText("")
            self.slide.setPixmap(QPixmap())
            self.slide.setText("")
            self.answer_panel.head.set_facts(" ")
            return
        answer, question = row.answered.answer, row.question
        lines = []
        if question is not None:
            lines = [question.question, ""]
            for letter in LETTERS:
                mark = "✓" if letter == question.answer else "×" if letter == answer.answer else "  "
                lines.append(f"{mark} {letter}  {question.options.get(letter, '')}")
            lines += ["", f"Source: {' '.join(question.source_quote.split())}"]
        lines += ["", f"{answer.reader} said {_said(row)}: {answer.reason or 'nothing more'}"]
        self.words.setText("\n".join(lines))
        self.topic.setText(row.answered.topic)
        self.answer_panel.head.set_facts(f"{row.answered.instance} · {row.answered.system}")
        slide = answer.cited_slides[0] if answer.cited_slides else None
        if slide is None:
            self.slide.setPixmap(QPixmap())
            self.slide.setText("No slide was cited.")
            return
        self.slide.setText(f"Slide {slide}")
        project, deck = self._context.project, DeckId(answer.deck_id)

        def read() -> Path | None:
            folder = deck_store.page_folder(project, deck)
            path = folder / slide_file_name(slide) if folder is not None else None
            return path if path is not None and path.is_file() else None

        self._context.background.query(read, partial(self._on_picture, row.key, slide), owner=self)

    def _on_picture(self, key: tuple[str, ...], slide: int, path: Path | None) -> None:
        if self._shown is None or self._shown.key != key:
            return
        if path is None:
            self.slide.setText(f"Slide {slide} has no picture here; render the deck to see it.")
            return
        self._picture = QPixmap(str(path))
        self._fit()

    def _fit(self) -> None:
        if self._picture is not None and not self._picture.isNull():
            room = self.slide.size()
            self.slide.setPixmap(
                self._picture.scaled(
                    max(80, room.width() - 24), max(60, room.height() - 24), Qt.AspectRatioMode.KeepAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )
            )  # fmt: skip

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._fit()

    @Slot(object)
    def _on_selected(self, row: ErrorRow) -> None:
        self._show(row)

    @Slot()
    def _on_open(self) -> None:
        if self._shown is not None and self._shown.answered.answer.cited_slides:
            answer = self._shown.answered.answer
            self.slide_opened.emit(str(answer.instance_id), str(answer.deck_id), answer.cited_slides[0])


def _said(row: Any) -> str:
    answer = row.answered.answer.answer
    return {"insufficient": "insufficient", "": "unreadable"}.get(answer, answer)
