from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from studio.actions import align
from studio.gui.models.methods_table import INTERVAL, MethodsTable
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.plots.heat_map import HeatCell, HeatMap, HeatRow, cell_colour
from studio.gui.plots.interval import scale_of
from studio.gui.plots.picture import save_picture
from studio.gui.plots.scatter import Mark, Scatter, system_styles
from studio.gui.projects import studio_services
from studio.model.changes import Topic, changed
from studio.settings import ThemeChoice
from tests.gui import projects
from tests.gui.evidence import add_ranking, add_scores
from tests.gui.fake_project import fake_pages
from tests.gui.studies import window_of

SYSTEMS = ("alpha", "beta", "gamma", "delta")
NAMES = ("one", "two", "three")


def make_study(folder: Path, *, with_rankings: bool = True, with_scores: bool = True) -> Path:
    project = projects.make_project(folder, instances=0, systems=())
    for name in NAMES:
        projects.add_instance(project, name, title=name.title())
        for system in SYSTEMS:
            projects.add_deck(project, f"i_{name}", system, slides=1)
        if with_rankings:
            add_ranking(project, "ada", name, SYSTEMS, is_sample=True)
            add_ranking(project, "bo", name, SYSTEMS if name == "one" else ("beta", "alpha", "gamma", "delta"))
        if with_scores:
            add_scores(project, "aesthetics.total", name, dict(zip(SYSTEMS, (9, 8, 7, 6), strict=True)))
            add_scores(project, "aesthetics.harmony", name, dict(zip(SYSTEMS, (1, 3, 2, 4), strict=True)))
            low = (1, 2, None, None) if name == "two" else (4, 2, 3, 1)
            add_scores(project, "aesthetics.usability", name, dict(zip(SYSTEMS, low, strict=True)))
    project.close()
    return folder


@pytest.fixture
def study(tmp_path):
    return make_study(tmp_path / "study")


@pytest.fixture
def window(app_theme, settings):
    others = [page for page in fake_pages() if page.page_id in ("library", "compare", "rank", "runs", "review")]
    with window_of(app_theme, settings, *others, AlignmentPage) as made:
        yield made


def opened(qtbot, window, folder) -> AlignmentPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="alignment")
    page = window.page("alignment")
    qtbot.waitUntil(lambda: page.states.currentWidget() is not page.loading)
    return page


def shown(page: AlignmentPage, column: int) -> list[str]:
    return [page.methods.index(row, column).data() for row in range(page.methods.rowCount())]


def test_that_the_table_shows_the_numbers_of_the_command_line(qtbot, window, study):
    page = opened(qtbot, window, study)
    stated = align.as_json(align.methods_table(window.context.project))["methods"]
    rows = page.methods.rows()
    assert [row.name for row in rows] == [*(item["method"] for item in stated), "people"]
    for row, item in zip(rows, stated, strict=False):
        assert (row.mean_rho, row.std_rho, row.identical) == (item["mean_rho"], item["std_rho"], item["identical"])
        assert (row.ci_low, row.ci_high, row.n_defined) == (item["ci_low"], item["ci_high"], item["n_defined"])
    assert shown(page, 2) == [f"{row.mean_rho:.2f}".replace("-", "−") for row in rows]
    assert page.methods.ceiling == stated[0]["ceiling"]["value"]


def test_that_undefined_instances_are_counted_with_their_reason(qtbot, window, study):
    page = opened(qtbot, window, study)
    row = [row.name for row in page.methods.rows()].index("aesthetics.usability")
    assert page.methods.index(row, 5).data() == "2 / 3"
    assert "1 × fewer than three decks" in page.methods.index(row, 5).data(Qt.ItemDataRole.ToolTipRole)


