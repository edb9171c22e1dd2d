"""How much an instance's sources hold: the content richness behind its difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

FORMULA = (
    "mean of the percentile ranks (mid-ranks, 0 to 1) of text length, pages and images among the project's instances, "
    "cut at terciles; ours, the published formula was not to be had"
)
ANCHORS = "published: mean 4,525 characters and 13.3 pages; High means over 7,500 characters and 20 or more images"
MEAN_LETTERS, MEAN_PAGES, HIGH_LETTERS, HIGH_IMAGES = 4525, 13.3, 7500, 20
LEAST_INSTANCES = 3


class Level(StrEnum):
    """A third of the instances."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """What an instance's sources come to."""

    letters: int
    """Characters of text, white space folded."""
    pages: int
    images: int


@dataclass(frozen=True, kw_only=True)
class Richness:
    """An instance's place among the others."""

    sizes: Sizes
    score: float
    """0 to 1."""
    level: Level | None
    undefined_reason: str = ""
    """Why there is no level."""
    is_high_by_anchor: bool = False
    """Over 7,500 characters and 20 or more images, as the paper has it."""


def richness(instances: Mapping[str, Sizes]) -> dict[str, Richness]:
    """Return the richness of every instance; levels need three instances.

    Instances with the same score have the same level, so thirds may be of unequal size.
    """
    names = list(instances)
    ranks = [
        _percentiles([getattr(instances[name], field) for name in names]) for field in ("letters", "pages", "images")
    ]
    scores = {name: sum(rank[place] for rank in ranks) / 3 for place, name in enumerate(names)}
    ordered = sorted(scores.values())
    found = {}
    for name in names:
        level, reason = None, f"fewer than {LEAST_INSTANCES} instances"
        if len(names) >= LEAST_INSTANCES:
            # The middle of the places that share a score says which third it falls into.
            share = (
                sum(value < scores[name] for value in ordered) + sum(value <= scores[name] for value in ordered)
            ) / (2 * len(ordered))
            level = Level.LOW if share <= 1 / 3 else Level.MEDIUM if share <= 2 / 3 else Level.HIGH
            reason = ""
        sizes = instances[name]
        found[name] = Richness(
            sizes=sizes, score=scores[name], level=level, undefined_reason=reason,
            is_high_by_anchor=sizes.letters > HIGH_LETTERS and sizes.images >= HIGH_IMAGES,
        )  # fmt: skip
    return found


def _percentiles(values: Sequence[int]) -> list[float]:
    """Return mid-ranks as shares: (below + half of the equal ones) / n."""
    n = len(values)
    return [
        (sum(other < value for other in values) + 0.5 * sum(other == value for other in values)) / n for value in values
    ]
