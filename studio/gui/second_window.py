"""A deck or the source in a window of its own, such as for a second screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from studio.actions.viewing import DeckOnView
from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.widgets.deck_stage import DeckStage
from studio.gui.widgets.slide_view import ZOOM_STEP


class SecondWindow(QWidget):
    """Holds one widget; Esc and Ctrl+W close it, and whoever opened it hears of that."""

    closed = Signal()

    def __init__(self, body: QWidget, title: str, owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.Window)
        self.body = body
        self.setWindowTitle(title)
        self.resize(960, 640)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(body)
        body.show()
        for key in ("Escape", "Ctrl+W"):
            self.bind(key, self.close)

    def bind(self, key: str, run: Callable[[], object]) -> None:
        """Let a key do something in this window only."""
        action = QAction(self)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda _checked=False: run())
        self.addAction(action)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        super().closeEvent(event)
        self.closed.emit()


def deck_window(
    deck: DeckOnView, title: str, background: Background, images: ImageCache, owner: QWidget, *, slide: int
) -> SecondWindow:
    """Return a window with one deck that is leafed through on its own."""
    stage = DeckStage(background, images, shows_all=True)
    window = SecondWindow(stage, title, owner)
    stage.show_decks([deck])
    stage.show_slide(deck.id, slide)
    pane = stage.pane(deck.id)
    if pane is not None:
        # There is no other deck here to choose among.
        pane.set_key("")
    for key, run in (
        ("PgDown", lambda: stage.step(1)), ("PgUp", lambda: stage.step(-1)), ("Right", lambda: stage.step(1)),
        ("Left", lambda: stage.step(-1)), ("Home", stage.first), ("End", stage.last),
        ("Ctrl++", lambda: stage.zoom_by(ZOOM_STEP)), ("Ctrl+-", lambda: stage.zoom_by(1 / ZOOM_STEP)),
        ("Ctrl+9", stage.zoom_fit), ("N", stage.toggle_notes), ("X", stage.toggle_text),
    ):  # fmt: skip
        window.bind(key, run)
    return window
