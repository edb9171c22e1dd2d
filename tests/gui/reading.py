"""The end of all short reads that were asked for."""

from __future__ import annotations

import threading

from studio.gui.background import Background


def finish_reading(qtbot, background: Background) -> None:
    """Return once every read asked for before has been done and its result has been handed over or dropped."""
    # Each thread takes one of these and waits for the others, so none is still at an earlier read.
    n_threads = background._query_threads
    together, met = threading.Barrier(n_threads, timeout=60), []
    for _ in range(n_threads):
        background.query(together.wait, met.append)
    qtbot.waitUntil(lambda: len(met) == n_threads)
