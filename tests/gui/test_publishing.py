"""What goes out of the window for others: case cards, an alignment set, plots, every table."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import checklist_answers, checklists, tables
from studio.gui.dialogs.export_table import FORMATS, TABLES, ExportTable
from studio.gui.dialogs.publish import CaseCardsForm, ReleaseForm
from studio.gui.pages.alignment import AlignmentPage
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemAnswer
from studio.model.scores import Score, Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from tests.gui.projects import make_project
from tests.gui.studies import window_of
from tests.projects import decks_of, open_session

SYSTEMS = ("alpha", "beta", "模型三")


@pytest.fixture
def study(tmp_path) -> Path:
    folder = tmp_path / "研究"
    with make_project(folder, instances=1, systems=SYSTEMS) as project:
        item = checklists.add_item(project, EVERYWHERE, Dimension.COMPLETENESS, "All there?", author="author")[0].id
        instance = deck_store.list_instances(project)[0]
        decks = decks_of(project, instance.name)
        session = open_session(project, instance.name, "ann")
        for place, system in enumerate(SYSTEMS, start=1):
            session.rank(decks[system], place)
        session.submit()
        sheet, _ = checklist_answers.open_sheet(project, instance.id, people_store.annotator_named(project, "ann").id)
        sheet.answer(Unit(decks["alpha"], item), ItemAnswer.YES)
        sheet.submit(decks["alpha"])
        score_store.append_scores(
            project,
            [
                Score(run_id=None, metric="aesthetics.total", metric_version=1, preset="benchmark",
                      deck_id=decks[system], instance_id=instance.id, slide=None, value=value)
                for system, value in zip(SYSTEMS, (3.0, 2.0, 1.0), strict=True)
            ],
        )  # fmt: skip
        score_store.append_verdicts(
            project,
            [
                Verdict(run_id=None, judge_id="openai:m", model="m", prompt_version="p", instance_id=instance.id,
                        deck_id=decks["alpha"], item_id=item, verdict="no")
            ],
        )  # fmt: skip
    return folder


@pytest.fixture
def window(qtbot, app_theme, settings, study):
    with window_of(app_theme, settings, AlignmentPage) as shown:
        with qtbot.waitSignal(shown.project_opened):
            shown.open_folder(study)
        yield shown


def form_of(qtbot, window, kind):
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)))
    return window.findChildren(kind)[0]


def write(qtbot, window, form):
    QTest.keyClick(form, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.context.background.busy)


def test_that_an_alignment_set_is_released_from_the_file_menu(qtbot, window, tmp_path):
    assert window.shortcuts.trigger("file.release")
    form = form_of(qtbot, window, ReleaseForm)
    form.editor("folder").setText(str(tmp_path / "对齐 集"))
    form.editor("licence").setCurrentText("cc-by-4.0")
    write(qtbot, window, form)
    qtbot.waitUntil(lambda: "1 annotator" in window.toast.text())
    out = tmp_path / "对齐 集"
    assert "cc-by-4.0" in (out / "README.md").read_text("utf-8")
    for line in (out / "SHA256SUMS").read_text("utf-8").splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest


def test_that_a_release_over_something_is_refused_in_one_line_and_touches_nothing(qtbot, window, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine")
    window.shortcuts.trigger("file.release")
    form = form_of(qtbot, window, ReleaseForm)
    form.editor("folder").setText(str(tmp_path / "there"))
    write(qtbot, window, form)
    qtbot.waitUntil(lambda: "is there already. Name a folder" in window.toast.text())
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["mine.txt"]


def test_that_the_folder_proposed_for_a_release_is_never_one_that_is_there(qtbot, window):
    (window.context.project.folder / "exports" / "alignment-set").mkdir(parents=True)
    window.shortcuts.trigger("file.release")
    assert form_of(qtbot, window, ReleaseForm).values()["folder"].endswith("alignment-set-2")


def test_that_case_cards_are_written_from_the_file_menu(qtbot, window, tmp_path):
    assert window.shortcuts.trigger("file.cases")
    form = form_of(qtbot, window, CaseCardsForm)
    form.editor("judge").setCurrentText("openai:m")
    form.editor("file").setText(str(tmp_path / "卡片"))
    write(qtbot, window, form)
    qtbot.waitUntil(lambda: "1 card of 1 case" in window.toast.text())
    page = (tmp_path / "卡片.html").read_text("utf-8")
    assert "All there?" in page
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert "https:" not in page


@pytest.mark.parametrize(("field", "value"), [("most", "0"), ("most", "a"), ("judge", "nobody"), ("file", "")])
def test_that_case_cards_are_not_written_from_a_form_that_makes_no_sense(qtbot, window, field, value):
    window.shortcuts.trigger("file.cases")
    form = form_of(qtbot, window, CaseCardsForm)
    editor = form.editor(field)
    getattr(editor, "setCurrentText", getattr(editor, "setText", None))(value)
    form.save_button.click()
    assert form.isVisible()
    assert form.error()
    form.reject()


def test_that_the_plots_of_the_table_are_written_as_svg_pdf_and_png(qtbot, window, tmp_path):
    page = window.page("alignment")
    qtbot.waitUntil(lambda: page.methods.rowCount() > 0)
    page.out.write_plots(tmp_path / "plots")
    qtbot.waitUntil(lambda: "plots written" in window.toast.text())
    found = {path.suffix: path.read_bytes()[:5] for path in (tmp_path / "plots").glob("intervals.*")}
    assert found[".pdf"] == b"%PDF-"
    assert found[".png"].startswith(b"\x89PNG")
    assert b"<" in found[".svg"]


def test_that_an_annotator_can_publish_nothing(qtbot, window, settings):
    with qtbot.waitSignal(window.project_opened):
        settings.set("profile_role", "annotator")
    assert not window.shortcuts.is_available("file.release")
    assert not window.shortcuts.is_available("file.cases")


def test_that_the_window_offers_every_table_and_document_that_the_terminal_writes(qtbot, window, tmp_path):
    assert set(TABLES) == {*tables.TABLES, *tables.ONLY_OUT, *tables.DOCUMENTS}
    assert set(FORMATS) == {*tables.FORMATS, *tables.DOCUMENTS.values()}
    window.files.ask_export()
    dialog = form_of(qtbot, window, ExportTable)
    dialog.choose(table="label-studio")
    assert dialog.out().name == "label-studio.json"
    dialog.choose(table="inspect", out=tmp_path / "scores")
    assert dialog.out().name == "scores.jsonl"
    dialog.export_button.click()
    qtbot.waitUntil(lambda: (tmp_path / "scores.jsonl").is_file())
