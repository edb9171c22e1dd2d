"""What the demo's instances and decks are made of: points, charts, tables and sections as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class ChartKind(StrEnum):
    """How a chart shows its numbers."""

    BAR = "bar"
    LINE = "line"
    SHARE = "share"
    """Parts of a whole, in per cent."""


class Flaw(StrEnum):
    """A weakness that a demo deck has on purpose, so that decks differ in quality."""

    PALE = "pale"
    """Grey text on a coloured ground."""
    CROWDED = "crowded"
    """Whole paragraphs where phrases would do; may run out of its box."""
    REPEATED = "repeated"
    """One section comes twice."""
    THIN = "thin"
    """Labels only, hardly a fact."""
    BLURRED = "blurred"
    """Pictures of a low resolution, scaled up."""
    LEFTOVER = "leftover"
    """A placeholder of the template was never filled."""
    CLASHING = "clashing"
    """Colours that fight each other."""


@dataclass(frozen=True)
class Point:
    """One thing to say, in three lengths; positional because the contents are long lists of it."""

    label: str
    brief: str
    full: str


@dataclass(frozen=True)
class Stat:
    """One number that stands for itself."""

    value: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Series:
    """One row of numbers of a chart."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Numbers to draw."""

    title: str
    kind: ChartKind
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    unit: str
    """Shown behind the numbers, such as ``°C``."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Cells to set; every row is as long as `header`."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Section:
    """One slide's worth of content."""

    topic: str
    claim: str
    """The slide's message as a sentence."""
    points: tuple[Point, ...]
    stats: tuple[Stat, ...] = ()
    chart: str = ""
    """Name of a chart of the outline."""
    table: str = ""
    """Name of a table of the outline."""
    notes: str = ""
    heading: str = ""
    """How the heading of the source starts that a crowded deck copies from."""


@dataclass(frozen=True, kw_only=True)
class Take:
    """How one system treats one instance."""

    sections: tuple[int, ...]
    """Indexes into the outline's sections, in the order shown."""
    flaws: frozenset[Flaw] = frozenset()
    palette: str = ""
    """Name of a palette of the style; empty: its first."""
    swaps: tuple[tuple[str, str], ...] = ()
    """Pairs of right and wrong text: a slip in the facts, made on purpose."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    """Everything that decks about one instance may say."""

    title: str
    short_title: str
    subtitle: str
    byline: str
    """Says that the contents are invented, where they are."""
    agenda: str
    """The word for it in the instance's language."""
    summary: str
    """Heading of the last slide."""
    takeaways: tuple[str, ...]
    sections: tuple[Section, ...]
    charts: dict[str, Chart] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DemoInstance:
    """One instance of the demo project."""

    name: str
    """Folder name."""
    title: str
    scenario: str
    domain: str
    language: str
    difficulty: str
    instruction: str
    text: str
    """File name of the source's text beside the content modules."""
    source: str
    """File name of the source that is built from it."""
    outline: Outline
    takes: dict[str, Take]
    """By system name."""
    drawn_from: str = ""
    """Name of the instance that this one is a variant of; empty for those that were written."""

    @property
    def subject(self) -> str:
        """Return the name of the instance that was written; its pictures go by it."""
        return self.drawn_from or self.name

    @property
    def is_chinese(self) -> bool:
        """Whether the instance needs a Chinese font."""
        return self.language.startswith("zh")


def with_swaps(text: str, take: Take) -> str:
    """Return the text with the take's slips put in."""
    for right, wrong in take.swaps:
        text = text.replace(right, wrong)
    return text
