"""An import plan under edit as a tree of instances and files, and its systems as a list."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    Qt,
    Signal,
)

from studio.actions.figures import counted
from studio.actions.import_edit import FileRole, ImportEdit, ImportFile, ImportGroup
from studio.decks.sniff import DECK_NAMES
from studio.errors import StudioError
from studio.gui import theme

MIME = "application/x-podium-import-files"
TITLES = ("Instance and files", "Title or system", "What it is", "Note")
NAME, MEANING, KIND, NOTE = range(4)
_SOURCE_NAMES = {"pdf": "PDF document", "markdown": "Markdown", "text": "Text", "docx": "Word document",
                 "html": "HTML page", "image": "Picture"}  # fmt: skip


class ImportTree(QAbstractItemModel):
    """Two levels: instances, and below each its decks and sources."""

    edited = Signal()
    """The plan changed, or was looked at anew."""
    refused = Signal(str)
    """Why something that was typed cannot be taken; empty once something was."""

    def __init__(self, edit: ImportEdit, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit = edit
        self._shape: list[tuple[int, tuple[int, ...]]] = []
        self._places: dict[int, int] = {}
        self._note()

    @property
    def edit(self) -> ImportEdit:
        """The plan."""
        return self._edit

    def group(self, index: QModelIndex) -> ImportGroup:
        """Return the instance of an index, or that of a file's index."""
        place = self._places[index.internalId()] if index.internalId() else index.row()
        return self._edit.groups[place]

    def file(self, index: QModelIndex) -> ImportFile | None:
        """Return the file of an index, or None for an instance."""
        return self.group(index).files[index.row()] if index.internalId() else None

    def files_of(self, indexes: Collection[QModelIndex]) -> set[int]:
        """Return the keys of all files that these indexes mean; an instance means all of its files."""
        keys: set[int] = set()
        for index in indexes:
            file = self.file(index)
            keys |= {file.key} if file is not None else {item.key for item in self.group(index).files}
        return keys

    def index_of_file(self, key: int, column: int = NAME) -> QModelIndex:
        """Return the index of a file, or an invalid one."""
        for place, group in enumerate(self._edit.groups):
            for row, file in enumerate(group.files):
                if file.key == key:
                    return self.index(row, column, self.index(place, 0))
        return QModelIndex()

    def do(self, change: Any, *args: Any) -> bool:
        """Make a change of the plan and show it; return whether it was taken."""
        try:
            change(*args)
        except StudioError as error:
            self.refused.emit(str(error))
            return False
        self.refused.emit("")
        self.refresh()
        return True

    def refresh(self) -> None:
        """Show the plan as it stands."""
        if self._shape == _shape(self._edit):
            self._note()
            for place, group in enumerate(self._edit.groups):
                parent = self.index(place, 0)
                self.dataChanged.emit(parent, self.index(place, NOTE))
                if group.files:
                    last = self.index(len(group.files) - 1, NOTE, parent)
                    self.dataChanged.emit(self.index(0, 0, parent), last)
        else:
            self.beginResetModel()
            self._note()
            self.endResetModel()
        self.edited.emit()

    def _note(self) -> None:
        self._shape = _shape(self._edit)
        self._places = {group.key: place for place, group in enumerate(self._edit.groups)}
        clashes = self._edit.clashes()
        self._clashing = {key for clash in clashes for key in clash.files}
        self._clashes = {
            group: [clash.system for clash in clashes if clash.group == group]
            for group in {clash.group for clash in clashes}
        }
        self._known = self._edit.known_decks()

    def index(self, row: int, column: int, parent: QModelIndex = QModelIndex()) -> QModelIndex:  # noqa: B008  # @override
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        key = self._edit.groups[parent.row()].key if parent.isValid() else 0
        return self.createIndex(row, column, key)

    def parent(self, index: QModelIndex = QModelIndex()) -> QModelIndex:  # noqa: B008  # @override
        if not index.isValid() or not index.internalId():
            return QModelIndex()
        return self.createIndex(self._places[index.internalId()], 0, 0)

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        if not parent.isValid():
            return len(self._shape)
        return 0 if parent.internalId() or parent.column() else len(self._shape[parent.row()][1])

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # @override
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section] if 0 <= section < len(TITLES) else None
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:  # @override
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_file = bool(index.internalId())
        if index.column() == NAME:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        if index.column() == MEANING or (index.column() == NAME and not is_file):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags | (Qt.ItemFlag.ItemIsDragEnabled if is_file else Qt.ItemFlag.ItemIsDropEnabled)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # @override
        if not index.isValid():
            return None
        group, file = self.group(index), self.file(index)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return self._words(group, file, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                is_path = index.column() == NAME and file is not None
                return str(file.path) if is_path and file else self._words(group, file, index.column())
            case Qt.ItemDataRole.CheckStateRole if index.column() == NAME:
                return _check_state(group, file)
            case Qt.ItemDataRole.ForegroundRole:
                return theme.color(self._tone(group, file, index.column()))
            case Qt.ItemDataRole.FontRole if file is None and index.column() == NAME:
                return theme.sized_font(theme.BODY_PX, bold=True)
        return None

    def setData(self, index: QModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # @override
        if not index.isValid():
            return False
        group, file = self.group(index), self.file(index)
        if role == Qt.ItemDataRole.CheckStateRole:
            keys = {file.key} if file else {item.key for item in group.files}
            is_checked = Qt.CheckState(value) is Qt.CheckState.Checked
            return self.do(self._edit.exclude, keys, not is_checked)
        if role != Qt.ItemDataRole.EditRole:
            return False
        text = str(value)
        if text == self._words(group, file, index.column()):
            return True
        if file is not None:
            return self.do(self._edit.name_file, file.key, text)
        if index.column() == NAME:
            return self.do(self._edit.rename, group.key, text)
        return self.do(lambda: self._edit.describe(group.key, title=text))

    def supportedDropActions(self) -> Qt.DropAction:  # @override
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:  # @override
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # @override
        data = QMimeData()
        data.setData(MIME, json.dumps(sorted(self.files_of(indexes))).encode())
        return data

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: QModelIndex
    ) -> bool:  # @override
        if not data.hasFormat(MIME) or not parent.isValid():
            return False
        keys = set(json.loads(bytes(data.data(MIME).data()).decode()))
        self.do(self._edit.move, keys, self.group(parent).key)
        # False: the view must not remove rows that the move has taken away already.
        return False

    def _words(self, group: ImportGroup, file: ImportFile | None, column: int) -> str:
        if file is None:
            return (group.name, group.title, _contents(group), self._group_note(group))[column]
        return (file.path.name, file.name, kind_words(file), self._file_note(file))[column]

    def _group_note(self, group: ImportGroup) -> str:
        if group.key in self._clashes:
            return f"More than one deck of {', '.join(self._clashes[group.key])}"
        return "Added to the instance of this name" if self._edit.is_known(group) else ""

    def _file_note(self, file: ImportFile) -> str:
        if file.is_excluded:
            return "Left out"
        if file.key in self._clashing:
            return f"{file.name} has another deck here"
        if file.failure is not None:
            return file.failure.message
        return f"{file.name} has a deck there already; it is kept" if file.key in self._known else ""

    def _tone(self, group: ImportGroup, file: ImportFile | None, column: int) -> str:
        is_out = file.is_excluded if file else group.is_excluded
        if is_out:
            return "text_disabled"
        if column == NOTE and file is not None:
            is_bad = file.key in self._clashing or file.failure is not None
            return "bad" if is_bad else "warn"
        if column == NOTE and any(item.key in self._clashing for item in group.files):
            return "bad"
        return "text_muted" if column in (KIND, NOTE) else "text"


class SystemNames(QAbstractTableModel):
    """The systems of a plan and how many decks each gets; a name typed here is changed everywhere."""

    def __init__(self, tree: ImportTree, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = tree
        self._rows = list(tree.edit.systems().items())
        tree.edited.connect(self._on_edited)

    def _on_edited(self) -> None:
        rows = list(self._tree.edit.systems().items())
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # @override
        if orientation != Qt.Orientation.Horizontal or section not in (0, 1):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return ("System", "decks")[section] if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:  # @override
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == 0 else flags

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # @override
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            name, count = self._rows[index.row()]
            return name if index.column() == 0 else f"{count:,}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        return None

    def setData(self, index: QModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # @override
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or index.column():
            return False
        old = self._rows[index.row()][0]
        return str(value) == old or self._tree.do(self._tree.edit.map_system, old, str(value))


def kind_words(file: ImportFile) -> str:
    """Return what a file is, such as "PowerPoint presentation" or "Source, Markdown"."""
    if file.role is FileRole.DECK and file.deck_format is not None:
        words = DECK_NAMES[file.deck_format]
        return f"Deck, {words[0].upper()}{words[1:]}" if file.other_role else words[0].upper() + words[1:]
    return f"Source, {_SOURCE_NAMES.get(str(file.source_format), str(file.source_format))}"


def _contents(group: ImportGroup) -> str:
    taken = [file for file in group.files if not file.is_excluded]
    decks = sum(file.role is FileRole.DECK for file in taken)
    sources = len(taken) - decks
    words = [counted(decks, "deck")]
    if sources:
        words.append(counted(sources, "source"))
    if group.instruction is not None:
        words.append("instruction")
    return ", ".join(words)


def _check_state(group: ImportGroup, file: ImportFile | None) -> Qt.CheckState:
    files = (file,) if file is not None else group.files
    out = sum(item.is_excluded for item in files)
    if out == 0:
        return Qt.CheckState.Checked
    return Qt.CheckState.Unchecked if out == len(files) else Qt.CheckState.PartiallyChecked


def _shape(edit: ImportEdit) -> list[tuple[int, tuple[int, ...]]]:
    return [(group.key, tuple(file.key for file in group.files)) for group in edit.groups]


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
