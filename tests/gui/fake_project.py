"""A project that is only a folder, and pages that note what the window tells them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from studio.errors import ProjectDamaged
from studio.gui.page import Page
from studio.gui.services import ProjectServices
from studio.gui.shortcuts import Action

PAGES = (
    ("library", "Library", "library"),
    ("compare", "Compare", "columns-2"),
    ("rank", "Rank", "list-ordered"),
    ("checklist", "Checklist", "list-checks"),
    ("rate", "Rate", "star"),
    ("author", "Author", "pencil"),
    ("runs", "Runs", "play"),
    ("review", "Review", "git-compare"),
    ("alignment", "Align", "chart-scatter"),
    ("agreement", "Agree", "message-square"),
    ("leaderboard", "Board", "trophy"),
    ("quiz", "Quiz", "message-square"),
)


class FakeProject:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_closed = False


class FakePage(Page):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told: list[Any] = []
        self.events: list[Any] = []
        self.takes = False
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)

    def open_project(self, context):
        self.context = context
        self.told.append("opened")

    def close_project(self):
        self.told.append("closed")

    def go_to(self, **place):
        self.told.append(place)

    def place(self):
        return {"instance": f"inst_{self.page_id}"}

    def on_shown(self):
        self.told.append("shown")

    def on_hidden(self):
        self.told.append("hidden")

    def on_changes(self, changes):
        self.told.append(changes)

    def on_events(self, events):
        self.events.extend(events)

    def take_paths(self, paths):
        if self.takes:
            self.told.append(paths)
        return self.takes

    def _note(self):
        self.told.append("acted")

    def actions(self):
        return [Action(id=f"{self.page_id}.flag", words="Flag this", run=self._note, keys=("F",), page=self.page_id)]


def fake_pages() -> list[type[Page]]:
    return [
        type(f"{title}Page", (FakePage,), {"page_id": page_id, "title": title, "icon_name": icon_name})
        for page_id, title, icon_name in PAGES
    ]


def make_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "project.db").touch()
    return folder


def fake_services(
    opened: list[FakeProject] | None = None,
    *,
    demo: Callable[..., Path] | None = None,
    fill_demo: Callable[..., Any] | None = None,
) -> ProjectServices:
    made = opened if opened is not None else []

    def open_project(folder: Path) -> FakeProject:
        if (folder / "damaged").exists():
            raise ProjectDamaged(f"{folder.name} is damaged.", next_step="Restore a copy.")
        made.append(FakeProject(folder))
        return made[-1]

    def close(project: FakeProject) -> None:
        project.is_closed = True

    def save_copy(project: FakeProject, target: Path) -> Path:
        return make_folder(target)

    return ProjectServices(
        open=open_project,
        create=lambda folder, *, title="": open_project(make_folder(folder)),
        close=close,
        title=lambda project: project.folder.name,
        folder=lambda project: project.folder,
        save_copy=save_copy,
        demo=demo,
        fill_demo=fill_demo,
    )
