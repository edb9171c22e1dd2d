"""Instances, sources, systems, decks and slides."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from studio.model.ids import DeckId, InstanceId, Sha256, SourceId, SystemId


class DeckFormat(StrEnum):
    """What a deck file is, decided by its content."""

    PPTX = "pptx"
    POTX = "potx"
    PPSX = "ppsx"
    PPTM = "pptm"
    POTM = "potm"
    PPSM = "ppsm"
    PPT = "ppt"
    ODP = "odp"
    PDF = "pdf"
    HTML = "html"
    IMAGES = "images"


class SourceFormat(StrEnum):
    """What a source file is, decided by its content and, for plain text, its name."""

    PDF = "pdf"
    MARKDOWN = "markdown"
    TEXT = "text"
    DOCX = "docx"
    HTML = "html"
    IMAGE = "image"


class FailureKind(StrEnum):
    """Why a file cannot be used; the closed set of the command-line contract."""

    NEEDS_PASSWORD = "needs_password"
    LEGACY_FORMAT = "legacy_format"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    NOT_FOUND = "not_found"
    NOT_A_DECK = "not_a_deck"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"
    RENDER_FAILED = "render_failed"
    TIMED_OUT = "timed_out"


class DeckStatus(StrEnum):
    """Whether a system delivered a deck for an instance; these four differ in every table."""

    PRESENT = "present"
    FAILED = "failed"
    MISSING = "missing"
    NOT_SUPPORTED = "not_supported"


class RenderState(StrEnum):
    """How far the pictures of a deck are."""

    PENDING = "pending"
    RENDERED = "rendered"
    FAILED = "failed"
    NO_SLIDES = "no_slides"


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a file, a unit or a deck has no result."""

    kind: str
    message: str
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class DeckWarning:
    """A fault of one slide that costs less than the deck."""

    slide: int | None
    """Slide number from 1; None for the whole deck."""
    message: str


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One task: sources, an instruction and the decks that systems made from them."""

    id: InstanceId
    name: str
    """Folder name; unique in the project."""
    title: str
    instruction: str = ""
    """The generation instruction, Markdown."""
    scenario: str = ""
    domain: str = ""
    language: str = ""
    """BCP 47, such as ``en`` or ``zh``; empty if unknown."""
    difficulty: str = ""


@dataclass(frozen=True, kw_only=True)
class Source:
    """One document that an instance's decks were made from."""

    id: SourceId
    instance_id: InstanceId
    name: str
    format: SourceFormat
    asset: Sha256
    extension: str
    size_bytes: int


@dataclass(frozen=True, kw_only=True)
class System:
    """What generated a deck."""

    id: SystemId
    name: str
    version: str = ""
    paradigm: str = ""
    """Such as ``template``, ``code``, ``image``, ``html``, ``human``."""
    access_date: str = ""
    """ISO 8601 date on which its decks were made."""
    settings: str = ""
    adaptation: str = ""
    """What was changed to make the system fit the task."""


@dataclass(frozen=True, kw_only=True)
class Deck:
    """One system's deck for one instance, or the record that there is none."""

    id: DeckId
    instance_id: InstanceId
    system_id: SystemId
    system: str
    """The system's name."""
    status: DeckStatus
    reason: str = ""
    """Why the status is not present."""
    format: DeckFormat | None = None
    asset: Sha256 | None = None
    """Content hash of the file; for folders, of the packed archive under the same name."""
    extension: str = ""
    original_name: str = ""
    size_bytes: int = 0
    slides: int = 0
    hidden_slides: int = 0
    warnings: tuple[DeckWarning, ...] = ()
    render_state: RenderState = RenderState.PENDING
    render_reason: str = ""
    pages_rendered: int = 0
    raster_px: tuple[int, int] | None = None
    """Width and height of the canonical slide pictures."""
    missing_fonts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TextBox:
    """One region of text on a slide."""

    x0: float
    """Left edge as a share of the slide's width, 0 to 1."""
    y0: float
    x1: float
    y1: float
    text: str = ""
    label: str = "text"
    """A class of the detection model of the paper, such as ``text`` or ``doc_title``."""


