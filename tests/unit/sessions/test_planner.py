"""Plans: overlap, loads, samples, sides, known answers and repeats."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import BadInput
from studio.model.decks import Instance
from studio.model.ids import AnnotatorId, InstanceId
from studio.model.studies import AssignmentPurpose, Study, StudyId, StudyKind
from studio.sessions.pairing import groups_of_four, item_key, sided_pairs
from studio.sessions.planner import REPEAT_GAP, PlanRequest, Standing, plan
from studio.sessions.sampling import chosen_systems, quotas, stratified_sample


def request(n_instances, n_people, overlap, *, seed=1, **more):
    return PlanRequest(
        study=Study(id=StudyId("s"), name="s", kind=StudyKind.RANK, overlap=overlap, order_seed=seed),
        instance_ids=tuple(InstanceId(f"i{number:03}") for number in range(n_instances)),
        annotator_ids=tuple(AnnotatorId(f"p{number}") for number in range(n_people)),
        **more,
    )


def shapes(_instance, _is_turned):
    return [((), "")]


@settings(deadline=None)
@given(n=st.integers(1, 30), people=st.integers(1, 7), overlap=st.none() | st.integers(1, 9), seed=st.integers(0, 99))
def test_that_every_instance_gets_its_overlap_and_loads_differ_by_one_at_most(n, people, overlap, seed):
    made = plan(request(n, people, overlap, seed=seed), shapes)
    wanted = overlap or people
    per_instance = Counter(item.instance_id for item in made.new)
    assert set(per_instance.values()) == {min(wanted, people)}
    assert made.promised_shortfall == n * max(0, wanted - people)
    loads = Counter(item.annotator_id for item in made.new)
    assert max(loads.values()) - min(loads.get(f"p{number}", 0) for number in range(people)) <= 1
    assert made == plan(request(n, people, overlap, seed=seed), shapes)
    assert all(len({item.instance_id for item in mine}) == len(mine) for mine in queues(made).values())


def queues(made):
    found = {}
    for item in sorted(made.new, key=lambda item: item.position):
        found.setdefault(item.annotator_id, []).append(item)
    return found


@settings(deadline=None)
@given(n=st.integers(1, 20), gone=st.integers(0, 3), done=st.integers(0, 20), seed=st.integers(0, 99))
def test_that_work_of_people_who_dropped_out_goes_to_others_and_what_they_did_counts(n, gone, done, seed):
    first = plan(request(n, 4, 2, seed=seed), shapes)
    lost = AnnotatorId(f"p{gone}")
    theirs = [item.instance_id for item in first.new if item.annotator_id == lost]
    submitted = {instance: frozenset({lost}) for instance in theirs[:done]}
    stay = tuple(AnnotatorId(f"p{number}") for number in range(4) if number != gone)
    again = request(n, 4, 2, seed=seed)
    again = PlanRequest(study=again.study, instance_ids=again.instance_ids, annotator_ids=stay)
    refill = plan(again, shapes, Standing(assignments=first.new, submitted=submitted))
    assert {item.instance_id for item in refill.withdrawn} == set(theirs[done:])
    assert set(refill.reached.values()) == {2}
    assert Counter(item.instance_id for item in refill.new) == Counter(theirs[done:])
    kept = [item for item in first.new if item not in first.new or item.annotator_id != lost]
    twice = Standing(assignments=(*kept, *refill.new), submitted=submitted)
    assert all(number >= 1 for number in plan(again, shapes, twice).reached.values())


def test_that_what_somebody_could_not_judge_goes_to_another():
    first = plan(request(1, 3, 2), shapes)
    who = {item.annotator_id for item in first.new}
    one = min(who)
    standing = Standing(assignments=first.new, discarded={InstanceId("i000"): frozenset({one})})
    refill = plan(request(1, 3, 2), shapes, standing)
    assert [item.annotator_id for item in refill.new] == sorted({"p0", "p1", "p2"} - who)


@settings(deadline=None)
@given(n=st.integers(6, 25), repeats=st.integers(0, 4), seed=st.integers(0, 99))
def test_that_known_answers_and_repeats_are_woven_in(n, repeats, seed):
    gold = {InstanceId("i000"): AssignmentPurpose.GOLD, InstanceId("i001"): AssignmentPurpose.ATTENTION}
    made = plan(request(n, 3, 1, seed=seed, gold=gold, repeats=repeats), shapes)
    for mine in queues(made).values():
        assert [item.position for item in mine] == list(range(1, len(mine) + 1))
        assert {item.instance_id for item in mine if item.purpose in set(gold.values())} == set(gold)
        again = [item for item in mine if item.repeat]
        assert len(again) <= repeats
        places = {item.instance_id: item.position for item in mine if not item.repeat}
        assert all(item.position - places[item.instance_id] > REPEAT_GAP for item in again)


def test_that_the_expected_shortfall_is_that_of_a_binomial():
    made = plan(request(10, 3, 2), shapes)
    # Two people each do an instance with probability 0.9: 0.18 · 1 + 0.01 · 2 = 0.2 missing for each of ten.
    assert made.expected_shortfall(0.9) == pytest.approx(2.0)
    assert made.expected_shortfall(1.0) == 0.0
    # Where one of the two is in, the other is missing with probability 0.1.
    assert made.expected_shortfall(0.9, dict.fromkeys(made.reached, 1)) == pytest.approx(1.0)


def test_that_the_papers_sample_is_drawn_by_largest_remainder():
    # 24 of 238 over seven scenarios: exact shares 24·n/238 of 60 50 40 34 24 20 10 are 6.05 5.04 4.03 3.43 2.42 2.02
    # 1.01; whole parts add up to 23, and the largest remainder, .43, takes the last one.
    sizes = dict(zip("abcdefg", (60, 50, 40, 34, 24, 20, 10), strict=True))
    assert quotas(sizes, 24) == dict(zip("abcdefg", (6, 5, 4, 4, 2, 2, 1), strict=True))
    instances = [
        Instance(id=InstanceId(f"{scenario}{number}"), name=f"{scenario}{number}", title="", scenario=scenario)
        for scenario, size in sizes.items()
        for number in range(size)
    ]
    drawn = stratified_sample(instances, 24, by=("scenario",), seed=7)
    assert Counter(name[0] for name in drawn) == quotas(sizes, 24)
    assert set(drawn) == set(stratified_sample(instances[::-1], 24, by=("scenario",), seed=7))
    assert drawn != stratified_sample(instances, 24, by=("scenario",), seed=8)
    systems = tuple(f"System {number}" for number in range(8))
    assert len(set(chosen_systems(systems, 5, seed=7))) == 5
    assert chosen_systems(systems, 5, seed=7) == chosen_systems(systems[::-1], 5, seed=7)
    with pytest.raises(BadInput):
        stratified_sample(instances, 239, seed=1)


@settings(deadline=None)
@given(n=st.integers(2, 12), seed=st.integers(0, 999))
def test_that_each_deck_stands_left_as_often_as_right(n, seed):
    units = [f"d{number}" for number in range(n)]
    pairs = sided_pairs(units, seed=seed, scope="i")
    assert {item_key(pair) for pair in pairs} == {item_key(pair) for pair in combinations(units, 2)}
    left, right = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    assert all(abs(left[unit] - right[unit]) <= 1 for unit in units)
    turned = sided_pairs(units, seed=seed, scope="i", is_flipped=True)
    assert turned == [(b, a) for a, b in pairs]


@settings(deadline=None)
@given(n=st.integers(4, 12), seed=st.integers(0, 999))
def test_that_groups_of_four_show_all_decks_about_equally_often(n, seed):
    units = [f"d{number}" for number in range(n)]
    groups = groups_of_four(units, seed=seed, scope="i")
    assert all(len(set(group)) == 4 for group in groups)
    assert len({item_key(group) for group in groups}) == len(groups)
    uses = Counter(unit for group in groups for unit in group)
    assert set(uses) == set(units)
    assert max(uses.values()) - min(uses.values()) <= 1
