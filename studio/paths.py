"""Where the studio finds what it ships and where it keeps what is not part of a project."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent
_APP = "podium-studio"


def resource(name: str) -> Path:
    """Return the path of a shipped file such as ``themes/light.json``.

    Looks in the installed package first, then in the checkout and in a frozen program's folder.

    Raises:
        FileNotFoundError: if no such resource is shipped.
    """
    return _existing(_shipped("_resources", "resources") / name)


def demo_recipe_dir() -> Path:
    """Return the folder that holds the demo project's recipe."""
    return _existing(_shipped("_demo", "projects/demo"))


def demo_project_dir(*, is_full: bool = False) -> Path:
    """Return where the demo project is built: beside its recipe in a checkout, else among the user's data."""
    end = "-full" if is_full else ""
    in_checkout = _PACKAGE.parent / "projects" / "demo"
    if "PODIUM_HOME" not in os.environ and (in_checkout / "recipe.py").is_file() and os.access(in_checkout, os.W_OK):
        return in_checkout / f"built{end}"
    return data_dir() / f"demo{end}"


def _shipped(installed: str, in_checkout: str) -> Path:
    frozen = getattr(sys, "_MEIPASS", None)
    for candidate in (_PACKAGE / installed, _PACKAGE.parent / in_checkout):
        if candidate.is_dir():
            return candidate
    return Path(frozen) / in_checkout if frozen else _PACKAGE.parent / in_checkout


def _existing(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(f"not shipped with the studio: {path.name}")
    return path


def config_dir() -> Path:
    """Return the folder of the user's settings; `PODIUM_HOME` puts it elsewhere (tests, portable use)."""
    return _home("config") or Path(platformdirs.user_config_dir(_APP, appauthor=False))


def data_dir() -> Path:
    """Return the folder of user data that is no project, such as the built demo."""
    return _home("data") or Path(platformdirs.user_data_dir(_APP, appauthor=False))


def log_dir() -> Path:
    """Return the folder of log files."""
    return _home("log") or Path(platformdirs.user_log_dir(_APP, appauthor=False))


def _home(part: str) -> Path | None:
    root = os.environ.get("PODIUM_HOME")
    return Path(root) / part if root else None
