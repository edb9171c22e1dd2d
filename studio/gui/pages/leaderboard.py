"""Leaderboard: how systems stand, as any of the tables there are, with what is not in the mean named apart."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFileDialog, QSplitter, QWidget

from studio.actions import board_views, leaderboard
from studio.actions.figures import counted
from studio.actions.leaderboard import DIMENSION, GROUPS, Board, BoardRow
from studio.actions.method_rows import title_of
from studio.actions.ve_matrix import VEMatrix, ve_matrix
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.board.snapshots import SnapshotWindow
from studio.gui.board.table import BoardDelegate, BoardModel
from studio.gui.context import AppContext
from studio.gui.framed_page import FramedPage
from studio.gui.icons import icon
from studio.gui.plots.ve_matrix import VEPlot
from studio.gui.shortcuts import Action
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import DataTable
from studio.model.changes import Topic

MATRIX = "ve-matrix"


class LeaderboardPage(FramedPage):
    """One table, chosen by view, measure and group; the V-E matrix is drawn below its table."""

    page_id = "leaderboard"
    title = "Board"
    icon_name = "trophy"
    topics = frozenset({Topic.ANSWERS, Topic.SCORES, Topic.DECKS, Topic.CHECKLISTS, Topic.PEOPLE})
    board_shown = Signal(str)
    """The view that is on the page now, or whose reason for being empty is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ticket: Ticket | None = None
        self.board: Board | None = None
        self._matrix: VEMatrix | None = None
        self.snapshots: SnapshotWindow | None = None
        self._model: BoardModel | None = None
        self._build()

    def _build(self) -> None:
        self.head = PageHead("Leaderboard")
        self.sample = Badge("", "alert")
        self.sample.setToolTip("The numbers include those of invented people: no finding, only an example.")
        self.head.add_badge(self.sample)
        self.view, self.measure, self.by = QComboBox(), QComboBox(), QComboBox()
        for name, view in board_views.VIEWS.items():
            self.view.addItem(view.title, name)
        self.by.addItem("No groups", "")
        for group in GROUPS:
            self.by.addItem(f"By {group}", group)
        self.by.addItem("By dimension", DIMENSION)
        for box, words in ((self.view, "View"), (self.measure, "Measure"), (self.by, "Group")):
            box.setAccessibleName(words)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(24 if box is self.view else 12)
            box.activated.connect(self._on_chosen)
            self.head.add_control(box, gives_way={"Group": 3, "Measure": 2}.get(words, 0))
        self.freeze = KeyCapButton("Snapshots", "S")
        self.freeze.clicked.connect(self.open_snapshots)
        self.export = KeyCapButton("Export", icon=icon("download"))
        self.export.clicked.connect(self.ask_export)
        self.head.add_control(self.freeze, gives_way=4)
        self.head.add_control(self.export)
        self.table = DataTable()
        self.table.setItemDelegate(BoardDelegate(self.table))
        self.table.setAccessibleName("Leaderboard")
        self.table.row_opened.connect(self._on_row_opened)
        self.table_panel = Panel(" ", " ")
        self.table_panel.set_body(self.table)
        self.notes = toned_label("", "muted")
        self.notes.setWordWrap(True)
        foot = self.table_panel.add_foot()
        foot.row.addWidget(self.notes, 1)
        self._plot_panel: Panel | None = None
        self.plot: VEPlot | None = None
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(12)
        self.split.addWidget(self.table_panel)
        self.empty = EmptyState("No numbers yet", icon_name="trophy", is_primary=False)
        self.empty.button.setText("Go to Runs")
        self.empty.button_clicked.connect(self._on_empty_clicked)
        self.build_frame(self.head, self.split, self.empty, failed="The leaderboard cannot be computed")

    # the window's side

    def open_project(self, context: AppContext) -> None:  # @override
        self._context = context
        context.theme.theme_changed.connect(self._on_theme_changed)
        self._plot_panel = Panel("Decks and systems", "click opens the deck")
        self.plot = VEPlot()
        self.plot.deck_opened.connect(self._on_deck_opened)
        self.plot.failed.connect(context.report)
        self._plot_panel.set_body(self.plot)
        self._plot_panel.hide()
        self.split.addWidget(self._plot_panel)
        self.split.setStretchFactor(0, 2)
        self.split.setStretchFactor(1, 3)
        self.states.setCurrentWidget(self.loading)

    def close_project(self) -> None:  # @override
        if self._context is None:
            return
        self._context.theme.theme_changed.disconnect(self._on_theme_changed)
        if self._ticket is not None:
            self._ticket.drop()
        if self.snapshots is not None:
            self.snapshots.close()
            self.snapshots = None
        self._context = self.board = None

    def go_to(self, **place: str) -> None:  # @override
        chosen = self.view.findData(place.get("view", ""))
        if chosen >= 0:
            self.view.setCurrentIndex(chosen)
            self._is_stale = True
            if self._is_shown:
                self.load()

    def place(self) -> dict[str, str]:  # @override
        return {"view": str(self.view.currentData())}

    def focus_first(self) -> None:  # @override
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def actions(self) -> list[Action]:  # type: ignore[override]
        def act(name: str, words: str, run: object, *keys: str) -> Action:
            return Action(id=f"leaderboard.{name}", words=words, run=run, keys=keys, page=self.page_id)

        return [
            act("next_view", "Next view", self.next_view, "]"),
            act("previous_view", "Previous view", self.previous_view, "["),
            act("snapshots", "Snapshots…", self.open_snapshots, "S"),
            act("copy_csv", "Copy table as CSV", self.copy_csv),
            act("copy_markdown", "Copy table as Markdown", self.copy_markdown),
            act("copy_latex", "Copy table as LaTeX", self.copy_latex),
            act("export", "Export table…", self.ask_export),
        ]

    # what a user can do

    def next_view(self) -> None:
        """Show the next view."""
        self._step(1)

    def previous_view(self) -> None:
        """Show the previous view."""
        self._step(-1)

    def _step(self, by: int) -> None:
        self.view.setCurrentIndex((self.view.currentIndex() + by) % self.view.count())
        self._on_chosen()

    @Slot()
    def open_snapshots(self) -> None:
        """Show what was frozen when, take a snapshot, or compare two."""
        if self._context is None:
            return
        if self.snapshots is None:
            self.snapshots = SnapshotWindow(self._context, self.window())
        self.snapshots.show()
        self.snapshots.activateWindow()
        self.snapshots.reload()

    def copy_csv(self) -> None:
        """Put the table on the clipboard as CSV in full precision."""
        if self.board is not None:
            # A spreadsheet takes the mark for a part of the first cell when text is pasted.
            QGuiApplication.clipboard().setText(leaderboard.as_csv(self.board).removeprefix("\ufeff"))

    def copy_markdown(self) -> None:
        """Put the table on the clipboard as Markdown, rounded as it is shown."""
        if self.board is not None:
            QGuiApplication.clipboard().setText(leaderboard.as_markdown(self.board))

    def copy_latex(self) -> None:
        """Put the table on the clipboard as a LaTeX tabular."""
        if self.board is not None:
            QGuiApplication.clipboard().setText(leaderboard.as_latex(self.board))

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write the table there."""
        if self.board is None or self._context is None:
            return
        project = self._context.project
        folder = project.exports_folder if not project.is_read_only else Path.home()
        kinds = "CSV (*.csv);;Markdown (*.md);;LaTeX (*.tex)"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export table", str(folder / f"{self.board.view}.csv"), kinds)
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, path: Path) -> None:
        """Write the table into a file, as CSV, Markdown or LaTeX by its name."""
        board, context = self.board, self._context
        if board is not None and context is not None:
            context.background.query(
                lambda: leaderboard.export_board(board, path), lambda written: context.toast(f"Exported as {written}."),
                context.report, owner=self,
            )  # fmt: skip

    # reading

    @Slot()
    def _on_chosen(self, *_: object) -> None:
        self.load()

    @Slot()
    def load(self) -> None:  # @override
        """Compute the board that is chosen anew."""
        if self._context is None:
            return
        self._is_stale = False
        if self._ticket is not None:
            self._ticket.drop()
        project, view = self._context.project, str(self.view.currentData())
        measure, by = str(self.measure.currentData() or ""), str(self.by.currentData() or "")
        self.by.setVisible(board_views.VIEWS[view].has_groups)

        def read() -> tuple[list[str], Board | StudioError, VEMatrix | None]:
            known = board_views.measures(project, view)
            chosen = measure if measure in known else ""
            has_groups = board_views.VIEWS[view].has_groups
            try:
                found = board_views.board(project, view, measure=chosen, by=by if has_groups else "")
                return known, found, ve_matrix(project) if view == MATRIX else None
            except StudioError as error:
                return known, error, None

        if self.board is None:
            self.states.setCurrentWidget(self.loading)
        else:
            self.head.facts_label.set_text("Computing …")
        self._ticket = self._context.background.query(read, self._on_read, self._on_failed, owner=self)

    def _on_read(self, found: tuple[list[str], Board | StudioError, VEMatrix | None]) -> None:
        self._ticket = None
        known, board, matrix = found
        self._offer_measures(known, board)
        if isinstance(board, StudioError):
            self.board = None
            self.sample.set_text("")
            self.head.facts_label.set_text("")
            self.empty.set_words("No numbers for this view yet", str(board))
            self.states.setCurrentWidget(self.empty)
            self.board_shown.emit(str(self.view.currentData()))
            return
        self.board, self._matrix = board, matrix
        model = BoardModel(board, self)
        old, self._model = self._model, model
        self.table.set_model(model)
        if old is not None:
            old.deleteLater()
        of = f" · {title_of(board.measure)}" if board.measure and "," not in board.measure else ""
        self.table_panel.set_title(board.title, f"{counted(len(board.rows), board.row_word)}{of}")
        self.notes.setText(" ".join(board.notes))
        self.head.facts_label.set_text(board_views.VIEWS[board.view].source)
        self.sample.set_text("sample data" if board.sample_data else "")
        if self._plot_panel is not None and self.plot is not None:
            self._plot_panel.setVisible(matrix is not None)
            if matrix is not None:
                self.plot.set_matrix(matrix)
        self.states.setCurrentWidget(self.split)
        self.board_shown.emit(board.view)

    def _offer_measures(self, known: list[str], board: Board | StudioError) -> None:
        chosen = board.measure if isinstance(board, Board) else ""
        self.measure.blockSignals(True)
        self.measure.clear()
        for name in known:
            self.measure.addItem(title_of(name), name)
        self.measure.setCurrentIndex(max(0, self.measure.findData(chosen)))
        self.measure.blockSignals(False)
        self.measure.setVisible(len(known) > 1)

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self._is_stale = True
        if not isinstance(error, StudioError) and self._context is not None:
            self._context.report(error)
        self.failed.set_words("The leaderboard cannot be computed", str(error))
        self.states.setCurrentWidget(self.failed)

    @Slot(object)
    def _on_row_opened(self, row: BoardRow) -> None:
        if self._context is not None and self.board is not None and self.board.row_word == "method":
            self._context.navigate("alignment", method=row.key)

    @Slot(str)
    def _on_deck_opened(self, deck_id: str) -> None:
        decks = self._matrix.decks if self._matrix is not None else ()
        instance = next((each.instance_id for each in decks if each.deck_id == deck_id), None)
        if self._context is not None and instance is not None:
            self._context.navigate("compare", instance=str(instance), deck=deck_id)

    @Slot()
    def _on_empty_clicked(self) -> None:
        if self._context is not None:
            self._context.navigate("runs")

    @Slot()
    def _on_theme_changed(self, *_: object) -> None:
        self.table.viewport().update()
