"""What goes out of the open project, or comes into it, as a file: tables, the report, a copy of the whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QFileDialog

from studio.actions.figures import counted
from studio.gui.dialogs.merge_answers import MergeAnswers
from studio.model.changes import Changes
from studio.model.packs import MergeReport
from studio.model.protocols import CancelToken, Emit

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow


class ProjectFiles(QObject):
    """Asks for files on behalf of one window. Without an open project nothing happens."""

    merge_shown = Signal()
    """What files of answers would bring is shown, in `merging`."""
    merged = Signal()
    found = Signal()
    """A search for missing files ended."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.merging: MergeAnswers | None = None

    @Slot()
    def ask_import_table(self) -> None:
        """Ask for tables and hand them to the page that takes them."""
        read, context = self._window.services.import_table, self._window.context
        if read is not None and context is not None:
            read(self._window, context, self._window.take_paths)

    @Slot()
    def ask_export(self) -> None:
        """Open the export dialog."""
        export, context = self._window.services.export, self._window.context
        if export is not None and context is not None:
            export(self._window, context)

    @Slot()
    def ask_report(self) -> None:
        """Ask for a file and write the report there."""
        report, context = self._window.services.report, self._window.context
        if report is not None and context is not None:
            report(self._window, context)

    @Slot()
    def ask_cases(self) -> None:
        """Ask which cases go on cards, and for a file, and write them there."""
        ask, context = self._window.services.case_cards, self._window.context
        if ask is not None and context is not None:
            ask(self._window, context)

    @Slot()
    def ask_release(self) -> None:
        """Ask for a folder and write an alignment set for others there."""
        ask, context = self._window.services.release, self._window.context
        if ask is not None and context is not None:
            ask(self._window, context)

    @Slot()
    def ask_save_copy(self) -> None:
        """Ask for a folder and copy the project there."""
        if self._window.services.save_copy is None or self._window.context is None:
            return
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save a copy: name and place of its folder")
        if chosen:
            self.save_copy(Path(chosen))

    def save_copy(self, target: Path) -> None:
        """Write a whole copy of the project into a new folder, in the background."""
        save, context = self._window.services.save_copy, self._window.context
        project = context.project

        def work(*, emit: Emit, cancel: CancelToken) -> Path:
            return save(project, target)

        context.background.start(
            work, name=f"Save a copy as {target.name}", done=self._on_copied, failed=self._window.report, owner=self
        )

    def _on_copied(self, target: Path) -> None:
        self._window.say(f"A copy was saved as {target}.")

    @Slot()
    def ask_find_missing(self) -> None:
        """Ask for a folder in which originals that are missing may lie, under whatever name."""
        if self._window.context is None:
            return
        chosen = QFileDialog.getExistingDirectory(self._window, "Find missing files: folder to look in")
        if chosen:
            self.find_missing(Path(chosen))

    def find_missing(self, folder: Path) -> None:
        """Bring originals back that lie in a folder, in the background, and say how many are still missing."""
        find, context = self._window.services.find_missing, self._window.context
        if find is not None and context is not None:
            self._start(partial(find, context.project, folder), "Find missing files", self._on_found)

    def _on_found(self, outcome: tuple[Any, Changes]) -> None:
        report, changes = outcome
        self._window.announce(changes)
        left = f"{report.n_missing} still missing" if report.n_missing else "none missing"
        self._window.say(f"{counted(report.n_found, 'file')} found, {left}.")
        self.found.emit()

    @Slot()
    def ask_open_pack(self) -> None:
        """Ask for a pack and open the project that it becomes, which lies beside it."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open a pack", "", "Packs (*.pack)")
        if chosen:
            self.open_pack(Path(chosen))

    def open_pack(self, pack: Path) -> None:
        """Make a project of a pack in the background, and open it."""
        make = self._window.services.open_pack
        if make is not None:
            self._start(lambda: make(pack), f"Open {pack.name}", self._window.open_folder)

    @Slot()
    def ask_send_answers(self) -> None:
        """Ask for a file and write the pack's answers there."""
        context = self._window.context
        if context is None:
            return
        proposed = context.project.exports_folder / f"{context.project.folder.name}.answers.jsonl"
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, "Send back answers", str(proposed), "Answers (*.answers.jsonl)"
        )
        if chosen:
            self.send_answers(Path(chosen))

    def send_answers(self, out: Path) -> None:
        """Write the pack's answers in the background and say where they are."""
        write, context = self._window.services.send_answers, self._window.context
        if write is not None and context is not None:
            self._start(partial(write, context.project, out), "Send back answers", self._on_sent)

    @Slot()
    def ask_merge_answers(self) -> None:
        """Ask for files of answers, show what would become of them, and take them if that is right."""
        chosen, _ = QFileDialog.getOpenFileNames(self._window, "Merge answers", "", "Answers (*.jsonl)")
        if chosen:
            self.preview_merge(*(Path(name) for name in chosen))

    def preview_merge(self, *files: Path) -> None:
        """Work out in the background what files of answers would bring, and ask whether to take them."""
        merge, context = self._window.services.merge_answers, self._window.context
        if merge is not None and context is not None:
            project = context.project

            def work() -> list[MergeReport]:
                return [merge(project, file, is_dry_run=True)[0] for file in files]

            self._start(work, f"Read {files[0].name}", partial(self._on_previewed, files))

    def _on_previewed(self, files: tuple[Path, ...], reports: list[MergeReport]) -> None:
        self.merging = MergeAnswers(reports, QApplication.activeWindow() or self._window)
        self.merging.accepted_with.connect(partial(self.merge, files))
        self.merging.open()
        self.merge_shown.emit()

    def merge(self, files: tuple[Path, ...], takes_conflicting: bool = False) -> None:
        """Take files of answers in, in the background."""
        merge, context = self._window.services.merge_answers, self._window.context
        if merge is not None and context is not None:
            project = context.project

            def work() -> list[tuple[MergeReport, Changes]]:
                return [merge(project, file, takes_conflicting=takes_conflicting) for file in files]

            self._start(work, f"Merge {files[0].name}", partial(self._on_merged, takes_conflicting))

    def _on_merged(self, took_conflicting: bool, outcomes: list[tuple[MergeReport, Changes]]) -> None:
        taken = sum(
            report.new + report.over_quota + (report.conflicting if took_conflicting else 0) for report, _ in outcomes
        )
        if self._window.context is not None:
            for _, changes in outcomes[-1:]:
                self._window.announce(changes)
        names = ", ".join(dict.fromkeys(report.annotator for report, _ in outcomes))
        self._window.say(f"{counted(taken, 'answer')} of {names} merged.")
        self.merged.emit()

    def _on_sent(self, outcome: tuple[Path, int]) -> None:
        self._window.say(f"{outcome[1]} answers were written to {outcome[0]}. Send that file back.")

    def _start(self, work: Callable[[], Any], name: str, done: Callable[[Any], None]) -> None:
        def run(*, emit: Emit, cancel: CancelToken) -> Any:
            return work()

        self._window.background.start(run, name=name, done=done, failed=self._window.report, owner=self)
