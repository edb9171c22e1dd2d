"""What a verdict of the code rules rests on is found by running the rule again on the deck's file."""

from threading import Event

from studio.actions import checklists
from studio.actions.checklist_evidence import evidence_of
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemKind, RuleCall
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.flows.made_here import instances


def test_that_the_rule_says_its_reason_again(studio, tmp_path):
    made = tmp_path / "study"
    assert studio("new", made).code == 0
    ended = studio("import", made, instances(tmp_path / "material", ["tides"], systems=("Aster",), slides=2))
    assert ended.code == 0, ended.err
    with Project.open(made, must_write=True) as project:
        item, _ = checklists.add_item(
            project, EVERYWHERE, Dimension.FUNDAMENTALS, "Has it 5 to 9 slides?", author="author", kind=ItemKind.CODE,
            rule=RuleCall(rule="slide_count", parameters={"min_count": 5, "max_count": 9}),
        )  # fmt: skip
        (deck,) = deck_store.list_decks(project)
        (said,) = evidence_of(project, deck.id, item.id, "code", cancel=Event())
        assert (said.who, said.answer) == ("code", "no")
        assert "2" in said.words
