from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtTest import QAbstractItemModelTester, QTest
from shiboken6 import isValid

from studio.errors import StudioError
from studio.gui.image_cache import ImageCache, ImageKey, read_picture
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.slide_view import SlideState, SlideView
from tests.gui.pictures import draw_deck, draw_slide
from tests.gui.reading import finish_reading


@pytest.fixture
def cache():
    return ImageCache(64_000_000)


@pytest.fixture
def view(qtbot, app_theme, background, cache):
    made = SlideView(background, cache)
    qtbot.addWidget(made)
    made.resize(664, 384)  # 640 × 360 inside the margin of 12
    made.show()
    return made


def show(qtbot, view, path, **more):
    with qtbot.waitSignal(view.picture_shown):
        view.show_slide(path, **more)


def test_that_the_cache_keeps_to_its_bytes_and_drops_the_longest_unused(qapp):
    # 10 × 10 pixels at 4 bytes are 400 bytes: two fit into 1,000.
    cache = ImageCache(1_000)
    a, b, c = (ImageKey(name) for name in "abc")
    cache.put(a, QPixmap(10, 10))
    cache.put(b, QPixmap(10, 10))
    assert cache.get(a) is not None
    cache.put(c, QPixmap(10, 10))
    assert (cache.used_bytes, len(cache)) == (800, 2)
    assert cache.get(b) is None
    assert cache.get(a) is not None
    cache.put(ImageKey("too large"), QPixmap(20, 20))
    assert len(cache) == 2
    cache.set_limit(500)
    assert (cache.used_bytes, len(cache)) == (400, 1)


def test_that_the_cache_knows_the_largest_version_of_a_file(qapp, tmp_path):
    cache, path = ImageCache(100_000), tmp_path / "s.png"
    cache.put(ImageKey(str(path), 10, 10), QPixmap(10, 10))
    cache.put(ImageKey(str(path), 30, 30), QPixmap(30, 30))
    assert cache.largest(path).width() == 30
    cache.discard(ImageKey(str(path), 30, 30))
    assert cache.largest(path).width() == 10
    cache.clear()
    assert cache.largest(path) is None


def test_that_a_picture_is_read_smaller_but_never_larger(qapp, tmp_path):
    path = draw_slide(tmp_path / "s.png", width=800)
    small, large = read_picture(path, QSize(200, 200)), read_picture(path, QSize(5000, 5000))
    assert (small.image.width(), small.native.width()) == (200, 800)
    assert large.image.width() == 800
    with pytest.raises(StudioError, match="missing"):
        read_picture(tmp_path / "none.png")
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    with pytest.raises(StudioError, match=r"bad\.png cannot be shown"):
        read_picture(tmp_path / "bad.png")


def test_that_the_sharp_picture_has_exactly_the_pixels_of_its_place(qtbot, view, tmp_path):
    show(qtbot, view, draw_slide(tmp_path / "s.png", width=1600))
    assert view.state is SlideState.SHOWN
    assert view.is_sharp
    assert view.fit_rect() == QRectF(12, 12, 640, 360)
    assert view._pixmap.size() == QSize(640, 360)


def test_that_the_thumbnail_is_painted_before_the_sharp_picture_and_nothing_jumps(
    qtbot, view, tmp_path, cache, background
):
    picture, thumbnail = draw_deck(tmp_path, look=2, slides=1)[0]
    strip = FilmStrip(background, cache)
    qtbot.addWidget(strip)
    strip.resize(300, 50)
    strip.set_slides([StripSlide(number=1, thumbnail=thumbnail)])
    strip.show()
    qtbot.waitUntil(lambda: cache.largest(thumbnail) is not None)
    view.show_slide(picture, thumbnail=thumbnail)
    assert not view.is_sharp
    before = view.slide_rect()
    ground = view.grab().toImage().pixelColor(30, 300)
    assert abs(ground.blue() - QColor("#fff7ea").blue()) <= 3
    qtbot.waitUntil(lambda: view.is_sharp)
    assert view.slide_rect() == before


