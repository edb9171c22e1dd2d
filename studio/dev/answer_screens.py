"""Pictures of the pages on which people answer, in each state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from studio.actions.projects import open_project
from studio.actions.shipped_guidelines import use_shipped
from studio.actions.studies import create_study
from studio.errors import StudioError
from studio.gui.main_window import MainWindow
from studio.model.answers import Preference
from studio.model.studies import AnswerUnit, StudyKind
from studio.settings import Role
from studio.store import answers as answer_store

STUDIES: tuple[tuple[str, StudyKind, dict[str, Any]], ...] = (
    ("Overall quality", StudyKind.RANK, {"graded_gaps": True}),
    ("Two by two", StudyKind.PAIRWISE, {}),
    ("Slide by slide", StudyKind.PAIRWISE, {"unit": AnswerUnit.SLIDE}),
    ("Best and worst", StudyKind.BEST_WORST, {}),
    ("Content", StudyKind.RATE, {"scale_set": "reflex"}),
    ("整体印象：内容、设计与连贯性", StudyKind.RATE, {"scale_set": "ppteval"}),
    ("With a training", StudyKind.RANK, {"needs_all_slides_seen": True}),
)


def make_studies(folder: Path) -> None:
    """Put a study of each kind into a project, unless they are there."""
    with open_project(folder, must_write=True) as project:
        for name, kind, rules in STUDIES:
            try:
                study, _ = create_study(project, name, kind, **rules)
            except StudioError:
                return
            use_shipped(project, study, with_training=name == "With a training")


def take_answering(
    window: MainWindow, settle: Callable[[], None], grab: Callable[[str], None], *, name: str
) -> None:  # fmt: skip
    """Go through the states of Rank and Rate as an annotator; the project with the studies is open."""
    window.try_setting("profile_name", name)
    window.try_setting("profile_role", Role.ANNOTATOR.value)
    settle()
    rank = _choose(window, settle, "rank", "Overall quality")
    grab("rank-untouched")
    decks = [deck.id for deck in rank._open.decks]
    for place, deck in enumerate(decks[:3], start=1):
        rank.stage.focus(deck)
        rank.press_digit(min(place, 2))
    settle()
    grab("rank-half-tie")
    rank.stage.focus(decks[0])
    rank.toggle_gap()
    for place, deck in enumerate(decks[3:], start=4):
        rank.stage.focus(deck)
        rank.press_digit(place)
    settle()
    grab("rank-full-gap")
    rank.stage.toggle_wall()
    settle()
    grab("rank-wall")
    rank.stage.toggle_wall()
    with _full_disk():
        rank.flag()
        settle()
        grab("rank-not-saved")
    rank.unsaved()
    rank.ask_reason()
    settle()
    grab("rank-reasons")
    rank.cancel_reason()
    rank.toggle_guidelines()
    settle()
    grab("rank-guidelines")
    rank.close_guidelines()
    rank.toggle_comparison()
    settle()
    grab("rank-question")
    while rank.question() is not None:
        rank.prefer(Preference.A)
    rank.ask_check()
    rank.prefer(Preference.B)
    settle()
    grab("rank-conflict")
    rank.repair()
    rank.prefer(Preference.A)
    settle()
    grab("rank-compared")
    rank.toggle_comparison()
    rank.submit()
    settle()
    rank.go(-1)
    settle()
    grab("rank-submitted")
    rank = _choose(window, settle, "rank", "Two by two")
    rank.prefer(Preference.A)
    rank.prefer(Preference.A)
    settle()
    grab("rank-pair")
    _choose(window, settle, "rank", "Slide by slide")
    grab("rank-pair-slides")
    rank = _choose(window, settle, "rank", "Best and worst")
    if rank._open is not None:
        rank.choose_extreme(is_best=True)
    settle()
    grab("rank-four")
    _choose(window, settle, "rank", "With a training")
    grab("rank-training")
    rate = _choose(window, settle, "rate", "Content")
    grab("rate-untouched")
    rate.press_digit(4)
    rate.press_digit(3)
    settle()
    grab("rate-half")
    _choose(window, settle, "rate", STUDIES[5][0])
    grab("rate-chinese")


def _choose(window: MainWindow, settle: Callable[[], None], page_id: str, study: str) -> Any:
    window.navigate(page_id)
    settle()
    page: Any = window.page(page_id)
    chosen = next((each.id for each in page._desk.studies if each.name == study), "")
    page._on_study_chosen(chosen)
    settle()
    return page


@contextmanager
def _full_disk() -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise StudioError(
            "The disk that holds the project is full, so nothing was stored.", next_step="Free some space."
        )

    append, answer_store.append = answer_store.append, refuse  # type: ignore[assignment]
    try:
        yield
    finally:
        answer_store.append = append
