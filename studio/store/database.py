"""One SQLite file: a connection for each thread, one way to write, durable where a person waits."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database as Connection

from studio.errors import ProjectDamaged, ProjectTooNew, StudioError
from studio.store.migrations import known_steps, migrations

BUSY_TIMEOUT_MS = 15_000
"""How long a writer waits for another thread's transaction before it gives up."""


class Database:
    """The project's SQLite file, opened for reading or for writing."""

    def __init__(self, path: Path, *, is_read_only: bool) -> None:
        self.path = path
        self.is_read_only = is_read_only
        self._local = threading.local()
        self._lock = threading.Lock()
        self._open: list[Connection] = []
        self._is_closed = False

    def reading(self) -> Connection:
        """Return this thread's connection."""
        if self._is_closed:
            raise StudioError("The project is closed.", next_step="Open it again.")
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            self._local.connection = connection
            with self._lock:
                self._open.append(connection)
        return connection

    @contextmanager
    def writing(self, *, is_durable: bool = False) -> Iterator[Connection]:
        """Yield this thread's connection inside one transaction; roll back on any error.

        BEGIN IMMEDIATE, since a deferred transaction fails with "database is locked" as soon as two
        threads read first and then write. A transaction inside another one joins it.

        Args:
            is_durable: fsync at commit, so that the answer survives a power cut. Needed for what a person did;
                runs do without, since a lost unit is planned again.
        """
        if self.is_read_only:
            raise StudioError(
                "The project is open read-only, so nothing can be changed.",
                next_step="Close the other program that has it open, then open it again.",
            )
        db = self.reading()
        if db.conn.in_transaction:
            yield db
            return
        db.execute(f"PRAGMA synchronous={'FULL' if is_durable else 'NORMAL'}")
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        try:
            db.execute("COMMIT")
        except sqlite3.Error:
            if db.conn.in_transaction:
                db.execute("ROLLBACK")
            raise

    def migrate(self) -> None:
        """Bring the file up to this program's format.

        Raises:
            ProjectTooNew: if a newer program has changed it; it is then left as it is.
        """
        db = self.reading()
        newer = {step.name for step in migrations.applied(db)} - known_steps()
        if newer:
            raise ProjectTooNew(
                f"{self.path.parent.name} was written by a newer Podium Studio.",
                next_step="Update the program, or open a copy that was saved with this version.",
            )
        if not self.is_read_only and migrations.pending(db):
            migrations.apply(db)

    def check_integrity(self) -> None:
        """Raise `ProjectDamaged` unless SQLite finds the file sound."""
        try:
            rows = self.reading().execute("PRAGMA quick_check(3)").fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from error
        if [row[0] for row in rows] != ["ok"]:
            raise self._damaged("; ".join(str(row[0]) for row in rows))

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy of the file, also while others write."""
        with sqlite3.connect(target) as copy:
            self.reading().conn.backup(copy)
        copy.close()

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            self._is_closed = True
            for connection in self._open:
                connection.conn.close()
            self._open.clear()

    def _connect(self) -> Connection:
        mode = "ro" if self.is_read_only else "rwc"
        uri = f"{self.path.resolve().as_uri()}?mode={mode}"
        if self.is_read_only and not _is_writable(self.path.parent):
            # Without a writable folder SQLite cannot make the WAL's index file.
            uri += "&immutable=1"
        try:
            raw = sqlite3.connect(
                uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000
            )
            db = Connection(raw, execute_plugins=False)
            db.execute("PRAGMA foreign_keys=ON")
            if not self.is_read_only:
                db.execute("PRAGMA journal_mode=WAL")
            db.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from error
        return db

    def _damaged(self, detail: str) -> ProjectDamaged:
        return ProjectDamaged(
            f"The database of {self.path.parent.name} cannot be read ({detail}).",
            next_step="Restore a saved copy (File › Save a copy makes them).",
        )


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)
