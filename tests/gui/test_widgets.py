from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget

from studio.actions.figures import UNDEFINED
from studio.errors import StudioError
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton, show_key_caps
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.pane_grid import Chrome, Grid, PaneGrid, best_grid
from studio.gui.widgets.panel import HEAD_PX, Panel
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.status_line import StatusLine, time_left
from studio.gui.widgets.switch import Switch
from studio.gui.widgets.table import Column, DataTable, RowModel

BARE = Chrome(width=0, height=0)


@pytest.mark.parametrize(
    ("panes", "width", "height", "grid"),
    [
        (1, 1000, 500, Grid(1, 1)),
        # 2 × 16:9 beside each other in a wide room: 500 wide each; above each other: 250 · 16/9 = 444.
        (2, 1000, 500, Grid(1, 2)),
        # In a tall room one above the other: 400 wide each; beside each other 200.
        (2, 400, 900, Grid(2, 1)),
        (4, 1600, 900, Grid(2, 2)),
        # 3 columns: 533 wide; 2 columns: 300 high, so 533 wide as well; more columns win.
        (6, 1600, 900, Grid(2, 3)),
        # 4 columns: 400 wide; 3 columns: 225 high, so 400 wide as well.
        (12, 1600, 900, Grid(3, 4)),
        # Six slivers in a very wide room are best in one row.
        (6, 6000, 500, Grid(1, 6)),
    ],
)
def test_that_the_grid_gives_slides_the_largest_area(panes, width, height, grid):
    assert best_grid(panes, width, height, gap=0, chrome=BARE) == grid