def test_that_a_white_slide_has_a_hairline(qtbot, view, tmp_path, app_theme):
    show(qtbot, view, draw_slide(tmp_path / "s.png", look=0))
    image = view.grab().toImage()
    assert image.pixelColor(300, 11).name() == app_theme.css("slide_edge")
    assert image.pixelColor(300, 14).name() == "#ffffff"


def test_that_zoom_is_relative_to_fit_for_any_shape(qtbot, view, tmp_path):
    show(qtbot, view, draw_slide(tmp_path / "s.png", aspect=4 / 3))
    assert view.slide_rect() == QRectF(92, 12, 480, 360)  # 360 · 4/3 = 480
    view.set_zoom(2.0)
    assert view.slide_rect().size().toSize() == QSize(960, 720)
    qtbot.waitUntil(lambda: view._pixmap.width() == 960)


def test_that_zoom_and_centre_survive_a_change_of_slide(qtbot, view, tmp_path):
    show(qtbot, view, draw_slide(tmp_path / "1.png"))
    view.set_zoom(3.0, QPointF(0.3, 0.6))
    show(qtbot, view, draw_slide(tmp_path / "2.png", number=2))
    assert view.zoom == 3.0
    assert view.centre == QPointF(0.3, 0.6)


def test_that_zooming_keeps_the_point_under_the_mouse(qtbot, view, tmp_path):
    show(qtbot, view, draw_slide(tmp_path / "s.png"))
    at = QPointF(200, 150)
    before = view._to_slide(at, view.slide_rect())
    view.zoom_by(2.0, at)
    after = view._to_slide(at, view.slide_rect())
    assert (after - before).manhattanLength() < 0.005


def test_that_a_drag_moves_a_zoomed_slide_and_never_past_its_edge(qtbot, view, tmp_path):
    show(qtbot, view, draw_slide(tmp_path / "s.png"))
    view.set_zoom(2.0)
    moved = []
    view.centre_changed.connect(moved.append)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPointF(300, 200).toPoint())
    QTest.mouseMove(view, QPointF(236, 200).toPoint())
    # 64 pixels to the left on a slide of 1,280 pixels: the centre goes 0.05 to the right.
    assert moved[-1].x() == pytest.approx(0.55)
    QTest.mouseMove(view, QPointF(-5000, 200).toPoint())
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPointF(-5000, 200).toPoint())
    # The view shows 664 of 1,280 pixels; the centre stops half of that before the edge.
    assert view.centre.x() == pytest.approx(1 - 664 / 1280 / 2)


def test_that_a_drawn_box_comes_in_fractions_of_the_slide(qtbot, view, tmp_path):
    show(qtbot, view, draw_slide(tmp_path / "s.png"))
    view.set_drawing(True)
    with qtbot.waitSignal(view.box_drawn) as drawn:
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPointF(12 + 64, 12 + 36).toPoint())
        QTest.mouseMove(view, QPointF(12 + 320, 12 + 180).toPoint())
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPointF(12 + 320, 12 + 180).toPoint())
    box = drawn.args[0]
    assert (box.left(), box.top(), box.right(), box.bottom()) == pytest.approx((0.1, 0.1, 0.5, 0.5))


def test_that_a_clamped_view_shows_a_dash_and_forgets_what_was_on_its_way(qtbot, view, tmp_path, background):
    view.show_slide(draw_slide(tmp_path / "s.png"))
    view.show_clamped()
    finish_reading(qtbot, background)
    assert view.state is SlideState.CLAMPED
    assert view.words == "—"


def test_that_a_broken_picture_says_why_and_can_be_retried(qtbot, view, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"x")
    view.show_slide(broken)
    qtbot.waitUntil(lambda: view.state is SlideState.FAILED)
    assert "broken.png cannot be shown" in view.words
    with qtbot.waitSignal(view.retried):
        QTest.mouseClick(view, Qt.MouseButton.LeftButton)
    draw_slide(broken)
    show(qtbot, view, broken)


