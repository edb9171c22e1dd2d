"""What stands for each section of the sources: its own sentences, or a judge's, with the price before it is asked."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions import judge_names
from studio.actions.figures import counted
from studio.actions.judge_price import Estimate
from studio.actions.source_summaries import (
    EXTRACTIVE,
    SectionSummary,
    Summarised,
    estimate_summaries,
    forget_summaries,
    summaries,
    summarise,
)
from studio.errors import BadInput, Cancelled, StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.events import ImportProgress

WORK = "summaries of sources"
WAIT_MS = 300
"""Letters in quick succession are counted once."""
_ABOUT = (
    "Data sets made of this project and fine-tuned models read these summaries; the shipped scorers read the sections "
    "themselves. A section that the judge gives nothing for keeps its own sentences."
)
_COLUMNS: tuple[Column[SectionSummary], ...] = (
    Column(title="Section", value=lambda row: row.title, text=lambda row: "    " * (row.level - 1) + row.title,
           is_strong=True, width=260),
    Column(title="Instance", value=lambda row: row.instance, width=140),
    Column(title="Summed up by", value=lambda row: row.failure or row.written_by,
           text=lambda row: "no summary" if row.failure else row.written_by, tip=lambda row: row.failure or None,
           tone=lambda row: "bad" if row.failure else "text_muted", width=170),
    Column(title="Summary", value=lambda row: row.summary, text=lambda row: " ".join(row.summary.split())),
)  # fmt: skip


class SummariesWindow(QDialog):
    """Shows the sections of the project; a judge can be asked, and what it said be put aside. Esc closes."""

    shown = Signal()
    priced = Signal()
    """The price is shown, or why there is none."""
    section_picked = Signal(str)
    """Title of a section to find in the source."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._price: Ticket | None = None
        self._is_running = False
        self.found: Summarised | None = None
        self.setWindowTitle("Summaries of the sources' sections")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._build()
        self.resize(1040, 680)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._count)
        for box in (self.instance, self.judge):
            box.currentTextChanged.connect(self._on_changed)
        QShortcut(QKeySequence("Ctrl+Return"), self, self._on_start)
        context.background.events.connect(self._on_events)
        self.reload()

    def _build(self) -> None:
        about = toned_label(_ABOUT, "muted")
        about.setWordWrap(True)
        self.instance, self.judge = QComboBox(), QComboBox()
        self.judge.setEditable(True)
        self.judge.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.judge.lineEdit().setPlaceholderText("A judge's name, or provider:model")
        for box, words, letters in ((self.instance, "Instance", 16), (self.judge, "Judge", 28)):
            box.setAccessibleName(words)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(letters)
        self.start = KeyCapButton("Ask", "Ctrl+Enter", is_primary=True)
        self.start.setEnabled(False)
        self.start.clicked.connect(self._on_start)
        self.own = KeyCapButton("Back to own sentences")
        self.own.setToolTip("What judges replied stays stored: asking the same judge again costs nothing")
        self.own.clicked.connect(self._on_own)
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (toned_label("Instance", "muted"), self.instance, toned_label("Judge", "muted"), self.judge):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.start)
        self.price = toned_label("Name a judge to see what asking it would cost.", "muted")
        self.price.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.model: RowModel[SectionSummary] = RowModel(_COLUMNS, self, key=lambda row: (row.instance, row.title))
        self.table = DataTable(is_sortable=False)
        self.table.set_model(self.model)
        self.table.setAccessibleName("Sections")
        self.table.row_opened.connect(self._on_opened)
        self.table.row_selected.connect(self._on_selected)
        self.panel = Panel("Sections", " ")
        self.panel.set_body(self.table)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.words.setMargin(12)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(self.words)
        self.detail = Panel("Summary", " ")
        self.detail.set_body(area)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        split.addWidget(self.panel)
        split.addWidget(self.detail)
        split.setSizes([330, 150])
        self.work = split
        self.empty = EmptyState("No source with sections", "Import a source with headings beside its decks.",
                                icon_name="file-text")  # fmt: skip
        self.loading, self.failed = LoadingState(is_slide=False), FailedState("The sources cannot be read")
        self.failed.retried.connect(self.reload)
        self.states = QStackedWidget()
        for state in (self.loading, self.work, self.empty, self.failed):
            self.states.addWidget(state)
        self.said = ElidedLabel()
        self.said.setProperty("tone", "muted")
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.said, 1)
        foot.addStretch()
        foot.addWidget(self.own)
        for button in (self.start, self.own):
            button.setAutoDefault(False)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addLayout(row)
        column.addWidget(self.price)
        column.addWidget(self.bar)
        column.addWidget(self.states, 1)
        column.addLayout(foot)

    # reading

    @Slot()
    def reload(self) -> None:
        """Read the sections and the project's judges anew."""
        if self._ticket is not None:
            self._ticket.drop()
        if self.found is None:
            self.states.setCurrentWidget(self.loading)
        project = self._context.project
        self._ticket = self._context.background.query(
            lambda: (summaries(project), judge_names.saved_judges(project)), self._on_read, self._on_failed, owner=self
        )

    def drop(self) -> None:
        """Stop what is under way and let go of the project."""
        self._wait.stop()
        for ticket in (self._ticket, self._price):
            if ticket is not None:
                ticket.drop()
        self._ticket = self._price = None
        if self._is_running:
            self._context.background.stop(WORK)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        # What was said is kept: asked again, the judge goes on from there.
        if self._is_running:
            self._context.background.stop(WORK)
        super().closeEvent(event)

    def _on_read(self, read: tuple[Summarised, list[Any]]) -> None:
        self._ticket = None
        found, judges = read
        chosen, words = self.instance.currentData(), self.judge.currentText()
        for box in (self.instance, self.judge):
            box.blockSignals(True)
            box.clear()
        self.instance.addItem("All instances", "")
        for name in dict.fromkeys(each.instance for each in found.sections):
            self.instance.addItem(name, name)
        self.instance.setCurrentIndex(max(0, self.instance.findData(chosen)))
        for saved in judges:
            if saved.setup.provider != "code":
                self.judge.addItem(saved.name)
        self.judge.setCurrentIndex(-1)
        self.judge.setEditText(words)
        for box in (self.instance, self.judge):
            box.blockSignals(False)
        self._show(found)
        self.shown.emit()

    def _show(self, found: Summarised) -> None:
        self.found = found
        self.model.set_rows(found.sections)
        by_judges = sum(each.written_by != EXTRACTIVE for each in found.sections)
        facts = f"{counted(len(found.sections), 'section')}, {by_judges:,} summed up by judges"
        self.panel.set_title("Sections", facts)
        self.states.setCurrentWidget(self.work if found.sections else self.empty)
        self.own.setEnabled(bool(by_judges) and not self._context.project.is_read_only)
        if found.sections:
            self.table.selectRow(0)
        self._set_startable()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, StudioError):
            self.failed.set_error(error)
        else:
            self._context.report(error)
        self.states.setCurrentWidget(self.failed)
        self.shown.emit()

    # the price

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self._estimate = None
        self._set_startable()
        if self.judge.currentText().strip():
            self.price.setText("Counting …")
            self._wait.start()
        else:
            self._wait.stop()
            self.price.setText("Name a judge to see what asking it would cost.")

    @Slot()
    def _count(self) -> None:
        if self._price is not None:
            self._price.drop()
        project, judge = self._context.project, self.judge.currentText().strip()
        ask = partial(estimate_summaries, project, judge, instance=self.instance.currentData() or "")
        self._price = self._context.background.query(ask, self._on_counted, self._on_not_counted, owner=self)

    _estimate: Estimate | None = None

    def _on_counted(self, found: Estimate) -> None:
        self._price = None
        self._estimate = found
        price = "price not known" if found.cost is None else f"about ${found.cost:,.4f}" if found.cost else "free"
        self.price.setText(
            f"{counted(found.calls, 'call')}, {found.stored:,} answered before · {price} · {found.basis}."
        )
        self._set_startable()
        self.priced.emit()

    def _on_not_counted(self, error: BaseException) -> None:
        self._price = None
        if not isinstance(error, BadInput):
            self._context.report(error)
        self.price.setText(str(error))
        self.priced.emit()

    def _set_startable(self) -> None:
        can = self._estimate is not None and self._estimate.requests > 0 and not self._context.project.is_read_only
        self.start.setEnabled(self._is_running or can)

    # what the user does

    @Slot()
    def _on_start(self) -> None:
        if not self.start.isEnabled():
            return
        if self._is_running:
            self._context.background.stop(WORK)
            self.said.set_text("Stopping…")
            return
        self._set_running(True)
        self.said.set_text("Asking…")
        self._context.background.start(
            summarise, self._context.project, self.judge.currentText().strip(), name=WORK, done=self._on_done,
            failed=self._on_not_done, owner=self, instance=self.instance.currentData() or "",
        )  # fmt: skip

    @Slot(list)
    def _on_events(self, events: list[Any]) -> None:
        if not self._is_running:
            return
        told = next((each for each in reversed(events) if isinstance(each, ImportProgress)), None)
        if told is not None:
            self.bar.setRange(0, told.total)
            self.bar.setValue(told.done)
            self.said.set_text(f"{told.done:,} of {counted(told.total, 'section')}: {told.name}")

    def _on_done(self, found: Summarised) -> None:
        self._set_running(False)
        failed = {(each.instance, each.title): each.failure for each in found.sections if each.failure}
        spent = f", ${found.cost:,.4f}" if found.cost else ""
        words = f"{counted(found.calls, 'call')}{spent}"
        self.said.set_text(f"{words} · {counted(len(failed), 'section')} without a summary" if failed else words)
        project = self._context.project
        if not self.instance.currentData():
            self._show(found)
            self.shown.emit()
        else:
            self._ticket = self._context.background.query(
                lambda: (summaries(project), judge_names.saved_judges(project)), self._on_read, self._on_failed,
                owner=self,
            )  # fmt: skip
        self._count()

    def _on_not_done(self, error: BaseException) -> None:
        self._set_running(False)
        self.said.set_text(str(error))
        if not isinstance(error, (StudioError, Cancelled)):
            self._context.report(error)
        self.reload()

    @Slot()
    def _on_own(self) -> None:
        project = self._context.project

        def back() -> tuple[Summarised, list[Any]]:
            forget_summaries(project)
            return summaries(project), judge_names.saved_judges(project)

        self._ticket = self._context.background.query(back, self._on_read, self._on_failed, owner=self)
        self.said.set_text("Every section is stood for by its own sentences.")

    def _set_running(self, is_running: bool) -> None:
        self._is_running = is_running
        self.start.setText("Stop" if is_running else "Ask")
        self.bar.setRange(0, 0)
        self.bar.setVisible(is_running)
        for widget in (self.instance, self.judge, self.own):
            widget.setEnabled(not is_running)
        self._set_startable()

    @Slot(object)
    def _on_selected(self, row: SectionSummary) -> None:
        self.detail.set_title(row.title, row.failure or row.written_by)
        self.words.setText(row.summary)

    @Slot(object)
    def _on_opened(self, row: SectionSummary) -> None:
        self.section_picked.emit(row.title)