@pytest.mark.parametrize("panes", range(1, 13))
def test_that_no_other_grid_gives_larger_slides(panes):
    def side(rows, columns):
        # Every pane has 24 × 112 pixels of its own, and panes lie 12 pixels apart.
        wide = (1366 - 12 * (columns - 1)) / columns - 24
        tall = (760 - 12 * (rows - 1)) / rows - 112
        return min(wide, tall * 16 / 9)

    rows, columns = best_grid(panes, 1366, 760)
    assert rows * columns >= panes
    others = [side(-(-panes // c), c) for c in range(1, panes + 1)]
    assert side(rows, columns) >= max(others) - 1


def test_that_panes_fill_the_room_without_overlap_and_arrange_anew(qtbot, app_theme):
    grid = PaneGrid()
    qtbot.addWidget(grid)
    grid.resize(1000, 700)
    grid.show()
    panes = [QWidget() for _ in range(4)]
    grid.set_panes(panes)
    assert grid.grid() == Grid(2, 2)
    assert panes[1].geometry().right() == 999
    assert panes[3].geometry().bottom() == 699
    assert not panes[0].geometry().intersects(panes[1].geometry())
    grid.show_only(panes[2])
    assert panes[2].geometry() == grid.rect()
    assert not panes[0].isVisible()
    grid.show_only(None)
    with qtbot.waitSignal(grid.grid_changed):
        grid.resize(300, 1400)
    assert grid.grid() == Grid(4, 1)


def test_that_a_long_name_is_cut_in_the_middle_and_told_in_the_tooltip(qtbot, app_theme):
    name = "2023 年全国高校教学成果汇报（最终版）_v12_presentation_for_the_committee.pptx"
    label = ElidedLabel(name)
    qtbot.addWidget(label)
    label.resize(160, 20)
    label.show()
    assert label.shown_text().startswith("2023")
    assert label.shown_text().endswith("pptx")
    assert len(label.shown_text()) < len(name)
    assert label.toolTip() == label.full_text() == name
    label.set_text("short")
    assert label.toolTip() == ""


def test_that_key_caps_can_be_switched_off(qtbot, app_theme):
    button = KeyCapButton("Submit and next", "Enter")
    qtbot.addWidget(button)
    wide = button.sizeHint().width()
    show_key_caps(False)
    try:
        narrow = button.sizeHint().width()
    finally:
        show_key_caps(True)
    assert narrow < wide == button.sizeHint().width()
    assert KeyCapButton("Submit and next").sizeHint().width() == narrow


def test_that_a_click_does_not_take_the_focus(qtbot, app_theme):
    assert KeyCapButton("Yes", "Y").focusPolicy() == Qt.FocusPolicy.TabFocus


def test_that_a_panel_has_a_head_of_36_pixels_and_changes_its_body(qtbot, app_theme):
    panel = Panel("Checklist", "67 items")
    qtbot.addWidget(panel)
    panel.resize(300, 200)
    panel.show()
    assert panel.head.height() == HEAD_PX == 36
    first, second = QWidget(), QWidget()
    panel.set_body(first)
    panel.set_body(second)
    assert panel.body() is second
    bare = Panel()
    qtbot.addWidget(bare)
    assert bare.head.isHidden()


def test_that_widgets_without_a_parent_do_not_open_windows(qtbot, app_theme):
    made = [EmptyState("a", "b", "c"), FailedState("a", "b"), Panel("x"), Badge("y"), StatusLine()]
    for widget in made:
        qtbot.addWidget(widget)
    assert not [w for w in QApplication.topLevelWidgets() if w.isVisible()]


def test_that_a_switch_is_a_check_box_that_can_be_clicked_anywhere(qtbot, app_theme):
    switch = Switch("Harmony")
    qtbot.addWidget(switch)
    switch.show()
    with qtbot.waitSignal(switch.toggled):
        qtbot.mouseClick(switch, Qt.MouseButton.LeftButton, pos=switch.rect().center())
    assert switch.isChecked()
    before = switch.grab().toImage()
    switch.setChecked(False)
    assert switch.grab().toImage() != before


def test_that_a_page_head_keeps_its_controls_in_sight_beside_a_long_title(qtbot, app_theme):
    head = PageHead("计算机存储 " * 40, "instance 12 of 40")
    qtbot.addWidget(head)
    control = KeyCapButton("Guidelines v2", "F1")
    head.add_control(control)
    head.set_badges("lecture", "5 decks")
    head.resize(500, 32)
    head.show()
    assert control.geometry().right() <= 500
    assert control.width() >= control.sizeHint().width()
    assert head.title_label.toolTip() != ""


def test_that_states_say_what_to_do_and_offer_it(qtbot, app_theme):
    empty, failed = EmptyState("No decks yet", "Import some.", "Import"), FailedState("Broken")
    for widget in (empty, failed):
        qtbot.addWidget(widget)
        widget.show()
    with qtbot.waitSignal(empty.button_clicked):
        empty.button.click()
    failed.set_error(StudioError("deck.pptx is empty.", next_step="Choose another file."))
    assert failed._words.text() == "Choose another file."
    with qtbot.waitSignal(failed.retried):
        failed.retry_button.click()


def test_that_a_loading_state_stands_still_with_reduced_motion_and_while_hidden(qtbot, app_theme):
    still, moving = LoadingState(is_still=True), LoadingState()
    for widget in (still, moving):
        qtbot.addWidget(widget)
        widget.show()
    assert still._timer_id == 0
    assert moving._timer_id != 0
    moving.hide()
    assert moving._timer_id == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (0.2, "1 s left"), (42, "42 s left"), (119, "2 min left"), (11_400, "3 h 10 min left")],
)
def test_that_time_left_is_said_in_the_unit_that_fits(seconds, words):
    assert time_left(seconds) == words


def test_that_telling_of_work_paints_nothing_before_the_batch_of_events_is_through(qtbot, app_theme):
    line = StatusLine()
    qtbot.addWidget(line)
    with qtbot.waitExposed(line):
        line.show()
    line.show_work("judge 1/2,000", done=1, total=2000)

    class Paints(QObject):
        seen = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
            self.seen += event.type() == QEvent.Type.Paint
            return super().eventFilter(watched, event)

    paints = Paints()
    line.progress.installEventFilter(paints)
    for done in range(100, 2001, 100):
        line.show_work(f"judge {done}/2,000", done=done, total=2000)
    assert (paints.seen, line.progress.value()) == (0, 2000)
    # And then once, for all of it.
    qtbot.waitUntil(lambda: paints.seen > 0)


def test_that_the_status_line_shows_work_and_stops_it_once(qtbot, app_theme):
    line = StatusLine()
    qtbot.addWidget(line)
    line.show()
    line.show_work("aesthetics 412/945", done=412, total=945, left_s=120, more=2)
    assert line.work.full_text() == "aesthetics 412/945 · and 2 more"
    assert (line.progress.value(), line.progress.maximum()) == (412, 945)
    with qtbot.waitSignal(line.stop_asked):
        line.stop.click()
    assert not line.stop.isEnabled()
    line.show_idle()
    assert not line.stop.isVisible()


ROWS = [("b", 0.5), ("a", None), ("c", 0.71), ("d", None), ("e", 0.6)]


@pytest.fixture
def table(qtbot, app_theme):
    view = DataTable()
    qtbot.addWidget(view)
    model = RowModel(
        [
            Column(title="Method", value=lambda row: row[0]),
            Column(
                title="mean ρ",
                value=lambda row: row[1],
                text=lambda row: f"{row[1]:.2f}",
                reason=lambda _row: "every ranking is constant",
                is_number=True,
                width=90,
            ),
        ],
        view,
    )
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, view)
    view.set_model(model)
    model.set_rows(ROWS)
    view.show()
    return view


