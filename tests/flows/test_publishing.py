"""What goes into papers, data sets and other tools, through the terminal."""

import hashlib
import json

import pyarrow.parquet as pq
import pytest
from lxml import etree

from studio.cli.opened import opened
from studio.decks.mupdf import mupdf
from studio.exchange.release import write_release
from studio.model.quality import Guidelines
from studio.store import quality as quality_store
from studio.store.project import Project
from tests.projects import decks_of, make_project, person, rank
from tests.unit.actions.test_report import take

SYSTEMS = ("Aster", "Birch & Söhne", "雪松")
PEOPLE = ("Ada Invented", "Ben Invented")


@pytest.fixture
def study(tmp_path):
    """Return a project where Ada says A>B>C, Ben C>A=B for alpha, and only Ada ranks beta; metric m agrees with Ada."""
    with make_project(tmp_path / "study", instances=["alpha", "beta"], systems=SYSTEMS) as project:
        rank(project, "alpha", PEOPLE[0], SYSTEMS)
        rank(project, "beta", PEOPLE[0], SYSTEMS[::-1])
        rank(project, "beta", PEOPLE[1], SYSTEMS, submit=False)
        rows = [f"alpha,{PEOPLE[1]},{system},{place}" for system, place in zip(SYSTEMS, (2, 2, 1), strict=True)]
        take(project, tmp_path, "r.csv", ["instance_id,annotator_id,system,rank", *rows])
        values = {"alpha": (3, 2, 1), "beta": (1, 2, 3)}
        scores = [f"m,{name},{SYSTEMS[at]},{values[name][at]}" for name in values for at in range(3)]
        take(project, tmp_path, "s.csv", ["metric,instance_id,system,value", *scores])
        quality_store.add_guidelines(
            project, Guidelines(version="v1", text="# 指南 Rules\n\n<script>x</script> **Look** first.")
        )
    return tmp_path / "study"


def reopened(study):
    return opened(study, must_write=False)


def test_that_inspect_gets_each_deck_once_with_its_place_among_the_others(studio, study):
    records = [
        json.loads(line) for line in studio("export", study, "--table", "inspect", "--format", "jsonl").out.splitlines()
    ]
    with reopened(study) as project:
        decks = decks_of(project, "alpha")
    assert len({record["id"] for record in records}) == len(records) == 6
    found = {record["id"]: record for record in records}
    # Ada gives 1, 0.5, 0. Ben puts the third first (1) and the others on mid-rank 2.5: (3 - 2.5) / 2 = 0.25 each.
    assert [found[decks[system]]["value"] for system in SYSTEMS] == [0.625, 0.375, 0.5]
    assert found[decks["雪松"]]["metadata"]["mean_rank"] == 2.0
    assert {record["metadata"]["n_annotators"] for record in records if record["metadata"]["instance"] == "beta"} == {1}


def test_that_label_studio_gets_orders_with_ties_beside_them_and_no_names(studio, study):
    text = studio("export", study, "--table", "label-studio", "--format", "json").out
    tasks = {task["data"]["instance"]: task for task in json.loads(text)}
    with reopened(study) as project:
        decks = decks_of(project, "alpha")
    assert not any(name in text for name in PEOPLE)
    alpha = tasks["alpha"]
    assert [item["title"] for item in alpha["data"]["decks"]] == list(SYSTEMS)
    by_ranks = [one["result"][0]["meta"]["ranks"] for one in alpha["annotations"]]
    assert {decks["Aster"]: 1, decks["Birch & Söhne"]: 2, decks["雪松"]: 3} in by_ranks
    assert {decks["Aster"]: 2, decks["Birch & Söhne"]: 2, decks["雪松"]: 1} in by_ranks
    for task in tasks.values():
        for one in (*task["annotations"], *task["predictions"]):
            result = one["result"][0]
            order = result["value"]["ranker"]["rank"]
            assert (result["type"], result["to_name"]) == ("ranker", "decks")
            assert [result["meta"]["ranks"][deck] for deck in order] == sorted(result["meta"]["ranks"].values())
    assert [one["model_version"] for one in alpha["predictions"]] == ["m@benchmark"]
    assert alpha["predictions"][0]["result"][0]["value"]["ranker"]["rank"] == [decks[system] for system in SYSTEMS]
    assert len(tasks["beta"]["annotations"]) == 1, "a draft is no annotation"


