"""Pictures of the views that explain figures: why a deck has its numbers, tuning, structure, protocols A to C."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from studio.actions import foreign_results, references
from studio.actions.editability import open_form
from studio.actions.sessions import be_annotator
from studio.gui.main_window import MainWindow
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.pages.compare import ComparePage
from studio.model.editability import STEPS, StepAnswer
from studio.store import decks as deck_store
from studio.store.project import Project

PERSON = "Sample reviewer (invented)"
TABS = ("components", "search", "matrix", "styles", "agreement")
MOST_WAITS = 20
"""The styles take longer than a quiet moment; a reading that never ends must not hold the pictures up."""
Grab = Callable[[QWidget, str], None]


def prepare(project: Project, folder: Path) -> None:
    """Give a measured project a reference, a result made elsewhere and some invented forms, so that all shows.

    Args:
        project: open for writing.
        folder: where the result file is written.
    """
    references.make(project, "All demo decks")
    person = be_annotator(project, PERSON).id
    decks = deck_store.list_decks(project)
    for place, deck in enumerate(deck for deck in decks if deck.extension.endswith("pptx")):
        content = foreign_results.result_of(project, deck.id)
        (folder / "elsewhere.json").write_text(json.dumps(content), "utf-8")
        foreign_results.import_result(project, deck.id, folder / "elsewhere.json", label="elsewhere")
        form, _ = open_form(project, deck.id, person)
        for number, step in enumerate(STEPS):
            form.answer(step.id, StepAnswer.YES if number < 3 + place % 6 else StepAnswer.NO)
        form.submit()


def take_explanations(window: MainWindow, settle: Callable[[], None], grab: Grab) -> None:
    """Grab every explanation view of the open project."""
    _take_compare(window, settle, grab)
    window.navigate("alignment")
    settle()
    page = window.page("alignment")
    assert isinstance(page, AlignmentPage)
    for tab in TABS:
        page.open_tuning()
        assert page.tuning is not None
        page.tuning.show_tab(tab)
        settle()
        for _ in range(MOST_WAITS):
            if tab != "styles" or page.tuning.styles.states.currentWidget() is not page.tuning.styles.loading:
                break
            settle()
        grab(page.tuning, f"tuning-{tab}")
    if page.tuning is not None:
        page.tuning.close()


def _take_compare(window: MainWindow, settle: Callable[[], None], grab: Grab) -> None:
    window.navigate("compare")
    settle()
    page = window.page("compare")
    assert isinstance(page, ComparePage)
    assert page.structure is not None
    page.structure.toggle()
    for deck in page.stage.decks:
        page.stage.focus(deck.id)
        settle()
        tree = page.structure.tree(deck.id)
        with_chart = [
            (number, node)
            for number, tops in (tree.slides if tree is not None else {}).items()
            for top in tops
            for node in top.walk()
            if node.tables
        ]
        if with_chart:
            page.stage.show_slide(deck.id, with_chart[0][0])
            settle()
            page.structure.panel.select(with_chart[0][1])
            break
    grab(window, "structure")
    page.structure.toggle()
    page.protocol.open()
    settle()
    if page.protocol.dialog is not None:
        grab(page.protocol.dialog, "protocol")
    page.protocol.close()
    page.why.open()
    settle()
    why = page.why.window
    if why is not None:
        for place in range(why.tabs.count()):
            why.tabs.setCurrentIndex(place)
            settle()
            grab(why, f"why-{why.tabs.tabText(place).split()[0].lower()}")
    page.why.close()
