"""Starts the program: `studio` is the terminal, `studio gui` and `studio-gui` the window."""

from __future__ import annotations

import multiprocessing
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    multiprocessing.freeze_support()
    from studio.cli.main import run

    sys.exit(run())


def main_gui() -> None:
    """Open the window and exit with its code."""
    multiprocessing.freeze_support()
    from studio.cli.main import run

    sys.exit(run(["gui", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
