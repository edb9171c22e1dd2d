"""How a corpus of decks is distributed on each raw figure, and where one deck lies in it."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from studio.errors import BadInput
from studio.metrics.cues import CUES
from studio.metrics.json_values import finite_number, json_object, what_is_wrong

FORMAT = "podium-metric-reference"
VERSION = 1
HISTOGRAM_BINS = 20
"""Equal bins from the smallest to the largest value."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A raw figure that references describe."""

    name: str
    title: str
    unit: str
    of_slides: bool
    """True for one value per slide, False for one per deck."""


FIGURES: dict[str, Figure] = {
    each.name: each
    for each in (
        Figure(name="contrast", title="Text contrast", unit="0–1", of_slides=True),
        Figure(name="hue_distance", title="Hue distance", unit="degrees", of_slides=True),
        Figure(name="harmony", title="Harmony of a slide", unit="0–1", of_slides=True),
        Figure(name="colourfulness", title="Colourfulness", unit="", of_slides=True),
        Figure(name="subband_entropy", title="Subband entropy", unit="bits", of_slides=True),
        *(
            Figure(name=name, title=name.replace("_", " ").capitalize(), unit=unit, of_slides=True)
            for name, unit in zip(CUES, ("0–1", "0–1", "0–1", "0–1", "L"), strict=True)
        ),
        Figure(name="colourfulness_spread", title="Spread of colourfulness", unit="", of_slides=False),
        Figure(name="rmssd", title="RMSSD", unit="0–1", of_slides=False),
        Figure(name="aesthetics.harmony", title="Harmony", unit="points", of_slides=False),
        Figure(name="aesthetics.engagement", title="Engagement", unit="points", of_slides=False),
        Figure(name="aesthetics.usability", title="Usability", unit="points", of_slides=False),
        Figure(name="aesthetics.rhythm", title="Rhythm", unit="points", of_slides=False),
        Figure(name="aesthetics.total", title="Aesthetics", unit="points", of_slides=False),
    )
}
"""Name → raw figure; those of slides first."""


