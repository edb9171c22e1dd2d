"""Looking at several decks at once: one common place, a kept offset for each deck, zoom relative to fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from studio.model.ids import DeckId


class SyncMode(StrEnum):
    """What moves together."""

    OFF = "off"
    SLIDE = "slide"
    SLIDE_AND_ZOOM = "slide and zoom"


NEXT_MODE = {
    SyncMode.SLIDE_AND_ZOOM: SyncMode.OFF,
    SyncMode.OFF: SyncMode.SLIDE,
    SyncMode.SLIDE: SyncMode.SLIDE_AND_ZOOM,
}
"""The order in which one key goes through the modes: from full sync to none is one press."""


@dataclass(frozen=True, kw_only=True)
class Zoom:
    """How a slide is magnified."""

    factor: float = 1.0
    """Relative to fit, so that 4:3 and 16:9 slides stay comparable."""
    x: float = 0.5
    """The point of the slide in the middle of the view, 0 to 1 of its width."""
    y: float = 0.5


class Viewing:
    """Where each deck stands.

    A deck shows slide `position + offset`. Where it has no such slide it shows none, and keeps its offset, so
    that going back finds it where it was. Offsets are kept while sync is off, too: what is moved alone then is
    an offset, and sync goes on from there.

    Args:
        lengths: the number of slides of each deck, in the order of the panes.
        mode: what moves together.
    """

    def __init__(self, lengths: Mapping[DeckId, int], mode: SyncMode = SyncMode.SLIDE_AND_ZOOM) -> None:
        self._lengths = dict(lengths)
        self._offsets = dict.fromkeys(self._lengths, 0)
        self._zooms = dict.fromkeys(self._lengths, Zoom())
        self.mode = mode
        self.position = 1
        """The common slide number, from 1."""

    @property
    def decks(self) -> tuple[DeckId, ...]:
        """The decks in the order of the panes."""
        return tuple(self._lengths)

    def length(self, deck: DeckId) -> int:
        """Return how many slides a deck has."""
        return self._lengths[deck]

    def offset(self, deck: DeckId) -> int:
        """Return how many slides a deck is ahead (positive) or behind."""
        return self._offsets[deck]

    def slide(self, deck: DeckId) -> int | None:
        """Return the slide number that a deck shows, or None where it has no slide at this place."""
        number = self.position + self._offsets[deck]
        return number if 1 <= number <= self._lengths[deck] else None

    def step(self, deck: DeckId, by: int) -> None:
        """Go `by` slides on (or back): all decks, or only this one while sync is off."""
        if self.mode is SyncMode.OFF:
            self.show_alone(deck, self._nearest(deck) + by)
        else:
            self._go(self.position + by)

    def show(self, deck: DeckId, number: int) -> None:
        """Go to a slide of this deck; the others follow with their offsets unless sync is off."""
        if self.mode is SyncMode.OFF:
            self.show_alone(deck, number)
        else:
            self._go(self._clamped(deck, number) - self._offsets[deck])

    def show_alone(self, deck: DeckId, number: int) -> None:
        """Go to a slide of this deck only: its offset becomes what it takes."""
        if self._lengths[deck]:
            self._offsets[deck] = self._clamped(deck, number) - self.position

    def first(self, deck: DeckId) -> None:
        """Go to this deck's first slide."""
        self.show(deck, 1)

    def last(self, deck: DeckId) -> None:
        """Go to this deck's last slide."""
        self.show(deck, self._lengths[deck])

    def choose(self, mode: SyncMode, lead: DeckId) -> None:
        """Change what moves together. Sync goes on from the present offsets; zoom is taken from `lead`."""
        if self.mode is SyncMode.OFF and mode is not SyncMode.OFF:
            self._rebase()
        self.mode = mode
        if mode is SyncMode.SLIDE_AND_ZOOM:
            self._zooms = dict.fromkeys(self._lengths, self._zooms[lead])

    def align(self, lead: DeckId) -> None:
        """Bring every deck to the slide number of `lead` and forget the offsets."""
        number = self._nearest(lead)
        self._offsets = dict.fromkeys(self._lengths, 0)
        self.position = max(1, number)

    def zoom(self, deck: DeckId) -> Zoom:
        """Return a deck's zoom."""
        return self._zooms[deck]

    def set_zoom(self, deck: DeckId, zoom: Zoom) -> tuple[DeckId, ...]:
        """Zoom a deck, and the others with it in that mode; return the decks that changed besides it."""
        if self.mode is not SyncMode.SLIDE_AND_ZOOM:
            self._zooms[deck] = zoom
            return ()
        self._zooms = dict.fromkeys(self._lengths, zoom)
        return tuple(other for other in self._lengths if other != deck)

    def _go(self, position: int) -> None:
        spans = [
            (1 - self._offsets[deck], length - self._offsets[deck]) for deck, length in self._lengths.items() if length
        ]
        if spans:
            low, high = min(first for first, _ in spans), max(last for _, last in spans)
            self.position = max(low, min(high, position))

    def _clamped(self, deck: DeckId, number: int) -> int:
        return max(1, min(self._lengths[deck], number))

    def _nearest(self, deck: DeckId) -> int:
        """Return the slide that a deck shows, or the one nearest to where it would be."""
        return self._clamped(deck, self.position + self._offsets[deck])

    def _rebase(self) -> None:
        """Let the offset that most decks share count as none; the first deck decides between equals."""
        shared = Counter(self._offsets.values())
        most = max(shared.values())
        common = next(offset for offset in self._offsets.values() if shared[offset] == most)
        self.position += common
        self._offsets = {deck: offset - common for deck, offset in self._offsets.items()}
