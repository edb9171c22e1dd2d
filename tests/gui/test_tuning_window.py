"""The tuning window, driven by keyboard on a real project."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from shiboken6 import isValid

from studio.actions import ablation, bucket_align, presets
from studio.actions.editability import open_form
from studio.actions.people_and_parser import people_json
from studio.actions.sessions import be_annotator
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.plots.picture import save_picture
from studio.gui.tuning.tables import AblationModel, ParameterModel
from studio.jobs.engine import run_job
from studio.jobs.executors import InlineExecutor
from studio.jobs.metrics_job import MetricsJob
from studio.model.changes import Topic, changed
from studio.model.editability import STEPS, StepAnswer
from studio.model.runs import RunKind, RunSpec
from studio.settings import ThemeChoice
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.evidence import add_ranking
from tests.gui.fake_project import fake_pages
from tests.gui.projects import make_project as make_drawn_project
from tests.gui.studies import window_of
from tests.measured_projects import add_level, measured_project


def make_study(folder, *, ranks=True, levels=True, instances=6):
    project = measured_project(folder, instances=instances, ranks=ranks)
    if levels:
        for place, deck in enumerate(deck_store.list_decks(project)):
            add_level(project, deck.id, place % 6)
    project.close()
    return folder


@pytest.fixture
def study(tmp_path):
    return make_study(tmp_path / "study")


@pytest.fixture
def window(app_theme, settings):
    others = [page for page in fake_pages() if page.page_id in ("library", "compare", "rank", "runs")]
    with window_of(app_theme, settings, *others, AlignmentPage) as made:
        yield made


def opened(qtbot, window, folder):
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="alignment")
    page = window.page("alignment")
    qtbot.waitUntil(lambda: page.states.currentWidget() is not page.loading)
    page.tune.setFocus()
    QTest.keyClick(page.tune, Qt.Key.Key_Space)
    tuning = page.tuning
    qtbot.waitUntil(lambda: tuning.components.states.currentWidget() is not tuning.components.loading)
    qtbot.waitUntil(lambda: tuning.matrix.states.currentWidget() is not tuning.matrix.loading)
    return tuning


def searched(qtbot, tuning, *, trials=30, folds=3):
    form = tuning.search.form
    tuning.show_tab("search")
    form.method.setCurrentIndex(1)
    form.trials.setValue(trials)
    form.folds.setCurrentIndex(form.folds.findData(folds))
    tuning.search.start.setFocus()
    with qtbot.waitSignal(tuning.search_ended, timeout=60_000):
        QTest.keyClick(tuning.search.start, Qt.Key.Key_Space)


def test_that_the_subsets_show_the_numbers_of_the_command_line(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    stated = ablation.as_json(ablation.ablate(window.context.project))["rows"]
    rows = tuning.components.model.rows()
    assert [row.alignment.mean_rho for row in rows] == [row["mean_rho"] for row in stated]
    assert [row.alignment.identical for row in rows] == [row["identical"] for row in stated]
    assert tuning.components.rho.number.text() == f"{stated[-1]['mean_rho']:.3f}".replace("-", "−")


class InlineJob(MetricsJob):
    def executor(self):
        return InlineExecutor()


def test_that_styles_show_the_numbers_of_the_command_line_for_the_chosen_method(qtbot, window, tmp_path):
    project = make_drawn_project(tmp_path / "drawn", instances=2, slides=2)
    run_job(project, InlineJob(RunSpec(kind=RunKind.METRICS)), emit=lambda event: None, cancel=threading.Event())
    for instance in deck_store.list_instances(project):
        add_ranking(project, "Rater (invented)", instance.name, ("alpha", "beta", "gamma"))
    project.close()
    tuning = opened(qtbot, window, tmp_path / "drawn")
    assert tuning.styles.states.currentWidget() is tuning.styles.loading
    with qtbot.waitSignal(tuning.styles_shown):
        tuning.show_tab("styles")
    stated = bucket_align.as_json(bucket_align.bucket_table(window.context.project))
    tab = tuning.styles
    for place in range(tab.method.count()):
        tab.method.setCurrentIndex(place)
        tab.method.activated.emit(place)
        method = tab.method.currentData()
        for row, bucket in zip(tab.model.rows(), stated["buckets"], strict=True):
            within = next(each for each in bucket["within"] if each["method"] == method)
            without = next(each for each in bucket["without"] if each["method"] == method)
            assert (row.bucket.n_decks, row.within.mean_rho, row.without.mean_rho) == (
                bucket["n_decks"], within["mean_rho"], without["mean_rho"],
            )  # fmt: skip


def test_that_forms_of_people_stand_beside_the_parser_and_open_their_deck(qtbot, window, study):
    with Project.open(study, must_write=True) as project:
        deck = deck_store.list_decks(project)[3]
        person = be_annotator(project, "Rater (invented)").id
        form, _ = open_form(project, deck.id, person)
        for step in STEPS:
            form.answer(step.id, StepAnswer.NO if step.id in {"C2", "C3"} else StepAnswer.YES)
        form.submit()
        (stated,) = people_json(project)["decks"]
    tuning = opened(qtbot, window, study)
    tab = tuning.agreement
    qtbot.waitUntil(lambda: tab.states.currentWidget() is tab.body)
    (row,) = tab.forms.rows()
    # Everything but data and motion: text, vector and structure hold, so the level is 3.
    assert (row.people_level, row.parser_level) == (3, stated["parser_level"])
    assert [each.what for each in tab.gates.rows()] == ["T1", "T2", "T3", "T4", "T5", "level"]
    assert [(each.system, each.n_forms) for each in tab.systems.rows()] == [(deck.system, 1)]
    tab.form_table.row_opened.emit(row)
    assert window.current_page_id() == "compare"


def test_that_a_key_on_a_slider_changes_the_numbers_at_once(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    tab = tuning.components
    slider = tab.sliders["aesthetics.usability"]
    slider.setFocus()
    table = ablation.ablate(window.context.project)
    for _ in range(6):
        QTest.keyClick(slider, Qt.Key.Key_PageUp)
        expected = table.with_weights(tab.weights())
        assert tab.rho.number.text() == f"{expected.mean_rho:.3f}".replace("-", "−")
        assert tab.std.number.text() == f"{expected.std_rho:.3f}"
        assert tab.identical.number.text() == f"{100 * expected.identical:.1f}"
    assert tab.weights()["aesthetics.usability"] == 3.0
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert tab.weights()["aesthetics.usability"] == 0.0
    tab.reset.setFocus()
    QTest.keyClick(tab.reset, Qt.Key.Key_Space)
    assert set(tab.weights().values()) == {1.0}
    assert tab.rho.remark.text() == "as the total"


def test_that_leaving_everything_out_says_why_there_is_no_number(qtbot, window, study):
    tab = opened(qtbot, window, study).components
    for slider in tab.sliders.values():
        slider.setFocus()
        QTest.keyClick(slider, Qt.Key.Key_Home)
    assert tab.rho.number.text() == "–"
    assert "Every component is left out" in tab.note.text()


def test_that_choosing_a_subset_puts_the_sliders_there(qtbot, window, study):
    tab = opened(qtbot, window, study).components
    tab.table.setFocus()
    tab.table.selectRow(0)
    QTest.keyClick(tab.table, Qt.Key.Key_Down)
    row = tab.model.rows()[1]
    assert tab.weights() == {name: float(name in row.alignment.components) for name in tab.sliders}
    assert tab.rho.number.text() == f"{row.alignment.mean_rho:.3f}".replace("-", "−")


def test_that_every_step_of_a_slider_is_answered_at_once(qtbot, window, tmp_path):
    tab = opened(qtbot, window, make_study(tmp_path / "big", instances=60, levels=False)).components
    slider = next(iter(tab.sliders.values()))
    slider.setFocus()
    for _ in range(15):
        QTest.keyClick(slider, Qt.Key.Key_Right)
        # No waiting for another thread: the number belongs to the weights as the key comes up.
        expected = tab._table.with_weights(tab.weights()).mean_rho
        assert tab.rho.number.text() == f"{expected:.3f}".replace("-", "−")


def test_that_a_search_shows_what_it_found_and_keeps_it_as_a_preset(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    searched(qtbot, tuning)
    search = tuning.search
    assert search.results.currentWidget() is search.panel
    assert [row.key for row in search.model.rows()] == [
        "weight_contrast", "weight_colorfulness", "weight_harmony", "weight_subband_entropy",
    ]  # fmt: skip
    assert search.gap.text().startswith("In-sample minus out-of-sample ρ:")
    assert "6 instances can hardly support a search" in search.warnings.text()
    assert not search.save.isEnabled()
    search.name.setFocus()
    QTest.keyClicks(search.name, "mine")
    with qtbot.waitSignal(tuning.loaded):
        QTest.keyClick(search.name, Qt.Key.Key_Return)
    stored = presets.preset(window.context.project, "mine")
    assert stored.parameters == search.result.optimum
    assert stored.provenance["kind"] == "tuned"
    assert search.form.start.findText("mine") >= 0


def test_that_a_search_can_be_stopped_and_goes_on(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    tuning.show_tab("search")
    form = tuning.search.form
    form.trials.setValue(400)
    with qtbot.waitSignal(window.context.background.events, timeout=60_000):
        tuning.search.start.setFocus()
        QTest.keyClick(tuning.search.start, Qt.Key.Key_Space)
    assert tuning.search.start.text() == "Stop"
    assert not form.isEnabled()
    with qtbot.waitSignal(tuning.search_ended, timeout=60_000):
        QTest.keyClick(tuning.search.start, Qt.Key.Key_Space)
    assert tuning.search.stage.text().startswith("Stopped")
    assert tuning.search.start.text() == "Search"
    assert form.isEnabled()


def test_that_a_search_that_cannot_be_done_says_why(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    form = tuning.search.form
    form.fit_on.setCurrentIndex(1)
    searched(qtbot, tuning)
    assert tuning.search.results.currentWidget() is tuning.search.failed
    form.choose([])
    assert not tuning.search.start.isEnabled()


def test_that_closing_the_project_in_the_middle_of_a_search_leaves_nothing(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    tuning.search.form.trials.setValue(2000)
    with qtbot.waitSignal(window.context.background.events, timeout=60_000):
        tuning.search.start.click()
    with qtbot.waitSignal(window.project_closed, timeout=60_000):
        window.close_project()
    assert window.page("alignment") is None
    assert not isValid(tuning) or not tuning.isVisible()


def test_that_a_click_on_a_deck_opens_it_in_compare(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    tuning.show_tab("matrix")
    plot = tuning.matrix.plot
    deck = deck_store.list_decks(window.context.project)[0]
    qtbot.waitUntil(lambda: plot.plot.viewport().width() > 300)
    plot.plot.grab()  # lays the scene out
    gone = []
    tuning.matrix.deck_opened.connect(gone.append)
    QTest.mouseClick(plot.plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.mark_position(deck.id))
    assert len(gone) == 1
    assert window.current_page_id() == "compare"


def test_that_lines_set_by_hand_are_stated(qtbot, window, study):
    tuning = opened(qtbot, window, study)
    tuning.show_tab("matrix")
    matrix = tuning.matrix
    assert "median of the decks that have both values" in matrix.rule.text()
    matrix.medians.setFocus()
    QTest.keyClick(matrix.medians, Qt.Key.Key_Space)
    matrix.edits.setFocus()
    matrix.edits.selectAll()
    QTest.keyClicks(matrix.edits, "4")
    QTest.keyClick(matrix.edits, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "level 4.00 (set by hand)" in matrix.rule.text())


def test_that_the_matrix_leaves_as_svg_png_and_csv(qtbot, window, study, tmp_path):
    tuning = opened(qtbot, window, study)
    tuning.show_tab("matrix")
    plot = tuning.matrix.plot
    assert save_picture(plot, tmp_path / "matrix.svg").read_text().startswith("<?xml")
    assert save_picture(plot, tmp_path / "matrix.png").stat().st_size > 1000
    menu = plot.menu()
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == ["Copy plot", "Save plot as SVG…", "Save plot as PNG…", "Copy values as CSV"]
    menu.actions()[-1].trigger()
    assert QGuiApplication.clipboard().text().startswith("instance,deck_id,system,total,level,quadrant")
    menu.close()
    menu.deleteLater()


def test_that_a_project_without_levels_or_rankings_says_what_to_do(qtbot, window, tmp_path):
    page_study = make_study(tmp_path / "bare", levels=False)
    tuning = opened(qtbot, window, page_study)
    assert tuning.matrix.states.currentWidget() is tuning.matrix.empty


def test_that_new_answers_are_read_again_and_the_theme_is_followed(qtbot, window, study, app_theme):
    tuning = opened(qtbot, window, study)
    with qtbot.waitSignal(tuning.loaded):
        window.page("alignment").on_changes(changed(Topic.ANSWERS))
    tuning.show_tab("matrix")
    app_theme.choose(ThemeChoice.DARK)
    dark = tuning.matrix.plot.grab().toImage().pixelColor(QPoint(3, 3))
    app_theme.choose(ThemeChoice.LIGHT)
    assert tuning.matrix.plot.grab().toImage().pixelColor(QPoint(3, 3)).lightness() > dark.lightness()


def test_that_both_tables_are_item_models(qapp):
    for model in (AblationModel(), ParameterModel()):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
