"""Files on a provider's server: each content once, deleted at the end, and noted until then."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

_KEPT_S = 40 * 3600.0
"""The server drops files after 48 hours; earlier than that they are uploaded again."""

Upload = Callable[[], Awaitable[tuple[str, str, str]]]


class UploadNotes:
    """A folder with one small file for each program that has uploads now: names and endpoint, no key, no content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = folder / f"{os.getpid()}-{time.time_ns():x}.json"

    def write(self, endpoint: str, names: list[str]) -> None:
        """Keep what is on the server now; nothing there, no file."""
        if not names:
            self._own.unlink(missing_ok=True)
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        value = {"pid": os.getpid(), "started": psutil.Process().create_time(), "endpoint": endpoint, "names": names}
        self._own.write_text(json.dumps(value), encoding="utf-8")

    def left_over(self, endpoint: str) -> dict[str, Path]:
        """Return what programs that run no more left at this endpoint: name → the note that tells of it."""
        found: dict[str, Path] = {}
        for path in sorted(self._folder.glob("*.json")):
            try:
                note = json.loads(path.read_text(encoding="utf-8"))
                if note["endpoint"] == endpoint and not _runs(note["pid"], note["started"]):
                    found |= {str(name): path for name in note["names"]}
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return found


class Uploads:
    """What one client has uploaded. All methods but `left_over` belong to its event loop."""

    def __init__(self, notes: UploadNotes | None, *, endpoint: str) -> None:
        self._notes = notes
        self._endpoint = endpoint
        self._by_content: dict[str, tuple[float, asyncio.Task[tuple[str, str, str]]]] = {}
        self._names: list[str] = []
        self._old: dict[str, Path] = {}

    async def once(self, sha256: str, upload: Upload) -> tuple[str, str]:
        """Return the address and kind of a content, uploading it if nobody has begun to; all callers share one upload.

        An upload that failed is tried again by the next caller. That a caller is cancelled does not end it.
        """
        known = self._by_content.get(sha256)
        is_usable = known is not None and time.monotonic() - known[0] < _KEPT_S and not _failed(known[1])
        if known is None or not is_usable:
            known = (time.monotonic(), asyncio.ensure_future(upload()))
            self._by_content[sha256] = known
        _, address, mime = await asyncio.shield(known[1])
        return address, mime

    def note(self, name: str) -> None:
        """Keep in mind that this is on the server."""
        self._names.append(name)
        self._write()

    def names(self) -> list[str]:
        """Return what is on the server."""
        return list(self._names)

    def forget(self, name: str) -> None:
        """Take note that this is on the server no more."""
        if name in self._names:
            self._names.remove(name)
            self._write()
        old = self._old.pop(name, None)
        if old is not None and old not in self._old.values():
            old.unlink(missing_ok=True)

    def left_over(self) -> list[str]:
        """Return what programs that crashed left at this endpoint."""
        self._old = self._notes.left_over(self._endpoint) if self._notes else {}
        return list(self._old)

    def _write(self) -> None:
        if self._notes is not None:
            self._notes.write(self._endpoint, self._names)


def _failed(task: asyncio.Task[tuple[str, str, str]]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _runs(pid: int, started: float) -> bool:
    """Return whether the program with this number that began then still runs; numbers are given out again."""
    try:
        return abs(psutil.Process(pid).create_time() - started) < 1.0
    except psutil.Error:
        return False
