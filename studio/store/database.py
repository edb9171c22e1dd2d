"""One SQLite file: a connection for each thread, one way to write, durable where a person waits."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studio.errors import ProjectTooNew, StudioError
from studio.store.faults import as_studio_error, damaged
from studio.store.light_import import Database as Connection
from studio.store.migrations import known_steps, migrations

BUSY_TIMEOUT_MS = 15_000
"""How long a writer waits for another thread's transaction before it gives up."""


class Database:
    """The project's SQLite file, opened for reading or for writing.

    Args:
        path: the file.
        is_read_only: nothing may be changed.
        why: what stands in the way of writing, with the step that would clear it; for messages.
    """

    def __init__(self, path: Path, *, is_read_only: bool, why: tuple[str, str] = ("", "")) -> None:
        self.path = path
        self.is_read_only = is_read_only
        self._why = why
        self._local = threading.local()
        self._lock = threading.Lock()
        self._open: list[tuple[threading.Thread, Connection]] = []
        self._is_closed = False
        self._snapshot: tempfile.TemporaryDirectory[str] | None = None

    def reading(self) -> Connection:
        """Return this thread's connection.

        Raises:
            StudioError: if the project is closed.
        """
        if self._is_closed:
            raise StudioError("The project is closed.", next_step="Open it again.")
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            self._local.connection = connection
            with self._lock:
                self._drop_those_of_ended_threads()
                self._open.append((threading.current_thread(), connection))
        return connection

    @contextmanager
    def writing(self, *, is_durable: bool = False) -> Iterator[Connection]:
        """Yield this thread's connection inside one transaction; roll back on any error.

        BEGIN IMMEDIATE, since a deferred transaction fails with "database is locked" as soon as two
        threads read first and then write. A transaction inside another one joins it, and makes it durable if
        it asks for that.

        Args:
            is_durable: fsync at commit, so that the answer survives a power cut. Needed for what a person did;
                runs do without, since a lost unit is planned again.

        Raises:
            StudioError: if the project is read-only, or the disk is full, write-protected or failing.
        """
        if self.is_read_only:
            reason, next_step = self._why
            raise StudioError(
                f"The project is open read-only, so nothing can be changed{f': {reason}' if reason else '.'}",
                next_step=next_step or "Open it again for writing.",
            )
        db = self.reading()
        if db.conn.in_transaction:
            self._local.wants_sync = getattr(self._local, "wants_sync", False) or is_durable
            yield db
            return
        self._local.wants_sync = False
        try:
            self._sync_as(db, "FULL" if is_durable else "NORMAL")
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                # SQLite ends the transaction itself when the disk is full.
                if db.conn.in_transaction:
                    db.execute("ROLLBACK")
                raise
            if self._local.wants_sync and not is_durable:
                self._sync()
        except sqlite3.Error as error:
            told = as_studio_error(error, self.path.parent)
            if told is None:
                raise
            raise told from error

    def _sync_as(self, db: Connection, level: str) -> None:
        """Set how this thread's transactions reach the disk; a run writes hundreds of the same kind in a row."""
        if getattr(self._local, "level", "") != level:
            db.execute(f"PRAGMA synchronous={level}")
            self._local.level = level

    def migrate(self) -> None:
        """Bring the file up to this program's format.

        Raises:
            ProjectTooNew: if a newer program has changed it; it is then left as it is.
        """
        try:
            self._migrate()
        except sqlite3.Error as error:
            told = as_studio_error(error, self.path.parent)
            if told is None:
                raise
            raise told from error

    def _migrate(self) -> None:
        db = self.reading()
        newer = {step.name for step in migrations.applied(db)} - known_steps()
        if newer:
            raise ProjectTooNew(
                f"{self.path.parent.name} was written by a newer Podium Studio.",
                next_step="Update the program, or open a copy that was saved with this version.",
            )
        if not self.is_read_only:
            # Kept in the file's header. Here and not on connecting, so that a file that is none of ours stays as it is.
            db.execute("PRAGMA journal_mode=WAL")
        if not migrations.pending(db):
            return
        if self.is_read_only:
            raise StudioError(
                f"{self.path.parent.name} was written by an older Podium Studio and has to be brought up to date, "
                "which needs writing.",
                next_step=self._why[1] or "Open it for writing once.",
            )
        migrations.apply(db)

    def check_integrity(self) -> None:
        """Raise `ProjectDamaged` unless SQLite finds the file sound."""
        try:
            rows = self.reading().execute("PRAGMA quick_check(3)").fetchall()
        except sqlite3.DatabaseError as error:
            raise damaged(self.path.parent, str(error)) from error
        if [row[0] for row in rows] != ["ok"]:
            raise damaged(self.path.parent, "; ".join(str(row[0]) for row in rows))

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy of the file, also while others write.

        Raises:
            StudioError: if the copy's disk is full, write-protected or failing.
        """
        try:
            with closing(sqlite3.connect(target)) as copy:
                self.reading().conn.backup(copy)
        except sqlite3.Error as error:
            told = as_studio_error(error, target.parent)
            if told is None:
                raise
            raise told from error

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            self._is_closed = True
            for _, connection in self._open:
                connection.conn.close()
            self._open.clear()
            if self._snapshot is not None:
                self._snapshot.cleanup()

    def _drop_those_of_ended_threads(self) -> None:
        alive = []
        for thread, connection in self._open:
            if thread.is_alive():
                alive.append((thread, connection))
            else:
                connection.conn.close()
        self._open = alive

    def _sync(self) -> None:
        log = self.path.with_name(f"{self.path.name}-wal")
        with log.open("r+b") as file:
            os.fsync(file.fileno())

    def _connect(self) -> Connection:
        raw: sqlite3.Connection | None = None
        try:
            raw = sqlite3.connect(
                self._uri(), uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000
            )
            db = Connection(raw, execute_plugins=False)
            db.execute("PRAGMA foreign_keys=ON")
            db.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.Error as error:
            if raw is not None:
                raw.close()
            raise as_studio_error(error, self.path.parent) or damaged(self.path.parent, str(error)) from error
        return db

    def _uri(self) -> str:
        if not self.is_read_only:
            return f"{self.path.resolve().as_uri()}?mode=rwc"
        if os.access(self.path.parent, os.W_OK):
            return f"{self.path.resolve().as_uri()}?mode=ro"
        # Without a writable folder SQLite cannot make the write-ahead log's index file. "immutable" does without,
        # but it also does without the log, and with it without what was written last.
        log = self.path.with_name(f"{self.path.name}-wal")
        if not log.exists() or log.stat().st_size == 0:
            return f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
        if self.path.with_name(f"{self.path.name}-shm").exists():
            return f"{self.path.resolve().as_uri()}?mode=ro"
        return f"{self._snapshot_with(log).resolve().as_uri()}?mode=ro"

    def _snapshot_with(self, log: Path) -> Path:
        with self._lock:
            if self._snapshot is None:
                self._snapshot = tempfile.TemporaryDirectory(prefix="podium-")
                for file in (self.path, log):
                    shutil.copyfile(file, Path(self._snapshot.name) / file.name)
            return Path(self._snapshot.name) / self.path.name
