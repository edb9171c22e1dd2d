import csv
import json

import pytest

from tests.flows.made_here import SYSTEMS, instances, ranking_rows, score_rows, write_csv

TABLES = ("rankings", "pairs", "checklist", "verdicts", "scores")


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    return instances(tmp_path_factory.mktemp("material"), ["alpha", 'b,"e" 茶'], systems=SYSTEMS[:3])


@pytest.fixture
def new_study(studio, material, tmp_path):
    """Return a function that makes a project with the same instances and systems."""

    def make(name):
        assert studio("new", tmp_path / name).code == 0
        assert studio("import", tmp_path / name, material, "--no-render").code == 0
        return tmp_path / name

    return make


def filled_rows():
    """Return rows of each table, by name."""
    one, other = "alpha", 'b,"e" 茶'
    ranks = {one: {"Aster": 1, "Birch": 2, "Cedar": 2}, other: {"Aster": 3, "Birch": 1, "Cedar": 2}}
    return {
        "rankings": ranking_rows(ranks) + ranking_rows({one: {"Aster": 2, "Cedar": 1}}, person="Bob, \"B\""),
        "pairs": [
            {"instance_id": instance, "annotator_id": "Ada", "deck_a": deck_a, "deck_b": deck_b, "preference": said}
            for instance, deck_a, deck_b, said in (
                (one, "Birch", "Aster", "a"),
                (other, "Aster", "Cedar", "both_bad"),
            )
        ],
        "checklist": [
            {
                "instance_id": one,
                "system": system,
                "item_id": "i1",
                "annotator_id": "Ada",
                "answer": answer,
                "dimension": dimension,
                "comment": comment,
                "evidence": evidence,
            }
            for system, answer, dimension, comment, evidence in (
                (
                    "Aster",
                    "no",
                    "fidelity",
                    "two\nlines, “quoted” é",
                    '[{"slide": 1, "x0": 0.1, "y0": 0.2, "x1": 0.3, "y1": 0.4}]',
                ),
                ("Birch", "cannot_tell", "", "", ""),
            )
        ],
        "verdicts": [
            {
                "run_id": "r1", "judge_id": "openai:m", "instance_id": one, "system": "Aster", "item_id": "i1",
                "verdict": "yes", "score": 1, "status": "ok", "repeat": repeat, "latency_s": 0.25, "cached": "true",
            }
            for repeat in (0, 1)
        ]
        + [
            {
                "run_id": "r1", "judge_id": "openai:m", "instance_id": one, "system": "Birch", "item_id": "i1",
                "verdict": "", "score": "", "status": "parse_error", "repeat": 0, "latency_s": "", "cached": "",
            }
        ],
        "scores": [
            row | {"preset": "benchmark", "slide": "", "run_id": "r2"}
            for row in score_rows({one: {"Aster": 0.1, "Birch": None, "Cedar": -2.5}})
        ]
        + [row | {"preset": "p2", "slide": 3, "run_id": "r2"} for row in score_rows({other: {"Aster": 1e-12}})],
    }  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_that_a_table_goes_out_and_comes_back_the_same(studio, new_study, tmp_path, table, kind):
    first, second = new_study("first"), new_study("second")
    rows = filled_rows()[table]
    taken = studio("import-table", first, write_csv(tmp_path / "in.csv", rows), "--json")
    assert taken.code == 0, taken.err
    assert taken.json["table"] == table
    assert (taken.json["new"], taken.json["same"], taken.json["refused"]) == (len(rows), 0, [])

    out = tmp_path / f"out.{kind}"
    assert studio("export", first, "--table", table, "--format", kind, "--out", out).code == 0
    exported = out.read_text(encoding="utf-8-sig")
    # Twice into its own project: nothing changes.
    again = studio("import-table", first, out, "--json").json
    assert (again["new"], again["conflicting"]) == (0, 0)
    studio("export", first, "--table", table, "--format", kind, "--out", out)
    assert out.read_text(encoding="utf-8-sig") == exported
    # Into another project with the same names; ids differ, so rows go by instance and system names.
    ids = {row["deck_id"]: row for row in studio("decks", first, "--json").json}
    renamed = tmp_path / "renamed.csv"
    write_csv(renamed, [by_name(row, ids) for row in read(out, kind)])
    copied = studio("import-table", second, renamed, "--json").json
    assert copied["conflicting"] == 0
    assert copied["new"] == len(rows)
    studio("export", second, "--table", table, "--format", kind, "--out", tmp_path / f"back.{kind}")
    others = {row["deck_id"]: row for row in studio("decks", second, "--json").json}
    back = [stripped(by_name(row, others)) for row in read(tmp_path / f"back.{kind}", kind)]
    assert sorted(back, key=str) == sorted((stripped(by_name(row, ids)) for row in read(out, kind)), key=str)


def read(path, kind):
    if kind == "jsonl":
        return [
            {name: cell(value) for name, value in json.loads(line).items()}
            for line in path.read_text("utf-8").splitlines()
        ]
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def cell(value):
    return "" if value is None else json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def by_name(row, decks):
    """Replace ids by names, as a person would who copies a table from one project to another."""
    instance_names = {deck["instance_id"]: deck["instance"] for deck in decks.values()}
    named = dict(row)
    for column in ("deck_id", "deck_a", "deck_b", "shown_left"):
        if named.get(column) in decks:
            named[column] = decks[named[column]]["system"]
    named["instance_id"] = instance_names.get(named["instance_id"], named["instance_id"])
    return named


