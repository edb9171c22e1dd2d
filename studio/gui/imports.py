"""Bringing decks and tables into the open project, and rendering what came in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from studio.actions import decks as deck_actions
from studio.actions import programs
from studio.actions import runs as run_actions
from studio.actions import tables as table_actions
from studio.actions.decks import ImportReport
from studio.actions.tables import TableReport
from studio.decks.layouts import ImportPlan
from studio.errors import Cancelled, StudioError
from studio.gui.background import Work
from studio.gui.context import AppContext
from studio.gui.dialogs.import_preview import ImportPreview
from studio.gui.dialogs.import_report import (
    ReportDialog,
    import_rows,
    import_words,
    table_rows,
    table_words,
)
from studio.model.changes import Changes
from studio.model.events import RunEnded
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec
from studio.settings import Settings

IMPORT, RENDER = "Import", "Render decks"
TABLES = frozenset({".csv", ".jsonl", ".ndjson"})
READ_ONLY = StudioError(
    "The project is open read-only, so nothing can be brought in.",
    next_step="Close the other program that has it open, then open it again.",
)


class Imports(QObject):
    """What comes into one project. Lives as long as the page that owns it."""

    def __init__(self, context: AppContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context = context
        self._owner = owner
        self._waiting: list[tuple[tuple[DeckId, ...], bool]] = []
        self._rendering: Work | None = None
        self._importing: Work | None = None
        self._last: ImportReport | None = None

    # asking

    def ask(self) -> None:
        """Open the import dialog without any files yet."""
        self._preview([])

    def take(self, paths: Sequence[Path]) -> None:
        """Show what an import of these files would do; tables are read in at once."""
        if paths and all(path.suffix.lower() in TABLES for path in paths):
            for path in paths:
                self.read_table(path)
        else:
            self._preview(paths)

    def _preview(self, paths: Sequence[Path]) -> None:
        if self._context.project.is_read_only:
            self._context.report(READ_ONLY)
            return
        if self._importing is not None:
            self._context.toast("An import goes on. Stop it or wait for its end, then import more.")
            return
        dialog = ImportPreview(self._context, paths, self._owner.window())
        dialog.import_asked.connect(self.start)
        dialog.open()

    # decks

    def start(self, plan: ImportPlan) -> None:
        """Bring in what was planned, in the background; rendering follows by itself."""
        project = self._context.project
        self._importing = self._context.background.start(
            deck_actions.import_plan,
            project,
            plan,
            name=IMPORT,
            done=self._on_imported,
            failed=self._on_import_failed,
            owner=self,
        )

    def _on_imported(self, result: tuple[ImportReport, Changes]) -> None:
        report, changes = result
        was_stopped = self._importing is not None and self._importing.is_stopping
        self._importing, self._last = None, report
        self._context.announce(changes)
        if report.to_render and not was_stopped:
            self.render(report.to_render)
        words = import_words(report)
        if report.failed or report.skipped:
            self.show_last()
        else:
            self._context.toast(f"Import stopped. {words}." if was_stopped else f"{words}.")

    def _on_import_failed(self, error: BaseException) -> None:
        self._importing = None
        if not isinstance(error, Cancelled):
            self._context.report(error)

    def show_last(self) -> None:
        """Show what the last import did."""
        if self._last is None:
            self._context.toast("Nothing was imported since the project was opened.")
            return
        rows = import_rows(self._last)
        ReportDialog("Import", import_words(self._last), rows, self._owner.window()).open()

    # pictures

    def render(self, deck_ids: Sequence[DeckId], *, is_forced: bool = False) -> None:
        """Draw the slides of these decks as a run; while another run draws, this one waits for its end."""
        if self._context.project.is_read_only:
            self._context.report(READ_ONLY)
            return
        self._waiting.append((tuple(deck_ids), is_forced))
        self._render_next()

    def _render_next(self) -> None:
        if self._rendering is not None or not self._waiting:
            return
        deck_ids, is_forced = self._waiting.pop(0)
        spec = RunSpec(kind=RunKind.RENDER, deck_ids=deck_ids, force=is_forced)
        self._rendering = self._context.background.start(
            render_run,
            self._context.project,
            spec,
            self._context.settings,
            self._context.passwords,
            name=RENDER,
            done=self._on_rendered,
            failed=self._on_render_failed,
            owner=self,
        )

    def _on_rendered(self, result: tuple[RunEnded, Changes]) -> None:
        ended, changes = result
        if self._rendering is not None and self._rendering.is_stopping:
            self._waiting.clear()
        self._rendering = None
        self._context.announce(changes)
        if ended.reason and not self._waiting:
            self._context.toast(f"Rendering ended: {ended.reason}")
        self._render_next()

    def _on_render_failed(self, error: BaseException) -> None:
        self._rendering = None
        self._waiting.clear()
        if not isinstance(error, Cancelled):
            self._context.report(error)

    # tables

    def read_table(self, path: Path) -> None:
        """Read a table of answers, scores or verdicts in, and say what became of its rows."""
        if self._context.project.is_read_only:
            self._context.report(READ_ONLY)
            return
        self._context.background.start(
            _unstoppable(partial(table_actions.import_table, self._context.project, path)),
            name=f"Import {path.name}",
            done=partial(self._on_table_read, path),
            failed=self._context.report,
            owner=self,
        )

    def _on_table_read(self, path: Path, result: tuple[TableReport, Changes]) -> None:
        report, changes = result
        self._context.announce(changes)
        words = f"{path.name} · {table_words(report)}"
        if report.refused or report.conflicting:
            ReportDialog("Import table", words, table_rows(report), self._owner.window()).open()
        else:
            self._context.toast(f"{words}.")


def render_run(
    project: Any, spec: RunSpec, settings: Settings, passwords: PasswordVault, *, emit: Emit, cancel: CancelToken
) -> tuple[RunEnded, Changes]:
    """Work a render run off with the programs that the settings name now, and return how it ended."""
    tools = programs.render_tools(settings)
    return run_actions.start_run(project, spec, tools=tools, emit=emit, cancel=cancel, passwords=passwords)


def _unstoppable(fn: Any) -> Any:
    """Return a short function as long work that takes no notice of being stopped: it is one transaction."""

    def work(*, emit: Emit, cancel: CancelToken) -> Any:
        return fn()

    return work
