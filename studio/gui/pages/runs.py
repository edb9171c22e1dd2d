"""Runs: what was computed, what goes on, what failed and why, and how to begin, stop and go on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from studio.actions import runs as run_actions
from studio.actions.judge_wish import JudgeWish
from studio.actions.programs import render_tools
from studio.actions.run_costs import cost_words
from studio.actions.run_plan import can_retry, resume_spec, retry_spec
from studio.gui.background import Ticket, Work
from studio.gui.context import AppContext
from studio.gui.dialogs.new_run import NewRunDialog
from studio.gui.framed_page import FramedPage
from studio.gui.icons import icon
from studio.gui.judging.call_pane import CallPane
from studio.gui.judging.judge_desk import JudgeDesk, work_off
from studio.gui.models.run_table import PROGRESS, ROW_PX, RunDelegate, RunRow, RunTable, extent_in_words, unit_word
from studio.gui.models.unit_table import UnitRow
from studio.gui.shortcuts import Action
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.status_line import time_left
from studio.gui.widgets.table import DataTable
from studio.gui.widgets.unit_panel import UnitPanel
from studio.model.changes import Changes, Topic
from studio.model.events import RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.ids import InstanceId, RunId
from studio.model.passwords import PasswordVault
from studio.model.runs import Run, RunKind, RunSpec, RunState, UnitRecord
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store.project import Project, utc_now

WORK = "The run"
"""What a run is called among the background's work, and when the window asks whether to stop it."""
NARROW_PX = 1200
TICK_MS = 1000
SAID_MS = 500
"""How often what a judge said is read while it is asked."""


