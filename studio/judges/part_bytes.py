"""Reads pictures and files only while they are sent, and only as many at once as fit a limit of memory."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from studio.model.judging import CallFailed, CallFault, FilePart, ImagePart, Part
from studio.model.protocols import CancelToken

MAX_BYTES_IN_FLIGHT = 48 << 20
"""Raw bytes of all calls under way; each is in memory about three times: raw, as base64, and in the request."""

_LOOK_S = 0.2

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
)  # fmt: skip


def read_part(part: ImagePart | FilePart) -> bytes:
    """Return the content of a picture or file.

    Raises:
        CallFailed: BAD_REQUEST if it is gone, empty, or no longer what was planned; asking again would not help.
    """
    try:
        data = part.path.read_bytes()
    except OSError as error:
        raise CallFailed(CallFault.BAD_REQUEST, f"{part.label} cannot be read ({error.strerror}).") from None
    if not data:
        raise CallFailed(CallFault.BAD_REQUEST, f"{part.label} is an empty file and was not sent.")
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise CallFailed(CallFault.BAD_REQUEST, f"{part.label} has changed since the run was planned; start it again.")
    return data


def mime_of(data: bytes, otherwise: str) -> str:
    """Return the kind of a file by its first bytes, since names lie; `otherwise` where they say nothing."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in _MAGIC if data.startswith(magic)), otherwise)


class Memory:
    """Lets calls hold file contents up to a limit, all together; one that is larger alone is let through alone."""

    def __init__(self, limit: int = MAX_BYTES_IN_FLIGHT) -> None:
        self._limit = limit
        self._held = 0
        self.most_held = 0
        self._change = threading.Condition()

    @contextmanager
    def holding(self, parts: Sequence[Part], cancel: CancelToken) -> Iterator[None]:
        """Wait until the contents of these parts fit, and keep their place until the block ends.

        Raises:
            CallFailed: CANCELLED, if that comes first.
        """
        size = sum(_size(part) for part in parts if not hasattr(part, "text"))
        if not size:
            yield
            return
        with self._change:
            while self._held and self._held + size > self._limit:
                self._change.wait(_LOOK_S)
                if cancel.is_set():
                    raise CallFailed(CallFault.CANCELLED, "stopped")
            self._held += size
            self.most_held = max(self.most_held, self._held)
        try:
            yield
        finally:
            with self._change:
                self._held -= size
                self._change.notify_all()


def _size(part: Part) -> int:
    if isinstance(part, ImagePart | FilePart):
        try:
            return part.path.stat().st_size
        except OSError:
            return 0
    return 0
