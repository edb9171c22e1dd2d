"""The window that explains a deck's numbers, on a project with drawn and measured slides."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from studio.actions import foreign_results, presets, references
from studio.gui.image_cache import ImageCache
from studio.gui.why.hue_mask import DIM_ALPHA, stray_mask
from studio.gui.why.slide_pane import LEVEL_TONES
from studio.gui.why.window import WhyWindow
from studio.jobs.engine import run_job
from studio.jobs.executors import InlineExecutor
from studio.jobs.metrics_job import MetricsJob
from studio.metrics.parameters import PRESETS
from studio.metrics.patterns import Pattern, WcagLevel
from studio.model.runs import RunKind, RunSpec
from studio.store import decks as deck_store
from tests.gui.projects import make_project

HARMONY, USABILITY, ENGAGEMENT, RHYTHM, CUES, FINDINGS, PERCENTILES, RESULT = range(8)


class InlineJob(MetricsJob):
    def executor(self):
        return InlineExecutor()


def measure(project, preset="benchmark"):
    job = InlineJob(RunSpec(kind=RunKind.METRICS, preset=preset))
    ended = run_job(project, job, emit=lambda event: None, cancel=threading.Event())
    assert set(ended.counts) <= {"ok"}


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path / "study", instances=1, systems=("alpha", "beta"), slides=4)
    folder = deck_store.page_folder(made, deck_store.list_decks(made)[0].id)
    faint = Image.new("RGB", (320, 180), "#ffffff")
    pen = ImageDraw.Draw(faint)
    for x in range(20, 160, 4):  # strokes of 1.9:1 inside the deck's one text region
        pen.rectangle((x, 16, x + 1, 28), fill="#bbbbbb")
    faint.save(folder / "slide_0003.png")
    loud = Image.new("RGB", (320, 180), "#2040ff")
    pen = ImageDraw.Draw(loud)
    pen.rectangle((0, 0, 100, 180), fill="#ff2020")
    pen.rectangle((100, 0, 180, 180), fill="#20ff20")
    pen.rectangle((180, 0, 240, 180), fill="#ffe020")
    loud.save(folder / "slide_0004.png")
    measure(made)
    yield made
    made.close()


@pytest.fixture
def open_window(qtbot, project, background, app_theme):
    windows = []

    def show(slide=0, deck=0):
        reported = []
        context = SimpleNamespace(
            project=project, background=background, images=ImageCache(50 << 20), report=reported.append
        )
        window = WhyWindow(context)
        windows.append(window)
        window.show()
        with qtbot.waitSignal(window.explained):
            window.show_deck(deck_store.list_decks(project)[deck].id, "alpha", slide)
        assert not reported
        return window

    yield show
    for window in windows:
        window.close()
        window.setParent(None)
        window.deleteLater()


def go_to_tab(window, place):
    while window.tabs.currentIndex() != place:
        QTest.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)


def test_that_keys_change_slide_and_tab(open_window, qtbot):
    window = open_window()
    assert window.slide.number == 1
    for key, number in ((Qt.Key.Key_PageDown, 2), (Qt.Key.Key_End, 4), (Qt.Key.Key_PageUp, 3), (Qt.Key.Key_Home, 1)):
        QTest.keyClick(window, key)
        assert window.slide.number == number
    QTest.keyClick(window, Qt.Key.Key_PageUp)
    assert window.slide.number == 1
    go_to_tab(window, RHYTHM)
    assert window.tabs.currentWidget() is window.rhythm


def test_that_the_slide_asked_for_comes_first_and_is_told(open_window, qtbot):
    window = open_window(slide=3)
    assert window.slide.number == 3
    with qtbot.waitSignal(window.slide_shown) as told:
        QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert told.args == [window.explanation.deck_id, 4]


def test_that_hues_outside_the_template_stay_in_sight_and_the_rest_is_covered(open_window, qtbot):
    window = open_window()
    go_to_tab(window, HARMONY)
    with qtbot.waitSignal(window.slide.overlay_shown):
        window.show_slide(4)
    strays = window.explanation.slide(4).stray_hues_deg
    assert strays
    image = window.slide.overlay.image
    alphas = {hue: image.pixelColor(x, 90).alpha() for x, hue in ((50, 0), (140, 120), (210, 52), (280, 232))}
    seen = {hue for hue, alpha in alphas.items() if alpha == 0}
    assert seen == {hue for hue in alphas if hue in strays}
    assert set(alphas.values()) == {0, DIM_ALPHA}
    # Another tab takes the cover away.
    go_to_tab(window, ENGAGEMENT)
    assert window.slide.overlay.isHidden()


def test_that_the_mask_follows_hue_and_saturation_of_each_pixel(tmp_path):
    picture = np.zeros((10, 30, 3), np.uint8)
    picture[:, :10] = (255, 0, 0)  # hue 0
    picture[:, 10:20] = (0, 255, 0)  # hue 120
    picture[:, 20:] = (128, 121, 121)  # hue 0, saturation 0.05
    Image.fromarray(picture).save(tmp_path / "p.png")
    mask = stray_mask(tmp_path / "p.png", [0], min_saturation=0.1, cover=QColor("#fff"), edge=QColor("#f00"))
    alphas = [mask.pixelColor(x, 5).alpha() for x in (5, 15, 25)]
    assert alphas == [0, DIM_ALPHA, DIM_ALPHA]
    assert mask.pixelColor(10, 5) == QColor("#f00")  # the rim


def test_that_faint_text_is_named_fog_with_its_region_and_level(open_window, qtbot):
    window = open_window()
    go_to_tab(window, USABILITY)
    assert "fog" in window.usability.found.text()
    window.usability.found.linkActivated.emit("3")
    assert window.slide.number == 3
    (region,) = window.explanation.slide(3).regions
    # #bbbbbb on white: (1 + .05)/(.497 + .05) = 1.92
    assert region.stroke_ratio == pytest.approx(1.92, abs=0.01)
    assert region.level is WcagLevel.FAILS
    (box,) = window.slide.view._boxes
    assert (box.tone, box.label) == ("bad", "1.9:1 ✗ fails")
    assert window.usability.model.data(window.usability.model.index(0, 2)) == LEVEL_TONES[WcagLevel.FAILS][1]
    window.usability.table.selectRow(0)
    assert window.slide.view._boxes[0].tone == "accent"


def test_that_a_click_on_a_point_shows_its_slide(open_window, qtbot):
    window = open_window()
    go_to_tab(window, RHYTHM)
    for plot in (window.rhythm.plot, window.rhythm.bits):
        window.show_slide(1)
        at = plot.point_position(3).toPoint()
        QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at))
        assert window.slide.number == 3


def test_that_scores_and_curves_say_what_the_run_stored(open_window, project):
    window = open_window()
    scores = window.explanation.scores
    for tab, value in (
        (window.harmony, scores.harmony), (window.usability, scores.usability),
        (window.engagement, scores.engagement), (window.rhythm, scores.rhythm),
    ):  # fmt: skip
        assert tab.value.text() == f"{value.value:.2f}".replace("-", "−")
    curves = window.explanation.curves
    assert curves["level"].earned + curves["pacing"].earned == pytest.approx(scores.engagement.value)
    assert curves["entropy"].earned + curves["rmssd"].earned == pytest.approx(scores.rhythm.value)


def test_that_findings_list_patterns_and_flags_and_a_row_opens_its_slide(open_window):
    window = open_window()
    go_to_tab(window, FINDINGS)
    rows = window.findings.model.rows()
    fog = next(number for number, row in enumerate(rows) if "fog" in row.kind and row.slides == (3,))
    window.findings.table.selectRow(fog)
    assert window.slide.number == 3
    assert "3:1" in window.findings.rule.text()
    assert {each.pattern for each in window.explanation.findings} >= {Pattern.FOG, Pattern.GHOSTLY}


def test_that_another_preset_gives_other_numbers_at_the_same_slide(open_window, qtbot, project):
    doubled = PRESETS["benchmark"].to_reference() | {"weight_contrast": 14.0}
    presets.save(project, "doubled", presets.AestheticsParameters.from_reference(doubled), {"kind": "tuned"})
    window = open_window(slide=2)
    before = window.explanation.scores.usability.value
    place = window.preset.findText("doubled")
    window.preset.setCurrentIndex(place)
    with qtbot.waitSignal(window.explained):
        window.preset.activated.emit(place)
    assert window.explanation.scores.usability.value == pytest.approx(2 * before)
    assert window.slide.number == 2
    assert window.preset.currentText() == "doubled"


def test_that_percentiles_are_shown_against_the_chosen_reference(open_window, qtbot, project):
    references.make(project, "both")
    references.make(project, "alone", systems=["beta"])
    window = open_window()
    go_to_tab(window, PERCENTILES)
    rows = {row.figure: row.percentile for row in window.percentiles.model.rows()}
    assert set(rows.values()) <= {25.0, 50.0, 75.0}  # one of two decks is this one
    window.percentiles.choice.setCurrentText("alone")
    with qtbot.waitSignal(window.explained):
        window.percentiles.choice.activated.emit(1)
    rows = {row.figure: row.percentile for row in window.percentiles.model.rows()}
    assert set(rows.values()) <= {0.0, 50.0, 100.0}


def test_that_without_a_reference_the_tab_says_how_to_make_one(open_window):
    window = open_window()
    go_to_tab(window, PERCENTILES)
    assert "studio reference make" in window.percentiles.formula.text()
    go_to_tab(window, RESULT)
    assert "--reference-in" in window.result.formula.text()


def test_that_an_imported_result_stands_beside_ours(open_window, project, tmp_path):
    deck = deck_store.list_decks(project)[0].id
    content = foreign_results.result_of(project, deck)
    content["slides"][1]["colorfulness"] += 1.5
    (tmp_path / "theirs.json").write_text(json.dumps(content))
    foreign_results.import_result(project, deck, tmp_path / "theirs.json")
    window = open_window()
    go_to_tab(window, RESULT)
    assert window.result.unit.text() == "1 of 16 figures differ"
    window.result.pair_table.selectRow(1)
    assert window.slide.number == 2
    assert len(window.result.scores.rows()) == 5


def test_that_a_cue_that_is_picked_is_shown_along_the_deck(open_window):
    window = open_window()
    go_to_tab(window, CUES)
    window.cues.table.selectRow(2)
    assert window.cues.head.text().startswith("Balance")
    assert "slide" in window.cues.plot.csv()


def test_that_a_deck_that_is_not_measured_says_what_to_do(open_window, qtbot, project):
    window = open_window()
    with project.writing() as db:
        db.execute("DROP TRIGGER scores_no_delete")
        db.execute("DELETE FROM scores")
    with qtbot.waitSignal(window.explained):
        window.reload()
    assert window._layers.currentWidget() is window.failed
    measure(project, "paper-text")
    with qtbot.waitSignal(window.explained):
        window.failed.retried.emit()
    assert window._layers.currentWidget() is window.work


def test_that_pictures_that_are_gone_leave_the_numbers(open_window, qtbot, project):
    folder = deck_store.page_folder(project, deck_store.list_decks(project)[0].id)
    for picture in folder.iterdir():
        picture.unlink()
    window = open_window(slide=4)
    assert "removed from the cache" in window.slide.view.words
    go_to_tab(window, USABILITY)
    assert window.usability.model.rowCount() == 1


def test_that_both_themes_are_drawn_with_every_tab(open_window, qtbot, app_theme):
    from studio.settings import ThemeChoice

    window = open_window(slide=4)
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        app_theme.choose(choice)
        for place in range(8):
            go_to_tab(window, place)
            assert not window.grab().isNull()
