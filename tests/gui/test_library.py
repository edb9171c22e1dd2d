from __future__ import annotations

import threading
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QDialog

from studio.actions import library as library_actions
from studio.actions import programs
from studio.actions import runs as run_actions
from studio.actions.library import Cell, CellState, LibraryFilter
from studio.decks import workers
from studio.decks.tools import RenderTools
from studio.gui import projects as gui_projects
from studio.gui.background import Background
from studio.gui.dialogs.absence_record import AbsenceRecord
from studio.gui.dialogs.import_preview import ImportPreview
from studio.gui.dialogs.import_report import ReportDialog
from studio.gui.dialogs.instance_record import InstanceRecord
from studio.gui.dialogs.new_project import NewProject, folder_name
from studio.gui.dialogs.system_record import SystemRecord
from studio.gui.main_window import MainWindow
from studio.gui.models.import_tree import MEANING, ImportTree, SystemNames
from studio.gui.models.instance_matrix import InstanceMatrix
from studio.gui.page import Page
from studio.gui.pages.library import LibraryPage
from studio.gui.widgets.deck_cell import cell_parts, mark_boxes
from studio.model.changes import Topic, changed
from studio.model.decks import DeckStatus, DeckWarning, RenderState
from studio.model.events import RunEnded, RunStarted
from studio.model.ids import RunId
from studio.model.runs import RunKind, RunState
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, add_source, make_project

SLOW_MS = 60_000
"""Starting a reader process takes seconds on a machine that is busy with other things."""


class ComparePage(Page):
    """Notes where it was sent."""

    page_id = "compare"
    title = "Compare"
    icon_name = "columns-2"

    def __init__(self, parent=None):
        super().__init__(parent)
        self.places = []

    def open_project(self, context):
        self.context = context

    def close_project(self):
        pass

    def go_to(self, **place):
        self.places.append(place)


def mixed_project(folder: Path) -> Path:
    """Make a project in which every kind of cell occurs, close it and return its folder."""
    with Project.create(folder, title="Ports and tides") as project:
        ports = add_instance(project, "ports", title="Sea ports", scenario="lecture", language="en")
        add_source(project, ports.id, "harbour.md")
        warnings = (DeckWarning(slide=2, message="A picture is missing."),)
        add_deck(project, ports.id, "alpha", slides=4, warnings=warnings, hidden=(1,), missing_fonts=("Arial",))
        add_deck(project, ports.id, "beta", render=RenderState.PENDING)
        add_deck(project, ports.id, "gamma", render=RenderState.FAILED, render_reason="timed_out: too slow")
        tides = add_instance(project, "tides", title="潮汐", scenario="report", language="zh")
        add_deck(project, tides.id, "alpha", status=DeckStatus.FAILED, reason="truncated: it ends too early.")
        add_deck(project, tides.id, "beta", status=DeckStatus.NOT_SUPPORTED)
    return folder


@pytest.fixture(autouse=True)
def _workers_end(_leaves_nothing_behind):
    """Stop the reader processes, which otherwise stay for the next file."""
    yield
    workers.shutdown()


@pytest.fixture
def window(qtbot, app_theme, settings):
    made = MainWindow(
        settings=settings,
        theme=app_theme,
        background=Background(),
        services=gui_projects.studio_services(),
        page_classes=[LibraryPage, ComparePage],
    )
    made.setProperty("quits_unasked", True)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    assert QTest.qWaitForWindowActive(made, 60_000)
    yield made
    for dialog in made.findChildren(QDialog):
        dialog.close()
    made.close()


@pytest.fixture
def opened(qtbot, window, tmp_path):
    """The library page of a project with every kind of cell."""
    return open_library(qtbot, window, mixed_project(tmp_path / "study"))


def open_library(qtbot, window: MainWindow, folder: Path) -> LibraryPage:
    with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
        window.open_folder(folder)
    page = window.page("library")
    qtbot.waitUntil(lambda: page.matrix.library.systems != () or page.is_empty(), timeout=SLOW_MS)
    return page


def dialog_of(qtbot, window: MainWindow, kind: type[QDialog]) -> QDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)), timeout=SLOW_MS)
    dialog = window.findChildren(kind)[-1]
    qtbot.waitUntil(dialog.isVisible, timeout=SLOW_MS)
    return dialog


