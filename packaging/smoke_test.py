"""Tries a built program folder as a user would: `python packaging/smoke_test.py dist/podium-studio`.

It runs from an empty folder with a home of its own: nothing of the checkout or of the user can help it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WINDOW_UP_S = 8.0
WINDOW_DOWN_S = 10.0
DEMO_LIMIT_S = 900.0


class SmokeFailure(Exception):
    """The built program did not do what it should."""


def expect(holds: bool, otherwise: str) -> None:
    """Raise `SmokeFailure` with the text `otherwise` unless `holds`."""
    if not holds:
        raise SmokeFailure(otherwise)


class BuiltProgram:
    """The programs of one built folder, run with a home and a working folder of their own."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder = folder
        self._home = home
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
        } | {"PODIUM_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}

    def run(self, *arguments: str, limit_s: float = 120.0) -> str:
        """Return what `studio ARGUMENTS` prints on stdout.

        Raises:
            SmokeFailure: if it does not end well within `limit_s` seconds.
        """
        command = [str(self._folder / "studio"), *arguments]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                cwd=self._home,
                env=self._environment,
                timeout=limit_s,
            )
        except subprocess.TimeoutExpired as late:
            raise SmokeFailure(f"studio {' '.join(arguments)} ran longer than {limit_s:.0f} s") from late
        expect(
            done.returncode == 0,
            f"studio {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr[-2000:]}",
        )
        return done.stdout

    def run_json(self, *arguments: str, limit_s: float = 120.0) -> Any:
        """Return the one JSON document that `studio ARGUMENTS` prints."""
        printed = self.run(*arguments, limit_s=limit_s)
        try:
            return json.loads(printed)
        except json.JSONDecodeError as error:
            raise SmokeFailure(f"studio {' '.join(arguments)} printed no JSON document: {printed[:200]!r}") from error

    def open_window(self) -> str:
        """Open the window for a few seconds, end it as a desktop session would, and return its stderr."""
        window = subprocess.Popen(
            [str(self._folder / "studio-gui")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self._home,
            env=self._environment,
        )
        try:
            _, said = window.communicate(timeout=WINDOW_UP_S)
            raise SmokeFailure(f"the window closed by itself with {window.returncode}:\n{said[-2000:]}")
        except subprocess.TimeoutExpired:
            window.send_signal(signal.SIGTERM)
        try:
            _, said = window.communicate(timeout=WINDOW_DOWN_S)
        except subprocess.TimeoutExpired as late:
            window.kill()
            window.communicate()
            raise SmokeFailure(f"the window did not end within {WINDOW_DOWN_S:.0f} s of SIGTERM") from late
        expect("Traceback" not in said, f"the window met a fault:\n{said[-2000:]}")
        return said


def it_says_its_version(program: BuiltProgram) -> str:
    """Return the version line; it must hold a number."""
    version = program.run("--version").strip()
    expect(any(character.isdigit() for character in version), f"no version in {version!r}")
    return version


def it_knows_what_is_installed(program: BuiltProgram) -> str:
    """Return how many checks `doctor` made; there must be some."""
    rows = program.run_json("doctor", "--json")
    expect(bool(rows), "doctor checked nothing")
    return f"{len(rows)} checks"


def it_ends_the_demo_with_its_table(program: BuiltProgram) -> str:
    """Return how many methods the demo's table has; one at least must have a number."""
    table = program.run_json("demo", "--headless", "--json", limit_s=DEMO_LIMIT_S)
    methods = table["methods"]
    defined = [method for method in methods if method["mean_rho"] is not None]
    expect(bool(defined), f"no method of the demo's {len(methods)} has a mean rho")
    return f"{len(methods)} methods, {len(defined)} with a mean rho"


def its_window_opens_and_ends(program: BuiltProgram) -> str:
    """Return for how long the window stood open without a fault."""
    program.open_window()
    return f"open for {WINDOW_UP_S:.0f} s"


TRIALS: tuple[Callable[[BuiltProgram], str], ...] = (
    it_says_its_version,
    it_knows_what_is_installed,
    it_ends_the_demo_with_its_table,
    its_window_opens_and_ends,
)


def size_mib(folder: Path) -> float:
    """Return what the files below a folder take, in MiB; links count nothing."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink()) / 2**20


def main() -> int:
    """Try everything, print a line for each trial, and return 1 if one failed."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "studio").is_file():
        print("usage: smoke_test.py FOLDER (the built folder that holds `studio`)", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1]).resolve()
    print(f"{folder.name}: {size_mib(folder):.0f} MiB")
    failures = 0
    for trial in TRIALS:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="podium-smoke-") as home:
            try:
                said = trial(BuiltProgram(folder, Path(home)))
            except SmokeFailure as failure:
                failures += 1
                said = f"FAILED: {failure}"
        print(f"  {trial.__name__.replace('_', ' ')}: {said} ({time.perf_counter() - start:.1f} s)", flush=True)
    print("The built program works." if not failures else f"{failures} of {len(TRIALS)} trials failed.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
