"""Which answers to checklists count: sheets as they were submitted last, and a reason for the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.actions import checklist_answers, checklist_scores
from studio.actions.checklist_answers import left_out_in_words, read_replies
from studio.actions.human_answers import read_human_side
from studio.errors import BadInput
from studio.model.checklists import Dimension, Item, ItemAnswer, ItemId
from studio.model.human_side import HumanSide, HumanSource
from studio.sessions.checklist import ChecklistSheet, Unit
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project
from tests.projects import make_project

YES, NO = ItemAnswer.YES, ItemAnswer.NO
CHECKLIST = HumanSide(source=HumanSource.CHECKLIST)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = make_project(tmp_path / "study", instances=1, systems=("Aster", "Birch"))
    items = [
        Item(id=ItemId(f"q{number}"), version=1, dimension=Dimension.DESIGN, text=f"Is {number} met?", position=number)
        for number in range(2)
    ]
    checklist_store.save_items(made, items, author="tester", verb="add", words="Added")
    yield made
    made.close()


def sheet_of(project: Project, name: str) -> ChecklistSheet:
    instance = deck_store.list_instances(project)[0]
    return checklist_answers.open_sheet(project, instance.id, people_store.annotator_named(project, name).id).sheet


def answer(sheet: ChecklistSheet, deck: Any, *said: ItemAnswer) -> None:
    for place, each in enumerate(said):
        sheet.answer(Unit(deck.id, f"q{place}"), each)


def counted(project: Project) -> dict[tuple[str, str], str]:
    """What counts of the only person who says anything, by system and item."""
    systems = {deck.id: deck.system for deck in deck_store.list_decks(project)}
    return {
        (systems[deck], item): reply.answer.value
        for (deck, item), by_person in checklist_answers.human_replies(project).items()
        for reply in by_person.values()
        if reply.answer is not None
    }


def test_that_drafts_do_not_count_and_are_told(project: Project) -> None:
    aster, birch = deck_store.list_decks(project)
    sheet = sheet_of(project, "Ada")
    answer(sheet, aster, YES, NO)
    answer(sheet, birch, YES)
    assert counted(project) == {}
    assert checklist_scores.score_sources(project) == []
    with pytest.raises(BadInput, match="2 decks of 1 person are answered but not submitted"):
        checklist_scores.project_scores(project)
    sheet.submit(aster.id)
    assert counted(project) == {("Aster", "q0"): "yes", ("Aster", "q1"): "no"}
    found = read_replies(project)
    assert (
        left_out_in_words(found.not_submitted) == "1 deck of 1 person is answered but not submitted, and does not count"
    )
    human = read_human_side(project, CHECKLIST)
    assert human.filtered == {"not_submitted": 1}
    assert human.filtered_in_words == "1 answer not submitted"
    # Of the two decks only the one that was submitted has a place.
    assert [len(by_person) for by_person in human.rankings.ranks.values()] == [1]


def test_that_what_is_changed_after_submitting_counts_once_it_is_submitted_again(project: Project) -> None:
    aster, _ = deck_store.list_decks(project)
    sheet = sheet_of(project, "Ada")
    answer(sheet, aster, YES, YES)
    sheet.submit(aster.id)
    answer(sheet, aster, NO)
    assert counted(project) == {("Aster", "q0"): "yes", ("Aster", "q1"): "yes"}
    assert read_replies(project).not_submitted == frozenset()
    sheet.submit(aster.id)
    assert counted(project) == {("Aster", "q0"): "no", ("Aster", "q1"): "yes"}


def test_that_an_undone_submission_does_not_count_until_it_is_brought_back(project: Project) -> None:
    aster, _ = deck_store.list_decks(project)
    sheet = sheet_of(project, "Ada")
    answer(sheet, aster, YES, YES)
    sheet.submit(aster.id)
    sheet.undo()
    assert counted(project) == {}
    sheet.redo()
    assert len(counted(project)) == 2


def test_that_a_deck_beyond_judging_has_no_answers_that_count(project: Project) -> None:
    aster, _ = deck_store.list_decks(project)
    sheet = sheet_of(project, "Ada")
    answer(sheet, aster, YES, YES)
    sheet.submit(aster.id)
    sheet.cannot_judge(aster.id, "the file is torn")
    assert counted(project) == {}
