from __future__ import annotations

from types import SimpleNamespace

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import checklist_answers
from studio.actions import checklists as author
from studio.actions.unsaved_words import unsaved_words
from studio.gui.author.bulk_edit import BulkEdit
from studio.gui.author.choose_lists import ChooseLists
from studio.gui.author.conflicts import ConflictsDialog
from studio.gui.pages.author import AuthorPage
from studio.gui.projects import studio_services
from studio.model.authoring import EVERYWHERE, ListSettings, Scope
from studio.model.checklists import Dimension, ItemKind, RuleCall
from studio.model.ids import InstanceId
from tests.gui import projects
from tests.gui.studies import window_of

ONE = Scope(instance_id=InstanceId("i_one"))
PERSON = "Ada Example (invented)"
DOUBLE = "Is the title clear and is the author named?"


@pytest.fixture
def study(tmp_path):
    project = projects.make_project(tmp_path / "study", instances=0, systems=())
    projects.add_instance(project, "one", instruction="Make 8-12 slides.", domain="lecture")
    projects.add_instance(project, "two", domain="lecture")
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    settings.set("profile_name", PERSON)
    with window_of(app_theme, settings, AuthorPage) as made:
        yield made


def opened(qtbot, window, folder) -> AuthorPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="author")
    page = window.page("author")
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.tabs)
    return page


def texts(page, scope=EVERYWHERE) -> list[str]:
    return [item.text for item in author.list_items(page._context.project, scope) if not item.is_retired]


def write(qtbot, window, page, words) -> None:
    page.items.table.setFocus()
    assert window.shortcuts.trigger("author.add")
    QTest.keyClicks(page.items.editor.text, words)
    page.items.save()
    qtbot.waitUntil(lambda: words in [row.item.text for row in page.items.rows.rows()])


def test_that_a_typed_item_is_stored_when_the_typing_rests_and_hinted_at_before(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert page.items.left.currentWidget() is page.items.empty
    assert window.shortcuts.trigger("author.add")
    QTest.keyClicks(page.items.editor.text, DOUBLE)
    qtbot.waitUntil(lambda: "two things" in page.items.editor.hints.text())
    qtbot.waitUntil(lambda: page.items.editor.preview.toPlainText().endswith(DOUBLE))
    qtbot.waitUntil(lambda: texts(page) == [DOUBLE])
    qtbot.waitUntil(lambda: page.items.rows.rowCount() == 1)
    stored = author.list_items(page._context.project, EVERYWHERE)[0]
    assert (stored.author, stored.version, stored.dimension) == (PERSON, 1, Dimension.FUNDAMENTALS)


def test_that_editing_makes_a_version_and_undo_and_redo_go_both_ways(qtbot, window, study):
    page = opened(qtbot, window, study)
    write(qtbot, window, page, "Is there a title?")
    QTest.keyClicks(page.items.editor.text, " Yes or no?")
    page.items.save()
    qtbot.waitUntil(lambda: texts(page) == ["Is there a title? Yes or no?"])
    qtbot.waitUntil(lambda: page.items.editor.below.tabText(1) == "Versions 2")
    assert window.shortcuts.trigger("author.undo")
    qtbot.waitUntil(lambda: page.items.editor.text.toPlainText() == "Is there a title?")
    assert window.shortcuts.trigger("author.redo")
    qtbot.waitUntil(lambda: page.items.editor.text.toPlainText() == "Is there a title? Yes or no?")


def test_that_items_are_ordered_and_retired_by_keyboard(qtbot, window, study):
    page = opened(qtbot, window, study)
    for words in ("Is there a title?", "Is there an end?"):
        write(qtbot, window, page, words)
    table = page.items.table
    table.setFocus()
    table.selectRow(1)
    QTest.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: texts(page) == ["Is there an end?", "Is there a title?"])
    qtbot.waitUntil(lambda: table.currentIndex().row() == 0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: texts(page) == ["Is there a title?"])


