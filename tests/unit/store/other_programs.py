"""Starts another program on a project and waits for what it says."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class OtherProgram:
    """A second Python with the studio at hand; it runs `code` and says things line by line."""

    def __init__(self, code: str, *args: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), *map(str, args)],
            stdout=subprocess.PIPE,
            stdin=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.pid = self._process.pid

    def line(self) -> str:
        """Return its next line, without the line end; empty once it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def lines_until_killed(self, number: int) -> list[str]:
        """Return its first lines and all that it still said when it was killed after them."""
        lines = [self.line() for _ in range(number)]
        self._process.kill()
        assert self._process.stdout is not None
        lines += [line.rstrip("\n") for line in self._process.stdout if line.endswith("\n")]
        self._process.wait()
        return lines

    def kill(self) -> None:
        """Kill it as a crash would, and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def finish(self) -> int:
        """Let it go on to its end and return its exit code."""
        self._process.communicate("go on\n", timeout=60)
        return self._process.returncode

    def __enter__(self) -> OtherProgram:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
