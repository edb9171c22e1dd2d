"""Instances as rows and systems as columns of a table; each cell is one system's deck for one instance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from studio.actions.figures import counted
from studio.actions.library import Cell, CellState, Library, LibraryFilter, LibraryRow, filtered
from studio.model.decks import System
from studio.store.care import Stale

CELL_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Cell` of an index."""
ROW_ROLE = Qt.ItemDataRole.UserRole + 2
"""The `LibraryRow` of an index or of a row's header."""


class InstanceMatrix(QAbstractTableModel):
    """Shows the rows of a library that pass a filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = Library()
        self._rows: list[LibraryRow] = []
        self._filter = LibraryFilter()
        self._is_rendering = False

    @property
    def library(self) -> Library:
        """All rows and systems, whatever the filter."""
        return self._library

    @property
    def is_rendering(self) -> bool:
        """Whether decks without pictures are being drawn now."""
        return self._is_rendering

    def set_library(self, library: Library) -> None:
        """Show another state of the library; where only cells changed, the selection stays."""
        rows = filtered(library.rows, self._filter)
        has_same_shape = (
            [system.id for system in library.systems] == [system.id for system in self._library.systems]
            and [row.instance.id for row in rows] == [row.instance.id for row in self._rows]
        )  # fmt: skip
        if not has_same_shape:
            self.beginResetModel()
            self._library, self._rows = library, rows
            self.endResetModel()
            return
        before, self._library, self._rows = self._rows, library, rows
        changed = [number for number, (old, new) in enumerate(zip(before, rows, strict=True)) if old != new]
        for first, last in _stretches(changed):
            self.headerDataChanged.emit(Qt.Orientation.Vertical, first, last)
            if library.systems:
                self.dataChanged.emit(self.index(first, 0), self.index(last, len(library.systems) - 1))
        if library.systems:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(library.systems) - 1)

    def set_filter(self, wanted: LibraryFilter) -> None:
        """Show only the rows that pass."""
        if wanted == self._filter:
            return
        self._filter = wanted
        rows = filtered(self._library.rows, wanted)
        if rows == self._rows:
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def set_rendering(self, is_rendering: bool) -> None:
        """Say that decks without pictures are being drawn, or no longer are."""
        if is_rendering == self._is_rendering:
            return
        self._is_rendering = is_rendering
        if self._rows and self._library.systems:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(self._library.systems) - 1))

    def rows(self) -> list[LibraryRow]:
        """Return the rows that are shown, in their order."""
        return list(self._rows)

    def row(self, number: int) -> LibraryRow:
        """Return a shown row."""
        return self._rows[number]

    def cell(self, index: QModelIndex) -> Cell:
        """Return the cell behind an index."""
        return self._rows[index.row()].cells[index.column()]

    def system(self, column: int) -> System:
        """Return the system of a column."""
        return self._library.systems[column]

    def index_of(self, instance_id: str, *, deck_id: str = "", system_id: str = "") -> QModelIndex:
        """Return the index of a deck or of a system in an instance; the first cell of the instance without both."""
        for number, row in enumerate(self._rows):
            if row.instance.id != instance_id:
                continue
            for column, cell in enumerate(row.cells):
                if (deck_id and cell.deck is not None and cell.deck.id == deck_id) or cell.system.id == system_id:
                    return self.index(number, column)
            return self.index(number, 0)
        return QModelIndex()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._library.systems)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # @override
        if not index.isValid():
            return None
        cell = self.cell(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.words(cell)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join([cell.system.name, self.words(cell), *marks_in_words(cell)])
            case Qt.ItemDataRole.ToolTipRole:
                return self.tip(cell)
            case _ if role == CELL_ROLE:
                return cell
            case _ if role == ROW_ROLE:
                return self._rows[index.row()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # @override
        if orientation == Qt.Orientation.Horizontal:
            if not 0 <= section < len(self._library.systems):
                return None
            system = self._library.systems[section]
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return system.name
            return system_tip(system) if role == Qt.ItemDataRole.ToolTipRole else None
        if not 0 <= section < len(self._rows):
            return None
        row = self._rows[section]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return row.instance.title
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join([row.instance.title, row.instance.name, *row.badges, sources_in_words(row)])
            case _ if role == ROW_ROLE:
                return row
        return None

    def words(self, cell: Cell) -> str:
        """Return what a cell says below its picture."""
        if cell.state is CellState.RENDERED and cell.deck is not None:
            return slides_in_words(cell.deck.slides)
        if cell.state is CellState.PENDING and self._is_rendering:
            return "rendering"
        if cell.needs_password:
            return "needs password"
        return cell.state.value

    def tip(self, cell: Cell) -> str:
        """Return all that the cell's picture and marks say, in words."""
        lines = [f"{cell.system.name}: {self.words(cell)}", cell.reason, *marks_in_words(cell)]
        return "\n".join(line for line in lines if line)


def slides_in_words(slides: int) -> str:
    """Return "1 slide" or "16 slides"."""
    return counted(slides, "slide")


def sources_in_words(row: LibraryRow) -> str:
    """Return "no source", "1 source" or "3 sources"."""
    number = len(row.sources)
    return "no source" if number == 0 else counted(number, "source")


def marks_in_words(cell: Cell) -> list[str]:
    """Return what the small marks of a cell mean, one line each."""
    deck = cell.deck
    if deck is None:
        return []
    lines = []
    if deck.warnings:
        first = deck.warnings[0]
        place = f"slide {first.slide}: " if first.slide else ""
        more = f" (and {len(deck.warnings) - 1} more)" if len(deck.warnings) > 1 else ""
        lines.append(f"{len(deck.warnings)} warning{'s' * (len(deck.warnings) > 1)}: {place}{first.message}{more}")
    if deck.hidden_slides:
        lines.append(f"{deck.hidden_slides} hidden slide{'s' * (deck.hidden_slides > 1)}")
    if deck.missing_fonts:
        lines.append(f"Fonts missing here: {', '.join(deck.missing_fonts)}")
    if cell.stale.total:
        lines.append(stale_in_words(cell.stale))
    return lines


def stale_in_words(stale: Stale) -> str:
    """Return such as "Stale: 3 ranks and 2 values were given on an earlier file; they are kept and do not count"."""
    counts = ((stale.ranks, "rank"), (stale.answers, "answer"), (stale.scores + stale.verdicts, "value"))
    parts = [f"{number:,} {word}{'s' if number != 1 else ''}" for number, word in counts if number]
    given = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    one = stale.total == 1
    tail = "was given on an earlier file; it is kept and does not count" if one else (
        "were given on an earlier file; they are kept and do not count"
    )  # fmt: skip
    return f"Stale: {given} {tail}"


def system_tip(system: System) -> str:
    """Return the record of a system, a line for each field that is filled."""
    fields = {
        "Version": system.version,
        "Paradigm": system.paradigm,
        "Accessed": system.access_date,
        "Settings": system.settings,
        "Adaptation": system.adaptation,
    }
    return "\n".join([system.name, *(f"{label}: {value}" for label, value in fields.items() if value)])


def _stretches(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return runs of neighbouring numbers as (first, last)."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
