"""The start screen: go on, new, open, recent and the demo."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from studio.gui.icons import app_icon, icon
from studio.gui.services import is_project
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.restyle import set_style_property
from studio.settings import Settings

COLUMN_PX = 560


class RecentRow(QFrame):
    """A project that was open before: name, folder, and whether it is still there."""

    chosen = Signal(Path)
    forgotten = Signal(Path)

    def __init__(self, folder: Path, *, is_missing: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.folder = folder
        self.is_missing = is_missing
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(folder.name)
        name = ElidedLabel(folder.name)
        name.setProperty("tone", "muted" if is_missing else "heading")
        place = ElidedLabel(_short(folder.parent))
        place.setProperty("tone", "caption")
        for label in (name, place):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(name)
        words.addWidget(place)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        row.addLayout(words, 1)
        if is_missing:
            row.addWidget(Badge("missing", "alert"))
        forget = KeyCapButton("", icon=icon("x"), is_compact=True)
        forget.setProperty("flat", True)
        forget.setToolTip("Take off this list")
        forget.setAccessibleName(f"Take {folder.name} off this list")
        forget.clicked.connect(self._on_forget_clicked)
        row.addWidget(forget)

    @Slot()
    def _on_forget_clicked(self) -> None:
        self.forgotten.emit(self.folder)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # @override
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self.folder)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.folder)
        elif event.key() == Qt.Key.Key_Delete:
            self.forgotten.emit(self.folder)
        else:
            super().keyPressEvent(event)


class StartScreen(QWidget):
    """What a user sees before a project is open. Only asks; the window does."""

    new_asked = Signal()
    open_asked = Signal()
    demo_asked = Signal()
    resume_asked = Signal()
    project_chosen = Signal(Path)
    paths_dropped = Signal(list)
    """`list[Path]`: files or folders that were dropped anywhere on the screen."""

    def __init__(self, settings: Settings, parent: QWidget | None = None, *, has_demo: bool = True) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setAcceptDrops(True)
        self._resume = KeyCapButton("Go on where I stopped", is_primary=True, icon=icon("play", "on_accent"))
        self._resume.clicked.connect(self.resume_asked)
        self._resume_words = ElidedLabel()
        self._resume_words.setProperty("tone", "muted")
        self._new = KeyCapButton("New project", "Ctrl+N", icon=icon("plus"))
        self._new.clicked.connect(self.new_asked)
        self._open = KeyCapButton("Open project", "Ctrl+O", icon=icon("folder-open"))
        self._open.clicked.connect(self.open_asked)
        self._demo = KeyCapButton("Open the demo", icon=icon("presentation"))
        self._demo.clicked.connect(self.demo_asked)
        self._demo.setEnabled(has_demo)
        self._recent = Panel("Recent projects")
        self._recent.setSizePolicy(self._recent.sizePolicy().Policy.Preferred, self.sizePolicy().Policy.Maximum)
        self._build()
        self.refresh()

    def _build(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(12)
        head = QHBoxLayout()
        head.setSpacing(16)
        mark = QLabel()
        mark.setPixmap(app_icon().pixmap(48, 48))
        head.addWidget(mark)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(toned_label("Podium Studio", "title"))
        words.addWidget(toned_label("Rank decks beside their sources, and judge the judges.", "muted"))
        head.addLayout(words, 1)
        column.addLayout(head)
        column.addSpacing(12)
        resume = QHBoxLayout()
        resume.setSpacing(12)
        resume.addWidget(self._resume)
        resume.addWidget(self._resume_words)
        resume.addStretch(1)
        column.addLayout(resume)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._new, self._open, self._demo):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addSpacing(4)
        column.addWidget(self._recent)
        column.addWidget(toned_label("Or drop a project folder or decks anywhere here.", "caption"))
        holder = QWidget()
        holder.setMaximumWidth(COLUMN_PX)
        holder.setLayout(column)
        inner = QWidget()
        middle = QHBoxLayout(inner)
        middle.setContentsMargins(24, 24, 24, 24)
        middle.addStretch(1)
        middle.addWidget(holder, 20, Qt.AlignmentFlag.AlignVCenter)
        middle.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    @Slot()
    def refresh(self) -> None:
        """Read the recent projects again and mark those that are gone."""
        last = Path(self._settings.text("last_project")) if self._settings.text("last_project") else None
        can_resume = last is not None and is_project(last)
        self._resume.setVisible(can_resume)
        self._resume_words.setVisible(can_resume)
        if can_resume:
            page = self._settings.text("last_page").capitalize()
            self._resume_words.set_text(" › ".join(part for part in (last.name, page) if part))
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        folders = [Path(name) for name in self._settings.get("recent_projects")]
        for place, folder in enumerate(folders):
            if place:
                column.addWidget(hairline())
            row = RecentRow(folder, is_missing=not is_project(folder))
            row.chosen.connect(self._on_chosen)
            row.forgotten.connect(self._on_forgotten)
            column.addWidget(row)
        if not folders:
            nothing = toned_label("Projects that you open are listed here.", "muted")
            nothing.setContentsMargins(12, 12, 12, 12)
            column.addWidget(nothing)
        self._recent.set_title("Recent projects", str(len(folders)) if folders else "")
        self._recent.set_body(rows)

    def recent_rows(self) -> list[RecentRow]:
        """Return the rows of the recent list."""
        return self._recent.body().findChildren(RecentRow)

    @Slot(Path)
    def _on_chosen(self, folder: Path) -> None:
        self.project_chosen.emit(folder)

    @Slot(Path)
    def _on_forgotten(self, folder: Path) -> None:
        self._settings.forget_project(folder)
        self.refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # @override
        if dropped_paths(event):
            event.acceptProposedAction()
            self._mark_drop(True)

    def dragLeaveEvent(self, event: QEvent) -> None:  # @override
        self._mark_drop(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # @override
        self._mark_drop(False)
        event.acceptProposedAction()
        self.paths_dropped.emit(dropped_paths(event))

    def _mark_drop(self, is_over: bool) -> None:
        set_style_property(self._recent, "focused", is_over)


def dropped_paths(event: QDropEvent) -> list[Path]:
    """Return the local files and folders of a drop."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


def _short(folder: Path) -> str:
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except ValueError:
        return str(folder)
