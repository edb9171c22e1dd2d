"""Copying, printing, animation steps and second windows of the Compare page, by keyboard."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from studio.decks import workers
from studio.gui.contact_sheet import write_pdf
from studio.gui.dialogs.password import PasswordDialog
from studio.gui.second_window import SecondWindow
from studio.gui.widgets.deck_stage import DeckStage
from studio.gui.widgets.slide_view import SlideState
from studio.model.decks import Source, SourceFormat
from studio.model.ids import Sha256, SourceId
from studio.store import decks as deck_store
from tests.gui.projects import add_deck, add_instance, add_source, make_project
from tests.gui.studies import ctrl, open_on, press, shown_window

K = Qt.Key
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
SLOW_MS = 60_000
SECRET = "Quiet-heron-93"


@pytest.fixture(autouse=True)
def _workers_end(_leaves_nothing_behind):
    yield
    workers.shutdown()


@pytest.fixture
def study(tmp_path) -> Path:
    project = make_project(tmp_path / "study", instances=0)
    instance = add_instance(project, "storage", title="Computer storage")
    add_source(project, instance.id, "report.md", "# Report\n")
    add_deck(project, instance.id, "alpha", slides=11, hidden=(3,))
    add_deck(project, instance.id, "beta", slides=2)
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, role="engineer") as made:
        yield made


@pytest.fixture
def page(qtbot, window, study):
    return open_on(qtbot, window, study, "compare")


def test_that_ctrl_shift_c_puts_the_slide_on_the_clipboard(qtbot, page):
    QApplication.clipboard().clear()
    press(K.Key_PageDown, (CTRL_SHIFT, K.Key_C))
    qtbot.waitUntil(lambda: not QApplication.clipboard().image().isNull(), timeout=SLOW_MS)
    deck = page.stage.deck(page.stage.focused)
    copied = QApplication.clipboard().image().convertToFormat(QImage.Format.Format_RGB32)
    assert copied == QImage(str(deck.folder / "slide_0002.png")).convertToFormat(QImage.Format.Format_RGB32)


def test_that_a_slide_without_a_picture_is_not_copied(page, window):
    QApplication.clipboard().clear()
    press(K.Key_PageDown, K.Key_PageDown, (CTRL_SHIFT, K.Key_C))
    assert QApplication.clipboard().image().isNull()


def test_that_animation_steps_stand_below_the_slide_in_their_order(qtbot, page, monkeypatch):
    asked = []

    def steps(_project, deck, _passwords):
        asked.append(deck)
        return (
            {1: ("On click: Title appears (0.5 s)", "With the one before: Chart appears")} if "alpha" in deck else None
        )

    monkeypatch.setattr("studio.gui.compare_extras.animation_steps", steps)
    press(K.Key_A)
    alpha, beta = (page.stage.pane(deck) for deck in page.stage.shown)
    words = "1. On click: Title appears (0.5 s)\n2. With the one before: Chart appears"
    qtbot.waitUntil(lambda: alpha.text.toPlainText() == words, timeout=SLOW_MS)
    qtbot.waitUntil(lambda: "not known for this format" in beta.text.toPlainText(), timeout=SLOW_MS)
    assert alpha.text.isVisible()
    press(K.Key_PageDown)
    assert alpha.text.toPlainText() == "No animation on this slide"
    press(K.Key_A)
    assert not alpha.text.isVisible()
    press(K.Key_A)
    assert len(asked) == 2


def test_that_a_contact_sheet_has_nine_slides_on_a_page_and_says_what_is_hidden(page, tmp_path):
    deck = page.stage.decks[0]
    path = write_pdf(deck, tmp_path / "sheet.pdf", title="Computer storage · alpha")
    with pymupdf.open(path) as pdf:
        # 11 slides: 9 and 2.
        assert pdf.page_count == 2
        texts = [page.get_text() for page in pdf]
        assert [len(page.get_images()) for page in pdf] == [8, 2]
    assert "Computer storage · alpha" in texts[0]
    assert "3 · hidden" in texts[0]
    assert "11" in texts[1].split()
    assert [entry.name for entry in tmp_path.glob("*sheet*")] == ["sheet.pdf"]


def test_that_the_contact_sheet_is_saved_from_the_page(qtbot, page, tmp_path):
    page.extras.save_pdf(page.stage.decks[1], str(tmp_path / "beta.pdf"))
    qtbot.waitUntil((tmp_path / "beta.pdf").is_file, timeout=SLOW_MS)


def test_that_a_deck_in_a_second_window_is_leafed_through_alone_and_escape_closes_it(qtbot, page, window):
    press(ctrl(K.Key_D))
    (second,) = window.findChildren(SecondWindow)
    qtbot.waitUntil(second.isVisible, timeout=SLOW_MS)
    stage = second.findChild(DeckStage)
    deck = page.stage.focused
    assert stage.viewing.slide(deck) == 1
    second.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is second, timeout=SLOW_MS)
    QTest.keyClick(stage, K.Key_PageDown)
    qtbot.waitUntil(lambda: stage.viewing.slide(deck) == 2, timeout=SLOW_MS)
    assert page.stage.viewing.slide(deck) == 1
    QTest.keyClick(stage, K.Key_Escape)
    qtbot.waitUntil(lambda: page.extras.windows == [], timeout=SLOW_MS)


def test_that_the_source_goes_to_a_second_window_and_comes_back(qtbot, page, window):
    press((CTRL_SHIFT, K.Key_D))
    (second,) = window.findChildren(SecondWindow)
    qtbot.waitUntil(second.isVisible, timeout=SLOW_MS)
    assert second.isAncestorOf(page.source)
    second.close()
    assert page.stage.isAncestorOf(page.source)
    assert page.source.isVisible()


def test_that_second_windows_close_with_the_project(qtbot, page, window):
    press(ctrl(K.Key_D), (CTRL_SHIFT, K.Key_D))
    assert len(page.extras.windows) >= 1
    window.close_project()
    assert page.extras.windows == []


def test_that_a_hidden_slide_is_drawn_when_asked(qtbot, page, monkeypatch):
    def draw(project, deck_id, number, **_):
        folder = deck_store.page_folder(project, deck_id)
        for name in ("slide", "thumb"):
            (folder / f"{name}_{number:04}.png").write_bytes((folder / f"{name}_0001.png").read_bytes())
        return folder / f"slide_{number:04}.png"

    monkeypatch.setattr("studio.gui.compare_extras.render_slide_again", draw)
    press(K.Key_PageDown, K.Key_PageDown)
    pane = page.stage.pane(page.stage.focused)
    assert pane.view.state is SlideState.EMPTY
    press(K.Key_R)
    qtbot.waitUntil(lambda: page.stage.pane(page.stage.focused).view.state is SlideState.SHOWN, timeout=SLOW_MS)
    pane = page.stage.pane(page.stage.focused)
    assert (pane.number, pane.hidden_badge.text()) == (3, "hidden")


def test_that_a_protected_source_asks_for_its_password_and_is_read_without_leaving_its_text(
    qtbot, window, study, tmp_path
):
    from studio.decks.content import content_of
    from studio.store.project import Project

    path = tmp_path / "locked.pdf"
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 90), "Tides of the harbour")
        pdf.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=SECRET, owner_pw=SECRET)
    with Project.open(study) as project:
        content = content_of(path)
        project.add_asset(path, content.sha256, "pdf")
        for source in deck_store.list_sources(project):
            instance = source.instance_id
        deck_store.add_source(
            project,
            Source(
                id=SourceId("s_locked"), instance_id=instance, name="a locked.pdf", format=SourceFormat.PDF,
                asset=Sha256(content.sha256), extension="pdf", size_bytes=content.size_bytes,
            ),
        )  # fmt: skip
    page = open_on(qtbot, window, study, "compare")
    qtbot.waitUntil(lambda: page.source.failed.details_button.isVisible(), timeout=SLOW_MS)
    page.source.failed.details_button.setFocus()
    QTest.keyClick(page.source.failed.details_button, K.Key_Space)
    qtbot.waitUntil(lambda: bool(window.findChildren(PasswordDialog)), timeout=SLOW_MS)
    dialog = window.findChildren(PasswordDialog)[-1]
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(dialog.field, SECRET)
    QTest.keyClick(dialog.field, K.Key_Return)
    qtbot.waitUntil(lambda: "Tides of the harbour" in page.source.page_text.toPlainText(), timeout=SLOW_MS)
    for file in study.rglob("*"):
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes()
            assert b"Tides of the harbour" not in file.read_bytes()
