"""A project: a folder with a database, the original files by content, and a cache that may go."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from studio import __version__
from studio.errors import BadInput, ProjectDamaged, ProjectLocked, StudioError
from studio.model.ids import ProjectId, Sha256, new_id
from studio.store.database import Database
from studio.store.faults import damaged
from studio.store.light_import import Database as Connection
from studio.store.places import risk_of
from studio.store.writer_lock import WriterLock

DATABASE = "project.db"
_PARTS = ("assets", "cache", "exports")
_INCOMING = ".incoming-"
"""How copies that are not whole yet are named among the assets."""


def utc_now() -> str:
    """Return the present time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Project:
    """An open project folder."""

    def __init__(self, folder: Path, database: Database, lock: WriterLock | None, notices: tuple[str, ...]) -> None:
        self.folder = folder
        self.notices = notices
        """What a user should know about this project as it was opened."""
        self._database = database
        self._lock = lock

    @classmethod
    def create(cls, folder: Path, *, title: str = "") -> Project:
        """Return a new project in `folder`, open for writing.

        Raises:
            BadInput: if the folder holds anything already, or cannot be made.
        """
        folder = folder.expanduser()
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(
                f"{folder} exists already and is not empty.",
                next_step="Choose another name, or open it if it is a project.",
            )
        was_there = folder.exists()
        try:
            for part in _PARTS:
                (folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{folder} cannot be made ({error.strerror}).", next_step="Choose another place.") from error
        lock = WriterLock(folder)
        if not lock.acquire():
            raise ProjectLocked(f"{folder.name} is being made by another program.", next_step="Wait for it.")
        if (folder / DATABASE).exists():
            lock.release()
            raise BadInput(f"{folder} has just been made by another program.", next_step="Open it.")
        database = Database(folder / DATABASE, is_read_only=False)
        try:
            database.migrate()
            project = cls(folder, database, lock, _notices(folder, ""))
            with project.writing(is_durable=True) as db:
                for key, value in {
                    "project_id": new_id("project"),
                    "title": title or folder.name,
                    "created_at": utc_now(),
                    "created_by": __version__,
                    "seed": str(secrets.randbits(32)),
                    "ranking_require": "full",
                    "ties_allowed": "1",
                }.items():
                    db.execute("INSERT INTO meta VALUES (?, ?)", [key, value])
        except BaseException:
            database.close()
            lock.release()
            # Half a project could be neither opened nor made again.
            _taken_back(folder, with_folder=not was_there)
            raise
        return project

    @classmethod
    def open(cls, folder: Path, *, must_write: bool = False, only_read: bool = False) -> Project:
        """Return the project in `folder`: for writing if nobody else holds it, else read-only with a notice.

        Args:
            folder: the project's folder.
            must_write: raise instead of opening read-only.
            only_read: read-only whoever holds it, so that somebody else can write it meanwhile.

        Raises:
            BadInput: if there is no project.
            ProjectLocked: if it must be written and another program holds it; the message names the holder.
            ProjectTooNew: if a newer studio wrote it.
            ProjectDamaged: if the database fails its check.
        """
        folder = folder.expanduser()
        cls.check(folder)
        lock = WriterLock(folder)
        is_writer = not only_read and _is_writable(folder) and lock.acquire()
        reason, next_step = ("", "") if is_writer else _why_read_only(folder, lock, only_read)
        if reason and must_write:
            raise ProjectLocked(f"{folder.name}: {reason}", next_step=next_step)
        database = Database(folder / DATABASE, is_read_only=not is_writer, why=(reason, next_step))
        try:
            database.check_integrity()
            project = cls(folder, database, lock if is_writer else None, _notices(folder, reason))
            # Asked before anything is changed: another program's database is not to get the studio's tables.
            if not project._has_meta():
                raise damaged(folder, "it is not a database of Podium Studio")
            database.migrate()
            project.meta("project_id")
            if is_writer:
                project._remove_half_copies()
        except BaseException:
            database.close()
            lock.release()
            raise
        return project

    @staticmethod
    def check(folder: Path) -> None:
        """Raise `BadInput` unless the folder holds a project; nothing is opened."""
        if not (folder.expanduser() / DATABASE).is_file():
            raise BadInput(
                f"{folder} is not a project: it has no {DATABASE}.",
                next_step=f"Make one with: studio new {folder}",
            )

    @property
    def id(self) -> ProjectId:
        """The project's id."""
        return ProjectId(self.meta("project_id"))

    @property
    def title(self) -> str:
        """The project's title."""
        return self.meta("title")

    @property
    def seed(self) -> int:
        """The seed from which every display order of this project is drawn."""
        return int(self.meta("seed"))

    @property
    def is_read_only(self) -> bool:
        """Whether another program holds the project for writing."""
        return self._database.is_read_only

    def meta(self, key: str, default: str | None = None) -> str:
        """Return one of the project's own settings.

        Raises:
            ProjectDamaged: if it is not there and there is no default.
        """
        row = self.reading().execute("SELECT value FROM meta WHERE key = ?", [key]).fetchone()
        if row is None:
            if default is None:
                raise ProjectDamaged(f"{self.folder.name} has no {key}.", next_step="Restore a saved copy.")
            return default
        return str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Store one of the project's own settings."""
        with self.writing(is_durable=True) as db:
            db.execute(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [key, value],
            )

    def reading(self) -> Connection:
        """Return this thread's connection; the caller only reads."""
        return self._database.reading()

    @contextmanager
    def writing(self, *, is_durable: bool = False) -> Iterator[Connection]:
        """Yield a connection inside one transaction; see `Database.writing`."""
        with self._database.writing(is_durable=is_durable) as db:
            yield db

    def asset_path(self, asset: Sha256, extension: str) -> Path:
        """Return where the original with this content lies."""
        return self.folder / "assets" / (f"{asset}.{extension}" if extension else asset)

    def add_asset(self, path: Path, asset: Sha256, extension: str) -> Path:
        """Copy a file into the assets under its content's hash, once, and return where it lies.

        The copy is written beside its place and moved there whole, so that a kill leaves no half file.

        Raises:
            BadInput: if the file's content is not what its hash says.
            StudioError: if it cannot be read, or the copy cannot be written.
        """
        target = self.asset_path(asset, extension)
        if target.exists():
            return target
        try:
            self._copy_whole(path, asset, target)
        except OSError as error:
            raise StudioError(
                f"{path.name} could not be copied into the project ({error.strerror or error}).",
                next_step="Check the file, the free space and the rights of the project's folder, then try again.",
            ) from error
        return target

    def _copy_whole(self, path: Path, asset: Sha256, target: Path) -> None:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=_INCOMING)
        try:
            with os.fdopen(handle, "wb") as out, path.open("rb") as source:
                digest = hashlib.sha256()
                while block := source.read(1 << 20):
                    digest.update(block)
                    out.write(block)
                out.flush()
                os.fsync(out.fileno())
            if digest.hexdigest() != asset:
                raise BadInput(f"{path.name} changed while it was read.", next_step="Import it again.")
            # mkstemp lets nobody else read; a project may lie in a folder that a group shares.
            Path(temporary).chmod(0o644)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _remove_half_copies(self) -> None:
        """Remove what a program that was killed has left half done; only this one writes now."""
        for left in self.cache_folder.glob(".pages-*"):
            shutil.rmtree(left, ignore_errors=True)
        for left in (self.folder / "assets").glob(f"{_INCOMING}*"):
            left.unlink(missing_ok=True)

    @property
    def cache_folder(self) -> Path:
        """The folder of rendered pages; it may be deleted at any time."""
        return self.folder / "cache"

    @property
    def exports_folder(self) -> Path:
        """The folder that exports go to unless the user says otherwise."""
        folder = self.folder / "exports"
        folder.mkdir(exist_ok=True)
        return folder

    def save_copy(self, target: Path) -> Path:
        """Write a whole copy of the project (database and assets, without the cache) to a new folder.

        Raises:
            BadInput: if the folder exists and is not empty, or lies inside the project.
        """
        target = target.expanduser()
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise BadInput(f"{target} is not empty.", next_step="Choose a new folder for the copy.")
        if target.resolve().is_relative_to(self.folder.resolve()):
            raise BadInput("A copy cannot lie inside its own project.", next_step="Choose another folder.")
        staging: Path | None = None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            staging = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
            copy = staging / "copy"
            for part in ("cache", "exports"):
                (copy / part).mkdir(parents=True)
            # The database first: an original that comes in between is then one too many, never one too few.
            self._database.copy_to(copy / DATABASE)
            shutil.copytree(self.folder / "assets", copy / "assets", ignore=shutil.ignore_patterns(f"{_INCOMING}*"))
            if target.exists():
                target.rmdir()
            copy.rename(target)
        except OSError as error:
            raise BadInput(
                f"The copy could not be written ({_reason_of(error)}).",
                next_step="Choose another place.",
            ) from error
        finally:
            if staging is not None:
                shutil.rmtree(staging, ignore_errors=True)
        return target

    def close(self) -> None:
        """Close the database and let others write."""
        self._database.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _has_meta(self) -> bool:
        found = self.reading().execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
        return found is not None


