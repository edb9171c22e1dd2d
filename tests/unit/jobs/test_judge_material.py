"""What judges are shown of a deck that goes as its own file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.jobs.judge_material import Material, NothingToShow
from studio.model.authoring import EVERYWHERE, ListSettings
from studio.model.judging import FilePart
from studio.model.judging_options import ShownAs
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.projects import make_project

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = make_project(tmp_path / "study", instances=1, systems=("Aster",), slides=3)
    yield made
    made.close()


def test_that_a_powerpoint_file_goes_as_it_is(project: Project) -> None:
    (deck,) = deck_store.list_decks(project)
    shown = Material(project, input=ShownAs.OFFICE).deck(deck, name="deck A")
    (part,) = shown.parts
    assert isinstance(part, FilePart)
    assert (part.sha256, part.label, part.mime, part.pages) == (deck.asset, "deck A", PPTX, 3)
    assert shown.slides == (1, 2, 3)
    assert shown.pages["input"] == "office"


def test_that_a_file_that_would_have_to_be_cut_is_not_shown(project: Project) -> None:
    checklist_store.save_settings(project, EVERYWHERE, ListSettings(slide_limits=(1, 2)), author="tester")
    (deck,) = deck_store.list_decks(project)
    with pytest.raises(NothingToShow, match="cannot_cut: 2 of the file's 3 slides are judged"):
        Material(project, input=ShownAs.OFFICE).deck(deck)


def test_that_a_deck_without_a_drawn_pdf_says_so(project: Project) -> None:
    (deck,) = deck_store.list_decks(project)
    (project.cache_folder / f"pages-{deck.id}").mkdir()
    with pytest.raises(NothingToShow, match="no_pdf: there is no PDF of this deck"):
        Material(project, input=ShownAs.FILE).deck(deck)
