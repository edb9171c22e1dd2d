"""What a file is called by: the hash of its bytes; a folder is packed into the same zip every time."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from studio.decks.archive import unpack
from studio.decks.images import is_noise, page_images
from studio.decks.limits import Limits
from studio.decks.scratch import scratch
from studio.decks.sniff import main_html
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind
from studio.model.ids import Sha256

_CHUNK = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can hold, for all members: packing twice gives the same bytes."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """A file's or folder's identity."""

    sha256: Sha256
    extension: str
    """Lower case without a dot; ``zip`` for a packed folder."""
    size_bytes: int
    """Size of the file, or of the packed zip."""
    is_packed: bool
    """Whether it is a folder that is kept as a zip."""


def content_of(path: Path, *, limits: Limits | None = None) -> Content:
    """Return the identity of a file as it is, or of a folder as its deterministic zip.

    Raises:
        DeckUnreadable: kind ``not_found``, ``unreadable`` or ``too_large``.
    """
    limits = limits or Limits()
    if path.is_dir():
        with tempfile.TemporaryFile() as file:
            _pack(path, file, limits)
            size = file.tell()
            file.seek(0)
            digest = _hash(file)
        return Content(sha256=digest, extension="zip", size_bytes=size, is_packed=True)
    try:
        size = path.stat().st_size
        limits.check_file_bytes(size, path.name)
        with path.open("rb") as file:
            digest = _hash(file)
    except FileNotFoundError as error:
        raise DeckUnreadable(FailureKind.NOT_FOUND, f"{path.name} was not found.") from error
    except OSError as error:
        raise DeckUnreadable(FailureKind.UNREADABLE, f"{path.name} cannot be read: {error}.") from error
    return Content(sha256=digest, extension=path.suffix.lower().lstrip("."), size_bytes=size, is_packed=False)


def copy_content(path: Path, dest: Path, *, limits: Limits | None = None) -> None:
    """Write the bytes that `content_of` hashes to `dest`, completely or not at all."""
    dest.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".copy-", dir=dest.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            if path.is_dir():
                _pack(path, out, limits or Limits())
            else:
                with path.open("rb") as source:
                    shutil.copyfileobj(source, out, _CHUNK)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, dest)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def unpacked(asset: Path, *, limits: Limits | None = None) -> Iterator[Path]:
    """Give a folder with the contents of a packed folder; a temporary one, removed afterwards.

    A path that is a folder already is given as it is. Of a zip that holds one folder only, that is given.
    """
    if asset.is_dir():
        yield asset
        return
    with scratch("unpacked") as folder:
        unpack(asset, folder, limits or Limits())
        yield _inner(folder)


def _inner(folder: Path) -> Path:
    entries = [entry for entry in folder.iterdir() if not is_noise(entry)]
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else folder


def _hash(file: IO[bytes]) -> Sha256:
    return Sha256(hashlib.file_digest(file, "sha256").hexdigest())  # type: ignore[arg-type]


def _pack(folder: Path, out: IO[bytes], limits: Limits) -> None:
    files = _files(folder, limits)
    # Stored, not deflated: the bytes must not depend on the version of zlib; pictures do not shrink anyway.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, path in files:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            with path.open("rb") as source, archive.open(info, "w") as member:
                shutil.copyfileobj(source, member, _CHUNK)


def _files(folder: Path, limits: Limits) -> list[tuple[str, Path]]:
    if main_html(folder) is None and (pages := page_images(folder)):
        # Of a folder of page pictures only the pages belong to the deck.
        limits.check_parts(len(pages), folder.name)
        limits.check_file_bytes(sum(page.stat().st_size for page in pages), folder.name)
        return sorted((page.name, page) for page in pages)
    root = folder.resolve()
    found: list[tuple[str, Path]] = []
    total = 0
    # followlinks=False: a link to a folder above would otherwise be walked for ever.
    for here, folders, names in os.walk(root, followlinks=False):
        folders[:] = sorted(name for name in folders if not is_noise(Path(name)))
        for name in names:
            path = Path(here) / name
            if is_noise(path) or not path.is_file() or not path.resolve().is_relative_to(root):
                continue
            total += path.stat().st_size
            found.append((path.relative_to(root).as_posix(), path))
        limits.check_parts(len(found), folder.name)
        limits.check_file_bytes(total, folder.name)
    return sorted(found)
