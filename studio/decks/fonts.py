"""Which fonts this machine has, as fontconfig tells."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable
from functools import lru_cache

_SUBSET = re.compile(r"^[A-Z]{6}\+")
_STYLE = re.compile(
    r"[-, ](regular|regu|roman|book|light|medium|medi|semibold|demibold|bold|black|heavy|thin|extralight|"
    r"bolditalic|boldoblique|boldmt|italic|ital|oblique|mt|psmt|bolditalicmt|italicmt)*$",
    re.IGNORECASE,
)
_BASE_14 = frozenset({"helvetica", "times", "courier", "symbol", "zapfdingbats"})
"""Fonts that every PDF reader brings along."""


def missing_fonts(asked: Iterable[str]) -> tuple[str, ...]:
    """Return those of the asked font families that this machine lacks, sorted, each once.

    Without fontconfig nothing is known, and nothing is called missing.
    """
    installed = installed_families()
    if not installed:
        return ()
    return tuple(sorted({name for name in asked if _key(name) not in installed}, key=str.casefold))


def missing_pdf_fonts(not_embedded: Iterable[str]) -> tuple[str, ...]:
    """Return those of a PDF's fonts without embedded outlines that this machine and the reader lack."""
    installed = installed_families()
    if not installed:
        return ()
    missing = set()
    for name in not_embedded:
        family = _STYLE.sub("", _SUBSET.sub("", name))
        key = _key(family)
        if key not in installed and key not in _BASE_14 and _key(name) not in installed:
            missing.add(name)
    return tuple(sorted(missing, key=str.casefold))


@lru_cache(maxsize=1)
def fonts_fingerprint() -> str:
    """Return eight letters that change with the set of installed font families; empty without fontconfig."""
    families = installed_families()
    return hashlib.sha256("|".join(sorted(families)).encode()).hexdigest()[:8] if families else ""


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


@lru_cache(maxsize=1)
def installed_families() -> frozenset[str]:
    """Return the installed font families without case, spaces and hyphens; empty without fontconfig."""
    program = shutil.which("fc-list")
    if program is None:
        return frozenset()
    try:
        listed = subprocess.run(
            [program, "--format=%{family}\\n"],
            capture_output=True,
            timeout=20,
            check=True,
            stdin=subprocess.DEVNULL,
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    names = (name.replace("\\-", "-") for line in listed.splitlines() for name in line.split(","))
    return frozenset(_key(name) for name in names if name.strip())
