from __future__ import annotations

import logging
import os
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from studio.actions import care
from studio.actions import decks as deck_actions
from studio.actions.library import CellState
from studio.decks import workers
from studio.gui import projects as gui_projects
from studio.gui.background import Background
from studio.gui.dialogs.password import PasswordDialog
from studio.gui.library_care import NameRecord
from studio.gui.main_window import MainWindow
from studio.gui.models.instance_matrix import marks_in_words
from studio.gui.pages.library import LibraryPage
from studio.model.decks import DeckStatus, RenderState
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.evidence import add_ranking, add_scores
from tests.gui.projects import make_project

SLOW_MS = 60_000
SECRET = "Zq7-owl-Lantern"


@pytest.fixture(autouse=True)
def _workers_end(_leaves_nothing_behind):
    yield
    workers.shutdown()


@pytest.fixture
def window(qtbot, app_theme, settings):
    made = MainWindow(
        settings=settings, theme=app_theme, background=Background(), services=gui_projects.studio_services(),
        page_classes=[LibraryPage],
    )  # fmt: skip
    made.setProperty("quits_unasked", True)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    assert QTest.qWaitForWindowActive(made, 60_000)
    yield made
    made.close()


@pytest.fixture
def page(qtbot, window, tmp_path):
    with make_project(tmp_path / "study") as project:
        add_ranking(project, "Ann", "instance-1", ("alpha", "beta", "gamma"))
        add_scores(project, "aesthetics.total", "instance-1", {"alpha": 0.5, "beta": 0.4, "gamma": 0.3})
    return opened(qtbot, window, tmp_path / "study")


def opened(qtbot, window: MainWindow, folder: Path) -> LibraryPage:
    with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
        window.open_folder(folder)
    page = window.page("library")
    qtbot.waitUntil(lambda: page.matrix.library.systems != (), timeout=SLOW_MS)
    qtbot.waitUntil(page.view.hasFocus, timeout=SLOW_MS)
    return page


def systems(page: LibraryPage) -> list[str]:
    return [system.name for system in page.matrix.library.systems]


def cell(page: LibraryPage, row: int = 0, column: int = 0):
    return page.matrix.cell(page.matrix.index(row, column))


def press(page: LibraryPage, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(page.view, key, modifier)


def pdf_file(path: Path, *, user: str = "", owner: str = "", pages: int = 2) -> Path:
    with pymupdf.open() as pdf:
        for number in range(pages):
            pdf.new_page(width=960, height=540).insert_text((72, 90), f"Harbour {number + 1}")
        encryption = pymupdf.PDF_ENCRYPT_AES_256 if user or owner else pymupdf.PDF_ENCRYPT_NONE
        pdf.save(path, encryption=encryption, user_pw=user or None, owner_pw=owner or None)
    return path


def test_that_delete_hides_a_deck_and_ctrl_z_brings_it_back_with_its_picture(qtbot, page):
    page.view.go_to(page.matrix.index(0, 1))
    before = cell(page, 0, 1)
    assert before.state is CellState.RENDERED
    press(page, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: cell(page, 0, 1).state is CellState.MISSING, timeout=SLOW_MS)
    assert page.undo_bar.isVisible()
    assert page.undo_bar.said.full_text() == "Removed the deck of beta."
    press(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: cell(page, 0, 1) == before, timeout=SLOW_MS)
    assert page.undo_bar.said.full_text() == "Undone: Removed the deck of beta."
    press(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: cell(page, 0, 1).state is CellState.MISSING, timeout=SLOW_MS)


def test_that_a_system_and_an_instance_go_and_come_back_by_keyboard(qtbot, page):
    page.view.go_to(page.matrix.index(0, 1))
    press(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: systems(page) == ["alpha", "gamma"], timeout=SLOW_MS)
    assert page.undo_bar.said.full_text() == "Removed the system beta with its 2 decks."
    page.view.go_to(page.matrix.index(0, 0))
    press(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.matrix.rowCount() == 1, timeout=SLOW_MS)
    press(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.matrix.rowCount() == 2, timeout=SLOW_MS)
    press(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: systems(page) == ["alpha", "beta", "gamma"], timeout=SLOW_MS)


def test_that_a_replaced_deck_shows_how_much_of_it_is_stale_and_an_undo_takes_the_mark_away(
    qtbot, page, tmp_path, monkeypatch
):
    drawn = []
    monkeypatch.setattr(page.imports, "render", lambda decks, **_: drawn.extend(decks))
    page.view.go_to(page.matrix.index(0, 1))
    deck = cell(page, 0, 1).deck
    page._care.replace(deck.id, pdf_file(tmp_path / "better.pdf"))
    qtbot.waitUntil(lambda: cell(page, 0, 1).stale.total == 2, timeout=SLOW_MS)
    assert drawn == [deck.id]
    words = "Stale: 1 rank and 1 value were given on an earlier file; they are kept and do not count"
    assert marks_in_words(cell(page, 0, 1)) == [words]
    assert words in page.matrix.tip(cell(page, 0, 1))
    qtbot.waitUntil(lambda: words in page.details.words(), timeout=SLOW_MS)
    press(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: cell(page, 0, 1).stale.total == 0, timeout=SLOW_MS)
    assert cell(page, 0, 1).deck == deck


def test_that_f2_renames_a_deck(qtbot, page, window):
    press(page, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: bool(window.findChildren(NameRecord)), timeout=SLOW_MS)
    dialog = window.findChildren(NameRecord)[-1]
    field = dialog.editor("name")
    field.selectAll()
    QTest.keyClicks(field, "final version.pptx")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: cell(page).deck.original_name == "final version.pptx", timeout=SLOW_MS)


