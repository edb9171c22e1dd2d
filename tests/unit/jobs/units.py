"""Work of units for tests; spawned processes import it from here."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from studio.errors import BadInput, Cancelled, DeckUnreadable


def work(payload: tuple[str, Any]) -> Any:
    """Do what the payload says."""
    what, argument = payload
    return _ACTS[what](argument)


def _double(number: int) -> int:
    return number * 2


def _kill(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def _mark_and_sleep(path: str) -> str:
    Path(path).touch()
    return _sleep(60)


def _grow(mebibytes: int) -> int:
    return len(bytearray(os.urandom(1024) * 1024 * mebibytes))


def _mark(path: str) -> str:
    with Path(path).open("a", encoding="utf-8") as out:
        out.write("done\n")
    return path


def _raise(error: str) -> None:
    raise _ERRORS[error]


class TwoArguments(Exception):
    """Cannot be made again from its arguments alone, so it does not survive the way between processes."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)
        self.second = second


_ERRORS: dict[str, Exception] = {
    "fault": ZeroDivisionError("nothing to divide"),
    "bad input": BadInput("This is no deck.", next_step="Choose another."),
    "unreadable": DeckUnreadable("needs_password", "a.pptx needs a password.", next_step="Give it."),
    "late": DeckUnreadable("timed_out", "a.pptx took too long."),
    "timeout of its own": TimeoutError("the server did not answer"),
    "two arguments": TwoArguments("first", "second"),
    "cancelled": Cancelled("stopped"),
}
_ACTS = {
    "double": _double,
    "kill": _kill,
    "sleep": _sleep,
    "mark and sleep": _mark_and_sleep,
    "grow": _grow,
    "mark": _mark,
    "raise": _raise,
    "unpicklable": lambda _: lambda: None,
}
