"""Faults of a deck that have a name, found slide by slide from what was measured.

The paper gives these patterns names and describes them; it prints bands for the rhythm of a deck (table 12)
but no limits for a slide. The limits here are the studio's, each stated at its constant; none of them enters
a score.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from studio.metrics.rhythm import OVERLOAD_ABOVE, OVERLOAD_WINDOW, normalised_entropy, overload_windows
from studio.metrics.slides import SlideMeasures

LARGE_TEXT_AA, TEXT_AA, TEXT_AAA = 3.0, 4.5, 7.0
"""WCAG 2.1 contrast ratios: large text AA (1.4.3), text AA and large text AAA, text AAA (1.4.6)."""
FOG_SHARE = 0.5
"""Share of a slide's text regions with ink whose strokes stand out by less than 3:1, from which it is fog."""
GHOSTLY_BELOW = 7.5
"""Colourfulness below which a slide counts as colourless: half way from "not" (0) to "slightly colourful"
(15) in Hasler & Süsstrunk's scale (2003)."""
SPIKE_LEAST_DEG = 5.0
"""Hue distance, in degrees above the deck's median, that a palette spike has at least."""
SPIKE_DEVIATIONS = 3.0
"""… and in robust standard deviations (1.4826 times the median absolute deviation) of the deck's slides."""
SPIKE_SLIDES = 3
"""Slides from which a deck has a palette that one of them can leave."""
STILL_BELOW = 0.01
"""Difference of normalised entropy that counts as none: the lowest bound of the paper's table 12."""
STILL_SLIDES = 4
"""Consecutive slides without a difference that make a flatline."""
JUMP_ABOVE = 0.30
"""Difference of normalised entropy that counts as a jump: the upper bound of the paper's table 12."""
STROBE_JUMPS = 3
"""Jumps in a row, up and down by turns, that make a strobe."""


class Pattern(StrEnum):
    """The paper's diagnostic patterns, and overload, which its code reports."""

    FOG = "fog"
    GHOSTLY = "ghostly"
    PALETTE_SPIKE = "palette_spike"
    JUMPSCARE = "jumpscare"
    FLATLINE = "flatline"
    STROBE = "strobe"
    OVERLOAD = "overload"


RULES: dict[Pattern, str] = {
    Pattern.FOG: "At least half of the slide's text regions with ink stand out by less than 3:1 (strokes against "
    "ground).",
    Pattern.GHOSTLY: f"Colourfulness below {GHOSTLY_BELOW:g}: next to no colour.",
    Pattern.PALETTE_SPIKE: f"Hue distance at least {SPIKE_LEAST_DEG:g}° and {SPIKE_DEVIATIONS:g} robust standard "
    "deviations above the deck's median: a palette of its own.",
    Pattern.JUMPSCARE: f"Complexity (0–1) rises by more than {JUMP_ABOVE:g} over the slide before.",
    Pattern.FLATLINE: f"At least {STILL_SLIDES} slides in a row differ in complexity by less than {STILL_BELOW:g}.",
    Pattern.STROBE: f"At least {STROBE_JUMPS} jumps of more than {JUMP_ABOVE:g} in a row, up and down by turns.",
    Pattern.OVERLOAD: f"The mean complexity of {OVERLOAD_WINDOW} slides in a row is above {OVERLOAD_ABOVE:g}.",
}
"""Pattern → its rule, for people."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A pattern and the slides on which it was found."""

    pattern: Pattern
    slides: tuple[int, ...]
    """Slide numbers, in order; one for a pattern of a slide, a run for one of a stretch."""
    evidence: str
    """The figures that it was found by."""


class WcagLevel(StrEnum):
    """What a contrast ratio is good for (WCAG 2.1, success criteria 1.4.3 and 1.4.6)."""

    AAA = "AAA"
    AA = "AA"
    AA_LARGE = "AA large text"
    FAILS = "fails"


def wcag_level(ratio: float) -> WcagLevel:
    """Return the highest level that a contrast ratio of 1–21 reaches for text of any size.

    AA for large text only (18 points, or 14 bold) is a level of its own, since the size of text in a picture
    is not known.
    """
    if ratio >= TEXT_AAA:
        return WcagLevel.AAA
    if ratio >= TEXT_AA:
        return WcagLevel.AA
    return WcagLevel.AA_LARGE if ratio >= LARGE_TEXT_AA else WcagLevel.FAILS


def findings(
    measures: Sequence[SlideMeasures], numbers: Sequence[int], *, slope: float, centre: float
) -> tuple[Finding, ...]:
    """Return the patterns of a deck, in the order of `Pattern` and then of slides.

    Args:
        measures: the deck's slides in order.
        numbers: their numbers.
        slope: of the sigmoid that brings an entropy to 0–1.
        centre: of the same, in bits.
    """
    found = [
        *_fog(measures, numbers),
        *_ghostly(measures, numbers),
        *palette_spikes([each.distance_deg for each in measures], numbers),
    ]
    entropies = [each.subband_entropy for each in measures]
    if all(each is not None for each in entropies):
        levels = [normalised_entropy(each, slope, centre) for each in entropies if each is not None]
        found += rhythm_findings(levels, numbers)
    return tuple(found)


