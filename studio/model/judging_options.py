"""How a protocol is to be run: settings that change what is asked, apart from those of the model."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum


class Pairs(StrEnum):
    """Which pairs of an instance's decks the arena compares."""

    ALL = "all"
    SHARE = "share"
    """A random part that leaves all decks connected."""
    SWISS = "swiss"
    """A few rounds, in each of which decks of about equal strength meet."""


class GEvalMode(StrEnum):
    """Where a G-Eval score comes from; one never stands in for another."""

    LOGPROB = "logprob"
    SAMPLES = "samples"
    SINGLE = "single"


class ShownAs(StrEnum):
    """How slides and pages reach a judge."""

    PICTURES = "pictures"
    TEXT = "text"
    """For models that see no pictures."""
    FILE = "file"
    """The deck as one PDF: its own, or the one that was drawn, with the judged pages only."""
    OFFICE = "office"
    """The deck's own file, PowerPoint files too; a file that would have to be cut is not shown."""


WHOLE_FILES = frozenset({ShownAs.FILE, ShownAs.OFFICE})


@dataclass(frozen=True, kw_only=True)
class ProtocolOptions:
    """Settings of a protocol; each has a name that `--set` takes."""

    input: ShownAs = ShownAs.PICTURES
    batch: int = 1
    """Checklist items in one call."""
    compat: bool = False
    """Read boxes and count pages as the reference does."""
    asks: int | None = None
    """How often an unreadable reply is asked for, at most; None: as the protocol says."""
    pairs: Pairs = Pairs.ALL
    share: float = 0.6
    """Of the pairs, where `pairs` is ``share``."""
    rounds: int | None = None
    """Where `pairs` is ``swiss``; None: as many as find the best of so many decks, and one more."""
    geval: GEvalMode = GEvalMode.LOGPROB
    samples: int = 20
    """Of one G-Eval form, where `geval` is ``samples``."""
    sensitivity: bool = False
    """Ask about the decks and about versions made worse on purpose, in place of the decks alone."""
    criteria: tuple[str, ...] = ()
    """For rating, G-Eval and PPTEval; empty: all."""

    def __post_init__(self) -> None:
        if not 1 <= self.batch <= 100:
            raise ValueError("batch is a number of items from 1 to 100")
        if self.asks is not None and not 1 <= self.asks <= 20:
            raise ValueError("asks is a number from 1 to 20")
        if not 0 < self.share <= 1:
            raise ValueError("share is above 0 and at most 1")
        if self.rounds is not None and not 1 <= self.rounds <= 50:
            raise ValueError("rounds is a number from 1 to 50")
        if not 1 <= self.samples <= 1000:
            raise ValueError("samples is a number from 1 to 1000")


OPTION_NAMES = frozenset(field.name for field in fields(ProtocolOptions))
