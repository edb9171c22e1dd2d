"""sqlite-utils, without the second that pandas takes: it loads that where it is installed, and here nothing uses it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Have imports in the block find that a module is not installed, unless it is loaded already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]


with _without("pandas"):
    from sqlite_utils import Database, Migrations

__all__ = ["Database", "Migrations"]