def _fog(measures: Sequence[SlideMeasures], numbers: Sequence[int]) -> list[Finding]:
    found = []
    for number, each in zip(numbers, measures, strict=True):
        # A region without ink is a fault of its own, with a flag: there are no strokes to see through fog.
        written = [region for region in each.regions if region.ink_share > 0]
        faint = [region for region in written if region.stroke_contrast_ratio < LARGE_TEXT_AA]
        if written and len(faint) >= FOG_SHARE * len(written):
            weakest = min(region.stroke_contrast_ratio for region in faint)
            evidence = f"{len(faint)} of {len(written)} text regions below 3:1, the weakest {weakest:.1f}:1"
            found.append(Finding(pattern=Pattern.FOG, slides=(number,), evidence=evidence))
    return found


def _ghostly(measures: Sequence[SlideMeasures], numbers: Sequence[int]) -> list[Finding]:
    return [
        Finding(pattern=Pattern.GHOSTLY, slides=(number,), evidence=f"colourfulness {each.colourfulness:.1f}")
        for number, each in zip(numbers, measures, strict=True)
        if each.colourfulness < GHOSTLY_BELOW
    ]


def palette_spikes(distances_deg: Sequence[float], numbers: Sequence[int]) -> list[Finding]:
    """Return the slides whose hues fit their best template far worse than the deck's others do.

    Args:
        distances_deg: hue distance of each slide, in degrees.
        numbers: the slides' numbers.
    """
    if len(distances_deg) < SPIKE_SLIDES:
        return []
    middle = statistics.median(distances_deg)
    deviation = 1.4826 * statistics.median(abs(each - middle) for each in distances_deg)
    limit = middle + max(SPIKE_LEAST_DEG, SPIKE_DEVIATIONS * deviation)
    return [
        Finding(
            pattern=Pattern.PALETTE_SPIKE,
            slides=(number,),
            evidence=f"hue distance {distance:.1f}°, the deck's median {middle:.1f}°, the limit {limit:.1f}°",
        )
        for number, distance in zip(numbers, distances_deg, strict=True)
        if distance >= limit
    ]


def rhythm_findings(levels: Sequence[float], numbers: Sequence[int]) -> list[Finding]:
    """Return jumpscares, flatlines, strobes and overloads of a deck.

    Args:
        levels: normalised entropy 0–1 of each slide in order.
        numbers: the slides' numbers.
    """
    steps = [after - before for before, after in itertools.pairwise(levels)]
    jumps = [
        Finding(
            pattern=Pattern.JUMPSCARE,
            slides=(numbers[place + 1],),
            evidence=f"complexity {levels[place]:.2f} → {levels[place + 1]:.2f}",
        )
        for place, step in enumerate(steps)
        if step > JUMP_ABOVE
    ]
    still = _runs([abs(step) < STILL_BELOW for step in steps], at_least=STILL_SLIDES - 1)
    flat = [
        Finding(
            pattern=Pattern.FLATLINE,
            slides=tuple(numbers[first : last + 2]),
            evidence=f"{last - first + 2} slides, complexity about {levels[first]:.2f}",
        )
        for first, last in still
    ]
    strobes = [
        Finding(
            pattern=Pattern.STROBE,
            slides=tuple(numbers[first : last + 2]),
            evidence=f"{last - first + 1} jumps in a row, the least {min(map(abs, steps[first : last + 1])):.2f}",
        )
        for first, last in _alternations(steps)
    ]
    overloads = [
        Finding(
            pattern=Pattern.OVERLOAD,
            slides=tuple(numbers[start : start + OVERLOAD_WINDOW]),
            evidence=f"mean complexity {sum(levels[start : start + OVERLOAD_WINDOW]) / OVERLOAD_WINDOW:.2f}",
        )
        for start in overload_windows(levels)
    ]
    return [*jumps, *flat, *strobes, *overloads]


def _runs(is_so: Sequence[bool], *, at_least: int) -> list[tuple[int, int]]:
    """Return first and last place of each run of True that is long enough."""
    found, place = [], 0
    for value, group in itertools.groupby(is_so):
        length = len(list(group))
        if value and length >= at_least:
            found.append((place, place + length - 1))
        place += length
    return found


def _alternations(steps: Sequence[float]) -> list[tuple[int, int]]:
    """Return first and last place of each run of jumps that go up and down by turns."""
    found: list[tuple[int, int]] = []
    first: int | None = None
    for place, step in enumerate(steps):
        if abs(step) <= JUMP_ABOVE:
            first = None
            continue
        if first is None or steps[place - 1] * step > 0:
            first = place
        if place - first + 1 >= STROBE_JUMPS:
            if found and found[-1][0] == first:
                found.pop()
            found.append((first, place))
    return found
