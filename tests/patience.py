"""Waiting for what must come: as long as a slow, loaded machine may need, and never a measure of speed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import psutil
import pytest

HANG_S = 60.0
"""After this a test gives up on what has not come: a guard against hanging."""


def wait_until(is_so: Callable[[], bool], words: str, *, within_s: float = HANG_S) -> None:
    """Return as soon as something is so; fail the test with `words` where it never becomes so.

    Args:
        is_so: asked fifty times a second.
        words: what did not happen.
        within_s: when to give up; longer than usual where much real work comes first.
    """
    until = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > until:
            pytest.fail(f"{words} (waited {within_s:.0f} s)")
        time.sleep(0.02)


def has_ended(pid: int) -> bool:
    """Return whether no process of this number is at work; one that waits to be collected is not."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for_end_of(pid: int) -> None:
    """Return as soon as a process has ended."""
    wait_until(lambda: has_ended(pid), f"the process {pid} goes on")


def cancelled_when(is_so: Callable[[], bool]) -> threading.Event:
    """Return a cancel token that is set as soon as something is so, and not before."""
    cancel = threading.Event()

    def look() -> None:
        until = time.monotonic() + HANG_S
        while not is_so() and time.monotonic() < until:
            time.sleep(0.01)
        if is_so():
            cancel.set()

    threading.Thread(target=look, name="cancels", daemon=True).start()
    return cancel
