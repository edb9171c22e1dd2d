"""The two themes: colours by name, a palette and one style sheet; follows the desktop or is set."""

from __future__ import annotations

import json
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from studio import paths
from studio.gui.style_sheet import style_sheet
from studio.settings import ThemeChoice

BODY_PX = 13
CAPTION_PX = 11

SYSTEM_MARKERS = ("o", "s", "t", "d", "+", "x", "p", "star")
"""pyqtgraph symbols, one for each of the colours system_1 … system_8: colour is never the only difference."""


CHINESE_FAMILIES = (
    "PingFang SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
)


@cache
def _chinese_families() -> tuple[str, ...]:
    installed = set(QFontDatabase.families())
    return tuple(name for name in CHINESE_FAMILIES if name in installed)


@cache
def tokens() -> dict[str, dict[str, str]]:
    """Return the colours as `{"light": {name: "#rrggbb"}, "dark": {…}}`."""
    return json.loads(paths.resource("themes/tokens.json").read_text(encoding="utf-8"))


class Theme(QObject):
    """The colours in use. `theme_changed` is sent after palette and style sheet are in place."""

    theme_changed = Signal()

    def __init__(
        self, app: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app = app
        self._choice = choice
        self._is_dark = False
        app.setStyle(QStyleFactory.create("fusion"))
        app.setFont(body_font())
        app.styleHints().colorSchemeChanged.connect(self._on_color_scheme_changed)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        """What the user chose."""
        return self._choice

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are in use now."""
        return self._is_dark

    def choose(self, choice: ThemeChoice) -> None:
        """Use light, dark or whatever the desktop uses, from now on."""
        if choice is not self._choice:
            self._choice = choice
            self._apply()

    def css(self, name: str) -> str:
        """Return a colour as `#rrggbb`.

        Raises:
            KeyError: if no colour has this name.
        """
        return tokens()["dark" if self._is_dark else "light"][name]

    def color(self, name: str) -> QColor:
        """Return a colour by its name in `themes/tokens.json`.

        Raises:
            KeyError: if no colour has this name.
        """
        return QColor(self.css(name))

    @Slot(Qt.ColorScheme)
    def _on_color_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        desktop_is_dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self._is_dark = {
            ThemeChoice.LIGHT: False,
            ThemeChoice.DARK: True,
            ThemeChoice.SYSTEM: desktop_is_dark,
        }[self._choice]
        self._app.setPalette(_palette(self))
        name = "dark" if self._is_dark else "light"
        tick = paths.resource(f"icons/tick-{name}.svg").as_posix()
        arrow = paths.resource(f"icons/arrow-{name}.svg").as_posix()
        self._app.setStyleSheet(style_sheet(tokens()[name], check_mark=tick, arrow=arrow))
        self.theme_changed.emit()


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for target, name in {
        role.Window: "window",
        role.WindowText: "text",
        role.Base: "surface",
        role.AlternateBase: "surface_hover",
        role.ToolTipBase: "surface_raised",
        role.ToolTipText: "text",
        role.PlaceholderText: "text_muted",
        role.Text: "text",
        role.Button: "surface",
        role.ButtonText: "text",
        role.BrightText: "bad",
        role.Highlight: "accent",
        role.HighlightedText: "on_accent",
        role.Link: "accent",
        role.LinkVisited: "accent",
        role.Light: "surface_raised",
        role.Midlight: "surface_hover",
        role.Mid: "hairline",
        role.Dark: "hairline_strong",
        role.Shadow: "hairline_strong",
        role.Accent: "accent",
    }.items():
        palette.setColor(target, theme.color(name))
    for target in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, theme.color("text_disabled"))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, theme.color("track"))
    return palette


def body_font() -> QFont:
    """Return the desktop's own font at the body size, with a named font for Chinese behind it."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    # Left to itself, fontconfig may pick the bold cut of the fallback font for regular text.
    # The resolved name, since an alias such as "Sans Serif" is no family and would be passed over.
    font.setFamilies([QFontInfo(font).family(), *_chinese_families()])
    font.setPixelSize(BODY_PX)
    return font


def sized_font(pixels: int, *, bold: bool = False, tabular: bool = False) -> QFont:
    """Return the desktop's font at a size in logical pixels, with figures of equal width if asked."""
    font = body_font()
    font.setPixelSize(pixels)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    if tabular:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


_current: Theme | None = None


def install(theme: Theme | None) -> None:
    """Make this the theme that widgets ask for their colours; None before its application ends."""
    global _current
    _current = theme


def current() -> Theme:
    """Return the theme in use; one that follows the desktop is made where none was installed.

    Raises:
        RuntimeError: if there is no QApplication yet.
    """
    global _current
    if _current is None:
        app = QGuiApplication.instance()
        if not isinstance(app, QApplication):
            raise RuntimeError("a theme needs a QApplication")
        _current = Theme(app, parent=app)
    return _current


def color(name: str) -> QColor:
    """Return a colour of the theme in use."""
    return current().color(name)
