"""Where the built programs start: `studio` in a terminal, `studio-gui` from a desktop."""

from __future__ import annotations

import sys
from pathlib import Path

from studio.__main__ import main, main_gui

if __name__ == "__main__":
    if Path(sys.argv[0]).stem == "studio-gui":
        main_gui()
    else:
        main()
