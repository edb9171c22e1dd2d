"""Tables in, methods table out: the worked examples, through the command line."""

import json
import math

import pytest

from tests.flows.made_here import SYSTEMS, instances, ranking_rows, score_rows, write_csv
from tests.shared_files import shared


@pytest.fixture
def align(studio, tmp_path):
    """Return a function that puts tables into a new project of picture decks and aligns it."""
    made = iter(range(100))

    def run(rankings, scores, *options, systems=SYSTEMS, code=0):
        number = next(made)
        project = tmp_path / f"study-{number}"
        names = list(dict.fromkeys(row["instance_id"] for row in [*rankings, *scores]))
        material = instances(tmp_path / f"material-{number}", names, systems=systems)
        assert studio("new", project).code == 0
        assert studio("import", project, material, "--no-render").code == 0
        for table, rows in (("rankings", rankings), ("scores", scores)):
            if rows:
                taken = studio("import-table", project, write_csv(tmp_path / f"{table}-{number}.csv", rows), "--json")
                assert taken.json["table"] == table
                assert (taken.json["new"], taken.json["refused"]) == (len(rows), []), taken.out
        ended = studio("align", project, "--json", *options)
        assert ended.code == code, ended.err
        return ended.json if code == 0 else ended

    return run


def by_rank(*ranks):
    return dict(zip(SYSTEMS, ranks, strict=False))


def only(result):
    (method,) = result["methods"]
    return method


def rhos(method):
    return {row["instance"]: row["rho"] for row in method["instances"]}


# Judge ranks become scores of 10 − rank: Spearman knows order only.
HUMAN = {"a": (1, 2, 3, 4, 5), "b": (2, 1, 3, 5, 4), "c": (1, 3, 2, 4, 5), "d": (5, 4, 3, 2, 1)}
JUDGE = {"a": (1, 2, 3, 5, 4), "b": (2, 1, 3, 5, 4), "c": (3, 3, 3, 3, 3), "d": (4, 5, 3, 1, 2)}


def worked_example():
    rankings = ranking_rows({name: by_rank(*ranks) for name, ranks in HUMAN.items()})
    scores = score_rows({name: by_rank(*(10 - rank for rank in ranks)) for name, ranks in JUDGE.items()})
    return rankings, scores


def test_that_the_worked_example_of_four_instances_comes_out(align):
    method = only(align(*worked_example()))
    # a: one swap of neighbours, 1 − 6·2/120 = 0.9 · b: equal · c: constant judge · d: two swaps, 1 − 6·4/120 = 0.8.
    assert rhos(method) == {"a": pytest.approx(0.9), "b": pytest.approx(1), "c": None, "d": pytest.approx(0.8)}
    assert {row["instance"]: row["reason"] for row in method["instances"]} == {
        "a": None, "b": None, "c": "constant", "d": None,
    }  # fmt: skip
    assert (method["n_defined"], method["n_total"]) == (3, 4)
    assert method["undefined"] == {"constant": 1, "too_few": 0}
    assert method["mean_rho"] == pytest.approx(0.9)
    assert method["zero_filled_rho"] == pytest.approx(2.7 / 4)
    # Deviations 0, .1, −.1: population √(.02/3), sample √(.02/2).
    assert method["std_rho"] == pytest.approx(math.sqrt(0.02 / 3))
    assert method["std_rho_sample"] == pytest.approx(0.1)
    # a 3/5, b 5/5, c: all judge ranks are 3, as one human rank is: 1/5, d 1/5 → mean 2/4.
    assert method["identical"] == pytest.approx(0.5)
    assert method["chance_identical"] == pytest.approx(0.2)
    assert method["ci_low"] <= 0.9 <= method["ci_high"]


@pytest.mark.parametrize(
    ("human", "scores", "rho", "identical"),
    [
        # One swap pair each: 1 − 6·4/120.
        ((1, 2, 3, 4, 5), (9, 10, 7, 8, 6), 0.8, 0.2),
        # Best score to the best rank is +1, never −1.
        ((1, 2, 3), (9, 7, 5), 1.0, 1.0),
        ((1, 2, 3), (5, 7, 9), -1.0, 1 / 3),
        # [1,1,1,2] against [1,2,3,4]: mid-ranks 2,2,2,4 → 3/√(3·5) = .774597.
        ((1, 1, 1, 2), (9, 8, 7, 6), 0.7745966692, 0.5),
        # [1,1,1,1,2] against [5,4,3,2,1]: −.707107; mid-ranks 2.5,2.5,2.5,2.5,5.
        ((1, 1, 1, 1, 2), (1, 2, 3, 4, 5), -0.7071067812, 0.0),
        ((2, 1, 1, 1, 1), (2, 1, 1, 1, 1), -1.0, 0.0),
        # The shared golden case spearman_ties: .947368, where the shortcut 1 − 6·Σd²/120 would say .95.
        ((3, 3, 1, 5, 4), (-2, -3, -1, -5, -5), 0.9473684211, None),
    ],
)
def test_that_ties_and_signs_come_out_as_worked_by_hand(align, human, scores, rho, identical):
    method = only(align(ranking_rows({"a": by_rank(*human)}), score_rows({"a": by_rank(*scores)})))
    assert method["mean_rho"] == pytest.approx(rho, abs=1e-9)
    if identical is not None:
        assert method["identical"] == pytest.approx(identical, abs=1e-9)


