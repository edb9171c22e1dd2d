"""Pictures of the content of decks in every state, of the paper's tables, the model card and the sensitivity lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from studio.dev.content_projects import BROKEN, CHINESE_DECK, FOUR, SHORT
from studio.gui.main_window import MainWindow
from studio.model.human_side import HumanSide, HumanSource

_MOST_WAITS = 200
_CARD_TABS = ("Scores", "Explanations", "Sensitivity plot")
Settle = Callable[[], None]
Grab = Callable[[QWidget, str], None]


def take_content(window: MainWindow, settle: Settle, grab: Grab) -> None:
    """Take the windows that belong to content; the project of `prepare_content` is open."""

    def shot(shown: QWidget, name: str) -> None:
        # On a small screen a dialog has no more room than the window that it is of.
        if shown.width() > window.width() or shown.height() > window.height():
            shown.resize(min(shown.width(), window.width()), min(shown.height(), window.height()))
            settle()
        grab(shown, name)

    window.navigate("compare")
    settle()
    page: Any = window.page("compare")
    for system, name in ((FOUR, "content"), (SHORT, "content-undefined"), (BROKEN, "content-failed")):
        _open(page, system, settle)
        shot(page.content.window, name)
        if system == FOUR:
            _take_choices(page.content.window, settle, shot)
    page.stage.focus(next(each.id for each in page.stage.decks if each.name == FOUR))
    _take_papers(page, settle, shot)
    _take_summaries(page, settle, shot)
    _take_lab(page, settle, shot)
    page.content.close()
    # The Chinese talk is the other instance.
    page.go(1)
    settle()
    _open(page, CHINESE_DECK, settle)
    shot(page.content.window, "content-chinese")
    page.content.close()
    _take_alignment(window, settle, shot)


def _take_choices(shown: Any, settle: Settle, grab: Grab) -> None:
    shown.show_preview()
    settle()
    grab(shown, "content-preview")
    if shown.lines.unsure is not None:
        shown.lines.unsure.setExpanded(True)
        shown.lines.scrollToItem(shown.lines.unsure)
    moves = [line for line in shown.lines.all_lines() if line.can_be_applied]
    shown.lines.choose(moves[:1])
    shown.lines.go_to(moves[0])
    settle()
    grab(shown, "content-one-line")


def _take_papers(page: Any, settle: Settle, grab: Grab) -> None:
    page.content.open_paper()
    _until(lambda: bool(page.content.paper.pages), settle)
    paper = page.content.paper
    for number in range(paper.tabs.count()):
        paper.tabs.setCurrentIndex(number)
        settle()
        grab(paper, f"paper-{paper.pages[number].view.name}")
    page.content.open_card()
    settle()
    card = page.content.card
    for number in range(card.tabs.count()):
        if card.tabs.tabText(number) in _CARD_TABS:
            card.tabs.setCurrentIndex(number)
            settle()
            grab(card, f"content-card-{card.tabs.tabText(number).casefold().replace(' ', '-')}")


def _take_summaries(page: Any, settle: Settle, grab: Grab) -> None:
    page.content.open_summaries()
    settle()
    grab(page.content.summaries, "summaries")
    # A model whose price is known; nothing is asked, and without a key the window says so.
    page.content.summaries.judge.setEditText("openai:gpt-5-mini")
    settle()
    grab(page.content.summaries, "summaries-price")


def _take_lab(page: Any, settle: Settle, grab: Grab) -> None:
    page.content.open_lab()
    settle()
    lab = page.content.lab
    grab(lab, "lab-empty")
    lab.looks.setChecked(False)
    lab.repeats.setValue(1)
    lab.start.click()
    _until(lambda: lab.start.text() != "Stop", settle)
    grab(lab, "lab")


def _take_alignment(window: MainWindow, settle: Settle, grab: Grab) -> None:
    window.navigate("alignment")
    settle()
    page: Any = window.page("alignment")
    page.side.side_chosen.emit(HumanSide(source=HumanSource.RATINGS, scale_set="reflex", dimension="flow"))
    settle()
    grab(window, "alignment-ratings")


def _open(page: Any, system: str, settle: Settle) -> None:
    deck = next(each for each in page.stage.decks if each.name == system)
    page.stage.focus(deck.id)
    settle()
    page.content.open()
    shown = page.content.window
    _until(lambda: shown.heading.full_text() == system and not shown.loading.isVisible(), settle)


def _until(is_so: Callable[[], bool], settle: Settle) -> None:
    """Let the window work until something is so; a program that never gets there is drawn as it is."""
    for _ in range(_MOST_WAITS):
        settle()
        if is_so():
            return
