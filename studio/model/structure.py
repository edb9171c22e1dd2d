"""What a deck file is made of: slides, shapes at every depth, charts, media, motion. Read, never rendered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from studio.model.decks import DeckFormat, DeckWarning


class ShapeKind(StrEnum):
    """What a shape is to somebody who edits it."""

    TEXT_BOX = "text_box"
    AUTOSHAPE = "autoshape"
    FREEFORM = "freeform"
    CONNECTOR = "connector"
    PICTURE = "picture"
    GROUP = "group"
    TABLE = "table"
    CHART = "chart"
    SMARTART = "smartart"
    MEDIA = "media"
    OLE = "ole"
    OTHER = "other"
    """Ink, 3D models and what is not known."""


class WorkbookState(StrEnum):
    """Where a chart's data are; only an embedded workbook is editable data."""

    EMBEDDED = "embedded"
    EXTERNAL = "external"
    BROKEN = "broken"


@dataclass(frozen=True, kw_only=True)
class Box:
    """Bounds on the slide as shares of its width and height; may reach below 0 or above 1."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width as a share of the slide's width."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height as a share of the slide's height."""
        return self.y1 - self.y0


@dataclass(frozen=True, kw_only=True)
class TextRun:
    """Letters with one format."""

    text: str
    size_pt: float | None = None
    """None: inherited."""
    is_field: bool = False
    """A slide number, date or the like, filled in by the program."""
    shown_pt: float | None = None
    """With all that it inherits, and with the shrinking of text that is made to fit; None where not looked up."""
    font: str = ""
    """The Latin font that the run itself names."""


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """One paragraph; a line break inside is a newline."""

    runs: tuple[TextRun, ...]
    level: int = 0
    """Indent level from 0."""
    has_bullet: bool = False
    """Whether it has a bullet or a number, inherited ones counted."""

    @property
    def text(self) -> str:
        """The letters of all runs."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The image of a picture shape or of a picture fill."""

    part: str
    """Part name, or the address of a linked image; empty if there is none."""
    is_linked: bool = False
    is_broken: bool = False
    """Neither a part of the file nor linked."""
    svg_part: str = ""
    """The SVG that belongs to it; empty for a raster image."""
    coverage: float = 0.0
    """Share of the slide's area that it covers, 0 to 1."""
    size_px: tuple[int, int] | None = None
    """Width and height of the whole raster image; None for others and for those that cannot be read."""
    crop: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Shares cut off on the left, at the top, on the right and at the bottom; negative where it is padded."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One series of a chart with the values that the chart part keeps."""

    name: str
    name_ref: str = ""
    """Cells in the workbook, such as ``Sheet1!$B$1``; empty for a literal."""
    categories: tuple[str, ...] = ()
    categories_ref: str = ""
    values: tuple[float | None, ...] = ()
    values_ref: str = ""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One worksheet of a workbook inside the deck."""

    name: str
    cells: dict[str, str | float]
    """Address such as ``B2`` → its value; empty cells are left out."""
    is_cut: bool = False
    """Whether it has more cells than were read."""


@dataclass(frozen=True, kw_only=True)
class Workbook:
    """What stands behind a chart."""

    state: WorkbookState
    reason: str = ""
    """Why it is not editable; empty if it is."""
    part: str = ""
    """Part name, or the address outside."""
    sheets: tuple[Sheet, ...] = ()
    is_readable: bool = True
    """False for the binary Excel formats: intact, but its cells are not read here."""
    missing_refs: tuple[str, ...] = ()
    """References of the chart that lead to no filled cell."""

    @property
    def is_intact(self) -> bool:
        """Whether the chart's data can be edited: embedded, with a worksheet, all references found."""
        return self.state is WorkbookState.EMBEDDED and not self.missing_refs