def select(table, row):
    # Not `selectRow`, which asks the keyboard and believes in keys that an earlier test held down.
    flags = QItemSelectionModel.SelectionFlag
    table.selectionModel().setCurrentIndex(table.model().index(row, 0), flags.ClearAndSelect | flags.Rows)


def test_that_an_undefined_number_is_a_dash_with_its_reason(table):
    index = table.model().index(1, 1)
    assert index.data() == UNDEFINED == "–"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "every ranking is constant"
    assert table.model().index(0, 1).data() == "0.50"


def test_that_undefined_numbers_come_last_in_both_directions(table):
    model = table.model()
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert [row[0] for row in model.rows()] == ["b", "e", "c", "a", "d"]
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert [row[0] for row in model.rows()] == ["c", "e", "b", "a", "d"]


def test_that_the_selection_follows_its_row_through_sorting(table):
    select(table, 2)
    table.model().sort(0, Qt.SortOrder.DescendingOrder)
    assert table.selected_rows() == [("c", 0.71)]
    table.model().append([("z", 1.0)])
    assert table.selected_rows() == [("c", 0.71)]


def test_that_the_selection_is_told_once_and_follows_the_key_of_new_rows(table):
    told = []
    table.model().key = lambda row: row[0]
    table.row_selected.connect(told.append)
    select(table, 2)
    table.model().sort(0)
    table.model().set_rows([("c", 0.99), ("a", 0.1)])
    assert table.selected_rows() == [("c", 0.99)]
    assert told == [("c", 0.71)]


def test_that_numbers_stand_at_the_right_in_figures_of_equal_width(table):
    index = table.model().index(0, 1)
    assert index.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert "tnum" in [tag.toString() for tag in index.data(Qt.ItemDataRole.FontRole).featureTags()]


def test_that_ten_thousand_rows_sort_with_few_readings_of_each_value(table, monkeypatch):
    model = table.model()
    rows = [(f"r{n}", (n * 7919) % 10_007 / 10_007) for n in range(10_000)]
    model.set_rows(rows)
    read = []
    counted = replace(model.columns[1], value=lambda row: read.append(1) or row[1])
    monkeypatch.setattr(model, "columns", [model.columns[0], counted])
    model.sort(1)
    assert [row[1] for row in model.rows()] == sorted(value for _, value in rows)
    # Reading at every comparison would be some 130,000 times.
    assert len(read) <= 3 * len(rows)
