"""What an import would bring in, to be looked at and changed before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTableView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from studio.actions import decks as deck_actions
from studio.actions.figures import counted
from studio.actions.import_edit import FileRole, ImportEdit, known_decks
from studio.decks.layouts import ImportPlan, PlannedFailure
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.dialogs.import_parts import ChooseState, NameDelegate, NameTable
from studio.gui.icons import icon
from studio.gui.models.import_tree import KIND, MEANING, NAME, ImportTree, SystemNames
from studio.gui.start_screen import dropped_paths
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, PanelHead, hairline, toned_label
from studio.gui.widgets.states import FailedState, LoadingState
from studio.gui.widgets.table import HEAD_PX, Column, DataTable, RowModel

MOST_OPEN = 600
"""With more files than this, instances start folded: unfolding thousands of rows takes seconds."""


class ImportPreview(QDialog):
    """Asks for files if it has none, shows the plan, and hands it on as edited."""

    import_asked = Signal(object)
    """The `ImportPlan` as edited."""

    def __init__(self, context: AppContext, paths: Sequence[Path] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Import")
        self.setAcceptDrops(True)
        self.setMinimumSize(640, 420)
        self.resize(1180, 700)
        self._context = context
        self._paths: list[Path] = []
        self._read: Ticket | None = None
        self._tree_model: ImportTree | None = None
        self._stack = QStackedWidget()
        self._choose = ChooseState()
        self._choose.folder_asked.connect(self._on_folder_asked)
        self._choose.files_asked.connect(self._on_files_asked)
        self._loading = LoadingState(is_still=context.settings.is_on("reduced_motion"))
        self._failed = FailedState("These files could not be looked at.")
        self._failed.retried.connect(self._look)
        self._plan = QWidget()
        for widget in (self._choose, self._loading, self._failed, self._plan):
            self._stack.addWidget(widget)
        self._counts = ElidedLabel()
        self._counts.setProperty("tone", "muted")
        self._counts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._error = toned_label("", "bad")
        self._error.setWordWrap(True)
        self._more = KeyCapButton("Add a folder", icon=icon("plus"))
        self._more.clicked.connect(self._on_folder_asked)
        self._cancel = KeyCapButton("Cancel", "Esc")
        self._cancel.clicked.connect(self.reject)
        self._import = KeyCapButton("Import", "Ctrl+Enter", is_primary=True)
        self._import.clicked.connect(self._on_import_clicked)
        for button in (self._more, self._cancel, self._import):
            # Enter edits a name here; it must not start the import.
            button.setAutoDefault(False)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 10, 12, 10)
        foot.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._counts)
        words.addWidget(self._error)
        foot.addLayout(words, 1)
        for button in (self._more, self._cancel, self._import):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(hairline())
        column.addLayout(foot)
        self._build_plan()
        self._show_foot()
        if paths:
            self.add_paths(list(paths))

    # what the tests and the page look at

    @property
    def model(self) -> ImportTree | None:
        """The tree's model, or None until there is a plan."""
        return self._tree_model

    @property
    def tree(self) -> QTreeView:
        """The view of instances and files."""
        return self._tree

    @property
    def systems(self) -> QTableView:
        """The list of systems, whose names can be edited."""
        return self._names

    @property
    def import_button(self) -> KeyCapButton:
        """The button that begins the import."""
        return self._import

    def error(self) -> str:
        """Return what stands in the way, or an empty text."""
        return self._error.text()

    def counts(self) -> str:
        """Return what would be brought in, in words."""
        return self._counts.full_text()

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Look at further files and folders, together with those before."""
        self._paths += [path for path in paths if path not in self._paths]
        self._look()

    # looking

    @Slot()
    def _look(self) -> None:
        if self._read is not None:
            self._read.drop()
        self._stack.setCurrentWidget(self._loading)
        self._show_foot()
        self._read = self._context.background.query(
            partial(_looked_at, self._context.project, tuple(self._paths)),
            self._on_looked,
            self._on_look_failed,
            owner=self,
        )

    def _on_looked(self, found: tuple[ImportPlan, dict[str, frozenset[str]]]) -> None:
        plan, known = found
        edit = ImportEdit(plan, known=known)
        model = ImportTree(edit, self)
        model.edited.connect(self._on_edited)
        model.refused.connect(self._on_refused)
        model.modelReset.connect(self._open_instances)
        self._tree_model, before = model, self._tree_model
        self._tree.setModel(model)
        self._names.setModel(SystemNames(model, self._names))
        names = self._names.horizontalHeader()
        names.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        names.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        names.resizeSection(1, 64)
        self._size_columns()
        self._open_instances()
        if before is not None:
            before.deleteLater()
        self._failures.set_rows(list(plan.failures))
        self._failure_head.set_title(f"Not taken · {len(plan.failures):,}")
        self._failure_part.setVisible(bool(plan.failures))
        self._stack.setCurrentWidget(self._plan)
        self._on_edited()
        self._tree.setCurrentIndex(model.index(0, 0))
        self._tree.setFocus()

    def _on_look_failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._failed.set_words("These files could not be looked at.", str(error))
        self._stack.setCurrentWidget(self._failed)

    # the plan

    def _build_plan(self) -> None:
        self._tree = QTreeView()
        self._tree.setUniformRowHeights(True)
        self._tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._tree.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self._tree.setAllColumnsShowFocus(False)
        self._tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self._tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._tree.customContextMenuRequested.connect(self._on_menu_asked)
        self._tree.setItemDelegate(NameDelegate(self._tree))
        self._tree.setAccessibleName("Plan of the import")
        self._tree.activated.connect(self._on_activated)
        self._tree_actions = [
            self._tree_action("Rename", "F2", self._rename_current, is_bound=False),
            self._tree_action("Move to another instance…", "Ctrl+M", self.ask_move),
            self._tree_action("Leave out or take in", "Delete", self.toggle_excluded),
            self._tree_action("Use as source or as deck", "Ctrl+U", self.toggle_role),
            self._tree_action("Undo", "Ctrl+Z", self.undo),
            self._tree_action("Redo", "Ctrl+Shift+Z", self.redo),
        ]
        panel = Panel("Instances", "Enter edits · Space leaves out · Ctrl+M moves")
        panel.set_body(self._tree)
        self._names = NameTable()
        self._names.horizontalHeader().setSectionsClickable(False)
        systems = Panel("Systems")
        systems.setToolTip("A name that is changed here changes everywhere.")
        systems.set_body(self._names)
        systems.setMinimumWidth(200)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(panel)
        split.addWidget(systems)
        split.setStretchFactor(0, 4)
        split.setStretchFactor(1, 1)
        split.setSizes([940, 210])
        split.setChildrenCollapsible(False)
        self._failures: RowModel[PlannedFailure] = RowModel(
            [
                Column(title="File", value=lambda row: row.path.name, tip=lambda row: str(row.path), width=260),
                Column(title="Why nothing can be made of it", value=lambda row: row.reason),
            ],
            self,
        )
        table = DataTable(is_sortable=False)
        table.set_model(self._failures)
        self._failure_part = Panel("Not taken")
        self._failure_part.set_body(table)
        self._failure_part.setFixedHeight(150)
        self._failure_head: PanelHead = self._failure_part.head
        column = QVBoxLayout(self._plan)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(split, 1)
        column.addWidget(self._failure_part)

    def _tree_action(self, words: str, keys: str, run: Any, *, is_bound: bool = True) -> QAction:
        action = QAction(words, self)
        if is_bound:
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._tree.addAction(action)
        action.triggered.connect(run)
        return action

    def _size_columns(self) -> None:
        head = self._tree.header()
        head.setStretchLastSection(True)
        head.setFixedHeight(HEAD_PX)
        for column, width in ((NAME, 230), (MEANING, 150), (KIND, 180)):
            head.resizeSection(column, width)

    @Slot()
    def _open_instances(self) -> None:
        model = self._tree_model
        total = sum(len(group.files) for group in model.edit.groups)
        if total <= MOST_OPEN:
            self._tree.expandAll()

    @Slot()
    def _on_edited(self) -> None:
        self._show_foot()

    @Slot(str)
    def _on_refused(self, words: str) -> None:
        self._error.setText(words)
        self._error.setVisible(bool(words))

    def _show_foot(self) -> None:
        is_ready = self._tree_model is not None and self._stack.currentWidget() is self._plan
        problems = self._tree_model.edit.problems() if is_ready else []
        self._import.setEnabled(is_ready and not problems)
        self._import.setText(_import_words(self._tree_model.edit) if is_ready else "Import")
        self._more.setVisible(is_ready)
        self._counts.set_text(counts_in_words(self._tree_model.edit) if is_ready else "")
        more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
        self._on_refused(problems[0] + more if problems else "")

    # acts on the tree

    def selected(self) -> list[QModelIndex]:
        """Return the selected rows, or the current one."""
        rows = self._tree.selectionModel().selectedRows() if self._tree_model else []
        current = self._tree.currentIndex()
        return rows or ([current] if current.isValid() else [])

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        column = MEANING if self._tree_model.file(index) is not None else index.column()
        index = index.siblingAtColumn(column if column in (NAME, MEANING) else MEANING)
        self._tree.setCurrentIndex(index)
        self._tree.edit(index)

    @Slot()
    def _rename_current(self) -> None:
        if self._tree.currentIndex().isValid():
            self._on_activated(self._tree.currentIndex())

    @Slot()
    def toggle_excluded(self) -> None:
        """Leave the selected files out, or take them in if all of them are out."""
        edit = self._tree_model.edit
        keys = self._tree_model.files_of(self.selected())
        are_out = all(edit.file(key).is_excluded for key in keys)
        self._tree_model.do(edit.exclude, keys, not are_out)

    @Slot()
    def toggle_role(self) -> None:
        """Take the selected PDF and HTML files for sources instead of decks, or the other way round."""
        edit = self._tree_model.edit
        keys = self._tree_model.files_of(self.selected())
        roles = [edit.file(key).other_role for key in keys]
        wanted = next((role for role in (FileRole.SOURCE, FileRole.DECK) if role in roles), None)
        if wanted is None:
            self._on_refused("Only PDF and HTML files can be either source or deck.")
            return
        self._tree_model.do(edit.use_as, keys, wanted)

    @Slot()
    def undo(self) -> None:
        """Take the last change back."""
        self._tree_model.do(self._tree_model.edit.undo)

    @Slot()
    def redo(self) -> None:
        """Do again what was taken back."""
        self._tree_model.do(self._tree_model.edit.redo)

    @Slot()
    def ask_move(self) -> None:
        """Ask for an instance, known or new, and move the selected files there."""
        keys = self._tree_model.files_of(self.selected())
        if not keys:
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Move to another instance")
        number = counted(len(keys), "file")
        dialog.setLabelText(f"Instance for {number}; a new name makes a new one:")
        dialog.setComboBoxEditable(True)
        dialog.setComboBoxItems([group.name for group in self._tree_model.edit.groups])
        dialog.setOkButtonText("Move")
        dialog.textValueSelected.connect(partial(self._move, keys))
        dialog.open()

    def _move(self, keys: set[int], name: str) -> None:
        if self._tree_model.do(self._tree_model.edit.move, keys, name):
            self._tree.setCurrentIndex(self._tree_model.index_of_file(next(iter(keys))))
            self._tree.scrollTo(self._tree.currentIndex())

    @Slot(QPoint)
    def _on_menu_asked(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._tree_actions)
        menu.popup(self._tree.viewport().mapToGlobal(place))

    # the end

    @Slot()
    def _on_import_clicked(self) -> None:
        try:
            plan = self._tree_model.edit.plan()
        except StudioError as error:
            self._on_refused(str(error))
            return
        self.import_asked.emit(plan)
        self.accept()

    @Slot()
    def _on_folder_asked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Import a folder")
        if chosen:
            self.add_paths([Path(chosen)])

    @Slot()
    def _on_files_asked(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self, "Import files")
        if chosen:
            self.add_paths([Path(name) for name in chosen])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier and self._import.isEnabled():
                self._import.click()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # @override
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # @override
        event.acceptProposedAction()
        self.add_paths(dropped_paths(event))

    def done(self, result: int) -> None:  # @override
        if self._read is not None:
            self._read.drop()
        super().done(result)


def counts_in_words(edit: ImportEdit) -> str:
    """Return such as "2 instances · 5 decks · 1 source · 3 systems · 1 failed · 2 left out · 1 not taken"."""
    counts = edit.counts()
    words = [
        counted(number, name)
        for number, name in (
            (counts.instances, "instance"),
            (counts.decks, "deck"),
            (counts.sources, "source"),
            (counts.systems, "system"),
        )
    ]
    for number, name in (
        (counts.failed, "kept as failed"),
        (counts.excluded, "left out"),
        (counts.refused, "not taken"),
    ):
        if number:
            words.append(f"{number:,} {name}")
    return " · ".join(words)


def _import_words(edit: ImportEdit) -> str:
    decks = edit.counts().decks
    return f"Import {counted(decks, 'deck')}" if decks else "Import"


def _looked_at(project: Any, paths: Sequence[Path]) -> tuple[ImportPlan, dict[str, frozenset[str]]]:
    return deck_actions.preview_import(paths), known_decks(project)