def test_that_invented_people_are_said_to_be_sample_data(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert page.sample.text() == "sample data"
    assert page.head.facts_label.full_text() == "3 instances · 4 systems · 2 annotators"


def test_that_the_level_changes_the_numbers_and_hides_a_ceiling_that_does_not_fit(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.level.setFocus()
    for words in ("Per scenario", "Per system", "Pooled"):
        QTest.keyClick(page.level, Qt.Key.Key_Down)
        assert page.level.currentText() == words
    # `activated` is sent for the keyboard, too.
    qtbot.waitUntil(lambda: page.methods.headerData(2, Qt.Orientation.Horizontal, 0) == "ρ")
    pooled = align.methods_table(window.context.project, level="pooled")
    assert [row.mean_rho for row in page.methods.rows()[:-1]] == [m.mean_rho for m in pooled.methods.values()]
    assert page.methods.ceiling is None
    assert set(shown(page, 3)[:-1]) == {"–"}


def test_that_levels_which_disagree_in_sign_are_named(qtbot, window, tmp_path):
    folder = make_study(tmp_path / "study")
    project = studio_services().open(folder)
    # Two instances follow the people; the third is turned round with values that drown the others' in the means
    # of the systems. Per instance (−1 + 0.949 + 0.949) / 3 = 0.30, per system −1.
    for name, values in zip(NAMES, ((1000, 2000, 3000, 4000), (4, 3, 2, 1), (4, 3, 2, 1)), strict=True):
        add_scores(project, "somebody.else", name, dict(zip(SYSTEMS, values, strict=True)))
    project.close()
    page = opened(qtbot, window, folder)
    row = next(row for row in page.methods.rows() if row.name == "somebody.else")
    assert row.kind == "imported"
    assert row.signs_disagree
    assert page.warning.isVisible()
    assert "somebody.else: per instance 0.30" in page.warning.full_text()
    assert "per system −1.00" in page.warning.full_text()


def test_that_another_method_can_be_the_one_to_compare_with(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert shown(page, 6)[0] == "–"
    page.base.setFocus()
    QTest.keyClick(page.base, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.methods.row(0).paired is not None)
    total = page.methods.row(0).paired
    assert (total.n, total.p, total.is_exact) == (3, 0.25, True)
    # Three equal signs of eight flips are reached by all plus and all minus: 2/8.
    assert shown(page, 6)[1] == "–"


def test_that_sorting_leaves_the_people_last(qtbot, window, study):
    page = opened(qtbot, window, study)
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        page.table.sortByColumn(2, order)
        assert page.methods.rows()[-1].is_people
    assert page.methods.rows()[0].name == "aesthetics.total"


def test_that_the_model_keeps_its_promises(qtbot, window, study):
    page = opened(qtbot, window, study)
    model = MethodsTable()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_view(page._view)
    model.sort(INTERVAL, Qt.SortOrder.DescendingOrder)
    assert model.rowCount() == 4


def test_that_the_heat_map_leads_to_an_instance_by_keyboard(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.plots.heat.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(page.plots.heat, key)
    # Mean ranks 1.5, 1.5, 3, 4 against ranks 4, 2, 3, 1 by score: −3 / √(4.5 · 5) = −0.632.
    assert page.plots.heat_panel.head.facts_label.full_text() == "Harmony · Two: ρ −0.63, 4 decks, 2 annotators"
    QTest.keyClick(page.plots.heat, Qt.Key.Key_Return)
    assert window.current_page_id() == "compare"
    assert window.page("compare").told[-1] == {"instance": "i_two"}


def test_that_a_click_on_a_cell_opens_its_instance_and_the_tip_says_the_number(qtbot, window, study):
    page = opened(qtbot, window, study)
    usability = [row.name for row in page._view.rows].index("aesthetics.usability")
    assert (
        page.plots.heat.tip(usability, 1)
        == "Usability · Two\nno ρ: fewer than three decks that both sides have (no_text)"
    )
    assert page.plots.heat.tip(0, 0) == "Aesthetics · One\nρ 1.00, 4 decks, 2 annotators"
    QTest.mouseClick(
        page.plots.heat.viewport(), Qt.MouseButton.LeftButton, pos=page.plots.heat.cell_rect(0, 2).center()
    )
    assert window.page("compare").told[-1] == {"instance": "i_three"}


def test_that_the_scatter_plot_follows_the_chosen_method_and_opens_a_deck(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert page.plots.scatter_panel.head.facts_label.full_text() == "n = 12 decks"
    page.table.setFocus()
    for _ in range(2):
        QTest.keyClick(page.table, Qt.Key.Key_Down)
    assert page.plots.scatter_panel.head.title_label.full_text() == "Usability against people"
    assert page.plots.scatter_panel.head.facts_label.full_text() == "n = 10 decks · 2 without a score"
    place = page.plots.scatter.mark_position("d_i_two_alpha")
    with qtbot.waitSignal(page.plots.scatter.mark_opened):
        QTest.mouseClick(page.plots.scatter.plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.page("compare").told[-1] == {"instance": "i_two", "deck": "d_i_two_alpha"}


def test_that_cells_and_marks_lead_to_their_disagreements_by_shift_and_by_the_key(qtbot, window, study):
    page = opened(qtbot, window, study)
    heat, shift = page.plots.heat, Qt.KeyboardModifier.ShiftModifier

    def asked():
        assert window.current_page_id() == "review"
        place = window.page("review").told[-1]
        window.navigate("alignment")
        return place

    harmony = [row.name for row in page._view.rows].index("aesthetics.harmony")
    QTest.mouseClick(heat.viewport(), Qt.MouseButton.LeftButton, shift, pos=heat.cell_rect(harmony, 1).center())
    wanted = {"who": "aesthetics.harmony", "instance": "i_two", "deck": ""}
    assert asked() == wanted
    heat.setFocus()
    QTest.keyClick(heat, Qt.Key.Key_Return, shift)
    assert asked() == wanted
    heat.setFocus()
    QTest.keyClick(heat, Qt.Key.Key_D)
    assert asked() == wanted
    # The people's own row leads to where they disagree with each other.
    QTest.mouseClick(
        heat.viewport(), Qt.MouseButton.LeftButton, shift, pos=heat.cell_rect(len(page._view.rows) - 1, 0).center()
    )
    assert asked() == {"dispute": "people", "instance": "i_one", "deck": ""}
    place = page.plots.scatter.mark_position("d_i_two_alpha")
    with qtbot.waitSignal(page.plots.scatter.disagreements_asked) as told:
        QTest.mouseClick(page.plots.scatter.plot.viewport(), Qt.MouseButton.LeftButton, shift, pos=place)
    deck = told.args[0]  # several decks may lie on one place
    assert asked() == {"who": page._chosen, "instance": deck.removeprefix("d_").removesuffix("_alpha"), "deck": deck}


def test_that_new_answers_and_scores_are_taken_in_when_the_page_is_seen(qtbot, window, study):
    page = opened(qtbot, window, study)
    add_scores(window.context.project, "aesthetics.rhythm", "one", dict(zip(SYSTEMS, (4, 3, 2, 1), strict=True)))
    window.announce(changed(Topic.SCORES))
    qtbot.waitUntil(lambda: page.methods.rowCount() == 5)
    window.navigate("library")
    add_ranking(window.context.project, "cy", "one", SYSTEMS)
    window.announce(changed(Topic.ANSWERS))
    assert page.head.facts_label.full_text().endswith("2 annotators")
    window.navigate("alignment")
    qtbot.waitUntil(lambda: page.head.facts_label.full_text().endswith("3 annotators"))


@pytest.mark.parametrize(
    ("has", "title", "goes"),
    [
        ({"with_rankings": False}, "No rankings yet", ("rank", None)),
        ({"with_scores": False}, "No scores yet", ("runs", {"new": "metrics"})),
    ],
)
def test_that_an_empty_page_offers_the_one_step_that_helps(qtbot, window, tmp_path, has, title, goes):
    page = opened(qtbot, window, make_study(tmp_path / "study", **has))
    assert page.states.currentWidget() is page.empty
    assert page.empty._title.text() == title
    page.empty.button.setFocus()
    QTest.keyClick(page.empty.button, Qt.Key.Key_Space)
    assert window.current_page_id() == goes[0]
    assert window.page(goes[0]).told[-1] == (goes[1] or "shown")


def test_that_the_table_can_be_copied_and_exported(qtbot, window, study, tmp_path):
    page = opened(qtbot, window, study)
    assert window.shortcuts.trigger("alignment.copy_markdown")
    assert QGuiApplication.clipboard().text().startswith("| Method | mean ρ |")
    assert window.shortcuts.trigger("alignment.copy_csv")
    assert QGuiApplication.clipboard().text().startswith("method,level,mean_rho")
    page.out.write_table(tmp_path / "t.csv")
    qtbot.waitUntil(lambda: (tmp_path / "t.csv").exists())
    assert "aesthetics.usability" in (tmp_path / "t.csv").read_text(encoding="utf-8-sig")


def test_that_a_failed_reading_says_why_and_can_be_tried_again(qtbot, window, study, monkeypatch):
    from studio.errors import ProjectDamaged
    from studio.gui.pages import alignment

    page = opened(qtbot, window, study)

    def fail(*_args, **_more):
        raise ProjectDamaged("study is damaged.", next_step="Restore a copy.")

    monkeypatch.setattr(alignment, "load_alignment", fail)
    window.announce(changed(Topic.SCORES))
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.failed)
    assert page.failed._words.text() == "study is damaged. Restore a copy."
    monkeypatch.undo()
    page.failed.retried.emit()
    qtbot.waitUntil(lambda: page.states.currentWidget() is page.body)


def test_that_plots_come_out_as_vectors_and_as_pixels(qtbot, window, study, tmp_path):
    page = opened(qtbot, window, study)
    for widget, word in ((page.plots.heat, "Usability"), (page.plots.scatter, "mean human rank")):
        text = save_picture(widget, tmp_path / "p.svg").read_text(encoding="utf-8")
        assert word in text
        assert "<image" not in text
        assert save_picture(widget, tmp_path / "p.png").stat().st_size > 1000


def test_that_a_thousand_instances_are_drawn_by_scrolling(qtbot, app_theme):
    heat = HeatMap()
    qtbot.addWidget(heat)
    heat.resize(600, 200)
    cells = tuple(HeatCell(value=None if n % 7 == 0 else n / 1000, tip=f"cell {n}") for n in range(1000))
    heat.set_rows([HeatRow(key="m", title="方法", cells=cells)], [f"i_{n}" for n in range(1000)])
    heat.show()
    assert heat.horizontalScrollBar().maximum() > 0
    heat.setFocus()
    with qtbot.waitSignal(heat.cell_opened) as opened_cell:
        for _ in range(80):
            QTest.keyClick(heat, Qt.Key.Key_Right)
        QTest.keyClick(heat, Qt.Key.Key_Return)
    assert opened_cell.args == ["m", "i_79"]
    assert heat.viewport().rect().contains(heat.cell_rect(0, 79))


def test_that_the_colour_scale_diverges_from_a_neutral_middle(qtbot, app_theme):
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        app_theme.choose(choice)
        assert cell_colour(0.0).name() == app_theme.css("track")
        assert cell_colour(1.0).name() == app_theme.css("system_1")
        assert cell_colour(-1.0).name() == app_theme.css("system_2")


def test_that_systems_differ_in_colour_or_marker_up_to_sixty_four(app_theme):
    styles = system_styles([f"s{n}" for n in range(64)])
    assert len({(colour.name(), marker) for colour, marker in styles.values()}) == 64


def test_that_few_decks_are_labelled_directly_and_many_get_a_legend(qtbot, app_theme):
    scatter = Scatter()
    qtbot.addWidget(scatter)
    scatter.resize(400, 300)
    marks = [Mark(key=f"d{n}", system="ab"[n % 2], x=n, y=-n, tip="") for n in range(20)]
    scatter.set_marks(marks[:2], ["a", "b"], x_words="x", y_words="y")
    assert (len(scatter._labels), scatter.legend.height()) == (2, 0)
    scatter.set_marks(marks, ["a", "b"], x_words="x", y_words="y")
    assert not scatter._labels
    assert scatter.legend.height() > 0


def test_that_the_scale_of_intervals_reaches_down_to_the_lowest_value():
    assert scale_of([0.2, None, 0.9]) == (0.0, 1.0)
    assert scale_of([-0.2, 0.9]) == (-0.5, 1.0)
    assert scale_of([-0.7]) == (-1.0, 1.0)
