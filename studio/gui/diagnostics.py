"""The diagnostic bundle: what a maintainer needs, without what is nobody's business."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

import studio
from studio.errors import StudioError
from studio.settings import BY_NAME, Settings

PACKAGES = (
    "PySide6-Essentials",
    "pyqtgraph",
    "numpy",
    "scipy",
    "opencv-python-headless",
    "pillow",
    "lxml",
    "python-pptx",
    "pymupdf",
    "sqlite-utils",
)
_PRIVATE = {
    "profile_name",
    "profile_group",
    "recent_projects",
    "last_project",
    "last_instance",
    "proxy",
    "libreoffice_path",
    "chromium_path",
}

_LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ [A-Z]+ ")
_TRACE_LINE = re.compile(r'^(Traceback|  File "| {4}\S|\w[\w.]*(Error|Exception|Warning|Interrupt)\b)')
_SECRET = re.compile(
    r"\b(sk-[\w-]{8,}|AIza[\w-]{10,}|gh[pousr]_\w{10,}|[Bb]earer\s+\S+|(api[_-]?key|token|password)\s*[=:]\s*\S+)"
)
_USER_INFO = re.compile(r"(\w+://)[^/\s:@]+:[^/\s@]+@")
_QUOTE = re.compile(r"['\"“](?P<text>[^'\"”\n]{61,})['\"”]")
_HOME = re.compile(r"(/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s\"']+")


def scrubbed(lines: Iterable[str], *, home: Path | None = None) -> list[str]:
    """Return log lines without home folders, keys and the contents of files.

    Lines that are neither log records nor tracebacks are left out: they come from multi-line messages, which
    may quote a file. Long quotations are replaced by their length.
    """
    kept = (line for line in lines if _LOG_LINE.match(line) or _TRACE_LINE.match(line))
    return [scrubbed_text(line, home=home) for line in kept]


def scrubbed_text(text: str, *, home: Path | None = None) -> str:
    """Return one text without the home folder, keys and long quotations."""
    folder = str(home or Path.home())
    if len(folder) > 1:
        text = text.replace(folder, "~")
    text = _HOME.sub("~", text)
    text = _USER_INFO.sub(r"\1…@", text)
    text = _SECRET.sub("(key removed)", text)
    return _QUOTE.sub(lambda found: f"({len(found['text'])} characters removed)", text)


def versions() -> dict[str, str]:
    """Return the studio's version, the platform's and those of the main packages."""
    found = {
        "studio": getattr(studio, "__version__", _version("podium-studio")),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "machine": platform.machine(),
    }
    return found | {name: _version(name) for name in PACKAGES}


def shared_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that say nothing about a person; of the others only whether they are set."""
    return {
        name: ("(set)" if settings.get(name) else "(not set)") if name in _PRIVATE else settings.get(name)
        for name in BY_NAME
    }


def save_bundle(target: Path, *, settings: Settings, log_lines: Iterable[str], crash: str = "") -> Path:
    """Write the bundle as a zip and return its path.

    Raises:
        StudioError: if it cannot be written there.
    """
    try:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
            bundle.writestr("versions.json", json.dumps(versions(), indent=2))
            bundle.writestr("settings.json", json.dumps(shared_settings(settings), indent=2, ensure_ascii=False))
            bundle.writestr("log.txt", "\n".join(scrubbed(log_lines)))
            if crash:
                bundle.writestr("crash.txt", "\n".join(scrubbed(crash.splitlines())))
    except OSError as error:
        raise StudioError(
            f"The bundle could not be saved to {target.name}: {error.strerror or error}.",
            next_step="Choose another folder.",
        ) from error
    return target


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