class RunsPage(FramedPage):
    """The list of runs on the left, the units of the chosen one on the right."""

    page_id = "runs"
    title = "Runs"
    icon_name = "play"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.judges: JudgeDesk | None = None
        self._tickets: list[Ticket] = []
        self._work: Work | None = None
        self._chosen = ""
        self._began: dict[str, tuple[float, int]] = {}
        """When a live run was first seen (monotonic seconds), and how many units it had then."""
        self._follows_newest = False
        self._build()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_facts)
        self._said_soon = QTimer(self)
        self._said_soon.setSingleShot(True)
        self._said_soon.setInterval(SAID_MS)
        self._said_soon.timeout.connect(self._read_said)

    def _build(self) -> None:
        self.head = PageHead("Runs")
        self.retry = KeyCapButton("Retry failed", icon=icon("refresh-cw"))
        self.resume = KeyCapButton("Go on", icon=icon("play"))
        self.reread = KeyCapButton("Read again", icon=icon("rotate-ccw"))
        self.pause = KeyCapButton("Pause", icon=icon("pause"))
        self.stop = KeyCapButton("Stop", icon=icon("square"))
        self.quality = KeyCapButton("Quality")
        self.quality.setToolTip("How judges agree with themselves, their biases, and which defects they notice.")
        self.ask = KeyCapButton("Ask a judge")
        self.new = KeyCapButton("New run", is_primary=True)
        self._buttons = (
            (self.retry, "runs.retry"), (self.reread, "runs.reread"), (self.resume, "runs.resume"),
            (self.pause, "runs.pause"), (self.stop, "runs.stop"), (self.quality, "runs.quality"),
            (self.ask, "runs.judge"), (self.new, "runs.new"),
        )  # fmt: skip
        for (button, _), gives_way in zip(self._buttons, (6, 7, 5, 2, 1, 4, 3, 0), strict=True):
            self.head.add_control(button, gives_way=gives_way)
        self.runs = RunTable(self)
        self.table = DataTable(row_px=ROW_PX, is_sortable=False)
        self.table.setItemDelegate(RunDelegate(self.table))
        self.table.set_model(self.runs)
        self.table.setAccessibleName("Runs")
        self.table.row_selected.connect(self._on_run_selected)
        list_panel = Panel()
        list_panel.set_body(self.table)
        self.detail = UnitPanel()
        self.detail.unit_opened.connect(self._on_unit_opened)
        self.detail.unit_selected.connect(self._on_unit_selected)
        self.detail.retried.connect(self._load_units)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(list_panel)
        self.right = QSplitter(Qt.Orientation.Vertical)
        self.right.setChildrenCollapsible(False)
        self.right.addWidget(self.detail)
        self.splitter.addWidget(self.right)
        self.splitter.setSizes([600, 700])
        self.empty = EmptyState(
            "No runs yet", "A run measures decks, or asks a judge about them, and keeps every value with the reason "
            "where there is none.", "New run", icon_name="play", second="Ask a judge",
        )  # fmt: skip
        self.empty.button_clicked.connect(self.ask_new)
        self.empty.second.clicked.connect(self.ask_judge)
        self.build_frame(self.head, self.splitter, self.empty, failed="The runs could not be read")

    # the window's side

    def open_project(self, context: AppContext) -> None:
        self._context = context
        self.calls = CallPane(context.background, context.images)
        self.calls.hide()
        self.right.addWidget(self.calls)
        self.right.setSizes([330, 420])
        self.judges = JudgeDesk(context, self, self.calls)
        self.judges.wish_chosen.connect(self.start_judge)
        self.judges.said_read.connect(self.detail.units.set_said)
        for button, action_id in self._buttons:
            button.follow(context.shortcuts, action_id)
        context.background.busy_changed.connect(self._on_busy_changed)
        context.theme.theme_changed.connect(self.table.viewport().update)
        self.states.setCurrentWidget(self.loading)
        self.load()

    def close_project(self) -> None:
        if self._context is not None:
            self._context.background.busy_changed.disconnect(self._on_busy_changed)
        for ticket in self._tickets:
            ticket.drop()
        if self.judges is not None:
            self.judges.close()
        self._tickets, self._work, self._context = [], None, None
        self._tick.stop()
        self._said_soon.stop()
        self._began.clear()
        self._chosen = ""
        self.runs.set_rows([])
        self.detail.begin(None)

    def go_to(self, **place: str) -> None:
        if place.get("run"):
            self._select(place["run"])
        if place.get("judge") and place.get("deck") and self.judges is not None:
            self.judges.open_verdict(place["judge"], place["deck"], place.get("item", ""))
        if place.get("new"):
            self.ask_new()

    def on_shown(self) -> None:
        # The window registers a page's actions after it has opened the project, so the caps are known only now.
        for button, action_id in self._buttons:
            button.set_key(self._context.shortcuts.cap(action_id))
        self._enable()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def on_changes(self, changes: Changes) -> None:
        # Behind other pages too: the table has followed the events of its runs, and goes on from there.
        if changes.topics & {Topic.RUNS, Topic.DECKS}:
            self.load()

    def on_events(self, events: list[Any]) -> None:
        is_turn = self.runs.take(events, now=utc_now())
        for event in events:
            if isinstance(event, RunStarted):
                self._began[event.run_id] = (time.monotonic(), 0)
                self.states.setCurrentWidget(self.splitter)
                if self._follows_newest or not self._chosen:
                    self._select(event.run_id)
            elif isinstance(event, RunEnded):
                self._began.pop(event.run_id, None)
                self.load()
        fresh = [
            event.record
            for event in events
            if isinstance(event, UnitDone | UnitFailed) and event.run_id == self._chosen
        ]
        if fresh:
            self.detail.add_units(fresh)
            if not self._said_soon.isActive():
                self._said_soon.start()
        if is_turn:
            self._enable()
        self._show_facts()
        self._set_ticking()

    def actions(self) -> list[Action]:  # type: ignore[override]
        return [
            Action(id="runs.new", words="New run", run=self.ask_new, keys=("N",), page=self.page_id),
            Action(id="runs.retry", words="Retry failed units", run=self.retry_failed, keys=("R",), page=self.page_id),
            Action(id="runs.resume", words="Go on with a stopped run", run=self.go_on, keys=("G",), page=self.page_id),
            Action(
                id="runs.reread",
                words="Read stored replies again",
                run=self.read_again,
                keys=("Shift+R",),
                page=self.page_id,
            ),
            Action(id="runs.pause", words="Pause the judge", run=self.pause_run, keys=("P",), page=self.page_id),
            Action(id="runs.stop", words="Stop the run", run=self.stop_run, keys=("S",), page=self.page_id),
            Action(id="runs.quality", words="Judge quality", run=self.show_quality, keys=("Q",), page=self.page_id),
            Action(id="runs.judge", words="Ask a judge", run=self.ask_judge, keys=("J",), page=self.page_id),
        ]

    # what a user can do

    @Slot()
    def ask_new(self) -> None:
        """Ask for a run and start it."""
        if self._context is None or self._why_not():
            return
        dialog = NewRunDialog(self._context, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.run_chosen.connect(self.start)
        dialog.open()

    @Slot()
    def ask_judge(self) -> None:
        """Ask for a judge run: which judge, what it costs, what exactly it is asked."""
        if self._context is not None and self.judges is not None and not self._context.project.is_read_only:
            self.judges.ask(self._why_not())

    @Slot()
    def show_quality(self) -> None:
        """Show how good each judge is by itself, version by version."""
        if self.judges is not None:
            self.judges.open_quality()

    @Slot(object)
    def start(self, spec: RunSpec) -> None:
        """Start a run, unless one goes on."""
        self._begin(_start, spec)

    @Slot(object)
    def start_judge(self, wish: JudgeWish) -> None:
        """Start a judge run, unless another run goes on."""
        self._begin(work_off, wish, on_job=self.judges.note_job)

    def _again(self, how: str, run: Run) -> None:
        self._begin(work_off, None, on_job=self.judges.note_job, how=how, run=run)

    def _begin(self, work: Any, wanted: Any, **more: Any) -> None:
        context = self._context
        reason = self._why_not()
        if context is None or reason:
            if context is not None:
                context.toast(reason)
            return
        self._follows_newest = True
        self._work = context.background.start(
            work, context.project, wanted, context.settings, context.passwords, name=WORK, done=self._on_run_done,
            failed=self._on_run_failed, owner=self, **more,
        )  # fmt: skip
        self._enable()

    @Slot()
    def read_again(self) -> None:
        """Read the stored replies of the chosen judge run again; nobody is asked."""
        row = self._chosen_row()
        if row is not None and row.run is not None and row.asks_model:
            self._again("reparse", row.run)

    @Slot()
    def pause_run(self) -> None:
        """Let the judge finish what it is asked now, and ask nothing more."""
        if self.judges is not None:
            self.judges.pause()
            self._enable()

    @Slot()
    def retry_failed(self) -> None:
        """Do the failed units of the chosen run again."""
        row = self._chosen_row()
        if row is not None and row.run is not None and row.kind is RunKind.JUDGE:
            self._again("retry", row.run)
            return
        spec = retry_spec(row.run, self.detail.units.units) if row is not None and row.run is not None else None
        if spec is not None:
            self.start(spec)

    @Slot()
    def go_on(self) -> None:
        """Do what a stopped or interrupted run left undone."""
        row, context = self._chosen_row(), self._context
        if row is None or row.run is None or context is None:
            return
        project, run = context.project, row.run
        if run.kind is RunKind.JUDGE:
            self._again("resume", run)
            return
        if run.kind is RunKind.QUIZ:
            context.navigate("quiz", tab="results")
            context.toast("The offline reader answers what is left: Answer from slides, Oracle or Closed book.")
            return
        self._query(lambda: resume_spec(project, run), self._on_resume_planned)

    @Slot()
    def stop_run(self) -> None:
        """Ask the run to stop; what it finished is kept."""
        if self._context is not None:
            self._context.background.stop(WORK)
            self._enable()

    def _why_not(self) -> str:
        """Return why no run can start now; empty if one can.

        One at a time: two runs would plan the same decks, and an import changes what there is to plan.
        """
        if self._context is None:
            return "No project is open."
        if self._context.project.is_read_only:
            return "Read-only: runs can be looked at, not started"
        busy = self._context.background.busy
        if busy:
            name = busy[0].name[:1].upper() + busy[0].name[1:]
            return f"{name} goes on; one piece of work at a time"
        return ""

    # loading

    def _query(self, fn: Any, done: Any, failed: Any = None) -> Ticket:
        assert self._context is not None
        ticket = self._context.background.query(fn, done, failed or self._context.report, owner=self)
        self._tickets = [*(other for other in self._tickets if other.is_wanted), ticket][-40:]
        return ticket

    @Slot()
    def load(self) -> None:
        if self._context is None:
            return
        project = self._context.project
        self._query(lambda: _read_runs(project), self._on_runs_read, self._on_runs_failed)

    def _on_runs_read(self, found: tuple[list[Run], dict[InstanceId, str], dict[RunId, str]]) -> None:
        stored, names, costs = found
        self.detail.set_names(names)
        self.runs.set_runs(stored, costs)
        for row in self.runs.rows():
            if row.is_live and row.id not in self._began:
                self._began[row.id] = (time.monotonic(), row.done)
        has_rows = bool(self.runs.rows())
        self.states.setCurrentWidget(self.splitter if has_rows else self.empty)
        if has_rows and self.runs.row_with(self._chosen) is None:
            self._select(self.runs.row(0).id)
        self._enable()
        self._show_facts()
        self._set_ticking()

    def _on_runs_failed(self, error: BaseException) -> None:
        self.failed.set_words("The runs could not be read", str(error))
        self.states.setCurrentWidget(self.failed)

    def _select(self, run_id: str) -> None:
        for number, row in enumerate(self.runs.rows()):
            if row.id == run_id:
                self.table.selectRow(number)
                self._on_run_selected(row)
                return

    @Slot(object)
    def _on_run_selected(self, row: RunRow) -> None:
        if row.id == self._chosen:
            return
        self._chosen = row.id
        self._follows_newest = self._follows_newest and row.is_live
        self.calls.setVisible(row.asks_model)
        self.calls.show_words("No unit chosen", "Choose a unit to see what it was asked and what came back.")
        self._load_units()
        self._enable()
        self._show_facts()

    @Slot()
    def _load_units(self) -> None:
        if self._context is None or not self._chosen:
            return
        project, run_id = self._context.project, RunId(self._chosen)
        self.detail.begin(self._chosen_row())
        self._query(
            lambda: (run_id, run_store.units_of(project, run_id)), self._on_units_read, self.detail.show_failed
        )  # fmt: skip

    def _on_units_read(self, found: tuple[str, list[UnitRecord]]) -> None:
        run_id, records = found
        if run_id != self._chosen:
            return
        self.detail.show_units(records)
        self.judges.forget_said(run_id)
        self._read_said()
        self._enable()
        self._show_facts()

    # showing

    @Slot()
    def _show_facts(self) -> None:
        row = self._chosen_row()
        live = next((each for each in self.runs.rows() if each.is_live and each.asks_model), None)
        if live is not None and self.judges is not None and self.judges.cost:
            self.runs.set_cost(live.id, self.judges.cost)
        if row is not None:
            self.detail.tell(row, self._facts(row))

    @Slot()
    def _read_said(self) -> None:
        row = self._chosen_row()
        if row is not None and row.asks_model and self.judges is not None:
            self.judges.read_said(row.id)

    def _facts(self, row: RunRow) -> str:
        if not row.is_live:
            return row.reason or extent_in_words(row)
        began_s, first = self._began.get(row.id, (time.monotonic(), row.done))
        spent_s, done = time.monotonic() - began_s, row.done - first
        parts = [f"{row.done:,} of {row.total:,}"]
        asked = self.judges.facts() if row.asks_model and self.judges is not None else []
        if done >= 3 and spent_s > 2:
            if not asked:
                parts.append(f"{done / spent_s * 60:,.0f} {unit_word(row)}s/min")
            parts.append(time_left(spent_s / done * (row.total - row.done)))
        if row.cached:
            parts.append(f"{row.cached:,} cached")
        return " · ".join([*parts, *asked])

    @Slot()
    def _enable(self) -> None:
        context = self._context
        if context is None:
            return
        row, reason = self._chosen_row(), self._why_not()
        n_retry = sum(can_retry(unit) for unit in self.detail.units.units)
        is_over = row is not None and not row.is_live and row.run is not None
        self.retry.setText(f"Retry failed ({n_retry:,})" if n_retry else "Retry failed")
        can_go_on = is_over and row.state not in {RunState.RUNNING, RunState.DONE}
        is_running = any(work.name == WORK for work in context.background.busy)
        is_stopping = any(work.name == WORK and work.is_stopping for work in context.background.busy)
        self.stop.setText("Stopping" if is_stopping else "Stop")
        self.head.set_title("Runs", reason if context.project.is_read_only or not is_running else "")
        can_pause = is_running and not is_stopping and self.judges.is_running
        can_reread = is_over and row.asks_model and bool(self.detail.units.units)
        for button, action_id, can in (
            (self.new, "runs.new", not reason),
            (self.ask, "runs.judge", not context.project.is_read_only),
            (self.pause, "runs.pause", can_pause),
            (self.quality, "runs.quality", True),
            (self.reread, "runs.reread", not reason and can_reread),
            (self.retry, "runs.retry", not reason and is_over and n_retry > 0),
            (self.resume, "runs.resume", not reason and bool(can_go_on)),
            (self.stop, "runs.stop", is_running and not is_stopping),
        ):
            button.setEnabled(can)
            button.setToolTip(reason if not can and button in (self.new, self.retry, self.resume) else "")
            context.shortcuts.set_enabled(action_id, can)
        is_empty = self.states.currentWidget() is self.empty
        for button in (self.retry, self.stop, self.ask, self.new):
            button.setVisible(not is_empty)
        # What only judges have is there only where it is of use.
        self.pause.setVisible(can_pause)
        self.reread.setVisible(can_reread and not is_running)
        self.quality.setVisible(any(each.kind is RunKind.JUDGE for each in self.runs.rows()))
        self.judges.set_busy(reason)
        self.resume.setVisible(bool(can_go_on))
        self.empty.button.setEnabled(not reason)
        self.empty.second.setEnabled(not context.project.is_read_only)

    def _set_ticking(self) -> None:
        is_live = any(row.is_live for row in self.runs.rows())
        if is_live and not self._tick.isActive():
            self._tick.start()
        elif not is_live:
            self._tick.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW_PX
        # The units say the same as the bar.
        self.table.setColumnHidden(PROGRESS, is_narrow)
        self.table.setColumnWidth(2, 88 if is_narrow else 100)
        self.table.setColumnWidth(3, 66 if is_narrow else 76)
        self.table.setColumnWidth(4, 88 if is_narrow else 106)

    def _chosen_row(self) -> RunRow | None:
        return self.runs.row_with(self._chosen) if self._chosen else None

    # what comes back

    def _on_run_done(self, result: tuple[RunEnded, Changes]) -> None:
        ended, changes = result
        self._work = None
        self.judges.end_job()
        if self._context is not None:
            self._context.announce(changes)
            if ended.state is RunState.FAILED:
                self._context.toast(f"The run failed: {ended.reason}")

    def _on_run_failed(self, error: BaseException) -> None:
        self._work = None
        self.judges.end_job()
        if self._context is not None:
            self.load()
            self._context.report(error)

    def _on_resume_planned(self, spec: RunSpec | None) -> None:
        if spec is not None:
            self.start(spec)

    @Slot()
    def _on_busy_changed(self) -> None:
        self._enable()

    @Slot(object)
    def _on_unit_selected(self, row: UnitRow) -> None:
        chosen = self._chosen_row()
        if chosen is not None and chosen.asks_model and self.judges is not None:
            self.judges.show_unit(row)

    @Slot(object)
    def _on_unit_opened(self, row: UnitRow) -> None:
        chosen = self._chosen_row()
        if chosen is not None and chosen.asks_model and self.judges is not None:
            self.judges.open_unit(row)
        elif self._context is not None:
            self._context.navigate("compare", instance=row.record.instance_id, deck=row.record.deck_id)


def _read_runs(project: Project) -> tuple[Sequence[Run], dict[InstanceId, str], dict[RunId, str]]:
    names = {instance.id: instance.title or instance.name for instance in deck_store.list_instances(project)}
    runs = run_store.list_runs(project)
    return runs, names, cost_words(project, runs)


def _start(
    project: Project, spec: RunSpec, settings: Any, passwords: PasswordVault, *, emit: Any, cancel: Any
) -> tuple[RunEnded, Changes]:
    return run_actions.start_run(
        project, spec, tools=render_tools(settings), emit=emit, cancel=cancel, passwords=passwords
    )
