"""Where the built programs start: `studio` in a terminal, `studio-gui` from a desktop."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

if __name__ == "__main__":
    # Metrics and MuPDF run in spawned processes; in a frozen program each of them comes in here.
    multiprocessing.freeze_support()
    from studio.__main__ import main, main_gui

    if Path(sys.argv[0]).stem == "studio-gui":
        main_gui()
    else:
        main()
