"""Text that was found on pictures: regions, and what a reader made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from studio.model.ids import DeckId, Sha256


class RegionsMode(StrEnum):
    """What to do with slides of which nobody knows where their text is."""

    DETECT = "detect"
    NONE = "none"


class RegionsOrigin(StrEnum):
    """Where the regions of a slide come from when not from its own file."""

    DETECTED = "detected"
    IMPORTED = "imported"


@dataclass(frozen=True, kw_only=True)
class PictureRegion:
    """One region of text on a picture, as a detector gives it."""

    x0: float
    """Left edge in pixels of the picture; the upright box around the region, which may itself be slanted."""
    y0: float
    x1: float
    y1: float
    score: float = 1.0
    """How sure the detector is, 0 to 1."""
    label: str = "text"
    """A class of the detection model of the paper."""
    text: str = ""
    """What the reader read; empty if nobody read it or it could not be read."""
    text_score: float | None = None
    """How sure the reader is, 0 to 1; None if nobody read it."""


@dataclass(frozen=True, kw_only=True)
class PictureText:
    """What was found on one picture."""

    picture: Sha256
    """Content hash of the picture's file."""
    detector: str
    """Name and version of the detector and its settings."""
    reader: str = ""
    """Name and version of what read the regions; empty if nobody read them."""
    width_px: int
    height_px: int
    regions: tuple[PictureRegion, ...]
    """In reading order: lines from top to bottom, in a line from left to right."""
    seconds: float = field(default=0.0, compare=False)

    @property
    def text(self) -> str:
        """The lines that could be read, one below the other."""
        return "\n".join(region.text for region in self.regions if region.text)


@dataclass(frozen=True, kw_only=True)
class SlideRegions:
    """The regions of one slide that do not come from its own file."""

    deck_id: DeckId
    number: int
    """Slide number from 1."""
    origin: RegionsOrigin
    source: str
    """The detector, or the file that the regions came in with."""
    width_px: int
    height_px: int
    regions: tuple[PictureRegion, ...]
