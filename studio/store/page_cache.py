"""The folders of rendered pages: how much room they take, and which go when it is too much."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from studio.store.project import Project

PAGES_PREFIX = "pages-"
IN_USE_S = 600.0
"""What was looked at in the last minutes counts as in use, by this program or another."""
_TOUCH_S = 60.0


@dataclass(frozen=True, kw_only=True)
class CachedPages:
    """The pages of one original in the cache."""

    folder: Path
    size_bytes: int
    used_at: float
    """When somebody last asked for them, in seconds since 1970."""


def cached_pages(project: Project) -> list[CachedPages]:
    """Return what is in the cache, longest unused first."""
    found = []
    for folder in _folders(project):
        with suppress(OSError):
            found.append(
                CachedPages(folder=folder, size_bytes=_size(folder), used_at=folder.stat().st_mtime)
            )  # fmt: skip
    return sorted(found, key=lambda pages: pages.used_at)


def cache_bytes(project: Project) -> int:
    """Return the bytes that rendered pages take on disk."""
    return sum(pages.size_bytes for pages in cached_pages(project))


def mark_used(folder: Path, *, now: float | None = None) -> None:
    """Note that somebody asked for these pages; nothing happens where that cannot be written."""
    now = time.time() if now is None else now
    with suppress(OSError):
        if now - folder.stat().st_mtime > _TOUCH_S:
            os.utime(folder, (now, now))


def evict(project: Project, limit_bytes: int, *, now: float | None = None) -> int:
    """Remove pages, the longest unused first, until the cache fits, and return the bytes that became free.

    Pages in use stay, even if the cache is then too large. What was removed is rendered again when wanted.

    Args:
        project: open for writing; otherwise nothing is removed.
        limit_bytes: how much may stay.
        now: seconds since 1970.
    """
    if project.is_read_only:
        return 0
    now = time.time() if now is None else now
    pages = cached_pages(project)
    total = sum(one.size_bytes for one in pages)
    freed = 0
    for one in pages:
        if total - freed <= limit_bytes:
            break
        if now - one.used_at < IN_USE_S:
            continue
        freed += _remove(one)
    return freed


def clear(project: Project) -> int:
    """Remove all rendered pages, and what killed renderings left, and return the bytes that became free."""
    freed = sum(_remove(one) for one in cached_pages(project))
    for left in project.cache_folder.glob(f".{PAGES_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)
    return freed


def remove_left_over(project: Project) -> None:
    """Remove what renderings of programs that were killed left half done."""
    if project.is_read_only:
        return
    for left in project.cache_folder.glob(f".{PAGES_PREFIX}*"):
        # The folder that a rendering works in ends with the process and a number.
        process = left.name.rpartition(".")[0].rpartition(".")[2]
        if not (process.isdecimal() and psutil.pid_exists(int(process))):
            shutil.rmtree(left, ignore_errors=True)


def _folders(project: Project) -> list[Path]:
    if not project.cache_folder.is_dir():
        return []
    return [folder for folder in project.cache_folder.glob(f"{PAGES_PREFIX}*") if folder.is_dir()]


def _size(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))


def _remove(pages: CachedPages) -> int:
    # Out of its name first: nobody ever finds half a folder of pages.
    aside = pages.folder.with_name(f".{pages.folder.name}.gone")
    with suppress(OSError):
        pages.folder.rename(aside)
        shutil.rmtree(aside, ignore_errors=True)
        return pages.size_bytes
    return 0
