"""`python -m studio.dev check|screenshots`: what developers run in a checkout."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import click

# What follows `python`. import-linter has no `python -m`, and its script is on the path of an active
# environment only.
CHECKS = {
    "lint": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
    "types": ("-m", "mypy"),
    "layers": ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
}


@click.group()
def main() -> None:
    """Run the checks, or take pictures of every page."""


@main.command()
@click.argument("names", nargs=-1, type=click.Choice(list(CHECKS)))
def check(names: tuple[str, ...]) -> None:
    """Lint, formatting, types and layers; all of them, or those named."""
    failed = [name for name in names or CHECKS if not passes(name)]
    click.echo(f"failed: {', '.join(failed)}" if failed else "All checks passed.", err=bool(failed))
    sys.exit(1 if failed else 0)


def passes(name: str) -> bool:
    """Return whether one of `CHECKS` passes; its output goes to the terminal."""
    click.echo(f"== {name}")
    return subprocess.run([sys.executable, *CHECKS[name]], check=False).returncode == 0


@main.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("screenshots"), show_default=True)
def screenshots(out: Path) -> None:
    """Pictures of every page of the window, light and dark, from the demo project."""
    # Only here, so that the checks need no Qt.
    importlib.import_module("studio.dev.screenshots").take(out)


if __name__ == "__main__":
    main()
