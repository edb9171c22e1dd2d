"""A window with a real project in it, driven by keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.exchange.export_tables import rows_of
from studio.gui.background import Background
from studio.gui.main_window import MainWindow
from studio.gui.page import Page
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.rank import RankPage
from studio.gui.pages.rate import RatePage
from studio.gui.projects import studio_services
from studio.gui.theme import Theme
from studio.settings import Settings
from studio.store.project import Project

SYSTEMS = ("alpha", "beta", "gamma", "delta", "epsilon")


@contextmanager
def shown_window(
    theme: Theme, settings: Settings, *, name: str = "ann", role: str = "annotator", size: tuple[int, int] = (1440, 900)
) -> Iterator[MainWindow]:
    """Yield a window with the Compare, Rank and Rate pages, for a person of this name and role."""
    settings.update({"profile_name": name, "profile_role": role})
    with window_of(theme, settings, ComparePage, RankPage, RatePage, size=size) as window:
        yield window


@contextmanager
def window_of(
    theme: Theme, settings: Settings, *pages: type[Page], size: tuple[int, int] = (1440, 900)
) -> Iterator[MainWindow]:
    """Yield a window with these pages that has the keyboard, and close it."""
    window = MainWindow(
        settings=settings, theme=theme, background=Background(), services=studio_services(), page_classes=list(pages)
    )
    window.resize(*size)
    try:
        window.show()
        window.activateWindow()
        assert QTest.qWaitForWindowActive(window, 60_000)
        yield window
    finally:
        window.close()
        window.deleteLater()


def open_on(qtbot, window: MainWindow, folder: Path, page_id: str) -> Page:
    """Open a project on a page and return the page as soon as an instance is shown on it."""
    with qtbot.waitSignal(window.project_opened, timeout=60_000):
        window.open_folder(folder, page=page_id)
    page = window.page(page_id)
    if not shown_instance(page):
        with qtbot.waitSignal(page.instance_shown, timeout=60_000):
            pass
    return page


def shown_instance(page: Page) -> str:
    """Return the id of the instance on a page, empty while there is none."""
    return page.place().get("instance", "")


def press(*keys: Qt.Key | tuple[Qt.KeyboardModifier, Qt.Key]) -> None:
    """Press keys one after the other, each on what has the keyboard then."""
    for key in keys:
        modifier, plain = key if isinstance(key, tuple) else (Qt.KeyboardModifier.NoModifier, key)
        target = QApplication.focusWidget() or QApplication.activeWindow()
        assert target is not None, "no window has the keyboard"
        QTest.keyClick(target, plain, modifier)


def ctrl(key: Qt.Key) -> tuple[Qt.KeyboardModifier, Qt.Key]:
    """Return a key with Ctrl."""
    return Qt.KeyboardModifier.ControlModifier, key


def alt(key: Qt.Key) -> tuple[Qt.KeyboardModifier, Qt.Key]:
    """Return a key with Alt."""
    return Qt.KeyboardModifier.AltModifier, key


def ranking_rows(folder: Path) -> list[dict]:
    """Return the rows of `rankings.csv` as another program would read them."""
    with Project.open(folder) as project:
        return rows_of(project, "rankings")


SAYING = (
    "text", "toolTip", "accessibleName", "accessibleDescription", "windowTitle", "title", "placeholderText",
    "toPlainText", "full_text", "statusTip", "whatsThis", "currentText",
)  # fmt: skip


def texts(root) -> str:
    """Return everything that can be read or heard in a widget and below."""
    found = []
    for widget in [root, *root.findChildren(QObject)]:
        for name in SAYING:
            say = getattr(widget, name, None)
            if callable(say):
                try:
                    found.append(str(say()))
                except TypeError:
                    continue
    return "\n".join(found)
