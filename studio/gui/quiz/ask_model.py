"""Asking a model about question banks: which model, what it shall do, and what that would cost before it starts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from studio.actions import judge_keys, judge_names
from studio.actions.judge_price import Estimate
from studio.actions.quiz_asking import QuizTask, QuizWish, estimate_asking
from studio.actions.source_index import SourceShelf
from studio.gui.context import AppContext
from studio.gui.judging.judge_form import JudgeForm
from studio.gui.judging.priced_dialog import PricedDialog
from studio.gui.widgets.panel import hairline, toned_label
from studio.model.decks import Instance
from studio.model.judging import JudgeSetup
from studio.model.judging_options import ShownAs
from studio.model.protocols import CancelToken

TASKS = {
    QuizTask.BUILD: "Build question banks", QuizTask.SLIDES: "Read the slides and answer",
    QuizTask.ORACLE: "Oracle: answer from the quotes", QuizTask.CLOSED_BOOK: "Closed book: answer without slides",
}  # fmt: skip
ABOUT = {
    QuizTask.BUILD: "Facts with quotes, a critic, then 5 concept and 5 data questions an instance. Every quote is "
    "compared with the source by code. The questions are drafts until a person accepts them.",
    QuizTask.SLIDES: "Slides are turned into text first, then the questions are answered from that text alone.",
    QuizTask.ORACLE: "A sound bank comes to 100 %.",
    QuizTask.CLOSED_BOOK: "A sound bank stays at chance, 25 %.",
}


class AskModel(PricedDialog):
    """`wished` is sent when the user starts the run."""

    wished = Signal(object)
    """The `QuizWish`."""
    counted = Signal()
    """The price is shown, or why there is none."""

    def __init__(
        self, context: AppContext, shelf: SourceShelf, instances: tuple[Instance, ...], *, task: QuizTask,
        instance: str = "", setup: JudgeSetup | None = None, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(context, JudgeForm(names_judge_only=True), parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Ask a model about question banks")
        self._shelf, self._setup = shelf, setup
        self._build(instances, task, instance)
        for box in (self.task, self.instance, self.words_from):
            box.currentIndexChanged.connect(self._on_changed)
        self.resize(620, 700)
        self._show_task()
        project = context.project
        self._query(lambda: (judge_names.saved_judges(project), judge_keys.key_states()), self._on_read)

    def _build(self, instances: tuple[Instance, ...], task: QuizTask, instance: str) -> None:
        self.task = QComboBox()
        for each, words in TASKS.items():
            self.task.addItem(words, each)
        self.task.setCurrentIndex(self.task.findData(task))
        self.about = toned_label("", "muted")
        self.instance = QComboBox()
        self.instance.addItem("All instances", "")
        for item in instances:
            self.instance.addItem(item.title or item.name, str(item.id))
        self.instance.setCurrentIndex(max(0, self.instance.findData(instance)))
        self.words_from = QComboBox()
        self.words_from.addItem("This model, from the slides", False)
        self.words_from.addItem("The files, without a model", True)
        for box, name in ((self.task, "Task"), (self.instance, "Instance"), (self.words_from, "Words of slides from")):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        self._rows = QFormLayout()
        self._rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._rows.setHorizontalSpacing(12)
        self._rows.setVerticalSpacing(6)
        self._rows.setContentsMargins(0, 0, 16, 0)
        self._rows.addRow("Task", self.task)
        self._rows.addRow("", self.about)
        self._rows.addRow("About", self.instance)
        self._rows.addRow("Words from", self.words_from)
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        column.addLayout(self._rows)
        column.addWidget(hairline())
        column.addWidget(self.scrolled_form(), 1)
        column.addWidget(hairline())
        column.addWidget(self.count)
        column.addWidget(self.details)
        column.addLayout(self.foot())

    def wish(self) -> QuizWish:  # @override
        return QuizWish(
            task=QuizTask(self.task.currentData()), setup=self.form.setup(), instance=self.instance.currentData(),
            has_offline_text=bool(self.words_from.currentData()),
            shown_as=ShownAs(self.form.shown_as.currentData()), budget_usd=self.form.budget_usd(),
        )  # fmt: skip

    # reading

    def _on_read(self, found: Any) -> None:
        saved, keys = found
        self.form.set_keys(keys)
        self.show_saved(saved)
        if self._setup is not None:
            self.form.saved.setCurrentIndex(0)
            self.form.show_setup(self._setup)
        self._on_changed()

    def begin_count(self) -> None:  # @override
        self._show_task()
        self.start.setEnabled(False)

    def _show_task(self) -> None:
        task = QuizTask(self.task.currentData())
        self.about.setText(ABOUT[task])
        self._rows.setRowVisible(self.words_from, task == QuizTask.SLIDES)
        self.form.set_shows_slides(task == QuizTask.SLIDES and not self.words_from.currentData())

    def counting(self, wish: QuizWish, cancel: CancelToken) -> Callable[[], Estimate]:  # @override
        return partial(estimate_asking, self._context.project, wish, shelf=self._shelf, cancel=cancel)

    def show_counted(self, found: Estimate) -> None:  # @override
        price = "price not known" if found.cost is None else f"about ${found.cost:,.4f}" if found.cost else "free"
        self.count.setText(f"{found.calls:,} calls at least · {found.stored:,} replies there · {price}")
        self.details.setText(
            f"{found.input_tokens:,} tokens in, {found.output_tokens:,} out, {found.images:,} pictures. "
            f"{found.basis[:1].upper()}{found.basis[1:]}."
        )
        self.start.setEnabled(True)
        self.counted.emit()

    def show_uncounted(self, error: BaseException) -> None:  # @override
        self.counted.emit()

    def begin_run(self) -> None:  # @override
        self.wished.emit(self.wish())
