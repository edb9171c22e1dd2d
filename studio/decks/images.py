"""Folders of page pictures as decks."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"})

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
)


def image_kind(head: bytes) -> str | None:
    """Return ``PNG``, ``JPEG``… for the first bytes (16 or more) of a raster picture, else None."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WebP"
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    return None


def image_suffix(path: Path) -> bool:
    """Say whether a name looks like a raster picture's."""
    return path.suffix.lower() in IMAGE_SUFFIXES


def readable(name: str) -> str:
    """Return a file name as text that can be stored and printed.

    Names are bytes on disk; those that are no UTF-8 (from an old archive, say) reach Python with lone
    surrogates, which neither a database nor a terminal takes. Each such byte becomes U+FFFD.
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which ``slide_2`` comes before ``slide_10``."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def is_noise(path: Path) -> bool:
    """Say whether a file is left by a system or an editor: hidden files, lock files, thumbnails."""
    name = path.name
    return (
        name.startswith((".", "~$"))
        or name.lower() in {"thumbs.db", "desktop.ini", "__macosx"}
        or name.endswith(("~", ".tmp", ".crdownload", ".part"))
    )


def page_images(folder: Path) -> tuple[Path, ...]:
    """Return the page pictures of a folder in natural order of their names, each real file once.

    Only files directly in the folder count; links that lead out of it are left out. Beside pictures, a file
    that is named as one but is none (an error page, say) is a page that cannot be read: left out, the deck
    would be a slide short and nobody would know. Alone, such files make no deck.
    """
    root = folder.resolve()
    seen: set[Path] = set()
    pages: list[Path] = []
    has_pictures = False
    # Links last: of a picture and a link to it, the picture is the page.
    for path in sorted(folder.iterdir(), key=lambda p: p.is_symlink()):
        if is_noise(path) or path.suffix.lower() not in IMAGE_SUFFIXES:
            continue
        real = path.resolve()
        if real in seen or not real.is_relative_to(root) or not _is_regular(real):
            continue
        with path.open("rb") as file:
            kind = image_kind(file.read(16))
        has_pictures |= kind is not None or path.stat().st_size == 0
        seen.add(real)
        pages.append(path)
    if not has_pictures:
        return ()
    return tuple(sorted(pages, key=lambda page: (natural_key(page.stem), page.name)))


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False
