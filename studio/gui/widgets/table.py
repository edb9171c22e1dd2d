"""Tables: hairlines between rows, no grid, numbers at the right in figures of equal width."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from studio.actions.figures import UNDEFINED
from studio.gui import theme

Row = TypeVar("Row")

ROW_PX = 30
HEAD_PX = 28

TONE_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_ROLE = Qt.ItemDataRole.UserRole + 2
SECOND_LINE_ROLE = Qt.ItemDataRole.UserRole + 3
LOOK_ROLE = Qt.ItemDataRole.UserRole + 4
"""All that is drawn of a cell, in one answer: asking for each by itself takes most of the time of drawing a table."""


@dataclass(frozen=True, kw_only=True)
class Column(Generic[Row]):
    """One column over rows of any kind; the functions take a row."""

    title: str
    """With the unit, such as "time, s"."""
    value: Callable[[Row], Any]
    """What is sorted by; None is undefined and sorts last in both directions."""
    text: Callable[[Row], str] | None = None
    """What is shown; the value's own text without it. Not asked where the value is None."""
    reason: Callable[[Row], str] | None = None
    """Why the value is undefined: the tooltip of "–"."""
    tip: Callable[[Row], str] | None = None
    second_line: Callable[[Row], str] | None = None
    """A muted line below, for a table with tall rows."""
    tone: Callable[[Row], str] | None = None
    """A colour token such as `ok`, `bad`, `warn`, `text_muted`."""
    is_number: bool = False
    is_strong: bool = False
    width: int = 0
    """In logical pixels; 0 shares what is left."""


class RowModel(QAbstractTableModel, Generic[Row]):
    """Dataclasses as a table, with sorting. Rows come whole with `set_rows` or one by one with `replace`."""

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        parent: QObject | None = None,
        *,
        key: Callable[[Row], Hashable] = id,
    ) -> None:
        """Make an empty table.

        Args:
            columns: from left to right.
            parent: the owner.
            key: tells which row of a new set is the same as an old one, such as its id; selection follows it.
        """
        super().__init__(parent)
        self.columns = list(columns)
        self.key = key
        self._rows: list[Row] = []
        self._fonts: dict[tuple[bool, bool], QFont] = {}
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows, in the sorting that the user chose."""
        self.beginResetModel()
        self._rows = list(rows)
        self._sort_rows()
        self.endResetModel()

    def rows(self) -> list[Row]:
        """Return the rows in the order in which they are shown."""
        return list(self._rows)

    def row(self, index: QModelIndex | int) -> Row:
        """Return the row behind an index or a row number."""
        return self._rows[index if isinstance(index, int) else index.row()]

    def replace(self, number: int, row: Row) -> None:
        """Show a new state of one row, at its present place."""
        self._rows[number] = row
        self.dataChanged.emit(self.index(number, 0), self.index(number, len(self.columns) - 1))

    def replace_all(self, fresh: Mapping[int, Row]) -> None:
        """Show new states of rows by their numbers, at their present places, as one change."""
        if not fresh:
            return
        for number, row in fresh.items():
            self._rows[number] = row
        self.dataChanged.emit(self.index(min(fresh), 0), self.index(max(fresh), len(self.columns) - 1))

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows at the end."""
        if not rows:
            return
        first = len(self._rows)
        self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
        self._rows.extend(rows)
        self.endInsertRows()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  # @override
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # @override
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return None

    def data(self, index: QModelIndex, role: int = 0) -> Any:  # @override
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], self.columns[index.column()]
        match role:
            case _ if role == LOOK_ROLE:
                return (
                    shown(column, row), self._font(column), _alignment(column), self._ink(column, row),
                    column.second_line(row) if column.second_line else None,
                )  # fmt: skip
            case Qt.ItemDataRole.DisplayRole:
                return shown(column, row)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(column, row)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.FontRole:
                return self._font(column)
            case Qt.ItemDataRole.ForegroundRole:
                return self._ink(column, row)
            case _ if role == ROW_ROLE:
                return row
            case _ if role == SECOND_LINE_ROLE:
                return column.second_line(row) if column.second_line else None
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:  # @override
        # Without arguments: PySide 6.11 crashes a view later on when the list and the hint are given.
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        held = [(self._rows[index.row()], index.column()) for index in before]
        self._sorted_by = (column, order) if column >= 0 else None
        self._sort_rows()
        places = {id(row): number for number, row in enumerate(self._rows)}
        self.changePersistentIndexList(before, [self.index(places[id(row)], at) for row, at in held])
        self.layoutChanged.emit()

    def _sort_rows(self) -> None:
        if self._sorted_by is None:
            return
        number, order = self._sorted_by
        value = self.columns[number].value
        defined = [row for row in self._rows if value(row) is not None]
        undefined = [row for row in self._rows if value(row) is None]
        defined.sort(key=lambda row: value(row), reverse=order == Qt.SortOrder.DescendingOrder)
        self._rows = defined + undefined

    def _font(self, column: Column[Row]) -> QFont:
        kind = (column.is_strong, column.is_number)
        if kind not in self._fonts:
            self._fonts[kind] = theme.sized_font(theme.BODY_PX, bold=column.is_strong, tabular=column.is_number)
        return self._fonts[kind]

    def _ink(self, column: Column[Row], row: Row) -> Any:
        if column.value(row) is None:
            return theme.color("text_muted")
        return theme.color(column.tone(row)) if column.tone and column.tone(row) else None

    def _tip(self, column: Column[Row], row: Row) -> str | None:
        if column.value(row) is None and column.reason:
            return column.reason(row)
        return column.tip(row) if column.tip else shown(column, row)