def _reason_of(error: OSError) -> str:
    if isinstance(error, shutil.Error):  # of many files; each names itself
        return "; ".join(str(reason) for _, _, reason in error.args[0][:3])
    return error.strerror or str(error)


def _is_writable(folder: Path) -> bool:
    """Return whether both the folder and the database in it may be changed: the log lies beside the database."""
    return os.access(folder, os.W_OK) and os.access(folder / DATABASE, os.W_OK)


def _taken_back(folder: Path, *, with_folder: bool) -> None:
    """Remove what `create` has made so far; what anybody else put there stays."""
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", ".writer.json", ".writer.lock"):
        with suppress(OSError):
            (folder / name).unlink()
    for made in (*(folder / part for part in _PARTS), *([folder] if with_folder else [])):
        with suppress(OSError):
            made.rmdir()


def _why_read_only(folder: Path, lock: WriterLock, only_read: bool) -> tuple[str, str]:
    if only_read:
        return "it was opened to be read only.", "Open it for writing once."
    if not _is_writable(folder):
        next_step = "Allow writing to it, or save a copy elsewhere, and open that."
        return "its folder or database cannot be written to.", next_step
    holder = lock.holder()
    return f"it is open for writing in {holder or 'another program'}.", "Close it there, then try again."


def _notices(folder: Path, reason: str) -> tuple[str, ...]:
    found = []
    if reason:
        found.append(f"Opened read-only: {reason}")
    risk = risk_of(folder)
    if risk:
        found.append(risk)
    return tuple(found)
