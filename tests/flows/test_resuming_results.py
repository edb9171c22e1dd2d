"""Going on from result files, and results that a reference run can go on from."""

import json
import re
from pathlib import Path

import pytest
import yaml

from studio.store import scores as score_store
from studio.store.project import Project
from tests.fake_judge_server import KEY, FakeJudgeServer
from tests.presentbench_trees import answers, reference_total, write_pdf, write_results, write_tree

FILE = "g_2026-01-01_00-00-00.yaml"
# One of the ten items that are asked of a judge is open; the count item (1.1) is the code judge's.
SAID = {
    "material_independent": {"1": ["yes", "No"], "2": ["yes", "yes"]},
    "material_dependent": {"1": ["yes", "no"], "2": [None], "3": ["yes", "no", "yes", "yes"]},
}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def says_no(call) -> str:
    if '"results"' in call.text:
        numbers = re.findall(r"Requirement (\d+):", call.text)
        return json.dumps({"results": [{"item": int(number), "answer": "no"} for number in numbers]})
    return "Slide 1 says so. \\boxed{no}"


@pytest.fixture
def server():
    with FakeJudgeServer(answer=says_no) as running:
        yield running


@pytest.fixture
def project(studio, tmp_path):
    folder = tmp_path / "study"
    assert studio("new", folder).code == 0
    case = write_tree(tmp_path / "data")
    write_results(tmp_path / "results", case, files={FILE: answers(SAID)})
    bring_in(studio, folder, tmp_path)
    return folder


def bring_in(studio, project: Path, tmp_path: Path) -> None:
    ended = studio("import", project, tmp_path / "data", tmp_path / "results", "--layout", "presentbench")
    assert ended.code == 0, ended.err


@pytest.fixture
def judge(studio, project, server):
    def run(*more, model="openai:g"):
        return studio("judge", project, "--judge", model, "--base-url", server.openai_url, "--json", *more)

    return run


def verdicts(project: Path, judge_id: str = "openai:g") -> dict[str, str]:
    with Project.open(project) as opened:
        return {each.item_id: each.verdict for each in score_store.list_verdicts(opened) if each.judge_id == judge_id}


def exported(studio, project: Path, out: Path, *more: str):
    ended = studio(
        "checklist", "export", project, "--format", "presentbench", "--judge", "openai:g", "--out", out, *more
    )
    assert ended.code == 0, ended.err
    (result,) = [path for path in out.rglob("g_*.yaml") if not path.stem.endswith("_score")]
    return result


def test_that_only_what_a_file_leaves_open_is_asked_and_then_nothing(judge, server, project):
    told = judge("--dry-run").json
    assert (told["units"], told["cached"], server.n_calls) == (1, 9, 0)
    first = judge()
    assert (first.code, first.json["calls"], first.json["cached"], server.n_calls) == (0, 1, 9, 1)
    found = verdicts(project)
    imported = verdicts(project, "presentbench:g")
    assert len(found) == 10
    assert sum(said == "" for said in imported.values()) == 1
    assert all(said == found[item] for item, said in imported.items() if said and item in found)
    again = judge()
    assert (again.json["calls"], again.json["cached"], server.n_calls) == (0, 10, 1)
    assert judge("--dry-run").json["cached"] == 10


def test_that_batches_leave_out_what_a_file_answers(judge, server):
    # Independent: 3 in two batches; dependent: 7 in four; only the batch with the open item is asked.
    assert judge("--set", "batch=2").json["calls"] == 1
    assert server.n_calls == 1


@pytest.mark.parametrize("how", [("--force",), ("--set", "thinking=high")])
def test_that_neither_force_nor_another_level_takes_the_files_answers(judge, server, how):
    assert judge(*how).json["calls"] == 10
    assert server.n_calls == 10


def test_that_another_model_takes_nothing(judge, server):
    assert judge(model="openai:h").json["calls"] == 10
    assert server.n_calls == 10


def test_that_a_changed_deck_is_judged_anew(studio, judge, project, tmp_path):
    judge()
    write_pdf(tmp_path / "other.pdf", 5)
    ended = studio("replace", project, "tides", "Aster", "--with", tmp_path / "other.pdf")
    assert ended.code == 0, ended.err
    # 1 + 2 independent ones, 2 + 1 dependent ones, and 5 pages now; nothing of the file counts any more.
    assert judge().json["calls"] == 11


def test_that_a_changed_item_is_asked_anew(studio, judge, server, project, tmp_path):
    table = tmp_path / "items.csv"
    studio("checklist", "export", project, "--out", table)
    table.write_bytes(table.read_bytes().replace(b",c1,", b",Is c1 so?,"))
    assert studio("checklist", "import", project, table, "--json").json["edited"] == 1
    assert judge().json["calls"] == 2


def test_that_a_file_says_what_it_was_resumed_from_and_the_reference_scores_it_alike(studio, judge, project, tmp_path):
    judge()
    result = exported(studio, project, tmp_path / "out")
    content = yaml.safe_load(result.read_text())
    assert content.pop("_resume_info") == {
        "resumed_from": FILE, "source_judge_model": "g", "current_judge_model": "g", "is_alias": False,
    }  # fmt: skip
    before = answers(SAID)
    for section, classes in before.items():
        for place, entries in classes.items():
            for item, entry in entries.items():
                if entry["answer"] is not None and item != "1.1":
                    assert content[section][place][item] == entry
    studio("checklist", "export", project, "--format", "presentbench", "--out", tmp_path / "bench")
    weights = tmp_path / "bench" / "education" / "judge_weights.yaml"
    # 1/2, 2/2, 1/2, 0/1 and 3/4 at 20 points each.
    assert reference_total(result, weights) == pytest.approx((55.0, 7, 11), abs=1e-9)
    score = yaml.safe_load(result.with_name(f"{result.stem}_score.yaml").read_text())
    assert score["total"]["weighted_arithmetic_mean_percent"] == pytest.approx(55.0, abs=1e-9)


def test_that_an_open_item_is_left_to_the_reference_which_stops_where_it_finds_a_score(studio, judge, server, project,
                                                                                         tmp_path):  # fmt: skip
    server.answer = lambda _call: "I would rather not say."
    judge()
    result = exported(studio, project, tmp_path / "out")
    assert not result.with_name(f"{result.stem}_score.yaml").exists()
    content = yaml.safe_load(result.read_text())
    # What the reference takes over: every item whose answer is not null, found by its place.
    open_ = [item for section in ("material_independent", "material_dependent") for entries in content[section].values()
             for item, entry in entries.items() if entry["answer"] is None]  # fmt: skip
    assert open_ == ["2.1"]
    assert content["_resume_info"]["resumed_from"] == FILE