def test_that_numbers_in_a_rank_column_express_order_only(align):
    scores = score_rows({"a": by_rank(9, 8, 8, 1, 0)})
    plain = only(align(ranking_rows({"a": by_rank(1, 2, 2, 3, 7)}), scores))
    odd = only(align(ranking_rows({"a": by_rank(10, 20, 20, 35, 90)}), scores))
    assert plain["mean_rho"] == odd["mean_rho"] == pytest.approx(1)
    assert plain["identical"] == 1


def test_that_names_of_systems_never_change_a_number(align):
    # Best to worst A,B,D,C against B,C,D,A: rank vectors (1,2,4,3) and (4,1,2,3): Σd² = 9+1+4+0 → 1 − 84/60 = −0.4.
    ranks, values = (1, 2, 4, 3), (0, 9, 8, 7)
    for systems in (("A", "B", "C", "D"), ("Z", "B", "C", "D"), ("9", "é", "x=y", "A,B")):
        human, judge = dict(zip(systems, ranks, strict=True)), dict(zip(systems, values, strict=True))
        method = only(align(ranking_rows({"a": human}), score_rows({"a": judge}), systems=systems))
        assert method["mean_rho"] == pytest.approx(-0.4)
        # tau: pairs in order 2 of 6, against it 4 → −1/3.
        assert method["instances"][0]["tau"] == pytest.approx(-1 / 3)


def test_that_two_shared_decks_are_too_few_and_all_equal_ranks_are_constant(align):
    rankings = ranking_rows({"few": by_rank(1, 2, 3), "same": by_rank(1, 1, 1), "good": by_rank(1, 2, 3)})
    scores = score_rows({"few": by_rank(3, 2, None), "same": by_rank(3, 2, 1), "good": by_rank(3, 2, 1)})
    method = only(align(rankings, scores))
    assert method["undefined"] == {"constant": 1, "too_few": 1}
    assert (method["n_defined"], method["n_total"], method["mean_rho"]) == (1, 3, pytest.approx(1))
    rows = {row["instance"]: row for row in method["instances"]}
    assert (rows["few"]["reason"], rows["few"]["n"], rows["few"]["rho"]) == ("too_few", 2, None)
    assert (rows["same"]["reason"], rows["same"]["rho"]) == ("constant", None)


def test_that_a_method_without_any_defined_instance_is_null_with_a_reason(align):
    method = only(align(ranking_rows({"a": by_rank(1, 2, 3)}), score_rows({"a": by_rank(1, 1, 1)})))
    assert (method["mean_rho"], method["std_rho"], method["ci_low"], method["ci_high"]) == (None,) * 4
    assert method["undefined_reason"] == "constant"


def test_that_partial_rankings_are_ranked_anew_within_the_shared_decks(align):
    # Ranked: Aster 1, Cedar 2, Elder 3; scores only of Birch, Cedar, Dahlia, Elder, Aster. Shared: A, C, E.
    rankings = ranking_rows({"a": {"Aster": 1, "Cedar": 2, "Elder": 3}})
    method = only(align(rankings, score_rows({"a": by_rank(5, 9, 4, 8, 3)})))
    (row,) = method["instances"]
    assert (row["rho"], row["n"], row["identical"]) == (pytest.approx(1), 3, 1)


def test_that_the_human_side_is_the_mean_of_mid_ranks(align):
    # Ada 1,2,3 and Bob 1,3,2 → mean 1, 2.5, 2.5; scores 3,2,1 → ranks 1,2,3: ρ = 1.5/√(1.5·2) = .8660254.
    rankings = ranking_rows({"a": by_rank(1, 2, 3)}) + ranking_rows({"a": by_rank(1, 3, 2)}, person="Bob")
    result = align(rankings, score_rows({"a": by_rank(3, 2, 1)}))
    method = only(result)
    assert method["mean_rho"] == pytest.approx(0.8660254038)
    assert method["identical"] == pytest.approx(1 / 3)
    assert result["n_annotators"] == 2
    # With two people leave-one-out is the pairwise ρ of (1,2,3) and (1,3,2) = 1 − 6·2/24 = .5.
    assert method["ceiling"] == {"kind": "leave_one_out", "value": pytest.approx(0.5)}
    assert method["instances"][0]["n_annotators"] == 2


