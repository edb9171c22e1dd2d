"""Starts the program: `studio` is the terminal, `studio gui` and `studio-gui` the window."""

from __future__ import annotations

import multiprocessing
import sys

_TURN_S = 0.00025


def take_short_turns() -> None:
    """Let threads change over twenty times as often as Python does by itself.

    A thread that waits for a server is then back at work sooner when a reply comes, and so is the window.
    """
    sys.setswitchinterval(_TURN_S)


def main() -> None:
    """Run the command line and exit with its code."""
    multiprocessing.freeze_support()
    sys.exit(_run(None))


def main_gui() -> None:
    """Open the window and exit with its code."""
    multiprocessing.freeze_support()
    sys.exit(_run(["gui", *sys.argv[1:]]))


def _run(arguments: list[str] | None) -> int:
    take_short_turns()
    try:
        from studio.cli.main import run

        return run(arguments)
    except KeyboardInterrupt:
        # While modules are still imported nobody else catches it.
        return 130


if __name__ == "__main__":
    main()
