from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

# The columns of `rankings.csv` among the export tables.
COLUMNS = [
    "project_id",
    "instance_id",
    "scenario",
    "annotator_id",
    "deck_id",
    "system",
    "rank",
    "rank_method",
    "n_ranked",
    "n_candidates",
    "is_tied",
    "display_position",
    "status",
    "duration_s",
    "active_s",
    "revision",
    "started_at",
    "submitted_at",
    "guidelines_version",
    "app_version",
]


@pytest.fixture
def rows(built: Path) -> list[dict[str, str]]:
    with (built / "rankings.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _by_answer(rows: list[dict[str, str]]) -> dict[tuple[str, str], list[dict[str, str]]]:
    answers = defaultdict(list)
    for row in rows:
        answers[row["annotator_id"], row["instance_id"]].append(row)
    return dict(answers)


def test_that_the_table_starts_with_a_mark_and_has_the_columns_of_the_export(built: Path) -> None:
    raw = (built / "rankings.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    assert raw[3:].split(b"\r\n")[0].decode() == ",".join(COLUMNS)


def test_that_rankings_name_only_decks_that_exist(built: Path, rows: list[dict[str, str]]) -> None:
    for row in rows:
        names = {path.stem for path in (built / row["instance_id"] / "decks").iterdir()}
        assert row["system"] in names


def test_that_three_labelled_annotators_ranked_every_instance(built: Path, rows: list[dict[str, str]]) -> None:
    people = json.loads((built / "annotators.json").read_text(encoding="utf-8"))
    assert [person["id"] for person in people] == ["sample-a", "sample-b", "sample-c"]
    assert all("(invented)" in person["name"] and person["is_sample"] for person in people)
    assert len(_by_answer(rows)) == 3 * 5
    assert {row["annotator_id"] for row in rows} == {"sample-a", "sample-b", "sample-c"}


def test_that_ranks_are_competition_ranks(rows: list[dict[str, str]]) -> None:
    for answer in _by_answer(rows).values():
        ranks = [int(row["rank"]) for row in answer]
        # In competition ranking a rank is one more than the number of better decks.
        assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]


def test_that_there_are_ties_and_one_partial_ranking(rows: list[dict[str, str]]) -> None:
    answers = _by_answer(rows)
    tied = {key for key, answer in answers.items() if any(row["is_tied"] == "true" for row in answer)}
    partial = {key for key, answer in answers.items() if len(answer) < 5}
    assert tied == {("sample-b", "hash-tables-lecture"), ("sample-c", "white-roofs-paper")}
    assert partial == {("sample-c", "hash-tables-lecture")}
    for answer in answers.values():
        held = Counter(row["rank"] for row in answer)
        for row in answer:
            assert int(row["n_ranked"]) == len(answer)
            assert row["n_candidates"] == "5"
            assert (row["is_tied"] == "true") == (held[row["rank"]] > 1)


def test_that_annotators_differ_and_saw_decks_in_different_orders(rows: list[dict[str, str]]) -> None:
    answers = _by_answer(rows)
    for instance in {row["instance_id"] for row in rows}:
        views = [answers[person, instance] for person in ("sample-a", "sample-b", "sample-c")]
        ranks = {tuple(sorted((row["system"], row["rank"]) for row in view)) for view in views}
        shown = {tuple(sorted((row["system"], row["display_position"]) for row in view)) for view in views}
        assert len(ranks) > 1
        assert len(shown) == 3


def test_that_times_are_utc_and_add_up(rows: list[dict[str, str]]) -> None:
    for row in rows:
        assert row["started_at"].endswith("Z")
        assert row["started_at"] < row["submitted_at"]
        assert 0 < int(row["active_s"]) <= int(row["duration_s"])
        assert row["status"] == "submitted"


def test_that_the_committed_table_says_that_it_is_invented(recipe: object) -> None:
    from studio.paths import demo_recipe_dir

    table = json.loads((demo_recipe_dir() / "rankings.json").read_text(encoding="utf-8"))
    assert table["note"].startswith("Invented sample data.")
