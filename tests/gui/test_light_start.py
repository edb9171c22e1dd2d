from __future__ import annotations

import subprocess
import sys

LATER = {
    "pandas", "scipy.optimize", "scipy.stats", "sklearn",
    "distributed", "google.genai", "keyring", "matplotlib", "onnxruntime", "openai", "pymupdf", "pptx",
}  # fmt: skip
"""Libraries that take a good part of a second each, and are needed only by what is started in the window."""
PROGRAM = f"""
import sys
import studio.gui.app
from studio.gui.page_list import page_classes
page_classes()
print(sorted({LATER!r} & sys.modules.keys()))
"""


def test_that_the_window_starts_without_the_libraries_of_what_is_started_in_it():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_that_pandas_is_still_there_for_those_who_use_it_after_the_store():
    program = "import studio.store.project, pandas; print(pandas.DataFrame({'a': [1]}).shape)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "(1, 1)", done.stderr
