"""What SQLite says when it cannot go on, in words that a user can act on."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from studio.errors import ProjectDamaged, ProjectLocked, StudioError

_RESTORE = "Restore a saved copy (File › Save a copy makes them)."

CONTRADICTION = sqlite3.IntegrityError
"""What is raised where rows contradict others: two of one id, or one that speaks of what is not there."""


def damaged(folder: Path, detail: str) -> ProjectDamaged:
    """Return the error for a database that cannot be trusted; `detail` is put on one line."""
    return ProjectDamaged(
        f"The database of {folder.name} cannot be read ({' '.join(detail.split())}).", next_step=_RESTORE
    )


def as_studio_error(error: sqlite3.Error, folder: Path) -> StudioError | None:
    """Return what a user can do about an error of SQLite, or None if it is a fault of ours.

    Full, write-protected, busy, failing and damaged are told apart by SQLite's primary result code; a
    constraint that does not hold or a statement that is wrong is no matter for the user.
    """
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    name = folder.name
    match primary:
        case sqlite3.SQLITE_FULL:
            return StudioError(
                f"The disk that holds {name} is full, so nothing was stored.",
                next_step="Free some space, then do it again.",
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return StudioError(
                f"The database of {name} is write-protected, so nothing was stored.",
                next_step="Allow writing to the project's folder and files, then do it again.",
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return ProjectLocked(
                f"The database of {name} was busy for too long, so nothing was stored.",
                next_step="Wait until other work on it has ended, then do it again.",
            )
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return StudioError(
                f"The database of {name} cannot be reached ({error}).",
                next_step="Check that the disk is connected, has space and allows writing, then do it again.",
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(folder, str(error))
        case _:
            return None
