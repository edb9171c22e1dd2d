"""What the window asks of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtWidgets import QWidget

from studio.gui.context import AppContext
from studio.gui.shortcuts import Action
from studio.model.changes import Changes


class Page(QWidget):
    """One page of the window. Each project that is opened gets pages of its own.

    A page builds widgets, binds models, calls actions and redraws what changed; it knows no other page.
    """

    page_id: ClassVar[str] = ""
    """Stable name: `library`, `compare`, `rank`, …; also the scope of the page's shortcuts."""
    title: ClassVar[str] = ""
    """What rail and top bar call it."""
    icon_name: ClassVar[str] = "file"
    """An icon of `resources/icons`."""

    def open_project(self, context: AppContext) -> None:
        """Show the project. Called once, before the page is first seen."""
        raise NotImplementedError

    def close_project(self) -> None:
        """Let go of the project, for good: drop reads, save drafts, stop timers."""
        raise NotImplementedError

    def go_to(self, **place: str) -> None:
        """Show a place such as `instance="inst_…"`, `deck="deck_…"`; unknown names are ignored."""

    def place(self) -> dict[str, str]:
        """Return where the page is, for `go_to` after a restart; `instance` if there is one."""
        return {}

    def take_paths(self, paths: list[Path]) -> bool:
        """Take files or folders that were dropped or chosen for import; return whether they are taken."""
        return False

    def unsaved(self) -> str:
        """Try once more to save what is not saved yet, and return what is still not; empty if all is."""
        return ""

    def on_shown(self) -> None:
        """The page came to the front."""

    def on_hidden(self) -> None:
        """Another page came to the front, or the window closes: active time stops."""

    def on_changes(self, changes: Changes) -> None:
        """The project changed; reload what is shown. `changes.origin` is the page that did it."""

    def on_events(self, events: list[Any]) -> None:
        """Runs and imports told something, in order."""

    def actions(self) -> list[Action]:  # type: ignore[override]
        """Return what a user can do here; the window binds the keys while the page is in front."""
        return []
