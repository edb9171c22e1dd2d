"""Colour of 8-bit sRGB pictures: linear light, relative luminance, CIELAB.

An 8-bit channel has 256 values, so what the standard defines with a power is a look-up here; only the
cube root of CIELAB is computed per pixel.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.errors import BadInput

Picture = NDArray[np.uint8]
"""(height, width, 3), sRGB, 0–255."""


def _linear_light() -> NDArray[np.float64]:
    encoded = np.arange(256) / 255.0
    # Below the threshold the curve is a line. 0.03928 and 0.04045 are both in use and separate the same
    # 8-bit values (10/255 and 11/255), so it does not matter which is taken.
    table: NDArray[np.float64] = np.where(encoded > 0.04045, ((encoded + 0.055) / 1.055) ** 2.4, encoded / 12.92)
    table.flags.writeable = False
    return table


LINEAR = _linear_light()
"""8-bit sRGB value → linear light 0–1 (IEC 61966-2-1), float64."""

LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
"""Share of linear red, green and blue in relative luminance (BT.709)."""

_LUMINANCE_R, _LUMINANCE_G, _LUMINANCE_B = (weight * LINEAR for weight in LUMINANCE_WEIGHTS)

# Linear sRGB → XYZ as scikit-image and most of the literature round it, over the white of D65 (2°).
_XYZ_FROM_RGB = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
)
_WHITE_D65 = np.array([0.95047, 1.0, 1.08883])
_RELATIVE_XYZ_FROM_RGB = (_XYZ_FROM_RGB / _WHITE_D65[:, None]).astype(np.float32)
_LINEAR_F32 = np.ascontiguousarray(LINEAR.astype(np.float32).reshape(1, 256, 1))
_CUBE_ROOT_FROM = np.float32(0.008856)
_CHUNK_PX = 1 << 16
"""Pixels that are converted at once: three float32 planes of them stay in the second-level cache."""


def checked_picture(rgb: Picture) -> Picture:
    """Return `rgb` as a contiguous array if it is a picture that can be measured.

    Raises:
        BadInput: if it is not (height, width, 3) of unsigned bytes or has no pixels.
    """
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
        raise BadInput(
            f"A slide picture must be height × width × 3 bytes, not {rgb.shape} of {rgb.dtype}.",
            next_step="Convert it to 8-bit RGB first.",
        )
    if rgb.size == 0:
        raise BadInput(f"The slide picture is empty ({rgb.shape[1]}×{rgb.shape[0]} pixels).")
    return np.ascontiguousarray(rgb)


def luminance(rgb: Picture) -> NDArray[np.float64]:
    """Return the relative luminance of each pixel.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255.

    Returns:
        (height, width), 0 for black to 1 for white.

    Source:
        WCAG 2.1, definition of relative luminance.
    """
    light = _LUMINANCE_R[rgb[..., 0]]
    light += _LUMINANCE_G[rgb[..., 1]]
    light += _LUMINANCE_B[rgb[..., 2]]
    return light


def lab_planes(rgb: Picture) -> NDArray[np.float32]:
    """Return the CIELAB planes of a picture.

    Args:
        rgb: (height, width, 3), sRGB, values 0–255, contiguous.

    Returns:
        (3, height, width): L 0–100, a and b about -128–127; within 1e-3 of a float64 conversion.

    Source:
        CIE 15:2004, D65, 2° observer; constants as in scikit-image's ``rgb2lab``.
    """
    height, width = rgb.shape[:2]
    planes = np.empty((3, height, width), np.float32)
    rows = max(1, _CHUNK_PX // width)
    for top in range(0, height, rows):
        block = rgb[top : top + rows]
        linear = cv2.LUT(block, _LINEAR_F32)
        relative = cv2.transform(linear, _RELATIVE_XYZ_FROM_RGB)
        root = np.cbrt(relative)
        dark = relative <= _CUBE_ROOT_FROM
        if dark.any():
            root[dark] = relative[dark] * np.float32(7.787) + np.float32(16.0 / 116.0)
        x, y, z = root[..., 0], root[..., 1], root[..., 2]
        target = planes[:, top : top + rows]
        np.multiply(y, np.float32(116.0), out=target[0])
        target[0] -= np.float32(16.0)
        np.subtract(x, y, out=target[1])
        target[1] *= np.float32(500.0)
        np.subtract(y, z, out=target[2])
        target[2] *= np.float32(200.0)
    return planes
