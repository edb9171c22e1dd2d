"""Where tests find the files that are shared beside the checkout and are no part of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]


def shared_root() -> Path | None:
    """Return the shared folder, or None if this machine has none."""
    named = os.environ.get("PODIUM_SHARED")
    candidates = [Path(named)] if named else [_ROOT.parent / "shared", _ROOT.parent.parent / "shared"]
    return next((folder for folder in candidates if folder.is_dir()), None)


def shared(path: str) -> Path:
    """Return a shared file or folder; the test is skipped where it is missing."""
    root = shared_root()
    if root is None:
        pytest.skip("needs the shared folder beside the checkout (or its path in PODIUM_SHARED)")
    found = root / path
    if not found.exists():
        pytest.skip(f"the shared folder has no {path}")
    return found
