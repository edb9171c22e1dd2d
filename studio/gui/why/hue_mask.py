"""Which pixels of a slide have hues outside its best template: a mask that leaves them and dims the rest."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import cv2
import numpy as np
from PySide6.QtGui import QColor, QImage

from studio.metrics.pictures import load_picture

DIM_ALPHA = 205
"""How much of the pixels that fit is covered, of 255."""
EDGE_WIDTH_PX = 3


def stray_mask(
    picture: Path, hues_deg: Collection[int], *, min_saturation: float, cover: QColor, edge: QColor
) -> QImage:
    """Return a picture to lay over a slide: stray pixels stay as they are and get an edge, the rest is covered.

    Safe on any thread.

    Args:
        picture: the slide.
        hues_deg: hues outside the template, 0–358 in steps of 2.
        min_saturation: HSV saturation 0–1 below which a pixel has no say.
        cover: colour that covers what fits.
        edge: colour of the line around what does not.

    Raises:
        BadInput: if the picture cannot be read.
    """
    rgb = load_picture(picture)
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
    is_stray_hue = np.zeros(180, np.bool_)
    is_stray_hue[[hue // 2 for hue in hues_deg]] = True
    is_stray = is_stray_hue[hsv[..., 0]] & (hsv[..., 1] / 255.0 >= min_saturation)
    over = np.empty((*is_stray.shape, 4), np.uint8)
    over[:] = (cover.red(), cover.green(), cover.blue(), DIM_ALPHA)
    stray = is_stray.astype(np.uint8)
    rim = (cv2.dilate(stray, np.ones((EDGE_WIDTH_PX, EDGE_WIDTH_PX), np.uint8)) > 0) & ~is_stray
    over[rim] = (edge.red(), edge.green(), edge.blue(), 255)
    over[is_stray] = 0
    height, width = is_stray.shape
    return QImage(over.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
