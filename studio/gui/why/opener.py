"""Opens the explanation of the deck that has the focus on a stage, and keeps the two in step."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from studio.gui.context import AppContext
from studio.gui.why.window import WhyWindow
from studio.gui.widgets.deck_stage import DeckStage
from studio.model.changes import Changes, Topic
from studio.model.ids import DeckId


class WhyOpener(QObject):
    """Owns the window; it is made when it is first asked for, and goes with `close`."""

    def __init__(self, context: AppContext, stage: DeckStage, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._stage, self._page = context, stage, parent
        self.window: WhyWindow | None = None
        self._is_telling = False
        stage.focus_changed.connect(self._on_focus_changed)

    def open(self) -> None:
        """Explain the deck that has the focus, at the slide that it shows."""
        deck = self._stage.deck(self._stage.focused)
        if deck is None or self._context.is_blind:
            return
        if self.window is None:
            self.window = WhyWindow(self._context, self._page)
            self.window.slide_shown.connect(self._on_slide_shown)
        self.window.show_deck(deck.id, deck.name, self._stage.viewing.slide(deck.id) or 0)
        self.window.show()
        self.window.activateWindow()

    def close(self) -> None:
        """Close the window and let go of it."""
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None

    def on_changes(self, changes: Changes) -> None:
        """Read the deck anew if scores came or decks changed."""
        if self.window is not None and self.window.isVisible() and {Topic.SCORES, Topic.DECKS} & changes.topics:
            self.window.reload()

    @Slot(str)
    def _on_focus_changed(self, deck_id: str) -> None:
        deck = self._stage.deck(deck_id)
        if self.window is not None and self.window.isVisible() and deck is not None and not self._is_telling:
            self.window.show_deck(deck.id, deck.name, self._stage.viewing.slide(deck.id) or 0)

    @Slot(str, int)
    def _on_slide_shown(self, deck_id: str, number: int) -> None:
        if self._stage.deck(deck_id) is None:
            return
        self._is_telling = True
        self._stage.show_slide(DeckId(deck_id), number)
        self._is_telling = False
