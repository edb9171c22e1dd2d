"""The structure panel of the Compare page, by keyboard, on real files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pptx.util import Inches
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPolygonF
from PySide6.QtTest import QTest

from studio.actions.care import deck_of
from studio.gui import compare_structure, theme
from studio.model.decks import DeckFormat
from studio.model.ids import DeckId
from studio.store import care as care_store
from studio.store import decks as deck_store
from studio.store.care import Kind
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, make_project
from tests.gui.studies import ctrl, open_on, press, shown_window
from tests.unit.metrics.editability import decks_built as made

K = Qt.Key


def built(path: Path) -> Path:
    deck = made.Built()
    slide = deck.slide(made.TITLE_AND_CONTENT, "Heading")
    made.chart(slide)
    group = slide.shapes.add_group_shape()
    group.name = "pair"
    made.rectangles(group.shapes, 2)
    (shape,) = made.rectangles(deck.slide().shapes, 1)
    shape.left, shape.top, shape.width, shape.height = Inches(3), Inches(2), Inches(5), Inches(2)
    shape.name, shape.rotation = "turned", 40
    return deck.save(path)


@pytest.fixture
def study(tmp_path) -> Path:
    project = make_project(tmp_path / "study", instances=0)
    instance = add_instance(project, "storage", title="Computer storage")
    alpha = add_deck(project, instance.id, "alpha", slides=2)
    beta = add_deck(project, instance.id, "beta", slides=2)
    path = built(tmp_path / "deck.pptx")
    project.asset_path(deck_of(project, alpha).asset, "pptx").write_bytes(path.read_bytes())
    care_store.act(project, "edit", Kind.DECK, beta, "", {"format": DeckFormat.PDF.value})
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, role="engineer") as made_window:
        yield made_window


@pytest.fixture
def page(qtbot, window, study):
    return open_on(qtbot, window, study, "compare")


def opened(qtbot, page):
    with qtbot.waitSignal(page.structure.read):
        press(K.Key_T)
    return page.structure.panel


def lines(panel):
    return {node.words: node for top in (panel.tree.topLevelItem(0),) for node in _node(top).walk()}


def _node(item):
    return item.data(0, Qt.ItemDataRole.UserRole)


def test_that_the_key_shows_the_slides_tree_and_takes_it_away_again(qtbot, page):
    panel = opened(qtbot, page)
    assert panel.isVisible()
    assert page.structure_button.isChecked()
    assert {"Title and Content", "Shapes, back to front", "pair"} <= set(lines(panel))
    press(K.Key_PageDown)
    assert "turned" in lines(panel)
    press(K.Key_T)
    assert not panel.isVisible()
    assert not page.structure_button.isChecked()


def test_that_a_chart_shows_the_cells_of_its_workbook(qtbot, page):
    panel = opened(qtbot, page)
    chart = next(node for node in lines(panel).values() if node.tables)
    assert panel.select(chart)
    cells = panel.cells.currentWidget()
    found = [[cells.item(row, column).text() for column in range(2)] for row in range(3)]
    assert found == [["", "sales"], ["north", "3"], ["south", "5"]]
    assert cells.horizontalHeaderItem(1).text() == "B"
    assert panel.select(lines(panel)["pair"])
    assert panel.cells.count() == 0


def test_that_a_selected_shape_is_outlined_where_it_is_turned(qtbot, page):
    panel = opened(qtbot, page)
    press(K.Key_PageDown)
    pane = page.stage.pane(page.stage.focused)
    qtbot.waitUntil(lambda: pane.view.is_sharp)
    before = pane.view.grab().toImage()
    assert panel.select(lines(panel)["turned"])
    after = pane.view.grab().toImage()
    slide = pane.view.slide_rect()
    (corners,) = lines(panel)["turned"].outlines
    points = [slide.topLeft() + type(slide.topLeft())(x * slide.width(), y * slide.height()) for x, y in corners]
    accent = QColor(theme.color("accent"))
    ratio = after.devicePixelRatio()
    for one, other in zip(points, [*points[1:], points[0]], strict=True):
        middle = (one + other) / 2 * ratio
        assert after.pixelColor(int(middle.x()), int(middle.y())) == accent
    # Nothing is drawn along the bounds of the turned shape, nor inside of it.
    bounds = QPolygonF(points).boundingRect()
    for at in (bounds.topLeft(), bounds.center()):
        x, y = int(at.x() * ratio) + 4, int(at.y() * ratio) + 4
        assert after.pixelColor(x, y) == before.pixelColor(x, y)
    press(K.Key_PageUp)
    assert not pane.view._boxes


def test_that_the_panel_follows_the_focus_and_says_calmly_that_a_pdf_has_no_shapes(qtbot, page):
    panel = opened(qtbot, page)
    with qtbot.waitSignal(page.structure.read):
        press(ctrl(K.Key_2))
    assert panel.layers.currentWidget() is panel.nothing
    assert "pages, not shapes" in panel.nothing._words.text()


def test_that_each_deck_is_read_once_until_its_file_changes(qtbot, page, monkeypatch):
    asked: list[DeckId] = []
    real = compare_structure.deck_tree

    def counted(project, deck, passwords):
        asked.append(deck)
        return real(project, deck, passwords)

    monkeypatch.setattr(compare_structure, "deck_tree", counted)
    opened(qtbot, page)
    with qtbot.waitSignal(page.structure.read):
        press(ctrl(K.Key_2))
    press(ctrl(K.Key_1), K.Key_PageDown, K.Key_PageUp, K.Key_T, K.Key_T, ctrl(K.Key_2))
    assert len(asked) == 2


def test_that_a_damaged_file_says_why_and_can_be_read_again(qtbot, window, study):
    with Project.open(study) as project:
        for deck in deck_store.list_decks(project):
            if deck.format == DeckFormat.PPTX:
                project.asset_path(deck.asset, deck.extension).write_bytes(b"PK broken")
    page = open_on(qtbot, window, study, "compare")
    panel = opened(qtbot, page)
    assert panel.layers.currentWidget() is panel.failed
    with qtbot.waitSignal(page.structure.read):
        QTest.keyClick(panel.failed.retry_button, K.Key_Space)
    assert panel.layers.currentWidget() is panel.failed


def test_that_a_blind_viewer_has_no_way_to_the_structure(qtbot, app_theme, settings, study):
    with shown_window(app_theme, settings, role="annotator") as blind:
        page = open_on(qtbot, blind, study, "compare")
        assert page.structure is None
        assert page.structure_button.parent() is None
        assert "compare.structure" not in {action.id for action in page.actions()}
        press(K.Key_T)
