import subprocess
import sys
from pathlib import Path

import pytest

from tests import no_qt

ROOT = Path(__file__).resolve().parents[2]

# Imports every module but the window and the developers' tools (which drive it), in a fresh interpreter.
IMPORT_ALL = """
import importlib, pkgutil, sys
from tests import no_qt
no_qt.block()
import studio
def stop(name):
    raise ImportError(name)
names = [
    module.name
    for module in pkgutil.walk_packages(studio.__path__, "studio.", onerror=stop)
    if module.name.split(".")[1] not in ("gui", "dev")
]
for name in names:
    importlib.import_module(name)
print(len(names), *no_qt.loaded())
"""


def test_that_everything_below_the_window_imports_without_qt():
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    count, *loaded = done.stdout.split()
    assert int(count) > 10
    assert loaded == []


def test_that_the_block_stops_qt_and_nothing_else():
    program = "from tests import no_qt; no_qt.block(); import json, numpy\nimport PySide6.QtCore"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: PySide6 is blocked: this run does without Qt"


def test_that_blocking_too_late_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyqtgraph", object())
    with pytest.raises(RuntimeError, match=r"^imported before it could be blocked: .*pyqtgraph"):
        no_qt.block()
