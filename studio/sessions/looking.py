"""What somebody looked at, and for how long: slides on the screen and the sources, while the person is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from studio.model.ids import DeckId
from studio.sessions.clock import IDLE_CUTOFF_S

SEEN_S = 0.4
"""A slide that was on the screen for a shorter time was leafed past, not seen."""


class Looked(NamedTuple):
    """Time spent on one slide, or on the sources (no deck and no slide)."""

    deck: DeckId | None
    slide: int | None
    seconds: float


class Looking:
    """Adds up how long each slide has been on the screen.

    Slides side by side are all looked at: each gets the whole time, as the screen cannot know where the eyes are. A gap
    between signs of activity counts up to the idle limit, as active time does.

    Args:
        monotonic: a clock in seconds that never goes back.
        seen: slides that were seen before, by deck and number.
    """

    def __init__(self, monotonic: Callable[[], float], seen: Iterable[tuple[DeckId, int]] = ()) -> None:
        self._monotonic = monotonic
        self._since: float | None = None
        self._shown: frozenset[tuple[DeckId, int]] = frozenset()
        self._has_source = False
        self._untaken: dict[tuple[DeckId | None, int | None], float] = {}
        self._total: dict[tuple[DeckId, int], float] = {}
        self._seen = set(seen)

    def show(self, slides: Iterable[tuple[DeckId, int]], *, has_source: bool) -> None:
        """Say what is on the screen from now on."""
        self.touch()
        self._shown, self._has_source = frozenset(slides), has_source

    def touch(self) -> None:
        """Note that the person is there."""
        now = self._monotonic()
        if self._since is not None:
            gap = min(now - self._since, IDLE_CUTOFF_S)
            for deck, slide in self._shown:
                self._add(deck, slide, gap)
            if self._has_source:
                self._untaken[None, None] = self._untaken.get((None, None), 0.0) + gap
        self._since = now

    def away(self) -> None:
        """Note that the page is no longer looked at; the time until the next touch does not count."""
        self.touch()
        self._since = None

    def is_seen(self, deck: DeckId, slide: int) -> bool:
        """Return whether a slide was on the screen long enough, now or before."""
        if (deck, slide) in self._seen:
            return True
        since = self._since if self._since is not None and (deck, slide) in self._shown else None
        running = self._monotonic() - since if since is not None else 0.0
        return self._total.get((deck, slide), 0.0) + running >= SEEN_S

    def take(self) -> tuple[Looked, ...]:
        """Return what was looked at since the last time; passing glances are left out until they add up."""
        if self._since is not None:
            self.touch()
        ready = {
            key: seconds
            for key, seconds in self._untaken.items()
            if seconds > 0 and (key[0] is None or self._total.get((key[0], key[1] or 0), 0.0) >= SEEN_S)
        }
        for key in ready:
            del self._untaken[key]
        return tuple(Looked(deck, slide, round(seconds, 3)) for (deck, slide), seconds in ready.items())

    def _add(self, deck: DeckId, slide: int, seconds: float) -> None:
        self._untaken[deck, slide] = self._untaken.get((deck, slide), 0.0) + seconds
        self._total[deck, slide] = self._total.get((deck, slide), 0.0) + seconds
