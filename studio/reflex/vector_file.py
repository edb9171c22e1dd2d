"""Vectors by the digest of their text in one bounded file, which several processes read and add to."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

from studio.reflex.encoder import Vectors
from studio.whole_files import write_whole

MOST_BYTES = 256 << 20
_HEAD = 128
_LOCK_S = 10.0
_log = logging.getLogger(__name__)


class VectorFile:
    """Records of a SHA-256 and a vector, one after the other, behind a head that names the encoder.

    It only saves time: a file of another encoder, or one that is damaged, is begun anew, and a disk that refuses is
    logged once and not asked again.
    """

    def __init__(self, path: Path, encoder: str, width: int) -> None:
        self.path = path
        self._head = f"podium vectors 1 {encoder} {width}\n".encode().ljust(_HEAD, b"\0")
        self._record = np.dtype([("key", "S32"), ("vector", "<f4", (width,))])
        self._rows: dict[bytes, Vectors] = {}
        self._seen: tuple[int, int] = (0, 0)
        """The file that was read, by its number on the disk, and how many bytes of it."""
        self._refused = False

    def read(self, keys: Collection[bytes]) -> dict[bytes, Vectors]:
        """Return the vectors that are there."""
        self._look()
        return {key: self._rows[key] for key in keys if key in self._rows}

    def add(self, rows: Mapping[bytes, Vectors]) -> None:
        """Append vectors; whole or not at all as far as readers can tell."""
        if self._refused or not rows:
            return
        records = np.zeros(len(rows), dtype=self._record)
        records["key"] = list(rows)
        records["vector"] = list(rows.values())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.path}.lock", timeout=_LOCK_S):
                self._append(records.tobytes())
        except (OSError, Timeout) as error:
            self._refused = True
            _log.warning("vectors are not kept in %s: %s", self.path, error)

    def _append(self, data: bytes) -> None:
        size = self._whole_size()
        if size + len(data) > MOST_BYTES:
            # The newer half stays; whole records of it.
            kept = self.path.read_bytes()[_HEAD:size]
            half = len(kept) // self._record.itemsize // 2 * self._record.itemsize
            write_whole(self.path, self._head + kept[len(kept) - half :], is_durable=False)
            size = self._whole_size()
        elif not size:
            write_whole(self.path, self._head, is_durable=False)
            size = _HEAD
        with self.path.open("r+b") as file:
            # Half a record at the end was left by a process that was killed.
            file.truncate(size)
            file.seek(size)
            file.write(data)

    def _whole_size(self) -> int:
        """Return the bytes of head and whole records; 0 for a file that is not there or of another encoder."""
        try:
            with self.path.open("rb") as file:
                if file.read(_HEAD) != self._head:
                    return 0
                size = os.fstat(file.fileno()).st_size - _HEAD
        except FileNotFoundError:
            return 0
        return _HEAD + size // self._record.itemsize * self._record.itemsize

    def _look(self) -> None:
        """Read what was added since the last look."""
        try:
            with self.path.open("rb") as file:
                number = os.fstat(file.fileno()).st_ino
                if file.read(_HEAD) != self._head:
                    return
                start = self._seen[1] if self._seen[0] == number else _HEAD
                file.seek(start)
                data = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            if not self._refused:
                self._refused = True
                _log.warning("kept vectors cannot be read from %s: %s", self.path, error)
            return
        whole = len(data) // self._record.itemsize * self._record.itemsize
        records = np.frombuffer(data[:whole], dtype=self._record)
        lengths = np.linalg.norm(records["vector"], axis=1)
        is_sound = (np.abs(lengths - 1) < 1e-3) | (lengths == 0)
        for record in records[is_sound]:
            self._rows[bytes(record["key"]).ljust(32, b"\0")] = record["vector"]
        self._seen = (number, start + whole)
