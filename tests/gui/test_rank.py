"""The Rank page, by keyboard, on a real project."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from studio.errors import StudioError
from studio.gui.digit_keys import digit_of
from studio.gui.widgets.deck_pane import DeckPane
from studio.gui.widgets.rank_slots import MIME, DeckThumb, SlotRow
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.changes import Topic, changed
from studio.model.decks import RenderState
from studio.store import answers as answer_store
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, make_project
from tests.gui.studies import SYSTEMS, alt, ctrl, open_on, press, ranking_rows, shown_instance, shown_window

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
DIGITS = (K.Key_1, K.Key_2, K.Key_3, K.Key_4, K.Key_5, K.Key_6, K.Key_7, K.Key_8, K.Key_9)
SLOW_MS = 60_000


@pytest.fixture
def study(tmp_path) -> Path:
    make_project(tmp_path / "study", instances=2, systems=SYSTEMS).close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings) as made:
        yield made


@pytest.fixture
def page(qtbot, window, study):
    return open_on(qtbot, window, study, "rank")


def letters(page) -> dict[str, int]:
    """Return the ranks on the page by letter."""
    session = page._open.session
    return {session.letter_of(deck): rank for deck, rank in session.state.ranks.items()}


def board_ranks(page) -> dict[str, int]:
    """Return the ranks as the board shows them, by letter."""
    return {
        thumb.deck.name: row.rank for row in page.board.findChildren(SlotRow) for thumb in row.findChildren(DeckThumb)
    }


def rank_all(page, ranks: str) -> None:
    """Give decks A, B, C, … these ranks."""
    for place, rank in enumerate(ranks):
        press(ctrl(DIGITS[place]), DIGITS[int(rank) - 1])


def wait_shown(qtbot, page, press_keys) -> str:
    with qtbot.waitSignal(page.instance_shown, timeout=SLOW_MS) as shown:
        press_keys()
    return shown.args[0]


def test_that_an_untouched_ranking_is_never_an_answer(page, window, study):
    press(K.Key_Return)
    assert answer_store.events_of(window.context.project, AnswerKind.RANKING) == []
    assert page.board.missing.full_text() + page.board.missing_above.full_text() == "5 decks unranked: A, B, C, D, E"
    window.close()
    assert ranking_rows(study) == []


def test_that_five_decks_with_a_tie_are_ranked_by_keys_and_exported(qtbot, page, window, study):
    first = shown_instance(page)
    rank_all(page, "31425")
    press(ctrl(K.Key_5), K.Key_T)
    # A 3, B 1, C 4, D 2, E 5; then E joins the deck above it, C on 4.
    assert letters(page) == {"A": 3, "B": 1, "C": 4, "D": 2, "E": 4} == board_ranks(page)
    display = page._open.session.display
    second = wait_shown(qtbot, page, lambda: press(K.Key_Return))
    assert second != first
    window.close()
    rows = [row for row in ranking_rows(study) if row["instance_id"] == first]
    by_deck = {row["deck_id"]: (row["rank"], row["is_tied"], row["display_position"], row["status"]) for row in rows}
    # Competition ranks: 1, 2, 3, 4, 4.
    assert by_deck == {
        deck: (rank, rank == 4, place, "submitted")
        for place, (deck, rank) in enumerate(zip(display, (3, 1, 4, 2, 4), strict=True), start=1)
    }


def test_that_undo_and_redo_survive_a_restart(qtbot, page, window, study, app_theme, settings):
    rank_all(page, "12")
    press(ctrl(K.Key_Z))
    assert letters(page) == {"A": 1}
    window.close()
    with shown_window(app_theme, settings) as again:
        page = open_on(qtbot, again, study, "rank")
        assert letters(page) == {"A": 1} == board_ranks(page)
        press((Qt.KeyboardModifier.ControlModifier | SHIFT, K.Key_Z))
        assert letters(page) == {"A": 1, "B": 2}
        press(ctrl(K.Key_Z), ctrl(K.Key_Z), ctrl(K.Key_Y))
        assert letters(page) == {"A": 1}


def test_that_an_undone_rank_stays_undone_after_another_instance(qtbot, page):
    rank_all(page, "1")
    press(ctrl(K.Key_Z))
    wait_shown(qtbot, page, lambda: press(K.Key_Right))
    wait_shown(qtbot, page, lambda: press(K.Key_Left))
    assert letters(page) == {}
    press(ctrl(K.Key_Y))
    assert letters(page) == {"A": 1}


def test_that_unrank_and_move_follow_the_focused_deck(page):
    rank_all(page, "123")
    press(ctrl(K.Key_3), alt(K.Key_Up))
    assert letters(page) == {"A": 1, "C": 2, "B": 3}
    press(alt(K.Key_Down), ctrl(K.Key_1), K.Key_Backspace)
    assert letters(page) == {"B": 2, "C": 3}


def test_that_an_incomplete_ranking_says_what_is_missing_and_goes_there(page):
    rank_all(page, "12")
    press(ctrl(K.Key_1), K.Key_Return)
    assert page.board.missing.full_text() + page.board.missing_above.full_text() == "3 decks unranked: C, D, E"
    assert page.stage.deck(page.stage.focused).name == "C"
    assert page._open.session.state.status is AnswerStatus.DRAFT


def test_that_keys_typed_into_the_note_change_only_the_text(qtbot, page, window):
    rank_all(page, "1")
    press(K.Key_C)
    assert page.board.note.hasFocus()
    QTest.keyClicks(page.board.note, "yes 1 2 n")
    press(K.Key_Left, K.Key_Right, K.Key_Backspace)
    QTest.keyClicks(page.board.note, "n")
    assert page.board.note.toPlainText() == "yes 1 2 n"
    assert letters(page) == {"A": 1}
    press(K.Key_Escape)
    assert page._open.session.state.note == "yes 1 2 n"
    events = answer_store.events_of(window.context.project, AnswerKind.RANKING)
    assert [event.verb for event in events] == ["rank", "note"]
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), DeckPane))
    press(K.Key_2)
    assert letters(page) == {"A": 2}


def test_that_nothing_fires_while_an_input_method_composes(page):
    press(K.Key_C)
    composing = QInputMethodEvent("ni", [])
    QApplication.sendEvent(page.board.note, composing)
    press(K.Key_1, K.Key_Return)
    assert letters(page) == {}
    QApplication.sendEvent(page.board.note, QInputMethodEvent("", []))


def test_that_another_instance_shows_nothing_of_the_one_before(qtbot, page):
    rank_all(page, "12345")
    press(K.Key_F, K.Key_C)
    QTest.keyClicks(page.board.note, "half a thought")
    press(K.Key_PageDown)
    wait_shown(qtbot, page, lambda: page.go(1))
    assert (letters(page), board_ranks(page)) == ({}, {})
    assert page.board.note.toPlainText() == ""
    assert page.board.note.isHidden()
    assert not page.board.flag_button.isChecked()
    assert [page.stage.viewing.slide(deck) for deck in page.stage.viewing.decks] == [1] * 5
    wait_shown(qtbot, page, lambda: page.go(-1))
    assert page.board.note.toPlainText() == "half a thought"
    assert page.board.flag_button.isChecked()


def test_that_ranks_are_stored_by_deck_whatever_the_order_shown(qtbot, tmp_path, app_theme, settings):
    rng = random.Random(7)
    make_project(tmp_path / "many", instances=20, systems=SYSTEMS[:4], slides=1).close()
    wanted: dict[str, int] = {}
    with shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, tmp_path / "many", "rank")
        for place in range(20):
            ranks = rng.sample(range(1, 5), 4)
            rank_all(page, "".join(map(str, ranks)))
            wanted |= dict(zip(page._open.session.display, ranks, strict=True))
            signal = page.instance_shown if place < 19 else page.finished
            with qtbot.waitSignal(signal, timeout=SLOW_MS):
                press(K.Key_Return)
    rows = ranking_rows(tmp_path / "many")
    assert len(rows) == 80
    assert {row["deck_id"]: row["rank"] for row in rows} == wanted
    assert {row["status"] for row in rows} == {"submitted"}


def test_that_decks_are_letters_in_this_persons_own_order(page, window):
    shown = [pane.deck.name for pane in page.stage.findChildren(DeckPane)]
    assert shown == ["A", "B", "C", "D"]
    texts = " ".join(
        f"{widget.toolTip()} {widget.accessibleName()} {widget.text() if isinstance(widget, QLabel) else ''}"
        for widget in page.findChildren(QWidget)
    )
    assert not [system for system in SYSTEMS if system in texts]


def test_that_a_deck_behind_the_others_comes_forward_when_it_is_focused(page):
    assert len(page.stage.shown) == 4
    press(ctrl(K.Key_5), K.Key_1)
    assert page.stage.deck(page.stage.focused).name == "E"
    assert page.stage.focused in page.stage.shown
    assert letters(page) == {"E": 1}
    press(K.Key_W)
    assert len(page.stage.shown) == 5
    assert isinstance(QApplication.focusWidget(), DeckPane)


def test_that_the_source_opens_among_the_decks_and_keys_still_rank(page, window):
    press(K.Key_S)
    assert page.source.isVisible()
    assert QApplication.activeWindow() is window
    press(K.Key_3, K.Key_S, ctrl(K.Key_2), K.Key_1)
    assert page.source.isHidden()
    assert letters(page) == {"A": 3, "B": 1}


def test_that_search_gives_the_keyboard_back(qtbot, page):
    press(ctrl(K.Key_F))
    QTest.keyClicks(page.source.search, "1 2 t")
    assert letters(page) == {}
    press(K.Key_Escape)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), DeckPane))
    press(K.Key_Escape, K.Key_1)
    assert page.source.search_row.isHidden()
    assert letters(page) == {"A": 1}


def test_that_skipping_comes_back_at_the_end(qtbot, page):
    first = shown_instance(page)
    second = wait_shown(qtbot, page, lambda: press(ctrl(K.Key_Space)))
    rank_all(page, "12345")
    assert wait_shown(qtbot, page, lambda: press(K.Key_Return)) == first
    assert second != first
    assert page.board.status.text() == "skipped"


def test_that_cannot_judge_takes_one_key_for_its_reason(qtbot, page, window):
    press(K.Key_U)
    assert page.reasons.isVisible()
    press(K.Key_Escape)
    assert page.reasons.isHidden()
    press(K.Key_U)
    wait_shown(qtbot, page, lambda: press(K.Key_2))
    (event,) = answer_store.events_of(window.context.project, AnswerKind.RANKING)
    assert (event.verb, event.state["reason"]) == ("cannot_judge", "I know too little about the subject")
    press(K.Key_2)
    assert letters(page) == {"A": 2}


def test_that_another_reason_is_typed(qtbot, page, window):
    press(K.Key_U, K.Key_5)
    QTest.keyClicks(QApplication.focusWidget(), "too blurred 3")
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    (event,) = answer_store.events_of(window.context.project, AnswerKind.RANKING)
    assert event.state["reason"] == "too blurred 3"


def test_that_the_end_says_how_many_were_done(qtbot, page):
    rank_all(page, "12345")
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    press(K.Key_U)
    with qtbot.waitSignal(page.finished, timeout=SLOW_MS):
        press(K.Key_1)
    assert page.empty._title.text() == "All 2 are done"
    assert page.empty._words.text() == "2 done, 0 skipped, 0 hidden by the filter, 0 locked."


def test_that_a_submitted_ranking_is_not_submitted_again_unchanged(qtbot, page, window):
    rank_all(page, "12345")
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    wait_shown(qtbot, page, lambda: press(K.Key_Left))
    assert page.board.status.text() == "submitted"
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    verbs = [event.verb for event in answer_store.events_of(window.context.project, AnswerKind.RANKING)]
    assert verbs.count("submit") == 1


def test_that_skipping_a_submitted_ranking_leaves_it_submitted(qtbot, page, window):
    rank_all(page, "12345")
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    wait_shown(qtbot, page, lambda: press(K.Key_Left))
    wait_shown(qtbot, page, lambda: press(ctrl(K.Key_Space)))
    verbs = [event.verb for event in answer_store.events_of(window.context.project, AnswerKind.RANKING)]
    assert verbs[-1] == "submit"


def test_that_a_key_pressed_before_the_next_instance_is_there_changes_nothing(qtbot, page, window):
    rank_all(page, "12345")
    wait_shown(qtbot, page, lambda: press(K.Key_Return, K.Key_5, K.Key_Backspace, K.Key_F))
    assert letters(page) == {}
    verbs = [event.verb for event in answer_store.events_of(window.context.project, AnswerKind.RANKING)]
    assert verbs[-1] == "submit"


def test_that_ctrl_enter_submits_from_the_note(qtbot, page, window):
    rank_all(page, "12345")
    press(K.Key_C)
    QTest.keyClicks(page.board.note, "done")
    wait_shown(qtbot, page, lambda: press(ctrl(K.Key_Return)))
    events = answer_store.events_of(window.context.project, AnswerKind.RANKING)
    assert (events[-1].verb, events[-1].state["note"]) == ("submit", "done")


def test_that_other_answers_coming_in_keep_the_draft_and_the_slide(qtbot, page, window):
    rank_all(page, "1")
    press(K.Key_PageDown)
    before = page._desk
    window.announce(changed(Topic.DECKS, Topic.ANSWERS, origin="library"))
    qtbot.waitUntil(lambda: page._desk is not before, timeout=SLOW_MS)
    assert letters(page) == {"A": 1}
    assert page.stage.viewing.position == 2


def test_that_a_change_after_submitting_is_a_new_revision(qtbot, page, window, study):
    rank_all(page, "12345")
    first = shown_instance(page)
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    wait_shown(qtbot, page, lambda: press(K.Key_Left))
    press(ctrl(K.Key_1), K.Key_T, ctrl(K.Key_2), K.Key_T)
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    window.close()
    rows = [row for row in ranking_rows(study) if row["instance_id"] == first]
    assert {row["revision"] for row in rows} == {2}
    assert sorted(row["rank"] for row in rows) == [1, 1, 3, 4, 5]


def test_that_a_failed_save_stays_unsaved_says_so_once_and_saves_itself(qtbot, page, window, monkeypatch, caplog):
    monkeypatch.setattr("studio.gui.act_saving.RETRY_MS", 10)
    rank_all(page, "1")
    project = window.context.project

    def refuse(_project, _event):
        raise StudioError("The disk is full.", next_step="Make room.")

    with monkeypatch.context() as patched:
        patched.setattr(answer_store, "append", refuse)
        press(ctrl(K.Key_2), K.Key_2, K.Key_3)
        assert letters(page) == {"A": 1, "B": 3} == board_ranks(page)
        assert window.top_bar.saved.text() == "not saved"
        assert page.board.trouble.full_text() == "Not saved: The disk is full. Make room."
        qtbot.wait(50)
        assert len([record for record in caplog.records if "could not be stored" in record.message]) == 1
        assert len(answer_store.events_of(project, AnswerKind.RANKING)) == 1
    qtbot.waitUntil(lambda: page.board.trouble.isHidden())
    assert window.top_bar.saved.text().startswith("saved ")
    ranks = [event.state["ranks"] for event in answer_store.events_of(project, AnswerKind.RANKING)]
    a, b = page._open.session.display[:2]
    assert ranks == [{a: 1}, {a: 1, b: 2}, {a: 1, b: 3}]


def test_that_nobody_leaves_what_is_not_saved(qtbot, page, window, study, monkeypatch):
    def refuse(_project, _event):
        raise StudioError("The disk is full.")

    first = shown_instance(page)
    with monkeypatch.context() as patched:
        patched.setattr(answer_store, "append", refuse)
        rank_all(page, "12345")
        press(K.Key_C)
        QTest.keyClicks(page.board.note, "typed at the last moment")
        press(ctrl(K.Key_Return))
        assert shown_instance(page) == first
        press(K.Key_Escape, K.Key_Right)
        assert shown_instance(page) == first
        assert not window.close()
        assert window.isVisible()
        assert window.leaving.box.text().startswith("Not saved yet – Rank: Instance 1")
        assert not window.close()
        window.leaving.box.reject()
    assert window.close()
    (row, *_) = [row for row in ranking_rows(study) if row["instance_id"] == first]
    assert (row["rank"], row["status"]) == (1, "submitted")
    with Project.open(study) as project:
        last = answer_store.events_of(project, AnswerKind.RANKING)[-1]
    assert last.state["note"] == "typed at the last moment"


def test_that_what_is_not_saved_can_be_given_up(qtbot, page, window, study, monkeypatch):
    def refuse(_project, _event):
        raise StudioError("The disk is full.")

    monkeypatch.setattr(answer_store, "append", refuse)
    rank_all(page, "1")
    assert not window.close()
    leave = next(button for button in window.leaving.box.buttons() if button.text() == "Close and lose it")
    leave.click()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert ranking_rows(study) == []


def test_that_a_note_that_could_not_be_stored_stays_and_is_stored_later(qtbot, page, window, monkeypatch):
    monkeypatch.setattr("studio.gui.act_saving.RETRY_MS", 10)

    def refuse(_project, _event):
        raise StudioError("The disk is full.")

    press(K.Key_C)
    with monkeypatch.context() as patched:
        patched.setattr(answer_store, "append", refuse)
        QTest.keyClicks(page.board.note, "kept")
        press(K.Key_Escape)
        assert page.board.note.toPlainText() == "kept"
        assert window.top_bar.saved.text() == "not saved"
        assert answer_store.events_of(window.context.project, AnswerKind.RANKING) == []
    qtbot.waitUntil(lambda: window.top_bar.saved.text().startswith("saved "), timeout=SLOW_MS)
    (event,) = answer_store.events_of(window.context.project, AnswerKind.RANKING)
    assert event.state["note"] == "kept"


def test_that_a_dragged_deck_takes_the_slot_and_goes_back_to_the_tray(qtbot, page):
    deck = page._open.session.display[2]

    def drop(zone):
        data = QMimeData()
        data.setData(MIME, str(deck).encode())
        zone.dropEvent(QDropEvent(
            QPointF(5, 5), Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        ))  # fmt: skip

    rows = {row.rank: row for row in page.board.findChildren(SlotRow)}
    drop(rows[4])
    qtbot.waitUntil(lambda: letters(page) == {"C": 4})
    drop(page.board.tray)
    qtbot.waitUntil(lambda: letters(page) == {})


def test_that_a_name_is_asked_for_before_anything_else(qtbot, study, app_theme, settings):
    with shown_window(app_theme, settings, name="") as window:
        with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
            window.open_folder(study, page="rank")
        page = window.page("rank")
        assert page._layers.currentWidget() is page.who
        assert page.who.field.hasFocus()
        press(K.Key_Return)
        assert page._layers.currentWidget() is page.who
        page.who.field.insert("Zoë 1")
        wait_shown(qtbot, page, lambda: press(K.Key_Return))
        assert settings.text("profile_name") == "Zoë 1"
        assert page._desk.person.name == "Zoë 1"


def test_that_a_read_only_project_shows_the_page_and_changes_nothing(qtbot, study, app_theme, settings):
    with Project.open(study) as holder, shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, study, "rank")
        rank_all(page, "1")
        press(K.Key_F, K.Key_C)
        assert letters(page) == {}
        assert not page.board.submit.isEnabled()
        assert page.board.missing.full_text() + page.board.missing_above.full_text() == (
            "Read-only: nothing can be changed"
        )
        assert window.top_bar.saved.text() == "read-only"
        first = shown_instance(page)
        assert wait_shown(qtbot, page, lambda: press(K.Key_Return)) != first
        assert answer_store.events_of(holder, AnswerKind.RANKING) == []


def test_that_nothing_to_rank_says_why(qtbot, tmp_path, app_theme, settings):
    project = make_project(tmp_path / "few", instances=0)
    instance = add_instance(project, "only")
    add_deck(project, instance.id, "alpha")
    add_deck(project, instance.id, "beta", render=RenderState.PENDING)
    project.close()
    with shown_window(app_theme, settings, role="engineer") as window:
        with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
            window.open_folder(tmp_path / "few", page="rank")
        page = window.page("rank")
        if page._layers.currentWidget() is not page.empty:
            with qtbot.waitSignal(page.finished, timeout=SLOW_MS):
                pass
        assert page.empty._title.text() == "Nothing to answer yet"
        assert "Not drawn yet: 1 deck." in page.empty._words.text()


def test_that_more_than_nine_decks_take_two_digits(qtbot, tmp_path, app_theme, settings):
    systems = [f"s{number:02}" for number in range(1, 13)]
    make_project(tmp_path / "wide", instances=1, systems=systems, slides=1).close()
    with shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, tmp_path / "wide", "rank")
        press(ctrl(K.Key_1), K.Key_1, K.Key_2)
        assert letters(page) == {"A": 12}
        press(ctrl(K.Key_2), K.Key_1)
        assert letters(page) == {"A": 12}
        qtbot.waitUntil(lambda: letters(page) == {"A": 12, "B": 1})
        press(ctrl(K.Key_3), K.Key_1, K.Key_0)
        assert letters(page) == {"A": 12, "B": 1, "C": 10}
        press(ctrl(K.Key_4), K.Key_1, K.Key_T)
        # The waiting 1 counts before the next act: D ties with B on 1, then T ends the tie.
        assert letters(page) == {"A": 12, "B": 1, "D": 2, "C": 10}


@pytest.mark.parametrize(
    ("key", "modifiers", "scan", "platform", "digit"),
    [
        (K.Key_1, Qt.KeyboardModifier.NoModifier, 0, "linux", 1),
        (K.Key_3, SHIFT, 12, "linux", 3),
        (K.Key_7, Qt.KeyboardModifier.KeypadModifier, 79, "linux", 7),
        (K.Key_Ampersand, Qt.KeyboardModifier.NoModifier, 10, "linux", 1),
        (K.Key_Eacute, Qt.KeyboardModifier.NoModifier, 3, "win32", 2),
        (K.Key_Agrave, Qt.KeyboardModifier.NoModifier, 19, "linux", 0),
        (K.Key_Eacute, Qt.KeyboardModifier.ControlModifier, 11, "linux", None),
        (K.Key_A, Qt.KeyboardModifier.NoModifier, 38, "linux", None),
        (K.Key_A, Qt.KeyboardModifier.NoModifier, 0, "linux", None),
    ],
)
def test_that_digits_are_known_by_the_place_of_their_key(key, modifiers, scan, platform, digit):
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan, 0, 0)
    assert digit_of(event, platform) == digit


def test_that_the_digit_row_ranks_on_a_french_keyboard(page):
    press(ctrl(K.Key_3))
    event = QKeyEvent(QEvent.Type.KeyPress, K.Key_QuoteDbl, Qt.KeyboardModifier.NoModifier, 12, 0, 0, '"')
    if sys.platform != "linux":
        pytest.skip("scan codes of another system")
    QApplication.sendEvent(QApplication.focusWidget(), event)
    assert letters(page) == {"C": 3}


def test_that_time_away_from_the_page_is_not_active_time(qtbot, page, window, monkeypatch):
    now = [100.0]
    clock = page._open.clock
    monkeypatch.setattr(clock, "_monotonic", lambda: now[0])
    clock.take()
    now[0] += 5
    QTest.mouseMove(window.windowHandle(), window.rect().center())
    now[0] += 2
    window.navigate("compare")
    now[0] += 50
    window.navigate("rank")
    press(K.Key_1)
    (event,) = answer_store.events_of(window.context.project, AnswerKind.RANKING)
    # 5 s up to the mouse and 2 s up to leaving are active; the 50 s on another page are not.
    assert (event.active_s, event.wall_s) == (7.0, 57.0)


def test_that_the_counters_say_mine_and_the_projects(qtbot, page):
    assert "mine 0/2 · project 0/2 with ≥3" in page.facts.full_text()
    rank_all(page, "12345")
    wait_shown(qtbot, page, lambda: press(K.Key_Return))
    assert "instance 2 of 2 · mine 1/2 · project 0/2 with ≥3" in page.facts.full_text()


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from studio.gui import theme
from studio.gui.theme import Theme
from studio.settings import load
from tests.gui.studies import ctrl, press, shown_instance, shown_window

K = Qt.Key
app = QApplication([])
look = Theme(app, parent=app)
theme.install(look)
folder = Path(sys.argv[2])
with shown_window(look, load(folder.parent / "killed.json")) as window:
    window.open_folder(folder, page="rank")

    def go():
        page = window.page("rank")
        if page is None or not shown_instance(page):
            return
        timer.stop()
        press(ctrl(K.Key_2), K.Key_1, ctrl(K.Key_4), K.Key_2, ctrl(K.Key_1), K.Key_2, ctrl(K.Key_3), K.Key_5)
        press(ctrl(K.Key_Z))
        print("pressed", ",".join(page._open.session.display), flush=True)

    timer = QTimer()
    timer.timeout.connect(go)
    timer.start(20)
    app.exec()
"""


