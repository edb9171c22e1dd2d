"""What REFLEX sees of a deck and of its source, and what it looks for (REFLEX, section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ContentMetric(StrEnum):
    """The four content metrics; the names of the command line."""

    COVERAGE = "coverage"
    REDUNDANCY = "redundancy"
    ALIGNMENT = "alignment"
    FLOW = "flow"


class Variant(StrEnum):
    """How a deck was made worse."""

    PLAIN = "plain"
    """As in the paper."""
    LENGTH_MATCHED = "length_matched"
    """The number of slides stays: gaps are filled from other decks, copies overwrite other slides."""
    NOISY = "noisy"
    """Copies lose 40 % of their words and their order."""


@dataclass(frozen=True, kw_only=True)
class SlideImage:
    """One image of a slide, as words."""

    id: str
    """Hash or file name of the image: equal ids are equal images."""
    caption: str = ""
    """Alternative text, the nearest caption or a chart's title."""
    description: str = ""
    """What a vision model says; empty without one."""


@dataclass(frozen=True, kw_only=True)
class SlideObject:
    """One slide as the scorers see it."""

    number: int
    """From 1, as delivered."""
    title: str
    body: str
    """The words below the title."""
    images: tuple[SlideImage, ...] = ()
    notes: str = ""
    source: str = ""
    """Where the words come from: ``pptx``, ``pdf``, ``ocr``, ``vlm`` or ``table``."""

    @property
    def text(self) -> str:
        """Title and body."""
        return f"{self.title}\n{self.body}".strip()

    @property
    def image_words(self) -> str:
        """What is known of its images, in words."""
        return " ".join(f"{image.caption} {image.description}".strip() for image in self.images).strip()


@dataclass(frozen=True, kw_only=True)
class Section:
    """One section of a source: a topic that a deck should carry."""

    title: str
    text: str
    level: int = 1
    summary: str = ""
    """Sentences that stand for the section; extractive unless a model made them."""


@dataclass(frozen=True, kw_only=True)
class DocumentObject:
    """A source as the scorers see it."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, kw_only=True)
class DeckObject:
    """A deck as the scorers see it, with its source where there is one."""

    id: str
    slides: tuple[SlideObject, ...]
    document: DocumentObject | None = None


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a deck was made worse: everything needed to do it again and to say what was done."""

    metric: ContentMetric
    degree: int
    """1 to 4: 20 % of the topics, slides or images each."""
    seed: int
    picked: tuple[int | str, ...]
    """Slide numbers, from 1, of the deck as it was; for coverage the topics that were taken out."""
    permutation: tuple[int, ...]
    """One entry for each slide of the new deck: the number that it had (0: a slide of another deck).
    For alignment one entry for each slide: the slide whose image it shows now, itself where nothing changed."""
    variant: Variant = Variant.PLAIN
    inserted: tuple[int, ...] = ()
    """For redundancy: places, from 1, of the copies in the new deck."""

    @property
    def target(self) -> float:
        """What a perfect scorer says: (s − 1) / 4 with s = 5 − degree (our mapping; the paper gives none)."""
        return (4 - self.degree) / 4
