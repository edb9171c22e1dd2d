"""Aesthetics scores of thousands of measured decks at once, for trying parameters out.

`studio.metrics.aesthetics.deck_scores_from_raw` is what scores mean. This module repeats its arithmetic over
arrays, since a search scores every deck of a project some hundred times; both agree to 1e-12, and what a search
ends with is stated from the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.metrics.parameters import AestheticsParameters

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class RawSlides:
    """The four raw figures of each slide of one deck, in slide order."""

    contrast_means: tuple[float | None, ...]
    """0–1; None for a slide without known text regions."""
    distances_deg: tuple[float, ...]
    colourfulness: tuple[float, ...]
    entropies: tuple[float | None, ...]
    """Subband entropy in bits; None for a slide that is too small."""


@dataclass(frozen=True, kw_only=True)
class RawDecks:
    """The slides of many decks, one after the other. A deck has one slide at least."""

    starts: NDArray[np.int64]
    """(decks,) where the slides of each deck begin."""
    counts: FloatArray
    """(decks,) slides of each deck."""
    contrast: FloatArray
    """(slides,); NaN where a slide has none. So are the others, but distance and colour have no gaps."""
    distance: FloatArray
    colour: FloatArray
    entropy: FloatArray

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True, kw_only=True)
class DeckComponents:
    """The aesthetics scores of each deck, (decks,) each; NaN where one is undefined."""

    harmony: FloatArray
    engagement: FloatArray
    usability: FloatArray
    rhythm: FloatArray
    total: FloatArray


def raw_decks(decks: Iterable[RawSlides]) -> RawDecks:
    """Return many decks as arrays.

    Raises:
        ValueError: for a deck without slides, or whose four lists differ in length.
    """
    decks = list(decks)
    counts = np.array([len(deck.distances_deg) for deck in decks], dtype=np.int64)
    for deck in decks:
        lengths = {len(each) for each in (deck.contrast_means, deck.distances_deg, deck.colourfulness, deck.entropies)}
        if len(lengths) > 1 or 0 in lengths:
            raise ValueError(f"a deck needs its four figures for each of one or more slides, not {sorted(lengths)}")
    return RawDecks(
        starts=np.cumsum(counts) - counts,
        counts=counts.astype(np.float64),
        contrast=_column([deck.contrast_means for deck in decks]),
        distance=_column([deck.distances_deg for deck in decks]),
        colour=_column([deck.colourfulness for deck in decks]),
        entropy=_column([deck.entropies for deck in decks]),
    )


def components_of(raw: RawDecks, parameters: AestheticsParameters) -> DeckComponents:
    """Return the scores of every deck with these parameters.

    Source:
        SlidesGen-Bench section 2.3 and appendix F; see `studio.metrics.aesthetics.deck_scores_from_raw`.
    """
    if not len(raw):
        nothing = np.array([], dtype=np.float64)
        return DeckComponents(harmony=nothing, engagement=nothing, usability=nothing, rhythm=nothing, total=nothing)
    p = parameters
    is_known = ~np.isnan(raw.contrast)
    n_known = _sums(raw, is_known.astype(np.float64))
    with np.errstate(invalid="ignore", divide="ignore"):
        contrast = np.where(n_known > 0, _sums(raw, np.nan_to_num(raw.contrast)) / n_known, np.nan)
    usability = p.usability_scale * contrast
    with np.errstate(under="ignore"):
        scores = np.exp(-(raw.distance**2) / (2.0 * p.harmony_sigma_deg**2))
    harmony_mean, harmony_std = _mean_std(raw, scores)
    harmony = p.harmony_scale * (p.harmony_mean_weight * harmony_mean - p.harmony_spread_weight * harmony_std)
    colour_mean, colour_std = _mean_std(raw, raw.colour)
    engagement = p.engagement_scale * (
        p.level_share * _gaussian(colour_mean, p.level_centre, p.level_width)
        + p.pacing_share * _gaussian(colour_std, p.pacing_centre, p.pacing_width)
    )
    rhythm = _rhythm(raw, p)
    return DeckComponents(
        harmony=harmony,
        engagement=engagement,
        usability=usability,
        rhythm=rhythm,
        total=harmony + engagement + usability + rhythm,
    )


def _rhythm(raw: RawDecks, p: AestheticsParameters) -> FloatArray:
    most = p.rhythm_scale * p.rhythm_points
    entropy_half = most * _gaussian(_sums(raw, raw.entropy) / raw.counts, p.entropy_centre, p.entropy_width)
    with np.errstate(over="ignore"):
        pulse = 1.0 / (1.0 + np.exp(-p.sigmoid_slope * (raw.entropy - p.sigmoid_centre)))
    squares = np.zeros(len(pulse))
    squares[1:] = np.diff(pulse) ** 2
    squares[raw.starts] = 0.0  # the first slide of a deck follows none
    is_single = raw.counts == 1
    with np.errstate(invalid="ignore", divide="ignore"):
        rmssd = np.sqrt(_sums(raw, squares) / (raw.counts - 1))
    rmssd = np.where(is_single, 0.0, rmssd)
    share = np.maximum(0.0, 1.0 - np.abs(rmssd - p.rmssd_target) / p.rmssd_half_width)
    if not p.single_slide_reference:
        share = np.where(is_single, 0.0, share)
    return np.asarray(entropy_half + most * share, dtype=np.float64)


def _column(values: Sequence[Sequence[float | None]]) -> FloatArray:
    return np.array([np.nan if each is None else each for column in values for each in column], dtype=np.float64)


def _sums(raw: RawDecks, slides: FloatArray) -> FloatArray:
    return np.asarray(np.add.reduceat(slides, raw.starts), dtype=np.float64)


def _mean_std(raw: RawDecks, slides: FloatArray) -> tuple[FloatArray, FloatArray]:
    mean = _sums(raw, slides) / raw.counts
    away = slides - np.repeat(mean, raw.counts.astype(np.int64))
    return mean, np.sqrt(_sums(raw, away**2) / raw.counts)


def _gaussian(at: FloatArray, centre: float, width: float) -> FloatArray:
    return np.asarray(np.exp(-((at - centre) ** 2) / (2.0 * width**2)), dtype=np.float64)
