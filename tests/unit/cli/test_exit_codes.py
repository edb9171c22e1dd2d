from __future__ import annotations

import signal

import pytest

from studio.cli import main
from studio.cli.main import exit_code
from studio.model.events import RunEnded
from studio.model.ids import RunId
from studio.model.runs import RunKind, RunState


def ended(state: RunState, reason: str = "", **counts: int) -> RunEnded:
    return RunEnded(run_id=RunId("run_1"), kind=RunKind.METRICS, state=state, counts=counts, reason=reason)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (ended(RunState.DONE, ok=3), 0),
        (ended(RunState.DONE), 0),
        (ended(RunState.DONE, ok=2, failed=1), 1),
        (ended(RunState.CANCELLED, ok=2), 130),
    ],
)
def test_that_the_exit_code_says_how_a_run_ended(end, code):
    assert exit_code(end) == code


def test_that_a_run_that_failed_as_a_whole_is_not_a_success_and_says_why(capsys):
    assert exit_code(ended(RunState.FAILED, "The disk is full.")) == 1
    assert "The disk is full." in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_that_a_polite_kill_ends_a_command_as_ctrl_c_does(number, monkeypatch, capsys):
    def killed(**_arguments):
        signal.raise_signal(number)
        return 0

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(main.studio, "main", killed)
    assert main.run([]) == 130
    assert capsys.readouterr().err == "Cancelled; what was finished is kept.\n"
    assert signal.getsignal(signal.SIGTERM) == before
