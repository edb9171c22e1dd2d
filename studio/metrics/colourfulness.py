"""How colourful a slide looks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2

from studio.metrics.colour import Picture

_CHUNK_PX = 1 << 15
"""Pixels that are summed at once: fresh memory for whole planes costs more time than the sums."""


@dataclass(frozen=True, kw_only=True)
class Colourfulness:
    """Colourfulness of one slide and the two opponent channels that it is made of."""

    value: float
    """Unitless; 0 for pure grey; not bounded above."""
    red_green_mean: float
    """Mean of R - G, -255–255."""
    red_green_std: float
    yellow_blue_mean: float
    """Mean of (R + G)/2 - B, -255–255."""
    yellow_blue_std: float


def colourfulness(rgb: Picture) -> Colourfulness:
    """Return how colourful one rendered slide looks.

    The sums are taken over whole numbers, so the value does not depend on the order of the pixels.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255, contiguous.

    Source:
        Hasler & Süsstrunk (2003), "Measuring colourfulness in natural images"; SlidesGen-Bench section 2.3
        and F.3.
    """
    height, width = rgb.shape[:2]
    count = height * width
    rg_sum = rg_squares = yb_sum = yb_squares = 0
    rows = max(1, _CHUNK_PX // width)
    for top in range(0, height, rows):
        red, green, blue = cv2.split(rgb[top : top + rows])
        red_green = cv2.subtract(red, green, dtype=cv2.CV_16S)
        # Twice the yellow–blue channel, -510–510, stays a whole number.
        twice_yellow_blue = cv2.subtract(
            cv2.add(red, green, dtype=cv2.CV_16S), cv2.add(blue, blue, dtype=cv2.CV_16S), dtype=cv2.CV_16S
        )
        rg_sum += _sum(red_green)
        rg_squares += _sum_of_squares(red_green)
        yb_sum += _sum(twice_yellow_blue)
        yb_squares += _sum_of_squares(twice_yellow_blue)
    rg_variance = (count * rg_squares - rg_sum * rg_sum) / (count * count)
    yb_variance = (count * yb_squares - yb_sum * yb_sum) / (4 * count * count)
    rg_mean = rg_sum / count
    yb_mean = yb_sum / (2 * count)
    return Colourfulness(
        value=math.sqrt(rg_variance + yb_variance) + 0.3 * math.hypot(rg_mean, yb_mean),
        red_green_mean=rg_mean,
        red_green_std=math.sqrt(rg_variance),
        yellow_blue_mean=yb_mean,
        yellow_blue_std=math.sqrt(yb_variance),
    )


def _sum(channel: cv2.typing.MatLike) -> int:
    return round(cv2.sumElems(channel)[0])


def _sum_of_squares(channel: cv2.typing.MatLike) -> int:
    # OpenCV squares a root again, so the double it returns can be off by 1e-16 of itself. A chunk's sum stays
    # far below 2^52, so rounding gives the whole number back.
    return round(cv2.norm(channel, cv2.NORM_L2SQR))
