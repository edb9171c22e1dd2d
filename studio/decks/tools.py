"""Finding the programs that the studio calls but does not ship."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LIBREOFFICE = ("soffice", "libreoffice", "soffice.exe", "soffice.com")
_CHROMIUM = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "chrome.exe",
    "msedge.exe",
)


@dataclass(frozen=True, kw_only=True)
class RenderTools:
    """The programs that turn decks into PDF; None where one was not found."""

    libreoffice: Path | None
    chromium: Path | None


def find_tools(libreoffice: Path | None = None, chromium: Path | None = None) -> RenderTools:
    """Return the programs: the given paths if they can be run, else those of PATH and the usual places."""
    return RenderTools(
        libreoffice=_first(libreoffice, _LIBREOFFICE, _libreoffice_places()),
        chromium=_first(chromium, _CHROMIUM, _chromium_places()),
    )


def _first(given: Path | None, names: tuple[str, ...], places: Iterator[Path]) -> Path | None:
    if given is not None and _can_run(given):
        return given
    for name in names:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    return next((place for place in places if _can_run(place)), None)


def _can_run(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _libreoffice_places() -> Iterator[Path]:
    yield Path("/Applications/LibreOffice.app/Contents/MacOS/soffice")
    for root in _windows_roots():
        yield root / "LibreOffice" / "program" / "soffice.exe"
    for pattern in ("/opt/libreoffice*/program/soffice", "/usr/lib*/libreoffice/program/soffice"):
        yield from sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)
    yield Path("/snap/bin/libreoffice")


def _chromium_places() -> Iterator[Path]:
    yield Path("/Applications/Chromium.app/Contents/MacOS/Chromium")
    yield Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    yield Path("/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge")
    for root in _windows_roots():
        yield root / "Google" / "Chrome" / "Application" / "chrome.exe"
        yield root / "Microsoft" / "Edge" / "Application" / "msedge.exe"
    yield Path("/snap/bin/chromium")


def _windows_roots() -> Iterator[Path]:
    for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        root = os.environ.get(name)
        if root:
            yield Path(root)


@functools.lru_cache(maxsize=8)
def program_version(program: Path) -> str:
    """Return the version that a program names, such as ``7.4.7.2``; empty if it does not say."""
    if sys.platform == "win32" and program.name.lower() in {"chrome.exe", "msedge.exe"}:
        # There the browsers open a window instead of answering.
        return ""
    try:
        said = subprocess.run(
            [str(program), "--version"],
            capture_output=True,
            timeout=30,
            check=False,
            stdin=subprocess.DEVNULL,
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return ""
    match = re.search(r"\d+(?:\.\d+)+", said)
    return match.group(0) if match else ""
