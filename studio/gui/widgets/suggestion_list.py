"""What to change in a deck: one line each with its evidence, ticks for what can be applied, the unsure ones folded."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from studio.actions.content import Content, Line
from studio.actions.figures import counted
from studio.gui import theme
from studio.metrics.registry import METRICS
from studio.reflex.scorer import ContentScore

MOST_UNSURE = 6
"""Of the less sure ones only the likeliest are listed."""
_LINE = Qt.ItemDataRole.UserRole
_BOX_PX, _PADDING_PX = 24, 12
"""Room that a tick and the edges of a cell take."""
_WHAT, _METRIC, _EVIDENCE = range(3)
_HEADS = ("What to change", "Metric", "Evidence")


class _WrappedLines(QStyledItemDelegate):
    """Makes rows as high as the words of the first column need; the tree itself takes them for one line."""

    def __init__(self, tree: SuggestionList) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # @override
        hint = super().sizeHint(option, index)
        if index.column() != _WHAT:
            return hint
        level = 2 if index.parent().isValid() else 1
        is_checkable = bool(index.flags() & Qt.ItemFlag.ItemIsUserCheckable)
        room = self._tree.columnWidth(_WHAT) - level * self._tree.indentation() - (_BOX_PX if is_checkable else 0)
        words = QRect(0, 0, max(80, room - _PADDING_PX), 10_000)
        wrapped = self._tree.fontMetrics().boundingRect(
            words, int(Qt.TextFlag.TextWordWrap), str(index.data(Qt.ItemDataRole.DisplayRole))
        )  # fmt: skip
        return QSize(hint.width(), max(hint.height(), wrapped.height() + 8))


class SuggestionList(QTreeWidget):
    """Enter or a click on a line sends `line_opened`, Space ticks it; ticks send `choice_changed`."""

    line_opened = Signal(object)
    """The `Line`."""
    line_shown = Signal(object)
    """The `Line` that is current, or None."""
    choice_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What to change")
        self.setColumnCount(len(_HEADS))
        self.setHeaderLabels(list(_HEADS))
        self.setWordWrap(True)
        self.setUniformRowHeights(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setIndentation(16)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(_WHAT, QHeaderView.ResizeMode.Stretch)
        for column in (_METRIC, _EVIDENCE):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.setItemDelegate(_WrappedLines(self))
        head.sectionResized.connect(self._on_resized)
        self._is_filling = self._was_ticked = False
        self.unsure: QTreeWidgetItem | None = None
        """The folded heading of what is less sure."""
        self.itemChanged.connect(self._on_changed)
        self.itemActivated.connect(self._on_activated)
        self.itemClicked.connect(self._on_clicked)
        self.currentItemChanged.connect(self._on_current)

    def set_content(self, content: Content) -> None:
        """Show what to change in a deck; the sure ones that can be applied are ticked."""
        self._is_filling = True
        self.clear()
        for score in content.scores:
            own = [line for line in content.lines if line.metric is score.metric]
            firm = [line for line in own if line.suggestion.is_firm]
            if not firm:
                self._add_note(score, bool(own))
            for line in firm:
                self.addTopLevelItem(self._item(line))
        unsure = sorted(
            (line for line in content.lines if not line.suggestion.is_firm), key=lambda line: -line.suggestion.chance
        )
        self.unsure = None
        if unsure:
            self._add_unsure(unsure)
        self._is_filling = False
        self.setCurrentItem(self.topLevelItem(0))

    def all_lines(self) -> list[Line]:
        """Return the lines that are listed, in their order."""
        return [line for item in self._items() if (line := item.data(_WHAT, _LINE)) is not None]

    def chosen(self) -> list[Line]:
        """Return the lines that are ticked, in the order of the deck's metrics."""
        return [
            line for item in self._items()
            if (line := item.data(_WHAT, _LINE)) is not None
            and line.can_be_applied and item.checkState(_WHAT) is Qt.CheckState.Checked
        ]  # fmt: skip

    def choose(self, lines: Sequence[Line]) -> None:
        """Tick these lines and no others."""
        self._is_filling = True
        for item in self._items():
            line = item.data(_WHAT, _LINE)
            if line is not None and line.can_be_applied:
                item.setCheckState(_WHAT, Qt.CheckState.Checked if line in lines else Qt.CheckState.Unchecked)
        self._is_filling = False
        self.choice_changed.emit()

    def current_line(self) -> Line | None:
        """Return the current line; None on a heading or a note."""
        item = self.currentItem()
        return item.data(_WHAT, _LINE) if item is not None else None

    def words(self) -> list[str]:
        """Return the words of every line, headings and notes too, as a reader meets them."""
        return [item.text(_WHAT) for item in self._items()]

    def go_to(self, line: Line) -> None:
        """Make a line current, unfolding what it is in."""
        for item in self._items():
            if item.data(_WHAT, _LINE) == line:
                if item.parent() is not None:
                    item.parent().setExpanded(True)
                self.setCurrentItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        # A space on any column ticks the line, not only on the first one.
        item = self.currentItem()
        if event.key() == Qt.Key.Key_Space and item is not None:
            if item is self.unsure:
                item.setExpanded(not item.isExpanded())
            elif item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                is_on = item.checkState(_WHAT) is Qt.CheckState.Checked
                item.setCheckState(_WHAT, Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked)
                self._was_ticked = False
            return
        super().keyPressEvent(event)

    def _items(self) -> list[QTreeWidgetItem]:
        found = []
        for place in range(self.topLevelItemCount()):
            top = self.topLevelItem(place)
            found += [top, *(top.child(number) for number in range(top.childCount()))]
        return found

    def _item(self, line: Line) -> QTreeWidgetItem:
        suggestion = line.suggestion
        title = METRICS[f"reflex.{line.metric.value}"].title
        item = QTreeWidgetItem([line.words, title, line.evidence])
        item.setData(_WHAT, _LINE, line)
        tip = f"{suggestion.text}\nLikelihood {suggestion.chance:.2f}."
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if line.can_be_applied:
            item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(_WHAT, Qt.CheckState.Checked if line.is_chosen else Qt.CheckState.Unchecked)
            item.setToolTip(_WHAT, f"{tip}\nTicked lines are applied to the preview and to the copy.")
        else:
            item.setFlags(flags)
            item.setToolTip(_WHAT, f"{tip}\nTo be done by hand.")
        for column in (_METRIC, _EVIDENCE):
            item.setForeground(column, theme.color("text_muted"))
        return item

    def _add_note(self, score: ContentScore, has_unsure: bool) -> None:
        if score.undefined_reason:
            words = f"Undefined: {score.undefined_reason}."
        elif has_unsure:
            words = "Nothing is sure enough to be changed; see below."
        else:
            words = score.explanation
        item = QTreeWidgetItem([words, METRICS[f"reflex.{score.metric.value}"].title, ""])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        item.setToolTip(_WHAT, words)
        for column in (_WHAT, _METRIC):
            item.setForeground(column, theme.color("text_muted"))
        self.addTopLevelItem(item)

    def _add_unsure(self, lines: Sequence[Line]) -> None:
        self.unsure = QTreeWidgetItem([f"Less sure: {counted(len(lines), 'line')}", "", ""])
        self.unsure.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.unsure.setForeground(_WHAT, theme.color("text_muted"))
        self.addTopLevelItem(self.unsure)
        for line in lines[:MOST_UNSURE]:
            self.unsure.addChild(self._item(line))
        rest = len(lines) - MOST_UNSURE
        if rest > 0:
            more = QTreeWidgetItem([f"and {rest} more, less likely still", "", ""])
            more.setFlags(Qt.ItemFlag.NoItemFlags)
            self.unsure.addChild(more)
        self.unsure.setExpanded(False)

    @Slot(int, int, int)
    def _on_resized(self, column: int, _before: int, _now: int) -> None:
        if column == _WHAT:
            # Rows are as high as their words need at the present width.
            self.scheduleDelayedItemsLayout()

    @Slot(QTreeWidgetItem, int)
    def _on_changed(self, _item: QTreeWidgetItem, column: int) -> None:
        if not self._is_filling and column == _WHAT:
            self._was_ticked = True
            self.choice_changed.emit()

    @Slot(QTreeWidgetItem, int)
    def _on_clicked(self, item: QTreeWidgetItem, _column: int) -> None:
        was_ticked, self._was_ticked = self._was_ticked, False
        if not was_ticked:
            self._on_activated(item)

    @Slot(QTreeWidgetItem, int)
    def _on_activated(self, item: QTreeWidgetItem, _column: int = 0) -> None:
        line = item.data(_WHAT, _LINE)
        if line is not None:
            self.line_opened.emit(line)
        elif item is self.unsure and self.sender() is None:
            item.setExpanded(not item.isExpanded())

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_current(self, item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        if not self._is_filling:
            self.line_shown.emit(item.data(_WHAT, _LINE) if item is not None else None)

    @Slot(QPoint)
    def _on_menu(self, at: QPoint) -> None:
        item = self.itemAt(at)
        line = item.data(_WHAT, _LINE) if item is not None else None
        menu = QMenu(self)
        if line is not None:
            menu.addAction("Go to the slide" if line.suggestion.slide else "Go to the section",
                           lambda: self.line_opened.emit(line))  # fmt: skip
            if line.can_be_applied:
                menu.addAction("Apply only this one", lambda: self.choose([line]))
        menu.addAction("Apply all that are sure", lambda: self.choose([each for each in self.all_lines() if each
                                                                       .is_chosen]))  # fmt: skip
        menu.addAction("Apply none", lambda: self.choose([]))
        menu.popup(self.viewport().mapToGlobal(at))
