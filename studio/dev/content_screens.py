"""Pictures of the content of a deck, of the model card and of the sensitivity lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from studio.gui.main_window import MainWindow

_MOST_WAITS = 200
_CARD_TABS = ("Scores", "Explanations", "Sensitivity plot")


def take_content(window: MainWindow, settle: Callable[[], None], grab: Callable[[QWidget, str], None]) -> None:
    """Take the windows that belong to the content of the deck in focus on Compare, then close them."""
    window.navigate("compare")
    settle()
    page: Any = window.page("compare")
    # The scores are of words: a deck of plain pictures would show four times why there is none.
    files = [deck for deck in page.stage.decks if any(slide.text for slide in deck.slides)]
    if files:
        page.stage.focus(files[0].id)
        settle()
    page.content.open()
    _until(lambda: page.content.window.content is not None, settle)
    grab(page.content.window, "content")
    page.content.window.show_preview()
    settle()
    grab(page.content.window, "content-preview")
    page.content.open_card()
    settle()
    card = page.content.card
    for number in range(card.tabs.count()):
        if card.tabs.tabText(number) in _CARD_TABS:
            card.tabs.setCurrentIndex(number)
            settle()
            grab(card, f"content-card-{card.tabs.tabText(number).casefold().replace(' ', '-')}")
    page.content.open_lab()
    settle()
    lab = page.content.lab
    grab(lab, "lab-empty")
    lab.looks.setChecked(False)
    lab.repeats.setValue(1)
    lab.start.click()
    _until(lambda: lab.start.text() != "Stop", settle)
    grab(lab, "lab")
    page.content.close()


def _until(is_so: Callable[[], bool], settle: Callable[[], None]) -> None:
    """Let the window work until something is so; a program that never gets there is drawn as it is."""
    for _ in range(_MOST_WAITS):
        settle()
        if is_so():
            return
