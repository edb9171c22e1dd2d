"""Pictures from files: from the cache at once, otherwise decoded off the main thread, each file once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QPixmap

from studio.gui.background import Background, Ticket
from studio.gui.image_cache import ImageCache, ImageKey, Picture, read_picture

Ready = Callable[[QPixmap, QSize], None]
"""Takes the pixmap and the size in pixels of the file's own picture."""
Failed = Callable[[BaseException], None]

PENDING_LIMIT = 48


class ImageLoader(QObject):
    """Loads for one widget. Requests that have not begun are dropped when too many newer ones wait."""

    def __init__(self, background: Background, cache: ImageCache, owner: QObject) -> None:
        super().__init__(owner)
        self._background = background
        self._cache = cache
        self._pending: dict[ImageKey, Ticket] = {}
        self._readers: dict[ImageKey, list[tuple[Ready, Failed]]] = {}
        self._order: deque[ImageKey] = deque()

    def cached(self, path: Path, target: QSize | None = None) -> QPixmap | None:
        """Return the picture if it is in the cache, at this target size."""
        return self._cache.get(_key(path, target))

    def largest_cached(self, path: Path) -> QPixmap | None:
        """Return the largest version of a picture that the cache holds, for a first paint."""
        return self._cache.largest(path)

    def native_size(self, path: Path) -> QSize | None:
        """Return the size of a picture that was loaded before, in its own pixels."""
        return self._cache.native_size(path)

    def load(self, path: Path, target: QSize | None, ready: Ready, failed: Failed) -> None:
        """Decode a picture to fit `target` (device pixels) and call `ready`, or `failed`, later."""
        key = _key(path, target)
        self._readers.setdefault(key, []).append((ready, failed))
        if key in self._pending:
            return
        self._pending[key] = self._background.query(
            partial(read_picture, path, target),
            partial(self._on_read, key, path),
            partial(self._on_failed, key),
            owner=self,
        )
        self._order.append(key)
        while len(self._pending) > PENDING_LIMIT:
            self._forget(self._order[0])

    def drop_all(self) -> None:
        """Forget what has not come yet."""
        for key in list(self._pending):
            self._forget(key)

    def _forget(self, key: ImageKey) -> list[tuple[Ready, Failed]]:
        """Return who waited for a picture that is no longer waited for."""
        ticket = self._pending.pop(key, None)
        if key in self._order:
            self._order.remove(key)
        if ticket is not None:
            ticket.drop()
        return self._readers.pop(key, [])

    def _on_read(self, key: ImageKey, path: Path, picture: Picture) -> None:
        readers = self._forget(key)
        pixmap = QPixmap.fromImage(picture.image)
        self._cache.put(key, pixmap)
        self._cache.remember_native_size(path, picture.native)
        for ready, _ in readers:
            ready(pixmap, picture.native)

    def _on_failed(self, key: ImageKey, error: BaseException) -> None:
        for _, failed in self._forget(key):
            failed(error)


def _key(path: Path, target: QSize | None) -> ImageKey:
    return ImageKey(str(path), *(target.toTuple() if target else ()))