def test_that_an_act_on_a_name_that_is_taken_is_refused_in_one_line(qtbot, page, window):
    names = {system.name: system.id for system in page.matrix.library.systems}
    said = []
    object.__setattr__(page.context, "report", lambda error: said.append(str(error)))
    page._care.rename(care.Kind.SYSTEM, names["alpha"], "beta")
    qtbot.waitUntil(lambda: bool(said), timeout=SLOW_MS)
    assert said == ["There is another system named beta. Choose another name."]


def test_that_the_original_opens_as_a_read_only_copy(qtbot, page, monkeypatch):
    asked = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(Path(url.toLocalFile())) or True)
    press(page, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: bool(asked), timeout=SLOW_MS)
    deck = cell(page).deck
    original = page.context.project.asset_path(deck.asset, deck.extension)
    assert (asked[0].name, asked[0].read_bytes()) == ("alpha.pptx", original.read_bytes())
    assert not asked[0].stat().st_mode & 0o222
    assert asked[0] != original


def test_that_a_password_is_asked_once_and_appears_in_no_file_and_no_log(qtbot, window, tmp_path, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    decks = tmp_path / "in" / "harbours" / "decks"
    decks.mkdir(parents=True)
    pdf_file(decks / "locked.pdf", user=SECRET, owner=SECRET)
    pdf_file(decks / "owned.pdf", owner=SECRET)
    with Project.create(tmp_path / "study") as project:
        deck_actions.import_paths(project, [tmp_path / "in"], emit=lambda _: None, cancel=Never())
        states = {deck.system: deck.status for deck in deck_store.list_decks(project)}
    # A file that only its owner's password protects is readable by everybody and does not ask.
    assert states == {"locked": DeckStatus.FAILED, "owned": DeckStatus.PRESENT}
    page = opened(qtbot, window, tmp_path / "study")
    page.view.go_to(page.matrix.index(0, 0))
    assert cell(page).needs_password
    assert page.matrix.words(cell(page)) == "needs password"
    assert "Give the password" in [
        button.text() for button in page.details.findChildren(type(page.undo_bar.undo_button))
    ]

    press(page, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: bool(window.findChildren(PasswordDialog)), timeout=SLOW_MS)
    dialog = window.findChildren(PasswordDialog)[-1]
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(dialog.field, "wrong" + SECRET)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "does not open locked.pdf" in dialog.said.text(), timeout=SLOW_MS)
    assert page.context.passwords.of(cell(page).deck.asset) is None
    dialog.field.selectAll()
    QTest.keyClicks(dialog.field, SECRET)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: cell(page).deck is not None and cell(page).deck.render_state is RenderState.RENDERED, timeout=60_000
    )
    assert cell(page).deck.slides == 2
    vault = page.context.passwords
    assert (SECRET in repr(vault), vault.of(cell(page).deck.asset)) == (False, SECRET)
    qtbot.waitUntil(lambda: not window._background.busy, timeout=SLOW_MS)

    window.close_project()
    assert vault.of(page.matrix.library.rows[0].cells[0].deck.asset) is None
    qtbot.waitUntil(lambda: not window.findChildren(LibraryPage) or True, timeout=SLOW_MS)
    for folder in (tmp_path / "study", Path(os.environ["PODIUM_HOME"]), tmp_path / "settings.json"):
        files = [folder] if folder.is_file() else [path for path in folder.rglob("*") if path.is_file()]
        assert files or not folder.exists() or folder.name == "home"
        for path in files:
            assert SECRET.encode() not in path.read_bytes(), path
    assert SECRET not in caplog.text


class Never:
    def is_set(self) -> bool:
        return False