@dataclass(frozen=True, kw_only=True)
class ChartAxis:
    """One axis of a native chart that is shown."""

    kind: str
    """``category``, ``value``, ``date`` or ``series``."""
    title: str = ""
    has_title: bool = False
    """Also true for a title that the program fills in."""
    number_format: str = ""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A native chart."""

    part: str
    """Empty if the chart part itself is missing."""
    types: tuple[str, ...]
    """Such as ``barChart``; several for a combined chart."""
    title: str
    series: tuple[Series, ...]
    workbook: Workbook
    axes: tuple[ChartAxis, ...] = ()
    """Those that are shown."""
    has_legend: bool = False
    names_points: bool = False
    """Whether labels at the points name series or categories, which does without a legend."""
    shows_shares: bool = False
    """Whether labels at the points give percentages."""
    has_data_table: bool = False


@dataclass(frozen=True, kw_only=True)
class SmartArt:
    """A diagram with data behind it."""

    part: str
    """Data part; empty if it is missing."""
    texts: tuple[str, ...]
    """Texts of its points."""
    connections: int
    """Parent–child connections between points."""


@dataclass(frozen=True, kw_only=True)
class Media:
    """Audio or video."""

    target: str
    """Part name or address."""
    is_linked: bool
    is_missing: bool = False
    """Should be inside, but is not."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """One shape; groups hold others."""

    id: str
    """As in the slide's XML; animations name it."""
    name: str
    kind: ShapeKind
    box: Box | None
    """None where neither the shape nor its placeholder says where it is."""
    corners: tuple[tuple[float, float], ...] = ()
    """Its four corners on the slide as shares of width and height, in order around it; empty without a box."""
    description: str = ""
    """Alternative text."""
    is_hidden: bool = False
    rotation_deg: float = 0.0
    """Clockwise, 0 to 360, its groups' rotation added."""
    placeholder: str | None = None
    """Placeholder type such as ``title`` or ``body``; None for a shape of its own."""
    placeholder_idx: str = ""
    geometry: str = ""
    """Preset such as ``rect``; ``custom`` for a freeform; empty without one."""
    is_drawn: bool = True
    """False for a rectangle with neither fill nor outline: to be seen is its text only."""
    wraps: bool = True
    """Whether its text wraps at the box's edge."""
    fit: str = ""
    """What happens to too much text: ``none``, ``shrink`` or ``grow``; empty where the shape does not say."""
    paragraphs: tuple[Paragraph, ...] = ()
    """Of a table, one for each paragraph of its cells."""
    picture: Picture | None = None
    table_size: tuple[int, int] | None = None
    """Rows and columns."""
    table_cells: tuple[tuple[str, ...], ...] = ()
    """Text of its cells, row by row; cells that a merged one covers are empty."""
    chart: Chart | None = None
    smartart: SmartArt | None = None
    media: Media | None = None
    children: tuple[Shape, ...] = ()
    """Shapes of a group, back to front."""

    @property
    def text(self) -> str:
        """Its own text, one paragraph a line; that of a SmartArt's points."""
        if self.smartart is not None:
            return "\n".join(self.smartart.texts)
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    def walk(self) -> Iterator[Shape]:
        """Yield the shape and everything in it, outer before inner."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One animation effect."""

    preset_class: str
    """``entr``, ``exit``, ``emph``, ``path``, ``verb`` or ``mediacall``."""
    preset_id: str
    trigger: str
    """``clickEffect``, ``withEffect``, ``afterEffect`` or empty."""
    shape_id: str
    """Its target; empty if it has none."""
    duration_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class SlideStructure:
    """One slide."""

    number: int
    """From 1, hidden slides counted."""
    part: str
    """Part name; empty if the slide list leads nowhere."""
    is_hidden: bool = False
    is_readable: bool = True
    """False if the part is missing or damaged; everything else is then empty."""
    layout: str = ""
    """Part name of the layout used; empty if it is missing."""
    has_own_background: bool = False
    background_picture: Picture | None = None
    shows_master_shapes: bool = True
    shapes: tuple[Shape, ...] = ()
    """Back to front."""
    effects: tuple[Effect, ...] = ()
    """In their order on the timeline."""
    has_build_list: bool = False
    """Whether the timing names builds (``p:bldLst`` with an entry)."""
    transition: str | None = None
    """Kind such as ``fade``; empty for one that only sets when to advance; None without one."""
    media: tuple[Media, ...] = ()
    """Distinct targets of the slide's relations."""
    notes: str = ""

    def walk(self) -> Iterator[Shape]:
        """Yield all shapes at every depth."""
        for shape in self.shapes:
            yield from shape.walk()

    @property
    def title(self) -> str:
        """Text of the title placeholder; empty without one."""
        for shape in self.walk():
            if shape.placeholder in {"title", "ctrTitle"} and shape.text.strip():
                return " ".join(shape.text.split())
        return ""


@dataclass(frozen=True, kw_only=True)
class LayoutStructure:
    """A layout or a master: what slides inherit."""

    part: str
    name: str
    master: str = ""
    """Part name of the layout's master; empty for a master and where it is missing."""
    is_readable: bool = True
    placeholders: tuple[str, ...] = ()
    """Types of its placeholders."""
    own_shapes: int = 0
    """Shapes, pictures and groups that are no placeholders."""
    vector_shapes: int = 0
    """Of these, drawn shapes, connectors and SVG pictures."""
    has_background: bool = False
    """A fill of its own, or one of the theme's background fills beyond the plain one."""
    shows_master_shapes: bool = True
    maps_layouts: tuple[str, ...] = ()
    """Of a master: part names of the layouts that its own list names."""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A named run of slides."""

    name: str
    slides: tuple[int, ...]
    """Slide numbers."""


@dataclass(frozen=True, kw_only=True)
class DeckStructure:
    """The structure of a PowerPoint file."""

    format: DeckFormat
    slide_size_emu: tuple[int, int]
    slides: tuple[SlideStructure, ...]
    layouts: tuple[LayoutStructure, ...]
    """Those that slides use."""
    masters: tuple[LayoutStructure, ...]
    """Those of the used layouts."""
    sections: tuple[Section, ...] = ()
    warnings: tuple[DeckWarning, ...] = ()

    def layout_of(self, slide: SlideStructure) -> LayoutStructure | None:
        """Return the layout of a slide, or None if it is missing."""
        return next((layout for layout in self.layouts if layout.part == slide.layout), None)

    def master_of(self, layout: LayoutStructure) -> LayoutStructure | None:
        """Return the master of a layout, or None if it is missing."""
        return next((master for master in self.masters if master.part == layout.master), None)


@dataclass(frozen=True, kw_only=True)
class WebSlide:
    """One slide of an HTML deck, as the page says before any script ran."""

    number: int
    text: str
    """Its words, speaker notes left out."""
    heading: str
    """First heading; empty without one."""
    svgs: int
    """Inline ``<svg>`` and pictures in that format; the frames that some tools put around a slide left out."""
    grouped_svgs: int
    """Inline ``<svg>`` with groups, or with so few pieces that they need none."""
    canvases: int
    images: int
    """Raster pictures."""
    tables: int
    media: int
    """``<audio>`` and ``<video>``."""
    has_motion: bool
    """Fragments, a transition or an animation that the markup names."""
    has_notes: bool
    is_hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class WebStructure:
    """The structure of an HTML deck."""

    slides: tuple[WebSlide, ...]
    """The whole page as one slide where none were recognised."""
    are_slides_known: bool
