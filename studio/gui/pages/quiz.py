"""Quiz: question banks beside their sources, what readers answered, why they were wrong, and an audit of it all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QMenu, QWidget

from studio.actions import quiz_asking, quiz_banks, quiz_run
from studio.actions.programs import render_tools
from studio.actions.quiz_asking import Asked, QuizTask, QuizWish
from studio.actions.quiz_composite import Weights
from studio.actions.source_index import SourceShelf
from studio.errors import BadInput
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.framed_page import WritingPage
from studio.gui.icons import icon
from studio.gui.quiz.ask_model import AskModel
from studio.gui.quiz.audit_tab import AuditTab
from studio.gui.quiz.errors_tab import ErrorsTab
from studio.gui.quiz.questions_tab import QuestionsTab
from studio.gui.quiz.reading import AuditView, BankView, ResultsView, read_audit, read_bank, read_results
from studio.gui.quiz.results_tab import ResultsTab
from studio.gui.shortcuts import Action
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead, pop_up_below
from studio.gui.widgets.states import EmptyState
from studio.model.changes import Changes, Topic
from studio.model.ids import InstanceId
from studio.model.quiz import Condition, ErrorType

WORK = "Question banks"
TABS = ("questions", "results", "errors", "audit")
CONDITIONS = {
    Condition.SLIDES: "Answer from slides", Condition.ORACLE: "Oracle: answer from the quotes",
    Condition.CLOSED_BOOK: "Closed book: guess without slides",
}  # fmt: skip


class QuizPage(WritingPage):
    """One instance's bank in the first tab, all banks in the others."""

    page_id = "quiz"
    title = "Quiz"
    icon_name = "circle-help"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._instance: InstanceId | None = None
        self._tickets: dict[str, Ticket] = {}
        self._stale = {"bank", "results", "audit"}
        self.view: BankView | None = None
        self.asking: AskModel | None = None
        self._table = ""
        """The table that is shown when the work is done."""

    # the window's side

    def open_project(self, context: AppContext) -> None:
        self.begin(context)
        self.shelf = SourceShelf(context.project, context.passwords)
        self.head = PageHead("Question banks")
        self.instance = QComboBox()
        self.instance.setAccessibleName("Instance")
        self.instance.setMinimumWidth(140)
        self.instance.setMaximumWidth(320)
        self.instance.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.instance.activated.connect(self._on_instance_chosen)
        self.draft_button = KeyCapButton("Draft questions", icon=icon("plus"))
        self.draft_button.setToolTip("Data questions from the numbers in the sources; no model is asked")
        self.draft_button.clicked.connect(self.draft)
        self.build_button = KeyCapButton("Build…")
        self.build_button.setToolTip(
            "Build banks with a model: facts with quotes, a critic, then questions; the price is shown first"
        )
        self.build_button.clicked.connect(self._on_build_clicked)
        self.files = KeyCapButton("Bank file", icon=icon("download"))
        self.files.clicked.connect(self._on_files_clicked)
        self.run_button = KeyCapButton("Run offline reader", is_primary=True)
        self.run_button.setToolTip("A retrieval rule, no model: free and the same every time")
        self.run_button.clicked.connect(self._on_run_clicked)
        for control, gives_way in (
            (self.instance, 0), (self.draft_button, 1), (self.build_button, 2), (self.files, 3), (self.run_button, 0),
        ):  # fmt: skip
            self.head.add_control(control, gives_way=gives_way)
        for control in (self.draft_button, self.build_button, self.run_button):
            control.setEnabled(self.can_write)
        self.questions = QuestionsTab(context, self.writes, name=self._name, can_write=self.can_write)
        self.questions.draft_asked.connect(self.draft)
        self.results = ResultsTab(context, can_write=self.can_write)
        self.results.weights_changed.connect(self._on_weights_changed)
        self.results.run_asked.connect(self.run)
        self.results.readers.asked.connect(self._on_reader_asked)
        self.results.readers.compare_asked.connect(self.compare)
        self.results.readers.model_asked.connect(self._on_model_asked)
        self.results.deck_opened.connect(self._on_deck_opened)
        self.errors = ErrorsTab(context, self.writes, name=self._name, can_write=self.can_write)
        self.errors.slide_opened.connect(self._on_slide_opened)
        self.audit = AuditTab()
        self.none = EmptyState("No instances yet", "Import decks with their sources first.", icon_name="library")
        self.build_tabs(
            self.head, ("Questions", self.questions), ("Results", self.results), ("Errors", self.errors),
            ("Audit", self.audit), failed="The question banks could not be read", who="Who verifies?", none=self.none,
        )  # fmt: skip

    def close_project(self) -> None:
        context = self._context
        if context is None:
            return
        self.questions.stop()
        self.writes.finish(context.report)
        for ticket in self._tickets.values():
            ticket.drop()
        self._context, self.view = None, None

    def go_to(self, **place: str) -> None:
        if place.get("instance") and place["instance"] != self._instance:
            self.questions.save()
            self._instance = InstanceId(place["instance"])
            self._stale.add("bank")
            if self._is_shown:
                self.load()
        if place.get("tab") in TABS:
            self.tabs.setCurrentIndex(TABS.index(place["tab"]))

    def place(self) -> dict[str, str]:
        return {"instance": str(self._instance)} if self._instance else {}

    def focus_first(self) -> None:
        self.questions.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def on_hidden(self) -> None:
        super().on_hidden()
        self.questions.save()

    def on_changes(self, changes: Changes) -> None:
        if changes.topics & {Topic.QUIZ, Topic.DECKS}:
            self._stale |= {"bank", "results", "audit"}
        elif changes.topics & {Topic.SCORES, Topic.ANSWERS}:
            self._stale.add("results")
        if self._is_shown:
            self.load()

    def actions(self) -> list[Action]:  # type: ignore[override]
        def act(name: str, words: str, run: Any, *keys: str) -> Action:
            return Action(id=f"quiz.{name}", words=words, run=run, keys=keys, page=self.page_id)

        questions = self.questions
        return [
            act("accept", "Accept question", questions.accept, "A"),
            act("reject", "Reject question", questions.reject, "R"),
            act("reopen", "Make a draft of it again", questions.reopen, "Backspace"),
            act("add", "New question", questions.add, "N"),
            act("save", "Save question", questions.save, "Ctrl+S"),
            act("undo", "Undo", questions.undo, "Ctrl+Z"),
            act("redo", "Redo", questions.redo, "Ctrl+Shift+Z"),
            act("draft", "Draft questions", self.draft),
            act("import", "Import a question bank…", self.ask_import),
            act("export", "Export question banks…", self.ask_export),
            act("run", "Run offline reader", lambda: self.run("slides")),
            act("oracle", "Run offline reader: oracle", lambda: self.run("oracle")),
            act("closed_book", "Run offline reader: closed book", lambda: self.run("closed_book")),
            act("build", "Build question banks with a model…", self._on_build_clicked),
            act("model", "Let a model answer question banks…", self._on_model_asked),
            act("compare", "Compare readers of question banks", lambda: self.compare(self.results.readers.chosen)),
            *(self._error_action(number, kind) for number, kind in enumerate(ErrorType, start=1)),
        ]  # fmt: skip

    def _error_action(self, number: int, kind: ErrorType) -> Action:
        def decide() -> None:
            if self.tabs.currentWidget() is self.errors:
                self.errors.decide(kind)

        words = f"Wrong by {kind.value.replace('_', ' ')}"
        return Action(id=f"quiz.error_{number}", words=words, run=decide, keys=(str(number),), page=self.page_id)

    # loading

    def load_named(self) -> None:  # @override
        # What of it is stale is known tab by tab, so the page as a whole never is up to date.
        if "bank" in self._stale:
            project, shelf, instance = self._context.project, self.shelf, self._instance
            if self.view is None:
                self.states.setCurrentWidget(self.loading)
            self._read("bank", lambda: read_bank(project, shelf, instance), self._on_bank)
        self._on_tab_changed()

    def _read(self, what: str, fn: Any, done: Any) -> None:
        assert self._context is not None
        self._stale.discard(what)
        if what in self._tickets:
            self._tickets[what].drop()

        def failed(error: BaseException) -> None:
            self._stale.add(what)
            if what != "bank":
                assert self._context is not None
                self._context.report(error)
                return
            self.show_failure(error, "The question banks could not be read")

        self._tickets[what] = self._context.background.query(fn, done, failed, owner=self)

    def _on_bank(self, view: BankView) -> None:
        self.view = view
        if view.instance is None:
            self.states.setCurrentWidget(self.none)
            return
        self._instance = view.instance.id
        self.instance.clear()
        for each in view.instances:
            n = view.counts.get(each.id, 0)
            self.instance.addItem(f"{each.title or each.name}" + (f" ({n})" if n else ""), str(each.id))
        self.instance.setCurrentIndex(self.instance.findData(str(view.instance.id)))
        banks = sum(map(bool, view.counts.values()))
        self.head.facts_label.set_text(f"{banks} of {len(view.instances)} instances have a bank")
        self.questions.set_view(view)
        self.states.setCurrentWidget(self.tabs)

    def _on_results(self, view: ResultsView) -> None:
        self.results.set_view(view)
        self.errors.set_view(view)

    def _on_audit(self, view: AuditView) -> None:
        self.audit.set_view(view)

    @Slot()
    def _on_tab_changed(self, *_: object) -> None:
        if self._context is None:
            return
        project, shelf = self._context.project, self.shelf
        tab = self.tabs.currentWidget()
        if tab in {self.results, self.errors} and "results" in self._stale:
            weights = self.results.chosen_weights() or Weights()
            self._read("results", lambda: read_results(project, shelf, weights), self._on_results)
        elif tab is self.audit and "audit" in self._stale:
            self._read("audit", lambda: read_audit(project, shelf), self._on_audit)

    @Slot()
    def _on_weights_changed(self) -> None:
        if self.results.chosen_weights() is not None:
            self._stale.add("results")
            self._on_tab_changed()

    @Slot()
    def _on_instance_chosen(self, *_: object) -> None:
        self.go_to(instance=self.instance.currentData())

    # what a person can do

    @Slot()
    def draft(self) -> None:
        """Draft questions for the instance that is shown."""
        context, view = self._context, self.view
        if context is None or view is None or view.instance is None or not self.can_write:
            return
        self.questions.save()
        instance, who, shelf = view.instance.id, self._name(), self.shelf

        def done(result: Any) -> None:
            if result is None:
                return
            report = result[0][0]
            context.toast(
                f"{report.new} new drafts." if report.new else f"No new draft: {report.reason or 'all known'}."
            )
            context.announce(result[1])

        self.writes.add(
            lambda: quiz_banks.draft_banks(context.project, instance=instance, author=who, shelf=shelf), done,
            context.report,
        )  # fmt: skip

    @Slot()
    def _on_files_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Import a bank…", self.ask_import).setEnabled(self.can_write)
        menu.addAction("Export all banks…", self.ask_export)
        pop_up_below(menu, self.files)

    @Slot()
    def ask_import(self) -> None:
        """Ask for a file of banks and bring it in."""
        chosen, _ = QFileDialog.getOpenFileName(self, "Import question banks", "", "JSON (*.json *.jsonl)")
        if chosen:
            self.import_banks(Path(chosen))

    def import_banks(self, path: Path) -> None:
        """Bring a file of banks in; one that names no instance goes to the one that is shown."""
        context = self._context
        if context is None or not self.can_write:
            return
        instance = self.view.instance.name if self.view is not None and self.view.instance is not None else ""
        who = self._name()

        def done(result: Any) -> None:
            if result is not None:
                report, changes = result
                refused = f", {len(report.refused)} refused" if report.refused else ""
                context.toast(f"{report.new} new, {report.same} as before, {report.changed} differ{refused}.")
                context.announce(changes)

        self.writes.add(
            lambda: quiz_banks.import_banks(context.project, path, instance=instance, author=who), done, context.report
        )

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write all banks there."""
        context = self._context
        chosen, _ = QFileDialog.getSaveFileName(self, "Export question banks", "banks.json", "JSON (*.json)")
        if chosen and context is not None:
            self.questions.save()
            context.background.query(
                lambda: quiz_banks.export_banks(context.project, Path(chosen)),
                lambda path: context.toast(f"Exported as {path.name}."), context.report, owner=self,
            )  # fmt: skip

    @Slot()
    def _on_run_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for condition, words in CONDITIONS.items():
            menu.addAction(words, lambda chosen=condition.value: self.run(chosen))
        pop_up_below(menu, self.run_button)

    @Slot(str)
    def run(self, condition: str) -> None:
        """Let the offline reader answer all banks; the results tab comes to the front when it is done."""
        context = self._context
        if context is not None:
            self._begin(_run, context.project, Condition(condition), context.settings, context.passwords)

    @Slot()
    def _on_build_clicked(self) -> None:
        view = self.view
        if view is not None and view.instance is not None:
            self.ask_model(QuizTask.BUILD, instance=str(view.instance.id))

    @Slot()
    def _on_model_asked(self) -> None:
        self.ask_model(QuizTask.SLIDES)

    def ask_model(self, task: QuizTask, *, instance: str = "") -> None:
        """Open the window that sets a model up and says what it would cost."""
        context, view = self._context, self.view
        if context is None or view is None or not self.can_write:
            return
        self.questions.save()
        known = self.results.readers.wishes
        self.asking = AskModel(
            context, self.shelf, view.instances, task=task, instance=instance,
            setup=known[-1].setup if known else None, parent=self,
        )  # fmt: skip
        self.asking.wished.connect(self.start_model)
        self.asking.open()

    @Slot(object)
    def start_model(self, wish: QuizWish) -> None:
        """Ask a model, within its budget; what it was asked before is not asked again."""
        context = self._context
        if context is None:
            return
        self.results.readers.keep(wish)
        self._begin(_ask, context.project, wish, self.shelf, context.settings, context.passwords)

    @Slot(object, object)
    def _on_reader_asked(self, task: QuizTask, wish: QuizWish | None) -> None:
        if wish is None:
            self.run(task.value)
        else:
            self.start_model(replace(wish, task=task, instance=""))

    @Slot(object)
    def compare(self, wish: QuizWish | None) -> None:
        """Let the offline reader and the chosen model answer about slides what they have not, then compare readers."""
        context = self._context
        if context is None:
            return
        both = replace(wish, task=QuizTask.SLIDES, instance="") if wish is not None else None
        self._begin(_compare, context.project, both, self.shelf, context.settings, context.passwords, table="backends")

    def _begin(self, fn: Any, *args: Any, table: str = "") -> None:
        context = self._context
        if context is None or not self.can_write:
            return
        if context.background.busy:
            context.toast("Something else goes on; wait for it.")
            return
        self.questions.save()
        self._table = table
        self._set_busy(True)
        context.background.start(
            fn, *args, name=WORK, done=self._on_run_done, failed=self._on_run_failed, owner=self,
        )  # fmt: skip

    def _set_busy(self, is_busy: bool) -> None:
        for button in (self.run_button, self.build_button):
            button.setEnabled(self.can_write and not is_busy)
        self.results.readers.set_busy(is_busy)

    def _on_run_done(self, result: Any) -> None:
        self._set_busy(False)
        table, self._table = self._table, ""
        if self._context is None:
            return
        told, changes = result
        self._context.announce(changes)
        if isinstance(told, Asked):
            if told.stopped:
                self._context.report(
                    BadInput(f"Not finished: {told.stopped}.", next_step="Start it again: it goes on from there.")
                )
            else:
                self._context.toast(f"{told.words}.")
            if told.wish.task is QuizTask.BUILD:
                self.tabs.setCurrentWidget(self.questions)
                return
        self.tabs.setCurrentWidget(self.results)
        if table:
            self.results.show_table(table)

    def _on_run_failed(self, error: BaseException) -> None:
        self._set_busy(False)
        self._table = ""
        if self._context is not None:
            self._context.report(error)

    @Slot(str, str)
    def _on_deck_opened(self, instance: str, deck: str) -> None:
        if self._context is not None:
            self._context.navigate("compare", instance=instance, deck=deck)

    @Slot(str, str, int)
    def _on_slide_opened(self, instance: str, deck: str, slide: int) -> None:
        if self._context is not None:
            self._context.navigate("compare", instance=instance, deck=deck, slide=str(slide))


def _run(
    project: Any, condition: Condition, settings: Any, passwords: Any, *, emit: Any, cancel: Any
) -> tuple[Any, Changes]:
    return quiz_run.run_offline(
        project, condition=condition, tools=render_tools(settings), emit=emit, cancel=cancel, passwords=passwords
    )


def _ask(
    project: Any, wish: QuizWish, shelf: SourceShelf, settings: Any, passwords: Any, *, emit: Any, cancel: Any
) -> tuple[Any, Changes]:
    return quiz_asking.ask_model(
        project, wish, shelf=shelf, tools=render_tools(settings), emit=emit, cancel=cancel, passwords=passwords
    )


def _compare(
    project: Any, wish: QuizWish | None, shelf: SourceShelf, settings: Any, passwords: Any, *, emit: Any, cancel: Any
) -> tuple[Any, Changes]:
    result = _run(project, Condition.SLIDES, settings, passwords, emit=emit, cancel=cancel)
    if wish is None or cancel.is_set():
        return result
    told, changes = _ask(project, wish, shelf, settings, passwords, emit=emit, cancel=cancel)
    return told, result[1] | changes
