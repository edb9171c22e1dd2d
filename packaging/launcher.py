"""Where the built programs start: `studio` in a terminal, `studio-gui` from a desktop."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def give_back_library_path() -> None:
    """Undo the library path that the built program was started with.

    It names the program's own folder. LibreOffice and Chromium would inherit it and load libraries that are not theirs;
    the program itself has read it by now.
    """
    original = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if original is None:
        os.environ.pop("LD_LIBRARY_PATH", None)
    else:
        os.environ["LD_LIBRARY_PATH"] = original


if __name__ == "__main__":
    if sys.platform == "linux":
        give_back_library_path()
    from studio.__main__ import main, main_gui

    if Path(sys.argv[0]).stem == "studio-gui":
        main_gui()
    else:
        main()
