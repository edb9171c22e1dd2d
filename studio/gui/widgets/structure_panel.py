"""What a deck is made of, slide by slide: a tree of shapes, layouts, motion and media, and what is behind a chart."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from studio.actions.deck_structure import CellTable, DeckTree, Node
from studio.gui import theme
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState

NODE_ROLE = Qt.ItemDataRole.UserRole
KIND_PX = 132
ROW_PX = 24


class StructurePanel(Panel):
    """Shows the tree of one slide and of the deck around it; what is selected there is said with `node_picked`."""

    node_picked = Signal(object)
    """The `Node` that is selected, or None."""
    retried = Signal()
    closed = Signal()
    """Escape in the panel."""

    def __init__(self) -> None:
        super().__init__("Structure", " ")
        self.setMinimumWidth(260)
        self.tree = _Tree()
        self.tree.setAccessibleName("Structure")
        self.facts = QPlainTextEdit()
        self.facts.setReadOnly(True)
        self.facts.setFrameShape(QFrame.Shape.NoFrame)
        self.facts.setStyleSheet("border: 0; padding: 4px 8px;")
        self.facts.setTabChangesFocus(True)
        self.facts.setAccessibleName("About what is selected")
        self.cells = QTabWidget()
        self.cells.setDocumentMode(True)
        self.cells.tabBar().setDrawBase(False)
        self.about = QWidget()
        below = QVBoxLayout(self.about)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(hairline())
        below.addWidget(self.facts, 1)
        below.addWidget(self.cells, 2)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(4)
        self.split.addWidget(self.tree)
        self.split.addWidget(self.about)
        self.split.setSizes([360, 320])
        self.loading = LoadingState()
        self.nothing = EmptyState("No structure", icon_name="file")
        self.failed = FailedState("The structure cannot be read")
        self.layers = QStackedWidget()
        for layer in (self.split, self.loading, self.nothing, self.failed):
            self.layers.addWidget(layer)
        self.set_body(self.layers)
        self.tree.currentItemChanged.connect(self._on_current_changed)
        self.tree.left.connect(self.closed)
        self.failed.retried.connect(self.retried)
        self._shown: tuple[object, int] | None = None

    def sizeHint(self) -> QSize:  # @override
        return QSize(380, 480)

    def show_loading(self, name: str) -> None:
        """Say that a deck is being read."""
        self._set_layer(self.loading, name)

    def show_failure(self, name: str, reason: str) -> None:
        """Say why a deck cannot be read."""
        self.failed.set_words("The structure cannot be read", reason)
        self._set_layer(self.failed, name)

    def show_tree(self, name: str, tree: DeckTree, number: int | None) -> None:
        """Show a slide of a deck.

        Args:
            name: what the deck is called here.
            tree: its structure.
            number: the slide; None where the deck has none at the common place.
        """
        if tree.why_none:
            self.nothing.set_words("No structure to show", tree.why_none)
            self._set_layer(self.nothing, name)
            return
        number = number or 0
        is_same = self._shown is not None and self._shown[0] is tree and self._shown[1] == number
        if is_same and self.layers.currentWidget() is self.split:
            return
        self._set_layer(self.split, name)
        self._shown = (tree, number)
        counts = tree.counts.get(number)
        self.head.set_facts(f"{name} · slide {number}" if number else name)
        self.head.facts_label.setToolTip(counts or "")
        slide = Node(
            words=f"Slide {number}" if number else "No slide here", kind=counts or "", is_open=True,
            children=tree.slides.get(number, ()),
        )  # fmt: skip
        deck = Node(words="The whole deck", kind=f"{len(tree.slides)} slides", children=tree.deck)
        self.tree.blockSignals(True)
        self.tree.clear()
        for node in (slide, deck):
            self.tree.add(node, None)
        self.tree.blockSignals(False)
        self._show_node(None)

    def select(self, node: Node) -> bool:
        """Select the line of a node; return whether it is there."""
        item = self.tree.item_of(node)
        if item is not None:
            self.tree.setCurrentItem(item)
        return item is not None

    def _set_layer(self, layer: QWidget, name: str) -> None:
        if layer is not self.split:
            self._shown = None
            self.node_picked.emit(None)
        self.head.set_facts(name)
        self.layers.setCurrentWidget(layer)

    def _show_node(self, node: Node | None) -> None:
        lines = [] if node is None else [node.words, *node.facts]
        self.facts.setPlainText("\n".join(lines) if lines else "Select a line to see what it is and where it lies.")
        self._show_cells(node.tables if node is not None else ())
        self.node_picked.emit(node)

    def _show_cells(self, tables: Sequence[CellTable]) -> None:
        while self.cells.count():
            page = self.cells.widget(0)
            self.cells.removeTab(0)
            page.deleteLater()
        for table in tables:
            self.cells.addTab(_cell_view(table), f"{table.sheet} (cut)" if table.is_cut else table.sheet)
        self.cells.setVisible(bool(tables))

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_current_changed(self, item: QTreeWidgetItem | None, _before: object) -> None:
        self._show_node(item.data(0, NODE_ROLE) if item is not None else None)


class _Tree(QTreeWidget):
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setIndentation(14)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.header().resizeSection(1, KIND_PX)
        theme.current().theme_changed.connect(self._recolour)

    def add(self, node: Node, parent: QTreeWidgetItem | None) -> None:
        """Add a node with all below it."""
        item = QTreeWidgetItem([" ".join(node.words.split()), node.kind])
        item.setData(0, NODE_ROLE, node)
        item.setForeground(1, theme.color("text_muted"))
        item.setToolTip(0, node.words)
        item.setToolTip(1, node.kind)
        if parent is None:
            self.addTopLevelItem(item)
        else:
            parent.addChild(item)
        for child in node.children:
            self.add(child, item)
        # Only an item in the tree can be opened.
        item.setExpanded(node.is_open)

    def item_of(self, node: Node) -> QTreeWidgetItem | None:
        """Return the line of a node."""
        return next((item for item in self._items() if item.data(0, NODE_ROLE) is node), None)

    def _items(self) -> list[QTreeWidgetItem]:
        found = [self.topLevelItem(place) for place in range(self.topLevelItemCount())]
        for item in found:
            found += [item.child(place) for place in range(item.childCount())]
        return found

    @Slot()
    def _recolour(self) -> None:
        for item in self._items():
            item.setForeground(1, theme.color("text_muted"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _cell_view(table: CellTable) -> QTableWidget:
    view = QTableWidget(len(table.rows), len(table.columns))
    view.setAccessibleName(f"Cells of {table.sheet}")
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    view.setHorizontalHeaderLabels(table.columns)
    view.setVerticalHeaderLabels([str(row) for row in table.rows])
    view.verticalHeader().setDefaultSectionSize(ROW_PX)
    view.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    view.setTabKeyNavigation(False)
    for row, cells in enumerate(table.cells):
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text)
            if _is_number(text):
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            view.setItem(row, column, item)
    view.resizeColumnsToContents()
    return view


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
