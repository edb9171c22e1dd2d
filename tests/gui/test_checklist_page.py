"""The Checklist page, by keyboard, on a real project."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from studio.actions import checklists
from studio.errors import StudioError
from studio.gui.main_window import MainWindow
from studio.gui.pages.checklist import ChecklistPage
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.rank import RankPage
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemAnswer
from studio.model.scores import Verdict
from studio.sessions.checklist import AnswerOrder
from studio.store import answers as answer_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import ctrl, open_on, press, window_of
from tests.sheets import submit_as_it_is

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL_SHIFT_Z = (Qt.KeyboardModifier.ControlModifier | SHIFT, K.Key_Z)
SLOW_MS = 60_000


def shift(key: Qt.Key) -> tuple[Qt.KeyboardModifier, Qt.Key]:
    return SHIFT, key


def write_checklist(project: Project) -> None:
    checklists.add_item(project, EVERYWHERE, Dimension.FUNDAMENTALS, "Is there a title slide?", author="author")
    checklists.add_item(
        project, EVERYWHERE, Dimension.COMPLETENESS, "Are all findings of the source there?", author="author"
    )


@pytest.fixture
def study(tmp_path) -> Path:
    project = make_project(tmp_path / "study", instances=2, systems=("alpha", "beta"))
    write_checklist(project)
    project.close()
    return tmp_path / "study"


@pytest.fixture
def open_window(app_theme, settings):
    with ExitStack() as windows:

        def window(role: str = "annotator", name: str = "ann") -> MainWindow:
            settings.update({"profile_name": name, "profile_role": role})
            return windows.enter_context(window_of(app_theme, settings, ComparePage, RankPage, ChecklistPage))

        yield window


@pytest.fixture
def page(qtbot, open_window, study):
    return open_on(qtbot, open_window(), study, "checklist")


def reply(page):
    return page._open.sheet.reply(page.unit)


def test_that_answers_are_given_by_keys_and_stored(page):
    press(K.Key_Y)
    assert reply(page).answer is ItemAnswer.YES
    press(K.Key_N)
    assert reply(page).answer is ItemAnswer.NO
    press(K.Key_U)
    assert reply(page).answer is ItemAnswer.CANNOT_TELL
    press(K.Key_A)
    assert reply(page).answer is ItemAnswer.NOT_APPLICABLE
    events = answer_store.events_of(page.context.project, AnswerKind.CHECKLIST)
    assert [event.state["answer"] for event in events] == ["yes", "no", "cannot_tell", "not_applicable"]
    # 2 decks with 2 items each, one answered.
    assert page.panel.progress.full_text() == "A: 1 of 2 · all decks: 1 of 4"


def test_that_an_item_without_need_of_sources_hides_them(page):
    assert page.source.isHidden()
    press(K.Key_Down)
    assert not page.source.isHidden()
    press(K.Key_Up)
    assert page.source.isHidden()


def test_that_letters_and_order_are_those_of_rank(qtbot, page):
    shown = [deck.id for deck in page._open.decks]
    names = [deck.name for deck in page._open.decks]
    instance = page.place()["instance"]
    page.context.navigate("rank", instance=instance)
    rank = page.window().page("rank")
    qtbot.waitUntil(lambda: rank.place().get("instance") == instance, timeout=SLOW_MS)
    assert [deck.id for deck in rank._open.decks] == shown
    assert names == ["A", "B"]


def test_that_evidence_is_the_slide_or_a_box_moved_by_keys(page):
    press(K.Key_N, K.Key_PageDown, K.Key_E)
    assert [(box.slide, box.x0, box.x1) for box in reply(page).boxes] == [(2, 0.0, 1.0)]
    # From 0.3, 0.3 with 0.4 × 0.4: right by 0.02, lower edge down by 0.02.
    press(shift(K.Key_E), K.Key_Right, shift(K.Key_Down), K.Key_Return)
    box = reply(page).boxes[-1]
    assert (box.slide, box.x0, box.y0, box.x1, box.y1) == (2, 0.32, 0.3, 0.72, 0.72)
    press(K.Key_B, K.Key_Left, K.Key_Return)
    assert (reply(page).boxes[-1].x0, len(reply(page).boxes)) == (0.3, 2)
    press(shift(K.Key_E), K.Key_Escape)
    assert len(reply(page).boxes) == 2
    press(K.Key_Backspace)
    assert len(reply(page).boxes) == 1
    assert page._open.sheet.badges(page.unit.deck_id) == {2: {ItemAnswer.NO: 1}}
    marks = {slide.number: slide.mark for slide in page.stage.pane(page.unit.deck_id).strip.model().slides()}
    assert marks == {1: "", 2: "bad", 3: ""}


def test_that_a_drawn_box_is_kept(page):
    press(shift(K.Key_E))
    page.stage.pane(page.unit.deck_id).view.box_drawn.emit(QRectF(0.1, 0.2, 0.3, 0.4))
    (box,) = reply(page).boxes
    assert (box.slide, box.x0, box.y0, box.x1, box.y1) == (1, 0.1, 0.2, 0.4, 0.6)


def test_that_submit_says_what_is_missing_and_asks_it(page):
    press(K.Key_Y, K.Key_Return)
    second = page._open.sheet.units()[1]
    assert page.unit == second
    assert page.panel.missing.full_text() == "A: 1 answer open"
    press(K.Key_N, K.Key_Return)
    assert page._open.sheet.deck_state(second.deck_id).status is AnswerStatus.SUBMITTED
    assert page.unit == page._open.sheet.units()[2]


def test_that_item_by_item_goes_through_the_decks(page):
    first = page.unit
    press(K.Key_D, K.Key_Down)
    assert page.order is AnswerOrder.ITEM_BY_ITEM
    assert page.unit.item_id == first.item_id
    assert page.unit.deck_id == page._open.decks[1].id


def test_that_undo_and_redo_survive_a_restart(qtbot, page, open_window, study):
    press(K.Key_Y, K.Key_F, ctrl(K.Key_Z))
    assert (reply(page).answer, reply(page).is_flagged) == (ItemAnswer.YES, False)
    page.window().close()
    again = open_on(qtbot, open_window(), study, "checklist")
    press(K.Key_Up)
    press(CTRL_SHIFT_Z)
    assert (reply(again).answer, reply(again).is_flagged) == (ItemAnswer.YES, True)


def test_that_a_comment_is_stored_when_the_cursor_leaves(page):
    press(K.Key_C)
    QTest.keyClicks(page.panel.comment, "yes no")
    press(K.Key_Escape)
    page.step(1)
    page.step(-1)
    assert reply(page).comment == "yes no"
    assert reply(page).answer is None


def test_that_a_deck_that_cannot_be_judged_has_a_reason(page):
    deck = page.unit.deck_id
    press(shift(K.Key_U), K.Key_2)
    state = page._open.sheet.deck_state(deck)
    assert (state.status, state.reason) == (AnswerStatus.CANNOT_JUDGE, "I know too little about the subject")
    assert page.unit.deck_id != deck


def test_that_an_unsaved_answer_waits_says_so_once_and_is_stored_in_order(page, monkeypatch, caplog):
    def full(*_args):
        raise StudioError("The disk is full.")

    project = page.context.project
    with monkeypatch.context() as patched:
        patched.setattr(answer_store, "append", full)
        press(K.Key_Y, K.Key_F, ctrl(K.Key_Z), K.Key_N)
        assert (reply(page).answer, reply(page).is_flagged) == (ItemAnswer.NO, False)
        assert page.panel.trouble.full_text() == "Not saved: The disk is full."
        assert answer_store.events_of(project, AnswerKind.CHECKLIST) == []
        assert page.unsaved() == "Checklist: Instance 1 (The disk is full.)"
        page.go(1)
        assert page.place()["instance"] == page._desk.queue.items[0].instance.id
    assert [record.levelname for record in caplog.records].count("ERROR") == 1
    page.panel.again.click()
    events = answer_store.events_of(project, AnswerKind.CHECKLIST)
    assert [event.verb for event in events] == ["answer", "flag", "undo", "answer"]
    assert events[2].target == events[1].seq
    assert page.panel.trouble_row.isHidden()
    press(ctrl(K.Key_Z))
    assert reply(page).answer is ItemAnswer.YES


def test_that_without_a_checklist_the_page_says_so(qtbot, open_window, tmp_path):
    make_project(tmp_path / "bare", instances=1).close()
    window = open_window()
    with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
        window.open_folder(tmp_path / "bare", page="checklist")
    page = window.page("checklist")
    qtbot.waitUntil(lambda: page._layers.currentWidget() is page.empty, timeout=SLOW_MS)
    assert page.empty._title.text() == "No checklist yet"


def test_that_an_annotator_has_no_comparison(page):
    assert page.work.compare_button.isHidden()
    page.open_comparison()
    assert page.comparison is None


def test_that_people_and_code_are_compared_item_by_item(qtbot, open_window, study):
    page = open_on(qtbot, open_window(role="engineer"), study, "checklist")
    press(K.Key_N)
    project, unit = page.context.project, page.unit
    score_store.append_verdicts(
        project,
        [
            Verdict(
                run_id=None, judge_id="code", model="", prompt_version="1", instance_id=page._open.instance.id,
                deck_id=unit.deck_id, item_id=unit.item_id, verdict="yes",
            )
        ],
    )  # fmt: skip
    page.open_comparison()
    with qtbot.waitSignal(page.comparison.loaded, timeout=SLOW_MS):
        pass
    # What is no more than answered does not count, and it is said why.
    assert page.comparison._layers.currentWidget() is page.comparison.empty
    assert "1 deck of 1 person is answered but not submitted" in page.comparison.empty._words.text()
    page.comparison.close()
    submit_as_it_is(page._open.sheet)
    page.open_comparison()
    with qtbot.waitSignal(page.comparison.loaded, timeout=SLOW_MS):
        pass
    # One case: people say no, code says yes. Nothing agrees, code never says no, and misses the only no.
    row = next(row for row in page.comparison.items.rows() if row.comparison.item_id == unit.item_id)
    no = row.comparison.no
    assert (row.n_no, row.comparison.same.value, no.precision.value, no.recall.value) == (1, 0.0, None, 0.0)
    (case,) = page.comparison.cases.rows()
    assert (case.people, case.machine) == ("no", {"code": "yes"})
    # Code asks nobody, so that the X-ray has no call to show, and says so.
    page.comparison.case_table.selectRow(0)
    page.comparison.activateWindow()
    qtbot.waitUntil(page.comparison.isActiveWindow)
    QTest.keyClick(page.comparison, K.Key_X)
    qtbot.waitUntil(lambda: page.comparison.xray is not None)
    xray = page.comparison.xray
    qtbot.waitUntil(lambda: xray.calls.empty._title.text() == "There is no call to show")
    page.comparison.close()
