"""Parts of the import preview: where files are chosen, and how names are edited."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from studio.actions.import_edit import FileRole
from studio.gui.icons import icon
from studio.gui.models.import_tree import ImportTree
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import RowDelegate


class ChooseState(EmptyState):
    """Says what may be dropped, with a button for a folder and one for files."""

    folder_asked = Signal()
    files_asked = Signal()

    def __init__(self) -> None:
        super().__init__(
            "Drop decks and sources here",
            "A folder with one folder for each instance, with sources and decks in it; a PresentBench or "
            "Slides-Align tree; or loose decks of one task.",
            "Choose a folder",
            icon_name="folder-open",
            is_primary=False,
        )
        self.button_clicked.connect(self.folder_asked)
        files = KeyCapButton("Choose files", icon=icon("file"))
        files.clicked.connect(self.files_asked)
        self._add_button(files)
        for button in (self.button, files):
            button.setAutoDefault(False)


class NameDelegate(QStyledItemDelegate):
    """Edits names; for a deck the systems of the plan are offered."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex) -> QWidget:  # @override
        editor = QLineEdit(parent)
        editor.setFrame(False)
        model: ImportTree = index.model()
        file = model.file(index)
        if file is not None and file.role is FileRole.DECK:
            completer = QCompleter(list(model.edit.systems()), editor)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)
            editor.setCompleter(completer)
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:  # @override
        editor.setGeometry(option.rect.adjusted(0, -1, 0, 1))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # @override
        return QSize(super().sizeHint(option, index).width(), 28)

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # @override
        # Enter ends the edit; the dialog must not see it too.
        if event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().eventFilter(watched, event)
            return True
        return super().eventFilter(watched, event)


class NameTable(QTableView):
    """A short list with a name that can be edited and a number."""

    def __init__(self) -> None:
        super().__init__()
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setAccessibleName("Systems of the import")
        self.setItemDelegate(RowDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(28)
        self.activated.connect(self._on_activated)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.edit(index.siblingAtColumn(0))
