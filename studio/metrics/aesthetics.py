"""From measured slides to the aesthetics scores of a deck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from studio.errors import BadInput
from studio.metrics import rhythm, slides
from studio.metrics.harmony import harmony_score
from studio.metrics.parameters import AestheticsParameters
from studio.metrics.slides import SlideMeasures
from studio.model.scores import Value

ONE_SLIDE = "one_slide"
"""Flag: the deck has one slide, so nothing varies and the pacing half of rhythm earns 0."""
SOME_WITHOUT_CONTRAST = "slides_left_out_of_contrast"
"""Flag: some slides have no contrast value and are not in the mean."""


@dataclass(frozen=True, kw_only=True)
class DeckFigures:
    """The plain figures behind a deck's scores; population standard deviations."""

    n_slides: int
    mean_contrast: float | None
    """Mean over the slides that have a value, 0–1."""
    mean_distance_deg: float
    harmony_scores: tuple[float, ...]
    """Harmony of each slide, 0–1."""
    mean_harmony: float
    std_harmony: float
    mean_colourfulness: float
    std_colourfulness: float
    mean_entropy: float | None
    """In bits; None if a slide has no entropy."""
    normalised_entropies: tuple[float, ...]
    """Entropy of each slide brought to 0–1; empty if a slide has no entropy."""
    rmssd: float | None
    """Root mean square of successive differences of the normalised entropies; None for one slide."""
    overload_windows: tuple[int, ...]
    """Where windows of three too dense slides start, counted from 0. Reported, not scored."""
    interpretation: rhythm.Interpretation
    """Label of the reference's code."""
    band: rhythm.RhythmBand
    """Band of the paper's table 12."""


