"""Asking a model from the page of question banks: built, read, compared; the price first, and one click each."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import quiz_banks, quiz_run
from studio.actions.quiz_asking import QuizTask
from studio.decks import workers
from studio.gui.pages.quiz import QuizPage
from studio.model.quiz import Condition, QuestionOrigin
from tests.fake_judge_server import KEY, FakeJudgeServer
from tests.gui.studies import window_of
from tests.quiz_model import QuizModel
from tests.quiz_projects import deck, long_source, quiz_project

WAIT = 30_000


@pytest.fixture(autouse=True)
def _workers_end(_leaves_nothing_behind):
    yield
    workers.shutdown()


@pytest.fixture
def study(tmp_path):
    slides = [("Report", ["In district 101 the bridge counted 1,110 visits, as it was open longer."])]
    aster = deck(tmp_path / "aster.pptx", slides)
    project = quiz_project(tmp_path / "study", tmp_path / "material", {"topic-1": long_source(2)}, {"Aster": aster})
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    settings.set("profile_name", "Ada Example (invented)")
    with window_of(app_theme, settings, QuizPage) as made:
        yield made


@pytest.fixture
def page(qtbot, window, study) -> QuizPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(study, page="quiz")
    found = window.page("quiz")
    qtbot.waitUntil(lambda: found.states.currentWidget() is found.tabs, timeout=WAIT)
    return found


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def choose(qtbot, page, provider: str, model: str, *, address: str = "", offline_text: bool = False):
    dialog = page.asking
    qtbot.waitUntil(lambda: bool(dialog.form._keys), timeout=WAIT)
    dialog.form.provider.setCurrentIndex(dialog.form.provider.findData(provider))
    QTest.keyClicks(dialog.form.model, model)
    if address:
        dialog.form.address.setCurrentText(address)
    dialog.words_from.setCurrentIndex(dialog.words_from.findData(offline_text))
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=WAIT)
    return dialog


def finished(qtbot, page) -> None:
    qtbot.waitUntil(lambda: not page._context.background.busy and page.build_button.isEnabled(), timeout=WAIT)


def test_that_a_bank_is_built_and_every_condition_is_one_click_for_a_model_that_was_set_up(
    qtbot, window, page, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = QuizModel()
    project = page._context.project
    with FakeJudgeServer(answer=model) as server:
        click(page.build_button)
        dialog = choose(qtbot, page, "openai", "builder", address=server.openai_url)
        assert dialog.task.currentData() == QuizTask.BUILD
        assert "calls at least" in dialog.count.text()
        assert not dialog.form.protocol.isVisible()
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        finished(qtbot, page)
        bank = quiz_banks.list_banks(project)[0]
        assert {each.origin for each in bank.questions} == {QuestionOrigin.JUDGE}
        page.tabs.setCurrentWidget(page.results)
        click(page.results.readers.model)
        dialog = choose(qtbot, page, "openai", "", offline_text=True)
        assert (dialog.task.currentData(), dialog.form.model.text()) == (QuizTask.SLIDES, "builder")
        click(dialog.start)
        finished(qtbot, page)
        assert model.phases["describe"] == 0
        for task in (QuizTask.ORACLE, QuizTask.CLOSED_BOOK):
            click(page.results.readers.buttons[task])
            finished(qtbot, page)
        click(page.results.readers.compare)
        finished(qtbot, page)
    readers = {(each.reader, each.condition) for each in quiz_run.current_answers(project)}
    assert readers >= {("openai:builder", condition) for condition in Condition}
    assert ("offline", Condition.SLIDES) in readers
    assert page.results.which.currentData() == "backends"
    qtbot.waitUntil(lambda: page.results.tables["backends"][1].rowCount() == 1, timeout=WAIT)


def test_that_the_offline_reader_and_its_controls_are_one_click_each(qtbot, window, page):
    project = page._context.project
    quiz_banks.draft_banks(project, instance="topic-1", count=6, seed=1)
    page.tabs.setCurrentWidget(page.results)
    for task in (QuizTask.SLIDES, QuizTask.ORACLE, QuizTask.CLOSED_BOOK):
        click(page.results.readers.buttons[task])
        finished(qtbot, page)
    assert {(each.reader, each.condition) for each in quiz_run.current_answers(project)} == {
        ("offline", condition) for condition in Condition
    }


def test_that_a_scripted_model_needs_no_key(qtbot, window, page, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    project = page._context.project
    quiz_banks.draft_banks(project, instance="topic-1", count=2, seed=1)
    script = tmp_path / "script.json"
    replies = {"answers": [{"id": n, "answer": "A", "slides": [1], "reason": "as it says"} for n in ("1", "2")]}
    script.write_text(
        json.dumps({"format": "podium scripted judge", "lines": [{"text": "Answer each", "reply": replies}]})
    )
    page.ask_model(QuizTask.ORACLE)
    dialog = choose(qtbot, page, "scripted", str(script))
    assert "free" in dialog.count.text()
    click(dialog.start)
    finished(qtbot, page)
    assert {each.answer for each in quiz_run.current_answers(project, condition=Condition.ORACLE)} == {"A"}


def test_that_a_missing_key_and_a_budget_that_cannot_be_kept_are_said_before_the_start(
    qtbot, window, page, monkeypatch
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    click(page.build_button)
    dialog = page.asking
    qtbot.waitUntil(lambda: bool(dialog.form._keys), timeout=WAIT)
    QTest.keyClicks(dialog.form.model, "unpriced")
    qtbot.waitUntil(lambda: "needs a key" in dialog.details.text(), timeout=WAIT)
    assert not dialog.start.isEnabled()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    QTest.keyClicks(dialog.form.usd, "1")
    qtbot.waitUntil(lambda: "price of unpriced is not known" in dialog.details.text(), timeout=WAIT)
    assert not dialog.start.isEnabled()
    dialog.reject()