@dataclass(frozen=True, kw_only=True)
class Slide:
    """One slide of a deck."""

    deck_id: DeckId
    number: int
    """From 1, in the order of the file, hidden slides counted."""
    page: int | None
    """Number of its rendered picture, from 1; None for a slide without a picture."""
    is_hidden: bool = False
    text: str = ""
    notes: str = ""
    boxes: tuple[TextBox, ...] | None = None
    """None: nothing is known of text regions (a picture); empty: a slide without text."""
    width_px: int = 0
    height_px: int = 0
    fonts: tuple[str, ...] = ()
    """Fonts that the slide asks for, as far as its format tells."""
    missing_fonts: tuple[str, ...] = ()
    """Those of them that were not there when its picture was made."""


@dataclass(frozen=True, kw_only=True)
class PictureCounts:
    """Pictures of a deck by where their image is."""

    embedded: int = 0
    linked: int = 0
    broken: int = 0


@dataclass(frozen=True, kw_only=True)
class ChartCounts:
    """Native charts of a deck by what became of their workbook."""

    native: int = 0
    with_workbook: int = 0
    external: int = 0
    broken: int = 0


@dataclass(frozen=True, kw_only=True)
class MediaCounts:
    """Distinct audio and video targets of a deck."""

    embedded: int = 0
    linked: int = 0


@dataclass(frozen=True, kw_only=True)
class AnimationCounts:
    """Real animation effects and the slides that have any."""

    effects: int = 0
    slides: int = 0


@dataclass(frozen=True, kw_only=True)
class FontFacts:
    """Font names a deck asks for, and those this machine lacks."""

    asked: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DeckFacts:
    """What a file holds, without rendering it; structure fields are None where unknown."""

    format: DeckFormat | None
    container: str
    """``zip``, ``ole``, ``pdf``, ``html``, ``folder``, ``image`` or ``unknown``."""
    slides: int | None = None
    hidden_slides: int | None = None
    slide_size_emu: tuple[int, int] | None = None
    """Width and height; 914,400 EMU are an inch."""
    text_boxes: int | None = None
    groups: int | None = None
    pictures: PictureCounts | None = None
    charts: ChartCounts | None = None
    tables: int | None = None
    smartart: int | None = None
    media: MediaCounts | None = None
    animations: AnimationCounts | None = None
    transitions: int | None = None
    notes: int | None = None
    fonts: FontFacts | None = None
    hidden: tuple[int, ...] = ()
    """Numbers of the hidden slides."""
    warnings: tuple[DeckWarning, ...] = ()
    failure: Failure | None = None


class PlacedWord(NamedTuple):
    """Where one word of a page stands; Chinese and Japanese have one for each run of letters."""

    start: int
    """In characters of the page's text."""
    end: int
    x0: float
    """Left edge as a share of the page's width, 0 to 1."""
    y0: float
    x1: float
    y1: float
    line: int
    """Words with the same number stand on one line of the page."""


@dataclass(frozen=True, kw_only=True)
class SourcePage:
    """Text of one page of a source; formats without pages have one page per top heading block."""

    number: int
    text: str
    words: tuple[PlacedWord, ...] = ()
    """In the order of the text; empty for formats whose pages have no picture."""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """One heading of a source."""

    level: int
    text: str
    page: int


@dataclass(frozen=True, kw_only=True)
class SourceText:
    """A source as text."""

    pages: tuple[SourcePage, ...]
    headings: tuple[Heading, ...] = field(default=())


def slide_file_name(number: int) -> str:
    """Return the name of the picture of the slide with this number."""
    return f"slide_{number:04d}.png"


def thumb_file_name(number: int) -> str:
    """Return the name of the small picture of the slide with this number."""
    return f"thumb_{number:04d}.png"
