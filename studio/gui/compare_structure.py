"""The structure panel beside the decks of the Compare page: follows the focus, outlines what is selected."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from studio.actions.deck_structure import DeckTree, Node, deck_tree
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.deck_pane import DeckPane
from studio.gui.widgets.deck_stage import DeckStage
from studio.gui.widgets.structure_panel import StructurePanel
from studio.model.changes import Changes, Topic
from studio.model.ids import DeckId

KEPT = 24
"""Decks whose structure is kept; the one read first goes first."""


class CompareStructure(QObject):
    """Reads structures off the main thread, once for each deck. Lives as long as the page that owns it."""

    shown = Signal(bool)
    """The panel is shown now, or hidden."""
    read = Signal(str)
    """The structure of this deck, or why there is none, was read and is shown if the deck has the focus."""

    def __init__(self, context: AppContext, stage: DeckStage, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._stage = context, stage
        self._trees: dict[DeckId, DeckTree | str] = {}
        self._tickets: dict[DeckId, Ticket] = {}
        self._outlined: DeckPane | None = None
        self.panel = StructurePanel()
        self.panel.hide()
        self.panel.node_picked.connect(self._on_node_picked)
        self.panel.retried.connect(self._on_retried)
        self.panel.closed.connect(self._on_left)
        stage.focus_changed.connect(self._on_focus_changed)
        stage.moved.connect(self._show)

    def beside_stage(self) -> QSplitter:
        """Return the stage and the panel side by side."""
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self._stage)
        split.addWidget(self.panel)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 0)
        return split

    @property
    def is_shown(self) -> bool:
        """Whether the panel is there."""
        return not self.panel.isHidden()

    def toggle(self) -> None:
        """Show or hide the panel."""
        is_on = not self.is_shown
        had_keyboard = self.panel.isAncestorOf(self.panel.window().focusWidget() or self.panel)
        self.panel.setVisible(is_on)
        if is_on:
            self._show()
        else:
            self._outline(None)
            if had_keyboard:
                self._on_left()
        self.shown.emit(is_on)

    def stop(self) -> None:
        """Drop what is being read and let go of what was."""
        for ticket in self._tickets.values():
            ticket.drop()
        self._tickets, self._trees = {}, {}

    def on_changes(self, changes: Changes) -> None:
        """Read anew what may have another file now."""
        if Topic.DECKS in changes.topics:
            self.stop()
            self._show()

    def tree(self, deck: DeckId) -> DeckTree | None:
        """Return the structure of a deck if it was read."""
        found = self._trees.get(deck)
        return found if isinstance(found, DeckTree) else None

    @Slot()
    def _show(self) -> None:
        deck = self._stage.deck(self._stage.focused)
        if deck is None or not self.is_shown:
            return
        found = self._trees.get(deck.id)
        if isinstance(found, DeckTree):
            self.panel.show_tree(deck.name, found, self._stage.viewing.slide(deck.id))
        elif found is not None:
            self.panel.show_failure(deck.name, found)
        else:
            self.panel.show_loading(deck.name)
            if deck.id not in self._tickets:
                self._tickets[deck.id] = self._context.background.query(
                    partial(deck_tree, self._context.project, deck.id, self._context.passwords),
                    partial(self._on_read, deck.id), partial(self._on_failed, deck.id), owner=self,
                )  # fmt: skip

    def _on_read(self, deck: DeckId, tree: DeckTree) -> None:
        self._keep(deck, tree)

    def _on_failed(self, deck: DeckId, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._keep(deck, str(error))

    def _keep(self, deck: DeckId, found: DeckTree | str) -> None:
        self._tickets.pop(deck, None)
        self._trees[deck] = found
        while len(self._trees) > KEPT:
            del self._trees[next(iter(self._trees))]
        self._show()
        self.read.emit(deck)

    def _outline(self, node: Node | None) -> None:
        pane = self._stage.pane(self._stage.focused) if self._stage.focused is not None else None
        if self._outlined is not None and self._outlined is not pane and self._outlined in self._stage.grid.panes():
            self._outlined.outline(())
        if pane is not None and (node is not None or self._outlined is pane):
            pane.outline(node.outlines if node is not None else ())
        self._outlined = pane

    @Slot(object)
    def _on_node_picked(self, node: Node | None) -> None:
        self._outline(node)

    @Slot()
    def _on_retried(self) -> None:
        if self._stage.focused is not None:
            self._trees.pop(self._stage.focused, None)
            self._show()

    @Slot()
    def _on_left(self) -> None:
        if self._stage.focused is not None:
            self._stage.focus(self._stage.focused)

    @Slot(str)
    def _on_focus_changed(self, _deck: str) -> None:
        self._show()
