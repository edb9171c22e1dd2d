from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from studio.errors import Cancelled, StudioError
from studio.gui.background import Background
from studio.gui.dialogs.settings import SettingsDialog
from studio.gui.main_window import MainWindow
from studio.gui.page_list import BLIND_PAGES, RAIL, page_classes, visible_pages
from studio.model.changes import Topic, changed
from studio.model.events import ImportProgress, RunEnded, RunStarted
from studio.model.ids import RunId
from studio.model.runs import RunKind, RunState
from studio.settings import Role, load
from tests.gui.fake_project import fake_pages, fake_services, make_folder
from tests.patience import wait_until

CLASSES = fake_pages()


@pytest.fixture
def opened():
    return []


@pytest.fixture
def window(qtbot, app_theme, settings, opened, tmp_path):
    made = MainWindow(
        settings=settings,
        theme=app_theme,
        background=Background(),
        services=fake_services(opened, demo=lambda *, emit, cancel: make_folder(tmp_path / "demo")),
        page_classes=CLASSES,
    )
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    yield made
    made.close()


def open_project(qtbot, window, folder):
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(make_folder(folder))


def test_that_the_window_begins_with_the_start_screen(window):
    assert window.stack.currentWidget() is window.start_screen
    assert not window.rail.isVisible()
    assert not window.shortcuts.is_available("file.export")


def test_that_a_project_opens_on_its_first_page_and_is_remembered(qtbot, window, settings, tmp_path):
    open_project(qtbot, window, tmp_path / "storage-study")
    assert window.rail.page_ids() == list(RAIL)
    assert window.current_page_id() == "library"
    assert window.top_bar.trail.full_text() == "storage-study › Library"
    assert settings.get("recent_projects") == [str(tmp_path / "storage-study")]
    assert window.page("library").told == ["opened", "shown"]


