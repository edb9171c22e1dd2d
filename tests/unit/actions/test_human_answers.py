from __future__ import annotations

import pytest

from studio.actions import align
from studio.actions.human_answers import known_sides, read_human_side
from studio.errors import BadInput
from studio.model.human_side import HumanSide, HumanSource
from studio.stats.rankings import consensus
from studio.store.project import Project
from tests.human_answers import (
    add_check,
    add_decks,
    add_pair,
    add_ranking,
    add_rating,
    add_scores,
    add_view,
    person,
)

SYSTEMS = ("alpha", "beta", "gamma")


@pytest.fixture
def project(tmp_path):
    made = Project.create(tmp_path / "study", title="Study")
    add_decks(made, ["one", "two"], SYSTEMS)
    yield made
    made.close()


def means(answers, instance: str) -> dict[str, float]:
    side = consensus(answers.rankings)
    row = side.instance_ids.index(f"i_{instance}")
    return {
        deck.rpartition("_")[2]: float(value)
        for deck, value in zip(side.deck_ids[row], side.mean_ranks[row], strict=False)
    }  # fmt: skip


def test_that_pairs_order_decks_by_the_share_of_comparisons_won(project):
    for pair, said in (("alpha beta", "a"), ("beta gamma", "tie"), ("alpha gamma", "both_bad")):
        add_pair(project, "ada", "one", *pair.split(), said)
    add_pair(project, "ada", "two", "alpha", "beta", "cannot_judge")
    found = read_human_side(project, HumanSide(source=HumanSource.PAIRS))
    # alpha won 1 + ½ of two, beta 0 + ½, gamma ½ + ½: places 1, 3, 2. Where nobody could judge there is no order.
    assert means(found, "one") == {"alpha": 1.0, "beta": 3.0, "gamma": 2.0}
    assert found.rankings.instance_ids == ("i_one",)


def test_that_ratings_are_compared_as_values_and_not_as_ranks(project):
    for name, values in (("ada", (5, 4, 1)), ("bo", (4, 4, 2))):
        for system, value in zip(SYSTEMS, values, strict=True):
            add_rating(project, name, "one", system, content=value)
    found = read_human_side(project, HumanSide(source=HumanSource.RATINGS, dimension="content"))
    # Means 4.5, 4 and 1.5, held with their sign turned.
    assert means(found, "one") == {"alpha": -4.5, "beta": -4.0, "gamma": -1.5}
    assert found.rankings.is_on_one_scale


def test_that_the_pooled_level_of_ratings_compares_instances_too(project):
    # Within each instance the method is against the people, over both it is with them: 1 2 3 | 7 8 9 by the people,
    # 3 2 1 | 9 8 7 by the method. Pooled: d² = 4·4 = 16, rho = 1 − 6·16/210 = 0.543; per instance −1.
    for instance, low in (("one", 1), ("two", 7)):
        for place, system in enumerate(SYSTEMS):
            add_rating(project, "ada", instance, system, scale_set="own", quality=low + place)
        add_scores(project, "m", instance, {system: low + 2 - place for place, system in enumerate(SYSTEMS)})
    side = HumanSide(source=HumanSource.RATINGS, dimension="quality")
    row = align.methods_table(project, level="pooled", side=side).methods["m"]
    assert row.by_level["instance"] == -1.0
    assert row.mean_rho == pytest.approx(1 - 6 * 16 / 210)
    shown = {point.deck_id: point.mean_human_rank for point in align.points(align.gather(project, side), "m")}
    assert shown["d_two_gamma"] == 9.0


def test_that_a_dimension_nobody_was_asked_names_those_that_were(project):
    add_rating(project, "ada", "one", "alpha", scale_set="reflex", coverage=3)
    with pytest.raises(BadInput, match="no ratings of flow") as raised:
        read_human_side(project, HumanSide(source=HumanSource.RATINGS, dimension="flow"))
    assert "reflex/coverage" in str(raised.value.next_step)


def test_that_checklist_scores_are_the_share_met_and_half_filled_sheets_have_none(project):
    for system, answers in (("alpha", "yy"), ("beta", "yn"), ("gamma", "nn")):
        for item, answer in zip(("x", "y"), answers, strict=True):
            add_check(project, "ada", "one", system, item, "yes" if answer == "y" else "no")
    found = read_human_side(project, HumanSide(source=HumanSource.CHECKLIST))
    assert means(found, "one") == {"alpha": -100.0, "beta": -50.0, "gamma": 0.0}


def test_that_each_filter_counts_what_it_leaves_out_under_its_reason(project):
    ranks = {"alpha": 1, "beta": 2, "gamma": 3}
    person(project, "ada", group="expert")
    person(project, "bo", group="end user")
    add_ranking(project, "ada", "one", ranks, seconds=90)
    add_ranking(project, "bo", "one", ranks, seconds=12)
    add_ranking(project, "cy", "one", ranks, verb="import")
    quick = read_human_side(project, HumanSide(min_seconds=30))
    assert list(quick.annotators) == ["a_ada"]
    assert quick.filtered == {"too_fast": 1, "no_time": 1}
    assert quick.filtered_in_words == "1 answer too fast, 1 answer without a recorded time"
    slow = read_human_side(project, HumanSide(max_seconds=30))
    assert slow.filtered == {"too_slow": 1, "no_time": 1}
    experts = read_human_side(project, HumanSide(groups=frozenset({"expert"})))
    assert experts.filtered == {"other_group": 2}
    with pytest.raises(BadInput, match="group crowd"):
        read_human_side(project, HumanSide(groups=frozenset({"crowd"})))


def test_that_whoever_skipped_slides_is_left_out_when_asked(project):
    ranks = {"alpha": 1, "beta": 2, "gamma": 3}
    for name, seen in (("ada", range(1, 11)), ("bo", range(1, 3))):
        add_ranking(project, name, "one", ranks)
        for system in SYSTEMS:
            add_view(project, name, "one", system, list(seen))
    add_ranking(project, "cy", "one", ranks)
    found = read_human_side(project, HumanSide(min_slides_seen=0.8))
    assert list(found.annotators) == ["a_ada"]
    assert found.filtered == {"slides_unseen": 1, "no_views": 1}
    assert len(read_human_side(project, HumanSide(min_slides_seen=0.2)).annotators) == 2


def test_that_one_study_can_be_taken_alone(project):
    add_ranking(project, "ada", "one", {"alpha": 1, "beta": 2, "gamma": 3})
    add_ranking(project, "ada", "one", {"alpha": 3, "beta": 2, "gamma": 1}, study="study_two")
    assert means(read_human_side(project, HumanSide(study="")), "one")["alpha"] == 1.0
    assert means(read_human_side(project, HumanSide(study="study_two")), "one")["alpha"] == 3.0


def test_that_the_sides_with_answers_are_offered(project):
    assert known_sides(project) == []
    add_ranking(project, "ada", "one", {"alpha": 1, "beta": 2, "gamma": 3})
    add_rating(project, "ada", "one", "alpha", content=3, design=4)
    assert [side.words for side in known_sides(project)] == ["rankings", "ratings of content", "ratings of design"]
