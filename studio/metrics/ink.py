"""Text regions known as shares of a page, brought to pixels and drawn tight around their ink.

Usability looks at the darkest and lightest tenth of a region, so a box with much empty space around its
text scores lower than the same text in a tight box. Detectors draw tight boxes; page geometry has line
heights and margins in it. Tightening makes the two comparable.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np

from studio.metrics.colour import Picture
from studio.metrics.slides import PixelBox

INK_LEAST = 8
"""Difference from the background, of 255 in any channel, below which nothing counts as ink."""
INK_SHARE = 0.25
"""Share of the largest difference in the box from which a pixel counts as ink: less is the rim of a
glyph's anti-aliasing or noise of compression."""
_ON_GRID = 1e-6
"""A border this close to a pixel border, in pixels, lies on it: shares of whole pixels come back whole."""


class TightBox(NamedTuple):
    """A box around the ink inside another box."""

    box: PixelBox
    has_ink: bool
    """False if nothing in the box differs from its background; the box is then as it was."""


def outward_box(label: str, shares: tuple[float, float, float, float], width_px: int, height_px: int) -> PixelBox:
    """Return the smallest box of whole pixels that holds a box given as shares of the page.

    Args:
        label: what the box holds.
        shares: x0, y0, x1, y1 as shares 0–1 of width and height.
        width_px: width of the picture.
        height_px: height of the picture.
    """
    x0, y0, x1, y1 = shares
    return PixelBox(
        label=label,
        x0=math.floor(x0 * width_px + _ON_GRID),
        y0=math.floor(y0 * height_px + _ON_GRID),
        x1=math.ceil(x1 * width_px - _ON_GRID),
        y1=math.ceil(y1 * height_px - _ON_GRID),
    )


def tightened(rgb: Picture, box: PixelBox) -> TightBox:
    """Return the smallest box around the ink inside a box.

    The background is the most frequent colour of the box (channels in 16 steps). Ink is what differs from
    it, in the channel that differs most, by at least 8 of 255 and by at least a quarter of the largest
    difference in the box. On a gradient or a photo nearly everything is ink, and the box stays as it is.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255.
        box: what lies outside the picture is left as it is.
    """
    height, width = rgb.shape[:2]
    x0, y0, x1, y1 = max(box.x0, 0), max(box.y0, 0), min(box.x1, width), min(box.y1, height)
    if x1 <= x0 or y1 <= y0:
        return TightBox(box, has_ink=True)
    crop = rgb[y0:y1, x0:x1].astype(np.int16)
    steps = crop >> 4
    codes = (steps[..., 0] << 8) + (steps[..., 1] << 4) + steps[..., 2]
    is_background = codes == np.bincount(codes.ravel(), minlength=4096).argmax()
    background = np.median(crop[is_background], axis=0)
    difference = np.abs(crop - background).max(axis=2)
    largest = float(difference.max())
    if largest < INK_LEAST:
        return TightBox(box, has_ink=False)
    ink = (difference >= max(INK_LEAST, INK_SHARE * largest)).astype(np.uint8)
    left, top, ink_width, ink_height = cv2.boundingRect(ink)
    return TightBox(
        PixelBox(
            label=box.label,
            x0=x0 + left,
            y0=y0 + top,
            x1=x0 + left + ink_width,
            y1=y0 + top + ink_height,
            score=box.score,
        ),
        has_ink=True,
    )
