"""Programs as children: in a group of their own, killed whole at a limit, on cancel and with the parent."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from studio.errors import Cancelled, DeckUnreadable
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken

_POLL_S = 0.05
_LOOK_S = 0.3
"""How often the memory of a program is looked at."""


class Finished(NamedTuple):
    """How a program ended."""

    returncode: int
    output: str
    """What it printed on both streams; the last 4,000 characters."""


def run_program(
    command: Sequence[str],
    *,
    name: str,
    log: Path,
    timeout_s: float,
    memory_bytes: int | None = None,
    cancel: CancelToken | None = None,
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Run a program to its end and return how it ended.

    Args:
        command: program and arguments; no shell.
        name: what to call the program in messages.
        log: a file for what it prints; a pipe that nobody reads could block it.
        timeout_s: after this its whole process group is killed.
        memory_bytes: the same when the program and its children together hold more than this; None: no bound.
        cancel: looked at twenty times a second.
        env: the environment; None: ours.

    Raises:
        DeckUnreadable: kind ``timed_out``, or ``too_large`` over the memory bound.
        Cancelled: the token was set.
    """
    with log.open("wb") as out:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=dict(env) if env is not None else None,
            start_new_session=True,
        )
    try:
        with _dies_with_us(process.pid):
            deadline = time.monotonic() + timeout_s
            next_look = time.monotonic() + _LOOK_S
            while process.poll() is None:
                if cancel is not None and cancel.is_set():
                    raise Cancelled("Stopped.")
                if time.monotonic() > deadline:
                    raise DeckUnreadable(
                        FailureKind.TIMED_OUT,
                        f"{name} took longer than {timeout_s:.0f} s and was stopped.",
                        next_step="Try again with a longer time limit.",
                    )
                if memory_bytes is not None and time.monotonic() > next_look:
                    next_look = time.monotonic() + _LOOK_S
                    if held_bytes(process.pid) > memory_bytes:
                        raise DeckUnreadable(
                            FailureKind.TOO_LARGE,
                            f"{name} needed more than {memory_bytes >> 20:,} MB, the limit for the memory of a worker.",
                            next_step="Split the file or make it smaller.",
                        )
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_S)
    finally:
        # Also after a good end: the wrapper script may be gone while helpers of the program linger.
        _kill_group(process)
    text = log.read_text("utf-8", errors="replace")
    return Finished(process.returncode, text[-4000:])


def held_bytes(pid: int) -> int:
    """Return the memory that a process and all its children hold for themselves; 0 if it is gone."""
    total = 0
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                memory = process.memory_info()
                # What several processes share would otherwise be counted once for each.
                total += memory.rss - getattr(memory, "shared", 0)
    return total


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    children: list[psutil.Process] = []
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    for child in children:
        with contextlib.suppress(psutil.Error):
            child.kill()
    if process.poll() is None:
        process.kill()
    process.wait()


@contextmanager
def _dies_with_us(group: int) -> Iterator[None]:
    """Keep a watcher that kills the process group if this process is gone, however it went."""
    # PR_SET_PDEATHSIG reaches only the wrapper script, not the program that it starts, and needs a
    # preexec_fn, which is unsafe with threads. End of file on a pipe works for every kind of death.
    if sys.platform == "win32":
        yield
        return
    watcher = subprocess.Popen(
        ["/bin/sh", "-c", 'read _ || kill -KILL -"$1"', "watcher", str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        watcher.kill()
        if watcher.stdin is not None:
            watcher.stdin.close()
        watcher.wait()
