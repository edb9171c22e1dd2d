"""A pytest plugin (`-p tests.no_qt`) that makes Qt unimportable, as on a machine without it.

What passes under it needs no Qt. Where a test starts processes of its own, the block does not reach them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

QT_PACKAGES = frozenset({"PySide6", "shiboken6", "pyqtgraph", "pytestqt"})


class _Blocker(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in QT_PACKAGES:
            raise ModuleNotFoundError(f"{fullname} is blocked: this run does without Qt", name=fullname)
        return None


def loaded() -> list[str]:
    """Return the Qt packages that this interpreter has imported, sorted."""
    return sorted(QT_PACKAGES & sys.modules.keys())


def block() -> None:
    """Make Qt's packages unimportable from now on.

    Raises:
        RuntimeError: if one of them is imported already, since blocking would then prove nothing.
    """
    if loaded():
        raise RuntimeError(f"imported before it could be blocked: {', '.join(loaded())}")
    if not any(isinstance(finder, _Blocker) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Blocker())


def pytest_configure() -> None:
    block()
