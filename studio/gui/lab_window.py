"""The sensitivity lab in the window: decks made worse on purpose, and which metric or judge notices what."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QListView,
    QProgressBar,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.figures import figure
from studio.actions.judge_names import saved_judges
from studio.actions.judging import JudgePreview
from studio.actions.lab import LabDeck, decks_of_project, decks_to_choose
from studio.actions.lab_judging import ask_in_lab, lab_price
from studio.actions.lab_table import LabRow, LabTable, in_words, lab_csv, lab_svg, stored_table, worked_lab
from studio.actions.programs import render_tools
from studio.errors import Cancelled, StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.lab_judges import LabJudges
from studio.gui.plots.svg_plot import SvgPlot
from studio.gui.widgets.check_list import CheckModel
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.metrics.registry import EDITABILITY, FROM_WORDS, METRICS
from studio.model.events import ImportProgress, UnitDone, UnitFailed
from studio.model.ids import DeckId
from studio.model.reflex import ContentMetric
from studio.stats.noticing import Noticing
from studio.whole_files import write_whole

WORK = "sensitivity lab"
_NOTHING = -2.0
_RULE = (
    "Kendall's tau of value and −degree within a ladder, mean over ladders; 1 sees every step. ✓ or no: whether "
    "values fall more than chance explains on these decks, corrected for the whole table; ?: too few ladders to tell. "
    "From 2: from degree 2 on more than half of the ladders fall. “Sees nothing”: the same value on every rung."
)


class LabModel(RowModel[LabRow]):
    """One line for each evaluator, one column for each kind of defect."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="Evaluator", value=lambda row: row.title, tip=lambda row: row.evaluator, is_strong=True)
        ]
        for defect in ContentMetric:
            columns.append(
                Column(
                    title=METRICS[f"reflex.{defect.value}"].title,
                    value=lambda row, defect=defect: _tau(row, defect),
                    text=lambda row, defect=defect: _cell(row.by_defect.get(defect)),
                    tip=lambda row, defect=defect: _tip(row.by_defect.get(defect)),
                    tone=lambda row, defect=defect: _tone(row.by_defect.get(defect)),
                    width=170,
                )
            )  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.evaluator)


