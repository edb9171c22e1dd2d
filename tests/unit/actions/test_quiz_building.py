"""Building banks against a server that makes things up: nothing that code cannot find in the source survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from studio.actions import quiz_banks, quiz_build, quiz_reading, quiz_results
from studio.judges.connect import read_setup
from studio.model.quiz import Condition, QuestionState, QuestionType
from studio.quiz.checks import Severity
from studio.quiz.quotes import QuoteFinder
from studio.store import quizzes
from studio.store.project import Project
from tests.fake_judge_server import KEY, FakeJudgeServer, Fault
from tests.quiz_model import INVENTED, QuizModel
from tests.quiz_projects import long_source, quiz_project

ROOT = Path(__file__).resolve().parents[3]
WINDOW = 2500


@pytest.fixture
def project(tmp_path: Path):
    made = quiz_project(tmp_path / "study", tmp_path / "material", {"topic-1": long_source(6)})
    yield made
    made.close()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def setup(server: FakeJudgeServer):
    return read_setup("openai:builder", base_url=server.openai_url, settings={"max_in_flight": 4})


def build(project: Project, server: FakeJudgeServer, **more):
    return quiz_build.build_banks(
        project, setup(server), window=WINDOW, emit=lambda event: None, cancel=threading.Event(), **more
    )[0]


def test_that_no_quote_survives_that_is_not_in_the_source(project):
    model = QuizModel(broken=1)
    with FakeJudgeServer(answer=model) as server:
        summary = build(project, server)
    report = summary.banks[0]
    bank = quiz_banks.list_banks(project)[0]
    finder = QuoteFinder(quiz_banks.named_pages(quiz_banks.SourceShelf(project), bank.instance_id)[0])
    assert summary.is_finished
    assert Counter(each.type for each in bank.questions) == {QuestionType.CONCEPT: 5, QuestionType.DATA: 5}
    assert all(finder.places(each.source_quote) for each in bank.questions)
    assert all(finder.places(each.quote) for each in report.evidence)
    assert not any(INVENTED in each.source_quote for each in bank.questions)
    assert {each.state for each in bank.questions} == {QuestionState.DRAFT}
    assert not [each for one in quiz_banks.check_banks(project) for each in one.findings
                if each.severity is Severity.ERROR]  # fmt: skip


def test_that_each_phase_says_what_it_threw_away(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        report = build(project, server).banks[0]
    first = report.phases[0]
    names = [phase.phase for phase in report.phases]
    assert first.units > 3
    assert names[:3] == ["analyst", "critic, round 1", "critic, round 2"]
    # Every fact came twice, and once more with other digits.
    assert first.duplicates >= first.facts
    assert len([each for each in first.rejected if "word for word" in each.reason]) >= first.facts
    assert any(each.reason == "critic: goes beyond its quote" for each in report.phases[1].rejected)
    assert any("say the same" in each.reason for phase in report.phases[3:] for each in phase.rejected)


def test_that_building_again_asks_nothing(project):
    model = QuizModel()
    with FakeJudgeServer(answer=model) as server:
        build(project, server)
        calls, questions = server.n_calls, quiz_banks.list_banks(project)[0].questions
        again = build(project, server)
        assert server.n_calls == calls
    assert set(model.asked.values()) == {1}
    assert (again.banks[0].new, quiz_banks.list_banks(project)[0].questions) == (0, questions)


def test_that_a_server_that_fails_stops_the_build_and_the_next_one_goes_on(project):
    model = QuizModel()
    with FakeJudgeServer(
        answer=model, rule=lambda call: Fault.BAD_REQUEST if call.number == 3 else Fault.NONE
    ) as server:
        first = build(project, server)
        assert not first.is_finished
        assert quiz_banks.list_banks(project) == []
        asked = server.n_calls
        second = build(project, server)
        assert second.is_finished
        assert server.n_calls > asked
    assert max(model.asked.values()) == 1


def test_that_undoing_a_build_takes_its_questions_away(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        build(project, server)
    quiz_banks.undo(project, author="Ada")
    assert [bank.questions for bank in quizzes.list_banks(project)] in ([], [()])
    quiz_banks.redo(project, author="Ada")
    assert len(quizzes.list_banks(project)[0].questions) == 10


def test_that_a_model_answers_from_words_of_the_file_and_the_denominator_is_what_was_asked(project):
    with FakeJudgeServer(answer=QuizModel()) as server:
        build(project, server)
        for condition in Condition:
            quiz_reading.run_reader(
                project, setup(server), condition=condition, offline_text=True, tools=None, emit=lambda event: None,
                cancel=threading.Event(),
            )  # fmt: skip
    answered = quiz_results.gather(project)
    rows = quiz_results.accuracy_rows(
        [each for each in answered if each.answer.reader == "openai:builder"], ["all", "type"]
    )
    keys = Counter(each.answer for each in quiz_banks.list_banks(project)[0].questions)
    assert {row.condition for row in rows} == {"slides", "oracle", "closed_book"}
    assert {(row.n_questions, row.correct) for row in rows if row.level == "all"} == {(10, keys["A"])}
    assert {row.n_questions for row in rows if row.level == "type"} == {5}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_that_a_killed_build_asks_nothing_twice_that_was_answered_and_stored(tmp_path, project):
    folder = Path(project.folder)
    project.close()
    model = QuizModel()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENAI_API_KEY": KEY}
    with FakeJudgeServer(answer=model, latency_s=0.05) as server:
        command = [sys.executable, "-m", "tests.quiz_killed", str(folder), server.openai_url, str(WINDOW)]
        for stop in (2, 4, 7):
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("stored") and int(line.split()[1]) >= stop:
                    os.kill(process.pid, signal.SIGKILL)
                    break
            process.stdout.close()
            process.wait()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=True)
        assert "finished True" in done.stdout
    # One call at a time: only the one that was in flight when the program was killed may have come twice.
    assert sum(count - 1 for count in model.asked.values()) <= 3
    with Project.open(folder) as opened:
        assert len(quizzes.list_banks(opened)[0].questions) == 10
