"""What is known of a deck file, gathered once for all rules that judge it by code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from studio.model.decks import DeckFormat
from studio.model.structure import Box, Chart, ShapeKind

SLIDE_HEIGHT_PT = 540.0
"""Sizes of letters are given for a slide of this height (7.5 inches), whatever the page's own size."""


class Fact(StrEnum):
    """A kind of fact that a rule can need."""

    SLIDES = "slides"
    """How many slides there are and which are hidden."""
    TEXT = "text"
    """The words of the slides with what part they play and how large they are."""
    SHAPES = "shapes"
    """The objects of the file, as somebody who edits it has them."""
    CHARTS = "charts"
    """Native charts."""
    PICTURES = "pictures"
    """Pictures on the slides with their pixels."""
    PAGES = "pages"
    """The slides as drawn: lines of text with their colours and places."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """Why a kind of fact is missing."""

    reason: str
    is_for_good: bool
    """True: this format can never tell. False: it was not there this time, such as pages that were not drawn."""


class TextRole(StrEnum):
    """What part a piece of text plays on its slide."""

    TITLE = "title"
    BODY = "body"
    TABLE = "table"
    FOOTER = "footer"
    """Footers, dates, slide numbers."""


@dataclass(frozen=True, kw_only=True)
class TextPiece:
    """One paragraph of a file, or one line of a page where the file has no paragraphs."""

    text: str
    box: Box | None
    """Of its shape or line."""
    role: TextRole = TextRole.BODY
    size_pt: float | None = None
    """Of most of its letters, on a slide 540 points high; None where unknown."""
    is_bullet: bool = False
    level: int = 0
    """Indent level from 0; always 0 where the file has no paragraphs."""
    is_code: bool = False
    """In a font whose letters are all equally wide."""
    block: int = 0
    """Pieces with the same number belong to one shape or block."""


@dataclass(frozen=True, kw_only=True)
class DrawnLine:
    """One line of text as drawn on a page."""

    text: str
    box: Box
    """May reach below 0 or above 1 where text leaves the page."""
    size_pt: float
    """Of most of its letters, on a slide 540 points high."""
    rgb: tuple[int, int, int]
    """Of most of its letters, sRGB."""
    background_rgb: tuple[int, int, int] | None = None
    """The median pixel of its box as drawn; None for lines off the page."""
    is_bold: bool = False
    is_code: bool = False
    is_upright: bool = True
    """Written from left to right, not turned."""
    is_seen: bool = True
    """False for text that is drawn without ink, as behind a scan."""
    missing_glyphs: int = 0
    """Letters that its font has no shape for: drawn as a box, or as nothing."""
    block: int = 0


@dataclass(frozen=True, kw_only=True)
class SeenPicture:
    """A picture on a slide."""

    box: Box
    size_px: tuple[int, int] | None = None
    """What of it is shown, in pixels of its own; None for vectors and where it cannot be read."""
    is_vector: bool = False
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class SeenShape:
    """An object of the file that can be seen, groups resolved into their members."""

    name: str
    kind: ShapeKind
    box: Box
    text: str = ""
    is_drawn: bool = True
    """False where only its text is seen."""
    group: str = ""
    """Of the outermost group around it; empty outside of groups."""
    rotation_deg: float = 0.0
    wraps: bool = True
    fit: str = ""
    """``none``, ``shrink`` or ``grow``; empty where the shape does not say."""
    role: TextRole = TextRole.BODY
    block: int = 0
    """The number that its pieces of text carry."""


@dataclass(frozen=True, kw_only=True)
class SeenChart:
    """A native chart and where it is."""

    chart: Chart
    box: Box | None


@dataclass(frozen=True, kw_only=True)
class SlideEvidence:
    """What is known of one slide."""

    number: int
    """From 1, hidden slides counted."""
    is_hidden: bool = False
    is_readable: bool = True
    """False where its part of the file is missing or damaged."""
    title: str = ""
    pieces: tuple[TextPiece, ...] = ()
    shapes: tuple[SeenShape, ...] = ()
    pictures: tuple[SeenPicture, ...] = ()
    charts: tuple[SeenChart, ...] = ()
    lines: tuple[DrawnLine, ...] | None = None
    """None: its page was not drawn or not found."""
    drawn_share: float | None = None
    """Share of its page, text left out, that differs from the page's main colour, 0 to 1."""
    is_picture: bool = False
    """Nothing but a picture over the whole slide: what stands on it nobody knows."""
    layout: str = ""
    """The layout's name in a PowerPoint file."""

    @property
    def text(self) -> str:
        """All its words, one piece a line."""
        return "\n".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, kw_only=True)
class DeckEvidence:
    """What is known of one deck."""

    format: DeckFormat
    slides: tuple[SlideEvidence, ...]
    size_pt: tuple[float, float] | None = None
    """Width and height of a slide, 72 points to the inch."""
    sections: tuple[str, ...] = ()
    """Names of the sections that the file itself has."""
    gaps: dict[Fact, Gap] = field(default_factory=dict)

    @property
    def visible(self) -> tuple[SlideEvidence, ...]:
        """The slides that are shown."""
        return tuple(slide for slide in self.slides if not slide.is_hidden)

    @property
    def aspect(self) -> float:
        """Width of a slide over its height; 16:9 where unknown."""
        return self.size_pt[0] / self.size_pt[1] if self.size_pt and min(self.size_pt) > 0 else 16 / 9

    def body(self) -> Iterator[SlideEvidence]:
        """Yield the visible slides that are not the first and not the last: neither cover nor farewell."""
        yield from self.visible[1:-1]
