"""Known answers of every kind of question, held against answers that people gave."""

from __future__ import annotations

import pytest

from studio.actions import studies
from studio.actions.answer_desk import open_unit
from studio.actions.known_answers import points_from, set_known_order, set_known_points
from studio.actions.quality import quality_rows
from studio.actions.study_desk import known_answers
from studio.actions.study_plan import plan_study
from studio.actions.study_queue import assignments_of
from studio.errors import BadInput
from studio.model.answers import Preference
from studio.model.studies import AnswerUnit, StudyKind
from studio.store import quality as quality_store
from tests.projects import SYSTEMS, decks_of, make_project, person


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study", instances=2, slides=3) as made:
        yield made


def all_units(project, study, who):
    return [open_unit(project, study, each) for each in assignments_of(project, study, who)]


def of_topic_1(project, units):
    decks = set(decks_of(project, "topic-1").values())
    return [unit for unit in units if decks & {deck.id for deck in unit.decks}]


@pytest.mark.parametrize("is_planned", [False, True])
def test_that_best_and_worst_of_four_are_known_by_the_order_of_all(project, is_planned):
    study, _ = studies.create_study(project, "Four", StudyKind.BEST_WORST)
    who = person(project, "Ann")
    if is_planned:
        plan_study(project, study)
    probe, _ = set_known_order(project, study, "topic-1", SYSTEMS)
    decks = decks_of(project, "topic-1")
    assert probe.expected == {"best": decks[SYSTEMS[0]], "worst": decks[SYSTEMS[3]]}
    (unit,) = of_topic_1(project, all_units(project, study, who))
    unit.session.set_best(decks[SYSTEMS[0]])
    unit.session.set_worst(decks[SYSTEMS[2]])
    unit.session.submit()
    (row,) = quality_rows(project, study)
    assert (row["gold"], row["gold_right"]) == (1, 0)
    unit.session.set_worst(decks[SYSTEMS[3]])
    unit.session.submit()
    (row,) = quality_rows(project, study)
    assert (row["gold"], row["gold_right"]) == (1, 1)
    (known,) = known_answers(project, study)
    first, *middle, last = known.words.replace(", ", " > ").split(" > ")
    assert (first, set(middle), last) == (SYSTEMS[0], set(SYSTEMS[1:3]), SYSTEMS[3])


def test_that_groups_of_more_than_four_have_the_first_and_last_of_each_group(tmp_path):
    five = [*SYSTEMS, "Elder"]
    with make_project(tmp_path / "five", instances=1, systems=five) as project:
        study, _ = studies.create_study(project, "Four", StudyKind.BEST_WORST)
        set_known_order(project, study, "topic-1", five)
        place = {deck: five.index(system) for system, deck in decks_of(project, "topic-1").items()}
        probes = quality_store.list_probes(project, study.id)
        # Five decks have five groups of four.
        assert len(probes) == 5
        for probe in probes:
            group = sorted(probe.item_key.split("|"), key=lambda deck: place[deck])
            assert probe.expected == {"best": group[0], "worst": group[-1]}


def test_that_an_order_that_covers_no_question_is_refused(project):
    study, _ = studies.create_study(project, "Four", StudyKind.BEST_WORST)
    with pytest.raises(BadInput, match="no question whose four"):
        set_known_order(project, study, "topic-1", SYSTEMS[:3])
    assert quality_store.list_probes(project, study.id) == []


def test_that_pairs_of_single_slides_have_known_answers(project):
    study, _ = studies.create_study(project, "Slides", StudyKind.PAIRWISE, unit=AnswerUnit.SLIDE)
    set_known_order(project, study, "topic-1", [f"{system}#2" for system in SYSTEMS[:2]])
    (known,) = known_answers(project, study)
    assert known.words == f"{SYSTEMS[0]}#2 > {SYSTEMS[1]}#2"
    decks = decks_of(project, "topic-1")
    better, worse = f"{decks[SYSTEMS[0]]}#2", f"{decks[SYSTEMS[1]]}#2"
    (unit,) = [
        unit for unit in all_units(project, study, person(project, "Ann")) if set(unit.session.units) == {better, worse}
    ]
    unit.session.prefer(Preference.A if unit.session.units[0] == better else Preference.B)
    unit.session.submit()
    (row,) = quality_rows(project, study)
    assert (row["gold"], row["gold_right"]) == (1, 1)


def test_that_best_and_worst_of_four_slides_are_known(project):
    study, _ = studies.create_study(project, "Slides", StudyKind.BEST_WORST, unit=AnswerUnit.SLIDE)
    probe, _ = set_known_order(project, study, "topic-1", [f"{system}#3" for system in SYSTEMS])
    decks = decks_of(project, "topic-1")
    assert probe.expected == {"best": f"{decks[SYSTEMS[0]]}#3", "worst": f"{decks[SYSTEMS[3]]}#3"}
    assert probe.item_key in {each.item_key for each in assignments_of(project, study, person(project, "Ann"))}


def test_that_points_of_a_single_slide_are_known(project):
    study, _ = studies.create_study(
        project, "Slides", StudyKind.RATE, unit=AnswerUnit.SLIDE, scale_set="ppteval"
    )  # fmt: skip
    set_known_points(project, study, "topic-1", f"{SYSTEMS[1]}#2", points_from("design=1-2"))
    (known,) = known_answers(project, study)
    assert known.words == f"{SYSTEMS[1]}#2: design 1–2"
    deck = decks_of(project, "topic-1")[SYSTEMS[1]]
    (unit,) = [unit for unit in all_units(project, study, person(project, "Ann")) if unit.slides == {deck: 2}]
    for scale in unit.session.scales.scales:
        unit.session.rate(scale.dimension, 2)
    unit.session.submit()
    (row,) = quality_rows(project, study)
    assert (row["gold"], row["gold_right"]) == (1, 1)


@pytest.mark.parametrize(
    ("kind", "unit", "order", "words"),
    [
        (StudyKind.PAIRWISE, AnswerUnit.SLIDE, ("Aster", "Birch"), "is no slide"),
        (StudyKind.PAIRWISE, AnswerUnit.SLIDE, ("Aster#1", "Birch#2"), "not asked together"),
        (StudyKind.PAIRWISE, AnswerUnit.SLIDE, ("Aster#9", "Birch#9"), "no slide 9"),
        (StudyKind.PAIRWISE, AnswerUnit.SLIDE, ("Nobody#1", "Birch#1"), "no deck of Nobody"),
        (StudyKind.PAIRWISE, AnswerUnit.DECK, ("Aster", "Aster"), "two or more different"),
        (StudyKind.RATE, AnswerUnit.DECK, ("Aster", "Birch"), "asks for no order"),
    ],
)
def test_that_a_known_order_that_nobody_could_meet_is_refused(project, kind, unit, order, words):
    scales = {"scale_set": "reflex"} if kind is StudyKind.RATE else {}
    study, _ = studies.create_study(project, "Odd", kind, unit=unit, **scales)
    with pytest.raises(BadInput, match=words):
        set_known_order(project, study, "topic-1", order)
    assert quality_store.list_probes(project, study.id) == []


@pytest.mark.parametrize(("points", "words"), [("nonsense=1", "no dimension nonsense"), ("flow=1-99", "go from 1 to")])
def test_that_known_points_that_nobody_could_give_are_refused(project, points, words):
    study, _ = studies.create_study(project, "Rate", StudyKind.RATE, scale_set="reflex")
    with pytest.raises(BadInput, match=words):
        set_known_points(project, study, "topic-1", "Aster", points_from(points))