def drop(widget, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    widget.dropEvent(
        QDropEvent(
            QPointF(10, 10),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


def deck_folder(folder: Path, *systems: str, instance: str = "harbours") -> Path:
    """Make a folder of one instance with a Markdown source and PDF decks of one page."""
    decks = folder / instance / "decks"
    decks.mkdir(parents=True)
    (folder / instance / "sources").mkdir()
    (folder / instance / "sources" / "paper.md").write_text(f"# {instance}\n")
    for system in systems:
        with pymupdf.open() as document:
            document.new_page(width=960, height=540).insert_text((72, 72), f"{system} on {instance}")
            document.save(decks / f"{system}.pdf")
    return folder


def row_of(page: LibraryPage, name: str) -> library_actions.LibraryRow:
    return next(row for row in page.matrix.rows() if row.instance.name == name)


def has_two_drawn(page: LibraryPage, name: str) -> bool:
    return [cell.state for cell in row_of(page, name).cells if cell.deck] == [CellState.RENDERED] * 2


@pytest.fixture
def no_programs(monkeypatch):
    """No LibreOffice and no Chromium: rendering fails fast, with a reason."""
    asked = []

    def nothing(settings):
        asked.append((settings.text("libreoffice_path"), settings.text("chromium_path")))
        return RenderTools(libreoffice=None, chromium=None)

    monkeypatch.setattr(programs, "render_tools", nothing)
    return asked


# the matrix


def test_that_the_matrix_shows_every_instance_and_every_kind_of_cell(opened):
    matrix = opened.matrix
    shown = {
        row.instance.title: [matrix.data(matrix.index(number, column)) for column in range(matrix.columnCount())]
        for number, row in enumerate(matrix.rows())
    }
    assert shown == {
        "Sea ports": ["4 slides", "not rendered", "rendering failed"],
        "潮汐": ["failed", "not supported", "missing"],
    }
    assert opened.counts() == (
        "2 instances · 3 systems · 3 decks · 1 rendering failed · 1 failed · 1 missing · 1 not supported"
    )


def test_that_tooltips_say_why_there_is_no_deck_and_what_the_marks_mean(opened):
    matrix = opened.matrix

    def tip(row, column):
        return matrix.data(matrix.index(row, column), Qt.ItemDataRole.ToolTipRole)

    assert tip(0, 0) == (
        "alpha: 4 slides\n1 warning: slide 2: A picture is missing.\n1 hidden slide\nFonts missing here: Arial"
    )
    assert tip(0, 2) == "gamma: rendering failed\ntimed_out: too slow"
    assert tip(1, 2) == "gamma: missing\nNo deck of gamma was imported."


def test_that_each_mark_has_its_place_in_the_cell(opened):
    index = opened.matrix.index(0, 0)
    rect = opened.view.visualRect(index)
    _, caption = cell_parts(rect)
    boxes = mark_boxes(caption, opened.matrix.cell(index))
    assert [name for name, _ in boxes] == ["warnings", "hidden", "fonts"]
    assert all(rect.contains(box) for _, box in boxes)


def test_that_a_thumbnail_is_decoded_off_the_main_thread_and_then_drawn(qtbot, opened):
    index = opened.matrix.index(0, 0)
    # (row 0, alpha): the drawn slide has a ground of one of three colours, the grey shape before it has not.
    grounds = {"#ffffff", "#0f172a", "#fff7ea"}
    picture, _ = cell_parts(opened.view.visualRect(index))
    place = QPoint(picture.left() + 4, picture.bottom() - 6)

    def colour() -> str:
        return opened.view.viewport().grab().toImage().pixelColor(place).name()

    qtbot.waitUntil(lambda: colour() in grounds, timeout=SLOW_MS)
    thumb = opened.matrix.cell(index).thumb
    assert any(key.path == str(thumb) for key in opened.context.images._pixmaps)


def test_that_arrows_move_and_enter_opens_compare_there(qtbot, window, opened):
    QTest.keyClick(opened.view, Qt.Key.Key_Down)
    QTest.keyClick(opened.view, Qt.Key.Key_Right)
    assert opened.place() == {"instance": "i_tides", "deck": "d_i_tides_beta"}
    QTest.keyClick(opened.view, Qt.Key.Key_Up)
    QTest.keyClick(opened.view, Qt.Key.Key_Left)
    QTest.keyClick(opened.view, Qt.Key.Key_Return)
    assert window.current_page_id() == "compare"
    assert window.page("compare").places == [{"instance": "i_ports", "deck": "d_i_ports_alpha"}]


def test_that_a_place_is_gone_to_also_before_the_rows_are_there(qtbot, window, tmp_path):
    folder = mixed_project(tmp_path / "study")
    with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
        window.open_folder(folder, page="library", instance="i_tides")
    page = window.page("library")
    qtbot.waitUntil(lambda: page.place() == {"instance": "i_tides", "deck": "d_i_tides_alpha"}, timeout=SLOW_MS)


def test_that_details_show_state_warnings_facts_and_sources(qtbot, opened):
    qtbot.waitUntil(lambda: "File" in opened.details.facts.values(), timeout=SLOW_MS)
    assert opened.details.facts.values()["File"] == "alpha.pptx"
    assert opened.details.facts.values()["Slide size"] == "–"
    words = opened.details.words()
    for part in ("alpha", "A picture is missing.", "Arial", "Sea ports", "1 source", "harbour.md"):
        assert part in words


def test_that_a_warning_leads_to_its_slide(window, opened):
    opened.details.warning_opened.emit(2)
    assert window.page("compare").places == [{"instance": "i_ports", "deck": "d_i_ports_alpha", "slide": "2"}]


def test_that_a_source_opens_as_a_copy(qtbot, opened, monkeypatch):
    urls = []
    monkeypatch.setattr(
        "studio.gui.library_care.QDesktopServices.openUrl", lambda url: urls.append(url.toLocalFile()) or True
    )
    opened.details.source_lines()[0].button.click()
    qtbot.waitUntil(lambda: bool(urls), timeout=SLOW_MS)
    assert Path(urls[0]).name == "harbour.md"
    assert "assets" not in Path(urls[0]).parts


def test_that_the_filter_narrows_while_the_selection_stays(qtbot, window, opened):
    opened.view.go_to(opened.matrix.index(1, 1))
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.filters.search.hasFocus(), timeout=SLOW_MS)
    QTest.keyClicks(opened.filters.search, "report")
    QTest.keyClick(opened.filters.search, Qt.Key.Key_Return)
    assert [row.instance.name for row in opened.matrix.rows()] == ["tides"]
    assert opened.place()["deck"] == "d_i_tides_beta"
    assert opened.counts().startswith("1 of 2 instances")
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert opened.matrix.rowCount() == 2
    assert opened.place()["deck"] == "d_i_tides_beta"


def test_that_statuses_and_scenarios_filter_too(qtbot, opened):
    opened.filters.choose(status="rendering failed")
    assert [row.instance.name for row in opened.matrix.rows()] == ["ports"]
    opened.filters.choose(scenario="report")
    assert opened.matrix.rowCount() == 0
    assert opened.says_nothing_passes()


def test_that_an_action_on_a_letter_types_it_while_the_filter_has_the_focus(qtbot, window, opened):
    opened.focus_filter()
    qtbot.waitUntil(lambda: opened.filters.search.hasFocus(), timeout=SLOW_MS)
    QTest.keyClicks(opened.filters.search, "d")
    assert opened.filters.search.text() == "d"
    assert opened.details.isVisible()


def test_that_the_context_menu_offers_what_the_cell_allows(opened):
    def offered(row, column):
        menu = opened.cell_menu(opened.matrix.index(row, column))
        found = {action.text(): action.isEnabled() for action in menu.actions()}
        menu.deleteLater()
        return found

    present, failed = offered(0, 0), offered(1, 0)
    assert present["Compare the decks of this instance"]
    assert present["Render this deck again"]
    assert present["Show the warnings of this deck"]
    assert not failed["Render this deck again"]
    assert not failed["Show the warnings of this deck"]


def test_that_rendering_is_told_in_the_cells_while_a_run_goes_on(qtbot, opened):
    index = opened.matrix.index(0, 1)
    opened.on_events([RunStarted(run_id=RunId("r1"), kind=RunKind.RENDER, title="Render", total=1, cached=0)])
    assert opened.matrix.data(index) == "rendering"
    opened.on_events([RunEnded(run_id=RunId("r1"), kind=RunKind.RENDER, state=RunState.DONE)])
    assert opened.matrix.data(index) == "not rendered"


def test_that_a_retry_renders_with_the_programs_that_the_settings_name_now(
    qtbot, window, opened, no_programs, settings
):
    settings.set("libreoffice_path", "/opt/office/soffice")
    opened.view.go_to(opened.matrix.index(0, 2))
    QTest.keyClick(window, Qt.Key.Key_R)
    index = opened.matrix.index(0, 2)
    qtbot.waitUntil(lambda: opened.matrix.cell(index).reason != "timed_out: too slow", timeout=SLOW_MS)
    assert no_programs == [("/opt/office/soffice", "")]
    assert opened.matrix.cell(index).state is CellState.RENDER_FAILED
    qtbot.waitUntil(lambda: not window.context.background.busy, timeout=SLOW_MS)


def test_that_a_project_without_any_picture_is_drawn_by_itself(qtbot, window, no_programs, tmp_path):
    with Project.create(tmp_path / "fresh") as project:
        instance = add_instance(project, "ports")
        add_deck(project, instance.id, "alpha", render=RenderState.PENDING)
    page = open_library(qtbot, window, tmp_path / "fresh")
    # The file of this deck is no presentation, so drawing it fails; that it was tried is what counts.
    qtbot.waitUntil(lambda: page.matrix.cell(page.matrix.index(0, 0)).state is CellState.RENDER_FAILED, timeout=SLOW_MS)
    qtbot.waitUntil(lambda: not window.context.background.busy, timeout=SLOW_MS)


def test_that_a_second_rendering_waits_for_the_first(qtbot, window, opened, monkeypatch):
    began, goes_on = [], threading.Event()

    def start_run(project, spec, *, tools, emit, cancel, passwords=None):
        began.append(spec.deck_ids)
        goes_on.wait(60)
        return RunEnded(run_id=RunId("r"), kind=RunKind.RENDER, state=RunState.DONE), changed(Topic.RUNS)

    monkeypatch.setattr(run_actions, "start_run", start_run)
    opened.imports.render(("d1",))
    opened.imports.render(("d2",))
    qtbot.waitUntil(lambda: began == [("d1",)], timeout=SLOW_MS)
    goes_on.set()
    qtbot.waitUntil(lambda: began == [("d1",), ("d2",)], timeout=SLOW_MS)
    qtbot.waitUntil(lambda: not window.context.background.busy, timeout=SLOW_MS)


def test_that_an_empty_project_says_what_to_do_first(qtbot, window, tmp_path):
    Project.create(tmp_path / "empty").close()
    page = open_library(qtbot, window, tmp_path / "empty")
    assert page.is_empty()
    page.empty_button().click()
    assert dialog_of(qtbot, window, ImportPreview)


def test_that_thousands_of_instances_are_shown_and_filtered_without_a_stall(qtbot, app_theme, tmp_path):
    with make_project(tmp_path / "study", instances=1, slides=1) as project:
        library = library_actions.library(project)
    model = InstanceMatrix()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_library(library_actions.Library(systems=library.systems, rows=library.rows * 5000))
    assert model.rowCount() == 5000
    model.set_filter(LibraryFilter(text="nowhere"))
    assert model.rowCount() == 0
    model.set_filter(LibraryFilter())
    assert model.rowCount() == 5000


def test_that_a_changed_cell_keeps_the_selection_and_tells_only_its_rows(qtbot, app_theme, tmp_path):
    with make_project(tmp_path / "study", instances=3) as project:
        before = library_actions.library(project)
        model = InstanceMatrix()
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        model.set_library(before)
        instance = before.rows[1].instance
        deck_store.update_instance(project, type(instance)(id=instance.id, name=instance.name, title="Renamed"))
        changed, resets = [], []
        model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
        model.modelReset.connect(lambda: resets.append(True))
        model.set_library(library_actions.library(project))
    assert changed == [(1, 1)]
    assert resets == []


# records


def test_that_the_record_of_a_system_is_edited_and_stored(qtbot, window, opened):
    opened.view.go_to(opened.matrix.index(0, 0))
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
    dialog = dialog_of(qtbot, window, SystemRecord)
    dialog.editor("name").setText("beta")
    dialog.save_button.click()
    assert dialog.error() == "There is a system beta already. Choose another name."
    dialog.editor("name").setText("Alpha")
    dialog.editor("access_date").setText("3 May")
    dialog.save_button.click()
    assert "3 May is no date" in dialog.error()
    dialog.editor("access_date").setText("2025-05-03")
    dialog.editor("paradigm").setCurrentText("template")
    QTest.keyClick(dialog.editor("settings"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.matrix.system(0).name == "Alpha", timeout=SLOW_MS)
    system = opened.matrix.system(0)
    assert (system.access_date, system.paradigm) == ("2025-05-03", "template")


def test_that_the_record_of_an_instance_is_edited_and_stored(qtbot, window, opened):
    opened.view.go_to(opened.matrix.index(1, 0))
    QTest.keyClick(window, Qt.Key.Key_E)
    dialog = dialog_of(qtbot, window, InstanceRecord)
    dialog.editor("language").setText("not a tag")
    dialog.save_button.click()
    assert "no language tag" in dialog.error()
    dialog.editor("language").setText("zh-Hant")
    dialog.editor("instruction").setPlainText("写十页。")
    dialog.save_button.click()
    qtbot.waitUntil(lambda: opened.matrix.row(1).instance.language == "zh-Hant", timeout=SLOW_MS)
    assert opened.matrix.row(1).instance.instruction == "写十页。"


def test_that_the_reason_for_an_absence_is_recorded(qtbot, window, opened):
    opened.view.go_to(opened.matrix.index(1, 2))
    QTest.keyClick(window, Qt.Key.Key_N)
    dialog = dialog_of(qtbot, window, AbsenceRecord)
    dialog.editor("status").setCurrentText("no idea")
    dialog.save_button.click()
    assert "no idea is no status" in dialog.error()
    dialog.editor("status").setCurrentText("not supported")
    dialog.editor("reason").setText("no Chinese")
    QTest.keyClick(dialog.editor("reason"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.matrix.data(opened.matrix.index(1, 2)) == "not supported", timeout=SLOW_MS)
    assert opened.matrix.cell(opened.matrix.index(1, 2)).reason == "no Chinese"


# import


def test_that_a_dropped_folder_is_previewed_edited_by_keyboard_imported_and_rendered(
    qtbot, window, opened, no_programs, tmp_path
):
    drop(window, deck_folder(tmp_path / "in", "alpha", "gpt_final"))
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    assert dialog.counts() == "1 instance · 2 decks · 1 source · 2 systems"
    # Down to the second deck, F2, type the system's name, Enter: the mapping is edited without the mouse.
    dialog.tree.setFocus()
    for _ in range(2):
        QTest.keyClick(dialog.tree, Qt.Key.Key_Down)
    assert dialog.model.file(dialog.tree.currentIndex()).name == "gpt_final"
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    editor = QApplication.focusWidget()
    QTest.keyClicks(editor, "alpha")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    # Qt takes what was typed only after the editor has seen the key.
    qtbot.waitUntil(
        lambda: dialog.error() == "harbours: 2 decks of alpha; one system has one deck there.", timeout=SLOW_MS
    )
    assert dialog.isVisible()
    assert not dialog.import_button.isEnabled()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    editor = QApplication.focusWidget()
    editor.selectAll()
    QTest.keyClicks(editor, "beta")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.error() == "", timeout=SLOW_MS)
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.matrix.rowCount() == 3, timeout=SLOW_MS)
    qtbot.waitUntil(lambda: has_two_drawn(opened, "harbours"), timeout=SLOW_MS)
    qtbot.waitUntil(lambda: not window.context.background.busy, timeout=SLOW_MS)
    row = row_of(opened, "harbours")
    assert [cell.system.name for cell in row.cells if cell.deck] == ["alpha", "beta"]
    assert [source.name for source in row.sources] == ["paper.md"]
    # Rendering began by itself, of the decks that came in; the others were left alone.
    assert opened.matrix.cell(opened.matrix.index(0, 1)).state is CellState.PENDING


def test_that_what_was_there_already_and_what_failed_is_reported(qtbot, window, opened, no_programs, tmp_path):
    folder = deck_folder(tmp_path / "in", "alpha", "beta")
    (folder / "harbours" / "decks" / "broken.pptx").write_bytes(b"PK\x03\x04 no more")
    for round_ in range(2):
        opened.take_paths([folder])
        dialog = dialog_of(qtbot, window, ImportPreview)
        qtbot.waitUntil(lambda dialog=dialog: dialog.model is not None, timeout=SLOW_MS)
        dialog.import_button.click()
        report = dialog_of(qtbot, window, ReportDialog)
        qtbot.waitUntil(lambda: not window.context.background.busy, timeout=SLOW_MS)
        if round_ == 0:
            assert report.words == "1 instance, 1 source and 2 decks added · 1 failed"
            assert [row.place.rsplit("/", 1)[-1] for row in report.model.rows()] == ["broken.pptx"]
        else:
            assert report.words.startswith("Nothing added · ")
            assert "there already" in report.words
        with qtbot.waitSignal(report.destroyed, timeout=SLOW_MS):
            report.accept()


def test_that_a_name_in_the_list_of_systems_is_changed_everywhere(qtbot, window, opened, tmp_path):
    deck_folder(tmp_path / "in", "gpt", "kimi")
    deck_folder(tmp_path / "in", "gpt", instance="winds")
    opened.take_paths([tmp_path / "in"])
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    names = dialog.systems.model()
    assert [names.data(names.index(row, 1)) for row in range(2)] == ["2", "1"]
    assert names.setData(names.index(0, 0), "GPT 5")
    assert dialog.model.edit.systems() == {"GPT 5": 2, "kimi": 1}
    QTest.keyClick(dialog.tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert dialog.model.edit.systems() == {"gpt": 2, "kimi": 1}
    dialog.reject()


def test_that_files_move_and_are_left_out_by_keyboard(qtbot, window, opened, tmp_path):
    deck_folder(tmp_path / "in", "gpt", "kimi")
    opened.take_paths([tmp_path / "in"])
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    dialog.tree.setFocus()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Down)
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    assert dialog.counts() == "1 instance · 1 deck · 1 source · 1 system · 1 left out"
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    assert "1 left out" in dialog.counts()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    QTest.keyClick(dialog.tree, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    ask = dialog_of(qtbot, dialog, QDialog)
    ask.setTextValue("winds")
    ask.accept()
    assert [(group.name, len(group.files)) for group in dialog.model.edit.groups] == [("harbours", 2), ("winds", 1)]
    dialog.reject()


def test_that_the_trees_of_an_import_meet_the_rules_of_item_models(qtbot, app_theme, tmp_path):
    from studio.actions.decks import preview_import
    from studio.actions.import_edit import ImportEdit

    deck_folder(tmp_path / "in", "gpt", "kimi")
    deck_folder(tmp_path / "in", "gpt", instance="winds")
    edit = ImportEdit(preview_import([tmp_path / "in"]))
    tree = ImportTree(edit)
    names = SystemNames(tree)
    testers = [
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal) for model in (tree, names)
    ]
    first = tree.index(0, 0)
    file = tree.index(0, MEANING, first)
    assert tree.setData(file, "GPT 5")
    data = tree.mimeData([tree.index(0, 0, first)])
    tree.dropMimeData(data, Qt.DropAction.MoveAction, -1, -1, tree.index(1, 0))
    assert [len(group.files) for group in edit.groups] == [2, 3]
    assert tree.setData(tree.index(0, 0), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    assert edit.counts().excluded == 2
    assert not tree.setData(tree.index(0, 0), "  ")
    tree.do(edit.undo)
    assert edit.counts().excluded == 0
    assert not tree.dropMimeData(data, Qt.DropAction.MoveAction, -1, -1, QModelIndex())
    del testers


def test_that_a_folder_without_decks_cannot_be_imported(qtbot, window, opened, tmp_path):
    (tmp_path / "nothing").mkdir()
    opened.take_paths([tmp_path / "nothing"])
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    assert dialog.error() == "Nothing is left to import."
    assert dialog.counts().endswith("1 not taken")
    dialog.reject()


def test_that_a_dropped_table_is_read_in_and_its_refused_lines_are_listed(qtbot, window, opened, tmp_path):
    table = tmp_path / "rankings.csv"
    table.write_text("instance_id,annotator_id,system,rank\nports,ann,alpha,1\nnowhere,ann,alpha,1\n")
    drop(window, table)
    report = dialog_of(qtbot, window, ReportDialog)
    assert report.words == "rankings.csv · rankings: 1 row new · 1 refused"
    assert [(row.place, row.reason) for row in report.model.rows()] == [("line 3", "no instance nowhere")]


def test_that_an_import_tells_every_page_that_decks_changed(qtbot, window, opened, no_programs, tmp_path):
    told = []
    window.page("compare").on_changes = told.append
    opened.take_paths([deck_folder(tmp_path / "in", "alpha")])
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    dialog.import_button.click()
    qtbot.waitUntil(lambda: bool(told), timeout=SLOW_MS)
    assert Topic.DECKS in told[0].topics
    qtbot.waitUntil(lambda: not window.context.background.busy, timeout=SLOW_MS)


# projects


def test_that_a_locked_project_opens_read_only_and_offers_no_change(qtbot, window, tmp_path):
    folder = mixed_project(tmp_path / "study")
    with Project.open(folder):
        page = open_library(qtbot, window, folder)
        assert window.notices.notices()[0].startswith("Opened read-only: it is open for writing in ")
        assert window.top_bar.lock.text() == "read-only"
        assert not window.shortcuts.is_available("file.import")
        assert not window.shortcuts.is_available("file.import_table")
        assert window.shortcuts.is_available("file.export")
        menu = page.cell_menu(page.matrix.index(0, 0))
        assert not any(action.isEnabled() for action in menu.actions() if action.text().startswith(("Edit", "Render")))
        menu.deleteLater()
        drop(window, deck_folder(tmp_path / "in", "alpha"))
        assert window.toast.text().startswith("The project is open read-only")
        assert not window.findChildren(ImportPreview)
        page.edit_instance()
        dialog = dialog_of(qtbot, window, InstanceRecord)
        assert not dialog.save_button.isVisible()
        dialog.reject()
        with qtbot.waitSignal(window.project_closed, timeout=SLOW_MS):
            window.close_project()


def test_that_a_project_can_be_opened_again_for_writing_after_it_was_closed(qtbot, window, opened, tmp_path):
    window.close_project()
    page = open_library(qtbot, window, tmp_path / "study")
    assert not page.context.project.is_read_only


def test_that_closing_the_window_during_an_import_keeps_what_is_in_and_lets_go(qtbot, window, opened, tmp_path):
    folder = deck_folder(tmp_path / "in", *(f"system-{number:03}" for number in range(60)))
    opened.take_paths([folder])
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    dialog.import_button.click()
    qtbot.waitUntil(lambda: window.status_line.work.full_text().startswith("import"), timeout=SLOW_MS)
    assert window.close()
    with Project.open(tmp_path / "study") as project:
        assert not project.is_read_only
        added = [deck for deck in deck_store.list_decks(project) if deck.system.startswith("system-")]
        assert 0 < len(added) <= 60
        # Every deck that is in has its file.
        assert all(project.asset_path(deck.asset, deck.extension).is_file() for deck in added)


def test_that_closing_the_project_during_an_import_opens_it_again_for_writing(qtbot, window, opened, tmp_path):
    folder = deck_folder(tmp_path / "in", *(f"system-{number:03}" for number in range(60)))
    opened.take_paths([folder])
    dialog = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: dialog.model is not None, timeout=SLOW_MS)
    dialog.import_button.click()
    page = open_library(qtbot, window, tmp_path / "study")
    assert not page.context.project.is_read_only


def test_that_files_dropped_on_the_start_screen_go_into_a_new_project(qtbot, window, tmp_path):
    folder = deck_folder(tmp_path / "in", "alpha")
    (tmp_path / "out").mkdir()
    drop(window.start_screen, folder)
    dialog = dialog_of(qtbot, window, NewProject)
    dialog.editor("title").setText("海港 2026: a study")
    dialog.editor("place").setText(str(tmp_path / "out"))
    assert dialog.folder() == tmp_path / "out" / "海港-2026-a-study"
    with qtbot.waitSignal(window.project_opened, timeout=SLOW_MS):
        QTest.keyClick(dialog.editor("title"), Qt.Key.Key_Return)
    assert window.context.project.title == "海港 2026: a study"
    preview = dialog_of(qtbot, window, ImportPreview)
    qtbot.waitUntil(lambda: preview.model is not None, timeout=SLOW_MS)
    assert preview.counts() == "1 instance · 1 deck · 1 source · 1 system"
    preview.reject()


def test_that_a_new_project_says_what_is_wrong_with_its_place(qtbot, app_theme, tmp_path):
    (tmp_path / "Study").mkdir()
    dialog = NewProject(tmp_path, risk=lambda folder: f"{folder.name} is risky")
    qtbot.addWidget(dialog)
    dialog.show()
    asked = []
    dialog.project_asked.connect(lambda folder, title: asked.append((folder, title)))
    for title, place, error in (
        ("", str(tmp_path), "A project needs a title. Type one."),
        ("Study", str(tmp_path), "Study exists there already. Choose another title or place."),
        ("Study", str(tmp_path / "no"), f"{tmp_path / 'no'} is no folder. Choose another place."),
        ("...", str(tmp_path), "No folder can be made of this title and place. Change one of them."),
    ):
        dialog.editor("title").setText(title)
        dialog.editor("place").setText(place)
        dialog.save_button.click()
        assert dialog.error() == error
    dialog.editor("title").setText("Tides")
    dialog.editor("place").setText(str(tmp_path))
    qtbot.waitUntil(lambda: dialog.warning() == f"{tmp_path.name} is risky", timeout=SLOW_MS)
    dialog.save_button.click()
    assert asked == [(tmp_path / "Tides", "Tides")]


def test_that_a_folder_name_has_nothing_that_windows_refuses():
    assert folder_name('  a: b/c "d"?  ') == "a-b-c-d"
    assert folder_name("研究 一") == "研究-一"
    assert folder_name("...") == ""


def test_that_a_project_that_cannot_be_opened_is_told_in_a_line_that_stays(qtbot, window, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "project.db").write_bytes(b"no database")
    window.open_folder(tmp_path / "bad")
    qtbot.waitUntil(lambda: bool(window.notices.notices()), timeout=SLOW_MS)
    assert window.notices.notices()[0].startswith("The database of bad cannot be read")
    assert window.stack.currentWidget() is window.start_screen


def test_that_a_copy_a_table_and_a_report_are_written_in_the_background(qtbot, window, opened, tmp_path):
    from studio.gui.dialogs.export_table import ExportTable

    window.files.save_copy(tmp_path / "copy")
    qtbot.waitUntil(
        lambda: (tmp_path / "copy" / "project.db").is_file() and not window.context.background.busy, timeout=SLOW_MS
    )
    window.files.ask_export()
    dialog = dialog_of(qtbot, window, ExportTable)
    dialog.choose(table="rankings", format="jsonl", out=tmp_path / "ranks.csv")
    assert dialog.out() == tmp_path / "ranks.jsonl"
    dialog.choose(format="csv")
    dialog.export_button.click()
    qtbot.waitUntil(lambda: (tmp_path / "ranks.csv").is_file(), timeout=SLOW_MS)
    assert (tmp_path / "ranks.csv").read_text("utf-8-sig").startswith("project_id,")
    gui_projects.write_report(window.context, tmp_path / "report.html")
    qtbot.waitUntil(
        lambda: (tmp_path / "report.html").is_file() and not window.context.background.busy, timeout=SLOW_MS
    )


def test_that_the_cell_of_a_deck_whose_original_is_gone_says_so(opened):
    cell = opened.matrix.cell(opened.matrix.index(0, 0))
    gone = Cell(system=cell.system, deck=cell.deck, state=CellState.FILE_GONE, reason="gone", thumb=cell.thumb)
    assert opened.matrix.words(gone) == "file gone"
    assert opened.matrix.tip(gone).startswith("alpha: file gone\ngone")
