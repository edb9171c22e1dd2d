"""How well text stands out from what is behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.metrics.colour import LINEAR, LUMINANCE_WEIGHTS, Picture, luminance

TAIL_PERCENT = 10.0
"""The darkest and the lightest tenth of a region stand for its two sides."""
GLARE = 0.05
"""Added to both luminances (WCAG 2.1, contrast ratio)."""
MAX_RATIO = 21.0
"""Contrast ratio of black and white."""
GRID = 4
"""Cells per side of the grid that stands in for text regions when that is asked for."""


@dataclass(frozen=True, kw_only=True)
class RegionContrast:
    """Contrast of one text region."""

    label: str
    box_px: tuple[int, int, int, int]
    """x0, y0, x1, y1 of what was measured; x1 and y1 lie just outside."""
    score: float
    """ln(contrast ratio) / ln 21, 0–1."""
    contrast_ratio: float
    """1–21, of the lightest to the darkest tenth. Near 1 where ink covers less than a tenth of the box."""
    ink_share: float
    """Share 0–0.5 of the smaller of the two groups that Otsu's threshold makes; 0 for a flat region."""
    stroke_contrast_ratio: float
    """1–21, between those two groups: does not depend on how tight the box is."""


def region_contrast(rgb: Picture, box_px: tuple[int, int, int, int], label: str) -> RegionContrast:
    """Return the contrast of one region of a slide.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255.
        box_px: x0, y0, x1, y1 inside the picture, at least one pixel wide and high.
        label: what a detector or a deck's file calls the region.

    Source:
        SlidesGen-Bench section 2.3; WCAG 2.1. The tails are the means of the pixels up to the 10th and from
        the 90th percentile of luminance.
    """
    x0, y0, x1, y1 = box_px
    crop = np.ascontiguousarray(rgb[y0:y1, x0:x1])
    light = luminance(crop).ravel()
    low, high = np.percentile(light, (TAIL_PERCENT, 100.0 - TAIL_PERCENT))
    ratio = contrast_ratio(float(light[light >= high].mean()), float(light[light <= low].mean()))
    ink_share, stroke_ratio = _ink(crop, light)
    return RegionContrast(
        label=label,
        box_px=box_px,
        score=contrast_score(ratio),
        contrast_ratio=ratio,
        ink_share=ink_share,
        stroke_contrast_ratio=stroke_ratio,
    )


def contrast_ratio(lighter: float, darker: float) -> float:
    """Return the WCAG contrast ratio, 1–21, of two relative luminances."""
    # Two means of equal pixels can differ in the last bit either way.
    return max(1.0, (lighter + GLARE) / (darker + GLARE))


def contrast_score(ratio: float) -> float:
    """Return a contrast ratio on a logarithmic scale from 0 (1:1) to 1 (21:1)."""
    return math.log(ratio) / math.log(MAX_RATIO)


def _ink(crop: Picture, light: NDArray[np.float64]) -> tuple[float, float]:
    """Return the share of ink and the contrast ratio of ink and background."""
    grey = cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY)
    if int(grey.min()) == int(grey.max()):
        return 0.0, 1.0
    threshold, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    is_light = grey.ravel() > threshold
    share = float(is_light.mean())
    if share in (0.0, 1.0):
        return 0.0, 1.0
    sides = sorted((float(light[is_light].mean()), float(light[~is_light].mean())))
    return min(share, 1.0 - share), contrast_ratio(sides[1], sides[0])


def grid_contrast(rgb: Picture) -> tuple[float, float, float]:
    """Return mean, smallest and largest contrast score of the neighbouring cells of a 4×4 grid.

    It says next to nothing about text: a slide's text hardly moves the mean of a cell. It is here so that
    values that were computed without text regions can be reproduced, and only used on request.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255; at least 4 pixels per side.

    Raises:
        ValueError: if a side is shorter than 4 pixels.
    """
    height, width = rgb.shape[:2]
    if min(height, width) < GRID:
        raise ValueError(f"a {GRID}×{GRID} grid needs sides of {GRID} pixels, not {width}×{height}")
    rows = [height * row // GRID for row in range(GRID + 1)]
    columns = [width * column // GRID for column in range(GRID + 1)]
    cells = [
        [_mean_luminance(rgb[rows[r] : rows[r + 1], columns[c] : columns[c + 1]]) for c in range(GRID)]
        for r in range(GRID)
    ]
    pairs = [(cells[r][c], cells[r][c + 1]) for r in range(GRID) for c in range(GRID - 1)]
    pairs += [(cells[r][c], cells[r + 1][c]) for r in range(GRID - 1) for c in range(GRID)]
    scores = [contrast_score(contrast_ratio(max(pair), min(pair))) for pair in pairs]
    return math.fsum(scores) / len(scores), min(scores), max(scores)


def _mean_luminance(cell: Picture) -> float:
    """Return the mean relative luminance of a cell from the counts of its 256 values per channel."""
    mean = 0.0
    for channel, weight in enumerate(LUMINANCE_WEIGHTS):
        counts = np.bincount(cell[..., channel].ravel(), minlength=256)
        mean += weight * float((counts * LINEAR).sum()) / (cell.shape[0] * cell.shape[1])
    return mean
