"""A picture of any depth, with or without transparency, as the colours that a person sees."""

from __future__ import annotations

import numpy as np
from PIL import Image

_MOST = 0xFFFF


def flat_rgb(picture: Image.Image) -> Image.Image:
    """Return a picture as RGB of 8 bits, what is transparent on white.

    Raises:
        ValueError: its values have no range that is known.
    """
    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        over = picture.convert("RGBA")
        white = Image.new("RGBA", over.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, over).convert("RGB")
    if picture.mode == "F":
        raise ValueError("its values are floating-point numbers, whose range is not known")
    if picture.mode.startswith("I"):
        return _of_16_bit_grey(picture)
    return picture.convert("RGB")


def _of_16_bit_grey(picture: Image.Image) -> Image.Image:
    # Pillow would cut the greys off at 255, which makes nearly all of them white.
    grey = np.asarray(picture).astype(np.int64)
    if grey.min() < 0 or grey.max() > _MOST:
        raise ValueError("its values are beyond 16 bits")
    return Image.fromarray(((grey * 255 + _MOST // 2) // _MOST).astype(np.uint8)).convert("RGB")
