"""Who may write: one program at a time holds a project; a killed one lets go by itself."""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout


@dataclass(frozen=True, kw_only=True)
class Holder:
    """The program that holds a project for writing."""

    program: str
    pid: int
    host: str
    since: str
    """ISO 8601, UTC."""

    def __str__(self) -> str:
        return f"{self.program} (process {self.pid} on {self.host}, since {self.since})"


class WriterLock:
    """The operating system's lock on a project folder, and a note that says whose it is."""

    def __init__(self, folder: Path) -> None:
        self._lock = FileLock(folder / ".writer.lock", blocking=False, thread_local=False)
        self._note = folder / ".writer.json"

    def acquire(self) -> bool:
        """Return whether this program may write now."""
        try:
            self._lock.acquire()
        except (Timeout, OSError):
            return False
        holder = Holder(
            program=_program(),
            pid=os.getpid(),
            host=socket.gethostname(),
            since=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        # The note is a courtesy: a full disk must not keep the holder out, and no note is better than a wrong one.
        with suppress(OSError):
            self._note.unlink(missing_ok=True)
            self._note.write_text(json.dumps(asdict(holder)), encoding="utf-8")
        return True

    def holder(self) -> Holder | None:
        """Return who holds the lock, or None where that is not known."""
        try:
            return Holder(**json.loads(self._note.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def release(self) -> None:
        """Let others write."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._note.unlink(missing_ok=True)
            self._lock.release()


def _program() -> str:
    script = Path(sys.argv[0] if sys.argv else "")
    name = script.parent.name if script.stem == "__main__" else script.stem
    return name if name and not name.startswith("-") else "python"
