from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from studio import paths
from studio.gui import theme
from studio.gui.icons import app_icon, icon
from studio.gui.theme import tokens
from studio.settings import ThemeChoice

TEXT_ON = [
    ("text", "window"),
    ("text", "surface"),
    ("text", "surface_raised"),
    ("text", "surface_hover"),
    ("text", "surface_pressed"),
    ("text", "surface_selected"),
    ("surface", "text"),
    ("text_muted", "window"),
    ("text_muted", "surface"),
    ("text_muted", "surface_hover"),
    ("text_muted", "surface_selected"),
    ("accent", "surface"),
    ("accent", "window"),
    ("accent", "rail_selected"),
    ("accent", "surface_selected"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_accent", "accent_pressed"),
    ("ok", "surface"),
    ("ok", "ok_surface"),
    ("bad", "surface"),
    ("bad", "bad_surface"),
    ("warn", "surface"),
    ("warn", "warn_surface"),
    ("warn", "window"),
    ("on_status", "ok"),
    ("on_status", "bad"),
    ("on_status", "warn"),
    ("on_status", "overlay_box"),
    ("pill_text", "pill"),
    ("key_cap_text", "key_cap"),
    ("highlight_text", "highlight"),
    ("text_muted", "skeleton"),
]


def luminance(css: str) -> float:
    parts = [int(css[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_that_the_contrast_of_black_on_white_is_21_and_of_grey_is_the_published_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)  # WCAG's own example


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_ON)
def test_that_text_has_a_contrast_of_at_least_four_and_a_half(name, ink, ground):
    assert contrast(tokens()[name][ink], tokens()[name][ground]) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_marks_of_systems_have_a_contrast_of_at_least_three_on_a_panel(name):
    colours = tokens()[name]
    systems = [css for key, css in colours.items() if key.startswith("system_")]
    assert len(systems) == len(set(systems)) == len(theme.SYSTEM_MARKERS)
    assert min(contrast(css, colours["surface"]) for css in systems) >= 3.0


def test_that_both_themes_have_the_same_names():
    assert tokens()["light"].keys() == tokens()["dark"].keys()


def test_that_choosing_a_theme_changes_palette_and_tells(qtbot, app_theme, qapp):
    with qtbot.waitSignal(app_theme.theme_changed):
        app_theme.choose(ThemeChoice.DARK)
    assert app_theme.is_dark
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == tokens()["dark"]["surface"]
    assert theme.color("accent").name() == tokens()["dark"]["accent"]
    with pytest.raises(KeyError):
        app_theme.color("no-such-colour")


def test_that_the_system_theme_follows_the_desktop(app_theme, qapp, monkeypatch):
    from PySide6.QtCore import Qt

    app_theme.choose(ThemeChoice.SYSTEM)
    qapp.styleHints().setColorScheme(Qt.ColorScheme.Dark)
    try:
        assert app_theme.is_dark == (qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark)
        qapp.styleHints().setColorScheme(Qt.ColorScheme.Light)
        assert not app_theme.is_dark
    finally:
        qapp.styleHints().unsetColorScheme()


def inks(pixmap) -> set[str]:
    image = pixmap.toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def distance(one: str, other: str) -> int:
    return max(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))


def test_that_every_icon_is_drawn_in_the_colour_of_its_tone(app_theme):
    for path in sorted(paths.resource("icons").glob("*.svg")):
        if path.stem == "podium" or path.stem.startswith(("tick-", "arrow-")):
            continue
        drawn = inks(icon(path.stem, "accent").pixmap(QSize(48, 48)))
        # The rasteriser may round a channel by one.
        assert drawn, path.stem
        assert all(distance(css, tokens()["light"]["accent"]) <= 1 for css in drawn), path.stem


def test_that_an_icon_takes_the_new_colour_after_a_change_of_theme(app_theme):
    kept = icon("flag", "text")
    app_theme.choose(ThemeChoice.DARK)
    assert inks(kept.pixmap(QSize(32, 32))) == {tokens()["dark"]["text"]}


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_that_icons_have_all_the_pixels_of_the_screen(app_theme, ratio):
    pixmap = icon("search").pixmap(QSize(18, 18), ratio)
    assert pixmap.width() == pytest.approx(18 * ratio, abs=1)


def test_that_an_unknown_icon_is_a_fault(app_theme):
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")


def test_that_the_studio_s_icon_has_its_three_steps_at_16_pixels(qapp):
    image = app_icon().pixmap(16, 16).toImage()
    # In the lowest fifth of the picture, each third has a step that is lighter than the blue ground.
    row = [image.pixelColor(x, 11).lightness() for x in range(16)]
    assert all(max(part) > 180 for part in (row[2:6], row[6:10], row[10:14]))


def test_that_the_style_sheet_has_no_rule_that_qt_cannot_read(app_theme, qtbot, qtlog):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    assert not [record for record in qtlog.records if "parse" in record.message.lower()]