def test_that_a_draft_does_not_count(align):
    rankings = [row | {"status": "submitted"} for row in ranking_rows({"a": by_rank(1, 2, 3)})]
    drafts = [
        row | {"status": "draft"} for row in ranking_rows({"a": by_rank(3, 2, 1), "b": by_rank(1, 2, 3)}, person="Bob")
    ]
    method = only(align(rankings + drafts, score_rows({"a": by_rank(3, 2, 1), "b": by_rank(3, 2, 1)})))
    assert (method["n_total"], method["mean_rho"]) == (1, pytest.approx(1))


def test_that_n_total_counts_instances_with_a_ranking_even_without_scores(align):
    rankings = ranking_rows({"a": by_rank(1, 2, 3), "b": by_rank(1, 2, 3)})
    method = only(align(rankings, score_rows({"a": by_rank(3, 2, 1), "c": by_rank(3, 2, 1)})))
    assert (method["n_defined"], method["n_total"]) == (1, 2)
    assert method["undefined"] == {"constant": 0, "too_few": 1}


@pytest.mark.parametrize("level", ["instance", "scenario", "system", "pooled"])
def test_that_every_level_can_be_asked_for(align, level):
    result = align(*worked_example(), "--level", level)
    assert result["level"] == level
    method = only(result)
    assert method["mean_rho"] is not None
    assert method["by_level"][level] == pytest.approx(method["mean_rho"])


def test_that_methods_can_be_chosen_and_carry_their_preset(align):
    rankings = ranking_rows({"a": by_rank(1, 2, 3)})
    scores = [
        *(row | {"preset": "benchmark"} for row in score_rows({"a": by_rank(3, 2, 1)}, metric="m")),
        *(row | {"preset": "paper-text"} for row in score_rows({"a": by_rank(1, 2, 3)}, metric="m")),
        *(row | {"preset": ""} for row in score_rows({"a": by_rank(3, 1, 2)}, metric="openai:x/rating")),
    ]
    result = align(rankings, scores)
    found = {method["method"]: method["mean_rho"] for method in result["methods"]}
    assert found == {
        "m": pytest.approx(1), "m@paper-text": pytest.approx(-1), "openai:x/rating": pytest.approx(0.5),
    }  # fmt: skip
    assert only(align(rankings, scores, "--metric", "m@paper-text"))["method"] == "m@paper-text"
    two = align(rankings, scores, "--metric", "openai:x/rating", "--metric", "m")
    assert {method["method"] for method in two["methods"]} == {"m", "openai:x/rating"}
    assert "m@paper-text" in align(rankings, scores, "--metric", "n", code=2).error_line


def test_that_the_plain_table_says_what_the_document_says(studio, align, tmp_path):
    align(*worked_example())
    shown = studio("align", tmp_path / "study-0")
    row = next(line.split() for line in shown.out.splitlines() if line.startswith("m "))
    assert row[1:4] == ["0.90", "0.08", "50.0"]
    assert "3/4" in row
    assert "1 constant" in " ".join(row)


def test_that_a_project_without_scores_has_an_empty_table(align):
    assert align(ranking_rows({"a": by_rank(1, 2, 3)}), [])["methods"] == []


def test_that_presentbench_s_worked_example_with_ties_comes_out(align):
    # Acceptance case 25 of the rubric's facts; the numbers are a hand calculation that is shared with the project.
    content = json.loads(shared("golden/presentbench/human_alignment_worked_example.json").read_text(encoding="utf-8"))
    samples = {f"s{number}": each for number, each in enumerate(content["samples"], start=1)}
    rankings = ranking_rows({name: by_rank(*each["human_rank"]) for name, each in samples.items()})
    scores = score_rows({name: by_rank(*each["score"]) for name, each in samples.items()})
    method = only(align(rankings, scores))
    expected = [each["spearman"] for each in samples.values()]
    assert [rhos(method)[name] for name in samples] == [
        None if value is None else pytest.approx(value, abs=1e-9) for value in expected
    ]
    # In a few digits too, so that the numbers stand here: 1, 0.9, 0.666885929, undefined; their mean 0.855628643.
    assert method["mean_rho"] == pytest.approx(0.855628643, abs=1e-9)
    assert method["mean_rho"] == pytest.approx(content["mean_over_defined_samples"], abs=1e-12)
    assert (method["n_defined"], method["n_total"], method["undefined"]["constant"]) == (3, 4, 1)
