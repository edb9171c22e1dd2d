"""Plain figures that designers look at: empty space, edges, balance, amount of text, contrast of brightness.

They are cues, not verdicts: none of them has a best value, so a score is the figure itself, and a negative
alignment says that people like less of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.metrics.colour import Picture
from studio.model.scores import Value

BACKGROUND_WITHIN = 5.0
"""CIELAB distance (CIE 1976) from the background's colour up to which a pixel belongs to the background:
about twice what is just noticeable, so a plain ground with the noise of compression stays whole."""
EDGE_LEAST = 4.0
"""Sobel magnitude, in L per two pixels, below which there are no edges: rounding and the noise of compression."""
TILE_PX = 40
"""Side of the tiles in which colours are counted."""
PHOTO_COLOURS = 24
"""Different colours, at 4 bits per channel, from which a tile counts as photographic. Text on a plain ground
has at most the 16 steps between two colours."""
_SHADES = 16


@dataclass(frozen=True, kw_only=True)
class SlideCues:
    """The cues of one slide, and what they were taken from."""

    whitespace: float
    """Share 0–1 of the pixels that look like the background."""
    edge_density: float
    """Share 0–1 of the pixels on an edge."""
    balance: float | None
    """1 if what is on the slide is centred, 0 if all of it lies in a corner; None for an empty slide."""
    text_density: float | None
    """Share 0–1 of the slide that its text regions cover; None if nobody knows where text is."""
    brightness_contrast: float
    """Standard deviation of L, 0–50."""
    background_lightness: float
    """L of the background's colour, 0–100."""
    photo_share: float
    """Share 0–1 of the slide that is photographic: tiles with many colours. For style buckets, no metric."""


CUES = ("whitespace", "edge_density", "balance", "text_density", "brightness_contrast")
"""The cues that are metrics; their names there are ``cues.`` and this."""


def slide_cues(
    rgb: Picture, lab: NDArray[np.float32], text_boxes: Sequence[tuple[int, int, int, int]] | None
) -> SlideCues:
    """Return the cues of one rendered slide.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255, contiguous.
        lab: (3, height, width), the same picture in CIELAB.
        text_boxes: x0, y0, x1, y1 of the text regions in pixels; None if nobody knows them.

    Source:
        The cue list of arXiv 2508.19289, which names the cues; thresholds are the studio's, as said at
        their constants. Colourfulness and hue harmony, the other two, are metrics already.
    """
    codes = _coarse_colours(rgb)
    background = _background(lab, codes)
    distance = np.square(lab[0] - background[0])
    distance += np.square(lab[1] - background[1])
    distance += np.square(lab[2] - background[2])
    is_ink = (distance > BACKGROUND_WITHIN**2).view(np.uint8)
    ink = cv2.countNonZero(is_ink)
    _, spread = cv2.meanStdDev(lab[0])
    return SlideCues(
        whitespace=1.0 - ink / is_ink.size,
        edge_density=edge_density(lab[0]),
        balance=_balance(is_ink) if ink else None,
        text_density=None if text_boxes is None else covered_share(text_boxes, rgb.shape[1], rgb.shape[0]),
        brightness_contrast=float(spread[0, 0]),
        background_lightness=float(background[0]),
        photo_share=_photo_share(codes),
    )


def edge_density(lightness: NDArray[np.float32]) -> float:
    """Return the share of pixels whose Sobel magnitude is above Otsu's threshold; 0 for a slide without edges.

    Args:
        lightness: (height, width), L 0–100.
    """
    across = cv2.Sobel(lightness, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(lightness, cv2.CV_32F, 0, 1, ksize=3)
    magnitude = cv2.magnitude(across, down)
    largest = float(magnitude.max())
    if largest < EDGE_LEAST:
        return 0.0
    steps = cv2.convertScaleAbs(magnitude, alpha=255.0 / largest)
    _threshold, is_edge = cv2.threshold(steps, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return cv2.countNonZero(is_edge) / is_edge.size


def covered_share(boxes: Sequence[tuple[int, int, int, int]], width: int, height: int) -> float:
    """Return the share 0–1 of a picture that boxes cover; what two of them cover counts once."""
    covered = np.zeros((height, width), np.uint8)
    for x0, y0, x1, y1 in boxes:
        covered[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = 1
    return cv2.countNonZero(covered) / covered.size


def deck_cue(name: str, slides: Sequence[SlideCues]) -> Value:
    """Return a deck's value of a cue: the mean over the slides that have one, or why there is none."""
    known = [value for value in (getattr(each, name) for each in slides) if value is not None]
    if not known:
        why = {"text_density": "text regions are not known for any slide", "balance": "every slide is empty"}
        return Value(value=None, undefined_reason=why[name])
    return Value(value=math.fsum(known) / len(known))


def why_no_cue(name: str) -> str:
    """Return why a slide has no value of a cue."""
    return {"text_density": "no_regions", "balance": "empty_slide"}[name]


def _coarse_colours(rgb: Picture) -> NDArray[np.uint16]:
    """Return each pixel's colour in 16 steps per channel, as one number 0–4095."""
    steps = (rgb >> 4).astype(np.uint16)
    steps[..., 0] <<= 8
    steps[..., 1] <<= 4
    return np.asarray(steps[..., 0] | steps[..., 1] | steps[..., 2], dtype=np.uint16)


def _background(lab: NDArray[np.float32], codes: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return the background's colour in CIELAB: the mean of the most frequent of 4,096 coarse colours."""
    counts = cv2.calcHist([codes], [0], None, [_SHADES**3], [0.0, float(_SHADES**3)])
    is_most = (codes == int(counts.argmax())).view(np.uint8)
    return np.array([cv2.mean(plane, mask=is_most)[0] for plane in lab])


def _balance(is_ink: NDArray[np.uint8]) -> float:
    """Return 1 - the distance of the ink's centre from the slide's, in half diagonals."""
    height, width = is_ink.shape
    moments = cv2.moments(is_ink, binaryImage=True)
    # The centre of pixel 0 lies half a pixel inside the edge.
    dx = moments["m10"] / moments["m00"] + 0.5 - width / 2
    dy = moments["m01"] / moments["m00"] + 0.5 - height / 2
    return 1.0 - math.hypot(dx, dy) / (math.hypot(width, height) / 2)


def _photo_share(codes: NDArray[np.uint16]) -> float:
    """Return the share of the picture's pixels in tiles of many colours."""
    height, width = codes.shape
    columns = -(-width // TILE_PX)
    photographic = 0
    column_of = np.arange(width) // TILE_PX * _SHADES**3
    for top in range(0, height, TILE_PX):
        band = codes[top : top + TILE_PX]
        seen = np.zeros(columns * _SHADES**3, np.bool_)
        seen[(band + column_of).ravel()] = True
        many = seen.reshape(columns, -1).sum(axis=1) >= PHOTO_COLOURS
        widths = np.minimum(TILE_PX, width - np.arange(columns) * TILE_PX)
        photographic += int((many * widths).sum()) * len(band)
    return float(photographic / (height * width))