@dataclass(frozen=True, kw_only=True)
class DeckScores:
    """Aesthetics scores of one deck; higher is better."""

    harmony: Value
    """About -3 to 2 with the benchmark's parameters."""
    engagement: Value
    """0 to 10.5."""
    usability: Value
    """0 to 7."""
    rhythm: Value
    """Sum of the two halves, 0 to 16."""
    rhythm_entropy: Value
    rhythm_rmssd: Value
    total: Value
    """Sum of harmony, engagement, usability and rhythm; not clipped."""
    figures: DeckFigures
    flags: tuple[str, ...] = ()
    """Rules that applied to the deck or to one of its slides."""
    flagged_slides: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Flag → numbers of the slides it applies to."""


def deck_scores(
    measures: Sequence[SlideMeasures],
    parameters: AestheticsParameters,
    numbers: Sequence[int] | None = None,
) -> DeckScores:
    """Return the aesthetics scores of a deck.

    Args:
        measures: the deck's slides in order.
        parameters: weights, centres and widths.
        numbers: the slides' numbers, for flags; 1, 2, … if None.

    Raises:
        BadInput: if there is no slide.
    """
    numbers = range(1, len(measures) + 1) if numbers is None else numbers
    if len(numbers) != len(measures):
        raise ValueError(f"{len(numbers)} slide numbers for {len(measures)} slides")
    scores = deck_scores_from_raw(
        [each.contrast_mean for each in measures],
        [each.distance_deg for each in measures],
        [each.colourfulness for each in measures],
        [each.subband_entropy for each in measures],
        parameters,
        numbers=numbers,
    )
    flagged: dict[str, list[int]] = {}
    for number, each in zip(numbers, measures, strict=True):
        for flag in each.flags:
            flagged.setdefault(flag, []).append(number)
    scores = replace(
        scores,
        flags=(*scores.flags, *(flag for flag in flagged if flag not in scores.flags)),
        flagged_slides={
            **scores.flagged_slides,
            **{flag: tuple(of_flag) for flag, of_flag in flagged.items()},
        },
    )
    if scores.usability.value is None:
        reason = _why_no_contrast(measures)
        scores = replace(scores, usability=_undefined(reason))
        scores = replace(scores, total=_sum(scores.harmony, scores.engagement, scores.usability, scores.rhythm))
    return scores


def deck_scores_from_raw(
    contrast_means: Sequence[float | None],
    harmony_distances: Sequence[float],
    colourfulness: Sequence[float],
    entropies: Sequence[float | None],
    parameters: AestheticsParameters,
    numbers: Sequence[int] | None = None,
) -> DeckScores:
    """Return the aesthetics scores of a deck from one number per slide and metric.

    Args:
        contrast_means: mean contrast score of each slide, 0–1; None leaves a slide out of the mean.
        harmony_distances: hue distance of each slide in degrees.
        colourfulness: colourfulness of each slide.
        entropies: subband entropy of each slide in bits; None makes rhythm undefined.
        parameters: weights, centres and widths.
        numbers: the slides' numbers, for flags; 1, 2, … if None.

    Raises:
        BadInput: if there is no slide, the four do not have the same length, or a number is not finite.

    Source:
        SlidesGen-Bench section 2.3 and appendix F, with the arithmetic that its published result files show.
    """
    n_slides = len(harmony_distances)
    lengths = {len(contrast_means), n_slides, len(colourfulness), len(entropies)}
    if lengths == {0}:
        raise BadInput("The deck has no slides to score.", next_step="Check that its pictures were made.")
    if len(lengths) > 1:
        raise BadInput(
            "The four metrics do not have the same number of slides: "
            f"contrast {len(contrast_means)}, harmony {n_slides}, colourfulness {len(colourfulness)}, "
            f"entropy {len(entropies)}.",
            next_step="Measure all slides of the deck.",
        )
    _refuse_non_finite(contrast_means, harmony_distances, colourfulness, entropies)
    numbers = list(range(1, n_slides + 1)) if numbers is None else list(numbers)
    flags: list[str] = []
    flagged: dict[str, tuple[int, ...]] = {}

    known = [contrast for contrast in contrast_means if contrast is not None]
    mean_contrast = _mean(known) if known else None
    if mean_contrast is None:
        usability = _undefined("no slide has a contrast value")
    else:
        usability = Value(value=parameters.usability_scale * mean_contrast)
        if len(known) < n_slides:
            flags.append(SOME_WITHOUT_CONTRAST)
            flagged[SOME_WITHOUT_CONTRAST] = tuple(
                number for number, contrast in zip(numbers, contrast_means, strict=True) if contrast is None
            )

    harmonies = tuple(harmony_score(each, parameters.harmony_sigma_deg) for each in harmony_distances)
    mean_harmony, std_harmony = _mean(harmonies), _std(harmonies)
    harmony = Value(
        value=parameters.harmony_scale
        * (parameters.harmony_mean_weight * mean_harmony - parameters.harmony_spread_weight * std_harmony)
    )

    mean_colour, std_colour = _mean(colourfulness), _std(colourfulness)
    level = _gaussian(mean_colour, parameters.level_centre, parameters.level_width)
    pacing = _gaussian(std_colour, parameters.pacing_centre, parameters.pacing_width)
    engagement = Value(
        value=parameters.engagement_scale * (parameters.level_share * level + parameters.pacing_share * pacing)
    )

    pulse = _pulse(entropies, parameters, numbers)
    if n_slides == 1:
        flags.append(ONE_SLIDE)
    rhythm_sum = _sum(pulse.entropy_half, pulse.rmssd_half)
    return DeckScores(
        harmony=harmony,
        engagement=engagement,
        usability=usability,
        rhythm=rhythm_sum,
        rhythm_entropy=pulse.entropy_half,
        rhythm_rmssd=pulse.rmssd_half,
        total=_sum(harmony, engagement, usability, rhythm_sum),
        figures=DeckFigures(
            n_slides=n_slides,
            mean_contrast=mean_contrast,
            mean_distance_deg=_mean(harmony_distances),
            harmony_scores=harmonies,
            mean_harmony=mean_harmony,
            std_harmony=std_harmony,
            mean_colourfulness=mean_colour,
            std_colourfulness=std_colour,
            mean_entropy=pulse.mean_entropy,
            normalised_entropies=pulse.normalised,
            rmssd=pulse.rmssd,
            overload_windows=rhythm.overload_windows(pulse.normalised),
            interpretation=rhythm.interpretation(pulse.rmssd),
            band=rhythm.rhythm_band(pulse.rmssd),
        ),
        flags=tuple(flags),
        flagged_slides=flagged,
    )


@dataclass(frozen=True, kw_only=True)
class _Pulse:
    """The two halves of rhythm and what they come from."""

    entropy_half: Value
    rmssd_half: Value
    mean_entropy: float | None
    normalised: tuple[float, ...]
    rmssd: float | None


def _pulse(entropies: Sequence[float | None], parameters: AestheticsParameters, numbers: Sequence[int]) -> _Pulse:
    """Return both halves of rhythm; undefined if a slide has no entropy: its neighbours then miss one."""
    known = [each for each in entropies if each is not None]
    if len(known) < len(entropies):
        missing = [str(number) for number, each in zip(numbers, entropies, strict=True) if each is None]
        reason = f"no subband entropy for {_slides(missing)}: a side is shorter than 32 pixels"
        return _Pulse(
            entropy_half=_undefined(reason),
            rmssd_half=_undefined(reason),
            mean_entropy=None,
            normalised=(),
            rmssd=None,
        )
    most = parameters.rhythm_scale * parameters.rhythm_points
    mean_entropy = _mean(known)
    normalised = tuple(
        rhythm.normalised_entropy(each, parameters.sigmoid_slope, parameters.sigmoid_centre) for each in known
    )
    difference = rhythm.rmssd(normalised)
    scored = 0.0 if difference is None and parameters.single_slide_reference else difference
    share = 0.0 if scored is None else rhythm.rhythm_share(scored, parameters.rmssd_target, parameters.rmssd_half_width)
    return _Pulse(
        entropy_half=Value(value=most * _gaussian(mean_entropy, parameters.entropy_centre, parameters.entropy_width)),
        rmssd_half=Value(value=most * share),
        mean_entropy=mean_entropy,
        normalised=normalised,
        rmssd=difference,
    )


def _why_no_contrast(measures: Sequence[SlideMeasures]) -> str:
    """Return why not one slide of a deck has a contrast value."""
    unknown = sum(slides.NO_REGIONS in each.flags for each in measures)
    if unknown == len(measures):
        return "text regions are not known for any slide"
    if unknown == 0:
        return "no slide has a text region"
    return f"text regions are not known for {unknown} slides, and the other {len(measures) - unknown} have none"


def _slides(numbers: Sequence[str]) -> str:
    return f"slide {numbers[0]}" if len(numbers) == 1 else f"slides {', '.join(numbers)}"


def _refuse_non_finite(*columns: Sequence[float | None]) -> None:
    names = ("contrast", "harmony", "colourfulness", "entropy")
    for name, column in zip(names, columns, strict=True):
        for number, each in enumerate(column, start=1):
            if each is not None and not math.isfinite(each):
                raise BadInput(f"The {name} of slide {number} is {each}.", next_step="Measure it again.")


def _undefined(reason: str) -> Value:
    return Value(value=None, undefined_reason=reason)


def _sum(*parts: Value) -> Value:
    """Return the sum of the parts, or the reasons why there is none."""
    reasons = list(dict.fromkeys(part.undefined_reason for part in parts if part.undefined_reason))
    if reasons:
        return _undefined("; ".join(reasons))
    return Value(value=math.fsum(part.value for part in parts if part.value is not None))


def _gaussian(at: float, centre: float, width: float) -> float:
    return math.exp(-((at - centre) ** 2) / (2.0 * width**2))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _std(values: Sequence[float]) -> float:
    """Return the population standard deviation."""
    mean = _mean(values)
    return math.sqrt(math.fsum((each - mean) ** 2 for each in values) / len(values))
