"""Rows of agreement: worked by hand, and against scikit-learn and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from studio.actions import tables
from studio.actions.agreement import agreement_rows, as_json
from studio.actions.annotator_report import annotator_reports
from studio.actions.consensus import all_consensus
from studio.actions.consensus import as_json as consensus_json
from studio.actions.human_answers import read_human_side
from studio.model.human_side import HumanSide, HumanSource
from studio.store.project import Project
from tests.human_answers import add_check, add_decks, add_pair, add_ranking, add_rating

SYSTEMS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def project(tmp_path):
    made = Project.create(tmp_path / "study", title="Study")
    add_decks(made, ["one", "two", "three"], SYSTEMS)
    yield made
    made.close()


def rank(project, name, instance, *ranks, **more):
    add_ranking(project, name, instance, dict(zip(SYSTEMS, ranks, strict=True)), **more)


def value(rows, metric, level="instance", who=("all", "all"), about="", answers="rankings"):
    found = [
        row for row in rows
        if (row.metric, row.level, row.about, row.answers) == (metric, level, about, answers)
        and (row.who_a, row.who_b) == who
    ]  # fmt: skip
    assert len(found) == 1, [row.metric for row in rows]
    return found[0]


def test_that_couples_and_ceilings_come_out_as_worked_by_hand(project):
    rank(project, "ada", "one", 1, 2, 3, 4)
    rank(project, "bo", "one", 2, 1, 3, 4)
    rank(project, "ada", "two", 1, 2, 3, 4)
    rank(project, "bo", "two", 1, 2, 3, 4)
    rank(project, "ada", "three", 1, 2, 3, 4)
    rows = agreement_rows(project)
    # Σd² = 2 of one, 0 of two: rho 1 − 6·2/60 = 0.8 and 1; tau 4/6 and 1; two of four, then four of four, alike.
    couple = ("a_ada", "a_bo")
    assert value(rows, "spearman", who=couple).value == pytest.approx(0.9)
    assert value(rows, "spearman", who=couple).n == 2
    assert value(rows, "kendall_tau_b", who=couple).value == pytest.approx((4 / 6 + 1) / 2)
    assert value(rows, "identical", who=couple).value == 0.75
    assert value(rows, "spearman").value == pytest.approx(0.9)
    assert value(rows, "spearman", who=("all", "others")).value == pytest.approx(0.9)
    # W of two raters is (1 + rho)/2.
    assert value(rows, "kendall_w").value == pytest.approx((0.9 + 1) / 2)
    assert value(rows, "kendall_w").tie_method == "mid_ranks"


def test_that_one_annotator_alone_is_undefined_for_a_reason(project):
    rank(project, "ada", "one", 1, 2, 3, 4)
    rows = agreement_rows(project)
    assert {row.undefined_reason for row in rows} == {"one_rater"}
    assert all(row.value is None and row.ci_low is None for row in rows)


def test_that_systems_compare_by_their_mean_ranks(project):
    for instance in ("one", "two"):
        rank(project, "ada", instance, 1, 2, 3, 4)
    rank(project, "bo", "one", 1, 2, 3, 4)
    rank(project, "bo", "two", 2, 3, 1, 4)
    row = value(agreement_rows(project), "spearman", "system", ("a_ada", "a_bo"))
    # Bo's means 1.5, 2.5, 2, 4: ranks 1, 3, 2, 4 against 1, 2, 3, 4.
    assert (row.value, row.n) == (pytest.approx(0.8), 4)


def test_that_weighted_kappa_is_that_of_scikit_learn(project):
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = (5, 3, 1, 2), (4, 3, 2, 2)
    for system, a, b in zip(SYSTEMS, first, second, strict=True):
        add_rating(project, "ada", "one", system, scale_set="pptev", content=a)
        add_rating(project, "bo", "one", system, scale_set="pptev", content=b)
    side = HumanSide(source=HumanSource.RATINGS, dimension="content")
    rows = agreement_rows(project, side=side)
    for weights in ("linear", "quadratic"):
        expected = metrics.cohen_kappa_score(first, second, weights=weights, labels=[1, 2, 3, 4, 5])
        found = value(rows, f"weighted_kappa_{weights}", "pooled", ("a_ada", "a_bo"), answers="ratings:content")
        assert found.value == pytest.approx(expected)


def test_that_checklist_agreement_is_that_of_the_libraries(project):
    metrics = pytest.importorskip("sklearn.metrics")
    fleiss = pytest.importorskip("statsmodels.stats.inter_rater").fleiss_kappa
    said = {"ada": "yyny", "bo": "ynny", "cy": "yyyn"}
    for name, answers in said.items():
        for system, answer in zip(SYSTEMS, answers, strict=True):
            add_check(project, name, "one", system, "item-1", "yes" if answer == "y" else "no")
    rows = agreement_rows(project)
    kappa = value(rows, "cohen_kappa", "pooled", ("a_ada", "a_bo"), answers="checklist").value
    assert kappa == pytest.approx(metrics.cohen_kappa_score(list(said["ada"]), list(said["bo"])))
    counts = [[row.count("y"), row.count("n")] for row in zip(*said.values(), strict=True)]
    assert value(rows, "fleiss_kappa", "pooled", answers="checklist").value == pytest.approx(fleiss(np.array(counts)))
    # Of 4 · 3 couples: deck 1 three alike, decks 2 to 4 one each.
    same = value(rows, "percent_agreement", "pooled", answers="checklist", about="item-1")
    assert (same.value, same.n) == (0.5, 12)


def test_that_a_rare_no_leaves_kappa_low_and_ac1_high(project):
    add_decks(project, [f"more-{number}" for number in range(11)], SYSTEMS)
    cases = [(f"more-{number}", system) for number in range(11) for system in SYSTEMS]
    for place, (instance, system) in enumerate(cases):
        add_check(project, "ada", instance, system, "x", "no" if place == 0 else "yes")
        add_check(project, "bo", instance, system, "x", "no" if place == 1 else "yes")
    rows = agreement_rows(project)
    couple = {row.metric: row.value for row in rows if row.who_a == "a_ada" and row.answers == "checklist"
              and row.level == "pooled" and row.metric in ("cohen_kappa", "gwet_ac1")}  # fmt: skip
    # 42 of 44 alike; p_e = (43/44)² + (1/44)², so kappa = −1/43; AC1 stays above 0.9.
    assert couple["cohen_kappa"] == pytest.approx(-1 / 43)
    assert couple["gwet_ac1"] > 0.9


def test_that_renaming_systems_and_people_changes_no_number(tmp_path):
    found = []
    for names, systems in ((("ada", "bo", "cy"), SYSTEMS), (("zoe", "yan", "xu"), SYSTEMS[::-1])):
        project = Project.create(tmp_path / names[0], title="Study")
        add_decks(project, ["one", "two"], systems)
        rng = np.random.default_rng(3)
        for name in names:
            for instance in ("one", "two"):
                ranks = rng.integers(1, 4, 4).tolist()
                add_ranking(project, name, instance, dict(zip(systems, ranks, strict=True)))
        found.append([(row.metric, row.level, row.value, row.ci_low, row.n) for row in agreement_rows(project)])
        project.close()
    assert sorted(found[0], key=str) == sorted(found[1], key=str)


def test_that_the_exported_table_has_the_rows_of_the_command(project):
    rank(project, "ada", "one", 1, 2, 3, 4)
    rank(project, "bo", "one", 2, 1, 3, 4)
    lines = tables.table_text(project, "agreement").removeprefix("\ufeff").splitlines()
    rows = as_json(agreement_rows(project))
    assert lines[0].startswith("metric,level,who_a,who_b,value,ci_low,ci_high,n,tie_method,undefined_reason")
    assert len(lines) == len(rows) + 1
    assert not any(isinstance(row["value"], float) and math.isnan(row["value"]) for row in rows)


def test_that_an_annotators_report_counts_repeats_and_distance(project):
    rank(project, "ada", "one", 1, 2, 3, 4, seconds=40)
    rank(project, "ada", "one", 1, 2, 4, 3, seconds=10, repeat=1)
    rank(project, "ada", "two", 1, 2, 3, 4, seconds=60)
    rank(project, "bo", "one", 2, 1, 3, 4, seconds=20)
    ada, bo = annotator_reports(project, read_human_side(project))
    # Places apart: 1, 1, 0, 0 in the one instance that both ranked. Five of the six pairs stayed as they were.
    assert (ada.distance, bo.distance) == (0.5, 0.5)
    assert (ada.n_instances, ada.seconds, ada.n_repeats) == (2, 50.0, 1)
    assert ada.self_agreement == pytest.approx(5 / 6)
    assert (bo.self_agreement, bo.consistency) == (None, None)


def test_that_going_in_circles_shows_in_the_consistency_of_pairs(project):
    for first, second, said in (("alpha", "beta", "a"), ("beta", "gamma", "a"), ("alpha", "gamma", "b")):
        add_pair(project, "ada", "one", first, second, said)
    (ada,) = annotator_reports(project, read_human_side(project, HumanSide(source=HumanSource.PAIRS)))
    assert (ada.consistency, ada.n_triads) == (0.0, 1)


def test_that_the_consensus_gives_three_orders_and_says_when_strengths_are_regularised(project):
    rank(project, "ada", "one", 1, 2, 3, 4)
    rank(project, "bo", "one", 1, 3, 2, 4)
    rows = consensus_json(all_consensus(project, read_human_side(project)))
    assert [(row["system"], row["mean_rank"], row["kemeny_rank"]) for row in rows] == [
        ("alpha", 1.0, 1.0), ("beta", 2.5, 2.5), ("gamma", 2.5, 2.5), ("delta", 4.0, 4.0),
    ]  # fmt: skip
    assert rows[0]["kemeny_orders"] == 2
    assert rows[0]["strength_regularised"]
    assert rows[0]["strength"] > rows[1]["strength"] > rows[3]["strength"]
