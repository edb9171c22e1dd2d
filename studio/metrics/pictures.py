"""Slide pictures from files, as the metrics want them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from studio.errors import BadInput
from studio.metrics.colour import Picture


def load_picture(path: Path) -> Picture:
    """Return a picture file as 8-bit RGB.

    Transparency is laid on white, 16 bits per channel become the nearest of 8, and palettes, grey and CMYK
    become RGB. Orientation tags and colour profiles are not looked at, as in the reference. Of several
    frames the first counts.

    Args:
        path: a picture in a format that Pillow reads.

    Returns:
        (height, width, 3).

    Raises:
        BadInput: if the file is missing, is no picture, is cut short, or has values without a defined range.
    """
    try:
        with Image.open(path) as opened:
            return _from_16_bit_colour(path) if _has_16_bit_colour(opened) else _as_rgb(opened, path)
    except FileNotFoundError:
        raise BadInput(f"There is no picture {path}.", next_step="Make the slide pictures again.") from None
    except UnidentifiedImageError:
        raise BadInput(f"{path} is not a picture.", next_step="Give a PNG or JPEG file.") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        reason = " ".join(str(error).split())
        raise BadInput(
            f"The picture {path} cannot be read: {reason}.", next_step="Make the slide pictures again."
        ) from error


def _has_16_bit_colour(picture: Image.Image) -> bool:
    """Return whether a file has 16-bit channels that Pillow would cut down to their upper halves."""
    # Pillow notes the file's own layout beside its mode, such as "RGB;16B".
    layouts = [str(tile[3]) for tile in getattr(picture, "tile", [])]
    return not picture.mode.startswith("I") and any(";16" in layout for layout in layouts)


def _from_16_bit_colour(path: Path) -> Picture:
    """Return a picture with 16-bit colour channels as 8-bit RGB on white."""
    decoded = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_UNCHANGED)
    if decoded is None or decoded.dtype != np.uint16 or decoded.ndim != 3:
        raise ValueError("its 16-bit colours are stored in a way that is not supported")
    eight = _nearest_of_8_bits(decoded)
    if eight.shape[2] == 4:
        return _on_white(np.ascontiguousarray(eight[..., [2, 1, 0, 3]]))
    return np.ascontiguousarray(eight[..., ::-1])


def _as_rgb(picture: Image.Image, path: Path) -> Picture:
    if picture.mode == "F":
        raise BadInput(
            f"The picture {path} has floating-point values, whose range is not known.",
            next_step="Save it with 8 bits per channel.",
        )
    if picture.mode.startswith("I"):
        return _from_16_bit_grey(np.asarray(picture), path)
    if "A" in picture.getbands() or "a" in picture.getbands() or "transparency" in picture.info:
        return _on_white(np.asarray(picture.convert("RGBA")))
    return np.array(picture if picture.mode == "RGB" else picture.convert("RGB"), np.uint8)


def _from_16_bit_grey(grey: NDArray[np.generic], path: Path) -> Picture:
    """Return 16-bit grey as 8-bit RGB, each value rounded to the nearest."""
    values = grey.astype(np.int64)
    if values.min() < 0 or values.max() > 0xFFFF:
        raise BadInput(f"The picture {path} has values beyond 16 bits.", next_step="Save it with 8 bits per channel.")
    return np.repeat(_nearest_of_8_bits(values)[..., None], 3, axis=2)


def _nearest_of_8_bits(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    # 257 steps of 16 bits are one of 8: 65535 = 255 · 257.
    return ((values.astype(np.int64) + 128) // 257).astype(np.uint8)


def _on_white(rgba: NDArray[np.uint8]) -> Picture:
    """Return a picture with transparency as it looks on a white page."""
    alpha = rgba[..., 3:].astype(np.uint32)
    mixed = rgba[..., :3].astype(np.uint32) * alpha + 255 * (255 - alpha)
    return ((mixed + 127) // 255).astype(np.uint8)
