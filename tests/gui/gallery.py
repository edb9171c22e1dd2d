"""Grabs every shared widget and the window to PNGs, light and dark: `python tests/gui/gallery.py FOLDER`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QEventLoop, QRectF, Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from studio.gui import theme
from studio.gui.background import Background
from studio.gui.icons import icon
from studio.gui.image_cache import ImageCache
from studio.gui.main_window import MainWindow
from studio.gui.theme import Theme
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.keycap import KeyCap, KeyCapButton
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.pane_grid import PaneGrid
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.slide_view import Box, SlideView
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.status_line import StatusLine
from studio.gui.widgets.switch import Switch
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.settings import ThemeChoice, load
from tests.gui.fake_project import fake_pages, fake_services
from tests.gui.pictures import draw_deck

LONG_NAME = "2023 年全国高校教学成果汇报（最终版）_修订稿_v12_presentation_for_the_committee.pptx"


def settle(milliseconds: int = 400) -> None:
    """Let pictures arrive."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def buttons() -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setSpacing(12)
    rows = [
        [KeyCapButton("Guidelines v2", "F1"), KeyCapButton("Source", "S"), KeyCapButton("Contact sheet")],
        [
            KeyCapButton("Submit and next", "Enter", is_primary=True),
            KeyCapButton("New run", is_primary=True, icon=icon("plus", "on_accent")),
            KeyCapButton("Export", icon=icon("download")),
        ],
        [
            KeyCapButton("Yes", "Y", tone="ok"),
            KeyCapButton("No", "N", tone="bad"),
            KeyCapButton("Cannot tell", "U", tone="warn"),
        ],
        [KeyCapButton("Slide", is_compact=True), KeyCapButton("Sync", "L"), KeyCap("Alt+↑↓")],
    ]
    rows[2][1].setCheckable(True)
    rows[2][1].setChecked(True)
    rows[3][1].setCheckable(True)
    rows[3][1].setChecked(True)
    disabled = KeyCapButton("Submit and next", "Enter", is_primary=True)
    disabled.setEnabled(False)
    rows[3].append(disabled)
    for row, widgets in enumerate(rows):
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, row, column)
    for column, (text, tone) in enumerate(
        [
            ("lecture", ""),
            ("5 decks", ""),
            ("yes", "ok"),
            ("no", "bad"),
            ("cannot tell", "warn"),
            ("v3", "accent"),
        ]
    ):
        grid.addWidget(Badge(text, tone), 4 + column // 4, column % 4)
    return holder


def inputs() -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setSpacing(8)
    head = PageHead("Computer storage, chapter 1", "instance 12 of 40")
    head.set_badges("lecture", "5 decks")
    column.addWidget(head)
    for words, is_on in (("Harmony", True), ("annotator 3", False)):
        switch = Switch(words)
        switch.setChecked(is_on)
        column.addWidget(switch)
    line = QLineEdit()
    line.setPlaceholderText("Search decks and sources")
    box = QComboBox()
    box.addItems(["Per instance", "Pooled"])
    note = QPlainTextEdit("flash is missing 缺少闪存")
    note.setMaximumHeight(60)
    ticked, open_box = QCheckBox("Show keys on controls"), QCheckBox("Reduce motion")
    ticked.setChecked(True)
    radio = QRadioButton("Follow the system")
    radio.setChecked(True)
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setRange(0, 100)
    bar.setValue(43)
    for widget in (line, box, note, ticked, open_box, radio, bar):
        column.addWidget(widget)
    for tone in ("title", "question", "heading", "muted", "caption", "ok", "bad", "warn"):
        column.addWidget(toned_label(f"{tone}: 2 decks unranked: C, E · 未排序", tone))
    return holder


def slides(background: Background, cache: ImageCache, folder: Path) -> QWidget:
    grid = PaneGrid()
    panes = []
    for look in range(5):
        deck = draw_deck(folder, look=look, slides=9, aspect=4 / 3 if look == 4 else 16 / 9)
        aspect = 4 / 3 if look == 4 else 16 / 9
        pane = Panel("ABCDE"[look], "slide 4 / 9" if look else LONG_NAME)
        pane.head.add_badge(Badge(str(look + 1)))
        pane.head.add_control(KeyCap(f"Ctrl+{look + 1}"))
        view = SlideView(background, cache)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(view, 1)
        column.addWidget(hairline())
        strip = FilmStrip(background, cache)
        marks = {2: "ok", 5: "bad", 6: "warn"}
        strip.set_slides(
            [
                StripSlide(
                    number=number,
                    thumbnail=thumbnail if number != 8 else None,
                    is_hidden=number == 3,
                    mark=marks.get(number, ""),
                )
                for number, (_, thumbnail) in enumerate(deck, start=1)
            ],
            aspect=aspect,
        )
        strip.set_current(4)
        column.addWidget(strip)
        pane.set_body(holder)
        panes.append(pane)
        if look == 2:
            view.show_clamped()
        elif look == 3:
            view.show_failed("Slide 4 could not be drawn.", "LibreOffice stopped after 60 s. Click to retry.")
        else:
            view.show_slide(deck[3][0], thumbnail=deck[3][1], aspect=aspect)
        if look == 1:
            view.set_boxes([Box(rect=QRectF(0.55, 0.2, 0.4, 0.6), label="1")])
            pane.set_focused(True)
    grid.set_panes(panes)
    return grid


def states() -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setSpacing(12)
    failed = FailedState("The run could not be read.", "run-12 is locked by another program. Close it and retry.")
    for title, body in (
        (
            "Empty",
            EmptyState("No decks yet", "Import decks or drop files here.", "Import decks", key="Ctrl+I"),
        ),
        ("Loading", LoadingState(is_still=True)),
        ("Loading a slide", LoadingState(is_slide=True, is_still=True)),
        ("Failed", failed),
    ):
        panel = Panel(title)
        panel.set_body(body)
        row.addWidget(panel)
    return holder


def table() -> QWidget:
    rows = [
        ("Aesthetics, total", "metric", 0.71, 0.16, "24 / 24"),
        ("Checklist · gemini-3-flash", "judge", 0.58, 0.21, "24 / 24"),
        (LONG_NAME, "120 decks × 67 items", 0.57, 0.23, "24 / 24"),
        ("QuizBank", "offline", None, None, "0 / 24"),
    ]
    model = RowModel(
        [
            Column(title="Method", value=lambda r: r[0], is_strong=True, second_line=lambda r: r[1]),
            Column(
                title="mean ρ",
                value=lambda r: r[2],
                text=lambda r: f"{r[2]:.2f}",
                is_number=True,
                width=90,
                reason=lambda _r: "every ranking is constant",
            ),
            Column(title="std", value=lambda r: r[3], text=lambda r: f"{r[3]:.2f}", is_number=True, width=90),
            Column(title="defined", value=lambda r: r[4], is_number=True, width=110, tone=lambda _r: "ok"),
        ]
    )
    view = DataTable(row_px=40)
    model.setParent(view)
    view.set_model(model)
    model.set_rows(rows)
    view.selectRow(0)
    panel = Panel("Alignment with people", "24 instances · 5 systems · 3 annotators")
    panel.head.add_control(KeyCapButton("Export ▾", is_compact=True))
    panel.set_body(view)
    return panel


def status() -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    busy, idle = StatusLine(), StatusLine()
    busy.show_work("metrics · aesthetics 412/945 decks", done=412, total=945, left_s=120, more=1)
    busy.set_spend("judge gemini-3-flash · $1.84 of $10.00")
    idle.show_idle("Import finished: 12 decks, 1 failed")
    column.addWidget(busy)
    column.addWidget(idle)
    column.addWidget(ElidedLabel(LONG_NAME * 2))
    return holder


def window_pictures(folder: Path, shown: Theme, pane_grid: QWidget) -> None:
    """Grab the window with ten pages, the start screen and the dialogs."""
    home = folder / "home"
    os.environ["PODIUM_HOME"] = str(home)
    settings = load(home / "settings.json")
    for name in ("storage-study", LONG_NAME, "gone"):
        made = home / name
        if name != "gone":
            made.mkdir(parents=True, exist_ok=True)
            (made / "project.db").touch()
        settings.remember_project(made)
    settings.remember_place(project=home / "storage-study", page="rank", instance="")
    settings.update({"profile_name": "annotator 2", "profile_role": "reviewer"})
    background = Background()
    window = MainWindow(
        settings=settings,
        theme=shown,
        background=background,
        services=fake_services(demo=lambda **_: home / "storage-study"),
        page_classes=fake_pages(),
    )
    window.show()

    def grab(name: str, widget: QWidget) -> None:
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            shown.choose(choice)
            settle(150)
            widget.grab().save(str(folder / f"{name}-{choice}.png"))
        shown.choose(ThemeChoice.LIGHT)

    grab("start", window)
    window.resume()
    settle()
    page = window.page("rank")
    page.layout().addWidget(pane_grid)
    pane_grid.show()
    window.context.set_saved("saved 14:02:11")
    window.context.set_crumb("Computer storage, chapter 1 计算机存储")
    window.context.set_spend("judge gemini-3-flash · $1.84 of $10.00")
    window.status_line.show_work("metrics · aesthetics 412/945 decks", done=412, total=945, left_s=120)
    for width, height in ((1440, 900), (1024, 700)):
        window.resize(width, height)
        settle()
        grab(f"window-{width}", window)
    for name, show in {
        "settings": window.commands.show_settings,
        "shortcuts": window.commands.show_shortcuts,
        "palette": window.commands.show_palette,
        "about": window.commands.show_about,
        "log": window.commands.show_log,
    }.items():
        show()
        dialog = next(child for child in window.findChildren(QDialog) if child.isVisible())
        grab(f"dialog-{name}", dialog)
        dialog.close()
        settle(20)
    window.close()
    window.deleteLater()


def main(folder: Path) -> None:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication([])
    shown = Theme(app, ThemeChoice.LIGHT)
    theme.install(shown)
    background, cache = Background(), ImageCache(256_000_000)
    with tempfile.TemporaryDirectory() as made:
        parts = {
            "buttons": (buttons(), 640, 280),
            "inputs": (inputs(), 420, 560),
            "slides": (slides(background, cache, Path(made)), 1366, 760),
            "slides-small": (slides(background, cache, Path(made)), 950, 580),
            "states": (states(), 1200, 320),
            "table": (table(), 760, 260),
            "status": (status(), 1000, 130),
        }
        for name, (widget, width, height) in parts.items():
            widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            widget.resize(width, height)
            widget.show()
            for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
                shown.choose(choice)
                settle()
                widget.grab().save(str(folder / f"{name}-{choice}.png"))
            widget.hide()
            shown.choose(ThemeChoice.LIGHT)
        window_pictures(folder, shown, parts["slides"][0])
        for name, (widget, _, _) in parts.items():
            if name != "slides":
                widget.deleteLater()
        settle(50)
    background.shutdown()
    theme.install(None)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
