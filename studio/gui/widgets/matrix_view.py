"""The matrix of decks: instances down the left side, systems along the top, and cells that share the room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from studio.actions.library import LibraryRow
from studio.gui import theme
from studio.gui.image_loader import ImageLoader
from studio.gui.models.instance_matrix import ROW_ROLE, InstanceMatrix, sources_in_words
from studio.gui.widgets.badge import HEIGHT_PX, draw_badge
from studio.gui.widgets.deck_cell import DeckCellDelegate, row_height
from studio.gui.widgets.panel import Hairline, toned_label

NARROWEST_PX = 132
WIDEST_PX = 236
SIDE_PX = (168, 248)
"""Narrowest and widest column of instance titles."""
HEAD_PX = 32


class InstanceHeader(QHeaderView):
    """Draws each instance: its title in two lines at most, sources, badges."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setFixedWidth(SIDE_PX[1])

    def sizeHint(self) -> QSize:  # @override
        return QSize(self.width(), super().sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # @override
        row = self.model().headerData(section, Qt.Orientation.Vertical, ROW_ROLE)
        if row is None:
            return
        painter.save()
        painter.fillRect(rect, theme.color("surface"))
        current = self.parentWidget().currentIndex()
        if current.isValid() and current.row() == section:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height() - 1), theme.color("accent"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("hairline"))
        painter.fillRect(QRect(rect.right(), rect.top(), 1, rect.height()), theme.color("hairline"))
        room = rect.adjusted(14, 10, -10, -10)
        self._paint_words(painter, room, row)
        painter.restore()

    def _paint_words(self, painter: QPainter, room: QRect, row: LibraryRow) -> None:
        painter.setFont(theme.sized_font(theme.BODY_PX, bold=True))
        painter.setPen(theme.color("text"))
        metrics = painter.fontMetrics()
        # The font that stands in for Chinese is taller than the metrics of the first font say.
        step = max(metrics.height(), round(theme.BODY_PX * 1.4))
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip)
        top = room.top() - 2
        for line in two_lines(row.instance.title, metrics, room.width()):
            painter.drawText(QRect(room.left(), top, room.width(), step), flags, line)
            top += step
        painter.setFont(theme.sized_font(12, tabular=True))
        painter.setPen(theme.color("text_muted"))
        height = painter.fontMetrics().height()
        painter.drawText(QRect(room.left(), top + 2, room.width(), height), 0, sources_in_words(row))
        top += height + 6
        self._paint_badges(painter, QRect(room.left(), top, room.width(), room.bottom() - top + 1), row.badges)

    def _paint_badges(self, painter: QPainter, room: QRect, badges: tuple[str, ...]) -> None:
        painter.setFont(theme.sized_font(theme.CAPTION_PX))
        left, top = room.left(), room.top()
        for badge in badges:
            width = min(painter.fontMetrics().horizontalAdvance(badge) + 16, room.width())
            if left > room.left() and left + width > room.right():
                left, top = room.left(), top + HEIGHT_PX + 4
            if top + HEIGHT_PX > room.bottom() + 1:
                return
            draw_badge(painter, QRect(left, top, width, HEIGHT_PX).toRectF(), badge)
            left += width + 4


class MatrixView(QTableView):
    """Shows an `InstanceMatrix`. Arrows move from cell to cell, Enter opens, the context menu is asked for."""

    cell_opened = Signal(QModelIndex)
    cell_selected = Signal(QModelIndex)
    """The current cell changed; an invalid index where there is none."""
    menu_asked = Signal(QModelIndex, QPoint)
    """A cell and a place on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setVerticalHeader(InstanceHeader(self))
        self.setItemDelegate(DeckCellDelegate(self))
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Decks by instance and system")
        head = self.horizontalHeader()
        head.setFixedHeight(HEAD_PX)
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._corner = toned_label("Instance", "muted")
        self._corner.setParent(self)
        self._corner.setContentsMargins(14, 0, 0, 0)
        self._edges = [Hairline(self), Hairline(self)]
        self._edges[1].setFixedSize(1, HEAD_PX)
        self.setCornerButtonEnabled(False)
        self.setCornerWidget(QWidget(self))
        self.activated.connect(self.cell_opened)
        self.verticalHeader().sectionClicked.connect(self._on_instance_clicked)

    def set_matrix(self, model: InstanceMatrix) -> None:
        """Show a model."""
        self.setModel(model)
        model.modelReset.connect(self._on_model_reset)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self._fit()

    def set_loader(self, loader: ImageLoader | None) -> None:
        """Take pictures from this loader."""
        self.itemDelegate().set_loader(loader)

    def forget_failures(self) -> None:
        """Try again pictures that could not be shown."""
        self.itemDelegate().forget_failures()

    def go_to(self, index: QModelIndex) -> None:
        """Make a cell the current one and bring it into view."""
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    @Slot()
    def _on_model_reset(self) -> None:
        self._fit()
        self.cell_selected.emit(self.currentIndex())

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.verticalHeader().viewport().update()
        self.cell_selected.emit(index)

    @Slot(int)
    def _on_instance_clicked(self, section: int) -> None:
        column = max(0, self.currentIndex().column())
        self.go_to(self.model().index(section, column))

    def _fit(self) -> None:
        """Give the cells the width that shows all systems at once, within bounds."""
        columns = self.model().columnCount() if self.model() else 0
        if not columns:
            return
        side = max(SIDE_PX[0], min(SIDE_PX[1], self.width() // 5))
        self.verticalHeader().setFixedWidth(side)
        width = self._column_width(self.width() - side, columns)
        needs_bar = self.model().rowCount() * row_height(width) > self.height() - HEAD_PX
        if needs_bar:
            width = self._column_width(self.width() - side - self.verticalScrollBar().sizeHint().width(), columns)
        self.horizontalHeader().setDefaultSectionSize(width)
        self.verticalHeader().setDefaultSectionSize(row_height(width))
        self._corner.setGeometry(0, 0, side - 1, HEAD_PX - 1)
        self._edges[0].setGeometry(0, HEAD_PX - 1, side, 1)
        self._edges[1].move(side - 1, 0)

    def _column_width(self, room_px: int, columns: int) -> int:
        return max(NARROWEST_PX, min(WIDEST_PX, room_px // columns))

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:  # @override
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model() and self.model().rowCount():
            self.go_to(self.model().index(0, 0))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # @override
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            index, place = self.indexAt(event.pos()), event.globalPos()
        else:
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu_asked.emit(index, place)

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.verticalHeader().viewport().update()


def two_lines(text: str, metrics: QFontMetrics, room_px: int) -> list[str]:
    """Return a title in one line, or in two of which the second is elided in the middle.

    The first line ends between words where there are some, and anywhere in Chinese.
    """
    if metrics.horizontalAdvance(text) <= room_px:
        return [text]
    cut = len(text)
    while cut > 1 and metrics.horizontalAdvance(text[:cut]) > room_px:
        cut -= 1
    space = text.rfind(" ", 0, cut + 1)
    if space > cut // 2:
        cut = space
    rest = metrics.elidedText(text[cut:].lstrip(), Qt.TextElideMode.ElideMiddle, room_px)
    return [text[:cut].rstrip(), rest]