def test_that_a_window_that_is_killed_can_go_on_where_it_was(qtbot, window, settings, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    window.navigate("rank", instance="inst_7")
    # Read back from the file, without closing anything.
    kept = load(settings.path)
    assert (kept.text("last_project"), kept.text("last_page")) == (str(tmp_path / "s"), "rank")
    assert kept.text("last_instance") == "inst_rank"


def test_that_closing_lets_go_of_pages_and_project_and_notes_the_place(qtbot, window, settings, opened, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    window.navigate("rank", instance="inst_7")
    page = window.page("rank")
    assert page.told == ["opened", "shown", {"instance": "inst_7"}]
    window.close_project()
    assert page.told[-2:] == ["hidden", "closed"]
    assert opened[0].is_closed
    assert window.stack.currentWidget() is window.start_screen
    assert (settings.text("last_page"), settings.text("last_instance")) == ("rank", "inst_rank")
    with qtbot.waitSignal(window.project_opened):
        window.start_screen.resume_asked.emit()
    assert window.current_page_id() == "rank"
    assert {"instance": "inst_rank"} in window.page("rank").told


def test_that_an_annotator_sees_only_the_blind_pages(qtbot, window, settings, tmp_path):
    settings.set("profile_role", "annotator")
    open_project(qtbot, window, tmp_path / "s")
    assert set(window.rail.page_ids()) == BLIND_PAGES == {"rank", "checklist", "rate", "compare"}
    window.navigate("alignment")
    assert window.current_page_id() == "compare"
    assert not [a for a in window.shortcuts.all() if a.page in set(RAIL) - BLIND_PAGES]
    assert window.context.is_blind
    for action in ("help.log", "file.export", "file.save_copy"):
        assert not window.shortcuts.is_available(action)
    post = window.context.background.post
    post(RunStarted(run_id=RunId("r"), kind=next(iter(RunKind)), title="judge-x", total=9, cached=0))
    qtbot.waitUntil(lambda: window.status_line.work.full_text() == "background work · 0/9")
    for role in (Role.REVIEWER, Role.AUTHOR, Role.ENGINEER):
        assert visible_pages(role) == frozenset(RAIL)


def test_that_a_change_of_role_takes_pages_away_at_once(qtbot, window, settings, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    window.navigate("alignment")
    with qtbot.waitSignal(window.project_opened):
        settings.set("profile_role", "annotator")
    assert "alignment" not in window.rail.page_ids()


def test_that_the_rail_the_keys_and_the_palette_lead_to_pages(qtbot, window, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    QTest.mouseClick(window.rail._buttons["rank"], Qt.MouseButton.LeftButton)
    assert window.current_page_id() == "rank"
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_9, Qt.KeyboardModifier.AltModifier)
    assert window.current_page_id() == "alignment"
    QTest.keyClick(window, Qt.Key.Key_F)
    assert window.page("alignment").told[-1] == "acted"
    assert "acted" not in window.page("rank").told


def test_that_changes_and_events_reach_every_page(qtbot, window, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    changes = changed(Topic.DECKS, origin="library")
    window.context.announce(changes)
    window.context.background.post("event")
    qtbot.waitUntil(lambda: window.page("runs").events == ["event"])
    assert window.page("rank").told[-1] is changes


def test_that_the_status_line_follows_runs_and_imports(qtbot, window, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    kind, state, run = next(iter(RunKind)), next(iter(RunState)), RunId("run_1")
    post = window.context.background.post
    post(RunStarted(run_id=run, kind=kind, title="aesthetics", total=945, cached=0))
    qtbot.waitUntil(lambda: window.status_line.work.full_text() == "aesthetics · 0/945")
    post(ImportProgress(done=1, total=3, name="a.pptx", failed=True))
    qtbot.waitUntil(lambda: "import · 1/3 · 1 failed · and 1 more" in window.status_line.work.full_text())
    post(ImportProgress(done=3, total=3, name="c.pptx"))
    post(RunEnded(run_id=run, kind=kind, state=state))
    qtbot.waitUntil(lambda: window.status_line.work.full_text().startswith("aesthetics: "))
    assert not window.status_line.progress.isVisible()


def test_that_a_damaged_project_is_reported_and_the_start_screen_stays(qtbot, window, tmp_path):
    folder = make_folder(tmp_path / "bad")
    (folder / "damaged").touch()
    window.open_folder(folder)
    qtbot.waitUntil(lambda: window.notices.notices() == ["bad is damaged. Restore a copy."])
    assert window.stack.currentWidget() is window.start_screen
    window.open_folder(tmp_path / "none")
    assert "no project" in window.toast.text()


def test_that_recent_projects_that_are_gone_are_marked_and_can_be_forgotten(window, settings, tmp_path):
    settings.remember_project(tmp_path / "gone")
    settings.remember_project(make_folder(tmp_path / "项目 一"))
    window.start_screen.refresh()
    rows = window.start_screen.recent_rows()
    assert [(row.folder.name, row.is_missing) for row in rows] == [("项目 一", False), ("gone", True)]
    rows[1].forgotten.emit(rows[1].folder)
    assert settings.get("recent_projects") == [str(tmp_path / "项目 一")]


def drop(widget, *paths):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    widget.dropEvent(event)


def test_that_a_dropped_project_opens_and_dropped_decks_go_to_the_page_that_takes_them(qtbot, window, tmp_path):
    with qtbot.waitSignal(window.start_screen.paths_dropped) as dropped:
        drop(window.start_screen, tmp_path / "a.pptx", tmp_path / "b")
    assert dropped.args == [[tmp_path / "a.pptx", tmp_path / "b"]]
    with qtbot.waitSignal(window.project_opened):
        drop(window.start_screen, make_folder(tmp_path / "s"))
    window.navigate("rank")
    with qtbot.waitSignal(window.paths_dropped):
        drop(window, tmp_path / "a.pptx")
    window.page("library").takes = True
    drop(window, tmp_path / "a.pptx")
    assert [tmp_path / "a.pptx"] in window.page("library").told
    assert window.current_page_id() == "library"


def test_that_the_demo_opens(qtbot, window, opened):
    with qtbot.waitSignal(window.project_opened):
        window.shortcuts.trigger("file.demo")
    assert opened[0].folder.name == "demo"


def test_that_the_window_closes_cleanly_while_work_goes_on(qtbot, window, opened, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    background = window.context.background

    def run(*, emit, cancel):
        while not cancel.wait(0.001):
            emit("tick")

    background.start(run, name="aesthetics")
    window.setProperty("quits_unasked", True)
    assert window.close()
    assert background.busy == []
    assert opened[0].is_closed


def test_that_a_project_closes_only_after_its_work_has_ended(qtbot, window, opened, tmp_path):
    open_project(qtbot, window, tmp_path / "s")
    seen = []

    def run(*, emit, cancel):
        cancel.wait()
        time.sleep(0.05)
        seen.append(opened[0].is_closed)

    window.context.background.start(run, name="aesthetics")
    assert window.status_line.work.full_text() == "aesthetics"
    window.close_project()
    assert window.stack.currentWidget() is window.start_screen
    qtbot.waitUntil(lambda: opened[0].is_closed)
    assert seen == [False]
    assert window.status_line.work.full_text() == ""


def test_that_the_next_project_opens_only_after_the_work_on_the_last_one_has_ended(qtbot, window, opened, tmp_path):
    open_project(qtbot, window, tmp_path / "one")
    ends = threading.Event()

    def run(*, emit, cancel):
        ends.wait()

    window.context.background.start(run, name="aesthetics")
    window.open_folder(make_folder(tmp_path / "two"))
    assert len(opened) == 1
    with qtbot.waitSignal(window.project_opened):
        ends.set()
    assert opened[0].is_closed
    assert window.context.project.folder == tmp_path / "two"


def test_that_the_demo_is_judged_in_the_background_once_it_is_open(qtbot, app_theme, settings, tmp_path):
    may_go_on, judged = threading.Event(), []

    def fill(project, its_settings, *, emit, cancel):
        assert may_go_on.wait(60)
        judged.append((project.folder.name, its_settings is settings))
        return changed(Topic.SCORES)

    window = MainWindow(
        settings=settings, theme=app_theme, background=Background(),
        services=fake_services(demo=lambda *, emit, cancel: make_folder(tmp_path / "demo"), fill_demo=fill),
        page_classes=fake_pages(),
    )  # fmt: skip
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.project_opened):
        window.open_demo()
    # The demo can be used while the judges work.
    assert window.current_page_id() == "library"
    assert [work.name for work in window.background.busy] == ["Judging the demo"]
    may_go_on.set()
    qtbot.waitUntil(lambda: not window.background.busy)
    assert judged == [("demo", True)]
    page = window.page("library")
    assert any(getattr(told, "topics", None) == {Topic.SCORES} for told in page.told)
    window.close_project()
    # Opened as any other project it is left alone.
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(tmp_path / "demo")
    assert not window.background.busy
    window.close()


def test_that_a_demo_that_is_stopped_leads_back_to_the_start_screen(qtbot, app_theme, settings):
    def demo(*, emit, cancel):
        cancel.wait()
        raise Cancelled("The demo was not built.")

    window = MainWindow(
        settings=settings,
        theme=app_theme,
        background=Background(),
        services=fake_services(demo=demo),
        page_classes=[],
    )
    qtbot.addWidget(window)
    window.show()
    window.open_demo()
    assert window.status_line.work.full_text() == "Building the demo"
    window.status_line.stop.click()
    qtbot.waitUntil(lambda: window.toast.text() == "The demo was not built.")
    assert window.stack.currentWidget() is window.start_screen
    window.close()


def test_that_the_settings_form_saves_all_or_says_why_not(qtbot, app_theme, settings, monkeypatch):
    dialog = SettingsDialog(settings)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.field("profile_name").setText("王小明")
    dialog.field("theme").setCurrentIndex(2)
    dialog.field("cache_size_mb").setValue(512)
    dialog.field("show_key_caps").setChecked(False)
    with qtbot.waitSignal(dialog.settings_saved):
        dialog._save.click()
    again = load(settings.path)
    assert again.text("profile_name") == "王小明"
    assert (again.text("theme"), again.number("cache_size_mb")) == ("dark", 512)
    assert not again.is_on("show_key_caps")

    def refuse(_values):
        raise StudioError("The disk is full.")

    monkeypatch.setattr(settings, "update", refuse)
    dialog.show()
    dialog._save.click()
    assert dialog.isVisible()
    assert dialog._error.text() == "The disk is full."


@pytest.mark.parametrize("action", ["file.settings", "edit.palette", "help.shortcuts", "help.log", "help.about"])
def test_that_every_dialog_of_the_menus_opens(qtbot, window, action):
    window.shortcuts.trigger(action)
    dialogs = [child for child in window.findChildren(QDialog) if child.isVisible()]
    assert len(dialogs) == 1
    dialogs[0].close()


def test_that_themes_and_key_caps_can_be_switched_from_the_menu(window, settings, app_theme):
    window.shortcuts.trigger("view.theme_dark")
    assert app_theme.is_dark
    assert window.shortcuts.qaction("view.theme_dark").isChecked()
    window.shortcuts.trigger("view.key_caps")
    assert not settings.is_on("show_key_caps")
    window.shortcuts.trigger("view.key_caps")


def test_that_the_window_fits_into_1024_by_700(window):
    window.resize(1024, 700)
    assert (window.width(), window.height()) == (1024, 700)


def test_that_the_page_list_names_pages_of_the_rail_once():
    ids = [page.page_id for page in page_classes()]
    assert len(ids) == len(set(ids))
    assert set(ids) <= set(RAIL)


PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from studio.gui import app, page_list
from tests.gui.fake_project import fake_pages, fake_services
app.page_classes = fake_pages
{before}
sys.exit(app.run(Path(sys.argv[1]), services=fake_services()))
"""


def program(folder, home, before="") -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.replace("{before}", before), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PODIUM_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).resolve().parents[2],
    )


QUIT_WHEN_OPEN = """
from PySide6.QtWidgets import QApplication
made = QApplication([])
def quit_once_it_is_open():
    shown = [window for window in made.topLevelWidgets() if getattr(window, "context", None)]
    if shown:
        often.stop()
        shown[0].close()
often = QTimer()
often.timeout.connect(quit_once_it_is_open)
often.start(50)
"""


def test_that_the_program_ends_with_0_and_without_a_word(tmp_path):
    running = program(make_folder(tmp_path / "s"), tmp_path / "home", QUIT_WHEN_OPEN)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    assert load(tmp_path / "home" / "config" / "settings.json").text("last_page") == "library"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_signal_ends_the_program_with_0(tmp_path, number):
    running = program(make_folder(tmp_path / "s"), tmp_path / "home")
    settings_file = tmp_path / "home" / "config" / "settings.json"
    wait_until(settings_file.exists, "the project did not open")
    running.send_signal(number)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