def test_that_the_configuration_that_label_studios_tasks_are_for_is_told(studio, study, tmp_path):
    made = studio("export", study, "--table", "label-studio", "--format", "json", "--out", tmp_path / "t.json")
    assert '<Ranker name="rank" toName="decks"/>' in made.err
    told = studio("export", study, "--table", "label-studio", "--format", "json", "--json").json["needs"]
    result = json.loads((tmp_path / "t.json").read_text("utf-8"))[0]["annotations"][0]["result"][0]
    # Names in a result must be those of the tags.
    assert f'<Ranker name="{result["from_name"]}" toName="{result["to_name"]}"/>' in told


def test_that_a_release_names_no_annotator_and_holds_no_draft(studio, study, tmp_path):
    made = studio("release", study, "--out", tmp_path / "set", "--licence", "cc-by-4.0", "--json").json
    whole = b"".join(path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file())
    with reopened(study) as project:
        ids = [person_id.encode() for person_id in people_ids(project)]
    assert not any(name.encode() in whole for name in PEOPLE)
    assert not any(each in whole for each in ids)
    rows = pq.read_table(tmp_path / "set/data/rankings.parquet").to_pylist()
    assert {row["annotator_id"] for row in rows} == {"annotator-01", "annotator-02"}
    assert {row["status"] for row in rows} == {"submitted"}
    assert made["annotators"] == 2
    assert made["rows"]["rankings"] == len(rows) == 9
    assert made["left_out"] == {"drafts in rankings": 3}


def test_that_who_audited_a_quiz_stands_under_a_number_though_names_are_stored(study, tmp_path):
    audits = [{"bank_id": "b", "audited_by": name} for name in (PEOPLE[0], "Cleo Invented", None)]
    with reopened(study) as project:
        rankings = [{"annotator_id": person(project, PEOPLE[0]), "rank": 1}]
        write_release(
            project, tmp_path / "set",
            {"quiz": (("bank_id", "audited_by"), audits), "rankings": (("annotator_id", "rank"), rankings)},
        )  # fmt: skip
    whole = b"".join(path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file())
    assert b"Invented" not in whole
    told, ranked = (pq.read_table(tmp_path / f"set/data/{name}.parquet").to_pylist() for name in ("quiz", "rankings"))
    # Who ranked and audited is one number, whoever is no annotator another one.
    assert told[0]["audited_by"] == ranked[0]["annotator_id"] != told[1]["audited_by"]
    assert told[1]["audited_by"].startswith("annotator-")
    assert told[2]["audited_by"] is None


def people_ids(project: Project) -> list[str]:
    from studio.store import people as people_store

    return [each.id for each in people_store.list_annotators(project)]


def test_that_a_release_says_what_it_is_and_its_checksums_hold(studio, study, tmp_path):
    assert studio("release", study, "--out", tmp_path / "set", "--licence", "cc-by-4.0").code == 0
    card = (tmp_path / "set/README.md").read_text(encoding="utf-8")
    assert 'license: "cc-by-4.0"' in card
    lines = (tmp_path / "set/SHA256SUMS").read_text().splitlines()
    named = {}
    for line in lines:
        digest, _, name = line.partition("  ")
        named[name] = digest
        assert hashlib.sha256((tmp_path / "set" / name).read_bytes()).hexdigest() == digest
    there = {path.relative_to(tmp_path / "set").as_posix() for path in (tmp_path / "set").rglob("*") if path.is_file()}
    assert set(named) == there - {"SHA256SUMS"}
    assert {"guidelines/v1.pdf", "guidelines/v1.html", "guidelines/v1.md"} <= there
    assert "<script>" not in (tmp_path / "set/guidelines/v1.html").read_text(encoding="utf-8")
    with mupdf().open(tmp_path / "set/guidelines/v1.pdf") as guidelines:
        assert "指南 Rules" in guidelines[0].get_text()


def test_that_the_card_of_a_release_shows_names_as_they_stand(studio, study, tmp_path):
    assert studio("rename", study, "system", SYSTEMS[0], "--to", "<img src=x> _a_ &amp;").code == 0
    assert studio("release", study, "--out", tmp_path / "set").code == 0
    card = (tmp_path / "set/README.md").read_text(encoding="utf-8")
    assert r"\<img src=x\> \_a\_ \&amp;" in card
    assert "<img" not in card.replace(r"\<", "")


def test_that_a_release_of_the_same_project_reads_back_to_the_same_methods(studio, study, tmp_path):
    assert studio("release", study, "--out", tmp_path / "set").code == 0
    with make_project(tmp_path / "again", instances=["alpha", "beta"], systems=SYSTEMS):
        pass
    for name in ("rankings", "scores"):
        assert studio("import-table", tmp_path / "again", tmp_path / f"set/csv/{name}.csv").code == 0
    tables = [studio("align", where, "--json").json["methods"] for where in (study, tmp_path / "again")]
    assert tables[0] == tables[1]
    assert tables[0][0]["n_defined"] == 2


