"""Style buckets: what kind of deck it is, by rules over its slides and the facts of its file.

The paper sorts 1,435 decks into dark, minimalist, image-rich, data-heavy, scientific and corporate ones and
does not print its rules. These are the studio's. A deck is either dark or light, and has any number of the
other styles; "corporate" is what has none of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from studio.metrics.cues import SlideCues

DARK_BELOW_L = 50.0
"""Lightness of the ground below which a slide is dark; a deck is dark if more than half of its slides are."""
MINIMAL_WHITESPACE = 0.85
"""Mean whitespace from which a deck is minimal, …"""
MINIMAL_EDGES = 0.05
"""… if on average at most this share of a slide lies on an edge."""
PHOTO_SLIDE = 0.15
"""Share of a slide that is photographic from which it has a picture of weight."""
IMAGE_RICH_SLIDES = 0.5
"""Share of such slides from which a deck is image-rich."""
DATA_PER_SLIDE = 0.25
"""Native charts and tables per slide from which a deck is data-heavy: one on every fourth slide."""
DIAGRAM_PER_SLIDE = 0.5
"""Groups and SmartArt graphics per slide from which a deck is full of diagrams: one on every second slide."""


class Bucket(StrEnum):
    """Styles of decks."""

    DARK = "dark"
    LIGHT = "light"
    MINIMAL = "minimal"
    IMAGE_RICH = "image_rich"
    DATA_HEAVY = "data_heavy"
    DIAGRAM = "diagram"
    CORPORATE = "corporate"


RULES: dict[Bucket, str] = {
    Bucket.DARK: f"More than half of the slides have a ground of lightness below {DARK_BELOW_L:g}.",
    Bucket.LIGHT: "Not dark.",
    Bucket.MINIMAL: f"Mean whitespace of at least {MINIMAL_WHITESPACE:.0%} and at most {MINIMAL_EDGES:.0%} edges.",
    Bucket.IMAGE_RICH: f"At least half of the slides are photographic on {PHOTO_SLIDE:.0%} of their area or more.",
    Bucket.DATA_HEAVY: f"At least {DATA_PER_SLIDE:g} native charts and tables per slide, by the file's structure.",
    Bucket.DIAGRAM: f"At least {DIAGRAM_PER_SLIDE:g} groups and SmartArt per slide, by the file's structure.",
    Bucket.CORPORATE: "Neither minimal nor image-rich, data-heavy or full of diagrams.",
}
"""Bucket → its rule, for people."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """The buckets of one deck and the figures behind them."""

    buckets: frozenset[Bucket]
    dark_share: float
    """Share 0–1 of slides with a dark ground."""
    whitespace: float
    """Mean over the slides, 0–1."""
    edge_density: float
    """Mean over the slides, 0–1."""
    photo_slides: float
    """Share 0–1 of slides with a picture of weight."""
    data_per_slide: float | None
    """None if the file's structure is not known: data-heavy is then undecided, and not in `buckets`."""
    diagrams_per_slide: float | None
    """None as above."""

    @property
    def is_decided(self) -> bool:
        """Whether every rule could be looked at; not so for PDF files and pictures."""
        return self.data_per_slide is not None and self.diagrams_per_slide is not None


def style(slides: Sequence[SlideCues], facts: Mapping[str, Any]) -> Style:
    """Return the style of a deck.

    Args:
        slides: the cues of its slides, one at least.
        facts: what `studio inspect` says of its file, as JSON values; unknown numbers are None or missing.
    """
    dark = _share([each.background_lightness < DARK_BELOW_L for each in slides])
    whitespace = math.fsum(each.whitespace for each in slides) / len(slides)
    edges = math.fsum(each.edge_density for each in slides) / len(slides)
    photos = _share([each.photo_share >= PHOTO_SLIDE for each in slides])
    data = _per_slide(facts, [_of(facts, "charts", "native"), facts.get("tables")])
    diagrams = _per_slide(facts, [facts.get("groups"), facts.get("smartart")])
    found = {Bucket.DARK if dark > 0.5 else Bucket.LIGHT}
    if whitespace >= MINIMAL_WHITESPACE and edges <= MINIMAL_EDGES:
        found.add(Bucket.MINIMAL)
    if photos >= IMAGE_RICH_SLIDES:
        found.add(Bucket.IMAGE_RICH)
    if data is not None and data >= DATA_PER_SLIDE:
        found.add(Bucket.DATA_HEAVY)
    if diagrams is not None and diagrams >= DIAGRAM_PER_SLIDE:
        found.add(Bucket.DIAGRAM)
    if len(found) == 1:
        found.add(Bucket.CORPORATE)
    return Style(
        buckets=frozenset(found),
        dark_share=dark,
        whitespace=whitespace,
        edge_density=edges,
        photo_slides=photos,
        data_per_slide=data,
        diagrams_per_slide=diagrams,
    )


def _share(are: Sequence[bool]) -> float:
    return sum(are) / len(are)


def _of(facts: Mapping[str, Any], group: str, name: str) -> Any:
    inside = facts.get(group)
    return inside.get(name) if isinstance(inside, Mapping) else None


def _per_slide(facts: Mapping[str, Any], counts: Sequence[Any]) -> float | None:
    slides = facts.get("slides")
    if not isinstance(slides, int) or slides < 1 or any(not isinstance(count, int) for count in counts):
        return None
    return float(sum(counts) / slides)