def test_that_what_is_typed_last_is_stored_when_the_project_closes(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert window.shortcuts.trigger("author.add")
    QTest.keyClicks(page.items.editor.text, "Is there a title?")
    window.close_project()
    page = opened(qtbot, window, study)
    assert texts(page) == ["Is there a title?"]


def test_that_templates_copies_and_the_spreadsheet_go_through_the_lists(qtbot, window, study, tmp_path):
    page = opened(qtbot, window, study)
    page.use_template("independent-en")
    qtbot.waitUntil(lambda: page.items.rows.rowCount() > 5)
    count = page.items.rows.rowCount()
    two = Scope(instance_id=InstanceId("i_two"))
    page.items.table.selectRow(0)
    page.ask_copy()
    dialog = next(each for each in page.children() if each.metaObject().className() == "ChooseLists")
    dialog.lists.setFocus()
    QTest.keyClick(dialog.lists, Qt.Key.Key_End)
    QTest.keyClick(dialog.lists, Qt.Key.Key_Space)
    dialog.accept()
    qtbot.waitUntil(lambda: len(texts(page, two)) == 1)
    page.export_items(tmp_path / "items.csv")
    qtbot.waitUntil((tmp_path / "items.csv").exists)
    page.import_items(tmp_path / "items.csv")
    qtbot.waitUntil(lambda: not page.writes.is_busy)
    assert len(texts(page)) == count


def test_that_a_proposal_becomes_an_item_when_it_is_accepted(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.go_to(instance="i_one", tab="instruction")
    tab = page.instruction
    qtbot.waitUntil(lambda: tab.slides.text() == "8–12")
    before = tab.proposals.count()
    tab.proposals.setFocus()
    QTest.keyClick(tab.proposals, Qt.Key.Key_Return)
    one = Scope(instance_id=InstanceId("i_one"))
    qtbot.waitUntil(lambda: len(texts(page, one)) == 1)
    qtbot.waitUntil(lambda: tab.proposals.count() == before - 1)


def test_that_the_author_may_not_sign_off_and_a_second_person_releases(qtbot, window, study, settings):
    page = opened(qtbot, window, study)
    write(qtbot, window, page, "Is there a title?")
    assert window.shortcuts.trigger("author.sign_off")
    qtbot.waitUntil(lambda: not page.writes.is_busy)
    assert author.sign_off_state(page._context.project)[0] == []
    settings.set("profile_name", "Bo Example (invented)")
    assert window.shortcuts.trigger("author.sign_off")
    qtbot.waitUntil(lambda: page.signed.text() == "signed off")
    page.release_as("First")
    qtbot.waitUntil(lambda: page.head.facts_label.full_text() == "release 1: First")


def test_that_the_benchmark_tab_has_the_table_of_facts(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.go_to(tab="benchmark")
    qtbot.waitUntil(lambda: page.benchmark.body.currentWidget() is page.benchmark.tables["domains"][0])
    rows = page.benchmark.tables["domains"][1].rows()
    assert [(row["domain"], row["instances"]) for row in rows] == [("lecture", 2), ("all", 2)]


def test_that_a_project_opened_read_only_shows_items_and_takes_no_words(qtbot, window, study):
    project = studio_services().open(study)
    author.add_item(project, EVERYWHERE, Dimension.DESIGN, "Is there a title?", author=PERSON)
    try:
        page = opened(qtbot, window, study)
        qtbot.waitUntil(lambda: page.items.rows.rowCount() == 1)
        assert page.items.editor.text.isReadOnly()
        assert not page.template.isEnabled()
        window.shortcuts.trigger("author.add")
        QTest.keyClicks(page.items.editor.text, "more")
        assert page.items.editor.text.toPlainText() == "Is there a title?"
        window.close_project()
    finally:
        project.close()


def test_that_chosen_items_are_edited_together(qtbot, window, study):
    page = opened(qtbot, window, study)
    for words in ("Is there a title?", "Is there an end?", "Is there a date?"):
        write(qtbot, window, page, words)
    page.items.filter.setText("end")
    assert [page.items.table.isRowHidden(row) for row in range(3)] == [True, False, True]
    page.items.filter.setText("an end")
    page.items.table.setFocus()
    QTest.keyClick(page.items.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert [item.text for item in page.items.chosen()] == ["Is there an end?"]
    page.items.filter.clear()
    QTest.keyClick(page.items.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert window.shortcuts.trigger("author.bulk")
    dialog = page.items.findChild(BulkEdit)
    assert not dialog.go.isEnabled()
    dialog.fields["weight"][0].setChecked(True)
    dialog.weight.setValue(2.5)
    dialog.fields["add_tags"][0].setChecked(True)
    dialog.add_tags.setText("layout，图表, layout")
    dialog.accept()
    qtbot.waitUntil(lambda: {row.item.weight for row in page.items.rows.rows()} == {2.5})
    assert {row.item.tags for row in page.items.rows.rows()} == {("layout", "图表")}
    assert window.shortcuts.trigger("author.undo")
    qtbot.waitUntil(lambda: {row.item.weight for row in page.items.rows.rows()} == {1.0})


def test_that_copying_says_where_a_common_list_would_be_replaced(qtbot, window, study):
    page = opened(qtbot, window, study)
    write(qtbot, window, page, "Is there a title?")
    page.items.table.selectRow(0)
    page.ask_copy()
    dialog = page.findChild(ChooseLists)
    assert not dialog.warning.isVisible()
    dialog.lists.setFocus()
    QTest.keyClick(dialog.lists, Qt.Key.Key_End)
    QTest.keyClick(dialog.lists, Qt.Key.Key_Space)
    assert "1 of these lists" in dialog.warning.text()
    assert dialog.warning.isVisible()
    dialog.reject()


def is_rejected(project) -> bool:
    found = author.curations(project).get(InstanceId("i_one"))
    return found is not None and found.is_accepted is False


def test_that_settings_and_curation_are_stored_and_undone(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.go_to(instance="i_one", tab="settings")
    tab = page.list_settings
    project, one = page._context.project, Scope(instance_id=InstanceId("i_one"))
    qtbot.waitUntil(lambda: tab.curation_panel.isVisible() and tab._curation is not None)
    QTest.keyClicks(tab.slides, "12-8")
    tab.save()
    assert "Not saved" in tab.problem.text()
    tab.slides.clear()
    QTest.keyClicks(tab.slides, "8-12")
    QTest.keyClicks(tab.weights[Dimension.DESIGN], "2.5")
    QTest.keyClicks(tab.prefixes["independent_prefix"], "Look.")
    tab.save()
    qtbot.waitUntil(lambda: author.settings_of(project, one).slide_limits == (8, 12))
    stored = author.settings_of(project, one)
    assert (dict(stored.weights), stored.independent_prefix) == ({Dimension.DESIGN: 2.5}, "Look.")
    QTest.keyClicks(tab.licence, "CC BY 4.0")
    tab.decision.setFocus()
    QTest.keyClick(tab.decision, Qt.Key.Key_End)
    tab.decision.activated.emit(2)
    tab.save()
    assert "say why" in tab.curation_problem.text()
    QTest.keyClicks(tab.why, "The source is gone.")
    page.on_hidden()
    qtbot.waitUntil(lambda: is_rejected(project))
    found = author.curations(project)[InstanceId("i_one")]
    assert (found.licence, found.is_accepted, found.why) == ("CC BY 4.0", False, "The source is gone.")
    page.on_shown()
    # What could be stored while the reason was missing is a step of its own.
    qtbot.waitUntil(lambda: window.shortcuts.trigger("author.undo"))
    qtbot.waitUntil(lambda: tab.why.toPlainText() == "" and not page.writes.is_busy)
    assert tab.licence.text() == "CC BY 4.0"
    # Each waits until the page has read what there is to take back.
    qtbot.waitUntil(lambda: window.shortcuts.trigger("author.undo"))
    qtbot.waitUntil(lambda: tab.licence.text() == "" and not page.writes.is_busy)
    qtbot.waitUntil(lambda: window.shortcuts.trigger("author.undo"))
    qtbot.waitUntil(lambda: tab.slides.text() == "")


def test_that_every_no_can_be_asked_a_place_and_only_the_common_list_says_so(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.go_to(tab="settings")
    tab = page.list_settings
    project = page._context.project
    qtbot.waitUntil(lambda: tab.evidence.isVisible() and tab.list_panel.isEnabled())
    assert not tab.evidence.isChecked()
    tab.evidence.setFocus()
    QTest.keyClick(tab.evidence, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: checklist_answers.needs_evidence(project))
    settings_of_one(qtbot, page)
    assert not tab.evidence.isVisible()
    page.scope.setCurrentIndex(0)
    page.scope.activated.emit(0)
    qtbot.waitUntil(lambda: tab.evidence.isVisible() and tab.list_panel.isEnabled())
    assert tab.evidence.isChecked()


def settings_of_one(qtbot, page):
    page.go_to(instance="i_one", tab="settings")
    tab = page.list_settings
    qtbot.waitUntil(lambda: page.view.scope == ONE and tab._curation is not None and tab.curation_panel.isEnabled())
    return tab


def test_that_words_that_cannot_be_stored_wait_for_their_list_and_the_rest_is_stored(qtbot, window, study):
    page = opened(qtbot, window, study)
    tab = settings_of_one(qtbot, page)
    project = page._context.project
    QTest.keyClicks(tab.slides, "8-")
    QTest.keyClicks(tab.weights[Dimension.DESIGN], "two")
    QTest.keyClicks(tab.weights[Dimension.CORRECTNESS], "3")
    QTest.keyClicks(tab.prefixes["dependent_prefix"], "Look closely.")
    QTest.keyClicks(tab.licence, "CC BY 4.0")
    tab.decision.setCurrentIndex(2)
    tab.decision.activated.emit(2)
    page.scope.setCurrentIndex(0)
    page.scope.activated.emit(0)
    qtbot.waitUntil(lambda: page.view.scope == EVERYWHERE and tab.list_panel.isEnabled() and not page.writes.is_busy)
    assert (tab.slides.text(), tab.weights[Dimension.DESIGN].text(), tab.problem.text()) == ("", "", "")
    stored = author.settings_of(project, ONE)
    assert (dict(stored.weights), stored.dependent_prefix) == ({Dimension.CORRECTNESS: 3.0}, "Look closely.")
    found = author.curations(project)[InstanceId("i_one")]
    assert (found.licence, found.is_accepted) == ("CC BY 4.0", None)
    # Alone, half a range is all that differs from what is stored.
    QTest.keyClicks(tab.slides, "3-")
    settings_of_one(qtbot, page)
    page.scope.setCurrentIndex(0)
    page.scope.activated.emit(0)
    qtbot.waitUntil(lambda: page.view.scope == EVERYWHERE and tab.slides.text() == "3-")
    assert tab.problem.width() >= 360
    page.scope.setCurrentIndex(1)
    page.scope.activated.emit(1)
    qtbot.waitUntil(lambda: page.view.scope == Scope(domain="lecture") and tab.slides.text() == "")
    assert tab.problem.text() == ""
    window.close_project()
    page = opened(qtbot, window, study)
    tab = settings_of_one(qtbot, page)
    assert (tab.slides.text(), tab.weights[Dimension.DESIGN].text()) == ("8-", "two")
    assert "Not saved" in tab.problem.text()
    assert tab.decision.currentData() is False
    assert "say why" in tab.curation_problem.text()
    QTest.keyClicks(tab.slides, "12")
    QTest.keyClicks(tab.why, "No source.")
    tab.weights[Dimension.DESIGN].selectAll()
    QTest.keyClicks(tab.weights[Dimension.DESIGN], "2")
    tab.save()
    project = page._context.project
    qtbot.waitUntil(lambda: unsaved_words(project, ONE) == {} and not page.writes.is_busy)
    stored = author.settings_of(project, ONE)
    assert (stored.slide_limits, stored.weights[Dimension.DESIGN]) == ((8, 12), 2.0)
    assert author.curations(project)[InstanceId("i_one")].is_accepted is False


def test_that_instances_and_results_go_out_for_presentbench_and_the_window_says_what_it_left_out(
    qtbot, window, study, tmp_path
):
    page = opened(qtbot, window, study)
    project = page._context.project
    write(qtbot, window, page, "Is there a title?")
    author.set_settings(project, ONE, ListSettings(weights={Dimension.DESIGN: 1.0}), author=PERSON)
    with qtbot.waitSignal(page.tree_export.written) as told:
        page.tree_export.write_instances(tmp_path / "输出")
    assert len(list((tmp_path / "输出" / "lecture").rglob("judge_prompt.json"))) == 2
    assert any("own points" in note for note in told.args[0].notes)
    assert "own points" in page.tree_export.said.informativeText()
    page.tree_export.said.close()
    reported = []
    page.tree_export._context = SimpleNamespace(
        project=project, background=page._context.background, report=reported.append
    )
    page.tree_export.ask_results()
    qtbot.waitUntil(lambda: bool(reported))
    assert "No judge has answered" in str(reported[0])


def test_that_contradicting_tables_are_decided_item_by_item(qtbot, window, study, tmp_path):
    page = opened(qtbot, window, study)
    write(qtbot, window, page, "Is there a title?")
    project = page._context.project
    page.export_items(tmp_path / "bo.xlsx")
    qtbot.waitUntil((tmp_path / "bo.xlsx").exists)
    item = author.list_items(project, EVERYWHERE)[0]
    book = load_workbook(tmp_path / "bo.xlsx")
    sheet = book.active
    column = [cell.value for cell in sheet[1]].index("text") + 1
    sheet.cell(row=2, column=column).value = "Is there a title on each slide?"
    book.save(tmp_path / "bo.xlsx")
    author.edit_items(project, [item.id], {"text": "Is the title clear?"}, author=PERSON)
    page.import_items(tmp_path / "bo.xlsx")
    qtbot.waitUntil(lambda: page.findChild(ConflictsDialog) is not None)
    dialog = page.findChild(ConflictsDialog)
    shown = dialog.sides.toPlainText()
    for words in ("Is there a title?", "Is the title clear?", "Is there a title on each slide?"):
        assert words in shown
    assert texts(page) == ["Is the title clear?"]
    dialog.items.setFocus()
    QTest.keyClick(dialog.items, Qt.Key.Key_Space)
    dialog.accept()
    qtbot.waitUntil(lambda: texts(page) == ["Is there a title on each slide?"])


def test_that_the_parameters_of_a_rule_have_editors_of_their_types(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.go_to(instance="i_one", tab="items")
    one = Scope(instance_id=InstanceId("i_one"))
    qtbot.waitUntil(lambda: page.view.scope == one)
    assert window.shortcuts.trigger("author.add")
    editor = page.items.editor
    QTest.keyClicks(editor.text, "Is the number of slides right?")
    editor.kind.setCurrentIndex(1)
    editor.kind.activated.emit(1)
    editor.rule.setCurrentIndex(editor.rule.findData("slide_count"))
    editor.rule.activated.emit(editor.rule.currentIndex())
    editor.parameters.editors["min_count"].setValue(3)
    editor.parameters.editors["max_count"].setValue(9)
    qtbot.waitUntil(lambda: "8–12 slides, the checklist for 3–9" in editor.hints.text())
    page.items.save()
    qtbot.waitUntil(lambda: len(texts(page, one)) == 1)
    stored = author.list_items(page._context.project, one)[0]
    assert stored.rule == RuleCall(rule="slide_count", parameters={"min_count": 3, "max_count": 9})
    editor.rule.setCurrentIndex(editor.rule.findData("placeholder_text"))
    editor.rule.activated.emit(editor.rule.currentIndex())
    editor.parameters.editors["more"].setText("lorem，待补充")
    editor.parameters.editors["more"].textEdited.emit("")
    page.items.save()
    qtbot.waitUntil(
        lambda: (
            author.list_items(page._context.project, one)[0].rule
            == RuleCall(rule="placeholder_text", parameters={"more": ["lorem", "待补充"]})
        )
    )


def test_that_an_imported_rule_keeps_its_name_and_an_unknown_one_stays_a_tool_error(qtbot, window, study):
    project = studio_services().open(study)
    known = RuleCall(rule="utils.count_pages.check_slide_count", parameters={"min_count": 4, "max_count": 9})
    unknown = RuleCall(rule="os.path.basename", parameters={"p": 1})
    for kind, rule in ((ItemKind.CODE, known), (ItemKind.TOOL_ERROR, unknown)):
        author.add_item(project, EVERYWHERE, Dimension.DESIGN, "Imported", author=PERSON, kind=kind, rule=rule)
    project.close()
    page = opened(qtbot, window, study)
    qtbot.waitUntil(lambda: page.items.rows.rowCount() == 2)
    for row, (kind, rule) in enumerate(((ItemKind.CODE, known), (ItemKind.TOOL_ERROR, unknown))):
        page.items.table.selectRow(row)
        page.items.editor.weight.setValue(2.0)
        page.items.save()
        qtbot.waitUntil(lambda row=row: page.items.rows.row(row).item.weight == 2.0)
        item = page.items.rows.row(row).item
        assert (item.kind, item.rule) == (kind, rule)


def test_that_near_duplicates_are_said_while_typing(qtbot, window, study):
    page = opened(qtbot, window, study)
    write(qtbot, window, page, "Is the title of every slide short?")
    page.items.table.setFocus()
    assert window.shortcuts.trigger("author.add")
    QTest.keyClicks(page.items.editor.text, "Is the title of each slide short?")
    qtbot.waitUntil(lambda: "says nearly the same" in page.items.editor.hints.text())


def test_that_figures_of_the_benchmark_are_shown_and_written(qtbot, window, study, tmp_path):
    page = opened(qtbot, window, study)
    page.go_to(tab="benchmark")
    tab = page.benchmark
    qtbot.waitUntil(lambda: tab.body.currentWidget() is tab.tables["domains"][0])
    tab.which.setCurrentIndex(tab.which.findData("figure-5"))
    tab.which.activated.emit(tab.which.currentIndex())
    assert tab.body.currentWidget() is tab.scroll
    assert tab.figure.accessibleName() == "Checklist items of instances"
    tab.export_to(tmp_path / "figure.svg")
    qtbot.waitUntil((tmp_path / "figure.svg").exists)
    tab.export_all_to(tmp_path / "all")
    qtbot.waitUntil((tmp_path / "all" / "figure-5.png").exists)
    qtbot.waitUntil(lambda: not page._context.background.busy)
