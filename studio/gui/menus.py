"""The window's own actions and the menu bar made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from studio.gui.shortcuts import Action, Shortcuts
from studio.settings import Role, ThemeChoice

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow

_MENUS: dict[str, tuple[str, ...]] = {
    "&File": (
        "file.new", "file.open", "recent", "file.demo", "",
        "file.studies", "file.open_pack", "file.send_answers", "file.merge_answers", "",
        "file.import", "file.find_missing", "file.import_table", "file.export", "file.report",
        "file.cases", "file.release", "", "file.save_copy", "",
        "file.settings", "", "file.close", "file.quit",
    ),
    "&Edit": ("edit.undo", "edit.redo", "", "edit.cut", "edit.copy", "edit.paste", "", "edit.palette"),
    "&View": ("view.theme_system", "view.theme_light", "view.theme_dark", "", "view.key_caps",
              "view.fullscreen"),
    "&Run": ("run.stop", "run.show"),
    "&Help": ("help.shortcuts", "help.guidelines", "", "help.log", "help.about"),
}  # fmt: skip

NEEDS_PROJECT = (
    "file.import", "file.find_missing", "file.import_table", "file.export", "file.report", "file.save_copy",
    "file.close", "file.cases", "file.release",
    "file.studies", "file.send_answers", "file.merge_answers", "help.guidelines",
)  # fmt: skip
CHANGES_PROJECT = ("file.import", "file.find_missing", "file.import_table", "file.merge_answers")
"""What a project that is open read-only does not take."""

NOT_BLIND = ("help.log", "file.import_table", "file.export", "file.report", "file.save_copy",
             "file.merge_answers", "file.studies", "file.find_missing", "file.cases", "file.release")  # fmt: skip
"""What an annotator may not do: file names of systems, verdicts and other answers are in there."""


def window_actions(window: MainWindow) -> list[Action]:
    """Return the actions that work on every page."""

    def act(name: str, words: str, run: Callable[[], None], *keys: str, is_in_palette: bool = True) -> Action:
        group = name.split(".")[0].capitalize()
        return Action(id=name, words=words, run=run, keys=keys, group=group, is_in_palette=is_in_palette)

    return [
        act("file.new", "New project…", window.ask_new, "Ctrl+N"),
        act("file.open", "Open project…", window.ask_open, "Ctrl+O"),
        act("file.demo", "Open the demo", window.open_demo),
        act("file.studies", "Studies…", window.studies.open, "Ctrl+Shift+U"),
        act("file.open_pack", "Open a pack…", window.files.ask_open_pack),
        act("file.send_answers", "Send back answers…", window.files.ask_send_answers),
        act("file.merge_answers", "Merge answers…", window.files.ask_merge_answers),
        act("file.import", "Import…", window.ask_import, "Ctrl+I"),
        act("file.find_missing", "Find missing files…", window.files.ask_find_missing),
        act("file.import_table", "Import table…", window.files.ask_import_table),
        act("file.export", "Export table…", window.files.ask_export, "Ctrl+Shift+E"),
        act("file.report", "Write report…", window.files.ask_report),
        act("file.cases", "Case cards…", window.files.ask_cases),
        act("file.release", "Release…", window.files.ask_release),
        act("file.save_copy", "Save a copy…", window.files.ask_save_copy, "Ctrl+Shift+S"),
        act("file.settings", "Settings…", window.commands.show_settings, "Ctrl+,"),
        act("file.close", "Close project", window.close_project, "Ctrl+W"),
        act("file.quit", "Quit", window.close, "Ctrl+Q"),
        act("edit.palette", "Find an action…", window.commands.show_palette, "Ctrl+K", is_in_palette=False),
        act("view.theme_system", "Theme of the system", window.commands.choose_theme_system),
        act("view.theme_light", "Light theme", window.commands.choose_theme_light),
        act("view.theme_dark", "Dark theme", window.commands.choose_theme_dark),
        act("view.key_caps", "Show keys on controls", window.commands.toggle_key_caps),
        act("view.fullscreen", "Fullscreen", window.commands.toggle_fullscreen, "F11"),
        act("run.stop", "Stop background work", window.stop_work),
        act("run.show", "Show runs", window.show_runs),
        act("help.shortcuts", "Shortcuts", window.commands.show_shortcuts, "?"),
        act("help.guidelines", "Guidelines", window.commands.show_guidelines, "F1"),
        act("help.log", "Log", window.commands.show_log),
        act("help.about", "About Podium Studio", window.commands.show_about),
    ]


class Menus(QObject):
    """Fills the menu bar, and says which of its actions can be done now.

    Undo, redo and the clipboard go to the page or to the focused text.
    """

    def __init__(self, window: MainWindow, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self._window = window
        self._shortcuts = shortcuts
        self._recent = QMenu("Open &recent", window)
        self._recent.aboutToShow.connect(self._on_recent_about_to_show)
        self._recent.triggered.connect(self._on_recent_triggered)
        self._edit: dict[str, QAction] = {}
        bar: QMenuBar = window.menuBar()
        for title, entries in _MENUS.items():
            menu = bar.addMenu(title)
            for entry in entries:
                self._add(menu, entry)
            if title == "&Edit":
                menu.aboutToShow.connect(self._on_edit_about_to_show)
        for name in ("view.theme_system", "view.theme_light", "view.theme_dark", "view.key_caps"):
            shortcuts.qaction(name).setCheckable(True)

    def _add(self, menu: QMenu, entry: str) -> None:
        if not entry:
            menu.addSeparator()
        elif entry == "recent":
            menu.addMenu(self._recent)
        elif entry.startswith("edit.") and entry != "edit.palette":
            action = menu.addAction(entry.split(".")[1].capitalize())
            action.setData(entry)
            action.triggered.connect(self._on_edit_triggered)
            self._edit[entry] = action
        else:
            menu.addAction(self._shortcuts.qaction(entry))

    def enable(self) -> None:
        """Switch on what can be done with the open project in this role, and off what cannot."""
        window, services = self._window, self._window.services
        is_open = window.context is not None
        is_pack = is_open and services.is_pack(window.context.project)
        missing = {
            "file.demo": services.demo is None,
            "file.import": not window.page_with("ask_import"),
            "file.find_missing": services.find_missing is None,
            "file.import_table": services.import_table is None or not window.page_with("read_table"),
            "file.export": services.export is None,
            "file.report": services.report is None,
            "file.cases": services.case_cards is None,
            "file.release": services.release is None,
            "file.save_copy": services.save_copy is None,
            "file.studies": not services.has_studies,
            "file.open_pack": services.open_pack is None,
            "file.send_answers": services.send_answers is None or not is_pack,
            "file.merge_answers": services.merge_answers is None or is_pack,
            "help.guidelines": services.guidelines is None,
        }
        is_blind = window.role is Role.ANNOTATOR
        is_read_only = is_open and services.is_read_only(window.context.project)
        for name in {*NEEDS_PROJECT, *NOT_BLIND, *missing}:
            can = (is_open or name not in NEEDS_PROJECT) and not (is_blind and name in NOT_BLIND)
            can = can and not (is_read_only and name in CHANGES_PROJECT)
            self._shortcuts.set_enabled(name, can and not missing.get(name, False))
        self._shortcuts.set_enabled("run.show", window.page("runs") is not None)
        for choice in ThemeChoice:
            self._shortcuts.qaction(f"view.theme_{choice}").setChecked(window.settings.theme is choice)
        self._shortcuts.qaction("view.key_caps").setChecked(window.settings.is_on("show_key_caps"))

    def _page_action(self, entry: str) -> str:
        """Return the id of the page's own undo or redo, such as `rank.undo`."""
        return f"{self._window.current_page_id()}.{entry.split('.')[1]}"

    @Slot()
    def _on_edit_about_to_show(self) -> None:
        known = {action.id for action in self._shortcuts.all()}
        focus = QApplication.focusWidget()
        for entry, action in self._edit.items():
            page_action = self._page_action(entry)
            can_page = page_action in known and self._shortcuts.is_available(page_action)
            action.setEnabled(can_page or hasattr(focus, entry.split(".")[1]))

    @Slot()
    def _on_edit_triggered(self) -> None:
        entry = self.sender().data()
        focus = QApplication.focusWidget()
        edit = getattr(focus, entry.split(".")[1], None)
        if edit is not None:
            edit()
        elif self._page_action(entry) in {action.id for action in self._shortcuts.all()}:
            self._shortcuts.trigger(self._page_action(entry))

    @Slot()
    def _on_recent_about_to_show(self) -> None:
        self._recent.clear()
        folders = self._window.recent_projects()
        for folder in folders:
            action = self._recent.addAction(folder.name)
            action.setToolTip(str(folder))
            action.setData(str(folder))
        if not folders:
            self._recent.addAction("None yet").setEnabled(False)

    @Slot(QAction)
    def _on_recent_triggered(self, action: QAction) -> None:
        if action.data():
            self._window.open_folder(action.data())
