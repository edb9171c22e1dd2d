"""Panes in the rows × columns that leave the largest slides at the present window size."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

GAP_PX = 12


class Grid(NamedTuple):
    """How many rows and columns."""

    rows: int
    columns: int


class Chrome(NamedTuple):
    """What a pane needs around its slide, in logical pixels."""

    width: int = 24
    height: int = 36 + 52 + 24
    """Head, film strip and the margin above and below the slide."""


def best_grid(
    panes: int,
    width: int,
    height: int,
    *,
    aspect: float = 16 / 9,
    gap: int = GAP_PX,
    chrome: Chrome | None = None,
) -> Grid:
    """Return the rows and columns in which each slide gets the largest area.

    Args:
        panes: how many, at least 1.
        width: room for all of them, in logical pixels.
        height: the same downwards.
        aspect: width ÷ height of the widest slide.
        gap: between two panes, in logical pixels.
        chrome: what a pane takes besides the slide.

    Returns:
        Among equally large slides, the grid with the fewest empty places, then the one with more columns.
    """
    chrome = chrome or Chrome()
    best, best_key = Grid(1, max(panes, 1)), (-1.0, 0, 0)
    for columns in range(1, panes + 1):
        rows = -(-panes // columns)
        if (rows - 1) * columns >= panes:
            continue
        slide_w = (width - gap * (columns - 1)) / columns - chrome.width
        slide_h = (height - gap * (rows - 1)) / rows - chrome.height
        side = max(0.0, min(slide_w, slide_h * aspect))
        key = (round(side), -(rows * columns - panes), columns)
        if key > best_key:
            best, best_key = Grid(rows, columns), key
    return best


class PaneGrid(QWidget):
    """Holds panes of equal size and arranges them anew when their number or the window changes."""

    grid_changed = Signal(int, int)
    """Rows and columns."""

    def __init__(self, parent: QWidget | None = None, *, chrome: Chrome | None = None) -> None:
        super().__init__(parent)
        self._panes: list[QWidget] = []
        self._chrome = chrome or Chrome()
        self._aspect = 16 / 9
        self._grid = Grid(1, 1)
        self._only: QWidget | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_panes(self, panes: list[QWidget]) -> None:
        """Show these panes in this order. Panes that are no longer among them are deleted."""
        for old in self._panes:
            if old not in panes:
                old.setParent(None)
                old.deleteLater()
        self._panes = list(panes)
        self._only = self._only if self._only in panes else None
        for pane in panes:
            if pane.parent() is not self:
                pane.setParent(self)
            pane.setVisible(self._only is None or pane is self._only)
        self._arrange()

    def panes(self) -> list[QWidget]:
        """Return the panes in order."""
        return list(self._panes)

    def grid(self) -> Grid:
        """Return the present rows and columns."""
        return self._grid

    def set_aspect(self, aspect: float) -> None:
        """Say how wide the slides are, width ÷ height."""
        self._aspect = aspect
        self._arrange()

    def set_chrome(self, chrome: Chrome) -> None:
        """Say what a pane takes besides its slide, for example after its film strip was hidden."""
        self._chrome = chrome
        self._arrange()

    def show_only(self, pane: QWidget | None) -> None:
        """Give the whole room to one pane; None shows all again."""
        self._only = pane
        for other in self._panes:
            other.setVisible(pane is None or other is pane)
        self._arrange()

    def sizeHint(self) -> QSize:  # @override
        return QSize(640, 420)

    def minimumSizeHint(self) -> QSize:  # @override
        return QSize(240, 180)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def _arrange(self) -> None:
        shown = [self._only] if self._only else self._panes
        if not shown:
            return
        grid = best_grid(len(shown), self.width(), self.height(), aspect=self._aspect, chrome=self._chrome)
        # Edges are cut from the whole width, so that rounding leaves no ragged right side.
        for place, pane in enumerate(shown):
            row, column = divmod(place, grid.columns)
            left, right = _cut(self.width(), grid.columns, column)
            top, bottom = _cut(self.height(), grid.rows, row)
            pane.setGeometry(QRect(left, top, right - left, bottom - top))
        if grid != self._grid:
            self._grid = grid
            self.grid_changed.emit(*grid)


def _cut(length: int, parts: int, place: int) -> tuple[int, int]:
    room = length - GAP_PX * (parts - 1)
    begin = round(room * place / parts) + GAP_PX * place
    return begin, begin + round(room * (place + 1) / parts) - round(room * place / parts)
