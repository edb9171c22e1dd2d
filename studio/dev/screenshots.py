"""Pictures of every page of the window over the demo project, light and dark."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from studio import settings as studio_settings
from studio.actions.demo import build_demo
from studio.actions.judging import judge_demo
from studio.actions.projects import open_project
from studio.actions.quiz_run import run_offline
from studio.actions.runs import start_run
from studio.decks.render import find_tools
from studio.dev.answer_screens import make_studies, take_answering
from studio.dev.author_screens import take_authoring
from studio.dev.content_projects import prepare_content
from studio.dev.content_screens import take_content
from studio.dev.explanations import prepare, take_explanations
from studio.dev.judge_screens import take_judges
from studio.dev.study_screens import prepare_studies, take_studies
from studio.gui import theme
from studio.gui.background import Background
from studio.gui.dialogs.settings import SettingsDialog
from studio.gui.garbage import GarbageCollector
from studio.gui.main_window import MainWindow
from studio.gui.page_list import page_classes
from studio.gui.projects import studio_services
from studio.gui.theme import Theme
from studio.gui.widgets.states import LoadingState
from studio.model.runs import RunKind, RunSpec
from studio.settings import Role, ThemeChoice
from studio.store.project import Project

SIZES = {"": (1440, 900), "-small": (1024, 700)}
QUIET_S = 0.7
"""A window that has had nothing to do for so long is drawn to the end."""


def take(out: Path) -> None:
    """Write the pictures into `out`; the demo project is built into a folder that goes away afterwards."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="podium-screens-") as home:
        os.environ["PODIUM_HOME"] = home
        demo, empty = _projects(Path(home))
        app = QApplication.instance() or QApplication(["podium-studio"])
        assert isinstance(app, QApplication)
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            for suffix, size in SIZES.items():
                with _window(app, choice, size) as (window, background):
                    _take_all(
                        window,
                        background,
                        demo,
                        empty,
                        partial(_path, out, choice, suffix),
                    )
    print(f"{len(list(out.glob('*.png')))} pictures in {out}")


def _path(out: Path, choice: ThemeChoice, suffix: str, name: str) -> Path:
    return out / f"{name}-{choice.value}{suffix}.png"


def _take_all(window: MainWindow, background: Background, demo: Path, empty: Path, path: Callable[[str], Path]) -> None:
    _grab(window, path("start"))
    window.open_folder(empty)
    _settle(background)
    for page in window.page_titles():
        window.navigate(page)
        _settle(background)
        _grab(window, path(f"{page}-empty"))
    window.close_project()
    _settle(background)
    window.open_folder(demo)
    _settle(background)
    for page in window.page_titles():
        window.navigate(page)
        _settle(background)
        _grab(window, path(page))
    checklist: Any = window.page("checklist")
    checklist.open_comparison()
    _settle(background)
    checklist.comparison.case_table.selectRow(0)
    _settle(background)
    _grab(checklist.comparison, path("compare-answers"))
    checklist.comparison.tabs.setCurrentWidget(checklist.comparison.scores)
    _settle(background)
    _grab(checklist.comparison, path("checklist-scores"))
    checklist.comparison.close()
    take_authoring(window, partial(_settle, background), lambda widget, name: _grab(widget, path(name)))
    take_studies(window, partial(_settle, background), lambda widget, name: _grab(widget, path(name)))
    _take_review(window, background, path)
    for tab in ("results", "errors", "audit", "questions"):
        window.navigate("quiz", tab=tab)
        _settle(background)
        _grab(window, path(f"quiz-{tab}"))
    take_explanations(window, partial(_settle, background), lambda widget, name: _grab(widget, path(name)))
    take_judges(
        window, partial(_settle, background), lambda widget, name: _grab(widget, path(name)), demo.parent
    )  # fmt: skip
    dialog = SettingsDialog(window.settings, window)
    dialog.show()
    _settle(background)
    _grab(dialog, path("settings"))
    dialog.close()
    window.try_setting("profile_role", Role.ANNOTATOR.value)
    _settle(background)
    for page in window.page_titles():
        window.navigate(page)
        _settle(background)
        _grab(window, path(f"{page}-annotator"))
    # A person of their own for each size and theme, since answers stay.
    name = f"Sample annotator for {path('these pictures').stem} (invented)"
    take_answering(window, partial(_settle, background), lambda state: _grab(window, path(state)), name=name)
    window.try_setting("profile_name", "Sample reviewer (invented)")
    window.try_setting("profile_role", Role.ENGINEER.value)
    _settle(background)
    window.close_project()
    _settle(background)
    window.open_folder(demo.parent / "content")
    _settle(background)
    take_content(window, partial(_settle, background), lambda widget, name: _grab(widget, path(name)))
    window.close_project()
    _settle(background)


def _take_review(window: MainWindow, background: Background, path: Callable[[str], Path]) -> None:
    window.navigate("review")
    review: Any = window.page("review")
    review.toggle_names()
    _settle(background)
    _grab(window, path("review-names"))
    review.ask_accept()
    _settle(background)
    _grab(review.dialog, path("review-accept"))
    review.dialog.close()
    review.open_items()
    _settle(background)
    _grab(review.items, path("review-items"))
    review.items.close()
    for view in ("presentbench-3", "reflex-1", "ve-matrix", "frameworks"):
        window.navigate("leaderboard", view=view)
        _settle(background)
        _grab(window, path(f"leaderboard-{view}"))
    board: Any = window.page("leaderboard")
    board.open_snapshots()
    _settle(background)
    _grab(board.snapshots, path("leaderboard-snapshots"))
    board.snapshots.close()


def _projects(home: Path) -> tuple[Path, Path]:
    cancel = threading.Event()
    demo = build_demo(home / "demo", rebuild=False, emit=_ignore, cancel=cancel, say=print)
    project = open_project(demo, must_write=True)
    start_run(project, RunSpec(kind=RunKind.METRICS), tools=find_tools(), emit=_ignore, cancel=cancel)
    prepare(project, home)
    judge_demo(project, tools=find_tools(), emit=_ignore, cancel=cancel)
    run_offline(project, tools=find_tools(), emit=_ignore, cancel=cancel)
    project.close()
    make_studies(demo)
    prepare_studies(demo)
    prepare_content(home)
    empty = home / "empty"
    Project.create(empty, title="An empty project").close()
    return demo, empty


def _ignore(_event: object) -> None:
    pass


@contextmanager
def _window(app: QApplication, choice: ThemeChoice, size: tuple[int, int]) -> Iterator[tuple[MainWindow, Background]]:
    settings = studio_settings.load()
    settings.update(
        {"theme": choice.value, "profile_name": "Sample reviewer (invented)", "profile_role": Role.ENGINEER.value}
    )
    shown = Theme(app, choice)
    theme.install(shown)
    background = Background()
    garbage = GarbageCollector()
    window = MainWindow(
        settings=settings, theme=shown, background=background, services=studio_services(), page_classes=page_classes()
    )
    window.resize(*size)
    window.show()
    _settle(background)
    try:
        yield window, background
    finally:
        window.close()
        background.shutdown()
        garbage.stop()
        window.deleteLater()
        theme.install(None)


def _grab(widget: QWidget, path: Path) -> None:
    widget.grab().save(str(path))


def _settle(background: Background) -> None:
    """Let events run until nothing goes on in the background and nothing loads, thirty seconds at most."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        loop = QEventLoop()
        QTimer.singleShot(int(QUIET_S * 1000), loop.quit)
        loop.exec()
        loads = any(isinstance(each, LoadingState) and each.isVisible() for each in QApplication.allWidgets())
        if not background.busy and not loads:
            return
