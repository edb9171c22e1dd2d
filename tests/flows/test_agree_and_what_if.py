"""Agreement, the human side and what-ifs through the command line."""

from __future__ import annotations

import json

import pytest

from studio.store.project import Project
from tests.human_answers import add_decks, add_ranking, add_rating, add_scores, person

SYSTEMS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def study(tmp_path):
    project = Project.create(tmp_path / "study", title="Study")
    add_decks(project, ["one", "two"], SYSTEMS, scenario="lecture")
    add_decks(project, ["three"], SYSTEMS, scenario="report")
    person(project, "ada", group="expert")
    for instance in ("one", "two", "three"):
        add_ranking(project, "ada", instance, dict(zip(SYSTEMS, (1, 2, 3, 4), strict=True)), seconds=90)
        add_ranking(project, "bo", instance, dict(zip(SYSTEMS, (2, 1, 3, 4), strict=True)), seconds=5)
        values = (9, 8, 7, 6) if instance != "three" else (6, 7, 8, 9)
        add_scores(project, "m", instance, dict(zip(SYSTEMS, values, strict=True)))
        for system, point in zip(SYSTEMS, (5, 4, 3, 1), strict=True):
            add_rating(project, "ada", instance, system, content=point)
    project.close()
    return tmp_path / "study"


def only(ended):
    (method,) = json.loads(ended.out)["methods"]
    return method


def test_that_agree_prints_the_rows_of_the_exported_table(studio, study, tmp_path):
    rows = json.loads(studio("agree", study, "--json").out)
    couple = next(row for row in rows if row["metric"] == "spearman" and row["level"] == "instance"
                  and (row["who_a"], row["who_b"]) == ("a_ada", "a_bo"))  # fmt: skip
    # One swap of neighbours among four decks: 1 − 6·2/60.
    assert (couple["value"], couple["n"], couple["answers"]) == (pytest.approx(0.8), 3, "rankings")
    out = tmp_path / "agreement.jsonl"
    studio("export", study, "--table", "agreement", "--format", "jsonl", "--out", out)
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == rows
    assert "Spearman" in studio("agree", study).out or "spearman" in studio("agree", study).out


def test_that_annotators_and_consensus_have_rows(studio, study):
    ada, bo = json.loads(studio("agree", study, "--annotators", "--json").out)
    assert (ada["name"], ada["seconds"], ada["distance"]) == ("ada", 90.0, 0.5)
    assert (bo["name"], bo["rho"]) == ("bo", pytest.approx(0.8))
    rows = json.loads(studio("agree", study, "--consensus", "--json").out)
    assert [row["mean_rank"] for row in rows[:4]] == [1.5, 1.5, 3.0, 4.0]


def test_that_the_human_side_is_a_choice(studio, study):
    rankings = only(studio("align", study, "--json"))
    assert rankings["mean_rho"] == pytest.approx(0.9486832980505138 / 3)
    ratings = only(studio("align", study, "--human", "ratings", "--dimension", "content", "--json"))
    assert ratings["mean_rho"] == pytest.approx(1 / 3)
    experts = json.loads(studio("align", study, "--group", "expert", "--json").out)
    assert (experts["n_annotators"], experts["human"]["filtered"]) == (1, {"other_group": 3})
    slow = json.loads(studio("align", study, "--min-seconds", "30", "--json").out)
    assert slow["human"]["filtered"] == {"too_fast": 3}
    assert "too fast" in studio("align", study, "--min-seconds", "30").out


def test_that_a_what_if_is_asked_by_name(studio, study):
    without = only(studio("align", study, "--without", "annotator=bo", "--without", "scenario=report", "--json"))
    assert (without["mean_rho"], without["n_total"]) == (1.0, 2)
    assert "What if: without scenario=report." in studio("align", study, "--without", "scenario=report").out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--without", "annotator=zoe"], "no annotator zoe"),
        (["--without", "colour=red"], "no KIND=NAME"),
        (["--dimension", "content"], "Only ratings have a dimension"),
        (["--human", "ratings", "--dimension", "flow"], "no ratings of flow"),
        (["--group", "crowd"], "group crowd"),
        (["--study", "nowhere"], "nowhere"),
    ],
)
def test_that_what_is_not_there_is_one_clear_line(studio, study, options, says):
    ended = studio("align", study, *options)
    assert ended.code == 2
    assert says in ended.error_line
