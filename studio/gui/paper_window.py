"""The REFLEX paper's tables and figures of a project, one tab each, to look at, to copy and to save (decision 44)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.figures import counted
from studio.actions.leaderboard import Board, as_csv, as_latex, as_markdown
from studio.actions.reflex_paper import PaperPage, paper_pages, write_pages
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.board.table import BoardDelegate, BoardModel
from studio.gui.context import AppContext
from studio.gui.plots.svg_plot import SvgPlot
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import DataTable

_COPIES: tuple[tuple[str, Callable[[Board], str]], ...] = (
    ("CSV, in full precision", as_csv), ("Markdown", as_markdown), ("LaTeX", as_latex),
)  # fmt: skip


class PaperWindow(QDialog):
    """Shows what a project has for each table and figure, or what is missing; Esc closes."""

    shown = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self.pages: tuple[PaperPage, ...] = ()
        self.setWindowTitle("Tables and figures of the REFLEX paper")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self.resize(1240, 700)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.loading, self.failed = LoadingState(is_slide=False), FailedState("The tables cannot be computed")
        self.failed.retried.connect(self.reload)
        holder = QWidget()
        self._layers = QStackedLayout(holder)
        for layer in (self.loading, self.tabs, self.failed):
            self._layers.addWidget(layer)
        self.copy = KeyCapButton("Copy table")
        self.copy.setMenu(QMenu(self.copy))
        for words, make in _COPIES:
            self.copy.menu().addAction(words).triggered.connect(lambda _=False, make=make: self._copy(make))
        self.save = KeyCapButton("Save tables and figures…", "Ctrl+S")
        self.save.setShortcut("Ctrl+S")
        self.save.clicked.connect(self._on_save)
        self.said = ElidedLabel()
        self.said.setProperty("tone", "muted")
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.said, 1)
        foot.addStretch()
        for button in (self.copy, self.save):
            button.setAutoDefault(False)
            button.setEnabled(False)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 16)
        column.setSpacing(12)
        column.addWidget(holder, 1)
        column.addLayout(foot)
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Compute everything anew; the tab that is open stays open."""
        self.drop()
        self._layers.setCurrentWidget(self.loading)
        project = self._context.project
        self._ticket = self._context.background.query(
            lambda: paper_pages(project), self._on_read, self._on_failed, owner=self
        )

    def drop(self) -> None:
        """Drop what is still being read."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    @property
    def board(self) -> Board | None:
        """The table of the tab in front; None where there is none."""
        at = self.tabs.currentIndex()
        return self.pages[at].board if 0 <= at < len(self.pages) else None

    def _on_read(self, pages: tuple[PaperPage, ...]) -> None:
        self._ticket = None
        before = max(0, self.tabs.currentIndex())
        while self.tabs.count():
            old = self.tabs.widget(0)
            self.tabs.removeTab(0)
            old.deleteLater()
        self.pages = pages
        for page in pages:
            at = self.tabs.addTab(_tab(page), f"{page.view.number} · {page.view.title}")
            self.tabs.setTabToolTip(at, f"{page.view.number} · {page.view.title}: {page.view.source}")
        self.tabs.setCurrentIndex(before)
        self.save.setEnabled(True)
        self._on_tab_changed()
        self._layers.setCurrentWidget(self.tabs)
        self.shown.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self.failed.set_words("The tables cannot be computed", str(error))
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._layers.setCurrentWidget(self.failed)
        self.shown.emit()

    @Slot()
    def _on_tab_changed(self, *_: object) -> None:
        self.copy.setEnabled(self.board is not None)
        self.said.set_text("")

    def _copy(self, make: Callable[[Board], str]) -> None:
        if self.board is not None:
            # A spreadsheet takes the mark for a part of the first cell when text is pasted.
            QGuiApplication.clipboard().setText(make(self.board).removeprefix("\ufeff"))
            self.said.set_text("Copied.")

    @Slot()
    def _on_save(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Save tables and figures")
        if chosen:
            self.save_to(Path(chosen))

    def save_to(self, folder: Path) -> None:
        """Write every table as CSV, Markdown and LaTeX and every figure as SVG into a folder."""
        pages = self.pages
        self._context.background.query(
            lambda: write_pages(pages, folder),
            lambda files: self.said.set_text(f"Saved {counted(len(files), 'file')} in {folder.name}."),
            self._on_not_saved, owner=self,
        )  # fmt: skip

    def _on_not_saved(self, error: BaseException) -> None:
        self.said.set_text(str(error))
        if not isinstance(error, StudioError):
            self._context.report(error)


def _tab(page: PaperPage) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 12, 0, 0)
    column.setSpacing(12)
    if page.board is None:
        empty = EmptyState(f"{page.view.number}: nothing to show yet", page.reason, icon_name="chart-scatter")
        column.addWidget(empty, 1)
        return whole
    split = QSplitter(Qt.Orientation.Vertical)
    split.setChildrenCollapsible(False)
    split.setHandleWidth(12)
    if page.draw is not None:
        plot = SvgPlot(page.board.title)
        plot.set_plot(page.draw)
        picture = Panel(page.board.title, page.view.source)
        picture.set_body(plot, margin=8)
        split.addWidget(picture)
    split.addWidget(_table(page, page.board))
    split.setSizes([340, 200])
    column.addWidget(split, 1)
    note = toned_label("\n".join(page.board.notes), "muted")
    note.setWordWrap(True)
    column.addWidget(note)
    return whole


def _table(page: PaperPage, board: Board) -> Panel:
    rows = DataTable()
    model = BoardModel(board, rows)
    rows.set_model(model)
    rows.setItemDelegate(BoardDelegate(rows))
    rows.setAccessibleName(f"{page.view.number}: {board.title}")
    panel = Panel(board.title, page.view.source) if page.draw is None else Panel("The numbers", " ")
    if board.sample_data:
        badge = Badge("sample data", "alert")
        badge.setToolTip("The numbers include those of invented people: no finding, only an example.")
        panel.head.add_badge(badge)
    panel.set_body(rows)
    return panel
