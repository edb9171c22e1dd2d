"""A leaderboard as a table: rank and interval of the first column, then every column's value."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QRectF
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from studio.actions.figures import UNDEFINED, figure, interval_in_words
from studio.actions.leaderboard import Board, BoardColumn, BoardRow, Cell, cell_text
from studio.gui.plots.interval import draw_interval
from studio.gui.widgets.table import ROW_ROLE, Column, RowDelegate, RowModel

INTERVAL = "95 % interval"
"""The head of the column in which the interval is drawn."""
VALUE_PX, NAME_PX, LETTER_PX = 96, 190, 8
_MOST_NAME_PX = 360
_SIGN_PX = 64
"""Of a column whose head is a sign, such as τ."""


class BoardModel(RowModel[BoardRow]):
    """The rows of one board; made anew for each board, since columns differ."""

    def __init__(self, board: Board, parent: QObject | None = None) -> None:
        self.board = board
        first = [row.cells[0] for row in board.rows if row.cells]
        values = [value for cell in first for value in (cell.low, cell.high, cell.value) if value is not None]
        low, high = min(values, default=0.0), max(values, default=1.0)
        self.scale = (low, high) if high > low else (low - 0.5, high + 0.5)
        """The ends of the interval column."""
        super().__init__(
            [
                Column(title=board.row_word.capitalize(), value=lambda row: row.title, is_strong=True,
                       width=_name_px(board)),
                *([_rank_column()] if any(cell.rank is not None for cell in first) else []),
                *([_interval_column(board.columns[0])] if any(cell.low is not None for cell in first) else []),
                *(_value_column(column, place) for place, column in enumerate(board.columns)),
                *([Column(title="not in the mean", value=lambda row: _absent(row.cells[0]),
                          tone=lambda _row: "text_muted")] if any(_absent(cell) for cell in first) else []),
            ],
            parent, key=lambda row: row.key,
        )  # fmt: skip
        self.set_rows(board.rows)


class BoardDelegate(RowDelegate):
    """Draws the interval of the first column as a line."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        model = index.model()
        if not isinstance(model, BoardModel) or model.columns[index.column()].title != INTERVAL:
            super().paint(painter, option, index)
            return
        self.paint_ground(painter, option)
        row: BoardRow = index.data(ROW_ROLE)
        cell = row.cells[0]
        room = QRectF(option.rect).adjusted(14, 0, -14, -1)
        draw_interval(
            painter, room, scale=model.scale, mean=cell.value, low=cell.low, high=cell.high, ceiling=None
        )  # fmt: skip


def _name_px(board: Board) -> int:
    """Return room for the longest name, within bounds: a name that is cut says nothing where only its end differs."""
    font = QGuiApplication.font()
    font.setBold(True)
    metrics = QFontMetrics(font)
    longest = max((metrics.horizontalAdvance(row.title) for row in board.rows), default=0)
    return max(NAME_PX, min(_MOST_NAME_PX, longest + 28))


def _rank_column() -> Column[BoardRow]:
    return Column(
        title="rank", value=lambda row: row.cells[0].rank, text=lambda row: row.cells[0].rank_in_words,
        reason=lambda row: row.cells[0].reason or "not ranked", is_number=True, width=84,
        tip=lambda row: _rank_tip(row.cells[0]),
    )  # fmt: skip


def _interval_column(first: BoardColumn) -> Column[BoardRow]:
    return Column(
        title=INTERVAL, value=lambda row: row.cells[0].value, text=lambda _row: "",
        reason=lambda row: row.cells[0].reason, tip=partial(_tip, place=0, column=first), width=200,
    )  # fmt: skip


def _value_column(column: BoardColumn, place: int) -> Column[BoardRow]:
    return Column(
        title=column.title, value=lambda row: row.cells[place].value,
        text=lambda row: cell_text(row.cells[place], column), reason=lambda row: row.cells[place].reason,
        tip=partial(_tip, place=place, column=column), is_number=True,
        width=max(VALUE_PX if len(column.title) > 2 else _SIGN_PX, LETTER_PX * len(column.title) + 28),
    )  # fmt: skip


def _tip(row: BoardRow, *, place: int, column: BoardColumn) -> str:
    cell = row.cells[place]
    words = [f"{column.title}: {figure(cell.value, column.digits)}, n = {cell.n}"]
    if cell.low is not None:
        words.append(f"95 % interval {interval_in_words(cell.low, cell.high)}")
    if cell.rank is not None:
        words.append(_rank_tip(cell))
    absent = _absent(cell)
    return "\n".join([*words, *([absent] if absent else [])])


def _rank_tip(cell: Cell) -> str:
    if cell.rank is None:
        return UNDEFINED
    return f"Rank {cell.rank}; from {cell.rank_low} to {cell.rank_high} in 95 % of resamples"


def _absent(cell: Cell) -> str:
    zero = f"{cell.failed_as_zero} failed count as zero" if cell.failed_as_zero else ""
    return ", ".join(part for part in (cell.absent.in_words, zero) if part)
