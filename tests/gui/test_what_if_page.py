"""The human side, what-ifs, opened numbers and the ranks side by side, on the real page by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from studio.gui.alignment.number_window import DecksTable, InstancesTable
from studio.gui.models.methods_table import CHANGE
from studio.gui.pages.alignment import AlignmentPage
from studio.store.project import Project
from tests.gui.fake_project import fake_pages
from tests.gui.studies import window_of
from tests.human_answers import add_decks, add_ranking, add_rating, add_scores, person

SYSTEMS = ("alpha", "beta", "gamma", "delta")


def make_study(folder: Path) -> Path:
    project = Project.create(folder, title="Study")
    add_decks(project, ["one", "two"], SYSTEMS, scenario="lecture")
    add_decks(project, ["three"], SYSTEMS, scenario="report")
    person(project, "ada", group="expert")
    person(project, "bo", group="end user")
    for instance in ("one", "two", "three"):
        add_ranking(project, "ada", instance, dict(zip(SYSTEMS, (1, 2, 3, 4), strict=True)), seconds=90)
        add_ranking(project, "bo", instance, dict(zip(SYSTEMS, (2, 1, 3, 4), strict=True)), seconds=9)
        values = (9, 8, 7, 6) if instance != "three" else (6, 7, 8, 9)
        add_scores(project, "aesthetics.total", instance, dict(zip(SYSTEMS, values, strict=True)))
        add_scores(project, "j/rating", instance, dict(zip(SYSTEMS, (1, 2, 3, 4), strict=True)))
        for system, point in zip(SYSTEMS, (2, 3, 4, 5), strict=True):
            add_rating(project, "ada", instance, system, content=point)
    project.close()
    return folder


@pytest.fixture
def window(app_theme, settings):
    others = [page for page in fake_pages() if page.page_id in ("library", "compare", "rank", "runs")]
    with window_of(app_theme, settings, *others, AlignmentPage) as made:
        yield made


@pytest.fixture
def page(qtbot, window, tmp_path) -> AlignmentPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(make_study(tmp_path / "study"), page="alignment")
    found = window.page("alignment")
    qtbot.waitUntil(lambda: found.states.currentWidget() is found.body)
    return found


def mean_rho(page: AlignmentPage, name: str) -> float | None:
    row = page._view.row(name)
    return row.mean_rho if row is not None else None


def open_panel(qtbot, page: AlignmentPage) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: page._material is not None)


def untick(page: AlignmentPage, field: str, key: str) -> None:
    box = page.what_if_panel.box(field, key)
    page.what_if_panel.tree.setCurrentItem(box)
    QTest.keyClick(page.what_if_panel.tree, Qt.Key.Key_Space)


def test_that_an_unticked_scenario_is_left_out_at_once_and_comes_back(qtbot, page):
    # Mean ranks 1.5, 1.5, 3, 4 against 9, 8, 7, 6: ρ 0.949 twice, and −0.949 in the report.
    before = 0.9486832980505138 / 3
    assert mean_rho(page, "aesthetics.total") == pytest.approx(before)
    assert page.table.isColumnHidden(CHANGE)
    open_panel(qtbot, page)
    untick(page, "scenarios", "report")
    qtbot.waitUntil(lambda: mean_rho(page, "aesthetics.total") == pytest.approx(0.9486832980505138))
    assert page.methods.index(0, CHANGE).data() == "+0.632"
    assert not page.table.isColumnHidden(CHANGE)
    assert page.head.facts_label.full_text().startswith("without report · 2 of 3 instances ranked")
    page.what_if_panel.reset.setFocus()
    QTest.keyClick(page.what_if_panel.reset, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: mean_rho(page, "aesthetics.total") == pytest.approx(before))
    assert page.table.isColumnHidden(CHANGE)


def test_that_a_judge_and_an_annotator_can_go_and_everything_can(qtbot, page):
    open_panel(qtbot, page)
    untick(page, "judges", "j")
    qtbot.waitUntil(lambda: page._view.row("j/rating") is None)
    untick(page, "annotators", "a_bo")
    qtbot.waitUntil(lambda: mean_rho(page, "aesthetics.total") == pytest.approx(1 / 3))
    untick(page, "methods", "aesthetics.total")
    qtbot.waitUntil(lambda: [row.name for row in page._view.rows] == ["people"])
    assert page.plots.scatter_panel.head.title_label.full_text() == "Against people"


def test_that_a_what_if_at_another_level_ends_with_intervals(qtbot, page):
    page.level.setFocus()
    QTest.keyClick(page.level, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page._view.table.level == "scenario")
    open_panel(qtbot, page)
    untick(page, "annotators", "a_bo")
    qtbot.waitUntil(lambda: len(page._view.evidence.annotators) == 1 and page._view.rows[0].ci_low is not None)
    assert mean_rho(page, "aesthetics.total") == pytest.approx(0.0)


def test_that_the_human_side_is_chosen_by_keyboard(qtbot, page):
    assert [page.side.box.itemText(place) for place in range(page.side.box.count())] == [
        "Rankings", "Ratings of content",
    ]  # fmt: skip
    page.side.box.setFocus()
    QTest.keyClick(page.side.box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: mean_rho(page, "j/rating") == pytest.approx(1.0))
    assert page.head.facts_label.full_text().startswith("ratings of content · ")
    assert page.plots.scatter._words[0] == "mean content"


def test_that_hasty_rankings_can_be_kept_out(qtbot, page):
    QTest.keyClick(page.side.filter, Qt.Key.Key_Space)
    dialog = page.side.dialog
    assert set(dialog.groups) == {"expert", "end user"}
    dialog.least.setValue(30)
    dialog.accept()
    qtbot.waitUntil(lambda: len(page._view.evidence.annotators) == 1)
    assert "at least 30 s (3 answers too fast)" in page.head.facts_label.full_text()
    assert "•" in page.side.filter.text()


def test_that_a_filter_which_nobody_passes_says_so_and_comes_off(qtbot, page):
    QTest.keyClick(page.side.filter, Qt.Key.Key_Space)
    page.side.dialog.least.setValue(5000)
    page.side.dialog.accept()
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.empty)
    assert page.empty.button.text() == "Take the filter off"
    page.empty.button.click()
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.body)
    assert len(page._view.evidence.annotators) == 2


def test_that_three_steps_lead_from_a_method_to_a_deck(qtbot, page):
    page.table.setFocus()
    page.table.selectRow(0)
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    opened = page.number_window
    assert opened is not None
    qtbot.waitUntil(lambda: "Alt-test" in opened.facts.text())
    # The worst instance is chosen: there the method is the other way round.
    assert opened.right.head.title_label.full_text() == "Three"
    assert opened.right.head.facts_label.full_text() == "each: ada · bo"
    lines = {line.system: line for line in opened.decks.rows()}
    assert (lines["alpha"].human, lines["alpha"].each, lines["alpha"].score) == (1.5, "1 · 2", 6.0)
    assert (lines["alpha"].human_rank, lines["alpha"].method_rank, lines["alpha"].apart) == (1.5, 4.0, 2.5)
    opened.deck_table.setFocus()
    opened.deck_table.selectRow(3)
    QTest.keyClick(opened.deck_table, Qt.Key.Key_Return)
    assert page.window().page("compare").told[-1] == {"instance": "i_three", "deck": "d_three_delta"}
    opened.close()


def test_that_ctrl_c_copies_the_number_with_its_definition_and_what_is_left_out(qtbot, page):
    open_panel(qtbot, page)
    untick(page, "annotators", "a_bo")
    qtbot.waitUntil(lambda: mean_rho(page, "aesthetics.total") == pytest.approx(1 / 3))
    page.table.setFocus()
    page.table.selectRow(0)
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Aesthetics: mean ρ = 0.3333 (95 % interval")
    assert "Against rankings, per instance; 3 of 3 instances." in copied
    assert "What if: without bo." in copied
    assert "mid-ranks" in copied


def test_that_ranks_side_by_side_are_walked_and_opened_by_keyboard(qtbot, page):
    page.plots.kind.setFocus()
    QTest.keyClick(page.plots.kind, Qt.Key.Key_Down)
    chart = page.plots.bump
    assert page.plots._states.currentWidget() is chart
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert "Aesthetics: rank" in page.plots.scatter_panel.head.facts_label.full_text()
    QTest.keyClick(chart, Qt.Key.Key_Return)
    assert page.number_window is not None
    page.number_window.close()
    page.plots.scope.setFocus()
    QTest.keyClick(page.plots.scope, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Return)
    assert page.window().page("compare").told[-1]["instance"] == "i_one"


def test_that_the_models_of_an_opened_number_keep_their_promises(qtbot, page):
    page.table.setFocus()
    page.table.selectRow(0)
    page.open_number()
    opened = page.number_window
    for model, rows in (
        (InstancesTable({}), opened.instances.rows()), (DecksTable("mean human rank"), opened.decks.rows()),
    ):  # fmt: skip
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        model.set_rows(rows)
        model.sort(1, Qt.SortOrder.DescendingOrder)
        assert model.rowCount() == len(rows)
    opened.close()
