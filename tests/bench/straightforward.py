"""The aesthetics metrics written down as the formulas read, with no thought for speed.

It is what the studio's metrics are timed against and what they are checked against: every pixel against
every rotated template, pyrtools and ``np.histogram`` for the bands, scikit-image for CIELAB.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import cv2
import numpy as np
import pyrtools
import skimage.color
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Centre and width as fractions of the circle, as the paper's table 9 has them, with the eighth template.
SECTORS: dict[str, list[tuple[float, float]]] = {
    "i": [(0.0, 0.05)],
    "V": [(0.0, 0.26)],
    "L": [(0.0, 0.05), (0.25, 0.22)],
    "mirror_L": [(0.0, 0.05), (-0.25, 0.22)],
    "I": [(0.0, 0.05), (0.5, 0.05)],
    "T": [(0.25, 0.50)],
    "Y": [(0.0, 0.26), (0.5, 0.05)],
    "X": [(0.0, 0.26), (0.5, 0.26)],
}
N_PASSES = 8 * 360


def colourfulness(rgb: NDArray[np.uint8]) -> float:
    red, green, blue = (rgb[..., channel].astype(float) for channel in range(3))
    rg = red - green
    yb = 0.5 * (red + green) - blue
    spread = math.sqrt(np.var(rg) + np.var(yb))
    return spread + 0.3 * math.sqrt(np.mean(rg) ** 2 + np.mean(yb) ** 2)


def hues_and_saturations(rgb: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Return the hue in degrees and the saturation 0–1 of each pixel that is saturated enough."""
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV).astype(float)
    hue, saturation = 2.0 * hsv[..., 0].ravel(), hsv[..., 1].ravel() / 255.0
    counts = saturation >= 0.1
    return hue[counts], saturation[counts]


def harmony_pass(hue: Floats, saturation: Floats, template: str, rotation: int) -> float:
    """Return the mean distance in degrees to one template at one rotation: one look at every pixel."""
    nearest = np.full(hue.shape, np.inf)
    inside = np.zeros(hue.shape, bool)
    for centre, width in SECTORS[template]:
        apart = np.abs(hue - (360.0 * centre + rotation)) % 360.0
        arc = np.minimum(apart, 360.0 - apart)
        half = 360.0 * width / 2.0
        inside |= arc < half
        nearest = np.minimum(nearest, np.abs(arc - half))
    nearest[inside] = 0.0
    return float((nearest * saturation).sum() / saturation.sum())


def harmony(rgb: NDArray[np.uint8]) -> dict[str, float]:
    """Return the smallest distance in degrees to each template; empty for a slide without hues."""
    hue, saturation = hues_and_saturations(rgb)
    if not hue.size:
        return {}
    return {name: min(harmony_pass(hue, saturation, name, rotation) for rotation in range(360)) for name in SECTORS}


def luminance(rgb: NDArray[np.uint8]) -> Floats:
    encoded = rgb / 255.0
    linear = np.where(encoded <= 0.03928, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    return np.asarray(0.2126 * linear[..., 0] + 0.7152 * linear[..., 1] + 0.0722 * linear[..., 2])


def region_score(rgb: NDArray[np.uint8], box: tuple[int, int, int, int]) -> float:
    x0, y0, x1, y1 = box
    light = luminance(rgb[y0:y1, x0:x1])
    darkest = light[light <= np.percentile(light, 10)].mean()
    lightest = light[light >= np.percentile(light, 90)].mean()
    return math.log((lightest + 0.05) / (darkest + 0.05)) / math.log(21.0)


def pyramid_bands(plane: Floats) -> Iterator[Floats]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It warns about odd sizes, whose bands it defines too.
        built = pyrtools.pyramids.SteerablePyramidFreq(plane, height=3, order=3)
    yield built.pyr_coeffs["residual_highpass"]
    for level in range(3):
        for turn in range(4):
            yield built.pyr_coeffs[(level, turn)]
    yield built.pyr_coeffs["residual_lowpass"]


def band_entropy(band: Floats, flat_below: float = 1e-6) -> float:
    if np.ptp(band) < flat_below:
        return 0.0
    counts, _ = np.histogram(band, bins=math.ceil(math.sqrt(band.size)))
    shares = counts[counts > 0] / band.size
    return float(-(shares * np.log2(shares)).sum())


def channel_entropies(rgb: NDArray[np.uint8]) -> list[float]:
    lab = skimage.color.rgb2lab(rgb)
    planes = (lab[..., 0] / 100.0, (lab[..., 1] + 128.0) / 255.0, (lab[..., 2] + 128.0) / 255.0)
    return [
        0.0 if np.ptp(plane) < 0.008 else float(np.mean([band_entropy(band) for band in pyramid_bands(plane)]))
        for plane in planes
    ]


def subband_entropy(rgb: NDArray[np.uint8]) -> float:
    lightness, a, b = channel_entropies(rgb)
    return 0.84 * lightness + 0.08 * a + 0.08 * b
