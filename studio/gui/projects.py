"""Opening one project after another off the main thread, and what the File menu does with the open one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from studio.errors import Cancelled
from studio.gui.background import Background, Work
from studio.gui.services import ProjectServices
from studio.model.changes import Changes
from studio.model.protocols import CancelToken, Emit
from studio.model.studies import StudyKind
from studio.settings import Settings

if TYPE_CHECKING:
    from studio.gui.context import AppContext


@dataclass(frozen=True, kw_only=True)
class Opening:
    """A project that is to be opened."""

    name: str
    """What the status line calls it."""
    make: Callable[[], Any]
    """Opens or makes it; runs off the main thread."""
    place: dict[str, str] = field(default_factory=dict)
    """Page and instance to show at first."""


class ProjectOpener(QObject):
    """Opens and closes projects for the window. One opens at a time; a project closes after its work has ended."""

    opened = Signal(object, dict)
    """The project, and the place to show."""
    failed = Signal(object)
    """The exception; a `Cancelled` if the user stopped it."""
    demo_built = Signal(Path)

    def __init__(self, background: Background, services: ProjectServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._services = services
        self._opening: Opening | None = None
        self._own: list[Work] = []
        self._demo: Work | None = None
        self._closing: list[tuple[Any, list[Work]]] = []
        background.busy_changed.connect(self._on_busy_changed)

    @property
    def opening(self) -> str:
        """Name of the project that is being opened, or an empty text."""
        return self._opening.name if self._opening else ""

    @property
    def is_building_demo(self) -> bool:
        """Whether the demo is being built."""
        return self._demo is not None

    def open(self, opening: Opening) -> bool:
        """Open a project as soon as those that are being closed are closed; return False while another opens."""
        if self._opening is not None:
            return False
        self._opening = opening
        if not self._closing:
            self._begin()
        return True

    def close(self, project: Any) -> None:
        """Ask the work on a project to stop, and close the project when all of it has ended.

        Closing the store under a running worker would lose its last results; waiting for it here would
        freeze the window.
        """
        works = [work for work in self._background.busy if work not in self._own]
        for work in works:
            work.cancel.set()
        if works:
            self._closing.append((project, works))
            self._background.busy_changed.emit()
        else:
            self._services.close(project)

    def close_all(self) -> None:
        """Close what still waits for its work: the background is shut down."""
        waiting, self._closing = self._closing, []
        for project, _ in waiting:
            self._services.close(project)

    def build_demo(self) -> None:
        """Build the demo in the background if need be; `demo_built` tells its folder."""
        if self._demo is not None or self._services.demo is None:
            return
        self._demo = self._background.start(
            self._services.demo,
            name="Building the demo",
            done=self._on_demo_built,
            failed=self._on_demo_failed,
            owner=self,
        )
        self._own.append(self._demo)

    def _begin(self) -> None:
        opening = self._opening
        work = self._background.start(
            partial(_opened, opening.make, self._services.close),
            name=f"Opening {opening.name}",
            done=self._on_opened,
            failed=self._on_failed,
            owner=self,
        )
        self._own.append(work)

    def _on_opened(self, project: Any) -> None:
        opening, self._opening = self._opening, None
        self.opened.emit(project, opening.place)

    def _on_failed(self, error: BaseException) -> None:
        self._opening = None
        self.failed.emit(error)

    def _on_demo_built(self, folder: Path) -> None:
        self._demo = None
        self.demo_built.emit(folder)

    def _on_demo_failed(self, error: BaseException) -> None:
        self._demo = None
        self.failed.emit(error)

    @Slot()
    def _on_busy_changed(self) -> None:
        busy = self._background.busy
        self._own = [work for work in self._own if work in busy]
        if not self._closing:
            return
        ended = [entry for entry in self._closing if not any(work in busy for work in entry[1])]
        self._closing = [entry for entry in self._closing if entry not in ended]
        for project, _ in ended:
            self._services.close(project)
        if ended and not self._closing and self._opening is not None:
            self._begin()


def _opened(make: Callable[[], Any], close: Callable[[Any], None], *, emit: Emit, cancel: CancelToken) -> Any:
    project = make()
    if cancel.is_set():
        close(project)
        raise Cancelled("The project was not opened.")
    return project


def studio_services() -> ProjectServices:
    """Return the actions over projects, for the window."""
    from studio.actions import missing_files, packs, projects

    return ProjectServices(
        open=_open_told,
        create=projects.new_project,
        close=lambda project: project.close(),
        title=lambda project: project.title,
        folder=lambda project: project.folder,
        notices=lambda project: project.notices,
        is_read_only=lambda project: project.is_read_only,
        save_copy=projects.save_copy,
        demo=_build_demo,
        fill_demo=_fill_demo,
        export=ask_export,
        import_table=ask_import_table,
        report=ask_report,
        case_cards=ask_case_cards,
        release=ask_release,
        guidelines=show_guidelines,
        find_missing=missing_files.find_missing,
        has_studies=True,
        is_pack=packs.is_pack,
        pack_page=_pack_page,
        open_pack=packs.open_pack,
        send_answers=packs.write_answers,
        merge_answers=packs.merge_answers,
    )


def _pack_page(project: Any) -> str:
    from studio.actions import packs

    kind = packs.pack_kind(project)
    return "" if kind is None else {StudyKind.CHECKLIST: "checklist", StudyKind.RATE: "rate"}.get(kind, "rank")


def _open_told(folder: Path) -> Any:
    """Open a project, with a notice if originals are missing from it."""
    from studio.actions import missing_files, projects

    project = projects.open_project(folder)
    project.notices = (*project.notices, *missing_files.missing_notice(project))
    return project


def _build_demo(*, emit: Emit, cancel: CancelToken) -> Path:
    from studio.actions import demo

    return demo.build_demo(None, rebuild=False, emit=emit, cancel=cancel, say=lambda _words: None)


def _fill_demo(project: Any, settings: Settings, *, emit: Emit, cancel: CancelToken) -> Changes:
    from studio.actions import judging
    from studio.actions.programs import render_tools

    return judging.fill_demo(project, tools=render_tools(settings), emit=emit, cancel=cancel)


# what the File menu does with the open project


def show_guidelines(parent: QWidget, context: AppContext) -> None:
    """Show the guidelines on the page in front if people answer on it, else go to one where they do."""
    page = parent.page(parent.current_page_id())
    if not hasattr(page, "toggle_guidelines"):
        page = parent.page_with("toggle_guidelines")
        if page is None:
            context.toast("No page here has guidelines.")
            return
        context.navigate(page.page_id)
    page.toggle_guidelines()


def ask_export(parent: QWidget, context: AppContext) -> None:
    """Ask for a table, a format and a file, and write the table there in the background."""
    from studio.gui.dialogs.export_table import ExportTable

    dialog = ExportTable(context, parent)
    dialog.open()


def ask_import_table(parent: QWidget, context: AppContext, take: Callable[[Sequence[Path]], None]) -> None:
    """Ask for tables of rankings, pairs, checklists, scores or verdicts, and hand them on."""
    chosen, _ = QFileDialog.getOpenFileNames(
        parent, "Import tables", str(context.project.exports_folder), "Tables (*.csv *.jsonl *.ndjson)"
    )
    if chosen:
        take([Path(name) for name in chosen])


def ask_report(parent: QWidget, context: AppContext) -> None:
    """Ask for a file and write the report on the alignment with people there, in the background."""
    proposed = context.project.exports_folder / "report.html"
    chosen, _ = QFileDialog.getSaveFileName(parent, "Write report", str(proposed), "HTML (*.html)")
    if chosen:
        write_report(context, Path(chosen))


def write_report(context: AppContext, out: Path) -> None:
    """Write the report in the background and say where it is."""
    from studio.actions import reports

    target = out if out.suffix else out.with_suffix(".html")
    context.background.start(
        _briefly(partial(reports.write_report, context.project, target)),
        name="Write report",
        done=lambda path: context.toast(f"The report was written to {path}."),
        failed=partial(_report_unless_stopped, context),
    )


def ask_case_cards(parent: QWidget, context: AppContext) -> None:
    """Find out which judges said anything, and ask which cases go on cards."""
    from studio.actions import checklist_stats

    def ask(judges: Sequence[str]) -> None:
        from studio.gui.dialogs.publish import CaseCardsForm

        CaseCardsForm(context, judges, parent).open()

    context.background.query(
        partial(checklist_stats.judges, context.project), ask, partial(_report_unless_stopped, context), owner=parent
    )


def ask_release(parent: QWidget, context: AppContext) -> None:
    """Ask for a folder, a licence and what goes along, and write an alignment set there."""
    from studio.gui.dialogs.publish import ReleaseForm

    ReleaseForm(context, parent).open()


def _briefly(fn: Callable[[], Any]) -> Callable[..., Any]:
    """Return a function without units as long work: it has no place where it could stop."""

    def work(*, emit: Emit, cancel: CancelToken) -> Any:
        return fn()

    return work


def _report_unless_stopped(context: AppContext, error: BaseException) -> None:
    if not isinstance(error, Cancelled):
        context.report(error)
