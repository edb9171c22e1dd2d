"""Pictures of the content of a deck, of the model card and of the sensitivity lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from studio.gui.main_window import MainWindow

_CARD_TABS = ("Scores", "Explanations", "Sensitivity plot")


def take_content(window: MainWindow, settle: Callable[[], None], grab: Callable[[QWidget, str], None]) -> None:
    """Take the windows that belong to the content of the deck in focus on Compare, then close them."""
    window.navigate("compare")
    settle()
    page: Any = window.page("compare")
    page.content.open()
    settle()
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
    settle()
    grab(lab, "lab")
    page.content.close()
