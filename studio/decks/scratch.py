"""Temporary folders of this process, removed when it ends, or by the next one if it was killed."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

_PREFIX = "podium-studio-"
_LOCK = "in-use.lock"

_guard = threading.Lock()
_root: tuple[Path, FileLock] | None = None


@contextmanager
def scratch(purpose: str) -> Iterator[Path]:
    """Give a new empty folder that is removed afterwards, whatever happens."""
    folder = new_folder(purpose)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_folder(purpose: str) -> Path:
    """Return a new empty folder that stays until the process ends or somebody removes it."""
    global _root
    with _guard:
        if _root is None or not _root[0].is_dir():
            _remove_left_over()
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            # Held as long as the process lives: decides who may remove the folder, also across containers.
            lock = FileLock(folder / _LOCK, thread_local=False)
            lock.acquire()
            _root = (folder, lock)
        return Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=_root[0]))


def _remove_left_over() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        lock = FileLock(folder / _LOCK, thread_local=False)
        with contextlib.suppress(Timeout, OSError):
            if not (folder / _LOCK).is_file():
                # Just being made by another process.
                continue
            lock.acquire(timeout=0)
            shutil.rmtree(folder, ignore_errors=True)
            lock.release()


def remove_all() -> None:
    """Remove all temporary folders of this process; safe to call twice."""
    global _root
    with _guard:
        root, _root = _root, None
    if root is not None:
        shutil.rmtree(root[0], ignore_errors=True)
        with contextlib.suppress(OSError):
            root[1].release()


atexit.register(remove_all)
