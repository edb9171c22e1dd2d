"""How well the hues of a slide fit one of the harmonic templates of the colour wheel.

A slide of a million pixels has at most 180 different hues in OpenCV's 8-bit HSV. So instead of measuring
every pixel against every rotated template, the hues are counted once, weighted by saturation, and the
180 weights meet a fixed table of distances. The result is the same number, not an approximation.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.metrics.colour import Picture

TEMPLATES: dict[str, tuple[tuple[int, int], ...]] = {
    "i": ((0, 180),),
    "V": ((0, 936),),
    "L": ((0, 180), (90, 792)),
    "mirror_L": ((0, 180), (-90, 792)),
    "I": ((0, 180), (180, 180)),
    "T": ((90, 1800),),
    "Y": ((0, 936), (180, 180)),
    "X": ((0, 936), (180, 936)),
}
"""Name → sectors (centre in degrees, width in tenths of a degree).

Source: Cohen-Or et al. (2006), "Color harmonization"; SlidesGen-Bench table 9. The paper lists seven; the
published results have ``mirror_L`` too. The order decides which of equally good templates is named.
"""

ROTATIONS = 360
"""Rotations tried per template, one degree apart."""
HUE_BINS = 180
"""Hues of OpenCV's 8-bit HSV, two degrees apart."""
DEGREES_PER_BIN = 2


@dataclass(frozen=True, kw_only=True)
class Harmony:
    """Where the hues of one slide lie against the best template."""

    distance_deg: float
    """Saturation-weighted mean arc distance to the best template in degrees; 0 if all hues lie inside it."""
    best_template: str | None
    """None for a slide without any saturated pixel."""
    best_rotation_deg: int | None
    """Rotation of the best template, 0–359; the smallest of equally good ones."""
    template_distances_deg: dict[str, float]
    """Template → distance at its best rotation; empty for a slide without any saturated pixel."""
    hue_weights: tuple[float, ...]
    """Sum of saturations (0–1) at each of the 180 hues."""

    @property
    def is_achromatic(self) -> bool:
        """True if no pixel is saturated enough to count."""
        return self.best_template is None


@dataclass(frozen=True, kw_only=True)
class StrayHue:
    """A hue that lies outside the best template of its slide."""

    hue_deg: int
    """0–358, in steps of 2."""
    distance_deg: float
    """Arc distance to the nearest border of the template."""
    share: float
    """Share 0–1 of the slide's saturation that has this hue."""


def stray_hues(harmony: Harmony) -> tuple[StrayHue, ...]:
    """Return the hues that keep a slide from fitting its best template, those that cost most first.

    Their distances times their shares add up to the slide's distance.
    """
    if harmony.best_template is None or harmony.best_rotation_deg is None:
        return ()
    row = list(TEMPLATES).index(harmony.best_template) * ROTATIONS + harmony.best_rotation_deg
    total = math.fsum(harmony.hue_weights)
    strays = [
        StrayHue(hue_deg=DEGREES_PER_BIN * hue, distance_deg=float(distance), share=weight / total)
        for hue, (distance, weight) in enumerate(zip(distance_table()[row], harmony.hue_weights, strict=True))
        if distance > 0.0 and weight > 0.0
    ]
    return tuple(sorted(strays, key=lambda stray: stray.distance_deg * stray.share, reverse=True))


@functools.cache
def distance_table() -> NDArray[np.float64]:
    """Return the arc distance in degrees from each hue to each rotated template.

    Returns:
        (8 templates · 360 rotations, 180 hues); rows go through the rotations of one template first.
    """
    tenths = np.empty((len(TEMPLATES), ROTATIONS, HUE_BINS), np.int64)
    hues = np.arange(HUE_BINS) * (10 * DEGREES_PER_BIN)
    rotations = np.arange(ROTATIONS)[:, None] * 10
    for row, sectors in enumerate(TEMPLATES.values()):
        to_border = [
            np.abs((hues - (10 * centre + rotations) + 1800) % 3600 - 1800) - width // 2 for centre, width in sectors
        ]
        tenths[row] = np.maximum(np.min(to_border, axis=0), 0)
    table: NDArray[np.float64] = tenths.reshape(-1, HUE_BINS) / 10.0
    table.flags.writeable = False
    return table


def hue_weights(rgb: Picture, min_saturation: float) -> NDArray[np.float64]:
    """Return how much saturation each hue of a picture has.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255, contiguous.
        min_saturation: HSV saturation 0–1 below which a pixel does not count.

    Returns:
        (180,): sum over the pixels of that hue of their saturation 0–1.
    """
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
    counts = cv2.calcHist([hsv], [0, 1], None, [HUE_BINS, 256], [0, HUE_BINS, 0, 256]).astype(np.float64)
    saturation = np.arange(256) / 255.0
    saturation[saturation < min_saturation] = 0.0
    # einsum instead of a matrix product: no BLAS, so no threads and the same sum on every machine.
    weights: NDArray[np.float64] = np.einsum("hs,s->h", counts, saturation)
    return weights


def harmony(rgb: Picture, min_saturation: float = 0.1) -> Harmony:
    """Return how far the hues of one rendered slide lie from the nearest harmonic template.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255, contiguous.
        min_saturation: HSV saturation 0–1 below which a pixel does not count.

    Source:
        SlidesGen-Bench section 2.3 and tables 9 and 10; Cohen-Or et al. (2006).
    """
    return harmony_of_hues(hue_weights(rgb, min_saturation))


def harmony_of_hues(weights: NDArray[np.float64]) -> Harmony:
    """Return the harmony of a slide whose hues have the given weights.

    Args:
        weights: (180,), sum of saturations at each hue, two degrees apart.
    """
    total = float(weights.sum())
    stored = tuple(float(weight) for weight in weights)
    if total <= 0.0:
        return Harmony(
            distance_deg=0.0,
            best_template=None,
            best_rotation_deg=None,
            template_distances_deg={},
            hue_weights=stored,
        )
    present = np.flatnonzero(weights)
    sums = np.einsum("th,h->t", distance_table()[:, present], weights[present])
    distances = (sums / total).reshape(len(TEMPLATES), ROTATIONS)
    rotation = distances.argmin(axis=1)
    nearest = distances.min(axis=1)
    best = int(nearest.argmin())
    return Harmony(
        distance_deg=float(nearest[best]),
        best_template=list(TEMPLATES)[best],
        best_rotation_deg=int(rotation[best]),
        template_distances_deg=dict(zip(TEMPLATES, nearest.tolist(), strict=True)),
        hue_weights=stored,
    )


def harmony_score(distance_deg: float, sigma_deg: float) -> float:
    """Return the harmony, 0–1, that a hue distance earns.

    Source:
        SlidesGen-Bench F.4: exp(-D² / 2σ²).
    """
    return math.exp(-(distance_deg**2) / (2.0 * sigma_deg**2))
