"""Question banks from the terminal: three versions of one deck, controls, tables, and what is not answered."""

from __future__ import annotations

import json
import re
import threading

import pytest

from studio.actions import quiz_banks, quiz_run
from studio.actions.judge_wish import wish_of_run
from studio.errors import BadInput
from studio.model.ids import RunId
from studio.model.quiz import Condition
from studio.model.runs import Run, RunKind, RunState
from tests.fake_judge_server import KEY, FakeJudgeServer
from tests.quiz_model import QuizModel
from tests.quiz_projects import deck, long_source, quiz_project

SOURCE = long_source(3)
SENTENCES = [line for line in re.split(r"(?<=\.)\s+", SOURCE) if any(letter.isdigit() for letter in line)]


def slides(lines: list[str]) -> list[tuple[str, list[str]]]:
    return [(f"Districts {at // 6 + 1}", lines[at : at + 6]) for at in range(0, len(lines), 6)]


@pytest.fixture
def project(tmp_path):
    """Three systems: one tells the whole source, one every third sentence, one all with other digits."""
    shift = str.maketrans("123456789", "234567891")
    decks = {
        "Complete": deck(tmp_path / "complete.pptx", slides(SENTENCES)),
        "Thinned": deck(tmp_path / "thinned.pptx", slides(SENTENCES[::3])),
        "Corrupted": deck(tmp_path / "corrupted.pptx", slides([line.translate(shift) for line in SENTENCES])),
    }
    folder = tmp_path / "study"
    quiz_project(folder, tmp_path / "material", {"topic-1": SOURCE}, decks).close()
    return folder


def rows(said, level):
    return {row["system"] or row["type"] or level: row for row in said["rows"] if row["level"] == level}


def test_that_the_three_versions_are_in_their_order_and_the_controls_hold(studio, project):
    drafted = json.loads(studio("quiz", "draft", project, "--count", "16", "--json").out)
    questions = drafted["banks"][0]["questions"]
    assert len(questions) == 16
    said = json.loads(studio("quiz", "run", project, "--reader", "offline", "--json").out)
    found = {name: row["accuracy"] for name, row in rows(said, "system").items()}
    assert found["Complete"] >= 0.9
    assert found["Complete"] > found["Thinned"] > found["Corrupted"] == 0
    assert {row["n_questions"] for row in rows(said, "system").values()} == {16}
    oracle = json.loads(studio("quiz", "run", project, "--oracle", "--json").out)
    assert rows(oracle, "all")["all"]["accuracy"] == 1.0
    closed = json.loads(studio("quiz", "run", project, "--closed-book", "--json").out)
    assert closed["chance"]["n"] == 16
    assert closed["chance"]["p"] > 0.001


def test_that_answers_are_kept_exported_and_a_method_like_any(studio, project, tmp_path):
    studio("quiz", "draft", project, "--count", "4")
    assert json.loads(studio("quiz", "run", project, "--json").out)["units"] == {"ok": 3}
    again = json.loads(studio("quiz", "run", project, "--json").out)
    assert (again["units"], again["cached"]) == ({}, 3)
    table = tmp_path / "quiz.jsonl"
    studio("export", project, "--table", "quiz", "--format", "jsonl", "--out", table)
    lines = [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 12
    assert {line["correct"] for line in lines if line["answer"] == line["key"]} == {True}
    assert all(line["error_type"] for line in lines if not line["correct"])
    methods = json.loads(studio("align", project, "--json").out)["methods"]
    assert "offline/quizbank" in [method["method"] for method in methods]


def test_that_banks_go_out_and_come_back_and_checks_find_a_changed_quote(studio, project, tmp_path):
    studio("quiz", "draft", project, "--count", "4")
    bank = tmp_path / "bank.json"
    studio("quiz", "export", project, "--out", bank)
    same = json.loads(studio("quiz", "import", project, bank, "--json").out)
    assert (same["new"], same["same"], same["changed"]) == (0, 4, 0)
    assert json.loads(studio("quiz", "check", project, "--json").out)["errors"] == 0
    content = json.loads(bank.read_text(encoding="utf-8"))
    content["questions"][0]["source_quote"] += " And nobody knows why this was added."
    bank.write_text(json.dumps(content), encoding="utf-8")
    assert json.loads(studio("quiz", "import", project, bank, "--take-theirs", "--json").out)["changed"] == 1
    checked = studio("quiz", "check", project, "--json")
    assert checked.code == 1
    assert [each["rule"] for each in json.loads(checked.out)["findings"] if each["severity"] == "error"] == [
        "quote_not_found"
    ]


def test_that_a_run_without_a_bank_says_what_to_do(studio, project):
    shown = studio("quiz", "run", project)
    assert shown.code == 2
    assert "studio quiz draft" in shown.err
    assert len(shown.err.strip().splitlines()) == 1


def test_that_a_model_builds_a_bank_and_answers_it(studio, project, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeJudgeServer(answer=QuizModel()) as server:
        where = ("--base-url", server.openai_url)
        built = studio("quiz", "build", project, "--judge", "openai:builder", *where, "--json")
        again = studio("quiz", "build", project, "--judge", "openai:builder", *where, "--json")
        closed = studio("quiz", "run", project, "--reader", "openai:reader", "--closed-book", *where, "--json")
        read = studio(
            "quiz", "run", project, "--reader", "openai:reader", "--text", "offline", *where, "--json"
        )  # fmt: skip
    assert (built.code, again.code, closed.code, read.code) == (0, 0, 0, 0)
    assert len(json.loads(built.out)["banks"][0]["questions"]) == 10
    assert json.loads(built.out)["finished"]
    assert (json.loads(again.out)["calls"], json.loads(again.out)["built"][0]["new"]) == (0, 0)
    assert json.loads(closed.out)["chance"]["n"] == 10
    assert {row["n_questions"] for row in rows(json.loads(read.out), "system").values()} == {10}


def test_that_a_judge_that_is_none_is_refused_in_one_line(studio, project):
    shown = studio("quiz", "build", project, "--judge", "nobody")
    assert shown.code == 2
    assert len(shown.err.strip().splitlines()) == 1


def test_that_runs_resume_goes_on_with_the_offline_reader_and_names_the_command_of_a_model(studio, tmp_path):
    deck_file = deck(tmp_path / "a.pptx", [("Report", ["In district 101 the bridge counted 1,110 visits."])])
    project = quiz_project(tmp_path / "study", tmp_path / "material", {"topic-1": long_source(1)}, {"Aster": deck_file})
    quiz_banks.draft_banks(project, count=3, seed=1)
    ended, _ = quiz_run.run_offline(
        project, condition=Condition.ORACLE, tools=None, emit=lambda event: None, cancel=threading.Event()
    )
    phase = Run(
        id=RunId("run_1"), kind=RunKind.JUDGE, title="phase", state=RunState.CANCELLED, started_at="",
        spec={"evaluators": ["openai:m"], "options": {
            "quiz_phase": "closed book", "endpoint": "http://127.0.0.1:9/v1", "settings": {"temperature": 0},
        }},
    )  # fmt: skip
    project.close()
    told = json.loads(studio("runs", tmp_path / "study", "--resume", ended.run_id, "--json").out)
    assert (told["state"], told["cached"]) == ("done", 1)
    with pytest.raises(BadInput) as failed:
        wish_of_run(phase)
    assert failed.value.next_step.startswith(
        "Run studio quiz run PROJECT --reader openai:m --closed-book --base-url http://127.0.0.1:9/v1 "
        "--set temperature=0;"
    )
