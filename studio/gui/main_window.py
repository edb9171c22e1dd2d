"""The window: pages on a rail, one project at a time, and the services that pages share."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.errors import Cancelled, StudioError
from studio.gui.background import Background
from studio.gui.commands import Commands
from studio.gui.context import AppContext
from studio.gui.dialogs.new_project import NewProject
from studio.gui.frame import NavigationRail, Toast, TopBar
from studio.gui.image_cache import ImageCache
from studio.gui.leaving import Leaving
from studio.gui.menus import Menus, window_actions
from studio.gui.notice_bar import NoticeBar
from studio.gui.page import Page
from studio.gui.page_list import visible_pages
from studio.gui.project_files import ProjectFiles
from studio.gui.projects import Opening, ProjectOpener
from studio.gui.run_status import RunStatus
from studio.gui.services import ProjectServices, is_project
from studio.gui.shortcuts import Action, Shortcuts
from studio.gui.start_screen import StartScreen, dropped_paths
from studio.gui.studies.opener import StudiesOpener
from studio.gui.theme import Theme
from studio.gui.widgets.keycap import show_key_caps
from studio.gui.widgets.states import EmptyState, LoadingState, reduce_motion
from studio.gui.widgets.status_line import StatusLine
from studio.model.changes import Changes
from studio.settings import Role, Settings

_log = logging.getLogger("studio.window")
SHUTDOWN_S = 5.0


class MainWindow(QMainWindow):
    """Navigation only: what a page shows and does is the page's own."""

    project_opened = Signal(object)
    project_closed = Signal()
    page_shown = Signal(str)
    changes_announced = Signal(object)
    """The `Changes` that every page was told of."""
    paths_dropped = Signal(list)
    """`list[Path]` that were dropped anywhere and that no page took."""

    def __init__(
        self,
        *,
        settings: Settings,
        theme: Theme,
        background: Background,
        services: ProjectServices,
        page_classes: Sequence[type[Page]],
    ) -> None:
        super().__init__()
        self.settings = settings
        self._theme = theme
        self._background = background
        self.services = services
        self._page_classes = list(page_classes)
        self._images = ImageCache(settings.number("cache_size_mb") * 1_000_000)
        self._project: Any = None
        self._context: AppContext | None = None
        self._pages: dict[str, Page] = {}
        self._current = ""
        self._crumb = ""
        self._pending_paths: list[Path] = []
        self._fills: Path | None = None
        """The demo that is being opened, to be judged once it is open."""
        self.leaving = Leaving(self, lambda: self._pages.values())
        self._opener = ProjectOpener(background, services, self)
        self._opener.opened.connect(self._on_opened)
        self._opener.failed.connect(self._on_open_failed)
        self._opener.demo_built.connect(self._on_demo_built)
        self.setWindowTitle("Podium Studio")
        self.setMinimumSize(800, 560)
        self.resize(1440, 900)
        self.setAcceptDrops(True)
        self.commands = Commands(self)
        self.files = ProjectFiles(self)
        self.studies = StudiesOpener(self)
        self._build()
        self.shortcuts = Shortcuts(self, settings)
        self.shortcuts.register(window_actions(self))
        self._menus = Menus(self, self.shortcuts)
        self._status = RunStatus(self.status_line)
        background.events.connect(self._on_events)
        background.busy_changed.connect(self._on_busy_changed)
        settings.listen(self._on_setting_changed)
        show_key_caps(settings.is_on("show_key_caps"))
        reduce_motion(settings.is_on("reduced_motion"))
        self._show_profile()
        self._show_start()
        for notice in settings.notices:
            self.toast.say(notice)

    def _build(self) -> None:
        self.top_bar = TopBar()
        self.notices = NoticeBar()
        self.rail = NavigationRail()
        self.rail.page_chosen.connect(self._on_page_chosen)
        self.stack = QStackedWidget()
        self.status_line = StatusLine()
        self.status_line.stop_asked.connect(self.stop_work)
        self.status_line.shortcuts_asked.connect(self.commands.show_shortcuts)
        self.start_screen = StartScreen(self.settings, has_demo=self.services.demo is not None)
        self.start_screen.new_asked.connect(self.ask_new)
        self.start_screen.open_asked.connect(self.ask_open)
        self.start_screen.demo_asked.connect(self.open_demo)
        self.start_screen.resume_asked.connect(self.resume)
        self.start_screen.project_chosen.connect(self.open_folder)
        self.start_screen.paths_dropped.connect(self.take_paths)
        self._loading = LoadingState(is_still=self.settings.is_on("reduced_motion"))
        self._nothing = EmptyState("No page to show", "This project has no page that your role may open.")
        for widget in (self.start_screen, self._loading, self._nothing):
            self.stack.addWidget(widget)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.rail)
        middle.addWidget(self.stack, 1)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        column.addWidget(self.notices)
        column.addLayout(middle, 1)
        column.addWidget(self.status_line)
        self.setCentralWidget(holder)
        self.toast = Toast(holder)

    # opening and closing

    @property
    def context(self) -> AppContext | None:
        """What pages were given, or None while no project is open."""
        return self._context

    def current_page_id(self) -> str:
        """Return the id of the page in front, or an empty text."""
        return self._current

    def page(self, page_id: str) -> Page | None:
        """Return an open page."""
        return self._pages.get(page_id)

    def page_with(self, method: str) -> Any:
        """Return the first page that can do something beyond what every page can, or None."""
        return next((page for page in self._pages.values() if hasattr(page, method)), None)

    def page_titles(self) -> dict[str, str]:
        """Return the titles of the open pages by id."""
        return {page_id: page.title for page_id, page in self._pages.items()}

    def recent_projects(self) -> list[Path]:
        """Return the recent projects that are still there."""
        return [Path(name) for name in self.settings.get("recent_projects") if is_project(Path(name))]

    @Slot(Path)
    def open_folder(self, folder: Path | str, *, page: str = "", instance: str = "") -> None:
        """Open the project in a folder, in place of the one that is open."""
        folder = Path(folder)
        if not is_project(folder):
            self.report(
                StudioError(f"There is no project in {folder}.", next_step="It may have been moved or renamed.")
            )
            self.start_screen.refresh()
            return
        self._open_with(partial(self.services.open, folder), folder, page=page, instance=instance)

    def _open_with(self, make: Callable[[], Any], folder: Path, *, page: str = "", instance: str = "") -> None:
        if self._opener.opening:
            self.say(f"{self._opener.opening} is being opened.")
            return
        if not self.leaving.may_leave(partial(self._open_with, make, folder, page=page, instance=instance)):
            return
        self.close_project()
        self.notices.clear()
        self.top_bar.set_trail(folder.name)
        self.stack.setCurrentWidget(self._loading)
        place = {"page": page, "instance": instance}
        self._opener.open(Opening(name=folder.name, make=make, place=place))

    @Slot(object, dict)
    def _on_opened(self, project: Any, place: dict[str, str]) -> None:
        page, instance = place.get("page", ""), place.get("instance", "")
        self._project = project
        folder = self.services.folder(project)
        self._context = AppContext(
            project=project,
            background=self._background,
            settings=self.settings,
            theme=self._theme,
            shortcuts=self.shortcuts,
            images=self._images,
            navigate=self.navigate,
            toast=self.say,
            report=self.report,
            announce=self.announce,
            set_crumb=self._set_crumb,
            set_saved=self.top_bar.saved.set_text,
            set_spend=self.status_line.set_spend,
            is_pack=self.services.is_pack(project),
        )
        self._try(self.settings.remember_project, folder)
        notices = list(self.services.notices(project))
        self.top_bar.lock.set_text("read-only" if self.services.is_read_only(project) else "")
        for notice in notices:
            self.notices.add(notice)
        self._make_pages()
        self._enable()
        self.project_opened.emit(project)
        page = page or self.services.pack_page(project)
        first = page if page in self._pages else next(iter(self._pages), "")
        if first:
            self.navigate(first, **({"instance": instance} if instance else {}))
        else:
            self.stack.setCurrentWidget(self._nothing)
            self._show_trail()
        paths, self._pending_paths = self._pending_paths, []
        if paths:
            self.take_paths(paths)
        self._fill_demo(folder)

    @Slot(object)
    def _on_open_failed(self, error: BaseException) -> None:
        self._pending_paths = []
        self._fills = None
        if self._project is None and not self._opener.opening:
            self._show_start()
        if isinstance(error, StudioError) and not isinstance(error, Cancelled):
            _log.warning("%s", error.message)
            # A line that stays: one who looks away while a large project opens must still see why it did not.
            self.notices.add(str(error), "bad")
        else:
            self.report(error)

    @Slot()
    @property
    def background(self) -> Background:
        """Work off the main thread."""
        return self._background

    @property
    def role(self) -> Role:
        """The role that the window has now: an annotator's in a pack, else that of the profile."""
        return self._context.role if self._context is not None else self.settings.role

    def close_project(self) -> None:
        """Close the project, if one is open, and go back to the start screen; not over answers that are not saved."""
        if self._project is None or not self.leaving.may_leave(self.close_project):
            return
        self._remember_place()
        self.studies.close()
        self._drop_pages()
        if self._context is not None:
            self._context.passwords.clear()
        project, self._project, self._context = self._project, None, None
        self._images.clear()
        self._status.clear()
        self._crumb = ""
        self.notices.clear()
        # Nothing may still write when the store closes; what is finished is kept, the rest can be resumed.
        self._opener.close(project)
        self.project_closed.emit()
        self._show_start()

    def _make_pages(self) -> None:
        allowed = visible_pages(self.role)
        for page_class in self._page_classes:
            if page_class.page_id not in allowed:
                continue
            page = page_class()
            self._pages[page_class.page_id] = page
            self.stack.addWidget(page)
            page.open_project(self._context)
            self.shortcuts.register(page.actions())
        go = [
            Action(
                id=f"go.{page_id}",
                words=f"Go to {page.title}",
                run=partial(self.navigate, page_id),
                keys=(f"Alt+{place % 10}",) if place <= 10 else (),
                group="Pages",
            )
            for place, (page_id, page) in enumerate(self._pages.items(), start=1)
        ]
        self.shortcuts.register(go)
        self.rail.set_pages(
            [
                (page_id, page.title, page.icon_name, self.shortcuts.cap(f"go.{page_id}"))
                for page_id, page in self._pages.items()
            ]
        )
        self.rail.show()

    def _drop_pages(self) -> None:
        if self._current in self._pages:
            self._pages[self._current].on_hidden()
        self._current = ""
        for page_id, page in self._pages.items():
            page.close_project()
            self.shortcuts.forget_page(page_id)
            self.stack.removeWidget(page)
            page.deleteLater()
        self.shortcuts.forget([f"go.{page_id}" for page_id in self._pages])
        self._pages = {}
        self.rail.set_pages([])

    def _show_start(self) -> None:
        self.rail.hide()
        self.start_screen.refresh()
        self.stack.setCurrentWidget(self.start_screen)
        self.top_bar.set_trail()
        self.top_bar.lock.set_text("")
        self.top_bar.saved.set_text("")
        self.status_line.set_spend("")
        self.shortcuts.set_page("")
        self._enable()

    def _enable(self) -> None:
        self._menus.enable()
        self.shortcuts.set_enabled("run.stop", bool(self._background.busy))

    # navigation and messages

    def navigate(self, page_id: str, /, **place: str) -> None:
        """Show a page, and a place on it. A page that is not open to this role is left alone."""
        page = self._pages.get(page_id)
        if page is None:
            return
        if page_id != self._current:
            if self._current in self._pages:
                self._pages[self._current].on_hidden()
            self._current, self._crumb = page_id, ""
            self.stack.setCurrentWidget(page)
            self.rail.set_current(page_id)
            self.shortcuts.set_page(page_id)
            page.on_shown()
            self.page_shown.emit(page_id)
        if place:
            page.go_to(**place)
        self._show_trail()
        # Not only at the end: a program that is killed has none, and there is a place to go on from all the same.
        self._remember_place()

    def announce(self, changes: Changes) -> None:
        """Tell every open page what changed."""
        for page in self._pages.values():
            page.on_changes(changes)
        self.changes_announced.emit(changes)

    def say(self, words: str) -> None:
        """Show a short message."""
        self.toast.say(words)

    def report(self, error: BaseException) -> None:
        """Show an error: one that a user can act on as a message, any other in the crash dialog."""
        if isinstance(error, StudioError):
            _log.warning("%s", error.message)
            self.say(str(error))
        else:
            sys.excepthook(type(error), error, error.__traceback__)

    def _set_crumb(self, words: str) -> None:
        self._crumb = words
        self._show_trail()

    def _show_trail(self) -> None:
        if self._project is None:
            return
        page = self._pages.get(self._current)
        title = self.services.title(self._project)
        self.top_bar.set_trail(title, self._crumb, page.title if page else "")
        self.setWindowTitle(f"{title} – Podium Studio")

    def _show_profile(self) -> None:
        self.top_bar.set_profile(self.settings.text("profile_name"), self.role.value)

    def _remember_place(self) -> None:
        page = self._pages.get(self._current)
        instance = page.place().get("instance", "") if page else ""
        folder = self.services.folder(self._project)
        self._try(self.settings.remember_place, project=folder, page=self._current, instance=instance)

    def try_setting(self, name: str, value: Any) -> None:
        """Change a setting; where it cannot be saved, say so."""
        self._try(self.settings.set, name, value)

    def _try(self, change: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """Change a setting; one that cannot be saved is reported and costs nothing else."""
        try:
            change(*args, **kwargs)
        except StudioError as error:
            self.report(error)

    # what the menus do

    @Slot()
    def ask_new(self) -> None:
        """Ask for title and place of a project and make it."""
        recent = self.recent_projects()
        dialog = NewProject(recent[0].parent if recent else Path.home(), parent=self)
        dialog.project_asked.connect(self.make_project)
        dialog.rejected.connect(self._forget_pending_paths)
        dialog.open()

    @Slot(Path, str)
    def make_project(self, folder: Path, title: str) -> None:
        """Make a project in a new folder and open it."""
        self._open_with(partial(self.services.create, folder, title=title), folder)

    @Slot()
    def _forget_pending_paths(self) -> None:
        self._pending_paths = []

    @Slot()
    def ask_open(self) -> None:
        """Ask for a project folder and open it."""
        chosen = QFileDialog.getExistingDirectory(self, "Open project")
        if chosen:
            self.open_folder(Path(chosen))

    @Slot()
    def open_demo(self) -> None:
        """Build the demo if need be, while whatever is open stays open, and open it."""
        if self.services.demo is None:
            return
        if self._opener.opening or self._opener.is_building_demo:
            self.say(f"{self._opener.opening or 'The demo'} is being opened.")
            return
        self.say("The demo opens as soon as it is built; the first time this takes about a minute.")
        self._opener.build_demo()

    @Slot(Path)
    def _on_demo_built(self, folder: Path) -> None:
        self._fills = folder
        self.open_folder(folder)

    def _fill_demo(self, folder: Path) -> None:
        """Let the judges that need no key judge the demo in the background, if this is the demo."""
        wanted, self._fills = self._fills, None
        if folder != wanted or self.services.fill_demo is None or self.services.is_read_only(self._project):
            return
        self._background.start(
            self.services.fill_demo, self._project, self.settings, name="Judging the demo", done=self.announce,
            failed=self._on_demo_not_filled, owner=self,
        )  # fmt: skip

    def _on_demo_not_filled(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self.report(error)

    @Slot()
    def resume(self) -> None:
        """Go on where the user stopped."""
        folder = self.settings.text("last_project")
        page, instance = self.settings.text("last_page"), self.settings.text("last_instance")
        if folder:
            self.open_folder(Path(folder), page=page, instance=instance)

    @Slot()
    def ask_import(self) -> None:
        """Open the import on the page that has it."""
        page = self.page_with("ask_import")
        if page is not None:
            self.navigate(page.page_id)
            page.ask_import()

    @Slot(list)
    def take_paths(self, paths: list[Path]) -> None:
        """Open a project folder, or hand files to the page in front, else to any page that takes them."""
        if len(paths) == 1 and is_project(paths[0]):
            self.open_folder(paths[0])
            return
        front = [self._pages[self._current]] if self._current in self._pages else []
        for page in [*front, *(page for page in self._pages.values() if page not in front)]:
            if page.take_paths(paths):
                self.navigate(page.page_id)
                return
        self.paths_dropped.emit(paths)
        if self._project is None and not self._opener.opening:
            self._pending_paths = list(paths)
            self.say("Make a project for these files, or open one.")
            self.ask_new()

    @Slot()
    def show_runs(self) -> None:
        """Go to the runs."""
        self.navigate("runs")

    @Slot()
    def stop_work(self) -> None:
        """Stop the newest piece of background work; what is finished is kept."""
        if self._background.busy:
            self._background.stop(self._background.busy[-1].name)

    def _on_setting_changed(self, name: str) -> None:
        if name == "theme":
            self._theme.choose(self.settings.theme)
        elif name == "show_key_caps":
            show_key_caps(self.settings.is_on(name))
        elif name == "reduced_motion":
            reduce_motion(self.settings.is_on(name))
        elif name == "cache_size_mb":
            self._images.set_limit(self.settings.number(name) * 1_000_000)
        elif name.startswith("profile_"):
            self._show_profile()
            if name == "profile_role" and self._project is not None:
                # Later, so that the dialog that changed it is closed first.
                QTimer.singleShot(0, self._reopen)
        self._enable()

    @Slot()
    def _reopen(self) -> None:
        if self._project is not None:
            page = self._current
            self.open_folder(self.services.folder(self._project), page=page)

    # events

    @Slot(list)
    def _on_events(self, events: list[Any]) -> None:
        for page in self._pages.values():
            page.on_events(events)
        # Last, since a progress bar draws at once, and with it all that is to be drawn anew.
        self._status.take(events, is_blind=self.role is Role.ANNOTATOR)

    @Slot()
    def _on_busy_changed(self) -> None:
        self.shortcuts.set_enabled("run.stop", bool(self._background.busy))
        self._status.set_busy([work.name for work in self._background.busy])

    @Slot(str)
    def _on_page_chosen(self, page_id: str) -> None:
        self.navigate(page_id)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # @override
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # @override
        event.acceptProposedAction()
        self.take_paths(dropped_paths(event))

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        if not self.leaving.may_leave(self.close):
            event.ignore()
            return
        if self._background.busy and not self._may_stop_work():
            event.ignore()
            return
        if self._project is not None:
            self._remember_place()
        self.settings.unlisten(self._on_setting_changed)
        # Workers end before the project closes, so that what they finished is stored.
        self._background.shutdown(SHUTDOWN_S)
        self._opener.close_all()
        self.studies.close()
        self._drop_pages()
        if self._context is not None:
            self._context.passwords.clear()
        if self._project is not None:
            project, self._project, self._context = self._project, None, None
            self.services.close(project)
        event.accept()

    def _may_stop_work(self) -> bool:
        if not self.isVisible() or self.property("quits_unasked"):
            return True
        return self.leaving.may_stop(", ".join(work.name for work in self._background.busy))