@dataclass(frozen=True, kw_only=True)
class DeckValues:
    """The raw figures of one deck; what is undefined is left out."""

    slides: Mapping[str, Sequence[float]]
    """Figure of slides → one value for each slide that has one."""
    deck: Mapping[str, float]
    """Figure of decks → its value."""

    def deck_value(self, name: str) -> float | None:
        """Return a deck's value of any figure: its own, or the mean over its slides; None if it has none."""
        if not FIGURES[name].of_slides:
            return self.deck.get(name)
        values = self.slides.get(name, ())
        return math.fsum(values) / len(values) if values else None


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """How one figure is distributed."""

    n: int
    """Slides for a figure of slides, decks for one of decks."""
    mean: float
    variance: float
    """Population variance."""
    minimum: float
    maximum: float
    edges: tuple[float, ...]
    """Borders of the histogram's bins, one more than there are bins; one bin if all values are equal."""
    counts: tuple[int, ...]
    deck_values: tuple[float, ...]
    """The decks' values (means over slides for a figure of slides), from small to large: for percentiles."""


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A corpus as a yardstick."""

    name: str
    description: str = ""
    preset: str = ""
    """The parameters that harmony and the scores were made with; the other figures need none."""
    raster_px: tuple[int, int] | None = None
    """Size of the slide pictures, if it is the same for all: entropy depends on it."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """Metric → version that measured it."""
    n_decks: int
    n_slides: int
    figures: Mapping[str, Distribution]
    """Figure → distribution; figures that no deck has are left out."""


def reference(
    name: str,
    decks: Sequence[DeckValues],
    *,
    n_slides: int,
    description: str = "",
    preset: str = "",
    raster_px: tuple[int, int] | None = None,
    versions: Mapping[str, int] | None = None,
) -> Reference:
    """Return how the decks of a corpus are distributed.

    Raises:
        BadInput: if there is no deck.
    """
    if not decks:
        raise BadInput("There are no measured decks to make a reference of.", next_step="Run the metrics first.")
    figures = {}
    for each in FIGURES.values():
        of_decks = sorted(value for value in (deck.deck_value(each.name) for deck in decks) if value is not None)
        pooled = [value for deck in decks for value in deck.slides.get(each.name, ())] if each.of_slides else of_decks
        if pooled:
            figures[each.name] = distribution(pooled, of_decks)
    return Reference(
        name=name,
        description=description,
        preset=preset,
        raster_px=raster_px,
        versions=dict(versions or {}),
        n_decks=len(decks),
        n_slides=n_slides,
        figures=figures,
    )


def distribution(values: Sequence[float], deck_values: Sequence[float]) -> Distribution:
    """Return mean, population variance and histogram of values.

    Source:
        SlidesGen-Bench table 7 gives mean and variance of each raw metric over human decks.
    """
    mean = math.fsum(values) / len(values)
    low, high = min(values), max(values)
    if high > low:
        counts, edges = np.histogram(values, bins=HISTOGRAM_BINS, range=(low, high))
    else:
        counts, edges = np.array([len(values)]), np.array([low, high])
    return Distribution(
        n=len(values),
        mean=mean,
        variance=math.fsum((value - mean) ** 2 for value in values) / len(values),
        minimum=low,
        maximum=high,
        edges=tuple(float(edge) for edge in edges),
        counts=tuple(int(count) for count in counts),
        deck_values=tuple(sorted(deck_values)),
    )


def percentile(value: float, of: Distribution) -> float | None:
    """Return the share, 0–100, of the reference's decks that lie below a value; equal ones count half.

    Returns:
        None if the reference has no deck with this figure.
    """
    n = len(of.deck_values)
    if not n:
        return None
    below = bisect.bisect_left(of.deck_values, value)
    equal = bisect.bisect_right(of.deck_values, value) - below
    return 100.0 * (below + equal / 2) / n


def percentiles(deck: DeckValues, against: Reference) -> dict[str, tuple[float, float]]:
    """Return figure → (the deck's value, its percentile) for the figures that both have."""
    found = {}
    for name, of in against.figures.items():
        value = deck.deck_value(name)
        place = None if value is None else percentile(value, of)
        if value is not None and place is not None:
            found[name] = (value, place)
    return found


def to_json(item: Reference) -> dict[str, Any]:
    """Return a reference as the document that `from_json` reads."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": item.name,
        "description": item.description,
        "preset": item.preset,
        "raster_px": list(item.raster_px) if item.raster_px else None,
        "metric_versions": dict(item.versions),
        "n_decks": item.n_decks,
        "n_slides": item.n_slides,
        "figures": {
            name: {
                "unit": FIGURES[name].unit,
                "level": "slide" if FIGURES[name].of_slides else "deck",
                "n": each.n,
                "mean": each.mean,
                "variance": each.variance,
                "minimum": each.minimum,
                "maximum": each.maximum,
                "histogram": {"edges": list(each.edges), "counts": list(each.counts)},
                "deck_values": list(each.deck_values),
            }
            for name, each in item.figures.items()
        },
    }


def from_json(source: Any) -> Reference:
    """Return the reference in a document or file that `to_json` wrote.

    Figures that are not known are left out.

    Args:
        source: a path, or the content of a file.

    Raises:
        BadInput: if it is no such document.
    """
    content, name = json_object(source)
    if content.get("format") != FORMAT:
        raise BadInput(f"{name} is no metric reference.", next_step="Give a file that studio reference export wrote.")
    if content.get("version") != VERSION:
        raise BadInput(
            f"{name} is of version {content.get('version')!r}, and this studio reads {VERSION}.",
            next_step="Update the studio.",
        )
    try:
        raster = content.get("raster_px")
        return Reference(
            name=str(content["name"]),
            description=str(content.get("description", "")),
            preset=str(content.get("preset", "")),
            raster_px=None if raster is None else (int(raster[0]), int(raster[1])),
            versions={str(key): int(value) for key, value in content.get("metric_versions", {}).items()},
            n_decks=int(content["n_decks"]),
            n_slides=int(content["n_slides"]),
            figures={key: _distribution_of(value) for key, value in content["figures"].items() if key in FIGURES},
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInput(
            f"{name} is no metric reference: {what_is_wrong(error)}.",
            next_step="Give a file that studio reference export wrote.",
        ) from error


def _distribution_of(content: Mapping[str, Any]) -> Distribution:
    edges = tuple(finite_number(edge) for edge in content["histogram"]["edges"])
    counts = tuple(int(count) for count in content["histogram"]["counts"])
    n = int(content["n"])
    if n < 1 or len(edges) != len(counts) + 1 or sum(counts) != n or min(counts) < 0:
        raise ValueError("a histogram does not fit its number of values")
    if finite_number(content["variance"]) < 0:
        raise ValueError("a variance is negative")
    return Distribution(
        n=n,
        mean=finite_number(content["mean"]),
        variance=finite_number(content["variance"]),
        minimum=finite_number(content["minimum"]),
        maximum=finite_number(content["maximum"]),
        edges=edges,
        counts=counts,
        deck_values=tuple(sorted(finite_number(value) for value in content["deck_values"])),
    )
