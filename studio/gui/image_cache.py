"""Pictures that were drawn lately, bounded by the bytes they take."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPixmap

from studio.errors import StudioError


class Picture(NamedTuple):
    """A decoded picture and the size in pixels that its file has."""

    image: QImage
    native: QSize


class ImageKey(NamedTuple):
    """A file at a size: width and height in device pixels that it had to fit, 0 for its own."""

    path: str
    width: int = 0
    height: int = 0


class ImageCache:
    """Pixmaps by file and size; the one not asked for the longest goes first. Main thread only."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._pixmaps: OrderedDict[ImageKey, QPixmap] = OrderedDict()
        self._sizes: dict[str, set[ImageKey]] = {}
        self._native: dict[str, QSize] = {}
        self._used_bytes = 0

    @property
    def used_bytes(self) -> int:
        """Bytes that the kept pixmaps take."""
        return self._used_bytes

    def __len__(self) -> int:
        return len(self._pixmaps)

    def get(self, key: ImageKey) -> QPixmap | None:
        """Return the pixmap of this key, or None."""
        pixmap = self._pixmaps.get(key)
        if pixmap is not None:
            self._pixmaps.move_to_end(key)
        return pixmap

    def put(self, key: ImageKey, pixmap: QPixmap) -> None:
        """Keep a pixmap; one that is larger than the whole cache is not kept."""
        self.discard(key)
        if _bytes(pixmap) > self._limit_bytes:
            return
        self._pixmaps[key] = pixmap
        self._sizes.setdefault(key.path, set()).add(key)
        self._used_bytes += _bytes(pixmap)
        self._shrink()

    def discard(self, key: ImageKey) -> None:
        """Forget one key, if it is there."""
        if key in self._pixmaps:
            self._take_out(key)

    def forget(self, path: Path) -> None:
        """Forget a file at every size, since another picture lies there now."""
        for key in list(self._sizes.get(str(path), ())):
            self._take_out(key)
        self._native.pop(str(path), None)

    def set_limit(self, limit_bytes: int) -> None:
        """Change the bound; what is too much goes at once."""
        self._limit_bytes = limit_bytes
        self._shrink()

    def clear(self) -> None:
        """Forget everything."""
        self._pixmaps.clear()
        self._sizes.clear()
        self._native.clear()
        self._used_bytes = 0

    def largest(self, path: Path) -> QPixmap | None:
        """Return the largest pixmap of this file that is kept, or None: good for a first paint."""
        keys = self._sizes.get(str(path))
        return max((self._pixmaps[key] for key in keys), key=lambda kept: kept.width()) if keys else None

    def native_size(self, path: Path) -> QSize | None:
        """Return the size of a file's picture in its own pixels, if it was read before."""
        return self._native.get(str(path))

    def remember_native_size(self, path: Path, size: QSize) -> None:
        """Note the size of a file's picture in its own pixels."""
        self._native[str(path)] = size

    def _take_out(self, key: ImageKey) -> None:
        self._used_bytes -= _bytes(self._pixmaps.pop(key))
        keys = self._sizes[key.path]
        keys.discard(key)
        if not keys:
            del self._sizes[key.path]

    def _shrink(self) -> None:
        while self._used_bytes > self._limit_bytes:
            self._take_out(next(iter(self._pixmaps)))


def _bytes(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * max(pixmap.depth(), 8) // 8


def read_picture(path: Path, target: QSize | None = None) -> Picture:
    """Return the picture in a file, made smaller to fit `target` (never larger). Safe on any thread.

    Args:
        path: a PNG, JPEG, WebP or other raster file.
        target: largest width and height in device pixels.

    Raises:
        StudioError: if the file is missing or holds no picture.
    """
    if not path.exists():
        raise StudioError(f"{path.name} is missing.", next_step="Draw the deck's pages again.")
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    image = reader.read()
    if image.isNull():
        raise StudioError(
            f"{path.name} cannot be shown: {reader.errorString()}.", next_step="Draw the deck's pages again."
        )
    native = image.size()
    if target is not None and (target.width() < native.width() or target.height() < native.height()):
        image = image.scaled(target, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return Picture(image, native)
