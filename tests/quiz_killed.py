"""A program for the test of killed builds: builds until it is done or killed. Arguments: folder, address, window."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from studio.actions.quiz_build import build_banks
from studio.judges.connect import read_setup
from studio.model.events import UnitDone
from studio.store import runs as run_store
from studio.store.project import Project


def main() -> None:
    folder, address, window = sys.argv[1:4]
    setup = read_setup("openai:builder", base_url=address, settings={"max_in_flight": 1})
    stored = 0

    def tell(event: object) -> None:
        nonlocal stored
        if isinstance(event, UnitDone):
            stored += 1
            print("stored", stored, flush=True)

    with Project.open(Path(folder), must_write=True) as project:
        run_store.mark_interrupted(project)
        summary, _ = build_banks(project, setup, window=int(window), emit=tell, cancel=threading.Event())
    print("finished", summary.is_finished, flush=True)


if __name__ == "__main__":
    main()
