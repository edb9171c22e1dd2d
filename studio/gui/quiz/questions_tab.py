"""The questions of one bank at the left, one question in the middle, its evidence in the source at the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QWidget

from studio.actions import quiz_banks
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.quiz.evidence_panel import EvidencePanel
from studio.gui.quiz.question_editor import QuestionEditor
from studio.gui.quiz.reading import BankView
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.gui.writes import Writes
from studio.model.ids import new_id
from studio.model.quiz import Question, QuestionOrigin, QuestionState, QuestionType, QuizBank
from studio.quiz.checks import Finding, Rule, Severity

SAVE_AFTER_MS = 1500
STATES = {QuestionState.DRAFT: "draft", QuestionState.ACCEPTED: "✓ accepted", QuestionState.REJECTED: "× rejected"}
TONES = {QuestionState.DRAFT: "text_muted", QuestionState.ACCEPTED: "ok", QuestionState.REJECTED: "bad"}


@dataclass(frozen=True, kw_only=True)
class QuestionRow:
    """One line of the list."""

    question: Question
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        """Findings that keep it from being accepted."""
        return sum(each.severity is Severity.ERROR for each in self.findings)


TYPE, NARROW_PX = 1, 1240
"""The column of the type, and the width below which the table does without it."""


class QuestionsTab(QWidget):
    """Reading, editing, accepting and rejecting questions; what is typed is stored when the typing rests."""

    draft_asked = Signal()

    def __init__(self, context: AppContext, writes: Writes, *, name: Callable[[], str], can_write: bool) -> None:
        super().__init__()
        self._context, self._writes, self._name, self._can_write = context, writes, name, can_write
        self.view: BankView | None = None
        self._shown: Question | None = None
        self._is_dirty = False
        self._wanted = ""
        self._save = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._save.timeout.connect(self.save)
        self._build()

    def _build(self) -> None:
        self.rows: RowModel[QuestionRow] = RowModel(
            [
                Column(title="State", value=lambda row: STATES[row.question.state],
                       tone=lambda row: TONES[row.question.state], width=92),
                Column(title="Type", value=lambda row: row.question.type.value, width=84),
                Column(title="Question", value=lambda row: row.question.question or None,
                       reason=lambda row: "nothing asked yet", tip=lambda row: row.question.question),
                Column(title="Page", value=lambda row: row.question.page, is_number=True, width=54,
                       reason=lambda row: "no page is named"),
                Column(title="Checks", value=lambda row: len(_shown(row)) or None,
                       text=lambda row: f"! {row.errors}" if row.errors else f"{len(_shown(row))}",
                       tone=lambda row: "bad" if row.errors else "warn", reason=lambda row: "nothing found",
                       tip=lambda row: "\n".join(each.message for each in _shown(row)), width=72),
            ],
            key=lambda row: row.question.id,
        )  # fmt: skip
        self.rows.setParent(self)
        self.table = DataTable(is_sortable=False)
        self.table.set_model(self.rows)
        self.table.setAccessibleName("Questions")
        self.table.row_selected.connect(self._on_selected)
        self.empty = EmptyState(
            "No questions yet", "Draft some from the numbers in the sources, import a bank, or write one.",
            "Draft questions", icon_name="list-checks",
        )  # fmt: skip
        self.empty.button_clicked.connect(self.draft_asked)
        self.empty.button.setVisible(self._can_write)
        self.left = QStackedWidget()
        self.left.addWidget(self.table)
        self.left.addWidget(self.empty)
        self.list_panel = Panel("Questions", " ")
        self.list_panel.set_body(self.left)
        foot = self.list_panel.add_foot()
        self.buttons: dict[str, KeyCapButton] = {}
        foot.row.setSpacing(4)
        for words, icon_name, action in (
            ("Accept", "", "quiz.accept"), ("Reject", "", "quiz.reject"), ("New", "", "quiz.add"),
            ("", "rotate-ccw", "quiz.undo"), ("", "rotate-cw", "quiz.redo"),
        ):  # fmt: skip
            button = KeyCapButton(words, icon=icon(icon_name) if icon_name else None, is_compact=True)
            if words:
                button.follow(self._context.shortcuts, action)
            else:
                # Without a key cap: three buttons with words leave no room for theirs.
                button.clicked.connect(self.undo if action == "quiz.undo" else self.redo)
                button.setAccessibleName(action.partition(".")[2].capitalize())
            button.setEnabled(self._can_write)
            self.buttons[action] = button
            foot.row.addWidget(button)
            if action == "quiz.add":
                foot.row.addStretch(1)
        self.editor = QuestionEditor()
        self.editor.edited.connect(self._on_edited)
        self.editor.set_read_only(not self._can_write)
        self.nothing = EmptyState("No question chosen", "Choose one at the left.", icon_name="pencil")
        self.middle = QStackedWidget()
        self.middle.addWidget(self.editor)
        self.middle.addWidget(self.nothing)
        self.middle.setCurrentWidget(self.nothing)
        self.question_panel = Panel("Question", " ")
        self.question_panel.set_body(self.middle)
        self.evidence = EvidencePanel()
        self.evidence.quote_chosen.connect(self._on_quote_chosen)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for panel in (self.list_panel, self.question_panel, self.evidence):
            split.addWidget(panel)
        for panel in (self.question_panel, self.evidence):
            panel.setMinimumWidth(240)
        split.setSizes([520, 430, 450])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 12, 0, 0)
        row.addWidget(split)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        # The editor says the type as well; the question says more in its place.
        self.table.setColumnHidden(TYPE, self.width() < NARROW_PX)

    # the page's side

    def set_view(self, view: BankView) -> None:
        """Show a bank; what is being typed stays."""
        is_other = self.view is None or (self.view.instance and self.view.instance.id) != (
            view.instance and view.instance.id
        )
        self.view = view
        questions = view.bank.questions if view.bank is not None else ()
        self.rows.set_rows(
            [
                QuestionRow(question=each, findings=tuple(one for one in view.findings if one.question_id == each.id))
                for each in questions
            ]
        )
        n = sum(each.state is QuestionState.ACCEPTED for each in questions)
        of_bank = [each.message for each in view.findings if not each.question_id]
        version = f" · version {view.bank.version}" if view.bank is not None else ""
        self.list_panel.set_title("Questions", f"{n} of {len(questions)} accepted{version}" if questions else " ")
        self.list_panel.head.facts_label.setToolTip("\n".join(of_bank))
        self.left.setCurrentWidget(self.table if questions or self._is_new() else self.empty)
        self.evidence.show_sources(view.pages, view.finder, view.covered, unread=view.unread, can_take=self._can_write)
        for action, words in (("quiz.undo", view.undo), ("quiz.redo", view.redo)):
            is_on = self._can_write and bool(words)
            self._context.shortcuts.set_enabled(action, is_on)
            self.buttons[action].setEnabled(is_on)
            name = self.buttons[action].accessibleName()
            self.buttons[action].setToolTip(f"{name}: {words}" if words else name)
        self._follow(is_other=bool(is_other))

    def stop(self) -> None:
        """Store what is typed and stop the timer."""
        self.save()
        self._save.stop()

    def chosen(self) -> list[Question]:
        """Return the chosen questions from top to bottom."""
        return [row.question for row in self.table.selected_rows()]

    # what a person can do

    @Slot()
    def add(self) -> None:
        """Begin a question; it is stored with its first words."""
        if self.view is None or self.view.instance is None or not self._can_write:
            return
        self.save()
        self.table.clearSelection()
        question = Question(
            id=new_id("q"), type=QuestionType.CONCEPT, question="", options=dict.fromkeys("ABCD", ""), answer="A",
            origin=QuestionOrigin.PERSON,
        )  # fmt: skip
        self.left.setCurrentWidget(self.table)
        self._put(question)
        self.editor.words.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def accept(self) -> None:
        """Accept the chosen questions, and go to the next draft."""
        self._decide(QuestionState.ACCEPTED)

    @Slot()
    def reject(self) -> None:
        """Reject the chosen questions, and go to the next draft."""
        self._decide(QuestionState.REJECTED)

    @Slot()
    def reopen(self) -> None:
        """Make drafts of the chosen questions again."""
        self._decide(QuestionState.DRAFT)

    def _decide(self, state: QuestionState) -> None:
        if self.view is None or self.view.bank is None or not self._can_write:
            return
        self.save()
        ids = [each.id for each in self.chosen()] or ([self._shown.id] if self._shown else [])
        if not ids:
            return
        context, who, instance = self._context, self._name(), self.view.bank.instance_id
        after = self._next_draft(ids)

        def write() -> Any:
            bank = quiz_banks.bank_of(context.project, instance)
            return quiz_banks.decide(context.project, bank, ids, state, person=who)[1]

        def done(changes: Any) -> None:
            self._wanted = after
            context.announce(changes)

        self._writes.add(write, done, context.report)

    def _next_draft(self, decided: list[str]) -> str:
        listed = [row.question for row in self.rows.rows()]
        places = [place for place, each in enumerate(listed) if each.id in decided]
        later = listed[places[-1] + 1 :] if places else listed
        found = next((each for each in later if each.state is QuestionState.DRAFT), None)
        return found.id if found is not None else decided[-1]

    @Slot()
    def undo(self) -> None:
        """Take the last act back."""
        self._go_back(quiz_banks.undo)

    @Slot()
    def redo(self) -> None:
        """Bring back what was taken back."""
        self._go_back(quiz_banks.redo)

    def _go_back(self, how: Any) -> None:
        self.save()
        context, who = self._context, self._name()
        self._writes.add(
            lambda: how(context.project, author=who), lambda found: self._announce(found and found[1]), context.report
        )

    @Slot()
    def save(self) -> None:
        """Store the question in the form, if it was changed."""
        self._save.stop()
        question = self.editor.question() if self._is_dirty else None
        if question is None or self.view is None or self.view.instance is None or not self._can_write:
            return
        if not question.question:
            return
        self._is_dirty, self._shown = False, question
        context, who, instance = self._context, self._name(), self.view.instance.id

        def write() -> Any:
            bank: QuizBank = quiz_banks.bank_of(context.project, instance, made_with=who)
            return quiz_banks.save_question(context.project, bank, question, author=who)[1]

        self._wanted = question.id
        self._writes.add(write, self._announce, context.report)

    def _announce(self, changes: Any) -> None:
        if changes is not None:
            self._context.announce(changes)

    # the form follows the list

    def _is_new(self) -> bool:
        return self._shown is not None and self._is_dirty

    def _follow(self, *, is_other: bool) -> None:
        assert self.view is not None
        questions = self.view.bank.questions if self.view.bank is not None else ()
        wanted = self._wanted or (self._shown.id if self._shown is not None and not is_other else "")
        self._wanted = ""
        found = next((each for each in questions if each.id == wanted), None)
        if found is None and self._is_dirty and not is_other:
            return
        found = found or (questions[0] if questions else None)
        if found is None:
            self._put(None)
            return
        number = [each.id for each in questions].index(found.id)
        if not self._is_dirty or self._shown is None or self._shown.id != found.id:
            self._put(found)
        if self.table.currentIndex().row() != number:
            self.table.selectRow(number)

    def _put(self, question: Question | None) -> None:
        self._shown, self._is_dirty = question, False
        self.middle.setCurrentWidget(self.editor if question is not None else self.nothing)
        if question is None:
            self.evidence.show_quote("")
            return
        self.editor.show_question(question)
        findings = self.view.findings if self.view is not None else ()
        self.editor.show_findings(
            [each for each in findings if each.question_id == question.id and each.rule is not Rule.NOBODY_VERIFIED]
        )
        self.evidence.show_quote(question.source_quote, source=question.source, page=question.page)

    @Slot(object)
    def _on_selected(self, row: QuestionRow) -> None:
        if self._shown is not None and row.question.id == self._shown.id:
            return
        self.save()
        self._put(row.question)

    @Slot()
    def _on_edited(self) -> None:
        self._is_dirty = True
        self._save.start()
        question = self.editor.question()
        if question is not None:
            self.evidence.show_quote(question.source_quote, source=question.source, page=question.page)

    @Slot(str, str, int)
    def _on_quote_chosen(self, words: str, source: str, page: int) -> None:
        self.editor.take_quote(words, source, page)


def _shown(row: QuestionRow) -> list[Finding]:
    return [each for each in row.findings if each.rule is not Rule.NOBODY_VERIFIED]
