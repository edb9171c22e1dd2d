"""Opens the windows about a deck's content from a page, and keeps them in step with its stage."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from studio.gui.content_window import ContentWindow
from studio.gui.context import AppContext
from studio.gui.lab_window import LabWindow
from studio.gui.model_card_window import ModelCardWindow
from studio.gui.paper_window import PaperWindow
from studio.gui.summaries_window import SummariesWindow
from studio.gui.widgets.deck_stage import DeckStage
from studio.model.ids import DeckId


class ContentOpener(QObject):
    """Owns the window and keeps it in step with a stage."""

    topic_picked = Signal(str)

    def __init__(self, context: AppContext, stage: DeckStage, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._stage, self._page = context, stage, parent
        self.window: ContentWindow | None = None
        self.lab: LabWindow | None = None
        self.card: ModelCardWindow | None = None
        self.paper: PaperWindow | None = None
        self.summaries: SummariesWindow | None = None

    def open(self) -> None:
        """Show the content of the deck that has the focus."""
        deck = self._stage.deck(self._stage.focused)
        if deck is None or self._context.is_blind:
            return
        if self.window is None:
            self.window = ContentWindow(self._context, self._page)
            self.window.slide_picked.connect(self._on_slide_picked)
            self.window.topic_picked.connect(self.topic_picked)
            self.window.lab_asked.connect(self._on_lab_asked)
            self.window.card_asked.connect(self.open_card)
            self.window.paper_asked.connect(self.open_paper)
            self.window.summaries_asked.connect(self.open_summaries)
        self.window.show_deck(deck)
        self.window.show()
        self.window.activateWindow()

    def open_lab(self) -> None:
        """Show the sensitivity lab of the deck that has the focus."""
        deck = self._stage.deck(self._stage.focused)
        if deck is not None and not self._context.is_blind:
            self._on_lab_asked(deck.id, deck.name)

    @Slot()
    def open_card(self) -> None:
        """Show the model card: what the scores rest on."""
        if self.card is None:
            self.card = ModelCardWindow(self._context, self._page)
        self.card.show()
        self.card.activateWindow()

    @Slot()
    def open_paper(self) -> None:
        """Show the paper's tables and figures of the project, computed anew."""
        if self._context.is_blind:
            return
        if self.paper is None:
            self.paper = PaperWindow(self._context, self._page)
        else:
            self.paper.reload()
        self.paper.show()
        self.paper.activateWindow()

    @Slot()
    def open_summaries(self) -> None:
        """Show what stands for each section of the project's sources."""
        if self._context.is_blind:
            return
        if self.summaries is None:
            self.summaries = SummariesWindow(self._context, self._page)
            self.summaries.section_picked.connect(self.topic_picked)
        else:
            self.summaries.reload()
        self.summaries.show()
        self.summaries.activateWindow()

    @Slot(str, str)
    def _on_lab_asked(self, deck_id: str, name: str) -> None:
        if self.lab is None:
            self.lab = LabWindow(self._context, self._page)
        self.lab.show_deck(DeckId(deck_id), name)
        self.lab.show()
        self.lab.activateWindow()

    def close(self) -> None:
        """Close the windows and let go of them."""
        for window in (self.lab, self.card, self.paper, self.summaries, self.window):
            if window is not None:
                window.drop()
                window.close()
                window.deleteLater()
        self.lab = self.card = self.paper = self.summaries = self.window = None

    @Slot(str, int)
    def _on_slide_picked(self, deck_id: str, number: int) -> None:
        if self._stage.deck(deck_id) is not None:
            self._stage.show_slide(DeckId(deck_id), number)
