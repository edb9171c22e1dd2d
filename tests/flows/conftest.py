"""Whole stories through the command line: in this process for speed, as a process where that is the point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout; anything beside it fails the test."""
        return json.loads(self.out)

    @property
    def error_line(self) -> str:
        """The one line on stderr of a mistake: exit code 2, nothing on stdout, no traceback."""
        assert self.code == 2, (self.code, self.err)
        assert self.out == ""
        assert "Traceback" not in self.err
        assert "A fault of the studio" not in self.err, self.err
        assert len(self.err.splitlines()) == 1, self.err
        return self.err.strip()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Keep settings, logs and the demo of a test in its own folder."""
    folder = tmp_path / "home"
    monkeypatch.setenv("PODIUM_HOME", str(folder))
    return folder


@pytest.fixture
def studio(capsys):
    """Return a function that runs a command line in this process."""
    from studio.cli.main import run

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code=code, out=captured.out, err=captured.err)

    return call


def command(*arguments: object) -> list[str]:
    """Return the command line that starts the studio as its own process."""
    return [sys.executable, "-m", "studio", *(str(argument) for argument in arguments)]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of such a process: this checkout first, whatever the working folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **more}


@pytest.fixture
def process(tmp_path):
    """Return a function that runs a command line as its own process and waits for it."""

    def call(*arguments: object, timeout_s: float = 100, text_in: str | None = None, **more: str) -> Outcome:
        done = subprocess.run(
            command(*arguments),
            env=environment(**more),
            cwd=tmp_path,
            input=text_in,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout_s,
        )
        return Outcome(code=done.returncode, out=done.stdout, err=done.stderr)

    return call
