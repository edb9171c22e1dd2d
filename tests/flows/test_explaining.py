"""Presets, references, foreign results, flags and styles from the terminal, on a deck of drawn slides."""

import json

import pytest

from studio.metrics.flags import FLAGS
from tests.flows.made_here import instances, ranking_rows, write_csv

SYSTEMS = ("Aster", "Birch", "Cedar")


@pytest.fixture
def study(studio, tmp_path):
    """A measured and ranked project of pictures."""
    project = tmp_path / "study"
    instances(tmp_path / "in", ["topic"], systems=SYSTEMS, slides=2)
    assert studio("new", project).code == 0
    assert studio("import", project, tmp_path / "in").code == 0
    ended = studio("metrics", project, "--workers", 1, "--json")
    assert ended.code == 0, ended.err
    ranks = {"topic": {system: place for place, system in enumerate(SYSTEMS, start=1)}}
    table = write_csv(tmp_path / "ranks.csv", ranking_rows(ranks))
    assert studio("import-table", project, table).code == 0
    return project


def test_that_cues_are_metrics_like_the_others(studio, study):
    rows = studio("metrics", study, "--metrics", "cues.whitespace,cues.text_density", "--json").json
    assert len(rows) == 6
    assert all(0 <= row["value"] <= 1 for row in rows if row["metric"] == "cues.whitespace")
    assert {row["preset"] for row in rows} == {"benchmark"}


def test_that_flags_stand_in_the_table_with_their_rule(studio, study):
    ended = studio("metrics", study)
    flags = {flag for row in studio("metrics", study, "--json").json for flag in row["flags"]}
    for flag in flags:
        assert flag in ended.out
        assert studio("metrics", "--explain", flag, "--json").json[0]["rule"] in ended.out.replace("\n", " ")
    explained = studio("metrics", "--explain", "all", "--json").json
    assert [each["flag"] for each in explained] == list(FLAGS)
    assert "no_regions" in studio("metrics", "--explain", "nonsense").error_line


def test_that_presets_come_and_go_as_files_and_runs_use_them(studio, study, tmp_path):
    out = tmp_path / "config.json"
    assert studio("presets", "export", study, "benchmark", "--out", out).code == 0
    config = json.loads(out.read_text())
    assert len(config) == 20  # as the published result files print them
    out.write_text(json.dumps(config | {"weight_colorfulness": 20.0}))
    made = studio("presets", "import", study, out, "--name", "loud", "--json").json
    assert made["differs_from_benchmark"] == {"weight_colorfulness": [10.0, 20.0]}
    names = [row["name"] for row in studio("presets", "list", study, "--json").json]
    assert names == ["benchmark", "paper-text", "code-defaults", "loud"]
    rows = studio("metrics", study, "--preset", "loud", "--metrics", "aesthetics.engagement", "--json").json
    plain = studio("metrics", study, "--metrics", "aesthetics.engagement", "--json").json
    assert [row["value"] for row in rows] == pytest.approx([2 * row["value"] for row in plain])
    assert "loud" in studio("presets", "show", study, "nope").error_line


def test_that_a_reference_is_made_shown_exported_and_imported(studio, study, tmp_path):
    made = studio("reference", "make", study, "mine", "--json").json
    assert made["n_decks"] == 3
    assert sum(made["figures"]["colourfulness"]["histogram"]["counts"]) == made["n_slides"]
    out = tmp_path / "mine.json"
    assert studio("reference", "export", study, "mine", "--out", out).code == 0
    assert studio("reference", "import", study, out, "--name", "theirs", "--json").json["figures"] == made["figures"]
    assert "already" in studio("reference", "make", study, "mine", "--system", "Aster").error_line
    rows = studio("reference", "show", study, "mine", "--deck", "topic/Aster", "--json").json
    assert {row["figure"] for row in rows} == set(made["figures"])
    assert "Known: mine, theirs" in studio("reference", "show", study, "nope").error_line


def test_that_a_result_goes_out_comes_in_and_is_compared(studio, study, tmp_path):
    out = tmp_path / "result.json"
    assert studio("metrics", study, "--deck", "topic/Aster", "--reference-out", out).code == 0
    result = json.loads(out.read_text())
    result["slides"][0]["color_harmony"]["best_distance"] += 3.0
    out.write_text(json.dumps(result))
    found = studio("metrics", study, "--deck", "topic/Aster", "--reference-in", out, "--label", "lab", "--json").json
    differing = [row for row in found["slides"] if row["difference"]]
    assert [(row["slide"], row["figure"]) for row in differing] == [(1, "hue_distance")]
    assert differing[0]["difference"] == pytest.approx(-3.0)
    again = studio("metrics", study, "--deck", "topic/Aster", "--compare", "lab", "--json").json
    assert again == found
    methods = [row["method"] for row in studio("align", study, "--json").json["methods"]]
    assert "aesthetics.harmony@imported:lab" in methods
    assert "need --deck" in studio("metrics", study, "--reference-in", out).error_line
    assert "There are: lab" in studio("metrics", study, "--deck", "topic/Aster", "--compare", "x").error_line


def test_that_alignment_is_split_by_style(studio, study):
    found = studio("align", study, "--by", "bucket", "--metric", "aesthetics.harmony", "--json").json
    buckets = {row["bucket"]: row for row in found["buckets"]}
    assert buckets["dark"]["n_decks"] + buckets["light"]["n_decks"] == 3
    assert found["overall"][0]["n_total"] == 1
    assert set(found["rules"]) == set(buckets)
    # Pictures have no structure, so data and diagrams are undecided for all of them.
    assert len(found["undecided"]) == 3
