"""A person's desk: their studies, queue, units, reasons, scales, explanations and the shipped training."""

from __future__ import annotations

import pytest

from studio.actions.answer_desk import (
    REASONS,
    cannot_judge_reasons,
    nothing_left_words,
    open_unit,
    read_desk,
    save_cannot_judge_reasons,
    save_scale_set,
    scale_set_named,
)
from studio.actions.explanation_units import (
    Explanation,
    explanation_id,
    explanation_shown,
    explanation_writers,
    plan_explanations,
)
from studio.actions.shipped_guidelines import shipped_guidelines, shipped_training, use_shipped
from studio.actions.studies import create_study
from studio.actions.training import answer_training
from studio.errors import BadInput
from studio.model.answers import AnswerStatus
from studio.model.decks import RenderState
from studio.model.ids import InstanceId
from studio.model.studies import AnswerUnit, StudyKind
from studio.paths import resource
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, make_project

FIRST, SECOND, THIRD = (InstanceId(f"i_instance-{number}") for number in (1, 2, 3))


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "p", instances=3) as made:
        yield made


def unit_of(project, desk, instance_id):
    return open_unit(project, desk.study, desk.item_of(instance_id).assignment)


def rank_all(project, desk, instance_id) -> None:
    session = unit_of(project, desk, instance_id).session
    for rank, deck in enumerate(session.display, start=1):
        session.rank(deck, rank)
    session.submit()


def test_that_skipped_units_come_last_and_the_end_is_counted(project):
    desk = read_desk(project, "ann")
    unit_of(project, desk, FIRST).session.skip()
    rank_all(project, desk, SECOND)
    desk = read_desk(project, "ann")
    assert [item.instance.id for item in desk.queue.items] == [SECOND, THIRD, FIRST]
    assert desk.queue.next_to_do().instance.id == THIRD
    unit_of(project, desk, THIRD).session.cannot_judge("blurred")
    rank_all(project, desk, FIRST)
    desk = read_desk(project, "ann")
    assert desk.queue.next_to_do() is None
    assert (desk.count(AnswerStatus.SUBMITTED), desk.count(AnswerStatus.CANNOT_JUDGE)) == (2, 1)
    assert desk.queue.words() == ("mine 3/3", "project 0/3 with ≥3")
    assert nothing_left_words(desk)[0] == "All 3 are done"


def test_that_neighbours_end_at_the_ends(project):
    desk = read_desk(project, "ann")
    first, last = desk.queue.items[0].assignment, desk.queue.items[-1].assignment
    assert desk.neighbour(first, -1) is None
    assert desk.neighbour(first, 1).instance.id == SECOND
    assert desk.neighbour(last, 1) is None


def test_that_decks_without_pictures_are_counted_where_nothing_is_left(tmp_path):
    with make_project(tmp_path / "p", instances=0) as project:
        other = add_instance(project, "thin")
        add_deck(project, other.id, "alpha")
        add_deck(project, other.id, "beta", render=RenderState.PENDING)
        desk = read_desk(project, "ann")
        assert (len(desk.queue.items), desk.n_undrawn) == (0, 1)
        assert nothing_left_words(desk)[1].endswith("Not drawn yet: 1 deck.")


def test_that_nobody_is_made_in_a_read_only_project(tmp_path):
    with make_project(tmp_path / "r", instances=1), Project.open(tmp_path / "r") as reading:
        desk = read_desk(reading, "ann")
        assert (desk.person.name, len(desk.queue.items)) == ("ann", 1)


def test_that_there_is_no_desk_without_a_study_of_the_kind(project):
    assert read_desk(project, "ann", kinds=(StudyKind.RATE,)) is None
    assert nothing_left_words(None) == ("Nothing to answer here", "No study asks for this yet.")


def test_that_single_slides_are_rated_by_their_number(project):
    create_study(project, "Slides", StudyKind.RATE, scale_set="ppteval", unit=AnswerUnit.SLIDE)
    desk = read_desk(project, "ann", kinds=(StudyKind.RATE,))
    unit = open_unit(project, desk.study, desk.queue.items[1].assignment)
    assert list(unit.slides.values()) == [int(unit.assignment.item_key[1:])]
    unit.session.rate("design", 3)
    assert unit.session.acts[-1].item_key == unit.assignment.item_key


