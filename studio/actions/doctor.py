"""What is installed, what is missing, and what to do about it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass

from studio import __version__, paths
from studio.actions import judge_keys
from studio.decks.ocr import READER_MODEL
from studio.decks.render import RenderTools
from studio.decks.text_regions import detector_name, why_no_detector
from studio.errors import StudioError
from studio.reflex.encoder import why_no_encoder
from studio.reflex.encoders import ENCODERS
from studio.reflex.model_file import load
from studio.reflex.shipped import shipped_model


@dataclass(frozen=True, kw_only=True)
class Check:
    """One line of the doctor's report."""

    check: str
    ok: bool
    detail: str
    next_step: str = ""
    is_required: bool = True
    """False: the studio works without it, but something named in `next_step` does not."""


LIBRARIES = ("PySide6-Essentials", "pyqtgraph", "numpy", "scipy", "opencv-python-headless", "PyMuPDF", "python-pptx")


def examine(tools: RenderTools) -> list[Check]:
    """Return one check for each thing that the studio needs or can use; keys are present or not, never shown."""
    return [
        Check(check="studio", ok=True, detail=f"{__version__}, Python {platform.python_version()}"),
        *_libraries(),
        _detector(),
        _content_model(),
        _program("LibreOffice", tools.libreoffice, "PPTX and ODP decks", "Install libreoffice-impress."),
        _program("Chromium", tools.chromium, "HTML decks", "Install chromium."),
        *_fonts(),
        _folder("settings folder", paths.config_dir()),
        _folder("log folder", paths.log_dir()),
        *(_key(state) for state in judge_keys.key_states()),
    ]  # fmt: skip


def _key(state: judge_keys.KeyState) -> Check:
    missing = "Only needed for a judge of that provider."
    if not state.is_present:
        return Check(check=f"key {state.name}", ok=False, is_required=False, detail="not set", next_step=missing)
    return Check(
        check=f"key {state.name}", ok=not state.warning, is_required=False, detail=f"present ({state.source.value})",
        next_step=f"{state.warning} Set it in the environment instead." if state.warning else "",
    )  # fmt: skip


def _libraries() -> list[Check]:
    found = []
    for name in LIBRARIES:
        try:
            found.append(Check(check=name, ok=True, detail=importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append(Check(check=name, ok=False, detail="not installed", next_step="Run: make setup"))
    return found


def _detector() -> Check:
    reason = why_no_detector()
    return Check(
        check="text detector", ok=not reason, is_required=False,
        detail=reason.partition(". ")[0] if reason else f"{detector_name()}; read by {READER_MODEL}",
        next_step="Usability of decks that are pictures is undefined without it. Run: make setup" if reason else "",
    )  # fmt: skip


def _content_model() -> Check:
    try:
        models, card = load(shipped_model())
        reason = why_no_encoder()
    except StudioError as error:
        models, card, reason = {}, {}, str(error)
    size = f"{shipped_model().stat().st_size / 1e6:.1f} MB" if shipped_model().is_file() else "no file"
    encoders = ", ".join(name for name, kind in ENCODERS.items() if not kind.why_missing())
    return Check(
        check="content model", ok=not reason, is_required=False,
        detail=reason or f"{shipped_model().name}, {size}: {', '.join(models)}; learned from {card.get('data', '?')}; "
        f"encoders: {encoders}",
        next_step="REFLEX scores are undefined without it. Run: make setup" if reason else "",
    )  # fmt: skip


def _program(name: str, path: os.PathLike[str] | None, needed_for: str, next_step: str) -> Check:
    if path is None:
        return Check(check=name, ok=False, detail="not found", next_step=f"{needed_for} need it. {next_step}")
    try:
        run = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False)
        version = (run.stdout or run.stderr).strip().splitlines()
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(check=name, ok=False, detail=f"{path} does not start ({error})", next_step=next_step)
    if run.returncode != 0 or not version:
        said = version[0] if version else f"exit code {run.returncode}"
        return Check(check=name, ok=False, detail=f"{path} does not tell its version ({said})", next_step=next_step)
    return Check(check=name, ok=True, detail=f"{version[0]} at {path}")


def _fonts() -> list[Check]:
    command = shutil.which("fc-list")
    if command is None:
        return [Check(check="fonts", ok=False, detail="fontconfig not found", next_step="Install fontconfig.")]
    wanted = {
        "fonts, Latin": ("Liberation Sans", "", "fonts-liberation"),
        "fonts, Office look-alikes": ("Carlito", "", "fonts-crosextra-carlito and fonts-crosextra-caladea"),
        "fonts, Chinese, Japanese, Korean": ("", ":lang=zh", "fonts-noto-cjk"),
    }
    checks = []
    for name, (family, pattern, package) in wanted.items():
        run = subprocess.run([command, f"{family}{pattern}", "family"], capture_output=True, text=True, check=False)
        families = sorted({line.split(",")[0].strip() for line in run.stdout.splitlines() if line.strip()})
        checks.append(
            Check(
                check=name, ok=bool(families), detail=", ".join(families[:3]) or "none",
                next_step="" if families else f"Install {package}; slides would be drawn with other letters or boxes.",
            )
        )  # fmt: skip
    return checks


def _folder(name: str, folder: os.PathLike[str]) -> Check:
    try:
        os.makedirs(folder, exist_ok=True)
        is_writable = os.access(folder, os.W_OK)
    except OSError:
        is_writable = False
    return Check(
        check=name, ok=is_writable, detail=os.fspath(folder), next_step="" if is_writable else "Make it writable."
    )