def test_that_a_killed_program_loses_nothing(qtbot, study, app_theme, settings):
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(root), str(study)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    with process:
        words, _, display = process.stdout.readline().strip().partition(" ")
        process.kill()
        said = process.stderr.read()
    assert words == "pressed", said
    shown = display.split(",")
    rows = {row["deck_id"]: (row["rank"], row["display_position"]) for row in ranking_rows(study)}
    # B 1, D 2, A 2 (a tie), C 5 taken back, E never touched.
    expected = (2, 1, None, 2, None)
    pairs = enumerate(zip(shown, expected, strict=True), start=1)
    assert rows == {deck: (rank, place) for place, (deck, rank) in pairs}
    with shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, study, "rank")
        assert page._open.session.display == tuple(shown)
        assert letters(page) == {"B": 1, "D": 2, "A": 2} == board_ranks(page)
        press(ctrl(K.Key_Y))
        assert letters(page) == {"B": 1, "D": 2, "A": 2, "C": 5}


def test_that_pictures_removed_from_the_cache_are_said_in_the_pane(qtbot, study, app_theme, settings):
    shutil.rmtree(study / "cache")
    (study / "cache").mkdir()
    with shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, study, "rank")
        pane = page.stage.findChildren(DeckPane)[0]
        assert pane.view.words == "The pictures were removed from the cache Draw them again in Library."
