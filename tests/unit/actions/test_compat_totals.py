"""Totals of a judge on an over-long deck, in both modes; the figures are those of the reference's own run."""

from dataclasses import replace

import pytest

from studio.actions import checklists
from studio.actions.judge_scores import Standing, checklist_values
from studio.checklists.pages import PAGE, Mode
from studio.jobs.judge_scores import subject_of
from studio.model.authoring import Scope
from studio.model.checklists import Dimension, ItemKind, RuleCall
from studio.model.scores import Verdict
from studio.store import checklist_lists
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import add_deck, add_instance
from tests.unit.judges.replying import about


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "p", title="Long") as made:
        yield made


@pytest.mark.parametrize(
    ("mode", "slides", "n_fidelity", "total"),
    [
        (Mode.DEFAULT, 9, 6, 90.0), (Mode.COMPAT, 9, 9, 100.0), (Mode.DEFAULT, 2, 2, 90.0), (Mode.COMPAT, 2, 2, 90.0),
        (Mode.DEFAULT, 4, 4, 100.0), (Mode.COMPAT, 6, 6, 100.0),
    ],
)  # fmt: skip
def test_that_an_overlong_deck_passes_the_count_in_compatible_mode_only(project, mode, slides, n_fidelity, total):
    instance = add_instance(project, "tides")
    add_deck(project, instance, "Aster", slides=slides)
    (deck,) = deck_store.list_decks(project)
    own = Scope(instance_id=deck.instance_id)
    count = RuleCall(rule="slide_count", parameters={"min_count": 3, "max_count": 6})
    checklists.add_item(project, own, Dimension.FUNDAMENTALS, "Count?", author="A", kind=ItemKind.CODE, rule=count)
    for dimension in Dimension:
        words = f"Is slide {PAGE} grounded?" if dimension is Dimension.FIDELITY else "Is it so?"
        checklists.add_item(project, own, dimension, words, author="A")
    checklist, _ = checklist_lists.checklist_of_deck(project, deck, mode=mode)
    questions = [item for item in checklist.items if item.kind is ItemKind.QUESTION]
    code = next(item for item in checklist.items if item.kind is ItemKind.CODE)
    said = [replace(about(item.id), deck_id=deck.id, instance_id=deck.instance_id, verdict="yes") for item in questions]
    score_store.append_verdicts(
        project,
        [
            Verdict(
                run_id=None, judge_id="code", model="", prompt_version="", instance_id=deck.instance_id,
                deck_id=deck.id, item_id=code.id, verdict="yes" if 3 <= slides <= 6 else "no", score=None, status="ok",
            )
        ],
    )  # fmt: skip
    standing = Standing(asked=tuple(said), said={subject_of(record): record for record in said})
    values = {value.part: value for value in checklist_values(project, "openai:m", standing, mode=mode)}
    assert sum(item.dimension is Dimension.FIDELITY for item in questions) == n_fidelity
    assert values[""].value == pytest.approx(total)
