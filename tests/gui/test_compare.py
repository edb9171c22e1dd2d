"""The Compare page, by keyboard, on a real project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from studio.gui.widgets.deck_pane import DeckPane
from studio.gui.widgets.slide_view import SlideState
from studio.model.changes import Topic, changed
from studio.model.decks import DeckStatus, DeckWarning, RenderState
from studio.sessions.viewing import SyncMode
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, add_source, make_project
from tests.gui.studies import ctrl, open_on, press, shown_instance, shown_window

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
SLOW_MS = 60_000
REPORT = """# 4.2 Storage performance
Average access time fell from 8.4 ms
to 6.1 ms between the two generations. Slide 2 says so.

# 4.3 Capacity
Areal density grew by 12 % a year, from 16.1 to 18.
"""
CLAIMS = (
    "Fell to 6.1 ms", "Costs 9.9 dollars", "Fell to 6100 µs", "Area density grew by 12% a year", "Grew by 13% a year",
)  # fmt: skip
"""What a slide of deck alpha says; not all of it is in the sources, and not in these words."""


@pytest.fixture
def study(tmp_path) -> Path:
    project = make_project(tmp_path / "study", instances=0)
    instance = add_instance(project, "storage", title="Computer storage", scenario="lecture")
    add_source(project, instance.id, "report.md", REPORT)
    add_source(project, instance.id, "appendix.md", "# 附录\n存储器\n的带宽为 3.5 GB/s。\n")
    add_deck(project, instance.id, "alpha", slides=5)
    add_deck(
        project, instance.id, "beta", slides=3, missing_fonts=("Calibri",),
        warnings=(DeckWarning(slide=2, message="one picture is missing"),),
    )  # fmt: skip
    add_deck(project, instance.id, "gamma", slides=4, hidden=(3,))
    _say(project, "alpha", 2, text="\n".join(CLAIMS), notes="Remember the rate of 38 %")
    other = add_instance(project, "second")
    add_deck(project, other.id, "alpha", slides=2)
    add_deck(project, other.id, "beta", status=DeckStatus.MISSING, reason="the system gave nothing")
    project.close()
    return tmp_path / "study"


def _say(project: Project, system: str, number: int, *, text: str, notes: str) -> None:
    deck = next(deck for deck in deck_store.list_decks(project) if deck.system == system)
    slides = tuple(
        replace(slide, text=text, notes=notes, boxes=()) if slide.number == number else slide
        for slide in deck_store.list_slides(project, deck.id)
    )
    folder = deck_store.page_folder(project, deck.id).name
    deck_store.record_rendering(
        project,
        deck_store.Rendering(
            deck_id=deck.id, asset=deck.asset, state=RenderState.RENDERED, pages=len(slides), raster_px=(320, 180),
            folder=folder, slides=slides,
        ),
    )  # fmt: skip


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, role="engineer") as made:
        yield made


@pytest.fixture
def page(qtbot, window, study):
    return open_on(qtbot, window, study, "compare")


def slides(page) -> list[int | None]:
    return [page.stage.pane(deck).number for deck in page.stage.shown]


def focused_name(page) -> str:
    return page.stage.deck(page.stage.focused).name


def test_that_decks_move_together_and_a_short_one_shows_a_dash(page):
    assert slides(page) == [1, 1, 1]
    press(K.Key_PageDown, K.Key_PageDown, K.Key_PageDown)
    assert slides(page) == [4, None, 4]
    beta = page.stage.pane(page.stage.shown[1])
    assert beta.view.state is SlideState.CLAMPED
    assert beta.head.facts_label.full_text() == "slide — / 3"
    press(K.Key_PageUp)
    assert slides(page) == [3, 3, 3]


def test_that_sync_is_switched_off_and_goes_on_from_the_present_offset(page):
    press(K.Key_L)
    assert page.sync_button.text() == "Sync: off"
    press(ctrl(K.Key_2), K.Key_PageDown)
    assert slides(page) == [1, 2, 1]
    press(K.Key_L, K.Key_PageDown)
    assert (page.sync_button.text(), slides(page)) == ("Sync: slide", [2, 3, 2])
    assert page.stage.pane(page.stage.shown[1]).offset_badge.text() == "offset +1"
    press((SHIFT, K.Key_L))
    assert slides(page) == [3, 3, 3]
    assert page.stage.pane(page.stage.shown[1]).offset_badge.text() == ""


def test_that_home_and_end_are_those_of_the_focused_deck(page):
    press(K.Key_End)
    assert slides(page) == [5, None, None]
    press(ctrl(K.Key_2), K.Key_End)
    assert slides(page) == [3, 3, 3]
    press(K.Key_Home)
    assert slides(page) == [1, 1, 1]


def test_that_zoom_is_relative_to_fit_shared_and_kept_over_slides(page):
    first, second, _ = (page.stage.pane(deck).view for deck in page.stage.shown)
    press(ctrl(K.Key_Plus), ctrl(K.Key_Plus), K.Key_PageDown)
    assert first.zoom == second.zoom == pytest.approx(1.25**2)
    press(ctrl(K.Key_Minus))
    assert first.zoom == pytest.approx(1.25)
    press(ctrl(K.Key_9))
    assert (first.zoom, second.zoom) == (1.0, 1.0)
    press(K.Key_L, K.Key_L, ctrl(K.Key_Plus))
    assert page.stage.viewing.mode is SyncMode.SLIDE
    assert (first.zoom, second.zoom) == (1.25, 1.0)


def test_that_keys_and_tab_focus_decks_and_the_focus_is_seen(page):
    press(ctrl(K.Key_3))
    assert focused_name(page) == "gamma"
    press(K.Key_Down)
    assert focused_name(page) == "alpha"
    press(K.Key_Up)
    assert focused_name(page) == "gamma"
    panes = [page.stage.pane(deck) for deck in page.stage.shown]
    assert [pane.property("focused") for pane in panes] == [False, False, True]
    assert panes[2].hasFocus()


def test_that_arrows_go_to_other_instances(qtbot, page):
    with qtbot.waitSignal(page.instance_shown, timeout=SLOW_MS):
        press(K.Key_Right)
    assert page.heading.full_text() == "Second"
    missing = page.stage.pane(page.stage.shown[1])
    assert missing.view.words == "No deck the system gave nothing"
    press(K.Key_Right)
    with qtbot.waitSignal(page.instance_shown, timeout=SLOW_MS):
        press(K.Key_Left)
    assert page.heading.full_text() == "Computer storage"


def test_that_the_contact_sheet_jumps_and_closes(page):
    press(ctrl(K.Key_1), K.Key_G)
    assert page.stage.has_sheet
    page.stage.sheet_strip.slide_picked.emit(4)
    assert not page.stage.has_sheet
    assert slides(page) == [4, None, 4]
    press(K.Key_G, K.Key_Escape)
    assert not page.stage.has_sheet
    assert isinstance(QApplication.focusWidget(), DeckPane)


def test_that_warnings_and_fonts_stand_beside_the_picture(page):
    beta = page.stage.pane(page.stage.shown[1])
    assert beta.notice.full_text() == "! font replaced: Calibri"
    press(K.Key_PageDown)
    assert beta.notice.full_text() == "! slide 2: one picture is missing · font replaced: Calibri"


def test_that_a_hidden_slide_says_so(page):
    press(K.Key_PageDown, K.Key_PageDown)
    gamma = page.stage.pane(page.stage.shown[2])
    assert gamma.hidden_badge.text() == "hidden"
    assert gamma.view.words == "This slide is hidden and was not drawn"


def search(qtbot, page, phrase: str) -> list[str]:
    press(ctrl(K.Key_F))
    assert page.source.search.hasFocus()
    with qtbot.waitSignal(page.source.searched, timeout=SLOW_MS):
        QTest.keyClicks(page.source.search, phrase)
        press(K.Key_Return)
    model = page.source.hit_model
    return [model.data(model.index(row, 0), Qt.ItemDataRole.DisplayRole) for row in range(model.rowCount())]


def test_that_search_lists_hits_in_decks_notes_and_sources(qtbot, page):
    hits = search(qtbot, page, "slide 2")
    assert hits[:2] == ["beta · slide 2: Slide 2", "gamma · slide 2: Slide 2"]
    assert hits[2].startswith("report.md p. 1: …")
    assert hits[2].endswith("between the two generations. Slide 2 says so.")
    assert len(hits) == 3
    assert page.source.message.full_text() == "3 hits: 2 in decks, 1 in sources"


def test_that_a_hit_on_a_slide_goes_there(qtbot, page):
    hits = search(qtbot, page, "rate of 38")
    assert hits == ["alpha · slide 2 notes: Remember the rate of 38 %"]
    press(K.Key_Return)
    assert slides(page)[0] == 2
    assert focused_name(page) == "alpha"
    assert page.stage.shows_notes
    assert page.stage.pane(page.stage.focused).text.textCursor().selectedText() == "rate of 38"


def test_that_a_hit_in_another_source_opens_it_there(qtbot, page):
    press(ctrl(K.Key_F))
    with qtbot.waitSignal(page.source.searched, timeout=SLOW_MS):
        page.source.search.insert("存储器的带宽")
        press(K.Key_Return)
    assert page.source.hit_model.rowCount() == 1
    page.source.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.source._page == 2 or "access" in page.source.page_text.toPlainText(), timeout=SLOW_MS)
    with qtbot.waitSignal(page.source.page_shown, timeout=SLOW_MS):
        press(K.Key_Return)
    assert page.source.head.facts_label.full_text().startswith("appendix.md")
    (mark,) = page.source.page_text.extraSelections()
    assert mark.cursor.selectedText().replace("\u2029", "") == "存储器的带宽"


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("6.1 ms", "“6.1 ms” from deck alpha, slide 2: found once, page 1"),
        ("6100 µs", "“6100 µs” from deck alpha, slide 2: found once in other numbers or units, page 1"),
        (
            "Area density grew by 12%",
            "“Area density grew by 12%” from deck alpha, slide 2: "
            "found once in nearly the same words or rounded, page 2",
        ),
        ("9.9", "“9.9” from deck alpha, slide 2: not found"),
        ("Grew by 13%", "“Grew by 13%” from deck alpha, slide 2: not found; nowhere: 13%"),
    ],
)
def test_that_a_selected_phrase_is_looked_up_in_the_source(qtbot, page, phrase, said):
    press(K.Key_X, K.Key_PageDown)
    text = page.stage.pane(page.stage.shown[0]).text
    with qtbot.waitSignal(page.source.searched, timeout=SLOW_MS):
        cursor = text.document().find(phrase)
        text.setTextCursor(QTextCursor(cursor))
    assert page.source.message.full_text() == said


def test_that_what_was_found_in_another_unit_is_marked_on_its_page(qtbot, page):
    press(K.Key_X, K.Key_PageDown)
    text = page.stage.pane(page.stage.shown[0]).text
    with qtbot.waitSignal(page.source.searched, timeout=SLOW_MS):
        text.setTextCursor(QTextCursor(text.document().find("6100 µs")))
    qtbot.waitUntil(lambda: len(page.source.page_text.extraSelections()) == 1, timeout=SLOW_MS)
    (mark,) = page.source.page_text.extraSelections()
    assert mark.cursor.selectedText().replace("\u2029", " ") == "6.1 ms"


def test_that_a_source_that_came_later_shows_and_the_place_is_kept(qtbot, page, window):
    press(K.Key_PageDown)
    qtbot.waitUntil(lambda: page.source.tabs.count() == 2, timeout=SLOW_MS)
    add_source(window.context.project, page._view.instance.id, "later.md", "# Later\n")
    window.announce(changed(Topic.DECKS))
    qtbot.waitUntil(lambda: page.source.tabs.count() == 3, timeout=SLOW_MS)
    assert slides(page) == [2, 2, 2]


def test_that_the_wall_shows_twelve_decks_and_panes_six(qtbot, tmp_path, app_theme, settings):
    make_project(tmp_path / "wide", instances=1, systems=[f"s{n:02}" for n in range(1, 15)], slides=2).close()
    with shown_window(app_theme, settings, role="engineer") as window:
        page = open_on(qtbot, window, tmp_path / "wide", "compare")
        assert (len(page.stage.shown), page.count.text()) == (6, "6 of 14 decks")
        press(K.Key_W)
        assert (len(page.stage.shown), page.count.text()) == (12, "12 of 14 decks")
        assert isinstance(QApplication.focusWidget(), DeckPane)
        press(K.Key_W)
        assert len(page.stage.shown) == 6
        page.go_to(deck="d_i_instance-1_s14", slide="2")
        assert focused_name(page) == "s14"
        assert page.stage.pane(page.stage.focused).number == 2


def test_that_an_annotator_sees_letters_only_and_no_file_names(qtbot, study, app_theme, settings):
    with shown_window(app_theme, settings, role="annotator") as window:
        page = open_on(qtbot, window, study, "compare")
        assert [page.stage.deck(deck).name for deck in page.stage.shown] == ["A", "B", "C"]
        texts = " ".join(
            f"{widget.toolTip()} {widget.accessibleName()} {widget.text() if isinstance(widget, QLabel) else ''}"
            for widget in page.findChildren(QWidget)
        )
        assert not [word for word in ("alpha", "beta", "gamma", ".pptx") if word in texts]
        window.navigate("rank")
        rank = window.page("rank")
        if not shown_instance(rank):
            with qtbot.waitSignal(rank.instance_shown, timeout=SLOW_MS):
                pass
        # The letters are the same on both pages, before and after the first answer.
        letters = {deck: rank._open.session.letter_of(deck) for deck in rank._open.session.display}
        press(K.Key_1)
        window.navigate("compare")
        page.go_to(instance="i_storage")
        page.reload()
        with qtbot.waitSignal(page.instance_shown, timeout=SLOW_MS):
            pass
        assert {deck: page.stage.deck(deck).name for deck in page.stage.shown} == letters


def test_that_an_empty_project_says_what_to_do(qtbot, tmp_path, app_theme, settings):
    Project.create(tmp_path / "empty").close()
    with shown_window(app_theme, settings, role="engineer") as window:
        with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
            window.open_folder(tmp_path / "empty", page="compare")
        page = window.page("compare")
        qtbot.waitUntil(lambda: page._layers.currentWidget() is page.empty, timeout=SLOW_MS)
        assert page.empty._title.text() == "Nothing to compare yet"


def test_that_closing_at_once_leaves_nothing_running(qtbot, study, app_theme, settings):
    for _ in range(5):
        with (
            shown_window(app_theme, settings, role="engineer") as window,
            qtbot.waitSignal(window.project_opened, timeout=SLOW_MS),
        ):
            window.open_folder(study, page="compare")
