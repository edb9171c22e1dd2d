"""The questions of a checklist by dimension, with what was said so far."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem

from studio.gui import theme
from studio.gui.widgets.panel import Panel
from studio.model.checklists import Dimension, Item, ItemAnswer
from studio.model.ids import DeckId
from studio.sessions.checklist import AnswerOrder, ChecklistSheet, Unit

DIMENSION_WORDS = {
    Dimension.FUNDAMENTALS: "Fundamentals",
    Dimension.DESIGN: "Design and layout",
    Dimension.COMPLETENESS: "Completeness",
    Dimension.CORRECTNESS: "Correctness",
    Dimension.FIDELITY: "Fidelity",
}
GLYPHS = {
    ItemAnswer.YES: ("✓", "ok"),
    ItemAnswer.NO: ("✗", "bad"),
    ItemAnswer.CANNOT_TELL: ("?", "warn"),
    ItemAnswer.NOT_APPLICABLE: ("–", "text_muted"),
}
OPEN_GLYPH, NEEDS_PLACE_GLYPH = ("·", "text_muted"), ("!", "warn")
ROW_PX, GLYPH_PX, LEFT_PX = 26, 15, 14
UNIT_ROLE, SIGNS_ROLE = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2


def sign_of(sheet: ChecklistSheet, unit: Unit) -> tuple[str, str]:
    """Return the sign of an answer and its colour token; an answer that still lacks its place has a sign of its own."""
    answer = sheet.reply(unit).answer
    if answer is None:
        return OPEN_GLYPH
    return NEEDS_PLACE_GLYPH if sheet.lacking(unit) else GLYPHS[answer]


def title_of(item: Item) -> str:
    """Return a question in one line: its bold title if it begins with one, else its words."""
    bold = re.match(r"\s*\*\*(.+?)\*\*", item.text)
    words = " ".join((bold.group(1) if bold else item.text).split())
    return f"Slide {item.slide}: {words}" if item.slide is not None else words


class _QuestionRow(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:  # @override
        return QSize(60, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        painter.save()
        rect: QRect = option.rect
        signs: Sequence[tuple[str, str]] | None = index.data(SIGNS_ROLE)
        middle = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        if signs is None:
            painter.setFont(theme.sized_font(theme.BODY_PX, bold=True))
            painter.setPen(theme.color("text"))
            painter.drawText(rect.adjusted(LEFT_PX - 2, 4, -8, 0), middle, index.data())
            painter.restore()
            return
        if index == self.parent().currentIndex():
            painter.fillRect(rect, theme.color("surface_selected"))
        painter.setFont(theme.sized_font(theme.BODY_PX, bold=True))
        for place, (sign, tone) in enumerate(signs):
            painter.setPen(theme.color(tone))
            painter.drawText(rect.adjusted(LEFT_PX + place * GLYPH_PX, 0, 0, 0), middle, sign)
        painter.setFont(theme.sized_font(theme.BODY_PX))
        painter.setPen(theme.color("text"))
        room = rect.adjusted(LEFT_PX + len(signs) * GLYPH_PX + 8, 0, -8, 0)
        words = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, middle, words)
        painter.restore()


class QuestionList(Panel):
    """Lists what one deck is asked; item by item, each question has a sign for every deck."""

    unit_picked = Signal(str, str)
    """Deck id and item id."""

    def __init__(self) -> None:
        super().__init__("Checklist", " ")
        self._shown: object = None
        self.model = QStandardItemModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_QuestionRow(self.list))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.clicked.connect(self._on_clicked)
        self.list.setAccessibleName("Questions")
        self.set_body(self.list)

    def show_sheet(self, sheet: ChecklistSheet, unit: Unit, order: AnswerOrder) -> None:
        """Show the questions of the unit's deck with what was said, and mark the one that is asked now."""
        items = sheet.items[unit.deck_id]
        shown = (id(sheet), unit.deck_id)
        if shown != self._shown:
            self._shown = shown
            self._fill(unit.deck_id, items)
        self.set_title("Checklist", f"{len(items)} items")
        for row in range(self.model.rowCount()):
            entry = self.model.item(row)
            here = entry.data(UNIT_ROLE)
            if here is None:
                continue
            decks = sheet.decks if order is AnswerOrder.ITEM_BY_ITEM else (unit.deck_id,)
            asked = [Unit(deck, here.item_id) for deck in decks]
            signs = [sign_of(sheet, each) for each in asked if any(i.id == each.item_id for i in sheet.items[each[0]])]
            entry.setData(signs, SIGNS_ROLE)
            if here == unit:
                self.list.setCurrentIndex(entry.index())
                self.list.scrollTo(entry.index())
        self.list.viewport().update()

    def _fill(self, deck_id: DeckId, items: Sequence[Item]) -> None:
        self.model.clear()
        for dimension in Dimension:
            of_it = [item for item in items if item.dimension is dimension]
            if not of_it:
                continue
            head = QStandardItem(f"{DIMENSION_WORDS[dimension]}  {len(of_it)}")
            head.setFlags(Qt.ItemFlag.NoItemFlags)
            self.model.appendRow(head)
            for item in of_it:
                row = QStandardItem(title_of(item))
                row.setToolTip(item.text)
                row.setData(Unit(deck_id, item.id), UNIT_ROLE)
                self.model.appendRow(row)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        unit = index.data(UNIT_ROLE)
        if unit is not None:
            self.unit_picked.emit(*unit)


def list_width(width: int) -> int:
    """Return how wide the list is on a page of this width, in logical pixels."""
    return 280 if width >= 1360 else 220 if width >= 1160 else 180


def question_width(width: int) -> int:
    """Return how wide the question is on a page of this width, in logical pixels."""
    return 372 if width >= 1360 else 330 if width >= 1160 else 288