class LabWindow(QDialog):
    """Makes a lab of a deck or of all decks, runs metrics over it, and shows the table; Esc closes."""

    shown = Signal()
    """A table is shown, or why there is none."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._deck_id: DeckId | None = None
        self._ticket: Ticket | None = None
        self._is_running = False
        self._is_asking = False
        self.table: LabTable | None = None
        self.setWindowTitle("Sensitivity lab")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._build()
        self.resize(1120, 800)
        context.background.events.connect(self._on_events)

    def _build(self) -> None:
        self.heading = ElidedLabel("Who notices what was made worse on purpose?")
        self.heading.setProperty("tone", "title")
        self.form = QWidget()
        row = QHBoxLayout(self.form)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        self.which = QComboBox()
        self.which.setAccessibleName("Decks")
        self.which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.which.setMinimumContentsLength(22)
        self.which.currentIndexChanged.connect(self._on_which)
        self.decks = CheckModel(self)
        self.decks.ticked.connect(self._on_which)
        self.deck_list = QListView()
        self.deck_list.setModel(self.decks)
        self.deck_list.setAccessibleName("Chosen decks")
        self.deck_list.setUniformItemSizes(True)
        self.deck_list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.deck_list.setMaximumHeight(132)
        self.deck_list.hide()
        self.judges = LabJudges()
        self.judges.price_asked.connect(self._on_price)
        self.judges.asked.connect(self._on_ask)
        self.repeats = WholeBox(1, 50, 5)
        self.repeats.setAccessibleName("Ladders of each deck")
        self.repeats.setToolTip(
            "How often each deck is made worse, each time by other chance; one is never enough to tell"
        )
        self.content = QCheckBox("Content")
        self.looks = QCheckBox("Aesthetics")
        self.looks.setToolTip("Renders every file of the lab, which takes a second or two each")
        self.edits = QCheckBox("Editability")
        for box in (self.content, self.looks, self.edits):
            box.setChecked(True)
        self.start = KeyCapButton("Start", "Ctrl+Enter", is_primary=True)
        self.start.setShortcut("Ctrl+Return")
        self.start.setAutoDefault(False)
        self.start.clicked.connect(self._on_start)
        for widget in (self.which, toned_label("Ladders", "muted"), self.repeats, self.content, self.looks, self.edits):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.start)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.said = ElidedLabel()
        self.said.setProperty("tone", "muted")
        self.model = LabModel(self)
        self.rows = DataTable()
        self.rows.set_model(self.model)
        self.rows.setAccessibleName("Who notices what")
        self.panel = Panel("Who notices what", " ")
        self.panel.set_body(self.rows)
        self.plot = SvgPlot("Share of ladders that fall minus share that rise, by degree")
        self.plot_panel = Panel("By degree", "share of ladders that fall minus share that rise")
        self.plot_panel.set_body(self.plot, margin=8)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.addWidget(self.panel)
        self.split.addWidget(self.plot_panel)
        self.split.setChildrenCollapsible(False)
        self.split.setSizes([380, 260])
        self.empty = EmptyState("No lab yet", "Start makes the deck worse by four defects in four degrees.",
                                icon_name="chart-scatter")  # fmt: skip
        self.states = QStackedWidget()
        self.states.addWidget(self.empty)
        self.states.addWidget(self.split)
        self.rule = toned_label(_RULE, "muted")
        self.rule.setWordWrap(True)
        self.csv = KeyCapButton("Save table…")
        self.svg = KeyCapButton("Save plot…")
        for button, run in ((self.csv, self._on_csv), (self.svg, self._on_svg)):
            button.setAutoDefault(False)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.setEnabled(False)
            button.clicked.connect(run)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.said, 1)
        foot.addStretch()
        foot.addWidget(self.csv)
        foot.addWidget(self.svg)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(12)
        for widget in (self.heading, self.form, self.deck_list, self.judges, self.bar):
            column.addWidget(widget)
        column.addWidget(self.states, 1)
        column.addWidget(self.rule)
        column.addLayout(foot)

    def show_deck(self, deck_id: DeckId, name: str) -> None:
        """Offer a lab of this deck; a lab that is open as a project shows its table at once."""
        self._deck_id = deck_id
        self.which.blockSignals(True)
        self.which.clear()
        self.which.addItem(f"This deck: {name}", "one")
        self.which.addItem("All decks of the project", "all")
        self.which.addItem("Chosen decks", "chosen")
        self.which.blockSignals(False)
        self.form.setEnabled(not self._context.project.is_read_only)
        self.judges.setEnabled(not self._context.project.is_read_only)
        self.start.setFocus()
        project = self._context.project

        def offered(found: tuple[list[tuple[DeckId, str]], list[str]]) -> None:
            self.decks.set_items(found[0])
            self.judges.set_judges(found[1])

        self._context.background.query(
            lambda: (decks_to_choose(project), [each.name for each in saved_judges(project)
                                                if each.setup.provider != "code"]),
            offered, self._on_failed, owner=self,
        )  # fmt: skip
        self._on_which()

    def drop(self) -> None:
        """Stop what is under way and let go of the project."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        if self._is_running:
            self._context.background.stop(WORK)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        # What was made and scored is kept: the next start goes on from there.
        if self._is_running:
            self._context.background.stop(WORK)
        super().closeEvent(event)

    def lab_folder(self) -> Path:
        """Return where the lab of the present choice lies."""
        ids = self.deck_ids()
        name = "all" if ids is None else ids[0] if len(ids) == 1 else f"chosen-{_digest(ids)}"
        return self._context.project.folder / "exports" / f"lab-{name}"

    def deck_ids(self) -> list[DeckId] | None:
        """Return the decks of the present choice; None for all."""
        match self.which.currentData():
            case "one" if self._deck_id is not None:
                return [self._deck_id]
            case "chosen":
                return [DeckId(str(key)) for key in self.decks.checked()]
            case _:
                return None

    def evaluators(self) -> tuple[str, ...]:
        """Return the metrics that are ticked; the heuristics and the length cost nothing and are always there."""
        looks = tuple(name for name in METRICS if name not in FROM_WORDS and name != EDITABILITY)
        kinds = ((self.content, FROM_WORDS), (self.edits, (EDITABILITY,)), (self.looks, looks))
        return tuple(name for box, names in kinds if box.isChecked() for name in names)

    @Slot()
    def _on_start(self) -> None:
        if self._is_running:
            self._context.background.stop(WORK)
            self.said.set_text("Stopping…")
            return
        project, ids = self._context.project, self.deck_ids()
        if ids == []:
            self.said.set_text("Tick the decks that are to be made worse.")
            return
        self._set_running(True)
        self._context.background.start(
            _work, self.lab_folder(), partial(decks_of_project, project, ids), name=WORK, done=self._on_done,
            failed=self._on_failed, owner=self, repeats=self.repeats.value(), evaluators=self.evaluators(),
            settings=self._context.settings,
        )  # fmt: skip

    @Slot()
    def _on_which(self) -> None:
        """Show the lab of the present choice, if it was made before."""
        self.deck_list.setVisible(self.which.currentData() == "chosen")
        ids = self.deck_ids()
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        if ids == []:
            self._on_read(None)
            return
        self._query(partial(stored_table, self._context.project, self.lab_folder()), self._on_read)

    @Slot()
    def _on_price(self) -> None:
        self.judges.show_words("Counting …")
        self._begin(lab_price, self._on_priced, self._on_not_priced)

    def _on_priced(self, found: JudgePreview) -> None:
        self._set_running(False)
        self.said.set_text("")
        self.judges.show_price(found)
        self.shown.emit()

    def _on_not_priced(self, error: BaseException) -> None:
        self._on_failed(error)
        self.judges.show_words(str(error))

    @Slot()
    def _on_ask(self) -> None:
        self._begin(ask_in_lab, self._on_done, self._on_failed)

    def _begin(self, work: Any, done: Any, failed: Any) -> None:
        question = self.judges.question()
        self._set_running(True)
        self._is_asking = True
        self._context.background.start(
            work, self._context.project, self.lab_folder(), question, name=WORK, done=done, failed=failed, owner=self,
            tools=render_tools(self._context.settings),
        )  # fmt: skip

    @Slot(list)
    def _on_events(self, events: list[Any]) -> None:
        if not self._is_running:
            return
        made = next((each for each in reversed(events) if isinstance(each, ImportProgress)), None)
        if made is not None:
            self.bar.setRange(0, made.total)
            self.bar.setValue(made.done)
            self.said.set_text(f"{made.done:,} of {made.total:,} files made")
        scored = sum(isinstance(each, (UnitDone, UnitFailed)) for each in events)
        if scored:
            self.bar.setRange(0, 0)
            self.said.set_text("Asking about the lab's files…" if self._is_asking else "Measuring the lab's files…")

    def _on_read(self, table: LabTable | None) -> None:
        self._ticket = None
        if table is not None:
            self.show_table(table)
        else:
            self.table = None
            self.judges.set_has_lab(False)
            for button in (self.csv, self.svg):
                button.setEnabled(False)
            self.said.set_text("")
            self.states.setCurrentWidget(self.empty)
            self.shown.emit()

    def _on_done(self, table: LabTable) -> None:
        self._set_running(False)
        self.show_table(table)

    def show_table(self, table: LabTable) -> None:
        """Show a table and its plot."""
        self.table = table
        self.model.set_rows(table.rows)
        self.panel.set_title("Who notices what", in_words(table))
        self.plot.set_plot(partial(lab_svg, table))
        for button in (self.csv, self.svg):
            button.setEnabled(True)
        left_out = [f"{each.defect.value}: {each.reason}" for each in table.lab.left_out]
        self.said.set_text("Left out – " + " · ".join(dict.fromkeys(left_out)) if left_out else "")
        self.judges.set_has_lab(True)
        self.states.setCurrentWidget(self.split)
        self.shown.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._set_running(False)
        self.said.set_text(str(error))
        if not isinstance(error, (StudioError, Cancelled)):
            self._context.report(error)
        self.shown.emit()

    def _set_running(self, is_running: bool) -> None:
        self._is_running = is_running
        self._is_asking = False
        self.start.setText("Stop" if is_running else "Start")
        for widget in (self.which, self.repeats, self.content, self.looks, self.edits, self.deck_list, self.judges):
            widget.setEnabled(not is_running)
        self.bar.setVisible(is_running)

    @Slot()
    def _on_csv(self) -> None:
        self._save("CSV (*.csv)", "lab.csv", lab_csv)

    @Slot()
    def _on_svg(self) -> None:
        self._save("SVG (*.svg)", "lab.svg", lab_svg)

    def _save(self, kind: str, name: str, words: Any) -> None:
        table = self.table
        chosen, _ = QFileDialog.getSaveFileName(self, "Save", name, kind)
        if chosen and table is not None:
            self._query(
                lambda: write_whole(Path(chosen), words(table)), lambda _: self.said.set_text(f"Saved {chosen}.")
            )

    def _query(self, fn: Any, done: Any) -> None:
        self._ticket = self._context.background.query(fn, done, self._on_failed, owner=self)


