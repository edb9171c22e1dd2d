"""The JSON of Slides-Align, out and in, and triples from the same preferences."""

import json

import pytest

from studio.actions import tables
from studio.errors import BadInput
from studio.exchange.rankings import current_rankings
from studio.exchange.slides_align import CONSENSUS_NAME
from tests.projects import decks_of, make_project, rank

FOUR = ("Gamma", "Skyworks", "Quake", "NotebookLM")


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path / "study", instances=2, systems=FOUR)
    yield made
    made.close()


def rows(project):
    return json.loads(tables.table_text(project, "slides-align", format="json"))["results"]


def test_that_the_consensus_orders_by_mean_rank_and_breaks_ties_by_majority(project):
    # Means: Gamma (1+1+3)/3 = 5/3, Skyworks (2+3+1)/3 = 2, Quake (3+2+2)/3 = 7/3, NotebookLM 4.
    rank(project, "topic-1", "Ann", ("Gamma", "Skyworks", "Quake", "NotebookLM"))
    rank(project, "topic-1", "Bert", ("Gamma", "Quake", "Skyworks", "NotebookLM"))
    rank(project, "topic-1", "Clara", ("Skyworks", "Quake", "Gamma", "NotebookLM"))
    assert rows(project) == [
        {"product": product, "difficulty": "teaching", "topic": "topic-1", "rank": place}
        for place, product in enumerate(("Gamma", "Skywork", "Quake", "NotebookLM"), start=1)
    ]
    # Equal means of 2: Gamma 1, 1, 4 and Skyworks 2, 2, 2; two of three people rank Gamma higher.
    rank(project, "topic-2", "Ann", ("Gamma", "Skyworks", "Quake", "NotebookLM"))
    rank(project, "topic-2", "Bert", ("Gamma", "Skyworks", "NotebookLM", "Quake"))
    rank(project, "topic-2", "Clara", ("Quake", "Skyworks", "NotebookLM", "Gamma"))
    assert [row["product"] for row in rows(project) if row["topic"] == "topic-2"][:2] == ["Gamma", "Skywork"]
    stated = json.loads(tables.table_text(project, "slides-align", format="json"))["consensus"]
    assert "mean" in stated["rule"]
    assert "above the other" in stated["tie_break"]


def test_that_a_file_comes_in_once_with_gaps_and_spellings_and_goes_out_as_it_came(project, tmp_path):
    def row(product, place, topic="topic-1"):
        return {"product": product, "difficulty": "teaching", "topic": topic, "rank": place}

    sent = [row("Skywork", 1), row("Quake", 2), row("Zhipu", 3), row("Gamma", 4)]
    odd = [row("Gamma", 1, "no-such"), row("Gamma", 0), {"product": "Gamma"}, 7]
    file = tmp_path / "Slides-Align.json"
    file.write_text(json.dumps({"results": sent + odd}))
    report, _ = tables.import_table(project, file)
    assert (report.table, report.new, report.same, report.conflicting) == ("rankings", 3, 0, 0)
    assert [item["line"] for item in report.refused] == [3, 5, 6, 7, 8]
    report, _ = tables.import_table(project, file)
    assert (report.new, report.same) == (0, 3)
    decks = decks_of(project, "topic-1")
    (ranking,) = current_rankings(project)
    assert ranking.annotator == CONSENSUS_NAME
    assert ranking.ranks == {decks["Skyworks"]: 1, decks["Quake"]: 2, decks["Gamma"]: 3}
    assert rows(project) == [row("Skywork", 1), row("Quake", 2), row("Gamma", 4)]


def test_that_triples_hold_what_most_people_prefer(project):
    rank(project, "topic-1", "Ann", ("Gamma", "Skyworks", "Quake", "NotebookLM"))
    rank(project, "topic-1", "Bert", ("Skyworks", "Gamma", "Quake", "NotebookLM"))
    triples = [json.loads(line) for line in tables.table_text(project, "dpo", format="jsonl").splitlines()]
    # Six pairs; one to one between Gamma and Skyworks is no majority.
    assert len(triples) == 5
    assert {(item["chosen_system"], item["rejected_system"]) for item in triples} == {
        ("Gamma", "Quake"), ("Gamma", "NotebookLM"), ("Skyworks", "Quake"), ("Skyworks", "NotebookLM"),
        ("Quake", "NotebookLM"),
    }  # fmt: skip
    assert all((item["prompt"], item["n_for"], item["n_against"]) == ("Topic-1", 2, 0) for item in triples)
    assert all(item["chosen"].startswith("assets/") for item in triples)


def test_that_it_is_written_as_json_only(project):
    for table, format_ in (("slides-align", "csv"), ("rankings", "json")):
        with pytest.raises(BadInput):
            tables.table_text(project, table, format=format_)