def test_that_a_release_leaves_a_folder_that_holds_something_alone(studio, study, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set/mine.txt").write_text("mine")
    ended = studio("release", study, "--out", tmp_path / "set")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["mine.txt"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".release")] == []


def test_that_peoples_own_words_stay_at_home_unless_asked_for(studio, tmp_path):
    with make_project(tmp_path / "study", instances=["alpha"], systems=SYSTEMS) as project:
        person(project, PEOPLE[0])
        line = f"alpha,item_1,{PEOPLE[0]},no,Aster,Ask Ben about this"
        take(project, tmp_path, "c.csv", ["instance_id,item_id,annotator_id,answer,system,comment", line])
    for out, options, expected in (("a", (), False), ("b", ("--with-comments",), True)):
        assert studio("release", tmp_path / "study", "--out", tmp_path / out, *options).code == 0
        assert ("Ask Ben" in (tmp_path / out / "csv/checklist.csv").read_text(encoding="utf-8")) is expected


def test_that_plots_are_whole_files_of_each_format(studio, study, tmp_path):
    formats = ("svg", "pdf", "png")
    options = [word for format in formats for word in ("--format", format)]
    paths = studio("plots", study, "--out", tmp_path / "figures", *options, "--json").json["paths"]
    names = {path.rpartition("/")[2] for path in paths}
    assert names == {
        f"{name}.{format}" for name in ("intervals", "heat-map", "bump", "scatter-m") for format in formats
    }
    for path in paths:
        with mupdf().open(path) as drawn:
            assert drawn.page_count == 1, path
            assert drawn[0].rect.width > 100, path
    svg = (tmp_path / "figures/bump.svg").read_text(encoding="utf-8")
    etree.fromstring(svg.encode())
    assert "var(" not in svg
    assert "Birch &amp; Söhne" in svg
    assert "雪松" in svg


def test_that_plots_without_scores_say_what_to_do(studio, tmp_path):
    with make_project(tmp_path / "study", instances=1):
        pass
    ended = studio("plots", tmp_path / "study", "--out", tmp_path / "figures")
    assert ended.code == 2
    assert "Run the metrics" in ended.err
    assert not (tmp_path / "figures").exists()


@pytest.mark.parametrize("format", ["csv", "jsonl", "md", "tex"])
def test_that_the_methods_table_leaves_in_each_format_with_the_same_number(studio, study, format):
    text = studio("export", study, "--table", "methods", "--format", format).out
    # Ada alone would give 1; with Ben alpha's mean mid-ranks are 1.75, 2.25, 2: rho of (3, 2, 1) is 0.5. Mean 0.75.
    assert "0.75" in text


def test_that_parquet_does_not_go_to_a_terminal(studio, study, tmp_path):
    refused = studio("export", study, "--table", "rankings", "--format", "parquet")
    assert refused.code == 2
    assert "--out" in refused.err
    assert (
        studio("export", study, "--table", "rankings", "--format", "parquet", "--out", tmp_path / "r.parquet").code == 0
    )
    assert pq.read_table(tmp_path / "r.parquet").num_rows == 12


def test_that_cases_without_answers_say_what_to_do(studio, study, tmp_path):
    ended = studio("cases", study, "--out", tmp_path / "cases.html")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert not (tmp_path / "cases.html").exists()


def test_that_a_case_card_holds_both_verdicts_and_escapes_all_text(studio, tmp_path):
    with make_project(tmp_path / "study", instances=["alpha"], systems=SYSTEMS) as project:
        person(project, PEOPLE[0])
        answers = [
            f"alpha,item_1,{PEOPLE[0]},no,Aster,<b>cut off</b>", f"alpha,item_1,{PEOPLE[0]},yes,雪松,",
        ]  # fmt: skip
        take(project, tmp_path, "c.csv", ["instance_id,item_id,annotator_id,answer,system,comment", *answers])
        verdicts = [f"j:m,alpha,item_1,yes,{system}" for system in ("Aster", "雪松")]
        take(project, tmp_path, "v.csv", ["judge_id,instance_id,item_id,verdict,system", *verdicts])
    made = studio("cases", tmp_path / "study", "--out", tmp_path / "cases.html", "--json").json
    page = (tmp_path / "cases.html").read_text(encoding="utf-8")
    assert (made["cards"], made["cases"]) == (1, 1)
    assert "&lt;b&gt;cut off&lt;/b&gt;" in page
    assert "<b>" not in page
    assert "http" not in page.partition("<body>")[2]
    everything = studio("cases", tmp_path / "study", "--out", tmp_path / "cases.html", "--all", "--json").json
    assert everything["cards"] == 2
