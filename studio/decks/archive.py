"""Zip files read under limits; nothing is ever written outside the folder that was asked for."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from studio.decks.limits import Limits
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind

_CHUNK = 1 << 20
ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What zipfile raises for damaged, encrypted or oddly packed members."""


@contextmanager
def opened_zip(path: Path, limits: Limits) -> Iterator[zipfile.ZipFile]:
    """Open a zip after checking its declared sizes against `limits`.

    Raises:
        DeckUnreadable: kind ``truncated`` without a central directory, ``unreadable`` with a damaged
            one, ``too_large`` over a limit, ``needs_password`` for encrypted members.
    """
    limits.check_file_bytes(path.stat().st_size, path.name)
    try:
        archive = zipfile.ZipFile(path)
    except ZIP_ERRORS as error:
        raise _damaged(path, error) from error
    with archive:
        _check_start(archive, path)
        _check(archive, path.name, limits)
        yield archive


def _check_start(archive: zipfile.ZipFile, path: Path) -> None:
    # Of a deck that lost its end, zipfile finds the end record of a workbook inside and reads that one.
    offsets = [member.header_offset for member in archive.infolist()]
    with path.open("rb") as file:
        starts_as_zip = file.read(4) == b"PK\x03\x04"
    if starts_as_zip and offsets and min(offsets) > 0:
        raise DeckUnreadable(
            FailureKind.TRUNCATED,
            f"{path.name} ends too early: only a file inside of it is complete.",
            next_step="Download or copy the file again.",
        )


def _damaged(path: Path, error: Exception) -> DeckUnreadable:
    if _has_end_record(path):
        return DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{path.name} is a damaged zip file: {error}.",
            next_step="Get the file again or save it anew in the program that made it.",
        )
    return DeckUnreadable(
        FailureKind.TRUNCATED,
        f"{path.name} ends too early: the end of the zip file is missing.",
        next_step="Download or copy the file again.",
    )


def _has_end_record(path: Path) -> bool:
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 66_000))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    return at >= 0 and len(tail) - at >= 22


def _check(archive: zipfile.ZipFile, name: str, limits: Limits) -> None:
    members = archive.infolist()
    limits.check_parts(len(members), name)
    limits.check_unpacked(sum(member.file_size for member in members), name)
    for member in members:
        limits.check_member(member.compress_size, member.file_size, member.filename, name)
    if members and all(member.flag_bits & 1 for member in members if not member.is_dir()):
        raise DeckUnreadable(
            FailureKind.NEEDS_PASSWORD,
            f"{name} is a zip file with a password.",
            next_step="Unpack it first.",
        )


def read_member(archive: zipfile.ZipFile, member: str, max_bytes: int) -> bytes:
    """Return the bytes of one member, whatever size it declares, or raise over `max_bytes`.

    Raises:
        KeyError: if there is no such member.
        DeckUnreadable: kind ``too_large``.
    """
    chunks: list[bytes] = []
    total = 0
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            total += len(chunk)
            if total > max_bytes:
                raise DeckUnreadable(
                    FailureKind.TOO_LARGE,
                    f"{member} unpacks to more than {max_bytes // (1 << 20)} MB, the limit for one part.",
                )
            chunks.append(chunk)
    return b"".join(chunks)


def unpack(path: Path, folder: Path, limits: Limits) -> None:
    """Unpack a zip into `folder`; members that point elsewhere, links and devices are refused.

    Raises:
        DeckUnreadable: as `opened_zip`; also kind ``unreadable`` for a member outside the folder.
    """
    root = folder.resolve()
    with opened_zip(path, limits) as archive:
        left = limits.max_unpacked_bytes
        for member in archive.infolist():
            target = _inside(root, member, path.name)
            if member.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                left -= _write(archive, member, target, min(left, limits.max_part_bytes))
            except ZIP_ERRORS as error:
                raise DeckUnreadable(
                    FailureKind.UNREADABLE, f"{path.name}: {member.filename} cannot be unpacked: {error}."
                ) from error


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, max_bytes: int) -> int:
    if member.file_size > max_bytes:
        raise DeckUnreadable(
            FailureKind.TOO_LARGE,
            f"{member.filename} unpacks to more than {max_bytes // (1 << 20)} MB, the limit for one part.",
        )
    # zipfile stops reading at the declared size, which was just checked.
    with archive.open(member) as source, target.open("wb") as out:
        shutil.copyfileobj(source, out, _CHUNK)
    return member.file_size


def _inside(root: Path, member: zipfile.ZipInfo, name: str) -> Path:
    relative = PurePosixPath(member.filename.replace("\\", "/"))
    mode = member.external_attr >> 16
    is_special = bool(mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_IFMT(mode) == 0)
    target = root.joinpath(*relative.parts)
    if relative.is_absolute() or ".." in relative.parts or ":" in member.filename or is_special:
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"{name} holds a member that points outside of it: {member.filename}."
        )
    if not target.resolve().is_relative_to(root):
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"{name} holds a member that points outside of it: {member.filename}."
        )
    return target
