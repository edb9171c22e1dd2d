from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from studio.gui.models.agreement_tables import AnnotatorTable, CoefficientTable, ConsensusTable, ItemTable
from studio.gui.page_list import visible_pages
from studio.gui.pages.agreement import AgreementPage
from studio.settings import Role
from studio.store.project import Project
from tests.gui.fake_project import fake_pages
from tests.gui.studies import window_of
from tests.human_answers import add_check, add_decks, add_ranking, add_rating

SYSTEMS = ("alpha", "beta", "gamma", "delta")


def make_study(folder: Path, *, with_answers: bool = True) -> Path:
    project = Project.create(folder, title="Study")
    add_decks(project, ["one", "two"], SYSTEMS)
    if with_answers:
        for name, ranks in (("ada", (1, 2, 3, 4)), ("bo", (2, 1, 3, 4))):
            for instance in ("one", "two"):
                add_ranking(project, name, instance, dict(zip(SYSTEMS, ranks, strict=True)))
            for system, point in zip(SYSTEMS, ranks, strict=True):
                add_rating(project, name, "one", system, content=6 - point)
                add_check(project, name, "one", system, "item-1", "yes" if point < 3 else "no")
    project.close()
    return folder


@pytest.fixture
def window(app_theme, settings):
    others = [page for page in fake_pages() if page.page_id in ("library", "compare", "rank")]
    with window_of(app_theme, settings, *others, AgreementPage) as made:
        yield made


def opened(qtbot, window, folder) -> AgreementPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="agreement")
    page = window.page("agreement")
    qtbot.waitUntil(lambda: page.states.currentWidget() is not page.loading)
    return page


@pytest.fixture
def page(qtbot, window, tmp_path):
    found = opened(qtbot, window, make_study(tmp_path / "study"))
    qtbot.waitUntil(lambda: found.orders.rowCount() == 4)
    return found


def test_that_everybodys_numbers_are_those_of_hand(page):
    rows = {(row.metric, row.who_b): row.value for row in page.coefficients.rows()}
    # Two orders that differ by one swap of neighbours: rho 0.8, W 0.9.
    assert rows["spearman", "all"] == pytest.approx(0.8)
    assert rows["kendall_w", "all"] == pytest.approx(0.9)
    assert page.head.facts_label.full_text() == "rankings · 2 instances · 2 annotators"


def test_that_the_consensus_follows_the_chosen_instance_by_keyboard(qtbot, page):
    assert page.panels["orders"].head.title_label.full_text() == "Consensus on one"
    table = page.tables["items"]
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.panels["orders"].head.title_label.full_text() == "Consensus on two")
    assert [row.system for row in page.orders.rows()] == ["alpha", "beta", "gamma", "delta"]
    assert "2 orders equally near" in page.panels["orders"].head.facts_label.full_text()
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert page.window().page("compare").told[-1] == {"instance": "i_two"}


def test_that_other_answers_are_chosen_by_keyboard(qtbot, page):
    words = [page.side.itemText(place) for place in range(page.side.count())]
    assert words == ["Rankings", "Ratings of content", "People's checklist scores"]
    page.side.setFocus()
    QTest.keyClick(page.side, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "ratings of content" in page.head.facts_label.full_text())
    metrics = {row.metric for row in page.coefficients.rows()}
    assert {"krippendorff_alpha_ordinal", "krippendorff_alpha_interval"} <= metrics
    QTest.keyClick(page.side, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.panels["items"].head.title_label.full_text() == "Every item")
    # Ada says yes to alpha and beta, Bo as well: all four decks alike.
    (item,) = page.items.rows()
    assert (item.value, item.second, item.n) == (1.0, 1.0, 4)


def test_that_ctrl_c_copies_a_number_with_its_definition(page):
    table = page.tables["coefficients"]
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Spearman ρ = 0.8000")
    assert "couples of annotators; rankings; level: instance; n = 2" in copied
    assert "mid-ranks" in copied


def test_that_both_tables_are_exported(qtbot, page, tmp_path):
    page.export_to(tmp_path / "agreement.csv")
    page.export_consensus_to(tmp_path / "consensus.csv")
    qtbot.waitUntil(lambda: (tmp_path / "agreement.csv").is_file() and (tmp_path / "consensus.csv").is_file())
    assert "a_ada,a_bo" in (tmp_path / "agreement.csv").read_text(encoding="utf-8-sig")
    assert len((tmp_path / "consensus.csv").read_text(encoding="utf-8-sig").splitlines()) == 9


def test_that_an_empty_project_says_what_to_do_first(qtbot, window, tmp_path):
    page = opened(qtbot, window, make_study(tmp_path / "study", with_answers=False))
    assert page.states.currentWidget() is page.empty
    assert page.empty.button.text() == "Rank decks"


def test_that_annotators_have_no_such_page():
    assert "agreement" not in visible_pages(Role.ANNOTATOR)


def test_that_the_models_keep_their_promises(page):
    view = page._view
    for model, rows in (
        (CoefficientTable(), view.rows), (AnnotatorTable(), view.reports), (ItemTable(), view.items),
        (ConsensusTable(), page.orders.rows()),
    ):  # fmt: skip
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        model.set_rows(rows)
        model.sort(1, Qt.SortOrder.DescendingOrder)
        assert model.rowCount() == len(rows)