def test_that_reasons_are_the_projects_own_if_it_has_some(project):
    assert cannot_judge_reasons(project) == REASONS
    save_cannot_judge_reasons(project, ["  Too long ", "Wrong language"])
    assert read_desk(project, "ann").reasons == ("Too long", "Wrong language")
    with pytest.raises(BadInput, match="9 reasons"):
        save_cannot_judge_reasons(project, [str(number) for number in range(9)])
    save_cannot_judge_reasons(project, [])
    assert cannot_judge_reasons(project) == REASONS


def test_that_a_projects_own_scales_are_found_by_name_and_not_replaced(project):
    raw = {"name": "taste", "scales": [{"dimension": "look", "anchors": ["poor", "fair", "good"]}]}
    assert save_scale_set(project, raw) == scale_set_named(project, "taste")
    assert save_scale_set(project, raw).name == "taste"
    with pytest.raises(BadInput, match="already"):
        save_scale_set(project, {**raw, "title": "Other words"})
    with pytest.raises(BadInput, match="already"):
        save_scale_set(project, {**raw, "name": "reflex"})
    with pytest.raises(BadInput, match="Known: reflex, ppteval, usefulness, taste"):
        scale_set_named(project, "style")


def test_that_an_explanation_is_shown_without_its_writer(project):
    study, _ = create_study(project, "Useful", StudyKind.RATE, scale_set="usefulness")
    deck = deck_store.list_decks(project)[0].id
    said = Explanation(
        deck_id=deck, metric="flow", text="Order 1, 3, 2.", written_by="judge-x", known_defect="shuffled"
    )
    person = read_desk(project, "ann").person.id
    assert plan_explanations(project, study, [said], [person])[0] == 1
    assert plan_explanations(project, study, [said], [person])[0] == 0
    name = explanation_id(project, said)
    shown = explanation_shown(project, study.id, f"text:{name}")
    assert shown == (name, "flow", "Order 1, 3, 2.")
    assert explanation_writers(project, study.id) == {name: ("judge-x", "shuffled")}
    assert explanation_shown(project, study.id, "#3") is None


def test_that_the_id_of_an_explanation_follows_from_nothing_that_a_rater_could_guess(project, tmp_path):
    said = Explanation(deck_id=deck_store.list_decks(project)[0].id, metric="flow", text="One.", written_by="judge-x")
    other = make_project(tmp_path / "other")
    for key in ("project_id", "seed", "created_at"):  # all that packs tell, and the time
        other.set_meta(key, project.meta(key))
    assert explanation_id(project, said) == explanation_id(project, said)
    assert explanation_id(project, said) != explanation_id(other, said)
    other.close()


def test_that_the_shipped_guidelines_have_a_good_and_a_bad_example_of_each_aspect():
    for language in ("en", "zh"):
        found = shipped_guidelines(language)
        kinds = {(example.aspect, example.is_good) for example in found.examples}
        assert kinds == {(a, g) for a in ("harmony", "engagement", "usability", "rhythm") for g in (True, False)}
        assert all((resource("guidelines") / example.resource).is_file() for example in found.examples)
        assert all(example.why for example in found.examples)
    with pytest.raises(BadInput, match="no guidelines in xx"):
        shipped_guidelines("xx")


def test_that_the_shipped_training_opens_a_study(project):
    study, _ = create_study(project, "Trained", StudyKind.RANK)
    study, _ = use_shipped(project, study, language="zh", with_training=True)
    assert study.guidelines_version == "studio-1-zh"
    desk = read_desk(project, "ann", study_id=study.id)
    assert desk.needs_training
    assert desk.queue.items == ()
    for item in shipped_training(study, "zh"):
        assert item.answer in item.options
        answer_training(project, study, desk.person.id, item, item.answer)
    desk = read_desk(project, "ann", study_id=study.id)
    assert not desk.needs_training
    assert len(desk.queue.items) == 3
