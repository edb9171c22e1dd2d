"""Trying an item: the author, annotators, code and judges side by side, about the words as they are now."""

from __future__ import annotations

import threading

import pytest

from studio.actions import checklist_answers, checklist_stats, item_trial
from studio.actions import checklists as author
from studio.actions.programs import render_tools
from studio.actions.sessions import be_annotator
from studio.errors import BadInput
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemAnswer
from studio.model.runs import RunState
from studio.sessions.checklist import Unit
from studio.settings import load
from tests.sheets import submit_as_it_is
from tests.trials import AUTHOR, SYSTEMS, code_item, question, script, trial_project


@pytest.fixture
def project(tmp_path):
    made = trial_project(tmp_path)
    yield made
    made.close()


def tried(project, item, decks, judge, tmp_path):
    wish = item_trial.trial_wish(project, item, decks, judge)
    ended, _ = item_trial.run_trial(
        project, wish, tools=render_tools(load(tmp_path / "settings.toml")), emit=lambda _: None,
        cancel=threading.Event(),
    )  # fmt: skip
    assert ended.state is RunState.DONE, ended.reason
    return ended


def three(project, item):
    return [each.deck.id for each in item_trial.trial_decks(project, item.id)][:3]


def test_that_an_item_of_everywhere_can_be_tried_on_every_deck(project):
    offered = item_trial.trial_decks(project, question(project).id)
    assert [(each.instance.name, each.deck.system) for each in offered] == [
        (name, system) for name in ("rivers", "roofs") for system in SYSTEMS
    ]


def test_that_author_annotator_and_judge_stand_side_by_side(project, tmp_path):
    item = question(project)
    decks = three(project, item)
    judge = script(tmp_path)
    tried(project, item, decks, judge, tmp_path)
    item_trial.answer_trial(project, item.id, decks[0], ItemAnswer.YES, person=AUTHOR)
    person = be_annotator(project, "Bo Example (invented)")
    instance = item_trial.trial_decks(project, item.id)[0].instance
    sheet = checklist_answers.open_sheet(project, instance.id, person.id).sheet
    sheet.answer(Unit(decks[0], item.id), ItemAnswer.NO)
    submit_as_it_is(sheet)
    view = item_trial.trial_view(project, item.id, decks, person=AUTHOR)
    assert view.judges == (judge,)
    assert judge in view.known_judges
    first = view.rows[0]
    assert (first.deck, first.mine, first.people, first.n_people) == ("Aster", ItemAnswer.YES, "no", 1)
    reply = first.replies[judge]
    assert (reply.answer, [box.slide for box in reply.boxes]) == (ItemAnswer.NO, [2])
    assert "five colours" in reply.reason
    assert [row.mine for row in view.rows[1:]] == [None, None]


def test_that_a_trial_answer_counts_nowhere_else_and_can_be_taken_back(project):
    item = question(project)
    decks = three(project, item)
    item_trial.answer_trial(project, item.id, decks[0], ItemAnswer.YES, person=AUTHOR)
    assert checklist_answers.human_replies(project) == {}
    assert checklist_stats.item_statistics(project) == []
    assert author.sign_off_state(project)[1] == [EVERYWHERE]
    author.undo(project, author=AUTHOR)
    assert item_trial.trial_view(project, item.id, decks, person=AUTHOR).rows[0].mine is None


def test_that_what_was_said_to_earlier_words_is_not_shown(project, tmp_path):
    item = question(project)
    decks = three(project, item)
    judge = script(tmp_path)
    tried(project, item, decks, judge, tmp_path)
    item_trial.answer_trial(project, item.id, decks[0], ItemAnswer.NO, person=AUTHOR)
    author.edit_items(project, [item.id], {"weight": 2.0}, author=AUTHOR)
    assert item_trial.trial_view(project, item.id, decks, person=AUTHOR).judges == (judge,)
    (edited,), _ = author.edit_items(project, [item.id], {"text": "Is each slide calm?"}, author=AUTHOR)
    view = item_trial.trial_view(project, item.id, decks, person=AUTHOR)
    assert view.judges == ()
    assert view.rows[0].mine is None
    tried(project, edited, decks, judge, tmp_path)
    assert item_trial.trial_view(project, item.id, decks, person=AUTHOR).judges == (judge,)


def test_that_the_same_words_about_the_same_decks_are_asked_once(project, tmp_path):
    item = question(project)
    decks, judge = three(project, item), script(tmp_path)
    assert tried(project, item, decks, judge, tmp_path).counts == {"ok": 3}
    assert tried(project, item, decks, judge, tmp_path).cached == 3


def test_that_code_says_why_and_where(project, tmp_path):
    item = code_item(project, min_count=3, max_count=6)
    decks = three(project, item)
    tried(project, item, decks, "code", tmp_path)
    view = item_trial.trial_view(project, item.id, decks, person=AUTHOR)
    assert (view.judges, view.known_judges) == (("code",), ("code",))
    assert {row.replies["code"].answer for row in view.rows} == {ItemAnswer.NO}
    assert "2 visible slides, too few for 3 to 6" in view.rows[0].replies["code"].reason


def test_that_an_item_for_each_page_has_a_row_for_each(project):
    item, _ = author.add_item(
        project, EVERYWHERE, Dimension.FIDELITY, "Is slide {slide} grounded in the sources?", author=AUTHOR
    )
    decks = three(project, item)[:1]
    view = item_trial.trial_view(project, item.id, decks, person=AUTHOR)
    assert [row.slide for row in view.rows] == [1, 2]
    item_trial.answer_trial(project, view.rows[1].item_id, decks[0], ItemAnswer.YES, person=AUTHOR)
    again = item_trial.trial_view(project, item.id, decks, person=AUTHOR)
    assert [row.mine for row in again.rows] == [None, ItemAnswer.YES]


def test_that_code_is_not_asked_questions_and_judges_no_code_items(project):
    asked, coded = question(project), code_item(project)
    for item, judge in ((asked, "code"), (coded, "openai:m"), (asked, "nobody:x")):
        with pytest.raises(BadInput):
            item_trial.trial_wish(project, item, three(project, item), judge)
    with pytest.raises(BadInput, match="tried on decks"):
        item_trial.trial_wish(project, asked, [], "openai:m")
