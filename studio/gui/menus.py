"""The window's own actions and the menu bar made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from studio.gui.shortcuts import Action, Shortcuts

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow

_MENUS: dict[str, tuple[str, ...]] = {
    "&File": (
        "file.new", "file.open", "recent", "file.demo", "",
        "file.import", "file.import_table", "file.export", "file.report", "", "file.save_copy", "",
        "file.settings", "", "file.close", "file.quit",
    ),
    "&Edit": ("edit.undo", "edit.redo", "", "edit.cut", "edit.copy", "edit.paste", "", "edit.palette"),
    "&View": ("view.theme_system", "view.theme_light", "view.theme_dark", "", "view.key_caps",
              "view.fullscreen"),
    "&Run": ("run.stop", "run.show"),
    "&Help": ("help.shortcuts", "help.guidelines", "", "help.log", "help.about"),
}  # fmt: skip

NEEDS_PROJECT = (
    "file.import", "file.import_table", "file.export", "file.report", "file.save_copy", "file.close",
    "help.guidelines",
)  # fmt: skip
CHANGES_PROJECT = ("file.import", "file.import_table")
"""What a project that is open read-only does not take."""

NOT_BLIND = ("help.log", "file.import_table", "file.export", "file.report", "file.save_copy")
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
        act("file.import", "Import…", window.ask_import, "Ctrl+I"),
        act("file.import_table", "Import table…", window.ask_import_table),
        act("file.export", "Export table…", window.ask_export, "Ctrl+Shift+E"),
        act("file.report", "Write report…", window.ask_report),
        act("file.save_copy", "Save a copy…", window.ask_save_copy, "Ctrl+Shift+S"),
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
    """Fills the menu bar. Undo, redo and the clipboard go to the page or to the focused text."""

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