def test_that_only_the_last_of_many_slides_is_shown(qtbot, view, tmp_path, background):
    paths = [draw_slide(tmp_path / f"{n}.png", look=n, width=400) for n in range(5)]
    for path in paths:
        view.show_slide(path)
    qtbot.waitUntil(lambda: view.is_sharp)
    finish_reading(qtbot, background)
    assert view.grab().toImage().pixelColor(30, 300).name() == "#fafafa"


def test_that_a_view_may_go_while_its_picture_is_read(qtbot, app_theme, background, cache, tmp_path):
    view = SlideView(background, cache)
    view.show_slide(draw_slide(tmp_path / "s.png", width=3000))
    view.deleteLater()
    finish_reading(qtbot, background)
    assert not isValid(view)


def test_that_the_film_strip_reads_only_what_is_in_sight(qtbot, app_theme, background, cache, tmp_path):
    thumbnail = [draw_slide(tmp_path / f"{n}.png", number=n, width=128) for n in range(300)]
    strip = FilmStrip(background, cache)
    qtbot.addWidget(strip)
    QAbstractItemModelTester(strip.model(), QAbstractItemModelTester.FailureReportingMode.Fatal, strip)
    strip.resize(400, 50)
    strip.set_slides([StripSlide(number=n + 1, thumbnail=path) for n, path in enumerate(thumbnail)])
    strip.show()
    qtbot.waitUntil(lambda: cache.largest(thumbnail[0]) is not None)
    finish_reading(qtbot, background)
    assert len(cache) < 20
    strip.set_current(250)
    qtbot.waitUntil(lambda: cache.largest(thumbnail[249]) is not None)
    assert strip.visualRect(strip.model().index(249, 0)).intersects(strip.viewport().rect())
    assert len(cache) < 40


def test_that_a_click_on_the_strip_asks_for_the_slide_and_shift_for_all(qtbot, app_theme, background, cache):
    strip = FilmStrip(background, cache)
    qtbot.addWidget(strip)
    strip.resize(600, 50)
    strip.set_slides([StripSlide(number=n, is_hidden=n == 2) for n in range(1, 6)])
    strip.show()
    place = strip.visualRect(strip.model().index(2, 0)).center()
    with qtbot.waitSignal(strip.slide_picked) as picked:
        QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(strip.slide_picked_for_all) as for_all:
        QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, place)
    assert (picked.args, for_all.args) == ([3], [3])
    assert strip.model().index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "Slide 2, hidden"


def test_that_a_missing_thumbnail_is_told_and_tried_once(qtbot, app_theme, background, cache, tmp_path):
    strip = FilmStrip(background, cache)
    qtbot.addWidget(strip)
    strip.set_slides([StripSlide(number=1, thumbnail=tmp_path / "gone.png")])
    strip.resize(300, 50)
    strip.show()
    index = strip.model().index(0, 0)
    qtbot.waitUntil(lambda: "gone.png is missing" in index.data(Qt.ItemDataRole.ToolTipRole))


SHARP_AT_TWO = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.widgets.slide_view import SlideView
from tests.gui.pictures import draw_slide
app = QApplication([])
background = Background()
view = SlideView(background, ImageCache(64_000_000))
view.resize(664, 384)
view.show()
view.picture_shown.connect(app.quit)
view.show_slide(draw_slide(Path(sys.argv[1]), width=2000))
app.exec()
print(view.devicePixelRatioF(), view._pixmap.width(), view.grab().width())
background.shutdown()
"""


def test_that_a_slide_is_sharp_at_twice_the_pixels(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", SHARP_AT_TWO, str(tmp_path / "s.png")],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"QT_SCALE_FACTOR": "2", "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).resolve().parents[2],
    )
    # 640 logical pixels of slide in a view of 664 are 1,280 and 1,328 on the screen.
    assert ended.stdout.split() == ["2.0", "1280", "1328"], ended.stderr
