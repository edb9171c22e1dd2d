"""A real disk of a few megabytes that can be filled: a tmpfs where mounting is allowed.

Run as a program it fills such a disk or gives its room back, for processes that live on it.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DISK_KB = 6144


class SmallDisk:
    """A folder on a disk of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave not one byte."""
        with self._ballast.open("ab", buffering=0) as file:
            size = 1 << 16
            while size:
                try:
                    file.write(b"\0" * size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink()


def _refused(folder: Path) -> str:
    """Mount a small tmpfs and return why that did not work, or nothing."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "only root may mount a small disk"
    line = ["mount", "-t", "tmpfs", "-o", f"size={DISK_KB}k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return done.stderr.strip() if done.returncode else ""


@contextmanager
def mounted(folder: Path) -> Iterator[tuple[SmallDisk | None, str]]:
    """Mount a disk of six megabytes; give it, or None and why none can be mounted here."""
    folder.mkdir()
    why = _refused(folder)
    if why:
        yield None, why
        return
    try:
        yield SmallDisk(folder), ""
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """Give such a disk; where none can be mounted the test says so and is skipped."""
    with mounted(tmp_path / "small disk") as (disk, why):
        if disk is None:
            pytest.skip(f"no small disk can be mounted here: {why}")
        yield disk