def stripped(row):
    """Leave out what names one project: its id, the ids of people, and times that were filled in."""
    left = {"project_id", "annotator_id", "started_at", "submitted_at"}
    kept = {name: value for name, value in row.items() if name not in left}
    if {"deck_a", "deck_b"} <= kept.keys() and kept["deck_a"] > kept["deck_b"]:
        # A pair is stored in the order of its ids.
        kept["deck_a"], kept["deck_b"] = kept["deck_b"], kept["deck_a"]
        kept["preference"] = {"a": "b", "b": "a"}.get(kept["preference"], kept["preference"])
    return tuple(sorted((name, str(value)) for name, value in kept.items()))


def test_that_csv_has_a_byte_order_mark_and_crlf_and_jsonl_has_neither(studio, new_study, tmp_path):
    study = new_study("study")
    studio("import-table", study, write_csv(tmp_path / "r.csv", filled_rows()["rankings"]))
    studio("export", study, "--table", "rankings", "--out", tmp_path / "out.csv")
    data = (tmp_path / "out.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfproject_id,instance_id,scenario,annotator_id,deck_id,system,rank,")
    assert data.count(b"\r\n") == data.count(b"\n") == 9
    studio("export", study, "--table", "rankings", "--format", "jsonl", "--out", tmp_path / "out.jsonl")
    data = (tmp_path / "out.jsonl").read_bytes()
    assert data.startswith(b"{")
    assert b"\r" not in data


def test_that_the_standard_output_gets_the_same_bytes_as_the_file(process, studio, new_study, tmp_path):
    study = new_study("study")
    studio("import-table", study, write_csv(tmp_path / "c.csv", filled_rows()["checklist"]))
    studio("export", study, "--table", "checklist", "--out", tmp_path / "out.csv")
    printed = process("export", study, "--table", "checklist")
    assert (printed.code, printed.err) == (0, "")
    # The process's text is read with universal newlines.
    assert printed.out == (tmp_path / "out.csv").read_bytes().decode().replace("\r\n", "\n")


def test_that_an_export_says_where_it_went(studio, new_study, tmp_path):
    study = new_study("study")
    quiet = studio("export", study, "--table", "scores", "--out", tmp_path / "new folder" / "s.csv")
    assert (quiet.code, quiet.out) == (0, "")
    assert "s.csv" in quiet.err
    told = studio("export", study, "--table", "scores", "--json").json
    assert told == {"table": "scores", "format": "csv", "path": str(study / "exports" / "scores.csv")}


def test_that_ties_leave_as_competition_ranks(studio, new_study, tmp_path):
    study = new_study("study")
    rows = ranking_rows({"alpha": {"Aster": 1, "Birch": 7, "Cedar": 7}})
    studio("import-table", study, write_csv(tmp_path / "r.csv", rows))
    studio("export", study, "--table", "rankings", "--out", tmp_path / "out.csv")
    # Tied rows stand in the order of their ids, which are drawn.
    assert sorted((row["system"], row["rank"], row["is_tied"]) for row in read(tmp_path / "out.csv", "csv")) == [
        ("Aster", "1", "false"), ("Birch", "2", "true"), ("Cedar", "2", "true"),
    ]  # fmt: skip


def test_that_a_spreadsheet_s_csv_is_read_and_bad_lines_are_named(studio, new_study, tmp_path):
    study = new_study("study")
    table = tmp_path / "sheet.csv"
    table.write_bytes(
        b"\xef\xbb\xbfinstance_id,annotator_id,system,rank,mood\r\n"
        b"alpha,Ada,Aster,1,good\r\n"
        b"alpha,Ada,Nobody,2,good\r\n"
        b"alpha,Ada,Birch,best,good\r\n"
        b"\r\n"
        b"gamma,Ada,Birch,2,good\r\n"
        b"alpha,Ada,Birch,2\r\n"
        b'alpha,Ada,Cedar,3,"so so"\r\n'
    )
    ended = studio("import-table", study, table, "--json")
    assert ended.code == 1
    result = ended.json
    assert (result["table"], result["new"]) == ("rankings", 2)
    assert [item["line"] for item in result["refused"]] == [3, 4, 6, 7]
    assert any("mood" in text for text in result["notes"])
    plain = studio("import-table", study, table)
    assert plain.code == 1
    assert "line 4" in plain.err


def test_that_what_contradicts_the_project_is_counted_and_left_out(studio, new_study, tmp_path):
    study = new_study("study")
    studio("import-table", study, write_csv(tmp_path / "a.csv", score_rows({"alpha": {"Aster": 1, "Birch": 2}})))
    other = write_csv(tmp_path / "b.csv", score_rows({"alpha": {"Aster": 1, "Birch": 9}}))
    result = studio("import-table", study, other, "--json").json
    assert (result["new"], result["same"], result["conflicting"]) == (0, 1, 1)
    studio("export", study, "--table", "scores", "--out", tmp_path / "out.csv")
    assert [float(row["value"]) for row in read(tmp_path / "out.csv", "csv")] == [1, 2]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "t.csv"),
        (b"a,b,c\n1,2,3\n", "t.csv"),
        (b"\xff\xfe\x00instance_id", "UTF-8"),
        (b"instance_id,instance_id,rank\n", "twice"),
        (b'instance_id,annotator_id,system,rank\n"alpha,Ada,Aster,1\n', "line"),
    ],
)
def test_that_a_file_that_is_no_table_is_a_mistake(studio, new_study, tmp_path, content, says):
    (tmp_path / "t.csv").write_bytes(content)
    assert says in studio("import-table", new_study("study"), tmp_path / "t.csv").error_line
