"""The explanation opened from the Compare page, by keyboard, on a real project."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.jobs.engine import run_job
from studio.jobs.executors import InlineExecutor
from studio.jobs.metrics_job import MetricsJob
from studio.model.runs import RunKind, RunSpec
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import ctrl, open_on, press, shown_window

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


class InlineJob(MetricsJob):
    def executor(self):
        return InlineExecutor()


@pytest.fixture
def study(tmp_path):
    project = make_project(tmp_path / "study", instances=2, slides=3)
    run_job(project, InlineJob(RunSpec(kind=RunKind.METRICS)), emit=lambda event: None, cancel=threading.Event())
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, role="engineer") as made:
        yield made


def explained(qtbot, page):
    qtbot.waitUntil(lambda: page.why.window is not None and page.why.window.explanation is not None, timeout=60_000)
    return page.why.window


def test_that_the_key_explains_the_focused_deck_at_its_slide(qtbot, window, study):
    page = open_on(qtbot, window, study, "compare")
    press(K.Key_PageDown)
    press((SHIFT, K.Key_W))
    why = explained(qtbot, page)
    assert why.explanation.deck_id == page.stage.focused
    assert why.slide.number == 2
    # What is picked there is shown on the page, and the other deck that gets the focus is explained.
    QTest.keyClick(why, K.Key_PageDown)
    assert page.stage.viewing.slide(page.stage.focused) == 3
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 60_000)
    press(ctrl(K.Key_2))
    qtbot.waitUntil(lambda: why.explanation.deck_id == page.stage.focused, timeout=60_000)
    QTest.keyClick(why, K.Key_Escape)
    assert not why.isVisible()


def test_that_leaving_the_page_closes_the_explanation(qtbot, window, study):
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_W))
    explained(qtbot, page)
    page.on_hidden()
    assert page.why.window is None


def test_that_a_blind_viewer_has_no_way_to_the_numbers(qtbot, app_theme, settings, study):
    with shown_window(app_theme, settings, role="annotator") as blind:
        page = open_on(qtbot, blind, study, "compare")
        assert page.why_button.parent() is None
        assert "compare.why" not in {action.id for action in page.actions()}
        press((SHIFT, K.Key_W))
        page.why.open()
        assert page.why.window is None


def test_that_a_deck_without_scores_says_what_to_run(qtbot, window, study):
    with Project.open(study) as project, project.writing() as db:
        db.execute("DROP TRIGGER scores_no_delete")
        db.execute("DELETE FROM scores")
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_W))
    qtbot.waitUntil(lambda: page.why.window is not None, timeout=60_000)
    why = page.why.window
    qtbot.waitUntil(lambda: why._layers.currentWidget() is why.failed, timeout=60_000)
    QTest.keyClick(why, K.Key_Escape)
