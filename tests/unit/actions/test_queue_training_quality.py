"""Queues with their counters, training with its tries, known answers, and what is told to whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.actions import known_answers, quality, studies
from studio.actions.study_desk import save_training, training_item
from studio.actions.study_plan import plan_study, preview_plan, sample_study
from studio.actions.study_queue import Lock, assignments_of, read_queue
from studio.actions.training import answer_training, guidelines_for, note_guidelines_read, training_result
from studio.errors import BadInput
from studio.model.answers import AnswerStatus
from studio.model.studies import AnswerUnit, AssignmentPurpose, StudyKind
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store.project import Project
from tests.projects import SYSTEMS, add_deck, add_instance, make_project, open_session, person, rank


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path / "study", instances=4)
    yield made
    made.close()


def all_on_all(project: Project, who: str, **filters):
    return read_queue(project, studies.implicit_study(project), person(project, who), **filters)


# queues


def test_that_both_counters_count_what_they_are_named_after(project):
    for name in ("Ada", "Bo", "Cleo"):
        rank(project, "topic-1", name, SYSTEMS)
    rank(project, "topic-2", "Ada", SYSTEMS)
    queue = all_on_all(project, "Ada")
    # Topic 1 has the three answers that are wanted where a study says nothing, topic 2 has one of them.
    assert (queue.mine_done, queue.mine_total, queue.project_done, queue.project_total) == (2, 4, 1, 4)
    assert queue.words() == ("mine 2/4", "project 1/4 with ≥3")


def test_that_a_filter_hides_and_counts_and_never_changes_the_counters(project):
    whole, filtered = all_on_all(project, "Ada"), all_on_all(project, "Ada", text="TOPIC-3")
    assert [item.instance.name for item in filtered.items] == ["topic-3"]
    assert (filtered.n_filtered, filtered.mine_total, filtered.words()) == (3, 4, whole.words())


def test_that_an_empty_queue_says_how_many_are_done_skipped_filtered_and_locked(project):
    add_deck(project, add_instance(project, "undrawn"), SYSTEMS[0], is_rendered=False)
    rank(project, "topic-1", "Ada", SYSTEMS)
    open_session(project, "topic-2", "Ada").skip()
    queue = all_on_all(project, "Ada", text="nothing has this name")
    assert queue.items == ()
    assert queue.empty_words() == ("Nothing to answer here", "1 done, 1 skipped, 3 hidden by the filter, 0 locked.")
    closed = read_queue(project, replace(studies.implicit_study(project), is_closed=True), person(project, "Ada"))
    assert closed.locked == {Lock.CLOSED: 3}
    assert closed.empty_words()[1].endswith("Locked – 3 units: the study is closed.")


def test_that_a_unit_with_enough_answers_is_locked_for_those_who_have_not_begun(project):
    study, _ = studies.create_study(project, "Two each", StudyKind.RANK, overlap=1)
    who = person(project, "Ada")
    submit(project, study, who, "topic-1")
    mine, other = read_queue(project, study, who), read_queue(project, study, person(project, "Bo"))
    assert mine.locked == {}
    assert other.locked == {Lock.QUOTA: 1}
    assert len(other.items) == 3


def submit(project: Project, study, who, instance: str) -> None:
    from studio.model.studies import Assignment
    from studio.sessions.clock import Spent
    from studio.sessions.ranking import RankingSession
    from tests.projects import instance_named, ticking_clock

    assignment = Assignment(study_id=study.id, annotator_id=who, instance_id=instance_named(project, instance))
    session = RankingSession(
        instance_id=assignment.instance_id, annotator_id=who, events=[], now=ticking_clock(),
        display=studies.shown_decks(project, study, assignment), record=studies.recorder(project, study),
        spent=lambda: Spent(active_s=1.0, wall_s=1.0),
    )  # fmt: skip
    for place, deck in enumerate(session.display, start=1):
        session.rank(deck, place)
    session.submit()


def test_that_skipped_units_are_last_and_the_next_comes_round(project):
    open_session(project, "topic-2", "Ada").skip()
    queue = all_on_all(project, "Ada")
    assert [item.instance.name for item in queue.items] == ["topic-1", "topic-3", "topic-4", "topic-2"]
    assert queue.next_to_do(queue.items[2].assignment).instance.name == "topic-1"
    for name in ("topic-1", "topic-3", "topic-4"):
        rank(project, name, "Ada", SYSTEMS)
    left = all_on_all(project, "Ada").next_to_do()
    assert (left.instance.name, left.status) == ("topic-2", AnswerStatus.SKIPPED)


def test_that_a_planned_study_asks_only_what_was_planned_and_nobody_else(project):
    ada, bo = person(project, "Ada"), person(project, "Bo")
    study, _ = studies.create_study(project, "Ada's", StudyKind.RANK, annotator_ids=(ada,), overlap=1)
    plan_study(project, study)
    assert len(read_queue(project, study, ada).items) == 4
    other = read_queue(project, study, bo)
    assert (other.items, other.is_invited) == ((), False)
    assert other.empty_words() == ("Nothing for you here", "The study Ada's is for other people.")


@pytest.mark.parametrize(
    ("kind", "unit", "number"),
    [
        (StudyKind.RANK, AnswerUnit.DECK, 4),
        (StudyKind.PAIRWISE, AnswerUnit.DECK, 4 * 6),  # of four decks 6 pairs
        (StudyKind.PAIRWISE, AnswerUnit.SLIDE, 4 * 6 * 2),  # for each of two slides
        (StudyKind.RATE, AnswerUnit.DECK, 4 * 4),
        (StudyKind.RATE, AnswerUnit.SLIDE, 4 * 4 * 2),
    ],
)
def test_that_a_study_of_each_kind_has_its_units(project, kind, unit, number):
    study, _ = studies.create_study(project, "One", kind, unit=unit, scale_set="reflex")
    assert len(assignments_of(project, study, person(project, "Ada"))) == number


def test_that_a_sample_takes_some_systems_and_strata_in_proportion(tmp_path):
    project = make_project(tmp_path / "many", instances=0)
    for number in range(12):
        instance = add_instance(project, f"t{number}", scenario="teaching" if number < 8 else "report")
        for system in SYSTEMS:
            add_deck(project, instance, system)
    study, _ = studies.create_study(project, "Part", StudyKind.RANK)
    part = sample_study(project, study, 6, by=["scenario"], n_systems=3, seed=7)
    scenarios = {item.id: item.scenario for item in deck_store.list_instances(project)}
    found = [scenarios[item] for item in part.instance_ids]
    # 8 : 4 of 12 are 4 : 2 of 6.
    assert (found.count("teaching"), found.count("report"), len(part.systems)) == (4, 2, 3)
    assert sample_study(project, study, 6, by=["scenario"], n_systems=3, seed=7) == part
    project.close()


def test_that_known_answers_go_to_everybody_on_top_of_their_share(project):
    people = [person(project, name) for name in ("Ada", "Bo", "Cleo", "Dan")]
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK, overlap=2)
    known_answers.set_known_order(project, study, "topic-1", SYSTEMS[:2])
    preview = preview_plan(project, study)
    gold = [item for item in preview.plan.new if item.purpose is AssignmentPurpose.GOLD]
    assert {item.annotator_id for item in gold} == set(people)
    # Three other instances, two people each: 6 over four people.
    assert sorted(preview.plan.load.values()) == [1, 1, 2, 2]


def test_that_what_a_study_asks_stays_once_it_was_answered(project):
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK)
    studies.save_study(project, replace(study, kind=StudyKind.PAIRWISE))
    studies.save_study(project, study)
    submit(project, study, person(project, "Ada"), "topic-1")
    with pytest.raises(BadInput, match="what it asks cannot be changed"):
        studies.save_study(project, replace(study, kind=StudyKind.PAIRWISE))
    assert studies.save_study(project, replace(study, name="Renamed"))[0].name == "Renamed"


# training and guidelines


@pytest.fixture
def trained(project):
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK)
    items = [training_item(study.id, f"Question {n}", ["a", "b", "c"], "b", f"Because {n}.") for n in range(4)]
    study, _ = save_training(project, study, items, pass_mark=0.5, tries=2, is_needed=True)
    return study


def test_that_the_study_opens_at_the_pass_mark_and_not_before(project, trained):
    who = person(project, "Ada")
    items = quality_store.training_items(project, trained.id)
    assert read_queue(project, trained, who).locked == {Lock.TRAINING: 4}
    reply, _ = answer_training(project, trained, who, items[0], "b")
    assert (reply.is_correct, reply.explanation, reply.result.is_passed) == (True, "Because 0.", False)
    reply, _ = answer_training(project, trained, who, items[1], "b")
    # Two of four are the half that is asked for.
    assert reply.result.is_passed
    assert read_queue(project, trained, who).locked == {}


def test_that_tries_are_limited_and_the_answer_is_not_told_while_one_is_left(project, trained):
    who = person(project, "Ada")
    item = quality_store.training_items(project, trained.id)[0]
    first, _ = answer_training(project, trained, who, item, "a")
    assert (first.explanation, first.result.tries_left[item.id]) == ("", 1)
    second, _ = answer_training(project, trained, who, item, "c")
    assert (second.explanation, second.result.tries_left[item.id]) == ("Because 0.", 0)
    with pytest.raises(BadInput, match="No try is left"):
        answer_training(project, trained, who, item, "b")


def test_that_a_training_that_cannot_be_passed_any_more_is_failed(project, trained):
    who = person(project, "Ada")
    for item in quality_store.training_items(project, trained.id)[:3]:
        for answer in ("a", "c"):
            answer_training(project, trained, who, item, answer)
    result = training_result(project, trained, who)
    assert (result.n_answered, result.n_correct, result.is_passed, result.is_failed) == (3, 0, False, True)


@pytest.mark.parametrize(
    ("options", "answer", "words"),
    [(["a"], "a", "two to nine"), (["a", "a"], "a", "different"), (["a", "b"], "c", "no right answer")],
)
def test_that_a_question_nobody_could_answer_is_refused(options, answer, words):
    with pytest.raises(BadInput, match=words):
        training_item("study_x", "Which?", options, answer, "")


def test_that_a_new_version_is_said_to_have_changed_since_it_was_read(project):
    who = person(project, "Ada")
    quality.add_guidelines(project, "v1", "# One")
    quality.add_guidelines(project, "v2", "# Two")
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK, guidelines_version="v1")
    assert guidelines_for(project, study, who)[1:3] == (False, False)
    note_guidelines_read(project, study, who)
    assert guidelines_for(project, study, who)[1:3] == (False, True)
    newer = replace(study, guidelines_version="v2")
    assert guidelines_for(project, newer, who)[1:3] == (True, False)
    with pytest.raises(BadInput, match="there already"):
        quality.add_guidelines(project, "v1", "# Other words")


# known answers


@pytest.mark.parametrize(
    ("state", "expected", "is_met"),
    [
        ({"ranks": {"a": 1, "b": 2, "c": 3}}, {"ranks": {"a": 1, "c": 2}}, True),
        ({"ranks": {"a": 2, "b": 2}}, {"ranks": {"a": 1, "b": 2}}, False),  # a tie is not an order
        ({"ranks": {"a": 1}}, {"ranks": {"a": 1, "b": 2}}, False),
        ({}, {"ranks": {"a": 1, "b": 2}}, False),
        ({"preference": "a"}, {"preference": "a"}, True),
        ({"preference": "tie"}, {"preference": "a"}, False),
        ({"best": "a", "worst": "d"}, {"best": "a", "worst": "d"}, True),
        ({"values": {"flow": 2}}, {"values": {"flow": [1, 2]}}, True),
        ({"values": {"flow": 3}}, {"values": {"flow": [1, 2]}}, False),
        ({"values": {}}, {"values": {"flow": [1, 2]}}, False),
    ],
)
def test_that_an_answer_is_held_against_what_is_known(state, expected, is_met):
    assert quality.meets(state, expected) is is_met


def test_that_hasty_answers_are_those_under_a_third_of_the_usual_time(project):
    study = studies.implicit_study(project)
    from studio.sessions.clock import Spent

    for name, seconds in (("Ada", 30.0), ("Bo", 30.0), ("Cleo", 1.0)):
        for topic in ("topic-1", "topic-2"):
            session = open_session(project, topic, name, spent=lambda s=seconds: Spent(active_s=s, wall_s=s))
            for place, deck in enumerate(session.display, start=1):
                session.rank(deck, place)
            session.submit()
    rows = {row["annotator"]: row for row in quality.quality_rows(project, study)}
    # Five acts each: 150 s, 150 s and 5 s; the median is 150, a third of it 50.
    assert {name: (row["median_s"], row["hasty"]) for name, row in rows.items()} == {
        "Ada": (150.0, 0), "Bo": (150.0, 0), "Cleo": (5.0, 2),
    }  # fmt: skip
