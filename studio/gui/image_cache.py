"""Pictures that were drawn lately, bounded by the bytes they take."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPixmap

from studio.errors import StudioError

LARGEST_PICTURE_MB = 512


class Picture(NamedTuple):
    """A decoded picture and the size in pixels that its file has."""

    image: QImage
    native: QSize


class ImageCache:
    """Pixmaps by key; the one that was not asked for the longest goes first. Main thread only."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._pixmaps: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self._used_bytes = 0

    @property
    def used_bytes(self) -> int:
        """Bytes that the kept pixmaps take."""
        return self._used_bytes

    def __len__(self) -> int:
        return len(self._pixmaps)

    def get(self, key: Hashable) -> QPixmap | None:
        """Return the pixmap of this key, or None."""
        pixmap = self._pixmaps.get(key)
        if pixmap is not None:
            self._pixmaps.move_to_end(key)
        return pixmap

    def put(self, key: Hashable, pixmap: QPixmap) -> None:
        """Keep a pixmap; one that is larger than the whole cache is not kept."""
        self.discard(key)
        if _bytes(pixmap) > self._limit_bytes:
            return
        self._pixmaps[key] = pixmap
        self._used_bytes += _bytes(pixmap)
        self._shrink()

    def discard(self, key: Hashable) -> None:
        """Forget one key, if it is there."""
        old = self._pixmaps.pop(key, None)
        if old is not None:
            self._used_bytes -= _bytes(old)

    def set_limit(self, limit_bytes: int) -> None:
        """Change the bound; what is too much goes at once."""
        self._limit_bytes = limit_bytes
        self._shrink()

    def clear(self) -> None:
        """Forget everything."""
        self._pixmaps.clear()
        self._used_bytes = 0

    def _shrink(self) -> None:
        while self._used_bytes > self._limit_bytes:
            _, oldest = self._pixmaps.popitem(last=False)
            self._used_bytes -= _bytes(oldest)


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
        image = image.scaled(
            target, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    return Picture(image, native)
