"""The Leaderboard page, by keyboard, on a real project."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from studio.actions import leaderboard
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.leaderboard import LeaderboardPage
from studio.model.decks import DeckStatus
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import scores as score_store
from tests.gui.projects import add_deck, add_instance, make_project
from tests.gui.studies import press, window_of
from tests.projects import decks_of

K = Qt.Key
SLOW_MS = 60_000
SYSTEMS = ("alpha", "模型二，一个名字很长的系统")


@pytest.fixture
def study(tmp_path) -> Path:
    folder = tmp_path / "study"
    with make_project(folder, instances=3, systems=SYSTEMS) as project:
        extra = add_instance(project, "extra", scenario="lecture")
        add_deck(project, extra.id, "alpha", status=DeckStatus.NOT_SUPPORTED)
        add_deck(project, extra.id, SYSTEMS[1], status=DeckStatus.FAILED)
        for number, instance in enumerate(deck_store.list_instances(project)[:3]):
            decks = decks_of(project, instance.name)
            score_store.append_scores(
                project,
                [
                    Score(run_id=None, metric=metric, metric_version=1, preset="benchmark", deck_id=decks[system],
                          instance_id=instance.id, slide=None, value=value)
                    for metric, values in (
                        ("aesthetics.total", (10.0 + number, 20.0)), ("editability.pei", (2.0, 4.0))
                    )
                    for system, value in zip(SYSTEMS, values, strict=True)
                ],
            )  # fmt: skip
    return folder


@pytest.fixture
def window(app_theme, settings):
    settings.update({"profile_name": "Rae", "profile_role": "engineer"})
    with window_of(app_theme, settings, ComparePage, LeaderboardPage) as shown:
        yield shown


@pytest.fixture
def page(qtbot, window, study) -> LeaderboardPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(study, page="leaderboard")
    found = window.page("leaderboard")
    qtbot.waitUntil(lambda: found.board is not None)
    return found


def shown(page, column):
    model = page.table.model()
    place = next(number for number, each in enumerate(model.columns) if each.title == column)
    return [model.index(row, place).data() for row in range(model.rowCount())]


def test_that_systems_stand_with_rank_and_what_is_not_in_the_mean(page):
    assert shown(page, "System") == [SYSTEMS[1], "alpha"]
    assert shown(page, "All") == ["20.00", "11.00"]
    assert shown(page, "rank") == ["1", "2"]
    assert shown(page, "not in the mean") == ["1 failed", "1 not supported"]


def test_that_keys_go_through_the_views_and_an_empty_one_says_why(qtbot, page):
    seen = []
    for _ in range(page.view.count()):
        with qtbot.waitSignal(page.board_shown) as told:
            press(K.Key_BracketRight)
        seen.append(told.args[0])
    assert seen[-1] == "systems"
    assert len(set(seen)) == page.view.count()
    page.go_to(view="presentbench-4")
    with qtbot.waitSignal(page.board_shown):
        page.load()
    assert page.states.currentWidget() is page.empty


def test_that_the_matrix_is_drawn_below_its_table(qtbot, page):
    with qtbot.waitSignal(page.board_shown):
        page.go_to(view="ve-matrix")
    assert page.plot.isVisible()
    assert shown(page, "Level") == ["4", "2"]


def test_that_groups_make_columns_and_the_table_is_copied_and_written(qtbot, page, tmp_path):
    page.by.setCurrentIndex(page.by.findData("scenario"))
    with qtbot.waitSignal(page.board_shown):
        page.load()
    assert [column.key for column in page.board.columns] == ["all", "lecture", "report"]
    page.copy_markdown()
    assert "| alpha |" in QGuiApplication.clipboard().text()
    page.export_to(tmp_path / "board.csv")
    qtbot.waitUntil((tmp_path / "board.csv").exists)
    qtbot.waitUntil(lambda: (tmp_path / "board.csv").read_bytes().decode() == leaderboard.as_csv(page.board))


def test_that_a_snapshot_is_taken_and_compared_with_the_project(qtbot, page):
    press(K.Key_S)
    dialog = page.snapshots
    with qtbot.waitSignal(dialog.loaded):
        dialog.reload()
    assert "No snapshot yet" in dialog.words.text()
    dialog.name.setText("2026-12")
    with qtbot.waitSignal(dialog.loaded):
        dialog.take()
    assert dialog.before.currentData() == "2026-12"
    dialog.after.setCurrentIndex(dialog.after.findData("now"))
    with qtbot.waitSignal(dialog.loaded):
        dialog._compare()
    assert dialog.model.rowCount() == 0
    dialog.name.setText("2026-12")
    dialog.take()
    qtbot.waitUntil(lambda: dialog.trouble.isVisible())
    assert "already" in dialog.trouble.text()
    dialog.close()