def _digest(ids: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:10]


def _work(folder: Path, decks: Any, *, repeats: int, evaluators: tuple[str, ...], settings: Any, emit: Any,
          cancel: Any) -> LabTable:  # fmt: skip
    found: list[LabDeck] = decks()
    return worked_lab(
        folder, found, repeats=repeats, evaluators=evaluators, tools=render_tools(settings), emit=emit, cancel=cancel
    )


def _tau(row: LabRow, defect: ContentMetric) -> float | None:
    found = row.by_defect.get(defect)
    if found is None:
        return None
    # Below every tau: an evaluator that sees nothing sorts last, and its words are shown.
    return _NOTHING if found.tau is None else found.tau


def _cell(found: Noticing | None) -> str:
    if found is None:
        return "–"
    if found.tau is None:
        return "sees nothing" if found.undefined_reason == "constant" else "no value"
    mark = {True: "✓", False: "no", None: "?"}[found.is_noticed]
    return f"{figure(found.tau)} {mark}" + (f" · from {found.from_degree}" if found.from_degree else "")


def _tone(found: Noticing | None) -> str:
    if found is None or not found.is_noticed:
        return "text_muted"
    return "ok"


def _tip(found: Noticing | None) -> str:
    if found is None:
        return "No score of this evaluator in the lab"
    lines = [f"degree {each.degree}: {each.lower} fall, {each.higher} rise, {each.same} stay" for each in found.degrees]
    if found.low is not None and found.high is not None:
        lines.append(f"tau {figure(found.tau)}, 95 % {figure(found.low)} to {figure(found.high)}, n = {found.n_tau}")
    if found.p is not None and found.p_holm is not None:
        lines.append(f"p {found.p:.2g}, corrected for {found.n_cells} cells {found.p_holm:.2g}")
    return "\n".join(lines)
