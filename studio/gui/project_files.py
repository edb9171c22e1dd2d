"""What goes out of the open project, or comes into it, as a file: tables, the report, a copy of the whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox

from studio.model.protocols import CancelToken, Emit

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow


class ProjectFiles(QObject):
    """Asks for files on behalf of one window. Without an open project nothing happens."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

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
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Merge answers", "", "Answers (*.jsonl)")
        if chosen:
            self.preview_merge(Path(chosen))

    def preview_merge(self, file: Path) -> None:
        """Work out in the background what a file of answers would bring, and ask whether to take it."""
        merge, context = self._window.services.merge_answers, self._window.context
        if merge is not None and context is not None:
            work = partial(merge, context.project, file, is_dry_run=True)
            self._start(work, f"Read {file.name}", partial(self._on_previewed, file))

    def _on_previewed(self, file: Path, outcome: tuple[Any, Any]) -> None:
        report = outcome[0]
        box = QMessageBox(self._window)
        box.setWindowTitle("Merge answers")
        box.setText(f"Answers of {report.annotator} in {file.name}")
        box.setInformativeText(
            f"{report.new} new, {report.same} the same, {report.conflicting} conflicting (left out), "
            f"{report.over_quota} over quota (kept), {len(report.refused)} refused."
        )
        if report.refused:
            box.setDetailedText("\n".join(f"line {line}: {reason}" for line, reason in report.refused[:200]))
        box.setStandardButtons(QMessageBox.StandardButton.Apply | QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Apply)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.button(QMessageBox.StandardButton.Apply).clicked.connect(partial(self.merge, file))
        box.open()

    def merge(self, file: Path, *_: object) -> None:
        """Take a file of answers in, in the background."""
        merge, context = self._window.services.merge_answers, self._window.context
        if merge is not None and context is not None:
            self._start(partial(merge, context.project, file), f"Merge {file.name}", self._on_merged)

    def _on_merged(self, outcome: tuple[Any, Any]) -> None:
        report, changes = outcome
        if self._window.context is not None:
            self._window.announce(changes)
        self._window.say(f"{report.new + report.over_quota} answers of {report.annotator} were merged.")

    def _on_sent(self, outcome: tuple[Path, int]) -> None:
        self._window.say(f"{outcome[1]} answers were written to {outcome[0]}. Send that file back.")

    def _start(self, work: Callable[[], Any], name: str, done: Callable[[Any], None]) -> None:
        def run(*, emit: Emit, cancel: CancelToken) -> Any:
            return work()

        self._window.background.start(run, name=name, done=done, failed=self._window.report, owner=self)
