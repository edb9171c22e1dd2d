"""What the menus do that is not about a project: dialogs, theme, key caps, fullscreen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from studio.gui.dialogs.about import AboutDialog
from studio.gui.dialogs.log_view import LogDialog
from studio.gui.dialogs.palette import CommandPalette
from studio.gui.dialogs.settings import SettingsDialog
from studio.gui.dialogs.shortcut_sheet import ShortcutSheet
from studio.settings import ThemeChoice

if TYPE_CHECKING:
    from studio.gui.main_window import MainWindow


class Commands(QObject):
    """Commands of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    @Slot()
    def show_settings(self) -> None:
        """Open the settings."""
        dialog = SettingsDialog(self._window.settings, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @Slot()
    def show_palette(self) -> None:
        """Open the command palette."""
        titles = self._window.page_titles()
        palette = CommandPalette(self._window.shortcuts, self._window.navigate, titles, self._window)
        palette.move(self._window.geometry().center().x() - palette.width() // 2, self._window.geometry().top() + 90)
        palette.open()

    @Slot()
    def show_shortcuts(self) -> None:
        """Open the shortcut sheet."""
        titles = self._window.page_titles()
        ShortcutSheet(self._window.shortcuts, self._window, page=self._window.current_page_id(), titles=titles).open()

    @Slot()
    def show_guidelines(self) -> None:
        """Open the guidelines of the project."""
        guidelines, context = self._window.services.guidelines, self._window.context
        if guidelines is not None and context is not None:
            guidelines(self._window, context)

    @Slot()
    def show_log(self) -> None:
        """Open the log."""
        LogDialog(self._window.settings, self._window).open()

    @Slot()
    def show_about(self) -> None:
        """Open About."""
        AboutDialog(self._window).open()

    def choose_theme_system(self) -> None:
        """Follow the desktop."""
        self._window.try_setting("theme", ThemeChoice.SYSTEM.value)

    def choose_theme_light(self) -> None:
        """Use the light theme."""
        self._window.try_setting("theme", ThemeChoice.LIGHT.value)

    def choose_theme_dark(self) -> None:
        """Use the dark theme."""
        self._window.try_setting("theme", ThemeChoice.DARK.value)

    def toggle_key_caps(self) -> None:
        """Show or hide key caps."""
        self._window.try_setting("show_key_caps", not self._window.settings.is_on("show_key_caps"))

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or stop doing so."""
        is_full = self._window.isFullScreen()
        self._window.menuBar().setVisible(is_full)
        if is_full:
            self._window.showNormal()
        else:
            self._window.showFullScreen()