def shown(column: Column[Row], row: Row) -> str:
    """Return the text of a cell; "–" where the value is undefined."""
    value = column.value(row)
    if value is None:
        return UNDEFINED
    return column.text(row) if column.text else str(value)


_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TEXTS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# As numbers: an operation on Qt's flags costs a hundred times one on integers, and a page paints hundreds of cells.
_SELECTED, _HOVERED = QStyle.StateFlag.State_Selected.value, QStyle.StateFlag.State_MouseOver.value
_ENABLED = QStyle.StateFlag.State_Enabled.value


def _alignment(column: Column[Any]) -> Qt.AlignmentFlag:
    return _NUMBERS if column.is_number else _TEXTS


class RowDelegate(QStyledItemDelegate):
    """Draws a cell: selection, text elided in the middle, a second line if there is one, a hairline below."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        self.paint_ground(painter, option)
        self.paint_text(painter, option, index)

    def paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        """Draw selection, hover and the hairline."""
        state, rect = option.state.value, option.rect
        if state & _SELECTED:
            painter.fillRect(rect, theme.color("surface_selected"))
        elif state & _HOVERED:
            painter.fillRect(rect, theme.color("surface_hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("hairline"))

    def paint_text(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Draw the words of the cell."""
        painter.save()
        words, font, alignment, ink, second = index.data(LOOK_ROLE) or (
            index.data(), index.data(Qt.ItemDataRole.FontRole), index.data(Qt.ItemDataRole.TextAlignmentRole),
            index.data(Qt.ItemDataRole.ForegroundRole), index.data(SECOND_LINE_ROLE),
        )  # fmt: skip
        alignment = alignment or Qt.AlignmentFlag.AlignVCenter
        ink = ink or theme.color("text")
        if not option.state.value & _ENABLED:
            ink = theme.color("text_disabled")
        room = option.rect.adjusted(10, 0, -10, -1)
        first_room = QRect(room)
        if second:
            first_room.setBottom(room.center().y())
            self._line(painter, room.adjusted(0, room.height() // 2, 0, -2), str(second), alignment, option)
            alignment = (alignment & ~Qt.AlignmentFlag.AlignVCenter) | Qt.AlignmentFlag.AlignBottom
        painter.setFont(font or option.font)
        painter.setPen(ink)
        words = painter.fontMetrics().elidedText(str(words or ""), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(first_room, int(alignment), words)
        painter.restore()

    def _line(
        self,
        painter: QPainter,
        room: QRect,
        words: str,
        alignment: Qt.AlignmentFlag,
        option: QStyleOptionViewItem,
    ) -> None:
        painter.setFont(theme.sized_font(12))
        painter.setPen(theme.color("text_muted"))
        side = (alignment & ~Qt.AlignmentFlag.AlignVCenter) | Qt.AlignmentFlag.AlignTop
        words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, int(side), words)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # @override
        words = str(index.data() or "")
        return QSize(option.fontMetrics.horizontalAdvance(words) + 24, ROW_PX)


class DataTable(QTableView):
    """A table over a `RowModel`: whole rows are selected, Enter or a double click opens one."""

    row_opened = Signal(object)
    row_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, row_px: int = ROW_PX, is_sortable: bool = True) -> None:
        super().__init__(parent)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setItemDelegate(RowDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_px)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setFixedHeight(HEAD_PX)
        head.setHighlightSections(False)
        head.setSectionsClickable(is_sortable)
        head.setMinimumSectionSize(40)
        self._is_sortable = is_sortable
        self._held: tuple[set[Hashable], Hashable] = (set(), None)
        self._is_restoring = False
        self.activated.connect(self._on_activated)

    def set_model(self, model: RowModel[Any]) -> None:
        """Show a model; columns take their widths from it, those without one share the rest."""
        self.setModel(model)
        head = self.horizontalHeader()
        for number, column in enumerate(model.columns):
            if column.width:
                head.setSectionResizeMode(number, QHeaderView.ResizeMode.Interactive)
                self.setColumnWidth(number, column.width)
            else:
                head.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)
        if self._is_sortable:
            head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            self.setSortingEnabled(True)
        model.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        model.modelReset.connect(self._on_model_reset)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)

    def selected_rows(self) -> list[Any]:
        """Return the selected rows, from top to bottom."""
        numbers = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.model().row(number) for number in numbers]

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.row_opened.emit(self.model().row(index))

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._is_restoring:
            self.row_selected.emit(self.model().row(index))

    @Slot()
    def _on_model_about_to_be_reset(self) -> None:
        model, current = self.model(), self.currentIndex()
        held = model.key(model.row(current)) if current.isValid() else None
        self._held = ({model.key(row) for row in self.selected_rows()}, held)

    @Slot()
    def _on_model_reset(self) -> None:
        selected, current = self._held
        if not selected and current is None:
            return
        model, chosen = self.model(), QItemSelection()
        flags = QItemSelectionModel.SelectionFlag
        self._is_restoring = True
        for number, row in enumerate(model.rows()):
            key = model.key(row)
            if key in selected:
                chosen.select(model.index(number, 0), model.index(number, len(model.columns) - 1))
            if key == current:
                self.selectionModel().setCurrentIndex(model.index(number, 0), flags.NoUpdate)
        self.selectionModel().select(chosen, flags.ClearAndSelect)
        self._is_restoring = False
