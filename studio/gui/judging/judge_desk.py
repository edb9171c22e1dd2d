"""What the Runs page has for judges: asking for a run, watching and pausing it, looking into a unit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from studio.actions import judging
from studio.actions.judge_wish import JudgeWish
from studio.actions.judge_xray import unit_view
from studio.actions.programs import render_tools
from studio.actions.run_costs import in_dollars
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.judging.call_pane import CallPane
from studio.gui.judging.new_judge_run import NewJudgeRun
from studio.gui.judging.quality_window import QualityWindow
from studio.gui.judging.xray import XrayWindow
from studio.gui.models.unit_table import UnitRow
from studio.model.changes import Changes
from studio.model.events import RunEnded
from studio.model.passwords import PasswordVault
from studio.model.runs import Run
from studio.store import judging as judging_store
from studio.store.project import Project


class JudgeDesk(QObject):
    """Owns the dialog, the X-ray window and the job that goes on; made for one project."""

    wish_chosen = Signal(object)
    """The `JudgeWish` that is to be started."""
    said_read = Signal(object)
    """What units of a run said, by key and deck."""

    def __init__(self, context: AppContext, page: QWidget, calls: CallPane) -> None:
        super().__init__(page)
        self._context, self._page, self._calls = context, page, calls
        self._ticket: Ticket | None = None
        self._said_ticket: Ticket | None = None
        self._said_of, self._said_after = "", 0
        self._job: Any = None
        self._began_s = 0.0
        self.dialog: NewJudgeRun | None = None
        self.xray: XrayWindow | None = None
        self.quality: QualityWindow | None = None

    # a run that goes on

    @property
    def is_running(self) -> bool:
        """Whether a judge is being asked and can be paused."""
        return self._job is not None and not self._job.stop.is_set()

    def note_job(self, job: Any) -> None:
        """Take note of the job that begins; called on its thread, before the first call."""
        self._began_s = time.monotonic()
        self._job = job

    def end_job(self) -> None:
        """Forget the job: it ended."""
        if self._job is not None:
            self._show_spend()
        self._job = None

    def pause(self) -> None:
        """Ask nothing new; what is in flight is finished and kept."""
        if self._job is not None:
            self._job.pause()

    def facts(self) -> list[str]:
        """Return rate, spend and failed calls by class of the run that goes on; empty while none does."""
        if self._job is None:
            return []
        live = self._job.live()
        spent_s = time.monotonic() - self._began_s
        parts = []
        if live.calls >= 3 and spent_s > 2:
            parts.append(f"{live.calls / spent_s * 60:,.0f} calls/min")
        if live.reused:
            parts.append(f"{live.reused:,} stored replies used")
        parts.append(self._show_spend())
        parts += [f"{number:,} {name.replace('_', ' ')}" for name, number in sorted(live.faults.items())]
        return [part for part in parts if part]

    @property
    def cost(self) -> str:
        """What the run that goes on has cost so far."""
        return in_dollars(self._job.live().spent.usd, self._job.price) if self._job is not None else ""

    def _show_spend(self) -> str:
        live, budget = self._job.live(), self._job.budget
        words = self.cost
        if budget.usd is not None:
            words = f"${live.spent.usd:,.2f} of ${budget.usd:,.2f}"
        elif budget.tokens is not None:
            words = f"{live.spent.input_tokens + live.spent.output_tokens:,} of {budget.tokens:,} tokens"
        self._context.set_spend(f"{self._job.setup.id} · {words}")
        return words

    # asking for a run

    def ask(self, busy: str) -> None:
        """Open the dialog; `busy` says why no run can start now."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        self.dialog = NewJudgeRun(self._context, self._page)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.wish_chosen.connect(self.wish_chosen)
        self.dialog.finished.connect(self._on_dialog_finished)
        self.dialog.set_busy(busy)
        self.dialog.show()

    def set_busy(self, busy: str) -> None:
        """Tell the dialog whether a run can start."""
        if self.dialog is not None:
            self.dialog.set_busy(busy)

    @Slot()
    def _on_dialog_finished(self, *_: object) -> None:
        self.dialog = None

    # looking into a unit

    def show_unit(self, row: UnitRow) -> None:
        """Show a unit's call in the pane."""
        self._drop()
        project, record = self._context.project, row.record
        self._ticket = self._context.background.query(
            lambda: unit_view(project, record.key, record.deck_id), self._calls.show_unit, self._calls.show_failed,
            owner=self,
        )  # fmt: skip

    def open_unit(self, row: UnitRow) -> None:
        """Show a unit's call in a window of its own."""
        self._xray().show_unit(row.record.key, row.record.deck_id)

    def open_verdict(self, judge_id: str, deck_id: str, item_id: str) -> None:
        """Show the call that a verdict comes from."""
        self._xray().show_verdict(judge_id, deck_id, item_id)

    def open_quality(self) -> None:
        """Show how good each judge is by itself."""
        if self.quality is None:
            self.quality = QualityWindow(self._context, self._page)
        self.quality.show_fresh()

    def read_said(self, run_id: str) -> None:
        """Read what the units of a run said since the last time, and send it."""
        if self._said_ticket is not None and self._said_ticket.is_wanted and self._said_of == run_id:
            return
        if self._said_of != run_id:
            self.forget_said(run_id)
        project, after = self._context.project, self._said_after
        self._said_ticket = self._context.background.query(
            lambda: (run_id, *judging_store.verdict_words(project, run_id, after=after)), self._on_said_read,
            self._context.report, owner=self,
        )  # fmt: skip

    def forget_said(self, run_id: str = "") -> None:
        """Read from the beginning next time."""
        if self._said_ticket is not None:
            self._said_ticket.drop()
        self._said_ticket, self._said_of, self._said_after = None, run_id, 0

    def _on_said_read(self, found: Any) -> None:
        run_id, said, last = found
        self._said_ticket = None
        if run_id == self._said_of:
            self._said_after = last
            self.said_read.emit(said)

    def _xray(self) -> XrayWindow:
        if self.xray is None:
            self.xray = XrayWindow(self._context, self._page)
        return self.xray

    def _drop(self) -> None:
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def close(self) -> None:
        """Let go of the project."""
        self._drop()
        self.forget_said()
        if self.dialog is not None:
            self.dialog.reject()
        for window in (self.xray, self.quality):
            if window is not None:
                window.close()
                window.deleteLater()
        self.xray = self.quality = None
        self._job = None


def work_off(
    project: Project, wish: JudgeWish | None, settings: Any, passwords: PasswordVault, on_job: Callable[[Any], None],
    how: str = "", run: Run | None = None, *, emit: Any, cancel: Any,
) -> tuple[RunEnded, Changes]:  # fmt: skip
    """Start a judge run, or go on with one: long work for the background.

    Args:
        project: open for writing.
        wish: a new run; None for going on with `run`.
        settings: where the programs that draw are named.
        passwords: of protected decks.
        on_job: given the job before its first call.
        how: with a run: ``resume``, ``retry`` or ``reparse``.
        run: the run to go on with.
        emit: told each step.
        cancel: stops the run.
    """
    more: dict[str, Any] = {
        "tools": render_tools(settings), "emit": emit, "cancel": cancel, "passwords": passwords, "on_job": on_job,
    }  # fmt: skip
    if wish is not None:
        return judging.start_judging(project, wish, **more)
    assert run is not None
    again = {"resume": judging.resume_judging, "retry": judging.retry_failed, "reparse": judging.reparse}[how]
    return again(project, run, **more)
