"""How long somebody really worked on an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

IDLE_CUTOFF_S = 60.0
"""A pause longer than this counts as this much: the person was away."""


class Spent(NamedTuple):
    """Seconds since the last time they were taken."""

    active_s: float
    wall_s: float


class Unstored:
    """Time of acts that could not be stored: it belongs to the next one that is."""

    def __init__(self) -> None:
        self._spent = Spent(0.0, 0.0)

    def add(self, spent: Spent) -> Spent:
        """Return this time and all that waits to be stored."""
        self._spent = Spent(self._spent.active_s + spent.active_s, self._spent.wall_s + spent.wall_s)
        return self._spent

    def clear(self) -> None:
        """Begin anew: what waited is stored."""
        self._spent = Spent(0.0, 0.0)


class ActiveClock:
    """Adds up the time between signs of activity, each gap cut at the idle limit.

    Args:
        monotonic: a clock in seconds that never goes back.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._taken = monotonic()
        self._touched: float | None = self._taken
        self._active_s = 0.0

    def touch(self) -> None:
        """Note that the person did something: a key, a click, a turn of the wheel."""
        now = self._monotonic()
        if self._touched is not None:
            self._active_s += min(now - self._touched, IDLE_CUTOFF_S)
        self._touched = now

    def away(self) -> None:
        """Note that the page is no longer looked at; the time until the next touch does not count."""
        self.touch()
        self._touched = None

    def take(self) -> Spent:
        """Return the seconds since the last call and start anew."""
        self.touch()
        now = self._monotonic()
        spent = Spent(self._active_s, now - self._taken)
        self._taken, self._active_s = now, 0.0
        return spent
