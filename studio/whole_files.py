"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

SHARED = 0o644
"""What others may read: a project may lie in a folder that a group shares."""
PRIVATE = 0o600


def write_whole(path: Path, text: str | bytes, *, mode: int = SHARED, is_durable: bool = True) -> None:
    """Write a file beside its place and move it there, so that a kill or a full disk leaves the old one.

    Args:
        path: its folder is made where it is missing.
        text: written as UTF-8, line ends as they are; bytes as they are.
        mode: the rights of the new file.
        is_durable: wait until the disk has it, so that it survives a power cut.

    Raises:
        OSError: if the folder or the disk refuses.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(text.encode("utf-8") if isinstance(text, str) else text)
            out.flush()
            if is_durable:
                os.fsync(out.fileno())
        # mkstemp lets nobody else read.
        Path(temporary).chmod(mode)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
