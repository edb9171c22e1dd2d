"""Asking a model about question banks: which model, what it shall do, and what that would cost before it starts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QInputDialog,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from studio.actions import judge_keys, judge_names
from studio.actions.judge_price import Estimate
from studio.actions.quiz_asking import QuizTask, QuizWish, estimate_asking
from studio.actions.source_index import SourceShelf
from studio.errors import BadInput, Cancelled
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.judging.judge_form import JudgeForm
from studio.gui.judging.key_dialog import ask_for_key
from studio.gui.judging.prices_dialog import PricesDialog
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label
from studio.model.decks import Instance
from studio.model.judging import JudgeSetup
from studio.model.judging_options import ShownAs

WAIT_MS = 300
"""Choices in quick succession are counted once."""
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


class AskModel(QDialog):
    """`wished` is sent when the user starts the run."""

    wished = Signal(object)
    """The `QuizWish`."""
    counted = Signal()
    """The price is shown, or why there is none."""

    def __init__(
        self, context: AppContext, shelf: SourceShelf, instances: tuple[Instance, ...], *, task: QuizTask,
        instance: str = "", setup: JudgeSetup | None = None, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Ask a model about question banks")
        self._context, self._shelf, self._setup = context, shelf, setup
        self._ticket: Ticket | None = None
        self._cancel = threading.Event()
        self._build(instances, task, instance)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._count)
        self._connect()
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
        self.form = JudgeForm(names_judge_only=True)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.count = toned_label("Counting …", "heading")
        self.details = toned_label("", "muted")
        for label in (self.about, self.count, self.details):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.prices = KeyCapButton("Prices")
        self.cancel = KeyCapButton("Cancel", "Esc")
        self.start = KeyCapButton("Start", "Ctrl+Enter", is_primary=True)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.prices)
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.start)
        for button in (self.prices, self.cancel, self.start, self.form.save, self.form.forget, self.form.keep_key):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        column.addLayout(self._rows)
        column.addWidget(hairline())
        column.addWidget(area, 1)
        column.addWidget(hairline())
        column.addWidget(self.count)
        column.addWidget(self.details)
        column.addLayout(foot)

    def _connect(self) -> None:
        for box in (self.task, self.instance, self.words_from):
            box.currentIndexChanged.connect(self._on_changed)
        self.form.changed.connect(self._on_changed)
        self.form.key_asked.connect(self._on_key_asked)
        self.form.save_asked.connect(self._on_save_asked)
        self.form.forget_asked.connect(self._on_forget_asked)
        self.prices.clicked.connect(self._on_prices_clicked)
        self.cancel.clicked.connect(self.reject)
        self.start.clicked.connect(self._on_start_clicked)
        QShortcut(QKeySequence("Ctrl+Return"), self, self._on_start_clicked)

    def wish(self) -> QuizWish:
        """Return the run as it is chosen.

        Raises:
            BadInput: for something that does not fit.
        """
        return QuizWish(
            task=QuizTask(self.task.currentData()), setup=self.form.setup(), instance=self.instance.currentData(),
            has_offline_text=bool(self.words_from.currentData()),
            shown_as=ShownAs(self.form.shown_as.currentData()), budget_usd=self.form.budget_usd(),
        )  # fmt: skip

    # reading

    def _query(self, fn: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._context.background.query(fn, done, self._context.report, owner=self)

    def _on_read(self, found: Any) -> None:
        saved, keys = found
        self.form.set_saved(saved)
        self.form.set_keys(keys)
        if self._setup is not None:
            self.form.show_setup(self._setup)
        elif saved:
            self.form.saved.setCurrentIndex(1)
            self.form.show_setup(saved[0].setup)
        self._on_changed()

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self._show_task()
        self._drop()
        self.start.setEnabled(False)
        self.count.setText("Counting …")
        self._wait.start()

    def _show_task(self) -> None:
        task = QuizTask(self.task.currentData())
        self.about.setText(ABOUT[task])
        self._rows.setRowVisible(self.words_from, task == QuizTask.SLIDES)
        self.form.set_shows_slides(task == QuizTask.SLIDES and not self.words_from.currentData())

    def _drop(self) -> None:
        self._cancel.set()
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    @Slot()
    def _count(self) -> None:
        try:
            wish = self.wish()
        except BadInput as error:
            self._on_not_counted(error)
            return
        project, shelf = self._context.project, self._shelf
        cancel = self._cancel = threading.Event()
        self._ticket = self._context.background.query(
            lambda: estimate_asking(project, wish, shelf=shelf, cancel=cancel),
            self._on_counted,
            self._on_not_counted,
            owner=self,
        )

    def _on_counted(self, found: Estimate) -> None:
        self._ticket = None
        price = "price not known" if found.cost is None else f"about ${found.cost:,.4f}" if found.cost else "free"
        self.count.setText(f"{found.calls:,} calls at least · {found.stored:,} replies there · {price}")
        self.details.setText(
            f"{found.input_tokens:,} tokens in, {found.output_tokens:,} out, {found.images:,} pictures. "
            f"{found.basis[:1].upper()}{found.basis[1:]}."
        )
        self.start.setEnabled(True)
        self.counted.emit()

    def _on_not_counted(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, BadInput):
            self._context.report(error)
        self.count.setText("Nothing to count yet")
        self.details.setText(str(error))
        self.counted.emit()

    # what the user does

    @Slot()
    def _on_start_clicked(self) -> None:
        if self.start.isEnabled():
            self.wished.emit(self.wish())
            self.accept()

    @Slot(str)
    def _on_key_asked(self, provider: str) -> None:
        def kept(states: Any) -> None:
            self.form.set_keys(states)
            self._on_changed()

        ask_for_key(self._context, self, provider, kept)

    @Slot()
    def _on_save_asked(self) -> None:
        try:
            setup = self.form.setup()
        except BadInput as error:
            self._on_not_counted(error)
            return
        name, is_given = QInputDialog.getText(self, "Save judge", "Name", text=setup.id.replace(":", " "))
        if is_given:
            project = self._context.project
            self._query(
                lambda: (judge_names.save_judge(project, name, setup), judge_names.saved_judges(project),
                         " ".join(name.split())),
                self._on_names_changed,
            )  # fmt: skip

    @Slot(str)
    def _on_forget_asked(self, name: str) -> None:
        project = self._context.project
        self._query(
            lambda: (judge_names.forget_judge(project, name), judge_names.saved_judges(project), ""),
            self._on_names_changed,
        )

    def _on_names_changed(self, found: Any) -> None:
        changes, saved, chosen = found
        self.form.set_saved(saved, chosen=chosen)
        self._context.announce(changes)

    @Slot()
    def _on_prices_clicked(self) -> None:
        dialog = PricesDialog(self._context, self, model=self.form.model.text().strip())
        dialog.prices_changed.connect(self._on_changed)
        dialog.open()

    def done(self, result: int) -> None:  # @override
        self._drop()
        self._wait.stop()
        super().done(result)
